# Data in one part or in several: the same results.

dense <- function() {
  withr::local_seed(1)
  x <- sim_swiss_roll(700)
  cbind(unclass(x), level = 3)
}
parts <- c(1, 2, 3, 7)

test_that("a source of parts has the moments, rows and order of the data in memory", {
  weights <- rep(c(0, 1, 2.5), length.out = 700)
  sparse <- methods::as(matrix(stats::rpois(700 * 9, 0.3), 700), "CsparseMatrix")
  x <- list(dense = dense(), sparse = sparse)
  cases <- expand.grid(x = names(x), k = parts, weighted = c(FALSE, TRUE), scale = c(FALSE, TRUE))
  for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    w <- if (case$weighted) weights
    whole <- as_source(x[[case$x]], w, case$scale)
    cut <- as_source(cut_data(x[[case$x]], case$k), w, case$scale)
    same <- c("dim", "names", "weights", "sparse")
    expect_identical(cut[same], whole[same])
    expect_equal(cut$mean, whole$mean, tolerance = 1e-12)
    expect_equal(cut$variance, whole$variance, tolerance = 1e-12)
    expect_identical(cut$variance == 0, whole$variance == 0)
    rows <- c(699, 3, 350, 351, 3)
    expect_equal(rows_as_points(cut, rows), rows_as_points(whole, rows), tolerance = 1e-14)
    expect_identical(unlist(over_parts(cut, function(part) part$first + seq_len(part$dim[1]))), 1:700)
  }
})

test_that("sums and nearest rows are those of the data in memory", {
  x <- dense()
  points <- x[c(5, 400, 90), ] + 0.1
  how <- compute_with()
  whole <- as_source(x)
  for (k in parts) {
    cut <- as_source(cut_data(x, k))
    kernel <- new_kernel(20)
    expect_equal(
      gram_over(cut, points, kernel, how), gram_over(whole, points, kernel, how), tolerance = 1e-12
    )
    expect_equal(nearest_rows(cut, points, 9L, how), nearest_rows(whole, points, 9L, how), tolerance = 1e-12)
    expect_equal(
      features_over(cut, points, kernel, how), features_over(whole, points, kernel, how), tolerance = 1e-12
    )
    expect_equal(nearest_landmark(cut, points, how), nearest_landmark(whole, points, how), tolerance = 1e-12)
  }
})

test_that("a bad value in any part is told with its place", {
  x <- dense()
  x[600, 2] <- NA
  expect_error(as_source(cut_data(x, 3)), class = "landmarker_error_missing")
})

test_that("parts without rows add nothing", {
  x <- dense()
  rows <- list(1:300, integer(), 301:700, integer())
  gappy <- as_source(parted_data(function(i) x[rows[[i]], , drop = FALSE], lengths(rows), 4, colnames(x)))
  expect_equal(gappy$mean, as_source(x)$mean, tolerance = 1e-12)
  expect_equal(gram_over(gappy, x[1:3, ], new_kernel(20), compute_with()),
    gram_over(as_source(x), x[1:3, ], new_kernel(20), compute_with()),
    tolerance = 1e-12)
})
