# Covariances of the rows around landmarks.

skip_slow_file()

x <- odd_matrix(300, 3)
x[, 3] <- x[, 1]^2 + 0.1 * x[, 3]
colnames(x) <- c("a", "b", "c")
fit <- as_landmarks(x[1:25, ], x, bandwidth = 1)

weights_of <- function(...) landmark_graph(...)$weights

test_that("covariances are cov() of the nearest rows, whatever the data are stored as", {
  for (m in c(2, 17, 300)) {
    for (full in c(FALSE, TRUE)) {
      got <- covs_as_list(fit, x, m, full)
      expect_equal(got, naive_covariances(fit, x, m, full), tolerance = 1e-12)
      scaled <- as_landmarks(x[1:25, ], x, scale = TRUE)
      expect_equal(
        covs_as_list(scaled, x, m, full), naive_covariances(scaled, x, m, full),
        tolerance = 1e-12
      )
    }
  }
  case <- sparse_case()
  for (scale in c(FALSE, TRUE)) {
    for (full in c(FALSE, TRUE)) {
      for (form in case) {
        on <- as_landmarks(as.matrix(case$dense[1:9, ]), form, scale = scale)
        expect_equal(
          covs_as_list(on, form, 13, full), naive_covariances(on, form, 13, full),
          tolerance = 1e-12
        )
      }
      expect_equal(
        covs_as_list(on, case$sparse, 13, full), covs_as_list(on, case$dense, 13, full),
        tolerance = 1e-12
      )
    }
  }
  whole <- matrix(as.integer(7 * odd_matrix(50, 4)), 50, 4)
  on <- as_landmarks(whole[1:5, ] + 0.5, whole)
  expect_equal(covs_as_list(on, whole, 50, TRUE), naive_covariances(on, whole, 50, TRUE), tolerance = 1e-12)
})

test_that("rows of weight 0 have no part in covariances, and other weights none either", {
  weights <- rep(c(0, 1, 3), 100)
  source <- landmarker:::as_source(x, weights)
  got <- landmarker:::local_covariances(fit, source, 12, "full", NULL)
  want <- naive_covariances(fit, x[weights > 0, ], 12, TRUE)
  expect_equal(got, simplify2array(want), tolerance = 1e-12)
})

test_that("the default neighborhoods overlap", {
  around <- landmarker:::covariance_rows
  expect_equal(around(1000, c(50, 4), "diagonal"), 60)
  expect_equal(around(1000, c(900, 4), "diagonal"), 10)
  expect_equal(around(1000, c(900, 30), "full"), 31)
  expect_equal(around(7, c(5, 30), "full"), 7)
})

test_that("covariances of the fit are used where x is not given, in the data's units", {
  scaled <- as_landmarks(x[1:25, ], x, scale = TRUE)
  for (full in c(FALSE, TRUE)) {
    m <- rows_of_covariance(scaled, x, full)
    units <- outer(scaled$factor, scaled$factor)
    in_units <- lapply(naive_covariances(scaled, x, m, full), function(c) c / units)
    brought <- scaled
    brought$covariance <- if (full) simplify2array(in_units) else t(vapply(in_units, diag, numeric(3)))
    kind <- if (full) "full" else "diagonal"
    made <- weights_of(scaled, x, 6, "bhattacharyya", covariance = kind)
    expect_equal(weights_of(brought, NULL, 6, "bhattacharyya"), made, tolerance = 1e-9)
    # With x they are not looked at.
    brought$covariance <- matrix(0, 25, 3)
    expect_identical(weights_of(brought, x, 6, "bhattacharyya", covariance = kind), made)
  }
})

test_that("flat neighborhoods have a finite distance by the ridge", {
  flat <- cbind(x[, 1:2], 1, x[, 1] + x[, 2])
  on <- as_landmarks(flat[1:20, ], flat)
  m <- rows_of_covariance(on, flat, TRUE)
  g <- quietly(landmark_graph(on, flat, 5, "bhattacharyya", covariance = "full"))
  squared <- naive_squared(on, with_ridge(naive_covariances(on, flat, m, TRUE), 0.001))
  expect_equal(as.matrix(g$weights), naive_graph(squared, 5, g$sigma), tolerance = 1e-7)
  # A few neighborhoods of repeated rows among others.
  twice <- rbind(x, x[rep(1, 150), ])
  on <- as_landmarks(x[1:10, ], twice)
  expect_s3_class(quietly(landmark_graph(on, twice, 3, "bhattacharyya")), "landmark_graph")
})
