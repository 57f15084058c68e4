# Planes of two columns, of principal components, and maps.

skip_slow_file()

fits <- picture_fits()

test_that("two columns are drawn as they are, one beside zero", {
  plane <- to_plane(fits[[2]]$fit, fits[[2]]$x)
  expect_identical(plane$data, fits[[2]]$x)
  expect_identical(plane$landmarks, fits[[2]]$fit$landmarks)
  line <- to_plane(fits[[1]]$fit, fits[[1]]$sparse)
  expect_equal(line$data, cbind(fits[[1]]$x, 0), ignore_attr = TRUE)
  expect_equal(line$landmarks, cbind(fits[[1]]$fit$landmarks, 0), ignore_attr = TRUE)
  expect_identical(to_plane(landmarks(as.matrix(iris[1:2]), 2), as.matrix(iris[1:2]))$names, names(iris)[1:2])
})

# The coordinates of prcomp(), each axis with the largest loading positive.
by_prcomp <- function(x, points, scale = FALSE) {
  p <- stats::prcomp(x, scale. = scale, rank. = 2)
  sign <- apply(p$rotation, 2, function(v) sign(v[which.max(abs(v))]))
  list(data = unname(p$x %*% diag(sign)), landmarks = unname(stats::predict(p, points) %*% diag(sign)))
}

test_that("more columns are drawn on the principal components of the data", {
  for (case in fits[3:5]) {
    expected <- by_prcomp(case$x, case$fit$landmarks)
    for (data in list(case$x, case$sparse)) {
      plane <- to_plane(case$fit, data)
      expect_equal(unname(plane$data), expected$data, tolerance = 1e-3)
      expect_equal(unname(plane$landmarks), expected$landmarks, tolerance = 1e-3)
    }
    same <- to_plane(case$fit, case$x)$data
    expect_equal(to_plane(case$fit, case$sparse)$data, same, tolerance = 1e-8, ignore_attr = TRUE)
  }
})

test_that("the components are those of scaled columns where the fit is scaled", {
  x <- as.matrix(iris[1:4]) * rep(c(1, 100, 1, 0.01), each = 150)
  set.seed(1)
  fit <- landmarks(x, 3, scale = TRUE)
  expected <- by_prcomp(x, fit$landmarks, scale = TRUE)
  plane <- to_plane(fit, x)
  expect_equal(unname(plane$data), expected$data, tolerance = 1e-3)
  expect_equal(unname(plane$landmarks), expected$landmarks, tolerance = 1e-3)
})

# ---- maps --------------------------------------------------------------------

# Three clusters far apart in five columns, with an order that mixes them.
clusters <- local({
  set.seed(1)
  group <- rep_len(1:3, 90)
  x <- matrix(rnorm(450), 90) + 20 * diag(5)[group, ]
  x[abs(x) < 0.3] <- 0
  list(x = x, group = group, fit = landmarks(x, 6, bandwidth = 20))
})

map_of <- function(fit, x, perplexity = NULL, seed = 1) {
  set.seed(seed)
  in_plane(fit, x, "map", perplexity)
}

test_that("on a map clusters stay apart, each landmark among its own", {
  skip_if_not_installed("Rtsne")
  # A landmark's own cluster is that of the nearest row in all five columns.
  own <- clusters$group[clusters$fit$nearest]
  expect_setequal(own, 1:3)
  sparse <- methods::as(clusters$x, "CsparseMatrix")
  fit <- clusters$fit
  for (map in list(map_of(fit, clusters$x), map_of(fit, sparse), map_of(fit, clusters$x, 5))) {
    expect_identical(dim(map$data), c(90L, 2L))
    expect_identical(dim(map$landmarks), c(6L, 2L))
    between <- as.matrix(dist(rbind(map$data, map$landmarks)))
    near <- apply(between[91:96, 1:90], 1, which.min)
    expect_identical(clusters$group[near], own)
    # Nobody's nearest neighbor is of another cluster.
    near <- apply(between[1:90, 1:90] + diag(Inf, 90), 1, which.min)
    expect_identical(clusters$group[near], clusters$group)
  }
})

