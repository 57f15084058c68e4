# The space of the landmarks: data that lie outside it, and points of the user.

flowers <- unname(as.matrix(iris[1:50, 1:4]))
counts <- as.matrix(newsgroups[1:200, 1:100])

test_that("data without a value above 0 are refused where landmarks do not go below 0", {
  expect_refused(
    landmarks(-flowers, 5, space = "nonnegative"), landmarks(-flowers, 5, space = "nonnegative_sphere")
  )
  whole <- -round(10 * flowers)
  storage.mode(whole) <- "integer"
  for (x in list(whole, methods::as(cbind(0, -flowers), "CsparseMatrix"))) {
    expect_error(landmarks(x, 2, space = "nonnegative"), class = "landmarker_error_space")
  }
  # One value is enough, wherever it stands; a row of weight 0 is no row.
  for (row in c(1, 50)) {
    one <- -flowers
    one[row, 2] <- 1
    expect_warning(landmarks(one, 2, "random", space = "nonnegative"), class = "landmarker_warning_space")
    weights <- replace(rep(1, 50), row, 0)
    for (y in list(one, methods::as(one, "CsparseMatrix"))) {
      expect_error(
        landmarks(y, 2, space = "nonnegative", weights = weights), class = "landmarker_error_space"
      )
    }
  }
  # A single one among many rows, which a look at some of them would miss.
  many <- matrix(-stats::runif(6000), 3000)
  many[1234, 1] <- 0.5
  expect_warning(landmarks(many, 2, "random", space = "nonnegative"), class = "landmarker_warning_space")
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
  withr::local_seed(1)
  expect_snapshot(fit <- landmarks(counts, 2, "random", space = "nonnegative_sphere"))
  expect_snapshot(fit <- landmarks(newsgroups[1:200, 1:100], 2, "random", space = "nonnegative_sphere"))
  # Not of whole numbers of length 1, nor of counts where any length will do.
  few <- hellinger(counts[rowSums(counts) > 0, ])
  for (x in list(few, diag(5)[rep(1:5, 3), ])) {
    expect_no_warning(landmarks(x, 2, "random", space = "nonnegative_sphere"))
  }
  expect_no_warning(landmarks(counts, 2, "random", space = "nonnegative"))
})

test_that("rows far from the sphere are told, rows near it are not", {
  withr::local_seed(1)
  expect_snapshot(fit <- landmarks(flowers, 2, "random", space = "sphere"))
  unit <- flowers / sqrt(rowSums(flowers^2))
  for (times in c(1, 0.6, 1.9)) {
    expect_no_warning(quiet(landmarks(times * unit, 2, "random", space = "sphere")))
  }
  for (times in c(0.4, 2.1)) for (x in list(times * unit, methods::as(times * unit, "CsparseMatrix"))) {
    expect_warning(landmarks(x, 2, "random", space = "sphere"), class = "landmarker_warning_space")
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
  refused <- function(points, kind) {
    class <- paste0("landmarker_error_", kind)
    start <- expect_error(landmarks(table_x, nrow(points), by_gp(start = points), space = "nonnegative"),
      class = class)
    expect_identical(start$arg, "start")
    expect_identical(
      expect_error(as_landmarks(points, table_x, space = "nonnegative"), class = class)$arg, "points"
    )
  }
  refused(`colnames<-`(abs(given), c("a", "bb", "c")), "columns")
  refused(abs(given)[, 1:2], "columns")
  refused(-abs(given), "space")
  refused(abs(given) * 1e300, "data")
  expect_refused(
    landmarks(table_x, 12, by_gp(start = `colnames<-`(given, c("a", "bb", "c"))), scale = TRUE),
    landmarks(table_x, 11, by_gp(start = given), scale = TRUE)
  )
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
