# Fits with a response: tables, predictions, and their warnings.

skip_slow_file()

test_that("a fit with a response has coefficients, a held-out measure and predictions", {
  quick <- function(...) by_response(..., iterations = 20, held_out = 0.5)
  set.seed(2)
  classes <- landmarks(Species ~ ., data = iris, n = 4, method = quick(trend = TRUE))
  terms <- tidy(classes, "coefficients")
  expect_named(terms, c("y.level", "term", "estimate"))
  # The scores of a row, by hand: the slopes of a trend are by the columns as they are.
  columns <- c(1, predict(classes, iris[51, ], "features"), unlist(iris[51, 1:4]))
  scores <- columns %*% matrix(terms$estimate, ncol = 3)
  expect_equal(c(scores), c(scores_by_hand(classes, iris[51, 1:4])), tolerance = 1e-8)
  with <- augment(classes, iris)
  names <- paste0(".pred_", levels(iris$Species))
  expect_named(with, c(names(iris), ".landmark", ".distance", ".pred_class", names, ".novelty"))
  expect_identical(with$.novelty, unname(predict(classes, iris, "variance")))
  told <- unlist(with[51, names], use.names = FALSE)
  expect_equal(told, c(exp(scores) / sum(exp(scores))), tolerance = 1e-10)
  expect_identical(with$.pred_class, predict(classes, iris, "class"))
  one <- glance(classes)
  told <- classes$response$held_out
  expect_identical(as.list(one[c("measure", "value", "held_out", "steps")]), list(
    measure = "accuracy", value = told$measure, held_out = as.integer(told$rows),
    steps = classes$response$iterations
  ))

  long <- factor(iris$Petal.Length > 4, labels = c("short", "long"))
  two <- landmarks(iris[1:2], 4, quick(long))
  expect_named(tidy(two, "coefficients"), c("term", "estimate"))
  with <- augment(two, iris)
  expect_identical(with$.pred_long, unname(predict(two, iris, "response")))
  expect_identical(with$.pred_short, 1 - with$.pred_long)
  expect_identical(with$.pred_class, factor(ifelse(with$.pred_long > 0.5, "long", "short"), levels(long)))

  number <- landmarks(iris[1:2], 4, quick(iris$Petal.Length))
  expect_identical(augment(number, iris)$.pred, unname(predict(number, iris, "response")))
  expect_identical(glance(number)$measure, "RMSE")
  again <- glance(refine_landmarks(number, iris[1:2], 10, y = iris$Petal.Length))
  expect_identical(as.list(again[c("held_out", "value")]), list(held_out = 0L, value = NA_real_))
  tags <- cbind(wide = iris$Sepal.Width > 3, tall = iris$Petal.Length > 4)
  tagged <- landmarks(iris[3:4], 4, quick(tags))
  expect_named(augment(tagged, iris[3:4])[5:6], c(".pred_wide", ".pred_tall"))
  expect_identical(unique(tidy(tagged, "coefficients")$y.level), c("wide", "tall"))

  expect_refused(
    tidy(landmarks(iris[1:4], 3), "coefficients"), tidy(number, "edges"), tidy(number, matrix = "u"),
    glance(number, TRUE)
  )
})

test_that("the order of columns does not matter, with a trend either", {
  x <- as.matrix(quakes[c("lat", "long", "depth", "mag")])
  order <- c(4, 2, 1, 3)
  for (trend in c(FALSE, TRUE)) {
    fits <- lapply(list(1:4, order), function(columns) {
      withr::local_seed(1)
      method <- by_response(quakes$stations, iterations = 20, held_out = 0.5, trend = trend)
      landmarks(x[, columns], 8, method, scale = TRUE)
    })
    expect_equal(predict(fits[[1]], x), predict(fits[[2]], x[, order]), tolerance = 1e-7)
    expect_equal(fits[[1]]$response$held_out$measure, fits[[2]]$response$held_out$measure, tolerance = 1e-7)
    # None is learned where the default relevances predict best.
    learned <- lapply(fits, function(fit) fit$relevance %||% rep(1, 4))
    expect_equal(learned[[1]][order], learned[[2]], tolerance = 1e-6, ignore_attr = TRUE)
  }
})

