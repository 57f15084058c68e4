# Landmarks that predict a response, and landmarks within classes.

skip_slow_file()

set.seed(15)
spiral <- local({
  turn <- stats::runif(400, 1, 3) * pi
  arm <- rep(0:1, 200)
  x <- cbind(turn * cos(turn + pi * arm), turn * sin(turn + pi * arm)) / 3
  list(x = x + stats::rnorm(800, sd = 0.05), y = factor(c("in", "out")[arm + 1]))
})
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
    weight_second = none, moment = c(0, 0), steps = 0
  )
  settings <- list(
    rows = sample.int(150), batch = 150L, passes = 1L, loss = "softmax", rates = 0.05, pull = 0.3,
    penalty = 0, moves_bandwidth = TRUE, held = 0L, narrowest = 0.1, widest = 100
  )
  kernel <- list(bandwidth = 3, space = "euclidean")
  got <- .Call(C_respond, as_source(x), landmarks, y, kernel, state, c(settings, compute_with()))
  expect_equal(got$landmarks, want$landmarks, tolerance = 1e-7, ignore_attr = TRUE)
  expect_equal(got$weights, want$weights, tolerance = 1e-5)
  expect_equal(got$bandwidth, want$bandwidth)
})

test_that("landmarks that know the response predict it better than those that do not", {
  test <- seq(1, 400, 4)
  set.seed(1)
  fit <- landmarks(spiral$x[-test, ], 8, by_response(spiral$y[-test]))
  right <- mean(predict(fit, spiral$x[test, ], "class") == spiral$y[test])
  cv <- cv_landmarks(spiral$x, spiral$y, 8,
    methods = list(gp = by_gp(), kmeans = by_kmeans(), response = by_response()), test = test, folds = 3,
    seeds = 1
  )
  others <- cv$summary$test_accuracy[cv$summary$method != "response"]
  expect_gt(right, max(others) + 0.05)
  expect_gt(cv$summary$test_accuracy[cv$summary$method == "response"], max(others) + 0.05)
})

test_that("a fit keeps its regression, in the units of the response", {
  set.seed(1)
  fit <- landmarks(quakes[c("lat", "long")], 10, quick(quakes$depth), scale = TRUE)
  w <- fit$response$coefficients
  expect_equal(dim(w), c(11, 1))
  p <- predict(fit, quakes, "response")
  expect_equal(as.vector(cbind(1, predict(fit, quakes)) %*% w), as.vector(p))
  expect_gt(stats::cor(p, quakes$depth), 0.9)
  # That of held-out rows is larger than that of the rows learned from.
  expect_equal(fit$response$held_out$measure, mean((p - quakes$depth)^2), tolerance = 0.5)
  moved <- landmarks(quakes[c("lat", "long")], 10, quick(1000 + 1e6 * quakes$depth), scale = TRUE)
  expect_gt(stats::cor(predict(moved, quakes, "response"), quakes$depth), 0.9)

  set.seed(1)
  fit <- landmarks(iris[1:4], 4, quick(iris$Species))
  p <- predict(fit, iris, "response")
  expect_equal(rowSums(p), rep(1, 150), ignore_attr = TRUE)
  expect_equal(colnames(p), levels(iris$Species))
  expect_equal(as.character(predict(fit, iris, "class")), colnames(p)[max.col(p)])
  scores <- cbind(1, predict(fit, iris)) %*% fit$response$coefficients
  expect_equal(p, exp(scores) / rowSums(exp(scores)), ignore_attr = TRUE)

  set.seed(1)
  fit <- landmarks(spiral$x, 8, quick(spiral$y))
  p <- predict(fit, spiral$x, "response")
  expect_equal(as.character(predict(fit, spiral$x, "class")), ifelse(p > 0.5, "out", "in"))
  # Squares on 0 and 1, and two columns of a softmax, predict about the same.
  for (family in c("gaussian", "multinomial")) {
    set.seed(1)
    other <- landmarks(spiral$x, 8, quick(spiral$y, family = family))
    expect_gt(mean(predict(other, spiral$x, "class") == spiral$y), 0.8)
  }
})

test_that("tags are predicted each by itself", {
  tags <- cbind(up = spiral$x[, 1] > 0, right = spiral$x[, 2] > 0, wide = rowSums(spiral$x^2) > 4) + 0
  set.seed(1)
  fit <- landmarks(spiral$x, 10, quick(tags))
  p <- predict(fit, spiral$x, "response")
  expect_equal(colnames(p), colnames(tags))
  for (tag in colnames(tags)) expect_gt(score_ranking(p[, tag], tags[, tag])[["auc"]], 0.9)
  expect_gt(fit$response$held_out$measure, 0.9)
})

test_that("the response may come from a formula", {
  set.seed(1)
  a <- landmarks(Species ~ ., data = iris, n = 4, method = quick())
  set.seed(1)
  b <- landmarks(iris[1:4], 4, quick(iris$Species))
  expect_identical(a$landmarks, b$landmarks)
  expect_identical(a$response, b$response)
  set.seed(1)
  fit <- landmarks(log(mag) ~ lat + long, data = quakes, n = 5, method = quick())
  expect_equal(colnames(coef(fit)), c("lat", "long"))
  expect_length(predict(fit, quakes[1:7, ], "response"), 7)
})

