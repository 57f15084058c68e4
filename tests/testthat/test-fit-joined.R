# Which landmarks are on the data, no farther from the nearest row than rows are from each other; the graph
# that the rows make, which a fit keeps; and whether data are apart.

# From the definition: the fifth nearest of the rows that differ, for every row, and the least
# value that has 95 % of the weight at or below it.
naive_spacing <- function(x, weights = rep(1, nrow(x))) {
  x <- as.matrix(x)[weights > 0, , drop = FALSE]
  weights <- weights[weights > 0]
  between <- as.matrix(stats::dist(x))
  between <- between[, !duplicated(x), drop = FALSE]
  # The first is the row itself.
  fifth <- apply(between, 1, function(d) sort(d)[min(6, length(d))])
  order <- order(fifth)
  fifth[order][which(cumsum(weights[order]) >= 0.95 * sum(weights) - 1e-9)[1]]
}

x <- odd_matrix(120, 3)
weights <- (seq_len(120) * 7) %% 4

spacing_of <- function(x, ...) as_landmarks(as.matrix(x[1:2, ]), x, ...)$spacing

test_that("the limit is the definition's, for data of every kind", {
  expect_equal(spacing_of(x, weights = weights), unname(naive_spacing(x, weights)), tolerance = 1e-12)
  units <- x %*% diag(c(1, 20, 0.1)) + 3
  expect_equal(spacing_of(units), unname(naive_spacing(units)), tolerance = 1e-12)
  expect_equal(spacing_of(units, scale = TRUE), unname(naive_spacing(scale(units))), tolerance = 1e-12)
  both <- sparse_case(150, 20)
  expect_equal(spacing_of(both$sparse), unname(naive_spacing(both$dense)), tolerance = 1e-9)
})

test_that("numbers on a line, by hand", {
  # The fifth nearest other number of 1, ..., 20: 5 for the ends, 4 beside them, 3 for all others.
  # 19 of 20 numbers are 95 %, and the 19th value is 5.
  line <- matrix(1:20, ncol = 1)
  fit <- as_landmarks(matrix(c(10, 10.5, 25, 25.01, -4, -4.01), ncol = 1), line, bandwidth = 4)
  expect_equal(fit$spacing, 5)
  expect_identical(fit$on_data, c(TRUE, TRUE, TRUE, FALSE, TRUE, FALSE))
})

test_that("copies of a row are one row, and a weight of 2 is two rows", {
  small <- x[1:40, ]
  expect_equal(spacing_of(small[rep(1:40, each = 7), ]), spacing_of(small), tolerance = 1e-12)
  counts <- 1 + (1:40 %% 3)
  expect_equal(spacing_of(small[rep(1:40, counts), ]), spacing_of(small, weights = counts), tolerance = 1e-12)
  # Three values: their farthest others are 4, 3 and 4 away. Of few rows the farthest counts.
  expect_equal(spacing_of(matrix(rep(c(0, 1, 4), each = 90), ncol = 1)), 4)
  expect_equal(spacing_of(x[1:3, ]), max(dist(x[1:3, ])), tolerance = 1e-12)
  # A row of weight 0 is no row: neither near to a landmark nor to other rows.
  far <- rbind(x, c(50, 50, 50))
  fit <- as_landmarks(far[c(3, 121), ], far, bandwidth = 1, weights = c(rep(1, 120), 0))
  expect_equal(fit$spacing, spacing_of(x), tolerance = 1e-12)
  expect_identical(fit$on_data, c(TRUE, FALSE))
  # One row, or one row many times.
  expect_true(as_landmarks(x[1, , drop = FALSE], x[1, , drop = FALSE], bandwidth = 1)$on_data)
  same <- landmarks(x[rep(1, 30), ], 1, bandwidth = 1)
  expect_true(same$on_data)
  expect_gt(same$spacing, 0)
})

test_that("the rule is no stricter for more rows", {
  withr::local_seed(1)
  many <- cbind(stats::runif(20000), stats::runif(20000))
  few <- many[sample(20000, 2500), ]
  expect_equal(spacing_of(many), spacing_of(few), tolerance = 0.1)
  # All rows are about sqrt(8) times as close.
  near <- nearest_observations(as_landmarks(many[1:200, ], many), many, 6)
  expect_lt(stats::quantile(near$distance[near$rank == 6], 0.95), 0.5 * spacing_of(many))
})

