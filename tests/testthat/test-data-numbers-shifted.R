# Data that are shifted, in other units, or nearly collinear: results stay finite, and are those of the plain
# data after the same change.

skip_slow_file()

set.seed(1)
x <- sim_swiss_roll(200)
attributes(x) <- list(dim = dim(x))
points <- x[seq(1, 200, length.out = 12), ]

# Everything that a fit gives, in units in which the change of the data does not show. `to`: the change.
results_of <- function(to, size) {
  set.seed(2)
  data <- to(x)
  fit <- suppressWarnings(as_landmarks(to(points), data))
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

test_that("in other units the results are the same to 1e-8, and after a shift by 1e6 to 1e-6", {
  for (size in c(1e-8, 1e100)) expect_same(results_of(function(v) v * size, size), 1e-8)
  # A shifted number has 1e-16 * 1e6 of rounding already, and a squared distance of 100 has ten times that.
  expect_same(results_of(function(v) v + 1e6, 1), 1e-6)
})

test_that("nearly collinear landmarks give finite results", {
  for (apart in c(1e-3, 1e-7, 1e-12)) {
    fit <- suppressWarnings(as_landmarks(rbind(points, points[1:4, ] + apart), x))
    left <- predict(fit, x, "variance", x = x)
    expect_true(all(is.finite(left)) && all(left >= 0))
    expect_true(all(is.finite(coef(suppressWarnings(refine_landmarks(fit, x, 2))))))
  }
  line <- outer(seq(0, 1, length.out = 200), c(1, 2, 3)) + 1e-7 * x
  for (method in c("gp", "active", "dpp", "kmeans")) {
    fit <- suppressWarnings(landmarks(line, 8, method))
    expect_true(all(is.finite(coef(fit))))
    expect_true(all(is.finite(suppressWarnings(predict(embed_landmarks(fit), line)))))
  }
})
