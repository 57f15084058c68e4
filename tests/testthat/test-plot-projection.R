# Planes of two columns and of principal components, and maps.

skip_slow_file()

fits <- picture_fits()

# The plane by prcomp(): coordinates, each axis with the largest loading positive, and shares of variance.
by_prcomp <- function(x, points, scale = FALSE) {
  p <- stats::prcomp(x, scale. = scale)
  sign <- apply(p$rotation[, 1:2], 2, function(v) sign(v[which.max(abs(v))]))
  turned <- function(at) unname(stats::predict(p, at)[, 1:2] %*% diag(sign))
  list(data = turned(x), landmarks = turned(points), share = unname((p$sdev^2 / sum(p$sdev^2))[1:2]))
}

test_that("two columns are drawn as they are, one beside zero, more on principal components", {
  two <- fits[[2]]
  expect_identical(to_plane(two$fit, two$x)[1:2], list(data = two$x, landmarks = two$fit$landmarks))
  line <- to_plane(fits[[1]]$fit, fits[[1]]$sparse)
  expect_equal(line$data, cbind(fits[[1]]$x, 0), ignore_attr = TRUE)
  expect_equal(line$landmarks, cbind(fits[[1]]$fit$landmarks, 0), ignore_attr = TRUE)
  expect_identical(to_plane(landmarks(as.matrix(iris[1:2]), 2), as.matrix(iris[1:2]))$names, names(iris)[1:2])
  flowers <- as.matrix(iris[1:4])
  wide <- withr::with_seed(1, matrix(rnorm(60 * 40), 60)) %*% diag(c(6, 5.5, 40:3 / 20))
  wide[abs(wide) < 0.1] <- 0
  apart <- flowers * rep(c(1, 100, 1, 0.01), each = 150)
  for (x in list(flowers, fits[[3]]$x, wide, digits$images[1:60, 5 * 1:150] / 255, apart)) {
    fit <- as_landmarks(x[1:3, ], x, scale = identical(x, apart))
    found <- to_plane(fit, x)
    expected <- by_prcomp(x, x[1:3, ], fit$scaled)
    expect_equal(lapply(found[1:2], unname), expected[1:2], tolerance = 1e-4)
    expect_equal(principal_axes(x, fit$factor)$share, expected$share, tolerance = 1e-6)
    sparse <- to_plane(fit, methods::as(x, "CsparseMatrix"))
    expect_equal(lapply(sparse, unname), lapply(found, unname), tolerance = 1e-8)
  }
  names <- to_plane(landmarks(flowers, 3), flowers)$names
  expect_identical(names, c("PC1 (92.5% of variance)", "PC2 (5.3% of variance)"))
})

test_that("rows without variance have axes without shares", {
  same <- principal_axes(matrix(c(0.1, 7, 1e6), 20, 3, byrow = TRUE), rep(1, 3))
  expect_identical(same$share, c(NA_real_, NA_real_))
  expect_identical(to_plane(landmarks(diag(3)[c(1, 1), ], 1, bandwidth = 1), NULL)$names, c("PC1", "PC2"))
  expect_equal(principal_axes(outer(1:20, c(1, 2, 3)), rep(1, 3))$share, c(1, 0))
})

test_that("without data landmarks are drawn alone", {
  lost <- landmarks(as.matrix(iris[1:4]), 5)
  expect_match(ggplot2::autoplot(lost)$labels$title, "on their principal components")
  plane <- to_plane(lost, NULL)
  expect_identical(nrow(plane$data), 0L)
  p <- by_prcomp(lost$landmarks, lost$landmarks)
  expect_equal(unname(plane$landmarks), p$landmarks, tolerance = 1e-6)
  one <- to_plane(as_landmarks(lost$landmarks[1, , drop = FALSE], as.matrix(iris[1:4])), NULL)
  expect_equal(one$landmarks, cbind(0, 0), ignore_attr = TRUE)
  expect_error(on_device(plot(lost, as.matrix(iris[1:4]) * 1e160)), class = "landmarker_error_data")
})

# ---- maps --------------------------------------------------------------------

