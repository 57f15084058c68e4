# by_kmeans(): Lloyd's iterations by hand and by stats::kmeans(), and starts against their probabilities.

skip_slow_file()

# ---- centers ---------------------------------------------------------------------------

x <- odd_matrix(150, 3)
eta <- 0.8

kmeans_fit <- function(x, n, ..., weights = NULL, space = "euclidean", bandwidth = eta) {
  withr::local_seed(1)
  landmarks(x, n, by_kmeans(...), bandwidth = bandwidth, weights = weights, space = space)
}

test_that("centers are those of Lloyd's iterations from the same starts", {
  for (start in c("++", "uniform")) for (iterations in c(1, 200)) {
    fit <- kmeans_fit(x, 8, start, iterations)
    found <- find_centers(as_source(x), x[kmeans_fit(x, 8, start, 0)$rows, ], iterations)
    expect_equal(sort_rows(unname(coef(fit))), sort_rows(unname(found$centers)), tolerance = 1e-12)
    expect_identical(fit$iterations, rep(found$iterations, 8))
    # The order is the greedy one, by what is left of the trace.
    expect_identical(naive_trace_order(x, unname(coef(fit)), eta), 1:8)
    expect_true(all(is.na(fit$rows)) && all(is.na(fit$trace)) && all(is.na(fit$moved)))
  }
  expect_lt(fit$iterations[1], 200)
  for (space in list("nonnegative", "sphere", function(t) pmin(t, 0.3))) {
    on <- sort_rows(naive_project(unname(coef(kmeans_fit(x, 6))), space))
    expect_equal(sort_rows(unname(coef(kmeans_fit(x, 6, space = space)))), on, tolerance = 1e-12)
  }
})

test_that("from the same start the centers are those of stats::kmeans()", {
  withr::local_seed(3)
  cases <- lapply(list(c(400, 2, 7), c(300, 40, 25)), function(shape) {
    y <- matrix(stats::rnorm(shape[1] * shape[2]), shape[1]) + 10 * stats::runif(shape[2])
    list(y, y[sample.int(shape[1], shape[3]), ])
  })
  # Whole numbers tie.
  grid <- unname(as.matrix(expand.grid(0:7, 0:7, 0:3)))
  cases <- c(cases, list(list(grid, grid[c(1, 8, 57, 64, 200, 256), ])))
  for (case in cases) for (iterations in c(1, 4, 300)) {
    theirs <- suppressWarnings(stats::kmeans(case[[1]], case[[2]], iterations, algorithm = "Lloyd"))
    ours <- find_centers(as_source(case[[1]]), case[[2]], iterations)
    expect_equal(ours$centers, unname(theirs$centers), tolerance = 1e-12)
    # One more than allowed says there that it has not converged.
    expect_identical(ours$iterations, as.integer(min(theirs$iter, iterations)))
    expect_identical(ours$converged, theirs$iter <= iterations)
  }
})

test_that("a row of weight 2 is two rows, and one of weight 0 is none", {
  times <- rep(c(1, 2, 0, 3, 1), 30)
  start <- x[c(1, 2, 4, 5, 6, 7), ]
  for (iterations in c(1, 3, 200)) {
    weighted <- find_centers(as_source(x, times), start, iterations)
    repeated <- find_centers(as_source(x[rep(1:150, times), ]), start, iterations)
    expect_equal(weighted, repeated, tolerance = 1e-12)
  }
})

test_that("landmarks that are held are centers that do not move", {
  base <- withr::with_seed(3, landmarks(x, 3, by_random(), bandwidth = eta))
  fixed <- unname(coef(base))
  more <- withr::with_seed(4, add_landmarks(base, x, 5, by_kmeans(max_iterations = 100)))
  expect_identical(unname(coef(more))[1:3, ], fixed)
  # The others are the means of the rows that are nearest to them.
  near <- max.col(-naive_distances(x, coef(more)), "first")
  expect_equal(rowsum(x, near)[4:8, ] / tabulate(near)[4:8], coef(more)[4:8, ], ignore_attr = TRUE)
})

# ---- starts ------------------------------------------------------------------------------

