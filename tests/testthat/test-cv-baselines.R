# Features that are not landmarks.

test_that("NMF finds the parts that the data are made of", {
  skip_if_not_installed("NMF")
  withr::local_seed(1)
  h <- rbind(c(1, 1, 0, 0, 0, 0), c(0, 0, 3, 1, 0, 0), c(0, 0, 0, 0, 1, 2))
  w <- matrix(stats::rexp(200 * 3), 200)
  x <- w %*% h
  # The updates go slowly at the end.
  fit <- nmf_features(x, 3, iterations = 3000)
  expect_equal(rowSums(fit$basis), rep(1, 3))
  order <- apply(h, 1, function(part) which.max(fit$basis %*% part))
  expect_equal(fit$basis[order, ], h / rowSums(h), tolerance = 0.02)
  share <- predict(fit, x)
  expect_equal(rowSums(share), rep(1, 200))
  mass <- w * rep(rowSums(h), each = 200)
  expect_equal(share[, order], mass / rowSums(mass), tolerance = 0.03)
  # Rows of new data by themselves, whatever stands beside them.
  expect_equal(predict(fit, x[5:6, ])[1, ], share[5, ], tolerance = 1e-6)
})

test_that("NMF stands rows and columns of zeros, sparse data and data frames", {
  skip_if_not_installed("NMF")
  x <- rbind(0, cbind(diag(4), 0))
  fits <- lapply(list(x, Matrix::Matrix(x, sparse = TRUE), as.data.frame(x)), function(x) {
    withr::with_seed(1, nmf_features(x, 2, 30))
  })
  expect_true(all(is.finite(predict(fits[[1]], x))))
  for (other in fits[-1]) expect_equal(unname(other$basis), unname(fits[[1]]$basis))
})

test_that("raw features are the data", {
  x <- odd_matrix(10, 3)
  expect_identical(predict(raw_features(x), x), x)
  frame <- as.data.frame(x)
  expect_equal(unname(predict(raw_features(frame), frame)), x)
  expect_identical(typeof(predict(raw_features(x > 0), x > 0)), "double")
})

test_that("columns are matched by their names", {
  x <- abs(odd_matrix(20, 3))
  colnames(x) <- c("a", "b", "c")
  expect_identical(predict(raw_features(x), x[, 3:1]), x)
  skip_if_not_installed("NMF")
  parts <- nmf_features(x, 2, 20)
  expect_identical(predict(parts, x[, 3:1]), predict(parts, x))
  # A row's features are its own, whatever the size of the others.
  expect_equal(predict(parts, rbind(1e9 * x[1, ], x[2, ]))[2, ], predict(parts, x[2, , drop = FALSE])[1, ])
})
