# The graph that the rows of the data make, which a fit keeps, and whether data are apart.

skip_slow_file()

# The pixels within `width` of a spiral, and how far along it each is.
pixel_spiral <- function(width = 3.2) {
  at <- as.matrix(expand.grid(-50:50, -50:50))
  angle <- seq(pi, 6.5 * pi, length.out = 4000)
  curve <- 2.3 * angle * cbind(cos(angle), sin(angle))
  near <- .Call(C_nearest_landmark, as_source(at), curve, compute_with())
  some <- near$distance < width
  list(x = at[some, ], along = near$landmark[some])
}

parts_of <- function(x, n) max(suppressWarnings(landmark_graph(landmarks(x, n)))$components)
ring <- function(rows, radius = 1, noise = 0.02) {
  angle <- stats::runif(rows, 0, 2 * pi)
  radius * cbind(cos(angle), sin(angle)) + stats::rnorm(2 * rows, 0, noise)
}

test_that("pixels of a spiral unroll as jittered ones do", {
  spiral <- pixel_spiral()
  for (seed in if (full_run()) 1:5 else 1:2) {
    withr::local_seed(seed)
    fit <- landmarks(spiral$x, 100, by_dpp())
    expect_identical(fit$joined$different, nrow(spiral$x))
    e <- suppressWarnings(embed_landmarks(fit, dims = 1))
    expect_identical(e$graph$edge_weights, "rows")
    expect_gt(abs(stats::cor(predict(e, spiral$x), spiral$along, method = "spearman"))[1], 0.99)
  }
})

test_that("a grid has a graph through the data, whatever its landmarks are", {
  withr::local_seed(1)
  grid <- as.matrix(expand.grid(1:60, 1:60))
  fits <- lapply(list(by_dpp(), by_random(), by_active()), function(method) landmarks(grid, 100, method))
  # Copies are not different rows.
  copies <- as_landmarks(coef(fits[[1]]), grid[c(1:3600, 1:1000), ])
  for (fit in c(fits, list(copies))) {
    expect_identical(fit$joined$different, 3600L)
    expect_identical(landmark_graph(fit)$edge_weights, "rows")
  }
})

test_that("clusters with one or two landmarks each are apart", {
  withr::local_seed(1)
  centers <- cbind(c(0, 100, 100), c(0, 100, -100))
  x <- centers[rep(1:3, each = 500), ] + stats::rnorm(3000)
  for (n in c(4, 5, 7, 9)) {
    fit <- suppressWarnings(landmarks(x, n))
    expect_warning(graph <- landmark_graph(fit), "disconnected", class = "landmarker_warning_components")
    of <- max.col(-as.matrix(stats::dist(rbind(centers, coef(fit))))[-(1:3), 1:3])
    expect_identical(max(graph$components), 3L)
    expect_true(all(colSums(table(of, graph$components) > 0) == 1))
  }
})

test_that("two circles are apart where the gap is wider than the distance of landmarks", {
  for (seed in 1:3) {
    withr::local_seed(seed)
    # Side by side, and one around the other.
    expect_identical(parts_of(rbind(ring(1500), ring(1500) + rep(c(2.5, 0), each = 1500)), 40), 2L)
    expect_identical(parts_of(rbind(ring(1000), ring(1000, 2)), 20), 2L)
  }
})

test_that("a landmark without rows does not join two parts", {
  withr::local_seed(3)
  x <- rbind(ring(1500), ring(1500) + rep(c(2.5, 0), each = 1500))
  angle <- seq(0, 2 * pi, length.out = 20)[-1]
  circle <- cbind(cos(angle), sin(angle))
  # Between the circles, nearer to the left one.
  centers <- rbind(circle, circle + rep(c(2.5, 0), each = 19), c(1.22, 0.3))
  fit <- suppressWarnings(as_landmarks(centers, x, bandwidth = 0.2))
  expect_false(39L %in% predict(fit, x, "nearest")$landmark)
  graph <- suppressWarnings(landmark_graph(fit))
  expect_identical(max(graph$components), 2L)
  expect_identical(graph$components[39], graph$components[19])
})

test_that("curves, sheets and clouds stay whole, also with few landmarks", {
  for (seed in 1:3) {
    withr::local_seed(seed)
    turns <- stats::runif(600, 1, 4 * pi)
    expect_identical(parts_of(cbind(turns * cos(turns), turns * sin(turns)), 75), 1L)
    for (n in c(3, 5, 20, 60)) {
      expect_identical(parts_of(ring(2000), n), 1L)
      expect_identical(parts_of(matrix(stats::rnorm(3000), 1000), n), 1L)
    }
    expect_identical(parts_of(sim_swiss_roll(3000, noise = 0.3), 50), 1L)
  }
})