test_that("weights count in medians and areas under ROC curves", {
  withr::local_seed(1)
  y <- round(stats::rnorm(31), 1)
  for (v in list(rep(1, 31), rep(1:3, length.out = 31), c(rep(0, 30), 2))) {
    expect_identical(weighted_median(y, v), stats::median(rep(y, v)))
  }
  expect_identical(weighted_median(c(1, 4), c(2, 2)), 2.5)
  x <- matrix(stats::rnorm(160), 80)
  w <- c(rep(1, 40), rep(50, 40))
  y <- c(stats::rnorm(40), stats::rnorm(40) + 10)
  method <- by_response(y, "huber", iterations = 20, held_out = 0.5)
  fit <- suppressWarnings(landmarks(x, 5, method, weights = w))
  report <- fit$response$held_out
  told <- stats::weighted.mean(abs(report$observed - stats::median(rep(y, w))), report$weights)
  expect_equal(report$baseline, told, tolerance = 0.2)
  # Rows of next to no weight do not change the area under the curve.
  x <- matrix(stats::rnorm(400), 200)
  tags <- rbind((x[1:100, ] > 0) + 0, matrix(stats::rbinom(200, 1, 0.5), 100))
  method <- by_response(tags, iterations = 50, held_out = 0.5)
  fit <- landmarks(x, 5, method, weights = rep(c(1, 1e-12), each = 100))
  expect_gt(fit$response$held_out$measure, 0.9)
})

test_that("sparse new data are predicted as dense ones, with a trend and intervals", {
  x <- as.matrix(quakes[1:2])
  method <- by_response(quakes$depth, iterations = 5, held_out = 0.5, trend = TRUE)
  fit <- landmarks(x, 5, method, scale = TRUE)
  thin <- methods::as(x[1:9, ], "CsparseMatrix")
  intervals <- function(x) predict(fit, x, interval = "prediction")
  expect_equal(intervals(thin), intervals(x[1:9, ]), tolerance = 1e-9, ignore_attr = TRUE)
  expect_equal(augment(fit, thin)$.pred, unname(predict(fit, x[1:9, ])), tolerance = 1e-9)
})

test_that("rare classes that are predicted well by their probabilities give no warning", {
  withr::local_seed(1)
  x <- matrix(stats::rnorm(1200), 400)
  y <- factor(stats::rbinom(400, 1, stats::plogis(-3 + 1.5 * x[, 1])))
  learn <- function(y) landmarks(x, 8, by_response(y, iterations = 100, relevance = FALSE))
  expect_no_warning(fit <- learn(y), class = "landmarker_warning_response")
  report <- fit$response$held_out
  expect_lt(report$loss, report$usual_loss)
  noise <- factor(stats::rbinom(400, 1, 0.5))
  expect_warning(learn(noise), "log loss", class = "landmarker_warning_response")
})

test_that("rows that are far, and too few held-out rows for a level, are told", {
  fit <- landmarks(dist ~ speed, cars[1:12, ], 3, by_response(iterations = 5), scale = TRUE)
  far <- data.frame(speed = 1e4 * 1:3)
  expect_warning(predict(fit, far), "3 of 3 rows of `newdata`", class = "landmarker_warning_far")
  expect_warning(augment(fit, far), "3 of 3 rows of `data`", class = "landmarker_warning_far")
  expect_warning(p <- predict(fit, cars[1:2, ], interval = "prediction"), "at least 19 held-out rows",
    class = "landmarker_warning_interval"
  )
  expect_true(all(is.infinite(p[, -1])))
  expect_no_warning(predict(fit, cars[1:2, ], interval = "prediction", level = 0.5))
  expect_warning(predict(fit, cars[1:2, ], interval = "prediction", level = 1), "use a `level` below 1")
  fit$response$of <- fit$response$iterations
  expect_identical(describe_convergence(fit), paste("all", fit$response$of))
})

test_that("counts that are all 0 are refused by their name", {
  x <- matrix(stats::rnorm(400), 200)
  expect_refused(
    landmarks(x, 3, by_response(c(rep(0, 199), 5), "poisson", iterations = 20), weights = c(rep(1, 199), 0)),
    landmarks(x, 3, by_response(addNA(factor(c("a", "b", NA, rep("a", 197))))))
  )
})
