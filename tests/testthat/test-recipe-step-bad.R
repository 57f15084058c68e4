# Bad input to a step of recipes, where it is given, in prep() and in bake().

skip_if_not_installed("recipes", "1.0.4")

some <- function(formula = Species ~ ., data = iris, ...) step_of(data, formula, ...)

test_that("arguments of a step are checked where they are given", {
  expect_refused(
    step_landmarks(),
    step_landmarks(iris),
    some(role = 1:2),
    some(num_landmarks = 0),
    some(bandwidth = -1),
    some(method = "nearest"),
    some(scale = NA),
    some(options = list(space = "ball")),
    some(options = list(space = "sphere"), scale = TRUE),
    some(prefix = ""),
    some(keep_original_cols = "no"),
    some(skip = NA)
  )
  # The message lists the arguments of landmarks() that are left, and these may become more.
  for (options in list(list(n = 5), list(5), "threads")) {
    expect_error(some(options = options), "named list of further", class = "landmarker_error_input")
  }
})

test_that("an outcome is given for a method that uses it, and for no other", {
  expect_refused(
    some(method = "response"),
    some(method = by_class()),
    some(outcome = Species),
    own_error(trained(some(method = "response", outcome = recipes::all_nominal_predictors()))),
    own_error(trained(some(method = "response", outcome = nothing)))
  )
  y <- iris$Species
  expect_refused(own_error(trained(some(method = by_response(y), outcome = Species))))
  gap <- iris
  gap$Species[7] <- NA
  expect_refused(own_error(trained(some(data = gap, method = "response", outcome = Species))))
})

test_that("training columns: missing values, types, names, too few rows, selectors", {
  bad <- iris
  bad$Petal.Width[3] <- Inf
  expect_refused(
    own_error(trained(some(data = bad))),
    own_error(trained(some(~.))),
    own_error(trained(some(~., data.frame(day = as.Date("2020-01-01") + 0:20))))
  )
  warnings <- capture_warnings(trained(some(num_landmarks = 151, scale = FALSE)))
  expect_match(warnings, "there are 150 training rows", all = FALSE)
  named <- stats::setNames(iris[1:4], paste0("L", 1:4))
  rec <- recipes::recipe(Species ~ ., iris)
  expect_refused(
    own_error(trained(some(~., named, num_landmarks = 3))),
    own_error(trained(step_landmarks(rec, Petal.Color)))
  )
  none <- tryCatch(trained(some(data = iris[0, ])), error = identity)
  expect_true(rlang::cnd_inherits(none, "landmarker_error_data"))
})

test_that("new data: missing values, absent columns, types, names", {
  rec <- trained(some(num_landmarks = 3))
  bad <- iris
  bad$Sepal.Width[150] <- NA
  step <- rec$steps[[1]]
  expect_refused(
    own_error(recipes::bake(rec, bad)),
    own_error(recipes::bake(step, iris[c(1, 5)])),
    own_error(recipes::bake(step, transform(iris, Sepal.Length = "long"))),
    own_error(recipes::bake(step, cbind(iris, L2 = 1)))
  )
  expect_s3_class(recipes::bake(rec, cbind(iris, L2 = 1)), "tbl_df")
})

test_that("settings that were changed after the step was made are checked in prep()", {
  rec <- some(num_landmarks = 3)
  change <- function(...) {
    rec$steps[[1]] <- utils::modifyList(rec$steps[[1]], list(...))
    rec
  }
  expect_refused(
    own_error(trained(change(method = "response"))),
    own_error(trained(change(bandwidth = "wide")))
  )
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
