# Bad input to a step of recipes, where it is given, in prep() and in bake().

skip_if_not_installed("recipes", "1.0.4")

some <- function(formula = Species ~ ., data = iris, ...) step_of(data, formula, ...)

test_that("arguments of a step are checked where they are given", {
  expect_refused(step_landmarks())
  expect_refused(step_landmarks(iris))
  expect_refused(some(role = 1:2))
  expect_refused(some(role = c("a", "b")))
  expect_refused(some(num_landmarks = 0))
  expect_refused(some(num_landmarks = 2.5))
  expect_refused(some(num_landmarks = NULL))
  expect_refused(some(num_landmarks = NA))
  expect_refused(some(num_landmarks = c(3, 5)))
  expect_refused(some(bandwidth = -1), "bandwidth")
  expect_refused(some(bandwidth = "mean"), "bandwidth")
  expect_refused(some(method = "nearest"), "method")
  expect_refused(some(method = by_gp), "method")
  expect_refused(some(scale = NA))
  expect_refused(some(options = list(space = "ball")), "space")
  expect_refused(some(options = list(space = "sphere"), scale = TRUE), "space")
  expect_refused(some(prefix = ""))
  expect_refused(some(prefix = NULL))
  expect_refused(some(keep_original_cols = "no"))
  expect_refused(some(skip = NA))
  # The message lists the arguments of landmarks() that are left, and these may become more.
  for (options in list(list(n = 5), list(5), "threads")) {
    expect_error(some(options = options), "named list of further", class = "landmarker_error_input")
  }
})

test_that("an outcome is given for a method that uses it, and for no other", {
  expect_refused(some(method = "response"), "response")
  expect_refused(some(method = by_class()), "response")
  expect_refused(some(outcome = Species), "response")
  expect_refused(
    own_error(trained(some(method = "response", outcome = recipes::all_nominal_predictors()))), "response"
  )
  expect_refused(own_error(trained(some(method = "response", outcome = nothing))), "select")
  y <- iris$Species
  expect_refused(own_error(trained(some(method = by_response(y), outcome = Species))), "response")
  gap <- iris
  gap$Species[7] <- NA
  expect_refused(own_error(trained(some(data = gap, method = "response", outcome = Species))), "response")
})

test_that("training columns: missing values, types, names, too few rows, selectors", {
  bad <- iris
  bad$Petal.Width[3] <- NA
  expect_refused(own_error(trained(some(data = bad))), "missing")
  bad$Petal.Width[3] <- Inf
  expect_refused(own_error(trained(some(data = bad))), "missing")
  expect_refused(own_error(trained(some(~.))), "columns")
  expect_refused(own_error(trained(some(~., data.frame(day = as.Date("2020-01-01") + 0:20)))), "columns")
  words <- data.frame(a = 1:4, b = c("x", "y", "x", "y"))
  expect_refused(own_error(trained(some(~., words))), "columns")
  warnings <- capture_warnings(trained(some(num_landmarks = 151, scale = FALSE)))
  expect_match(warnings, "there are 150 training rows", all = FALSE)
  named <- stats::setNames(iris[1:4], paste0("L", 1:4))
  expect_refused(own_error(trained(some(~., named, num_landmarks = 3))), "columns")
  expect_refused(own_error(trained(some(~., named, num_landmarks = 1))), "columns")
  rec <- recipes::recipe(Species ~ ., iris)
  expect_refused(own_error(trained(step_landmarks(rec, Petal.Color))), "select")
  expect_refused(own_error(trained(step_landmarks(rec, everything_here()))), "select")
  none <- tryCatch(trained(some(data = iris[0, ])), error = identity)
  expect_true(rlang::cnd_inherits(none, "landmarker_error_data"))
})

test_that("new data: missing values, absent columns, types, names", {
  rec <- trained(some(num_landmarks = 3))
  bad <- iris
  bad$Sepal.Width[150] <- NA
  expect_refused(own_error(recipes::bake(rec, bad)), "missing")
  expect_error(recipes::bake(rec, iris[c(1, 5)]))
  step <- rec$steps[[1]]
  expect_refused(own_error(recipes::bake(step, iris[c(1, 5)])), "columns")
  expect_refused(own_error(recipes::bake(step, transform(iris, Sepal.Length = "long"))), "columns")
  expect_refused(own_error(recipes::bake(step, cbind(iris, L2 = 1))), "columns")
  expect_s3_class(recipes::bake(rec, cbind(iris, L2 = 1)), "tbl_df")
})

test_that("settings that were changed after the step was made are checked in prep()", {
  rec <- some(num_landmarks = 3)
  change <- function(...) {
    rec$steps[[1]] <- utils::modifyList(rec$steps[[1]], list(...))
    rec
  }
  expect_refused(own_error(trained(change(num_landmarks = 0))))
  expect_refused(own_error(trained(change(method = "response"))), "response")
  expect_refused(own_error(trained(change(bandwidth = "wide"))), "bandwidth")
})

test_that("parameters for tuning refuse what landmarks() would", {
  skip_if_not_installed("dials")
  wrong <- function(code, message) expect_error(code, message, class = "landmarker_error_input", fixed = TRUE)
  wrong(landmark_bandwidth(c("variance", "wide")), "One of them is \"wide\".")
  wrong(landmark_bandwidth(c(1, 2)), "`values` must be strings, rules of the bandwidth.")
  wrong(landmark_bandwidth(character()), "It is a character vector of length 0.")
  wrong(landmark_bandwidth(NA_character_), "One of them is NA.")
  wrong(landmark_method("nearest"), "`method` must be one of")
  wrong(landmark_method(NULL), "`values` must be strings, names of methods.")
  expect_error(num_landmarks(c(1.5, "a")))
})
