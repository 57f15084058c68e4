# Formulas, names and levels in any locale of UTF-8, with letters outside ASCII, and under any options.

test_that("a dot and a minus know a name in other letters, and strings keep theirs", {
  skip_if_not(l10n_info()[["UTF-8"]])
  d <- data.frame(a = 1:60 / 10, y = 1:60, city = rep(c("Z\u00fcrich", "Bern"), 30))
  names(d)[2] <- "\u00fd"
  fit <- landmarks(stats::as.formula("\u00fd ~ . - city"), d, 4, by_response(iterations = 5))
  expect_identical(colnames(coef(fit)), "a")
  found <- frame_blueprint(stats::as.formula("~ . - \u00fd - city + I(9 * (city == \"Z\u00fcrich\"))"), d)$x
  expect_equal(unname(found), cbind(d$a, rep(c(9, 0), 30)))
  fit <- landmarks(stats::as.formula("~ poly(\u00fd, 2)"), d, 4, bandwidth = 3)
  expect_error(predict(fit, d["a"]), "\u00fd", class = "landmarker_error_columns")
})

# ---- in each locale ------------------------------------------------------------------------

# A folder with the compiled locales, or a skip.
compiled_locales <- function(names, envir = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = envir)
  if (!nzchar(Sys.which("localedef"))) skip("localedef is missing")
  for (name in names) {
    parts <- strsplit(name, ".", fixed = TRUE)[[1]]
    made <- suppressWarnings(system2("localedef", c("-i", parts[1], "-f", parts[2], file.path(folder, name)),
      stdout = FALSE, stderr = FALSE
    ))
    if (!dir.exists(file.path(folder, name))) skip(paste("the locale", name, "cannot be made"))
  }
  folder
}

# In a new R: fits of strange names and levels, saved in `folder`, what they give, and what the fits of other
# locales give for the same data.
use_in_locale <- function(folder, locale) {
  options(warn = 2)
  d <- data.frame(
    a = 1:40 %% 7, b = (1:40)^2 %% 11, k = c("\u00fcber", "Zeta", "alpha", "I\u0131i")[1:40 %% 4 + 1],
    y = c("b", "A", "a", "\u00d6")[1:40 %% 4 + 1]
  )
  names(d) <- c("gr\u00f6\u00dfe", "b", "kla\u00dfe x", "y")
  x <- as.matrix(d[1:2])
  formula <- stats::as.formula("~ log(`gr\u00f6\u00dfe` + 1) + b + `kla\u00dfe x`")
  quietly <- function(code) {
    set.seed(1)
    suppressMessages(suppressWarnings(code, classes = "landmarker_warning"))
  }
  fits <- list(
    frame = quietly(landmarks(d[1:3], 5, bandwidth = 30)),
    formula = quietly(landmarks(formula, d, 5, bandwidth = 30)),
    matrix = quietly(landmarks(x, 5, bandwidth = 30)),
    response = quietly(landmarks(y ~ ., d, 5, by_response(iterations = 5))),
    cv = quietly(cv_landmarks(x, d$y, n = 4, folds = 2, seeds = 1, methods = "kmeans"))
  )
  saveRDS(fits, file.path(folder, paste0(locale, ".rds")))
  files <- list.files(folder, "[.]rds$", full.names = TRUE)
  types <- c("features", "features", "features", "prob", "response")
  of_each <- lapply(files, function(file) Map(predict, readRDS(file), list(d, d, x, d, x), types))
  list(levels = fits$cv$levels, columns = colnames(coef(fits$frame)), each = of_each)
}

test_that("fits go from one locale to another, and classes have one order", {
  skip_unless_full()
  locales <- c("tr_TR.UTF-8", "de_DE.UTF-8")
  compiled <- compiled_locales(locales)
  folder <- withr::local_tempdir()
  found <- lapply(c("C.UTF-8", locales, "C.UTF-8"), function(locale) {
    env <- c(paste0("LC_ALL=", locale), if (locale %in% locales) paste0("LOCPATH=", compiled))
    in_fresh_r(use_in_locale, folder, locale, env = env)
  })
  first <- found[[1]]
  expect_identical(first$levels, c("A", "a", "b", "\u00d6"))
  levels <- paste0("kla\u00dfe x", c("I\u0131i", "Zeta", "alpha", "\u00fcber"))
  expect_identical(first$columns, c("gr\u00f6\u00dfe", "b", levels))
  for (one in found) {
    expect_identical(one$levels, first$levels)
    expect_identical(one$columns, first$columns)
    for (each in one$each) expect_identical(each, first$each[[1]])
  }
  expect_length(found[[length(found)]]$each, length(found) - 1)
})

# ---- as model.matrix() -----------------------------------------------------------------------

