# Data that a user's function reads part by part, and what may go wrong with it.

skip_slow_file()

roll <- function() withr::with_seed(1, unclass(sim_swiss_roll(600)))

# Parts of 100 rows, changed by `edit(part, i)`.
reader <- function(x, edit = function(part, i) part) {
  function(i) edit(x[(i - 1) * 100 + 1:100, , drop = FALSE], i)
}

test_that("a reader of matrices, frames or sparse matrices gives the fit of the data in memory", {
  x <- roll()
  sparse <- methods::as(abs(round(x / 5)), "CsparseMatrix")
  forms <- list(
    list(x, function(part, i) part),
    list(x, function(part, i) as.data.frame(part)),
    list(round(x), function(part, i) `storage.mode<-`(part, "integer")),
    list(sparse, function(part, i) part)
  )
  for (form in forms) {
    for (dims in list(NULL, c(600, 3))) {
      parts <- data_parts(dims, reader(form[[1]], form[[2]]), 6)
      expect_identical(dim(parts), c(600L, 3L))
      whole <- withr::with_seed(2, landmarks(form[[1]], 8))
      fit <- withr::with_seed(2, landmarks(parts, 8))
      expect_equal(coef(fit), coef(whole), tolerance = 1e-8)
      expect_equal(fit$log_det, whole$log_det, tolerance = 1e-10)
      expect_equal(predict(fit, parts), predict(fit, form[[1]]), tolerance = 1e-12)
    }
  }
})

test_that("parts of any length, some of them empty, are counted when they are read", {
  x <- roll()
  ends <- c(0, 10, 10, 300, 300, 599, 600)
  reads <- integer()
  read <- function(i) {
    reads <<- c(reads, i)
    x[seq_len(600) > ends[i] & seq_len(600) <= ends[i + 1], , drop = FALSE]
  }
  parts <- data_parts(c(600, 3), read, 6)
  expect_identical(reads, 1L)
  fit <- withr::with_seed(2, landmarks(parts, 8))
  expect_equal(coef(fit), coef(withr::with_seed(2, landmarks(x, 8))), tolerance = 1e-8)
  # Rows by number, before anything else was read.
  expect_identical(data_parts(c(600, 3), read, 6)[c(600, 11, 11), ], x[c(600, 11, 11), ])
  expect_identical(data_parts(NULL, read, 6)[, c(3, 1)][301:302, ], x[301:302, c(3, 1)])
  for (method in c("kmeans", "active", "dpp")) {
    got <- withr::with_seed(3, landmarks(data_parts(c(600, 3), read, 6), 8, method, bandwidth = 50))
    expect_equal(
      coef(got), coef(withr::with_seed(3, landmarks(x, 8, method, bandwidth = 50))), tolerance = 1e-8
    )
  }
})

test_that("a sample of rows for log det gives nearly the sum over all rows", {
  x <- withr::with_seed(1, unclass(sim_swiss_roll(3000)))
  weights <- withr::with_seed(2, stats::runif(3000)) * rep(c(1, 0, 1), 1000)
  points <- x[c(1, 3, 4, 6, 7), ]
  settings <- c(list(held = 0L, floor = kernel_floor), compute_with())
  some <- thinned_rows(0L, 3000L, 0.5)
  expect_lt(abs(length(some) - 1500), 6)
  for (w in list(NULL, weights)) {
    whole <- as_source(x, w)
    exact <- .Call(C_nystrom, rows_of(whole, some), points, list(bandwidth = 30), settings)$sums
    for (source in list(whole, as_source(data_parts(NULL, function(i) x[(i - 1) * 500 + 1:500, ], 6), w))) {
      got <- nystrom_over(source, points, new_kernel(30), settings, 0.5)
      expect_equal(got$sums, exact)
      expect_equal(got$total, if (is.null(w)) length(some) else sum(whole$weights[some]))
      expect_identical(got$nearest, c(1L, 3L, 4L, 6L, 7L))
      all <- nystrom_over(source, points, new_kernel(30), settings)
      expect_equal(got$sums * 2, all$sums, tolerance = 0.12)
    }
  }
})