points <- rbind(c(0, 0), c(1, 0), c(0, 2.2), c(4, 3), c(4.5, 1))
mass <- c(3, 1, 0.5, 2, 0)
many <- if (full_run()) 3000 else 600

# Squared distances of rows from some rows and points, the nearest of these.
squared_to <- function(x, rows, fixed, power = 2) {
  apply(naive_distances(x, rbind(x[rows, , drop = FALSE], fixed)), 1, min)^power
}

# Each further row has odds weight * distance^power to the nearest before it, and is the best of so many by
# these odds: that with the smallest weighted sum of squares.
law_of <- function(x, n, weights = rep(1, nrow(x)), tries = 1, fixed = NULL, power = 2) {
  sequence_law(n, function(before) {
    if (length(before) + NROW(fixed) == 0) return(weights)
    odds <- weights * squared_to(x, before, fixed, power)
    if (tries == 1) return(odds)
    odds <- odds / sum(odds)
    left <- vapply(seq_len(nrow(x)), function(row) sum(weights * squared_to(x, c(before, row), fixed)), 0)
    # All lists of candidates, of which the first with the smallest sum is taken.
    chance <- numeric(nrow(x))
    for (candidates in asplit(as.matrix(expand.grid(rep(list(which(odds > 0)), tries))), 1)) {
      best <- candidates[which.min(left[candidates])]
      chance[best] <- chance[best] + prod(odds[candidates])
    }
    chance
  })
}

starts <- function(source, n, fixed = source_no_points(source), greedy = FALSE, count = many) {
  sequence_names(replicate(count, seed_plus_plus(source, n, fixed = fixed, greedy = greedy)))
}
# The p-value of frequencies that belong to another law.
p_of <- function(drawn, law) p_value(table(factor(drawn, names(law))), law / sum(law))

test_that("frequencies are those of k-means++, by weights, distances after scaling, and from what is held", {
  withr::local_seed(2)
  drawn <- starts(as_source(points), 3, count = 2 * many)
  expect_chosen(drawn, law_of(points, 3))
  # Distances that are not squared would be noticed.
  expect_lt(p_of(drawn, law_of(points, 3, power = 1)), 1e-10)
  expect_chosen(starts(as_source(points, mass), 2), law_of(points, 2, mass))
  wide <- points * rep(c(1, 1000), each = 5)
  exact <- law_of(wide / rep(apply(wide, 2, stats::sd), each = 5), 3)
  expect_chosen(starts(as_source(methods::as(wide, "CsparseMatrix"), scale = TRUE), 3), exact)
  fixed <- rbind(c(0, 0), c(3, 2))
  expect_chosen(starts(as_source(points), 1, fixed = fixed), law_of(points, 1, fixed = fixed))
})

test_that("so they are where most candidates of a block are turned away", {
  withr::local_seed(7)
  # Three places with rows close to each other: of two candidates at one place the second is turned away.
  x <- cbind(c(0, 0.1, 0.3, 9, 9.2, 4, 4.15), c(0, 0.2, 0.1, 1, 1.3, 7, 7.3))
  weights <- c(1, 2, 1, 3, 1, 1, 0.5)
  exact <- law_of(x, 5, weights)
  drawn <- strsplit(starts(as_source(x, weights), 5), " ")
  rows <- strsplit(names(exact), " ")
  for (k in 1:4) {
    pair <- function(sequences) vapply(sequences, function(s) paste(s[k:(k + 1)], collapse = " "), "")
    expect_chosen(pair(drawn), tapply(exact, pair(rows), sum))
  }
})

test_that("greedy ones are those of the best of several candidates by these odds", {
  withr::local_seed(1)
  drawn <- starts(as_source(points), 3, greedy = TRUE, count = 3 * many)
  expect_chosen(drawn, law_of(points, 3, tries = 3))
  # k-means++ itself, or one candidate more, would be noticed.
  expect_lt(p_of(drawn, law_of(points, 3)), 1e-10)
  expect_lt(p_of(drawn, law_of(points, 3, tries = 4)), 1e-3)
  expect_chosen(starts(as_source(points, mass), 2, greedy = TRUE), law_of(points, 2, mass, 2))
  fixed <- rbind(c(4, 3))
  held <- starts(as_source(points), 2, fixed = fixed, greedy = TRUE)
  expect_chosen(held, law_of(points, 2, tries = 2, fixed = fixed))
  # Of four rows the last ones come from blocks in which the odds have fallen.
  line <- cbind(c(0, 1, 3, 7))
  expect_chosen(starts(as_source(line), 4, greedy = TRUE), law_of(line, 4, tries = 3))
})

