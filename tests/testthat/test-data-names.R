# Names and levels with letters outside ASCII, in any locale.

test_that("names have a form in ASCII, and their letters again", {
  names <- c("a", "gr\u00f6\u00dfe", "a\U0001F600b", "x y", NA, "\u00fc")
  plain <- plain_names(names)
  expect_identical(plain, c("a", "gr<U+00F6><U+00DF>e", "a<U+0001F600>b", "x y", NA, "<U+00FC>"))
  expect_identical(shown_names(plain), names)
  expect_identical(Encoding(shown_names(plain)[2]), "UTF-8")
  expect_identical(plain_names(plain), plain)
  expect_identical(shown_names(names), names)
  latin <- iconv("gr\u00f6\u00dfe", "UTF-8", "latin1")
  expect_identical(plain_names(latin), plain[2])
})

test_that("names in code are changed, and nothing else", {
  skip_if_not(l10n_info()[["UTF-8"]])
  a <- as.name("\u00e4")
  code <- bquote(f(.(a), .(a)(1), x[, 1], NULL, "\u00e4", g = log(.(as.name("\u00fc b")) + 1)))
  plain <- bquote(f(`<U+00E4>`, .(a)(1), x[, 1], NULL, "\u00e4", g = log(`<U+00FC> b` + 1)))
  expect_identical(in_code(code, plain_names), plain)
  expect_identical(in_code(plain, shown_names), code)
})

test_that("terms in other letters are those of the same formula, with what poly() has learned", {
  skip_if_not(l10n_info()[["UTF-8"]])
  d <- stats::setNames(data.frame(1:9 + 0.5, c(2, 7, 1, 8, 2, 8, 1, 8, 3)), c("\u00e4", "b"))
  formula <- stats::as.formula("~ poly(\u00e4, 2) + b")
  fit <- landmarks(formula, d, 4, bandwidth = 3)
  expect_equal(formula(fit), formula, ignore_attr = TRUE)
  expect_equal(predict(fit, d[3, ]), predict(fit, d)[3, , drop = FALSE], ignore_attr = TRUE)
  bare <- stats::setNames(d, c("a", "b"))
  same <- landmarks(~ poly(a, 2) + b, bare, 4, bandwidth = 3)
  expect_equal(coef(fit), coef(same), ignore_attr = TRUE)
  expect_error(predict(fit, d["b"]), "\u00e4", class = "landmarker_error_columns")
  expect_error(predict(landmarks(d, 4, bandwidth = 3), d["b"]), "\u00e4", class = "landmarker_error_columns")
})

test_that("a dot and a minus know a name in other letters, and strings keep theirs", {
  skip_if_not(l10n_info()[["UTF-8"]])
  d <- withr::with_seed(1, data.frame(a = stats::rnorm(60), b = stats::rnorm(60), y = stats::rnorm(60)))
  names(d)[3] <- "\u00fd"
  fit <- landmarks(stats::as.formula("\u00fd ~ ."), d, 4, by_response(iterations = 20), verbose = FALSE)
  expect_identical(colnames(coef(fit)), c("a", "b"))
  expect_length(predict(fit, d[1:2]), 60)
  without <- landmarks(stats::as.formula("~ . - \u00fd"), d, 4, verbose = FALSE)
  expect_identical(colnames(coef(without)), c("a", "b"))
  d$city <- rep(c("Z\u00fcrich", "Bern"), 30)
  by_city <- landmarks(stats::as.formula("~ I(9 * (city == \"Z\u00fcrich\")) + b"), d, 6, verbose = FALSE)
  expect_gt(diff(range(coef(by_city)[, 1])), 8)
})

test_that("a column whose name looks like a letter's number is a column", {
  d <- withr::with_seed(1, data.frame(stats::rnorm(60), stats::rnorm(60)))
  for (strange in c("<U+00E4>", "b<U+110000>", "<U+D800>")) {
    names(d) <- c(strange, "b")
    expect_identical(dim(predict(landmarks(d, 4), d)), c(60L, 4L))
  }
  names(d) <- c("<U+00E4>", "\u00e4")
  expect_error(landmarks(d, 4), class = "landmarker_error_columns")
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
  # In the locale C the formula has <U+00F6>, as R itself writes it there.
  formula <- suppressWarnings(stats::as.formula("~ log(`gr\u00f6\u00dfe` + 1) + b + `kla\u00dfe x`"))
  quietly <- function(code) {
    set.seed(1)
    suppressMessages(suppressWarnings(code, classes = "landmarker_warning"))
  }
  fits <- list(
    frame = quietly(landmarks(d[1:3], 5, bandwidth = 30)),
    formula = quietly(landmarks(formula, d, 5, bandwidth = 30)),
    matrix = quietly(landmarks(x, 5, bandwidth = 30)),
    response = quietly(landmarks(y ~ ., d, 5, by_response(iterations = 50))),
    cv = quietly(cv_landmarks(x, d$y, n = 4, folds = 2, seeds = 1, methods = "kmeans"))
  )
  saveRDS(fits, file.path(folder, paste0(locale, ".rds")))
  files <- list.files(folder, "[.]rds$", full.names = TRUE)
  types <- c("features", "features", "features", "prob", "response")
  of_each <- lapply(files, function(file) Map(predict, readRDS(file), list(d, d, x, d, x), types))
  list(
    charset = l10n_info()$codeset, levels = fits$cv$levels, columns = colnames(coef(fits$frame)),
    formula = utils::capture.output(suppressWarnings(formula(fits$formula)))[1], each = of_each
  )
}

test_that("fits go from one locale to another, and classes have one order", {
  skip_slow_file()
  locales <- c("de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.EUC-JP")
  compiled <- compiled_locales(locales)
  folder <- withr::local_tempdir()
  found <- lapply(c("C", locales, "C.UTF-8", "C"), function(locale) {
    env <- c(paste0("LC_ALL=", locale), if (locale %in% locales) paste0("LOCPATH=", compiled))
    in_fresh_r(use_in_locale, folder, locale, env = env)
  })
  expect_identical(found[[4]]$charset, "EUC-JP")
  first <- found[[1]]
  expect_identical(first$levels, c("A", "a", "b", "\u00d6"))
  levels <- paste0("kla\u00dfe x", c("I\u0131i", "Zeta", "alpha", "\u00fcber"))
  expect_identical(first$columns, c("gr\u00f6\u00dfe", "b", levels))
  for (one in found) {
    expect_identical(one$levels, first$levels)
    expect_identical(one$columns, first$columns)
    for (each in one$each) expect_identical(each, first$each[[1]])
  }
  expect_length(found[[6]]$each, 5)
})