test_that("thinned rows are as even in every phase of a period, and the same in parts", {
  all <- thinned_rows(0L, 1e5L, 0.1)
  expect_lt(abs(length(all) - 1e4), 11)
  for (period in c(2, 3, 10, 100)) {
    expect_lt(max(abs(table(factor(all %% period, 0:(period - 1))) / (1e4 / period) - 1)), 0.15)
  }
  parts <- lapply(0:9, function(i) i * 1e4L + thinned_rows(i * 1e4L, 1e4L, 0.1))
  expect_identical(unlist(parts), all)
  # Numbers beyond those of R's integers in products.
  far <- thinned_rows(2147000000L, 1e5L, 0.1)
  expect_lt(abs(length(far) - 1e4), 11)
  expect_length(thinned_rows(5L, 0L, 0.1), 0)
  expect_length(thinned_rows(0L, 5L, 1e-6), 0)
})

test_that("bad parts are errors that name the part", {
  x <- roll()
  bad <- function(edit, dims = c(600, 3)) {
    tryCatch(landmarks(data_parts(dims, reader(x, edit), 6), 5), error = identity)
  }
  in_five <- function(change) function(part, i) if (i == 5) change(part) else part
  named <- function(part) `colnames<-`(part, c("a", "b", "c"))
  errors <- list(
    width = bad(in_five(function(part) part[, 1:2])),
    reader = bad(in_five(function(part) stop("the disk is gone"))),
    strings = bad(in_five(function(part) data.frame(x = "a", y = 1, z = 2))),
    sparse = bad(in_five(function(part) methods::as(part, "CsparseMatrix"))),
    names = bad(function(part, i) if (i == 5) named(part)[, 3:1] else named(part)),
    no_names = bad(function(part, i) if (i == 5) part else named(part)),
    rows = bad(in_five(function(part) part[-1, ])),
    null = bad(in_five(function(part) NULL))
  )
  for (error in errors) expect_s3_class(error, "landmarker_error_parts")
  missing <- bad(in_five(function(part) replace(part, 103, NA)))
  expect_s3_class(missing, "landmarker_error_missing")
  told <- lapply(c(errors, list(missing)), function(error) cli::ansi_strip(conditionMessage(error)))
  expect_snapshot(writeLines(paste0(unlist(told), "\n")))
  expect_snapshot(error = TRUE, {
    data_parts(NULL, 3, 2)
    data_parts(NULL, reader(x), 0)
    data_parts(c(600, 3.5), reader(x), 6)
    data_parts(NULL, function(i) x[0, ], 2)
    landmarks(data_parts(c(600, 2), reader(x), 6), 3)
    predict(landmarks(x, 3), data_parts(NULL, function(i) x[, 1:2], 1))
    landmarks(data_parts(NULL, reader(x), 6), 700)
    landmarks(data_parts(NULL, reader(x), 6), 3, by_dpp_exact())
  })
  expect_snapshot(data_parts(NULL, reader(x), 6))
})

test_that("a missing value in new data is told with its row, and parts that change are noticed", {
  x <- roll()
  fit <- landmarks(x, 5)
  holes <- data_parts(c(600, 3), reader(x, function(part, i) if (i == 6) replace(part, 7, NaN) else part), 6)
  expect_error(predict(fit, holes), "row 507", class = "landmarker_error_missing")
  shift <- 0
  turning <- data_parts(c(600, 3), reader(x, function(part, i) if (i == 3) part + shift else part), 6)
  landmarks(turning, 5)
  shift <- 1
  expect_error(landmarks(turning, 5), "Part 3 of 6", class = "landmarker_error_parts")
  shift <- 0
  expect_no_error(landmarks(turning, 5))
})

test_that("dims that do not fit are told at every call", {
  x <- odd_matrix(400, 3)
  for (rows in c(399L, 401L)) {
    parts <- data_parts(c(rows, 3L), function(i) x[(i - 1) * 100 + 1:100, ], 4)
    for (call in 1:3) {
      expect_error(landmarks(parts, 5), paste("says", rows, "rows, and the parts have 400"),
        class = "landmarker_error_parts"
      )
    }
  }
})