# Three clusters far apart in five columns, with an order that mixes them.
set.seed(1)
group <- rep_len(1:3, 90)
x <- matrix(rnorm(450), 90) + 20 * diag(5)[group, ]
x[abs(x) < 0.3] <- 0
fit <- landmarks(x, 6, bandwidth = 20)

map_of <- function(fit, x, perplexity = NULL, seed = 1) {
  withr::with_seed(seed, in_plane(fit, x, "map", perplexity))
}

test_that("on a map clusters stay apart, each landmark among its own", {
  skip_if_not_installed("Rtsne")
  # A landmark's own cluster is that of the nearest row in all five columns.
  own <- group[fit$nearest]
  expect_setequal(own, 1:3)
  for (map in list(map_of(fit, x), map_of(fit, methods::as(x, "CsparseMatrix")), map_of(fit, x, 5))) {
    between <- as.matrix(dist(rbind(map$data, map$landmarks)))
    expect_identical(group[apply(between[91:96, 1:90], 1, which.min)], own)
    # Nobody's nearest neighbor is of another cluster.
    expect_identical(group[apply(between[1:90, 1:90] + diag(Inf, 90), 1, which.min)], group)
  }
})

test_that("the neighbors of a map are the nearest other rows in the kernel's coordinates", {
  x <- x * rep(c(1, 100, 1, 0.01, 1), each = 90)
  x[1:9, ] <- x[1, ]
  set.seed(1)
  fit <- landmarks(x, 4, scale = TRUE)
  near <- nearest_others(lay_out(x, NULL, fit$center, fit$factor), x, 6, NULL)
  expect_false(any(near$row == col(near$row)))
  expect_identical(apply(near$row, 2, anyDuplicated), integer(90))
  distance <- as.matrix(dist(scale(x))) + diag(Inf, 90)
  # Where nine rows are the same, which six of the other eight does not matter.
  expect_equal(near$distance, apply(distance, 1, function(d) sort(d)[1:6]), ignore_attr = TRUE)
  expect_equal(as.vector(near$distance), distance[cbind(as.vector(near$row), as.vector(col(near$row)))])
})

test_that("a map follows the seed, whatever the threads and the unit", {
  skip_if_not_installed("Rtsne")
  map <- map_of(fit, x)
  expect_false(identical(map_of(fit, x, seed = 2), map))
  withr::with_options(list(landmarker.threads = 1), expect_identical(map_of(fit, x), map))
  # Exact in binary: not a bit is different.
  large <- with_part(fit, landmarks = 2^30 * fit$landmarks, center = 2^30 * fit$center)
  expect_identical(map_of(large, 2^30 * x), map)
  # The picture draws rows and landmarks there.
  set.seed(1)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(fit, x, type = "map"))
  expect_equal(cbind(built$data[[1]]$x, built$data[[1]]$y), map$data)
  expect_equal(cbind(built$data[[2]]$x, built$data[[2]]$y), map$landmarks)
})

test_that("maps are drawn, of repeated and of few rows too", {
  skip_if_not_installed("Rtsne")
  expect_identical(expect_drawn(plot(fit, x, type = "map")), fit)
  expect_drawn(plot(fit, x, type = "map", color = group, perplexity = 10.5, max_points = 40))
  expect_drawn(plot(fit, x[rep(1, 20), ], type = "map", labels = FALSE))
  expect_drawn(plot(fits[[1]]$fit, fits[[1]]$x, type = "map"))
  frame <- data.frame(a = x[, 1], f = rep_len(c("u", "v"), 90))
  expect_drawn(plot(landmarks(frame, 3, scale = TRUE), frame, type = "map", color = frame$f))
  drawn <- function(times, type) nrow(shown_data(fit, x[rep(1:90, times), ], NULL, type, NULL)$data)
  expect_identical(c(drawn(20, "map"), drawn(60, "landmarks")), c(1500L, 5000L))
  expect_refused(
    plot(fit, type = "map"), plot(as_landmarks(x[1:2, ], x), x[1:4, ], type = "map"),
    plot(as_landmarks(x[1, , drop = FALSE], x), x, type = "map", max_points = 1),
    plot(fit, x, type = "map", perplexity = 1.5), plot(fit, x, type = "map", perplexity = 32),
    plot(fit, x, type = "map", perplexity = "a"), plot(fit, x[, 1:2], type = "map")
  )
})
