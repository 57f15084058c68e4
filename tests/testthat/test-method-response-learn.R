# How landmarks are learned by a response: its steps, bandwidth and held-out rows, on data of every kind.

skip_slow_file()

set.seed(15)
spiral <- two_arms()
quick <- function(...) by_response(..., iterations = 200)

# One step of Adam on all rows, straight from the equations in ?by_response: softmax, no penalty.
plain_step <- function(x, y, landmarks, eta, weights, rate, pull) {
  n <- nrow(landmarks)
  squared <- outer(rowSums(x^2), rowSums(landmarks^2), "+") - 2 * tcrossprod(x, landmarks)
  phi <- exp(-squared / eta)
  scores <- cbind(phi, 1) %*% weights
  p <- exp(scores) / rowSums(exp(scores))
  r <- (p - y) / nrow(x)
  h <- tcrossprod(r, weights[seq_len(n), ]) * phi
  slope <- 2 / eta * (crossprod(h, x) - colSums(h) * landmarks)
  factor <- chol((crossprod(phi) + diag(n)) / nrow(x))
  by_v <- rbind(solve(t(factor), crossprod(phi, r)), colSums(r))
  v <- rbind(factor %*% weights[seq_len(n), ], weights[n + 1, ]) - pull * rate * sign(by_v)
  list(
    # The first step of Adam: each landmark goes as far as the rate says.
    landmarks = landmarks - rate * sqrt(eta) * slope / sqrt(rowSums(slope^2)),
    weights = rbind(solve(factor, v[seq_len(n), ]), v[n + 1, ]),
    bandwidth = eta * exp(-pull * rate * sign(sum(h * squared)))
  )
}

test_that("a step is that of the equations", {
  x <- as.matrix(iris[1:4])
  y <- outer(as.integer(iris$Species), 1:3, "==") + 0
  landmarks <- x[c(3, 60, 80, 120, 140), ]
  weights <- matrix(stats::rnorm(18), 6)
  want <- plain_step(x, y, landmarks, 3, weights, 0.05, 0.3)
  none <- matrix(0, 6, 3)
  state <- list(
    weights = weights, first = matrix(0, 4, 5), second = matrix(0, 1, 5), weight_first = none,
    weight_second = none, moment = c(0, 0), steps = 0, factor = matrix(0, 5, 5), made = c(0, 0)
  )
  settings <- list(
    rows = sample.int(150), batch = 150L, passes = 1L, loss = "softmax", rates = 0.05, pull = 0.3,
    penalty = 0, moves_bandwidth = TRUE, held = 0L, narrowest = 0.1, widest = 100, relevance = 0, width = 1
  )
  kernel <- list(bandwidth = 3, space = "euclidean")
  got <- .Call(C_respond, as_source(x), landmarks, y, kernel, state, c(settings, compute_with()))
  expect_equal(got$landmarks, want$landmarks, tolerance = 1e-7, ignore_attr = TRUE)
  expect_equal(got$weights, want$weights, tolerance = 1e-5)
  expect_equal(got$bandwidth, want$bandwidth)
})

test_that("a held-out share is honest: with permuted labels accuracy is chance", {
  x <- digits$images[1:600, if (full_run()) 1:784 else seq(1, 784, 4)] / 255
  y <- digits$labels[1:600]
  set.seed(3)
  expect_warning(
    fit <- landmarks(x, 20, quick(sample(y)), space = "nonnegative"), class = "landmarker_warning_response"
  )
  expect_lt(fit$response$held_out$measure, 0.2)
  set.seed(3)
  fit <- landmarks(x, 20, quick(y), space = "nonnegative")
  expect_gt(fit$response$held_out$measure, 0.75)
})

test_that("the same seed gives the same bits, with one thread or two", {
  fits <- lapply(1:2, function(threads) {
    old <- options(landmarker.threads = threads)
    on.exit(options(old))
    set.seed(4)
    landmarks(spiral$x, 6, quick(spiral$y))
  })
  expect_identical(fits[[1]]$landmarks, fits[[2]]$landmarks)
  expect_identical(fits[[1]]$response, fits[[2]]$response)
})

