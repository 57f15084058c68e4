# The space of the landmarks: data that lie outside it, and points of the user.

flowers <- unname(as.matrix(iris[1:50, 1:4]))

test_that("data without a value above 0 are refused where landmarks do not go below 0", {
  expect_refused(
    landmarks(-flowers, 5, space = "nonnegative"), landmarks(-flowers, 5, space = "nonnegative_sphere")
  )
  whole <- -round(10 * flowers)
  storage.mode(whole) <- "integer"
  refused <- function(...) {
    expect_error(landmarks(..., n = 2, space = "nonnegative"), class = "landmarker_error_space")
  }
  for (x in list(whole, methods::as(cbind(0, -flowers), "CsparseMatrix"))) refused(x)
  # One value is enough, also where a look at some rows would miss it; a row of weight 0 is no row.
  x <- -unname(as.matrix(quakes))
  x[, 1] <- -1
  one <- replace(x, cbind(723, 2), 1)
  expect_warning(landmarks(one, 2, "random", space = "nonnegative"), class = "landmarker_warning_space")
  for (y in list(one, methods::as(one, "CsparseMatrix"))) refused(y, weights = replace(rep(1, 1000), 723, 0))
})

test_that("most rows without a value above 0 are warned of, few are not", {
  some <- function(share) flowers * ifelse(seq_len(50) <= 50 * share, -1, 1)
  withr::local_seed(1)
  expect_snapshot(fit <- landmarks(some(0.7), 2, "random", space = "nonnegative"))
  for (x in list(some(0.4), methods::as(some(0.4), "CsparseMatrix"), flowers - 2)) {
    expect_no_warning(quiet(landmarks(x, 2, "random", space = "nonnegative")))
  }
})

test_that("raw counts on the sphere: hellinger() is named", {
  counts <- newsgroups[1:200, 1:100]
  told <- function(x, space = "nonnegative_sphere") landmarks(x, 2, "random", space = space)
  withr::local_seed(1)
  expect_snapshot(fit <- told(counts))
  expect_warning(told(as.matrix(counts)), "hellinger", class = "landmarker_warning_space")
  # Not of whole numbers of length 1, nor of counts where any length will do.
  few <- hellinger(counts[Matrix::rowSums(counts) > 0, ])
  for (x in list(few, diag(5)[rep(1:5, 3), ])) expect_no_warning(told(x))
  expect_no_warning(told(counts, "nonnegative"))
})

test_that("rows far from the sphere are told, rows near it are not", {
  withr::local_seed(1)
  on_sphere <- function(x) landmarks(x, 2, "random", space = "sphere")
  expect_snapshot(fit <- on_sphere(flowers))
  unit <- flowers / sqrt(rowSums(flowers^2))
  for (times in c(0.6, 1.9)) expect_no_warning(quiet(on_sphere(times * unit)))
  for (times in c(0.4, 2.1)) for (x in list(times * unit, methods::as(times * unit, "CsparseMatrix"))) {
    expect_warning(on_sphere(x), class = "landmarker_warning_space")
  }
})

# Points that a user gives: as_landmarks() and by_gp(start = ) take them by the same rules.

table_x <- withr::with_seed(
  1, cbind(a = stats::rexp(300) * 100, b = stats::rnorm(300), c = stats::runif(300)^3)
)
given <- table_x[1:12, ]
in_order <- function(points) unname(points[order(points[, 1]), ])

test_that("a start is in the data's units, whatever `scale` is, its columns matched by name", {
  for (scale in list(TRUE, "ranks")) {
    fit <- landmarks(table_x, 12, by_gp(start = given, max_iterations = 0), scale = scale)
    expect_equal(in_order(coef(fit)), in_order(given), tolerance = 1e-10)
    # Steps leave less than the start.
    better <- landmarks(table_x, 12, by_gp(start = given), scale = scale)
    expect_lt(reconstruction_error(better, table_x), reconstruction_error(fit, table_x))
    # Points without names are in the order of the data's columns.
    for (start in list(given[, c("c", "a", "b")], unname(given))) {
      expect_identical(coef(landmarks(table_x, 12, by_gp(start = start), scale = scale)), coef(better))
    }
  }
  fit <- withr::with_seed(1, landmarks(table_x, 8, scale = "ranks"))
  more <- add_landmarks(fit, table_x, 3, by_gp(start = given[1:3, 3:1], max_iterations = 0))
  expect_equal(in_order(coef(more)[9:11, ]), in_order(given[1:3, ]), tolerance = 1e-10)
})

test_that("points that do not fit the data are refused alike", {
  at <- abs(given)
  renamed <- `colnames<-`(at, c("a", "bb", "c"))
  bad <- list(columns = renamed, columns = at[, 1:2], space = -at, data = at * 1e300)
  for (k in seq_along(bad)) {
    class <- paste0("landmarker_error_", names(bad)[k])
    by_start <- function() landmarks(table_x, 12, by_gp(start = bad[[k]]), space = "nonnegative")
    expect_identical(expect_error(by_start(), class = class)$arg, "start")
    own <- expect_error(as_landmarks(bad[[k]], table_x, space = "nonnegative"), class = class)
    expect_identical(own$arg, "points")
  }
})

test_that("in a constant column points have its value", {
  x <- cbind(table_x, year = 2023)
  points <- cbind(given, year = 2024)
  for (scale in list(TRUE, "ranks")) {
    for (make in list(as_landmarks, function(points, x, ...) landmarks(x, 12, by_gp(start = points), ...))) {
      expect_warning(fit <- make(points, x, scale = scale), class = "landmarker_warning_constant")
      expect_identical(unname(coef(fit)[, "year"]), rep(2023, 12))
    }
  }
})