test_that("of more rows than are looked at, each has its own weight", {
  two <- rbind(odd_matrix(450, 2), 100 * odd_matrix(450, 2, 5))
  near <- spacing_of(two, weights = rep(c(1, 1e-3), each = 450))
  expect_equal(near, spacing_of(two[1:450, ]), tolerance = 0.1)
})

test_that("nothing is drawn, and rows that repeat in turn are all looked at", {
  withr::local_seed(1)
  before <- .Random.seed
  row_spacing(as_source(odd_matrix(7000, 2)), new_kernel(1), compute_with())
  expect_identical(.Random.seed, before)
  for (period in c(2, 3, 5, 7, 10, 24, 60)) {
    share <- tabulate(evenly_spaced(1:12000, 300) %% period + 1, period) * period / 300
    expect_true(all(share > 0.5 & share < 1.6))
  }
  expect_identical(evenly_spaced(5:9, 5), 5:9)
  expect_identical(anyDuplicated(evenly_spaced(1:1000, 900)), 0L)
  # Sorted data: every tenth of the rows is looked at.
  expect_true(all(abs(tabulate(ceiling(evenly_spaced(1:6000, 300) / 600), 10) - 30) <= 3))
})

test_that("there is a warning where fewer than half are on the data, and only there", {
  off <- "landmarker_warning_off_data"
  by <- function(criterion) withr::with_seed(1, landmarks(iris[1:4], 20, by_gp(criterion = criterion)))
  expect_snapshot(fit <- by("volume"))
  expect_lt(2 * sum(fit$on_data), 20)
  expect_warning(add_landmarks(fit, iris[1:4], 1, "random"), "Try more landmarks.", class = off)
  expect_warning(refine_landmarks(fit, iris[1:4], 1), "criterion = \"trace\"", class = off)
  expect_no_warning(fit <- by("trace"))
  expect_true(all(fit$on_data))
  # Half is enough.
  half <- function(on) utils::modifyList(fit, list(on_data = rep(c(TRUE, FALSE), c(on, 20 - on))))
  expect_no_warning(warn_off_data(half(10), NULL))
  expect_warning(warn_off_data(half(9), NULL), "Only 9 of 20 landmarks are on the data", class = off)
  expect_warning(warn_off_data(half(1), NULL), "Only 1 of 20 landmarks is on the data", class = off)
  # Points of one's own may lie where they like, unless all are elsewhere.
  expect_no_warning(as_landmarks(rbind(x[1, ], x[1, ] + 100, x[1, ] + 200), x))
  expect_snapshot(invisible(as_landmarks(x[1:3, ] + 1000, x)))
  one <- x[1, , drop = FALSE] + 1000
  expect_warning(as_landmarks(one, x), "The landmark is not .* It is farther", class = off)
})

test_that("after every step a fit says which landmarks are on the data", {
  withr::local_seed(1)
  flowers <- as.matrix(iris[1:4])
  by_volume <- landmarks(flowers, 10, by_gp(criterion = "volume"))
  expect_false(all(by_volume$on_data))
  for (fit in list(
    by_volume, add_landmarks(by_volume, flowers, 3, "random"),
    refine_landmarks(landmarks(flowers, 6, "random"), flowers),
    as_landmarks(rbind(flowers[c(1, 70), ], flowers[1, ] + 3), flowers)
  )) {
    away <- apply(naive_distances(flowers, coef(fit)), 2, min)
    expect_equal(fit$spacing, unname(naive_spacing(flowers)), tolerance = 1e-12)
    expect_identical(fit$on_data, unname(away <= fit$spacing))
    expect_identical(tidy(fit)$on_data, fit$on_data)
    expect_identical(glance(fit)$on_data, sum(fit$on_data))
    expect_output(print(fit), sprintf("on the data %d of %d\n", sum(fit$on_data), nrow(fit$landmarks)))
  }
})

# ---- the graph of the rows ---------------------------------------------------------------

skip_slow_file()

parts_of <- function(x, n) max(suppressWarnings(landmark_graph(landmarks(x, n)))$components)
ring <- function(rows, radius = 1, noise = 0.02) {
  angle <- stats::runif(rows, 0, 2 * pi)
  radius * cbind(cos(angle), sin(angle)) + stats::rnorm(2 * rows, 0, noise)
}

