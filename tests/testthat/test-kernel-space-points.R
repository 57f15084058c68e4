# Points that a user gives: as_landmarks() and by_gp(start = ) take them by the same rules.

table_x <- withr::with_seed(
  1, cbind(a = stats::rexp(300) * 100, b = stats::rnorm(300), c = stats::runif(300)^3)
)
given <- table_x[1:12, ]
in_order <- function(points) unname(points[order(points[, 1]), ])

test_that("a start is in the data's units, whatever `scale` is", {
  for (scale in list(TRUE, "ranks")) {
    as_they_are <- as_landmarks(given, table_x, scale = scale)
    fit <- landmarks(table_x, 12, by_gp(start = given, max_iterations = 0), scale = scale)
    expect_equal(in_order(coef(fit)), in_order(given), tolerance = 1e-10)
    expect_equal(sum(reconstruction_error(fit, table_x)), sum(reconstruction_error(as_they_are, table_x)))
    # Steps leave less than the start.
    better <- landmarks(table_x, 12, by_gp(start = given), scale = scale)
    left <- function(fit) utils::tail(reconstruction_error(fit, table_x), 1)
    expect_lt(left(better), left(as_they_are))
  }
})

test_that("columns of a start are matched by name", {
  fit <- landmarks(table_x, 12, by_gp(start = given), scale = TRUE)
  turned <- given[, c("c", "a", "b")]
  expect_identical(coef(landmarks(table_x, 12, by_gp(start = turned), scale = TRUE)), coef(fit))
  # Points without names are in the order of the data's columns.
  expect_identical(coef(landmarks(table_x, 12, by_gp(start = unname(given)), scale = TRUE)), coef(fit))
})

test_that("landmarks that are added start in the data's units", {
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
  expect_snapshot(error = TRUE, {
    landmarks(table_x, 12, by_gp(start = `colnames<-`(given, c("a", "bb", "c"))), scale = TRUE)
    landmarks(table_x, 11, by_gp(start = given), scale = TRUE)
  })
})

test_that("in a constant column points have its value", {
  x <- cbind(table_x, year = 2023)
  points <- cbind(given, year = 2024)
  for (scale in list(TRUE, "ranks")) {
    expect_warning(fit <- as_landmarks(points, x, scale = scale), class = "landmarker_warning_constant")
    expect_identical(unname(coef(fit)[, "year"]), rep(2023, 12))
    expect_warning(
      started <- landmarks(x, 12, by_gp(start = points), scale = scale), class = "landmarker_warning_constant"
    )
    expect_identical(unname(coef(started)[, "year"]), rep(2023, 12))
  }
})
