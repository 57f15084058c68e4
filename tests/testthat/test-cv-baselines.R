# Features that are not landmarks.

test_that("NMF finds the parts that the data are made of", {
  skip_if_not_installed("NMF")
  withr::local_seed(1)
  h <- rbind(c(1, 1, 0, 0, 0, 0), c(0, 0, 3, 1, 0, 0), c(0, 0, 0, 0, 1, 2))
  w <- matrix(stats::rexp(200 * 3), 200)
  x <- `colnames<-`(w %*% h, letters[1:6])
  # The updates go slowly at the end.
  fit <- nmf_features(x, 3, iterations = 3000)
  expect_equal(unname(rowSums(fit$basis)), rep(1, 3))
  order <- apply(h, 1, function(part) which.max(fit$basis %*% part))
  expect_equal(unname(fit$basis[order, ]), h / rowSums(h), tolerance = 0.02)
  share <- unname(predict(fit, x))
  expect_equal(rowSums(share), rep(1, 200))
  mass <- w * rep(rowSums(h), each = 200)
  expect_equal(share[, order], mass / rowSums(mass), tolerance = 0.03)
  # A row's features are its own, whatever stands beside it, and columns are matched by name.
  expect_equal(unname(predict(fit, rbind(1e9 * x[1, ], x[2, ])))[2, ], share[2, ], tolerance = 1e-6)
  expect_identical(predict(fit, x[, 6:1]), predict(fit, x))
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

test_that("raw features are the data, by name and in the kernel's units", {
  x <- `colnames<-`(odd_matrix(10, 3), c("a", "b", "c"))
  expect_identical(predict(raw_features(x), x[, 3:1]), x)
  expect_equal(predict(raw_features(as.data.frame(x)), as.data.frame(x)), x)
  expect_identical(typeof(predict(raw_features(x > 0), x > 0)), "double")
  scaled <- x / rep(apply(x, 2, stats::sd), each = 10)
  expect_equal(predict(raw_features(x, scale = TRUE), x), scaled)
  constant <- cbind(x, d = 2023, e = c(0.3, 3 * 0.1))
  expect_equal(predict(raw_features(constant, scale = TRUE), constant), cbind(scaled, d = 0, e = 0))
  skip_if_not_installed("NMF")
  parts <- function(x, ...) withr::with_seed(1, nmf_features(abs(x), 2, 20, ...))
  a <- parts(x, scale = TRUE)
  by_hand <- abs(x) / rep(apply(abs(x), 2, stats::sd), each = 10)
  expect_equal(parts(constant, scale = TRUE)$basis[, 4:5], matrix(0, 2, 2), ignore_attr = TRUE)
  expect_equal(a$basis, parts(by_hand)$basis, tolerance = 1e-4)
  expect_equal(predict(a, abs(x)), predict(parts(by_hand), by_hand), tolerance = 1e-4)
})
