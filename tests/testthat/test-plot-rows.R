# The data of a picture: the fit's own, or those that are given, and their groups.

test_that("a plot finds the fit's own data, and no other", {
  here <- as.matrix(iris[1:4])
  fit <- landmarks(here, 4)
  env <- environment()
  expect_identical(own_data(fit, env)$data, here)
  expect_identical(own_data(landmarks(iris[1:100, 1:4], 4), env)$data, iris[1:100, 1:4])
  expect_identical(own_data(landmarks(~ Sepal.Length + Species, iris, n = 4, scale = TRUE), env)$data, iris)
  expect_identical(own_data(landmarks(~ log(Sepal.Length) + I(Sepal.Width^2), iris, 4), env)$data, iris)
  # Only predict() and update() evaluate other code of a formula.
  expect_null(own_data(landmarks(~ poly(Sepal.Length, 2), iris, 4, bandwidth = 1), env))
  sparse <- methods::as(here, "CsparseMatrix")
  expect_identical(own_data(landmarks(sparse, 4), env)$data, sparse)
  weights <- rep(c(0, 1, 2), 50)
  expect_identical(own_data(landmarks(here, 4, weights = weights, scale = TRUE), env)$data, here)
  shown <- rlang::catch_cnd(on_device(plot(fit)), "landmarker_message_no_data")
  expect_null(shown)
  # Others of the same name, and none.
  here <- here[150:1, ]
  expect_null(own_data(fit, env))
  here <- here[1:10, ]
  expect_null(own_data(fit, env))
  here <- "text"
  expect_null(own_data(fit, env))
  rm(here)
  expect_null(own_data(fit, env))
  # What draws numbers or reads files is not evaluated.
  expect_null(own_data(landmarks(matrix(rnorm(80), 20), 3), env))
  expect_true(is_plain_expr(quote(data$x[rows, -1])))
  expect_true(is_plain_expr(quote(as.matrix(iris[1:4]) / 2)))
  for (expr in expression(f(x), read.csv("a"), x[sample(3)], function(x) x, (function() 1)())) {
    expect_false(is_plain_expr(expr))
  }
})

test_that("data that changed since the fit are not its own, and functions of the user are not run", {
  here <- as.matrix(iris[1:4])
  env <- environment()
  fit <- landmarks(here, 4)
  expect_identical(own_data(fit, env)$data, here)
  here[setdiff(1:150, fit$nearest), ] <- 0
  expect_null(own_data(fit, env))
  # A function of the user with the name of R's.
  scale <- function(...) stop("ran")
  there <- as.matrix(iris[1:4])
  fit <- landmarks(base::scale(there), 4)
  fit$call$x <- quote(scale(there))
  expect_equal(own_data(fit, env)$data, base::scale(there))
})

test_that("the data of a fit are found where rows were left out for their response", {
  gaps <- iris
  gaps$Sepal.Length[c(3, 70)] <- NA
  gaps$Species[c(5, 60)] <- NA
  set.seed(1)
  fit <- landmarks(Species ~ ., gaps, 4, by_response(iterations = 20), na.action = stats::na.omit)
  whole <- stats::complete.cases(gaps)
  own <- list(data = gaps[whole, ], rows = which(whole), total = 150L)
  expect_identical(own_data(fit, environment()), own)
  expect_silent(on_device(plot(fit)))
})

test_that("colors are of all rows of the data, of those of the subset that are used, or of those drawn", {
  fit <- withr::with_seed(1, landmarks(Ozone ~ Wind + Temp, airquality, 4, by_response(iterations = 20),
    na.action = stats::na.omit, subset = Temp > 70, scale = TRUE
  ))
  found <- own_data(fit, environment())
  used <- which(airquality$Temp > 70 & !is.na(airquality$Ozone))
  expect_identical(found$rows, used)
  colors <- function(color) shown_data(fit, found, color, "landmarks", NULL)$color$values
  expect_identical(colors(airquality$Solar.R), as.double(airquality$Solar.R[used]))
  expect_identical(colors(airquality$Solar.R[used]), as.double(airquality$Solar.R[used]))
  expect_refused(shown_data(fit, found, 1:120, "landmarks", NULL))
  # Rows with missing values of data that are given.
  given <- list(data = airquality)
  fit <- landmarks(~ Solar.R + Temp, airquality, 4, na.action = stats::na.omit, scale = TRUE)
  whole <- !is.na(airquality$Solar.R)
  values <- shown_data(fit, given, airquality$Day, "landmarks", NULL)$color$values
  expect_identical(values, as.double(airquality$Day[whole]))
  expect_refused(shown_data(fit, given, 1:10, "landmarks", NULL))
})