test_that("the neighbors of a map are the nearest other rows in the kernel's coordinates", {
  x <- clusters$x * rep(c(1, 100, 1, 0.01, 1), each = 90)
  x[1:9, ] <- x[1, ]
  set.seed(1)
  fit <- landmarks(x, 4, scale = TRUE)
  near <- nearest_others(lay_out(x, NULL, fit$center, fit$factor), x, 6, NULL)
  expect_identical(dim(near$row), c(6L, 90L))
  expect_false(any(near$row == col(near$row)))
  expect_identical(apply(near$row, 2, anyDuplicated), integer(90))
  distance <- as.matrix(dist(scale(x, scale = apply(x, 2, sd))))
  diag(distance) <- Inf
  # Where nine rows are the same, which six of the other eight does not matter.
  expect_equal(near$distance, apply(distance, 1, function(d) sort(d)[1:6]), ignore_attr = TRUE)
  pairs <- cbind(as.vector(near$row), as.vector(col(near$row)))
  expect_equal(near$distance, matrix(distance[pairs], 6))
})

test_that("a map follows the seed, whatever the threads and the unit", {
  skip_if_not_installed("Rtsne")
  map <- map_of(clusters$fit, clusters$x)
  expect_identical(map_of(clusters$fit, clusters$x), map)
  expect_false(identical(map_of(clusters$fit, clusters$x, seed = 2), map))
  old <- options(landmarker.threads = 1)
  on.exit(options(old))
  expect_identical(map_of(clusters$fit, clusters$x), map)
  # Exact in binary: not a bit is different.
  large <- clusters$fit
  for (part in c("landmarks", "center")) large[[part]] <- 2^30 * large[[part]]
  expect_identical(map_of(large, 2^30 * clusters$x), map)
})

test_that("maps are drawn, of repeated and of few rows too", {
  skip_if_not_installed("Rtsne")
  fit <- clusters$fit
  expect_identical(expect_drawn(plot(fit, clusters$x, type = "map")), fit)
  expect_drawn(
    plot(fit, clusters$x, type = "map", color = clusters$group, perplexity = 10.5, max_points = 40)
  )
  expect_drawn(plot(fit, clusters$x[rep(1, 80), ], type = "map", labels = FALSE))
  expect_drawn(plot(fit, clusters$x[1, , drop = FALSE], type = "map"))
  expect_drawn(plot(fits[[1]]$fit, fits[[1]]$x, type = "map"))
  frame <- data.frame(a = clusters$x[, 1], f = rep_len(c("u", "v"), 90))
  expect_drawn(plot(landmarks(frame, 3, scale = TRUE), frame, type = "map", color = frame$f))
  drawn <- function(times, type) {
    nrow(shown_data(fit, clusters$x[rep(1:90, times), ], NULL, type, NULL)$data)
  }
  expect_identical(drawn(20, "map"), 1500L)
  expect_identical(drawn(60, "landmarks"), 5000L)
})

test_that("what cannot be mapped is refused", {
  skip_if_not_installed("Rtsne")
  fit <- clusters$fit
  x <- clusters$x
  expect_refused(
    plot(fit, type = "map"),
    plot(as_landmarks(x[1:2, ], x), x[1:4, ], type = "map"),
    plot(as_landmarks(x[1, , drop = FALSE], x), x, type = "map", max_points = 1),
    plot(fit, x, type = "map", perplexity = 1.5),
    plot(fit, x, type = "map", perplexity = 32),
    plot(fit, x, type = "map", perplexity = "a"),
    plot(fit, x, type = "map", max_points = 0),
    plot(fit, x[, 1:2], type = "map")
  )
})

test_that("a map has rows and landmarks where the picture draws them", {
  skip_if_not_installed("Rtsne")
  map <- map_of(clusters$fit, clusters$x)
  set.seed(1)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(clusters$fit, clusters$x, type = "map"))
  expect_equal(cbind(built$data[[1]]$x, built$data[[1]]$y), map$data)
  expect_equal(cbind(built$data[[2]]$x, built$data[[2]]$y), map$landmarks)
})
