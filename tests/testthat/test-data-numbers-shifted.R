# Data that are shifted, in other units, repeated, or nearly collinear: results stay finite, coordinates stay
# orthonormal, and the results are those of the plain data after the same change.

skip_slow_file()

set.seed(1)
x <- sim_swiss_roll(200)
attributes(x) <- list(dim = dim(x))
n <- 12
points <- x[seq(1, 200, length.out = n), ]

# Everything that a fit gives, in units in which the change of the data does not show. `to`: the change.
results_of <- function(to, size, bandwidth = "variance", joint = TRUE) {
  set.seed(2)
  data <- to(x)
  fit <- suppressWarnings(as_landmarks(to(points), data, bandwidth = bandwidth))
  graph <- landmark_graph(fit, neighbors = 5)
  embedding <- suppressWarnings(embed_landmarks(graph, 2))
  new <- to(x[1:40, ] + 0.1)
  added <- suppressWarnings(add_landmarks(fit, data, 3, "active"))
  list(
    features = unname(features(fit, new)), nearest = predict(fit, new, "nearest")$landmark,
    distance = predict(fit, new, "nearest")$distance / size,
    variance = predict(fit, new, "variance", x = data), explained = fit$explained,
    log_det = fit$log_det, bandwidth = fit$bandwidth / size^2,
    added = added$variance, refined = suppressWarnings(refine_landmarks(fit, data, 3))$log_det,
    error = reconstruction_error(fit, data), weights = as.matrix(graph$weights),
    coordinates = abs(coef(embedding)), extended = abs(predict(embedding, new))
  )
}

plain <- results_of(identity, 1)

expect_same <- function(found, tolerance) {
  for (name in names(plain)) {
    expect_true(all(is.finite(found[[name]])), info = name)
    expect_equal(found[[name]], plain[[name]], tolerance = tolerance, ignore_attr = TRUE, info = name)
  }
}

test_that("in other units the results are the same, to 1e-8", {
  for (size in c(1e-8, 1e100)) expect_same(results_of(function(v) v * size, size), 1e-8)
})

test_that("after a shift by 1e6 they are, to 1e-6", {
  # A shifted number has 1e-16 * 1e6 of rounding already, and a squared distance of 100 has ten times that.
  expect_same(results_of(function(v) v + 1e6, 1), 1e-6)
})

test_that("each row twice changes nothing but sums over rows", {
  twice <- x[rep(1:200, 2), ]
  fit <- as_landmarks(points, x, bandwidth = 50)
  other <- as_landmarks(points, twice, bandwidth = 50)
  expect_equal(other$variance, fit$variance, tolerance = 1e-10)
  expect_equal(other$explained, fit$explained, tolerance = 1e-10)
  expect_equal(other$log_det, fit$log_det + n * log(2), tolerance = 1e-10)
  expect_equal(reconstruction_error(other, twice), 2 * reconstruction_error(fit, x), tolerance = 1e-8)
})

test_that("coordinates are orthonormal to 1e-10, whatever the data's unit and place", {
  for (to in list(identity, function(v) v + 1e6, function(v) v * 1e-8)) {
    fit <- as_landmarks(to(points), to(x))
    for (edge_weights in c("heat", "binary")) {
      graph <- landmark_graph(fit, neighbors = 5, edge_weights = edge_weights)
      y <- suppressWarnings(coef(embed_landmarks(graph, 3, independent = FALSE, alpha = 0)))
      degree <- 1 + Matrix::rowSums(graph$weights)
      # Laplacian eigenmaps: y'Dy is a multiple of the identity, and D1 is orthogonal to y.
      gram <- crossprod(sqrt(degree / sum(degree)) * y)
      expect_lt(max(abs(gram - diag(3))), 1e-10)
      expect_lt(max(abs(crossprod(degree, y))) / sum(degree * abs(y)), 1e-10)
    }
  }
})

test_that("nearly collinear landmarks give finite results", {
  for (apart in c(1e-3, 1e-7, 1e-12)) {
    near <- rbind(points, points[1:4, ] + apart)
    fit <- suppressWarnings(as_landmarks(near, x))
    expect_true(all(is.finite(fit$variance)) && all(fit$variance >= 0))
    expect_true(all(diff(fit$explained) >= -1e-12) && max(fit$explained) <= 1 + 1e-10)
    left <- predict(fit, x, "variance", x = x)
    expect_true(all(is.finite(left)) && all(left >= 0))
    error <- reconstruction_error(fit, x)
    # Points that repeat others can only explain more.
    expect_lte(error, reconstruction_error(as_landmarks(points, x), x) * (1 + 1e-8))
    expect_gte(error, 0)
    expect_true(all(is.finite(coef(suppressWarnings(refine_landmarks(fit, x, 2))))))
  }
  line <- outer(seq(0, 1, length.out = 200), c(1, 2, 3)) + 1e-7 * x
  for (method in c("gp", "active", "dpp", "kmeans")) {
    fit <- suppressWarnings(landmarks(line, 8, method))
    expect_true(all(is.finite(coef(fit))))
    expect_true(all(is.finite(suppressWarnings(predict(embed_landmarks(fit), line)))))
  }
})

test_that("bandwidths from 1e-6 to 1e6 times the variance give finite results", {
  variance <- sum(apply(x, 2, stats::var))
  for (times in 10^if (full_run()) -6:6 else c(-6, -2, 2, 6)) {
    for (method in list("gp", by_gp(criterion = "volume"), "active", "dpp")) {
      set.seed(4)
      fit <- suppressWarnings(landmarks(x, 8, method, bandwidth = times * variance))
      expect_true(all(is.finite(fit$variance)) && max(fit$explained) <= 1 + 1e-10, info = times)
      expect_equal(features(fit, x), naive_features(x, coef(fit), times * variance), tolerance = 1e-8,
        ignore_attr = TRUE
      )
      expect_true(all(predict(fit, x, "variance", x = x) >= 0), info = times)
      error <- reconstruction_error(fit, x)
      expect_true(error >= 0 && error <= 200, info = times)
    }
  }
})