test_that("rows that are equal are drawn once, in units of any size, then there are fewer", {
  withr::local_seed(4)
  # Values that binary fractions do not hold, near the origin and far from it; the means are
  # others than those of the values, which differ in how often they come.
  of <- rep(1:10, c(7, 1, 5, 9, 2, 3, 11, 1, 4, 6))
  for (shift in c(0, 1e3, 1e9)) {
    twice <- (matrix(stats::rnorm(70), 10) / 3 + shift)[of, ]
    for (x in list(twice, methods::as(twice, "CsparseMatrix"))) for (scale in c(FALSE, TRUE)) {
      expect_identical(sort(of[seed_plus_plus(as_source(x, scale = scale), 49)]), 1:10)
    }
  }
  for (greedy in c(FALSE, TRUE)) {
    for (unit in c(1e-160, 1e-140, 1, 1e140)) {
      found <- seed_plus_plus(as_source(points[rep(1:5, 3), ] * unit), 9, greedy = greedy)
      expect_identical(sort((found - 1) %% 5 + 1), as.double(1:5))
    }
    # Rows that differ, if only a little, are not equal.
    expect_length(seed_plus_plus(as_source(cbind(1 + (0:9) * 1e-12)), 10, greedy = greedy), 10)
    expect_length(seed_plus_plus(as_source(points[c(1, 1, 1), ]), 3, greedy = greedy), 1)
  }
})

# ---- batches: Sculley's algorithm by loops is in tests/core/test_minibatch.c ---------------------

frames <- odd_matrix(300, 3)

test_that("a batch of all rows makes Lloyd's iterations, and there are as many batches as asked for", {
  for (w in list(NULL, rep(0:1, 150))) {
    rows <- if (is.null(w)) 300 else 150
    fit <- function(size) kmeans_fit(frames, 7, "++", 10, size, weights = w)
    expect_identical(coef(fit(rows)), coef(fit(NULL)))
    expect_true(fit(rows)$exact)
    expect_false(fit(rows - 1)$exact)
  }
  expect_identical(codebook(frames, 4, batch_size = 20)$iterations, 100L)
  expect_identical(codebook(frames, 4, batch_size = 20, max_iterations = 3)$iterations, 3L)
  pixels <- digits$images[, seq(1, 784, 5)] / 255
  left <- function(size) withr::with_seed(1, codebook(pixels, 50, batch_size = size))$within
  expect_lt(left(500) / left(NULL), 1.03)
})

test_that("starts come from a random sample of five batches, or of all rows where that has too few", {
  source <- as_source(frames)
  start <- function(source, n, ...) {
    withr::with_seed(3, start_plus_plus(by_kmeans(...), source, n, NULL, source_no_points(source)))
  }
  expect_true(all(start(source, 5, batch_size = 8) %in% withr::with_seed(3, draw_rows(source, 40L))))
  # All rows without batches, and for starts alone.
  all <- withr::with_seed(3, seed_plus_plus(source, 5))
  expect_identical(start(source, 5), all)
  expect_identical(start(source, 5, batch_size = 8, max_iterations = 0), all)
  # Four different rows among many equal ones, which a sample of 20 rows misses.
  few <- as_source(matrix(c(rep(0, 2000), 1:3)))
  expect_setequal(few$x[start(few, 4, batch_size = 4), 1], 0:3)
})

test_that("it says what it does, and refuses other options", {
  expect_snapshot({
    withr::with_seed(1, codebook(frames, 4, batch_size = 20))
    by_kmeans(batch_size = 500)
  })
  expect_refused(
    by_kmeans("plus"), by_kmeans(max_iterations = -1), by_kmeans(batch_size = 0),
    codebook(frames, 3, batch_size = "all")
  )
})
