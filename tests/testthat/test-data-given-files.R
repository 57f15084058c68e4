# Matrices whose values are in files: HDF5 by DelayedArray, and big.matrix.

skip_slow_file()

roll <- function(n = 3000) withr::with_seed(1, unname(unclass(sim_swiss_roll(n))))

test_that("blocks follow the chunks of the file and the limit of memory", {
  x <- roll()
  h <- in_hdf5(x, chunkdim = c(300L, 3L))
  rows <- function(limit) {
    small_blocks(limit)
    in_parts(h, "x", NULL)$seen$rows
  }
  expect_identical(rows(1e8), 3000L)
  expect_identical(rows(24 * 700), rep(600L, 5))
  # A chunk of up to twice the limit is read as a whole, a larger one in equal shares.
  expect_identical(rows(24 * 200), rep(300L, 10))
  expect_identical(rows(24 * 100), rep(100L, 30))
  expect_identical(unique(rows(24 * 7)), c(7L, 4L))
})

test_that("HDF5 gives the results of the data in memory", {
  x <- roll()
  h <- in_hdf5(x, chunkdim = c(300L, 3L))
  small_blocks()
  fit <- withr::with_seed(2, landmarks(h, 20))
  whole <- withr::with_seed(2, landmarks(x, 20))
  # Random batches are in single precision, whose rounding turns with the last bits of the means.
  expect_equal(coef(fit), coef(whole), tolerance = 1e-5)
  expect_equal(fit$log_det, whole$log_det, tolerance = 1e-6)
  expect_equal(predict(fit, h), predict(fit, x), tolerance = 1e-12)
  expect_equal(predict(fit, h, "nearest"), predict(fit, x, "nearest"), tolerance = 1e-12)
  expect_equal(predict(fit, h, "variance", x = h), predict(fit, x, "variance", x = x), tolerance = 1e-8)
  expect_equal(reconstruction_error(fit, h), reconstruction_error(fit, x), tolerance = 1e-10)
  expect_equal(nearest_observations(fit, h), nearest_observations(fit, x), tolerance = 1e-10)
  map <- suppressWarnings(embed_landmarks(fit, h))
  expect_equal(predict(map, h), predict(map, x), tolerance = 1e-12)
  for (method in c("active", "dpp", "random", "kmeans")) {
    expect_equal(
      coef(withr::with_seed(3, suppressWarnings(landmarks(h, 12, method)))),
      coef(withr::with_seed(3, suppressWarnings(landmarks(x, 12, method)))),
      tolerance = 1e-8
    )
  }
  expect_error(landmarks(h, 3, by_dpp_exact()), class = "landmarker_error_parts")
})

test_that("sparse HDF5 with observations in columns stays sparse, transposed lazily", {
  counts <- withr::with_seed(1, matrix(stats::rpois(900 * 40, 0.3), 40))
  cells <- methods::as(counts, "CsparseMatrix")
  dimnames(cells) <- list(paste0("g", 1:40), NULL)
  h <- in_hdf5(cells, as.sparse = TRUE, with.dimnames = TRUE, chunkdim = c(40L, 90L))
  small_blocks()
  expect_true(DelayedArray::is_sparse(t(h)))
  fit <- withr::with_seed(2, landmarks(t(h), 10))
  whole <- withr::with_seed(2, landmarks(Matrix::t(cells), 10))
  expect_true(fit$sparse)
  expect_equal(coef(fit), coef(whole), tolerance = 1e-7)
  expect_identical(colnames(coef(fit)), rownames(cells))
  expect_equal(predict(fit, t(h)), predict(fit, Matrix::t(cells)), tolerance = 1e-12, ignore_attr = TRUE)
})

