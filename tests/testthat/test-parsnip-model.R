skip_if_not_installed("parsnip")

spec_of <- function(mode, ..., iterations = 40) {
  parsnip::set_engine(landmark_net(mode, ...), "landmarker", iterations = iterations)
}

test_that("a regression is that of landmarks() with by_response()", {
  spec <- spec_of("regression", num_landmarks = 5, penalty = 0.1, bandwidth = 2)
  fit <- withr::with_seed(1, parsnip::fit(spec, mpg ~ wt + hp + qsec, mtcars))
  method <- by_response(mtcars$mpg, iterations = 40, penalty = 0.1)
  columns <- mtcars[c("wt", "hp", "qsec")]
  plain <- withr::with_seed(1, landmarks(columns, 5, method, bandwidth = 2, scale = TRUE))
  new <- mtcars[1:7, ]
  p <- predict(fit, new)
  expect_s3_class(p, "tbl_df")
  expect_equal(p$.pred, unname(predict(plain, new)))
  expect_equal(predict(fit, new, type = "raw"), predict(plain, new), ignore_attr = TRUE)
  bounds <- predict(fit, new, type = "pred_int", level = 0.8)
  by_hand <- predict(plain, new, interval = "prediction", level = 0.8)
  expect_named(bounds, c(".pred_lower", ".pred_upper"))
  expect_equal(bounds$.pred_upper, unname(by_hand[, "upr"]))
})

test_that("classes have a class and probabilities, also a class without training rows", {
  fit <- parsnip::fit_xy(spec_of("classification", num_landmarks = 4), iris[1:100, 1:4], iris$Species[1:100])
  p <- predict(fit, iris[99:101, ], type = "prob")
  expect_named(p, paste0(".pred_", levels(iris$Species)))
  expect_identical(p$.pred_virginica, c(0, 0, 0))
  expect_equal(rowSums(p), rep(1, 3), ignore_attr = TRUE)
  class <- predict(fit, iris[1:100, ])$.pred_class
  expect_identical(levels(class), levels(iris$Species))
  expect_gt(mean(class == iris$Species[1:100]), 0.9)
  d <- transform(iris, wide = factor(ifelse(Sepal.Width > 3, "yes", "no")))
  two <- parsnip::fit(spec_of("classification", num_landmarks = 4), wide ~ Sepal.Length + Species, d)
  expect_named(predict(two, d[1:2, ], type = "prob"), c(".pred_no", ".pred_yes"))
})

test_that("a specification can be updated", {
  spec <- update(landmark_net("regression", num_landmarks = 5), num_landmarks = 9)
  expect_identical(rlang::eval_tidy(spec$args$num_landmarks), 9)
  expect_s3_class(spec, c("landmark_net", "model_spec"), exact = TRUE)
})

test_that("a row with a missing value or an unseen level has missing predictions", {
  spec <- spec_of("regression", num_landmarks = 3)
  few <- droplevels(iris[1:100, ])
  fit <- parsnip::fit_xy(spec, few[c(1, 3, 5)], few$Petal.Width)
  new <- iris[c(1, 51, 101), c(1, 3, 5)]
  new[1, 1] <- NA
  expect_warning(p <- predict(fit, new), class = "landmarker_warning_levels")
  expect_identical(is.na(p$.pred), c(TRUE, FALSE, TRUE))
  expect_equal(p$.pred[2], unname(predict(fit$fit, new[2, ])))
  bounds <- suppressWarnings(predict(fit, new, type = "pred_int"))
  expect_identical(is.na(bounds$.pred_lower), c(TRUE, FALSE, TRUE))
  fit <- parsnip::fit_xy(spec_of("classification", num_landmarks = 3), few[1:2], few$Species)
  new <- iris[c(1, 51), 1:2]
  new[2, 1] <- NA
  expect_identical(is.na(predict(fit, new)$.pred_class), c(FALSE, TRUE))
  expect_identical(is.na(predict(fit, new, type = "prob")$.pred_setosa), c(FALSE, TRUE))
})

test_that("arguments of landmarks() pass, and others are refused", {
  gap <- replace(mtcars$wt, 3, NA)
  spec <- parsnip::set_engine(landmark_net("regression"), "landmarker",
    iterations = 5, threads = 1, na.action = na.omit, space = "nonnegative"
  )
  fit <- parsnip::fit_xy(spec, data.frame(gap, hp = mtcars$hp), mtcars$mpg)
  # A landmark for every four rows.
  expect_length(fit$fit, 8)
  expect_identical(fit$fit$space, "nonnegative")
  expect_identical(as.vector(unclass(fit$fit$na.action)), 3L)
  wrong <- function() fit_landmark_net(mtcars["wt"], mtcars$mpg, n = 3, itrations = 5)
  expect_error(wrong(), "itrations", class = "landmarker_error_dots")
})

test_that("a regression of 0 and 1 is one, of one outcome or two", {
  for (family in list(NULL, "poisson")) {
    fit <- fit_landmark_net(mtcars[c("wt", "hp")], mtcars$am, n = 3, iterations = 5, family = family)
    expect_identical(c(fit$response$type, fit$response$family), c("number", family %||% "gaussian"))
  }
  expect_no_message(fit_landmark_net(mtcars["wt"], mtcars$gear, n = 3, iterations = 5))
  spec <- spec_of("regression", num_landmarks = 3)
  two <- parsnip::fit_xy(spec, mtcars[c("wt", "hp")], mtcars[c("mpg", "am")])
  expect_named(predict(two, mtcars), c(".pred_mpg", ".pred_am"))
  bounds <- predict(two, mtcars[1:3, ], type = "pred_int", level = 0.8)
  by_hand <- predict(two$fit, mtcars[1:3, c("wt", "hp")], interval = "prediction", level = 0.8)
  expect_named(bounds, c(".pred_lower_mpg", ".pred_upper_mpg", ".pred_lower_am", ".pred_upper_am"))
  expect_equal(unname(as.matrix(bounds)), unname(by_hand[, c(2, 3, 5, 6)]))
})

test_that("more landmarks than training rows are as many as rows, with a warning", {
  spec <- spec_of("regression", num_landmarks = 100, iterations = 5)
  warnings <- capture_warnings(fit <- parsnip::fit(spec, mpg ~ wt + hp + qsec, mtcars))
  text <- "`num_landmarks` .100. exceeds the number of training rows: 32 landmarks"
  expect_match(warnings, text, all = FALSE)
  expect_lte(length(fit$fit), 32)
})