test_that("data in chunks give the same landmarks", {
  fits <- lapply(c(0, 1, 3), function(count) {
    x <- if (count) in_chunks(spiral$x, count) else spiral$x
    set.seed(5)
    landmarks(x, 6, quick(spiral$y))
  })
  for (other in fits[-1]) {
    expect_equal(other$landmarks, fits[[1]]$landmarks, tolerance = 1e-8)
    expect_equal(other$response$coefficients, fits[[1]]$response$coefficients, tolerance = 1e-6)
  }
})

test_that("sparse data give the landmarks of dense data", {
  counts <- matrix(stats::rpois(200 * 30, 0.3), 200)
  y <- rowSums(counts[, 1:3]) - rowSums(counts[, 4:6])
  fits <- lapply(list(counts, methods::as(counts, "CsparseMatrix")), function(x) {
    set.seed(6)
    start <- by_random()
    # Sparse data have neither relevances nor a trend.
    landmarks(x, 6, quick(y, start = start, relevance = FALSE, trend = FALSE), space = "nonnegative")
  })
  expect_equal(fits[[2]]$landmarks, fits[[1]]$landmarks, tolerance = 1e-6)
  expect_true(all(coef(fits[[1]]) >= 0))
})

test_that("a bandwidth is learned where none is given, and kept where one is", {
  set.seed(8)
  fit <- landmarks(spiral$x, 8, quick(spiral$y))
  expect_match(fit$bandwidth_rule, "learned")
  expect_false(fit$bandwidth == sum(apply(spiral$x, 2, stats::var)))
  for (given in list(0.7, "variance", "2 * variance")) {
    fit <- landmarks(spiral$x, 8, quick(spiral$y), bandwidth = given)
    expect_false(identical(fit$bandwidth_rule, "learned with the response"))
  }
  cv <- cv_landmarks(
    spiral$x, spiral$y, 8, methods = list(r = quick()), bandwidth = c(0.7, 1), folds = 2, seeds = 1
  )
  expect_true(cv$fit$bandwidth %in% c(0.7, 1))
})

test_that("rows of weight 0 are no rows", {
  v <- rep(c(0, 1, 2, 1), 100)
  set.seed(9)
  a <- landmarks(spiral$x, 6, quick(spiral$y), weights = v)
  strange <- spiral
  strange$y[v == 0] <- sample(strange$y[v == 0])
  set.seed(9)
  b <- landmarks(strange$x, 6, quick(strange$y), weights = v)
  expect_equal(a$landmarks, b$landmarks)
  # The same rows are held out as without them, with landmarks that start at the same rows.
  set.seed(9)
  bare <- landmarks(spiral$x[v > 0, ], 6, quick(spiral$y[v > 0]), weights = v[v > 0])
  expect_equal(a$landmarks, bare$landmarks)
  expect_identical(a$response$held_out$index, which(v > 0)[bare$response$held_out$index])
  # So are those of chunks, whose sample has no rows of weight 0.
  d <- data.frame(spiral$x, y = spiral$y, w = rep(c(0, 1, 1, 1), 100))
  fits <- lapply(list(d, in_chunks(d, 4)), function(d) {
    set.seed(9)
    landmarks(y ~ X1 + X2, d, 6, quick(start = "random"), weights = w)
  })
  expect_equal(fits[[1]]$landmarks, fits[[2]]$landmarks)
  expect_identical(fits[[1]]$response$held_out$index, fits[[2]]$response$held_out$index)
})

test_that("the first landmarks are those that predict best", {
  set.seed(11)
  fit <- landmarks(spiral$x, 10, quick(spiral$y))
  f <- predict(fit, spiral$x, "features")
  y <- as.numeric(spiral$y)
  left <- vapply(1:10, function(m) sum(stats::lm.fit(cbind(1, f[, 1:m]), y)$residuals^2), 0)
  set.seed(12)
  others <- replicate(20, {
    order <- sample(10)
    sum(stats::lm.fit(cbind(1, f[, order[1:4]]), y)$residuals^2)
  })
  expect_lt(left[4], stats::median(others))
})
