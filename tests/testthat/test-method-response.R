# Landmarks that predict a response, by each family.

skip_slow_file()

set.seed(15)
spiral <- two_arms()
quick <- function(..., iterations = 200) by_response(..., iterations = iterations)

test_that("landmarks that know the response predict it better than those that do not", {
  set.seed(1)
  methods <- list(gp = by_gp(), kmeans = by_kmeans(), response = by_response(iterations = 1000))
  cv <- cv_landmarks(spiral$x, spiral$y, 8, methods, test = seq(1, 400, 4), folds = 2, seeds = 1)
  response <- cv$summary$method == "response"
  expect_gt(cv$summary$test_accuracy[response], max(cv$summary$test_accuracy[!response]) + 0.05)
})

test_that("landmarks stay in their space", {
  x <- hellinger(matrix(stats::rpois(300 * 12, 2), 300))
  set.seed(7)
  fit <- landmarks(x, 6, quick(factor(max.col(x[, 1:3]))), space = "nonnegative_sphere")
  expect_equal(rowSums(coef(fit)^2), rep(1, 6), tolerance = 1e-10, ignore_attr = TRUE)
  expect_true(all(coef(fit) >= 0))
  fit <- landmarks(spiral$x, 5, quick(spiral$y), space = function(t) c(0, t[-1]))
  expect_equal(unname(coef(fit)[, 1]), numeric(5))
})

test_that("landmarks are added to those that are held, and any fit can be moved toward a response", {
  set.seed(10)
  fit <- quiet(landmarks(spiral$x, 6))
  more <- quiet(add_landmarks(fit, spiral$x, 4, quick(spiral$y)))
  expect_identical(coef(more)[1:6, ], coef(fit)[1:6, ])
  expect_equal(more$bandwidth, fit$bandwidth)
  expect_equal(nrow(more$response$coefficients), 11)
  moved <- refine_landmarks(fit, spiral$x, 200, y = spiral$y)
  expect_equal(dim(coef(moved)), c(6, 2))
  expect_equal(moved$bandwidth, fit$bandwidth)
  expect_gt(mean(predict(moved, spiral$x, "class") == spiral$y), 0.8)
  # The landmarks of a fit with a response have seen that of all rows.
  expect_gt(more$response$held_out$rows, 0)
  expect_null(add_landmarks(more, spiral$x, 2, quick(spiral$y))$response$held_out)
  expect_null(refine_landmarks(more, spiral$x, 50, y = spiral$y)$response$held_out)
  # Without the response the regression no longer fits.
  expect_null(suppressWarnings(refine_landmarks(moved, spiral$x, 2))$response)
  expect_null(suppressWarnings(add_landmarks(moved, spiral$x, 2, "random"))$response)
})

test_that("a line is predicted far from all rows", {
  set.seed(2)
  x <- matrix(runif(400, -1, 1), 200)
  y <- as.vector(3 + x %*% c(2, -1) + rnorm(200) / 100)
  far <- rbind(c(5, 5), c(-8, 3))
  fit <- landmarks(x, 5, quick(y, trend = TRUE))
  expect_warning(p <- predict(fit, far), class = "landmarker_warning_far")
  expect_equal(p, as.vector(3 + far %*% c(2, -1)), tolerance = 0.1)
  expect_identical(tidy(fit, "coefficients")$term[7:8], c("V1", "V2"))
  none <- landmarks(x, 5, quick(y, trend = FALSE))
  expect_equal(suppressWarnings(predict(none, 10 * far)), rep(none$response$coefficients[1], 2))
})

test_that("counts have a mean of their own, and outliers count little with a robust loss", {
  set.seed(3)
  x <- matrix(runif(300, -3, 3))
  mean <- exp(1 + sin(x[, 1]))
  fit <- landmarks(x, 8, quick(stats::rpois(300, 50 * mean), "poisson", iterations = 300))
  expect_equal(predict(fit, x) / (50 * mean), rep(1, 300), tolerance = 0.05)
  expect_output(print(fit), "Poisson regression of counts")
  y <- replace(sin(x[, 1]) + rnorm(300) / 10, 1:20, 50)
  off <- vapply(c("huber", "gaussian"), function(family) {
    # Squares of these outliers are hardly predicted better than by the mean, with a warning.
    method <- quick(y, family, iterations = 300)
    fit <- suppressWarnings(landmarks(x, 8, method), classes = "landmarker_warning")
    mean(abs(predict(fit, x) - sin(x[, 1])))
  }, 0)
  expect_lt(off[["huber"]], 0.15)
  expect_gt(off[["gaussian"]], 1)
})