# `count` random formulas, nested to a depth of 4: the columns that frame_blueprint() and frame_matrix() make
# of them under several options, beside those of model.matrix() under R's own options, with a column for each
# level: the largest difference, and the formulas whose names differ.
compare_formulas <- function(count) {
  set.seed(1)
  d <- data.frame(
    a = round(stats::rnorm(40), 3), b = stats::runif(40) + 0.5, k = c(1e5, 2e5, 123456, 3e-6),
    l = rep(c(TRUE, FALSE, TRUE), length.out = 40), f = factor(rep(c("x", "Y", "z\u00e9"), length.out = 40)),
    s = rep(c("\u00e4", "B", "a", "\u00d6"), each = 10), when = as.Date("2024-02-27") + 1:40,
    in_meters = 1:40 %% 7, big = (1:40)^2 %% 11
  )
  names(d)[8:9] <- c("in meters", "gr\u00f6\u00dfe")
  d$m <- cbind(u = 1:40 %% 5, v = 1:40 %% 3)
  # Where new data find it.
  assign("own", function(v) v^2 + 1, globalenv())
  withr::defer(rm("own", envir = globalenv()))
  k_of_poly <- 2
  leaves <- list(
    quote(a), quote(b), quote(l), quote(f), quote(s), quote(m), quote(when), as.name("in meters"),
    as.name("gr\u00f6\u00dfe"), quote((a > 0)), quote(!l), quote(a > 0 & !(b > 1)), quote(I(a * (b - 1))),
    quote(I(a > 0)), bquote(log(.(as.name("gr\u00f6\u00dfe")) + 1)), quote(scale(a)),
    bquote(poly(.(as.name("gr\u00f6\u00dfe")), 2)), quote(poly(b, k_of_poly)), quote(splines::ns(b, 3)),
    quote(own(a)), quote(I(s == "\u00e4")), quote(I(k / 100000)), quote(factor(k)), quote(sapply(b, sqrt)),
    quote(sapply(b, function(v) v + 1)), bquote(sqrt(.(as.name("in meters")))), quote(exp(-b) %in% 0),
    quote(as.numeric(when - as.Date("2024-01-01")))
  )
  random_code <- function(depth) {
    if (depth == 0 || stats::runif(1) < 0.2) return(sample(leaves, 1)[[1]])
    operator <- sample(c("+", "+", "+", "-", ":", "*", "/", "%in%", "^", "("), 1)
    if (operator == "(") return(call("(", random_code(depth - 1)))
    if (operator == "^") return(call("^", call("(", random_code(depth - 1)), 2))
    call(operator, random_code(depth - 1), random_code(depth - 1))
  }
  # Strings as factors whose levels have the same order in every locale.
  ordered <- transform(d, s = factor(s, sort(unique(s), method = "radix")))
  names(ordered) <- names(d)
  expected <- function(formula) {
    terms <- stats::terms(formula)
    attr(terms, "intercept") <- 1L
    frame <- stats::model.frame(terms, ordered)
    factors <- Filter(is.factor, frame)
    contrasts <- lapply(factors, stats::contrasts, contrasts = FALSE)
    x <- stats::model.matrix(terms, frame, contrasts.arg = if (length(contrasts)) contrasts)
    x[, -1, drop = FALSE]
  }
  several <- list(
    list(), list(contrasts = c("contr.sum", "contr.poly")),
    list(contrasts = c("contr.helmert", "contr.helmert")),
    list(scipen = 999), list(scipen = -9, OutDec = ",", na.action = "na.pass")
  )
  worst <- 0
  others <- character()
  done <- 0
  while (done < count) {
    formula <- structure(call("~", random_code(4)), class = "formula", .Environment = environment())
    want <- suppressWarnings(tryCatch(expected(formula), error = function(e) NULL))
    if (is.null(want) || ncol(want) == 0 || ncol(want) > 500) next
    made <- lapply(several, function(option) {
      given <- options(option)
      on.exit(options(given))
      landmarker:::frame_blueprint(formula, d)
    })
    for (i in seq_along(made)) {
      given <- options(several[[length(several) + 1 - i]])
      new <- landmarker:::frame_matrix(made[[i]]$blueprint, d[40:11, ], NULL)
      options(given)
      size <- 1 + abs(want)
      worst <- max(worst, abs(made[[i]]$x - want) / size, abs(new - want[40:11, ]) / size[40:11, ])
      if (!identical(colnames(new), colnames(made[[1]]$x))) others <- c(others, format(formula))
    }
    plain <- function(names) gsub("[` ]", "", names)
    same <- identical(plain(colnames(made[[1]]$x)), plain(colnames(want)))
    if (!same) others <- c(others, format(formula))
    done <- done + 1
  }
  list(worst = worst, others = others)
}

test_that("random formulas have the columns of model.matrix(), under five options", {
  skip_slow_file()
  withr::local_preserve_seed()
  found <- compare_formulas(if (full_run()) 200 else 20)
  # poly() computes new rows otherwise.
  expect_lt(found$worst, 1e-12)
  expect_identical(found$others, character())
})