test_that("a held-out share is honest: with permuted labels accuracy is chance", {
  x <- digits$images[1:600, if (full_run()) 1:784 else seq(1, 784, 4)] / 255
  y <- digits$labels[1:600]
  set.seed(3)
  fit <- landmarks(x, 20, quick(sample(y)), space = "nonnegative")
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

test_that("data in parts give the same landmarks", {
  fits <- lapply(c(0, 1, 3), function(parts) {
    x <- if (parts) cut_data(spiral$x, parts) else spiral$x
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
    landmarks(x, 6, quick(y, start = start), space = "nonnegative")
  })
  expect_equal(fits[[2]]$landmarks, fits[[1]]$landmarks, tolerance = 1e-6)
  expect_true(all(coef(fits[[1]]) >= 0))
})

test_that("landmarks stay in their space", {
  x <- hellinger(matrix(stats::rpois(300 * 12, 2), 300))
  y <- factor(max.col(x[, 1:3]))
  set.seed(7)
  fit <- landmarks(x, 6, quick(y), space = "nonnegative_sphere")
  expect_equal(rowSums(coef(fit)^2), rep(1, 6), tolerance = 1e-10, ignore_attr = TRUE)
  expect_true(all(coef(fit) >= 0))
  first <- function(t) c(0, t[-1])
  set.seed(7)
  fit <- landmarks(spiral$x, 5, quick(spiral$y), space = first)
  expect_equal(unname(coef(fit)[, 1]), numeric(5))
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

test_that("the first landmarks are those that predict best", {
  set.seed(11)
  fit <- landmarks(spiral$x, 10, quick(spiral$y))
  f <- predict(fit, spiral$x)
  y <- as.numeric(spiral$y)
  left <- vapply(1:10, function(m) sum(stats::lm.fit(cbind(1, f[, 1:m]), y)$residuals^2), 0)
  set.seed(12)
  others <- replicate(20, {
    order <- sample(10)
    sum(stats::lm.fit(cbind(1, f[, order[1:4]]), y)$residuals^2)
  })
  expect_lt(left[4], stats::median(others))
})

test_that("a fit does not keep the response, and can be saved", {
  set.seed(13)
  fit <- landmarks(spiral$x, 5, quick(spiral$y))
  expect_null(fit$method$y)
  expect_lt(length(serialize(fit, NULL)), 50000)
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), spiral$x, "class"), predict(fit, spiral$x, "class"))
  fit$response$coefficients <- fit$response$coefficients[-1, , drop = FALSE]
  expect_error(predict(fit, spiral$x), class = "landmarker_error_fit")
})

test_that("cv_landmarks() gives each fold the response of its own rows", {
  x <- cbind(stats::rnorm(60), stats::rnorm(60))
  y <- stats::rnorm(60)
  seen <- list()
  by_spy <- function() new_method("by_spy", list(y = NULL), uses_response = TRUE)
  registerS3method("format", "by_spy", function(x, ...) "spy", asNamespace("landmarker"))
  registerS3method("select_landmarks", "by_spy", function(method, source, n, kernel, held, call) {
    seen[[length(seen) + 1]] <<- method$y$y[, 1]
    selection(rows_as_points(source, 1:n))
  }, asNamespace("landmarker"))
  folds <- rep(1:3, 20)
  cv_landmarks(x, y, 3, methods = list(spy = by_spy()), folds = folds, seeds = 1)
  expect_equal(seen[1:3], lapply(1:3, function(f) y[folds != f]))
  expect_equal(seen[[4]], y)
})

test_that("by_class() gives every class landmarks of its own", {
  rare <- c(which(iris$Species != "setosa"), which(iris$Species == "setosa")[1:5])
  x <- as.matrix(iris[rare, 1:4])
  y <- iris$Species[rare]
  for (sizes in c("rows", "left")) {
    set.seed(1)
    fit <- landmarks(x, 9, by_class("kmeans", y, sizes))
    expect_setequal(as.character(y[fit$nearest]), levels(y))
  }
  set.seed(1)
  fit <- landmarks(x, 12, by_class("random", y))
  expect_equal(as.vector(table(y[fit$rows])), c(1, 6, 5), tolerance = 0.2)
  # Within one class it is the method itself.
  set.seed(1)
  a <- landmarks(x[y == "virginica", ], 4, by_kmeans(), bandwidth = 1)
  set.seed(1)
  both <- landmarks(x[y != "setosa", ], 8, by_class("kmeans", droplevels(y[y != "setosa"])), bandwidth = 1)
  expect_equal(nrow(coef(both)), 8)
  expect_equal(share_by_weight(10, c(50, 40, 10), c(50, 40, 10)), c(5, 4, 1))
  expect_equal(share_by_weight(5, c(1000, 1, 1), c(1000, 1, 1)), c(3, 1, 1))
  expect_equal(share_by_weight(6, c(1000, 1, 1), c(3, 1, 5)), c(3, 1, 2))
})