test_that("several numbers are predicted at once, under names of their own", {
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
  d <- data.frame(x = 1:30 / 30, a = sin(1:30), b = 2:31)
  named <- function(y) {
    learn <- quick(y, iterations = 10)
    colnames(predict(suppressMessages(suppressWarnings(landmarks(d["x"], 3, learn))), d))
  }
  expect_identical(named(cbind(a = d$a, log(d$b), log(d$b + 1))), c("a", "y2", "y3"))
  expect_identical(named(cbind(a = d$a > 0.5, a = d$b > 9)), c("a", "a.1"))
})

test_that("a bandwidth is learned where none is given, and kept where one is", {
  set.seed(8)
  fit <- landmarks(spiral$x, 8, quick(spiral$y, iterations = 20))
  expect_match(fit$bandwidth_rule, "learned")
  expect_false(fit$bandwidth == sum(apply(spiral$x, 2, stats::var)))
  for (given in list(0.7, "variance")) {
    fit <- landmarks(spiral$x, 8, quick(spiral$y, iterations = 20), bandwidth = given)
    expect_false(identical(fit$bandwidth_rule, "learned with the response"))
  }
  methods <- list(r = quick(iterations = 20))
  cv <- cv_landmarks(spiral$x, spiral$y, 8, methods, bandwidth = c(0.7, 1), folds = 2, seeds = 1)
  expect_true(cv$fit$bandwidth %in% c(0.7, 1))
})

test_that("sparse data give the landmarks of dense data", {
  counts <- matrix(stats::rpois(200 * 30, 0.3), 200)
  y <- rowSums(counts[, 1:3]) - rowSums(counts[, 4:6])
  fits <- lapply(list(counts, methods::as(counts, "CsparseMatrix")), function(x) {
    set.seed(6)
    # Sparse data have neither relevances nor a trend.
    landmarks(x, 6, quick(y, start = by_random(), relevance = FALSE, trend = FALSE), space = "nonnegative")
  })
  expect_equal(fits[[2]]$landmarks, fits[[1]]$landmarks, tolerance = 1e-6)
  expect_true(all(coef(fits[[1]]) >= 0))
})

test_that("chunks give the landmarks, relevances, trend and predictions of the data in memory", {
  x <- as.matrix(quakes[c("lat", "long", "mag")])
  fits <- lapply(list(x, in_chunks(x)), function(x) {
    set.seed(5)
    landmarks(x, 6, quick(quakes$depth, relevance = TRUE, trend = TRUE))
  })
  for (part in list("landmarks", "relevance", c("response", "trend"), c("response", "interval"))) {
    expect_equal(fits[[2]][[part]], fits[[1]][[part]], tolerance = 1e-5)
  }
  for (given in list(list("response"), list("variance"), list("response", interval = "prediction"))) {
    found <- lapply(list(x, in_chunks(x)), function(x) do.call(predict, c(list(fits[[1]], x), given)))
    expect_equal(found[[2]], found[[1]], ignore_attr = TRUE)
  }
})

test_that("rows of weight 0 are no rows, whatever their response", {
  y <- 50 + 10 * spiral$x[, 1]
  cases <- list(
    binomial = list(spiral$y, rev(spiral$y)), gaussian = list(y, y + 1e200), huber = list(y, y + 1e200)
  )
  v <- rep(c(0, 1, 2, 1), 100)
  for (family in names(cases)) {
    fits <- lapply(cases[[family]], function(other) {
      y <- cases[[family]][[1]]
      y[v == 0] <- other[v == 0]
      set.seed(9)
      landmarks(spiral$x, 4, quick(y, family, iterations = 40), weights = v)
    })
    expect_equal(fits[[2]]$landmarks, fits[[1]]$landmarks)
    expect_equal(predict(fits[[2]], spiral$x), predict(fits[[1]], spiral$x), info = family)
  }
  # The same rows are held out as without them, and as in chunks, whose sample has no rows of weight 0.
  d <- data.frame(spiral$x, y = spiral$y, w = v)
  fits <- lapply(list(d, d[v > 0, ], in_chunks(d, 4)), function(d) {
    set.seed(9)
    landmarks(y ~ X1 + X2, d, 6, quick(start = "random", iterations = 40), weights = w)
  })
  held_out <- lapply(fits, function(fit) fit$response$held_out$index)
  expect_equal(fits[[1]]$landmarks, fits[[2]]$landmarks)
  expect_identical(held_out[[1]], which(v > 0)[held_out[[2]]])
  expect_equal(fits[[1]]$landmarks, fits[[3]]$landmarks)
  expect_identical(held_out[[1]], held_out[[3]])
})