test_that("an edge is bare where its rows are near its ends, with enough of them", {
  # The ratios of distances of rows of the edge from 1 to 2, and none of that from 1 to 3.
  bare <- function(ratio) {
    first <- rep(1:2, length.out = length(ratio))
    found <- list(landmark = rbind(first, 3L - first), squared = rbind(ratio^2, 1))
    are_bare(found, low = c(1L, 1L), high = c(2L, 3L))
  }
  # 0.3^11 < 1e-6 < 0.3^12
  expect_identical(bare(rep(0.3, 12)), c(TRUE, FALSE))
  expect_identical(bare(rep(0.3, 11)), c(FALSE, FALSE))
  expect_identical(bare(rep(1e-4, 2)), c(TRUE, FALSE))
  expect_identical(bare(c(rep(0.1, 100), 0.34)), c(FALSE, FALSE))
  # Rows in the places of landmarks say nothing.
  expect_identical(bare(rep(0, 100)), c(FALSE, FALSE))
})

test_that("outliers do not take the first coordinates", {
  withr::local_seed(1)
  x <- matrix(stats::rnorm(50000), 1000)
  fit <- suppressWarnings(landmarks(x, 80))
  e <- suppressWarnings(embed_landmarks(fit))
  expect_lt(max(abs(coef(e))), 12)
  expect_true(any(e$graph$own == 0))
})

test_that("data with few different rows have nothing between their landmarks", {
  grid <- as.matrix(expand.grid(0:9, 0:9))
  rows <- grid[rep(1:100, 10), ]
  fit <- as_landmarks(grid, rows)
  expect_null(fit$joined)
  expect_identical(landmark_graph(fit, rows)$edge_weights, "heat")
  expect_identical(quietly(landmark_graph(fit, rows, edges = "data"))$edge_weights, "rows")
  expect_equal(embed_landmarks(fit)$values[1], embed_landmarks(fit)$values[2], tolerance = 1e-8)
  # A row between two of them is not far.
  ages <- data.frame(age = rep(18:60, 40))
  e <- embed_landmarks(landmarks(ages, 40), dims = 1)
  expect_no_warning(predict(e, data.frame(age = 30.5)))
})

test_that("coordinates of rows do not jump", {
  withr::local_seed(1)
  e <- embed_landmarks(landmarks(ring(2000, noise = 0), 20))
  angle <- seq(0, 2 * pi, length.out = 2001)
  steps <- sqrt(rowSums(diff(predict(e, cbind(cos(angle), sin(angle))))^2))
  expect_lt(max(steps), 6 * stats::median(steps))
})

test_that("a fit in another order keeps its graph", {
  withr::local_seed(1)
  x <- sim_swiss_roll(1500)
  fit <- landmarks(x, 40)
  turned <- landmark_graph(fit[40:1])
  expect_equal(as.matrix(turned$weights)[40:1, 40:1], as.matrix(landmark_graph(fit)$weights),
    ignore_attr = TRUE)
  fresh <- landmark_graph(fit[40:1], x)
  expect_equal(turned[c("own", "witnesses", "cut")], fresh[c("own", "witnesses", "cut")], tolerance = 1e-12)
})

test_that("other data than those of the fit are told", {
  x <- withr::with_seed(1, matrix(stats::rnorm(3000), 1000))
  fit <- landmarks(x, 15)
  expect_warning(landmark_graph(fit, 1000 * x + 1e5), "seem not to be", class = "landmarker_warning_far")
  expect_no_warning(landmark_graph(fit, x[1:300, ]))
})

test_that("an edge is weak by the end with fewer rows: a ring of uneven density stays whole", {
  angle <- 2 * pi * c(seq(0, 0.5, length.out = 2400), seq(0.5, 1, length.out = 120))
  points <- 2 * pi * 1:24 / 24
  fit <- as_landmarks(cbind(cos(points), sin(points)), cbind(cos(angle), sin(angle)), bandwidth = 0.1)
  expect_identical(nrow(landmark_graph(fit)$cut), 0L)
})

test_that("the weight of an edge that is cut stays with its ends", {
  withr::local_seed(1)
  x <- sim_swiss_roll(1000, noise = 0.5)
  fit <- landmarks(x, 50, "kmeans")
  g <- quietly(landmark_graph(fit))
  expect_gt(nrow(g$cut), 0)
  # The weights of a row on its three nearest landmarks sum to 1.
  share <- apply(naive_distances(x, coef(fit))^2, 1, function(d) {
    w <- ifelse(rank(d) <= 3, 1.001 - d / sort(d)[4], 0)
    w / sum(w)
  })
  kept <- Matrix::rowSums(g$weights) + g$own
  expect_equal(unname(kept / sum(kept)), rowMeans(share))
})
