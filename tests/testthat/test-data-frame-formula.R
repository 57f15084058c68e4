# Formulas: which variables they have, how these are evaluated again, and what a fit keeps of them. Their
# columns are compared with those of model.matrix() in test-data-frame-locales.R.

d <- withr::with_seed(1, data.frame(
  a = rnorm(60), b = rnorm(60), v = 1000 * 1:60 + 0.5, l = rep(c(TRUE, FALSE, TRUE), 20),
  f = factor(rep(c("x", "y", "z"), 20))
))

columns_of <- function(formula, data = d) frame_blueprint(formula, data)$x

test_that("a formula chooses columns, and an intercept says nothing about distances", {
  both <- cbind(a = d$a, b = d$b)
  for (formula in c(~ a + b, ~ a + b - 1, ~ 0 + a + b, ~ . - v - l - f)) {
    expect_identical(columns_of(formula), both)
  }
  # What is taken out need not be in newdata.
  fit <- fit_to(~ . - v - l - f, d, 4)
  expect_identical(predict(fit, d[c("b", "a")]), predict(fit, d))
})

test_that("formulas of thousands of columns are neither too deep nor slow", {
  wide <- as.data.frame(matrix(sin(1:20000), 4, 5000))
  expect_identical(colnames(columns_of(~., wide)), names(wide))
  expect_identical(dim(predict(landmarks(~., wide, 2), wide[1, ])), c(1L, 2L))
  # Terms that are no columns, as many as stats::terms() takes.
  many <- as.formula(paste("~ I(V1^2) +", paste(names(wide)[1:400], collapse = " + ")))
  expect_identical(ncol(columns_of(many, wide)), 401L)
})

test_that("short constants are found where the formula was written, and kept", {
  k <- 3
  knots <- c(-0.5, 0.2)
  formula <- ~ poly(a, k) + splines::ns(b, knots = knots) + I(v / pi)
  expect_equal(unname(columns_of(formula)), unname(model.matrix(formula, d)[, -1]))
  fit <- fit_to(formula, d, 4)
  values <- predict(fit, d)
  k <- 1
  rm(knots)
  expect_equal(predict(fit, d[4:2, ]), values[4:2, ], ignore_attr = TRUE)
  # A value for each row is data.
  outside <- d$a
  local_one <- function(v) 3 * v
  expect_refused(
    landmarks(~ I(a * outside), d, 3), landmarks(~ I(A + 1), d, 3), landmarks(~ local_one(a), d, 3),
    landmarks(~ log(f), d, 3)
  )
})

test_that("a variable that is excluded, or the response, must be there, as for lm()", {
  expect_refused(
    landmarks(~ . - Speceis, iris, 5), landmarks(Specis ~ ., iris, 5, by_response()),
    cv_landmarks(Species ~ . - log(Sepal.Lenth), iris, n = 5)
  )
  k <- 2
  fit <- landmarks(~ . + poly(Petal.Width, k) - log(Sepal.Width) - poly(Sepal.Length, k) - Species, iris, 5)
  expect_identical(ncol(coef(fit)), 6L)
})

test_that("a fit does not keep the environment of its formula", {
  local_formula <- function(data) {
    ballast <- data$a
    k <- 2
    ~ poly(a, k) + scale(b) + f
  }
  is_plain <- function(part) {
    if (is.list(part)) return(all(vapply(part, is_plain, NA)))
    is.null(part) || is.atomic(part) || is.language(part)
  }
  fits <- list(fit_to(local_formula(d), d, 3, bandwidth = 1), fit_to(~ a + f, d, 3), fit_to(d, 3))
  for (fit in fits) {
    expect_false(grepl("ballast", rawToChar(serialize(fit, NULL, ascii = TRUE)), fixed = TRUE))
    expect_true(is_plain(fit$blueprint))
  }
})

test_that("new data may have no rows, and a column of NA alone", {
  for (formula in list(~ splines::ns(a, 3) + f, ~ poly(a, 2), ~ a + f + l, ~.)) {
    fit <- fit_to(formula, d, 4)
    expect_identical(dim(predict(fit, d[0, ])), c(0L, 4L))
    one <- transform(d[1:2, ], a = NA)
    expect_error(predict(fit, one), "row 1|formula can be evaluated", class = "landmarker_error")
    # poly() and ns() refuse missing values.
    if (!"a" %in% fit$blueprint$labels) next
    expect_true(all(is.na(predict(fit, one, na.action = na.pass))))
  }
  fit <- fit_to(~ a + f, d, 4)
  expect_true(all(is.na(predict(fit, data.frame(a = 1, f = NA), na.action = na.pass))))
})

test_that("formula() and update() have the variables of the formula, and keep parentheses", {
  fit <- landmarks(~., d, 3)
  by_y <- landmarks(b ~ . - f, d, 3, by_response(iterations = 5))
  cases <- list(
    list(fit, ~ a + b + v + l + f), list(update(fit, ~ . - v - l), ~ a + b + f),
    list(update(fit, ~ . - v + log(v)), ~ a + b + l + f + log(v)), list(by_y, b ~ a + v + l),
    list(update(by_y, ~ . - v), b ~ a + l), list(update(by_y, log(. + 9) ~ a), log(b + 9) ~ a),
    list(fit_to(~ (a > 0) * b, d, 3), ~ (a > 0) * b)
  )
  for (case in cases) expect_equal(formula(case[[1]]), case[[2]], ignore_attr = TRUE)
  columns <- function(formula, change) colnames(coef(update(landmarks(formula, d, 4), change)))
  expect_identical(columns(~ (a > 0):b + a, ~ . - a), c("a > 0FALSE:b", "a > 0TRUE:b"))
  expect_identical(columns(~ a + b, ~ (.)^2), c("a", "b", "a:b"))
  # Without a response the dot on the left is nothing.
  expect_identical(columns(~ a + b, . ~ . - b), "a")
})

test_that("only predict() and update() evaluate the code of a formula in a fit", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  crafted <- landmarks(~ log(a^2 + 1) + b, d, 6, bandwidth = 3)
  marked <- rlang::new_environment()
  crafted$blueprint$code[[2]] <- bquote({
    assign("ran", TRUE, .(marked))
    b
  })
  for (use in list(print, plot, summary, coef, formula, tidy, glance, as.data.frame, format, str)) {
    suppressMessages(utils::capture.output(use(crafted)))
  }
  expect_null(marked$ran)
  predict(crafted, d)
  expect_true(marked$ran)
})
