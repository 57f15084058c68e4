# Relevances, trends and families of by_response().

skip_slow_file()

quick <- function(...) by_response(..., iterations = 300)

test_that("columns of noise lose their relevance", {
  set.seed(1)
  x <- cbind(as.matrix(iris[1:4]), matrix(rnorm(150 * 60), 150))
  train <- sample(150, 105)
  fit <- landmarks(x[train, ], 20, quick(iris$Species[train], relevance = TRUE), scale = TRUE)
  expect_gt(min(fit$relevance[3:4]), 3 * stats::quantile(fit$relevance[-(1:4)], 0.9))
  expect_gt(mean(predict(fit, x[-train, ]) == iris$Species[-train]), 0.85)
  # They are part of the metric.
  expect_equal(fit$factor, fit$relevance / apply(x[train, ], 2, stats::sd), ignore_attr = TRUE)
  plain <- landmarks(x[train, ], 20, quick(iris$Species[train], relevance = FALSE), scale = TRUE)
  expect_null(plain$relevance)
  expect_equal(plain$factor, 1 / apply(x[train, ], 2, stats::sd), ignore_attr = TRUE)
})

test_that("a line is predicted far from all rows", {
  set.seed(2)
  x <- matrix(runif(400, -1, 1), 200)
  y <- 3 + x %*% c(2, -1) + rnorm(200) / 100
  fit <- landmarks(x, 5, quick(as.vector(y), trend = TRUE))
  far <- rbind(c(5, 5), c(-8, 3))
  expect_warning(p <- predict(fit, far), class = "landmarker_warning_far")
  expect_equal(p, as.vector(3 + far %*% c(2, -1)), tolerance = 0.1)
  slopes <- tidy(fit, "coefficients")
  expect_identical(slopes$term[7:8], c("V1", "V2"))
  none <- landmarks(x, 5, quick(as.vector(y), trend = FALSE))
  p <- suppressWarnings(predict(none, 10 * far))
  expect_equal(p, rep(none$response$coefficients[1], 2))
})

test_that("counts have a mean of their own, and outliers count little with a robust loss", {
  set.seed(3)
  x <- matrix(runif(300, -3, 3))
  mean <- exp(1 + sin(x[, 1]))
  fit <- landmarks(x, 8, quick(stats::rpois(300, 50 * mean), family = "poisson"))
  expect_equal(predict(fit, x) / (50 * mean), rep(1, 300), tolerance = 0.05)
  expect_output(print(fit), "Poisson regression of counts")
  y <- replace(sin(x[, 1]) + rnorm(300) / 10, 1:20, 50)
  # Squares of these outliers are hardly predicted better than by the mean, with a warning.
  fits <- lapply(c("huber", "gaussian"), function(family) {
    suppressWarnings(landmarks(x, 8, quick(y, family = family)), classes = "landmarker_warning")
  })
  off <- vapply(fits, function(fit) mean(abs(predict(fit, x) - sin(x[, 1]))), 0)
  expect_lt(off[1], 0.15)
  expect_gt(off[2], 1)
})

test_that("several numbers are predicted at once", {
  set.seed(4)
  fit <- landmarks(cbind(mpg, hp) ~ wt + disp + cyl, mtcars, 5, quick(), scale = TRUE)
  p <- predict(fit, mtcars)
  expect_identical(colnames(p), c("mpg", "hp"))
  expect_gt(min(diag(stats::cor(p, mtcars[c("mpg", "hp")]))), 0.8)
  expect_identical(
    colnames(predict(fit, mtcars, interval = "prediction", level = 0.8)),
    c("mpg.fit", "mpg.lwr", "mpg.upr", "hp.fit", "hp.lwr", "hp.upr")
  )
  expect_true(all(c(".pred_mpg", ".pred_hp") %in% names(augment(fit, mtcars))))
})