test_that("the file of 10x Genomics is read as sparse rows", {
  skip_if_not_installed("HDF5Array")
  skip_if_not_installed("rhdf5")
  cells <- methods::as(withr::with_seed(1, matrix(stats::rpois(300 * 40, 0.3), 40)), "CsparseMatrix")
  file <- withr::local_tempfile(fileext = ".h5")
  rhdf5::h5createFile(file)
  rhdf5::h5createGroup(file, "m")
  parts <- list(
    data = cells@x, indices = cells@i, indptr = cells@p, shape = dim(cells), genes = paste0("g", 1:40),
    barcodes = paste0("c", 1:300)
  )
  for (name in names(parts)) rhdf5::h5write(parts[[name]], file, paste0("m/", name))
  rhdf5::h5errorHandling("normal")
  x <- tryCatch(
    t(HDF5Array::TENxMatrix(file, "m")), error = function(e) skip("HDF5Array cannot read its own format")
  )
  small_blocks()
  fit <- withr::with_seed(2, landmarks(x, 5))
  expect_true(fit$sparse)
  expect_equal(coef(fit), coef(withr::with_seed(2, landmarks(Matrix::t(cells), 5))),
    tolerance = 1e-7, ignore_attr = TRUE
  )
})

test_that("a big.matrix gives the results of the data in memory", {
  skip_if_not_installed("bigmemory")
  x <- roll()
  folder <- withr::local_tempdir()
  big <- bigmemory::as.big.matrix(x, backingpath = folder, backingfile = "x.bin", descriptorfile = "x.desc")
  fit <- withr::with_seed(2, landmarks(big, 20))
  expect_equal(coef(fit), coef(withr::with_seed(2, landmarks(x, 20))), tolerance = 1e-7)
  expect_equal(predict(fit, big), predict(fit, x), tolerance = 1e-12)
})

test_that("matrices that cannot be read are refused", {
  skip_if_not_installed("HDF5Array")
  expect_snapshot(error = TRUE, {
    landmarks(DelayedArray::DelayedArray(matrix("a", 3, 2)), 1)
    landmarks(DelayedArray::DelayedArray(matrix(0, 0, 2)), 1)
  })
  holes <- in_hdf5(replace(roll(), 5, NA))
  expect_error(landmarks(holes, 3), "row 5", class = "landmarker_error_missing")
  fit <- quiet(landmarks(roll(), 3))
  expect_error(predict(fit, holes), "row 5", class = "landmarker_error_missing")
})

test_that("subscripts outside the data, and other wrong uses, are classed errors", {
  x <- roll(60)
  parts <- cut_data(`colnames<-`(x, c("a", "b", "c")), 3)
  expect_identical(parts[c(TRUE, FALSE), "c"], x[c(TRUE, FALSE), 3, drop = FALSE], ignore_attr = TRUE)
  expect_identical(parts[-(1:59), ], x[60, , drop = FALSE], ignore_attr = TRUE)
  fit <- landmarks(x, 3)
  expect_snapshot(error = TRUE, {
    parts[61, ]
    parts["a", ]
    parts[, 4]
    parts[, "z"]
    generics::augment(fit, newdata = cut_data(x, 2))
    landmarks(~., parts, 3)
    predict(fit, x, sink = "a.csv")
    predict(fit, x, sink = "no/such/folder/a.h5")
    predict(fit, x[0, ], sink = "a.h5")
  })
  withr::local_options(landmarker.memory = "a")
  expect_error(landmarks(parts, 3), class = "landmarker_error_option")
})

test_that("random numbers that a reader draws do not change a fit", {
  x <- roll(600)
  noisy <- data_parts(c(600, 3), function(i) {
    stats::runif(2)
    x[(i - 1) * 200 + 1:200, ]
  }, 3)
  for (method in c("random", "kmeans", "dpp")) {
    got <- withr::with_seed(1, suppressWarnings(landmarks(noisy, 5, method)))
    expect_equal(
      coef(got), coef(withr::with_seed(1, suppressWarnings(landmarks(x, 5, method)))), tolerance = 1e-8
    )
  }
})
