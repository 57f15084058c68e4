skip_if_not_installed("parsnip")

spec_of <- function(mode, ..., iterations = 40) {
  parsnip::set_engine(landmark_net(mode, ...), "landmarker", iterations = iterations)
}

test_that("a regression is that of landmarks() with by_response()", {
  set.seed(1)
  spec <- spec_of("regression", num_landmarks = 5, penalty = 0.1)
  fit <- parsnip::fit(spec, mpg ~ wt + hp + qsec, mtcars)
  set.seed(1)
  method <- by_response(mtcars$mpg, iterations = 40, penalty = 0.1)
  plain <- landmarks(mtcars[c("wt", "hp", "qsec")], 5, method, scale = TRUE)
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

test_that("classes have a class and probabilities", {
  d <- iris
  d$wide <- factor(ifelse(d$Sepal.Width > 3, "yes", "no"))
  set.seed(1)
  fit <- parsnip::fit(spec_of("classification", num_landmarks = 4), Species ~ ., d)
  p <- predict(fit, d[c(1, 60, 120), ], type = "prob")
  expect_named(p, paste0(".pred_", levels(iris$Species)))
  expect_equal(rowSums(p), rep(1, 3), ignore_attr = TRUE)
  expect_identical(levels(predict(fit, d)$.pred_class), levels(iris$Species))
  expect_gt(mean(predict(fit, d)$.pred_class == d$Species), 0.9)
  set.seed(1)
  two <- parsnip::fit(spec_of("classification", num_landmarks = 4), wide ~ Sepal.Length + Species, d)
  expect_named(predict(two, d[1:2, ], type = "prob"), c(".pred_no", ".pred_yes"))
})

test_that("the number of landmarks, the bandwidth and weights have their usual meaning", {
  set.seed(1)
  fit <- parsnip::fit(spec_of("regression"), mpg ~ wt + hp, mtcars)
  expect_length(fit$fit, 8)
  set.seed(1)
  fixed <- parsnip::fit(spec_of("regression", num_landmarks = 3, bandwidth = 2), mpg ~ wt + hp, mtcars)
  expect_identical(fixed$fit$bandwidth, 2)
})

test_that("a specification can be updated and tuned", {
  spec <- update(landmark_net("regression", num_landmarks = 5), num_landmarks = 9)
  expect_identical(rlang::eval_tidy(spec$args$num_landmarks), 9)
  expect_s3_class(spec, c("landmark_net", "model_spec"), exact = TRUE)
  skip_if_not_installed("generics")
  tuned <- generics::tunable(landmark_net("regression"))
  expect_setequal(tuned$name, c("num_landmarks", "bandwidth", "penalty"))
})