test_that("columns of a response have names of their own", {
  d <- data.frame(x = 1:30 / 30, a = sin(1:30), b = 2:31)
  fit <- suppressWarnings(landmarks(cbind(a, log(b), log(b + 1)) ~ x, d, 3, quick()))
  expect_identical(colnames(predict(fit, d)), c("a", "y2", "y3"))
  tags <- (cbind(a = d$a, a = d$b) > 0.5) + 0
  tags[1:9, 2] <- 0
  fit <- suppressWarnings(landmarks(d["x"], 3, quick(tags)))
  expect_identical(colnames(predict(fit, d)), c("a", "a.1"))
})

test_that("rows of weight 0 are no part of the response's unit", {
  set.seed(8)
  x <- matrix(rnorm(80), 40)
  y <- 50 + 10 * x[, 1]
  v <- rep(0:1, c(1, 39))
  for (family in c("gaussian", "huber")) {
    fits <- lapply(c(0, 1e200), function(strange) {
      set.seed(9)
      landmarks(x, 4, by_response(replace(y, 1, strange), family, iterations = 40), weights = v)
    })
    expect_equal(predict(fits[[2]], x), predict(fits[[1]], x))
  }
})

test_that("an outlier of any size leaves a fit whole", {
  set.seed(10)
  x <- matrix(rnorm(120), 40)
  for (size in c(1e10, 1e155, 1e300)) {
    y <- replace(x[, 1], 7, size)
    for (family in c("gaussian", "huber")) {
      fit <- suppressWarnings(landmarks(x, 3, by_response(y, family, iterations = 30)))
      expect_true(all(is.finite(predict(fit, x))))
    }
  }
})

test_that("chunks give relevances, trend and predictions of the data in memory", {
  x <- as.matrix(quakes[c("lat", "long", "mag")])
  fits <- lapply(c(0, 1, 3), function(count) {
    set.seed(5)
    landmarks(if (count) in_chunks(x, count) else x, 6, quick(quakes$depth, relevance = TRUE, trend = TRUE))
  })
  for (other in fits[-1]) {
    expect_equal(other$relevance, fits[[1]]$relevance, tolerance = 1e-6)
    expect_equal(other$response$trend, fits[[1]]$response$trend, tolerance = 1e-6)
    expect_equal(other$response$interval, fits[[1]]$response$interval, tolerance = 1e-5)
  }
  for (type in c("response", "variance")) {
    expect_equal(predict(fits[[1]], in_chunks(x), type), predict(fits[[1]], x, type), ignore_attr = TRUE)
  }
  expect_equal(
    predict(fits[[1]], in_chunks(x), interval = "prediction"),
    predict(fits[[1]], x, interval = "prediction"), ignore_attr = TRUE
  )
})

test_that("later steps keep the metric", {
  set.seed(6)
  fit <- landmarks(iris[1:4], 6, quick(iris$Species, relevance = TRUE))
  more <- suppressWarnings(add_landmarks(fit, iris[1:4], 2, "random"))
  expect_identical(more$relevance, fit$relevance)
  expect_equal(more$factor, fit$factor)
  expect_identical(suppressMessages(fit[1:3])$factor, fit$factor)
  moved <- refine_landmarks(fit, iris[1:4], 50, y = iris$Species)
  expect_equal(unname(moved$factor), unname(moved$relevance))
  expect_gt(mean(predict(moved, iris) == iris$Species), 0.9)
})

test_that("the variance of the kernel's own process is that of the equation", {
  set.seed(7)
  fit <- landmarks(iris[1:4], 6, quick(iris$Species))
  at <- function(v) sweep(as.matrix(v), 2, fit$factor, "*")
  k <- function(a, b) exp(-as.matrix(stats::dist(rbind(at(a), at(b))))^2 / fit$bandwidth)
  t <- fit$landmarks
  both <- k(iris[1:150, 1:4], t)
  across <- both[1:150, 151:156]
  want <- 1 - rowSums((across %*% solve(both[151:156, 151:156])) * across)
  expect_equal(predict(fit, iris[1:4], "variance"), pmax(want, 0), tolerance = 1e-4, ignore_attr = TRUE)
  expect_lt(max(predict(fit, t, "variance")), 1e-4)
  expect_equal(unname(predict(fit, iris[1, 1:4] + 1e4, "variance")), 1)
})
