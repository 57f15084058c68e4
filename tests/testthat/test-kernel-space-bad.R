# Data that do not lie in the space of the landmarks: the cause is named.

flowers <- unname(as.matrix(iris[1:50, 1:4]))
counts <- as.matrix(newsgroups[1:200, 1:100])
methods <- list("gp", "random", "kmeans", "active", "dpp")

# Projected rows may lie off the data, which is another warning.
untold <- function(expr) suppressWarnings(expr, "landmarker_warning_off_data")

test_that("data without a value above 0 are refused where landmarks do not go below 0", {
  expect_refused(
    landmarks(-flowers, 5, space = "nonnegative"),
    landmarks(-flowers, 5, space = "nonnegative_sphere")
  )
  for (method in methods) {
    expect_error(landmarks(-flowers, 2, method, space = "nonnegative"), class = "landmarker_error_space")
  }
  sparse <- methods::as(cbind(0, -flowers), "CsparseMatrix")
  expect_error(landmarks(sparse, 2, space = "nonnegative"), class = "landmarker_error_space")
  whole <- -round(10 * flowers)
  storage.mode(whole) <- "integer"
  expect_error(landmarks(whole, 2, space = "nonnegative"), class = "landmarker_error_space")
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
  expect_warning(landmarks(some(0.4), 2, "random", space = "nonnegative"), NA)
  expect_warning(landmarks(methods::as(some(0.4), "CsparseMatrix"), 2, "random", space = "nonnegative"), NA)
  expect_warning(untold(landmarks(flowers - 2, 2, "random", space = "nonnegative")), NA)
})

test_that("raw counts on the sphere: hellinger() is named", {
  withr::local_seed(1)
  expect_snapshot(fit <- landmarks(counts, 2, "random", space = "nonnegative_sphere"))
  expect_snapshot(fit <- landmarks(newsgroups[1:200, 1:100], 2, "random", space = "nonnegative_sphere"))
  for (method in methods) {
    fit <- function() landmarks(counts, 2, method, space = "nonnegative_sphere")
    expect_warning(fit(), class = "landmarker_warning_space")
  }
  few <- counts[rowSums(counts) > 0, ]
  expect_warning(landmarks(hellinger(few), 2, "random", space = "nonnegative_sphere"), NA)
  expect_warning(landmarks(hellinger(few), 2, "random", space = "nonnegative"), NA)
  # Whole numbers of length 1, and counts where any length will do.
  expect_warning(landmarks(diag(5)[rep(1:5, 3), ], 2, "random", space = "nonnegative_sphere"), NA)
  expect_warning(landmarks(counts, 2, "random", space = "nonnegative"), NA)
})

test_that("rows far from the sphere are told, rows near it are not", {
  withr::local_seed(1)
  expect_snapshot(fit <- landmarks(flowers, 2, "random", space = "sphere"))
  unit <- flowers / sqrt(rowSums(flowers^2))
  for (times in c(1, 0.6, 1.9)) expect_warning(
    untold(landmarks(times * unit, 2, "random", space = "sphere")), NA
  )
  for (times in c(0.4, 2.1)) {
    expect_warning(landmarks(times * unit, 2, "random", space = "sphere"), class = "landmarker_warning_space")
    sparse <- methods::as(times * unit, "CsparseMatrix")
    expect_warning(landmarks(sparse, 2, "random", space = "sphere"), class = "landmarker_warning_space")
  }
})