test_that("a grid has a graph through the data, whatever its landmarks are", {
  withr::local_seed(1)
  grid <- as.matrix(expand.grid(1:60, 1:60))
  fits <- lapply(list(by_dpp(), by_random(), by_active()), function(method) landmarks(grid, 60, method))
  # Copies are not different rows.
  for (fit in c(fits, list(as_landmarks(coef(fits[[1]]), grid[c(1:3600, 1:1000), ])))) {
    expect_identical(fit$joined$different, 3600L)
    expect_identical(landmark_graph(fit)$edge_weights, "rows")
  }
})

test_that("clusters with one or two landmarks each are apart", {
  withr::local_seed(1)
  centers <- cbind(c(0, 100, 100), c(0, 100, -100))
  x <- centers[rep(1:3, each = 200), ] + stats::rnorm(1200)
  for (n in if (full_run()) c(4, 5, 7, 9) else c(4, 7)) {
    fit <- suppressWarnings(landmarks(x, n))
    expect_warning(graph <- landmark_graph(fit), "disconnected", class = "landmarker_warning_components")
    of <- max.col(-as.matrix(stats::dist(rbind(centers, coef(fit))))[-(1:3), 1:3])
    expect_identical(max(graph$components), 3L)
    expect_true(all(colSums(table(of, graph$components) > 0) == 1))
  }
})

test_that("a landmark without rows does not join two parts", {
  withr::local_seed(3)
  circle <- cbind(cos(2 * pi * 1:19 / 19), sin(2 * pi * 1:19 / 19))
  # Between the circles, nearer to the left one.
  centers <- rbind(circle, circle + rep(c(2.5, 0), each = 19), c(1.22, 0.3))
  x <- rbind(ring(1000), ring(1000) + rep(c(2.5, 0), each = 1000))
  fit <- suppressWarnings(as_landmarks(centers, x, bandwidth = 0.2))
  expect_false(39L %in% predict(fit, x, "nearest")$landmark)
  graph <- suppressWarnings(landmark_graph(fit))
  expect_identical(max(graph$components), 2L)
  expect_identical(graph$components[39], graph$components[19])
})

test_that("curves, sheets and clouds stay whole, also with few landmarks", {
  for (seed in if (full_run()) 1:3 else 1) {
    withr::local_seed(seed)
    turns <- stats::runif(600, 1, 4 * pi)
    expect_identical(parts_of(cbind(turns * cos(turns), turns * sin(turns)), 75), 1L)
    for (n in if (full_run()) c(3, 5, 20, 60) else c(3, 20)) {
      expect_identical(parts_of(ring(1000), n), 1L)
      expect_identical(parts_of(matrix(stats::rnorm(1800), 600), n), 1L)
    }
    expect_identical(parts_of(sim_swiss_roll(2000, noise = 0.3), 50), 1L)
  }
})

test_that("an edge is bare where its rows are near its ends, with enough of them", {
  # The ratios of distances of rows of the edge from 1 to 2, and none of that from 1 to 3.
  bare <- function(ratio) {
    first <- rep(1:2, length.out = length(ratio))
    found <- list(landmark = rbind(first, 3L - first), squared = rbind(ratio^2, 1))
    are_bare(found, low = c(1L, 1L), high = c(2L, 3L))
  }
  # 0.3^11 < 1e-6 < 0.3^12. Rows in the places of landmarks say nothing.
  for (ratio in list(rep(0.3, 12), rep(1e-4, 2))) expect_identical(bare(ratio), c(TRUE, FALSE))
  for (ratio in list(rep(0.3, 11), c(rep(0.1, 100), 0.34), rep(0, 100))) {
    expect_identical(bare(ratio), c(FALSE, FALSE))
  }
})

test_that("outliers do not take the first coordinates", {
  x <- withr::with_seed(1, matrix(stats::rnorm(50000), 1000))
  e <- withr::with_seed(1, suppressWarnings(embed_landmarks(landmarks(x, 80))))
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
  whole <- as.matrix(landmark_graph(fit)$weights)
  expect_equal(as.matrix(turned$weights)[40:1, 40:1], whole, ignore_attr = TRUE)
  fresh <- landmark_graph(fit[40:1], x)
  expect_equal(turned[c("own", "witnesses", "cut")], fresh[c("own", "witnesses", "cut")], tolerance = 1e-12)
})

test_that("other data than those of the fit are told", {
  x <- withr::with_seed(1, matrix(stats::rnorm(3000), 1000))
  fit <- landmarks(x, 15)
  told <- "Is `x` the training data of `fit`"
  expect_warning(landmark_graph(fit, 1000 * x + 1e5), told, class = "landmarker_warning_far")
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
