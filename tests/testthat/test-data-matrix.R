# What is legal gives the right result, whatever class or scale it comes in.

set.seed(1)
x <- matrix(rnorm(90), 30, 3, dimnames = list(NULL, c("a", "b", "c")))
x[abs(x) < 0.4] <- 0

fit_to <- function(x, n = 4, ...) withr::with_seed(2, landmarks(x, n, ...))

expect_same_fit <- function(fit, other, tolerance = 1e-8) {
  parts <- c("landmarks", "variance", "explained", "log_det", "nearest_distance", "bandwidth")
  for (part in parts) expect_equal(
    fit[[part]], other[[part]], tolerance = tolerance, ignore_attr = TRUE, info = part
  )
  expect_identical(fit$nearest, other$nearest)
}

test_that("double, integer and logical matrices of equal values give the same bits", {
  whole <- matrix(rep_len(c(0L, 3L, 1L, 7L, 2L, 2L, 5L), 60), 20)
  bits <- whole > 2
  largest <- .Machine$integer.max
  huge <- cbind(c(largest, -largest, 5L, largest, -7L), c(1L, -largest, 3L, largest, largest))
  for (given in list(whole, bits, huge)) {
    for (method in c("gp", "random")) for (space in c("euclidean", "nonnegative", "sphere")) {
      # Their rows are far from the sphere, and two may be one there.
      on <- function(x) quiet(fit_to(x, 2, method, space = space), c("space", "rank"))
      expect_identical(coef(on(given)), coef(on(given + 0)))
    }
    fit <- fit_to(given, 2)
    uses <- list(
      function(x) predict(fit, x), function(x) predict(fit, x, "nearest"),
      function(x) nearest_observations(fit, x)
    )
    for (use in uses) expect_identical(use(given), use(given + 0))
  }
  # Sums and squares overflow integers.
  expect_equal(fit$bandwidth, sum(diag(var(huge + 0))))
})

test_that("sparse and dense classes of Matrix give the same as the dense matrix", {
  sparse <- methods::as(x, "CsparseMatrix")
  dense <- fit_to(x)
  classes <- list(
    dgCMatrix = sparse, dgTMatrix = methods::as(sparse, "TsparseMatrix"),
    dgRMatrix = methods::as(sparse, "RsparseMatrix"), dgeMatrix = Matrix::Matrix(x, sparse = FALSE)
  )
  for (name in names(classes)) {
    expect_identical(class(classes[[name]])[1], name)
    fit <- fit_to(classes[[name]])
    expect_same_fit(fit, dense)
    expect_identical(colnames(coef(fit)), c("a", "b", "c"))
    expect_equal(predict(dense, classes[[name]]), predict(dense, x), tolerance = 1e-8)
    left <- predict(fit, x, "variance", x = classes[[name]])
    expect_equal(left, predict(dense, x, "variance", x = x), tolerance = 1e-6)
    expect_identical(fit$sparse, name != "dgeMatrix")
  }
})

test_that("patterns, logical, symmetric, triangular and diagonal matrices are taken as they are", {
  sparse <- methods::as(unname(x), "CsparseMatrix")
  # Its diagonal of ones is not stored.
  unit <- methods::new("dtCMatrix",
    i = 0:1, p = c(0L, 0L, 1L, 2L), x = c(2, 4), Dim = c(3L, 3L), uplo = "U", diag = "U"
  )
  classes <- list(
    sparse > 0.5, methods::as(sparse > 0.5, "nMatrix"), Matrix::crossprod(sparse),
    Matrix::triu(sparse[1:3, ]), unit, Matrix::Diagonal(4, c(1, 2.5, 3, 5)),
    methods::as(c(2L, 3L, 1L), "pMatrix")
  )
  for (y in classes) {
    plain <- unname(as.matrix(y) + 0)
    # Ties are broken by rounding, so compare from the same start.
    start <- by_gp(start = plain[1:2, ])
    fits <- lapply(list(y, plain), fit_to, 2, start)
    expect_true(fits[[1]]$sparse, info = class(y))
    expect_equal(sort_rows(coef(fits[[1]])), sort_rows(coef(fits[[2]])), tolerance = 1e-7, ignore_attr = TRUE)
  }
})

test_that("sparse data are not filled", {
  columns <- seq(1, by = 19, length.out = 1000)
  wide <- Matrix::sparseMatrix(i = 1:1000, j = columns, x = 1 + 1:1000 / 1000, dims = c(1000, 20000))
  skip_if_not(capabilities("profmem"), "this R does not note what is allocated")
  # Dense this would be one vector of 160 MB: none of 80 MB and more is made.
  noted <- withr::local_tempfile()
  utils::Rprofmem(noted, threshold = 8e7)
  on.exit(utils::Rprofmem(NULL))
  predict(fit_to(methods::as(wide, "TsparseMatrix"), 2), wide)
  utils::Rprofmem(NULL)
  # R also notes the pages of small objects, whatever the threshold.
  expect_identical(grep("^new page", readLines(noted), value = TRUE, invert = TRUE), character())
})

test_that("one column, empty rows and columns, stored zeros and repeated entries are only a way to store", {
  y <- x
  y[4, ] <- 0
  y[, 2] <- 0
  sparse <- Matrix::drop0(methods::as(y, "CsparseMatrix"))
  w <- c(0, 1, 2, rep(1, 27))
  expect_same_fit(fit_to(sparse, scale = TRUE, weights = w), fit_to(y, scale = TRUE, weights = w))
  one <- x[, 1, drop = FALSE]
  expect_same_fit(fit_to(methods::as(one, "CsparseMatrix")), fit_to(one), tolerance = 1e-7)
  sparse@x[c(1, 5)] <- 0
  expect_same_fit(fit_to(sparse), fit_to(as.matrix(sparse)))
  twice <- Matrix::sparseMatrix(i = c(1, 1, 2, 3, 4), j = c(1, 1, 2, 1, 2), x = c(1, 2, 3, 4, 6), repr = "T")
  expect_same_fit(fit_to(twice, 3), fit_to(as.matrix(twice), 3))
  nothing <- Matrix::Matrix(0, 5, 3, sparse = TRUE)
  expect_equal(unname(predict(fit_to(nothing, 1, bandwidth = 1), nothing)), matrix(1, 5, 1))
})

test_that("classes that only print otherwise are matrices", {
  counts <- table(c(1, 1, 2, 3, 3, 3, 4), c(1, 2, 2, 1, 2, 2, 1))
  plain <- matrix(as.vector(counts), nrow(counts), dimnames = list(NULL, c("1", "2")))
  expect_identical(coef(fit_to(counts, 2)), coef(fit_to(plain, 2)))
  series <- stats::ts(x, start = 2000, frequency = 4)
  for (other in list(series, I(x))) expect_identical(coef(fit_to(other)), coef(fit_to(x)))
  # Attributes of scale() are no class.
  expect_identical(coef(fit_to(scale(x))), coef(fit_to(scale(x)[, ])))
})

test_that("names of columns and rows survive where they belong", {
  named <- `rownames<-`(x, paste0("row", 1:30))
  fit <- fit_to(named)
  expect_identical(dimnames(coef(fit)), list(paste0("L", 1:4), c("a", "b", "c")))
  expect_null(colnames(coef(fit_to(unname(x)))))
  for (new in list(named, methods::as(named, "CsparseMatrix"), as.data.frame(named))) {
    expect_identical(dimnames(predict(fit, new)), list(rownames(named), paste0("L", 1:4)))
    expect_identical(rownames(predict(fit, new, "nearest")), rownames(named))
    expect_named(predict(fit, new, "variance", x = x), rownames(named))
  }
  expect_null(rownames(predict(fit, x)))
  # Names that come twice cannot be row names of a data frame.
  rownames(named)[2] <- "row1"
  expect_identical(rownames(predict(fit, named))[1:2], c("row1", "row1"))
  expect_identical(rownames(predict(fit, named, "nearest")), as.character(1:30))
})

test_that("sparse data far from the origin are refused, because they are never shifted", {
  far <- methods::as(cbind(x, 1e8), "CsparseMatrix")
  for (bandwidth in list("variance", "median", 1)) {
    expect_error(fit_to(far, bandwidth = bandwidth), "near the origin", class = "landmarker_error_data")
  }
  expect_error(fit_to(methods::as(x + 1e9, "CsparseMatrix"), scale = TRUE), class = "landmarker_error_data")
  near <- cbind(x, 1e4)
  expect_same_fit(fit_to(methods::as(near, "CsparseMatrix")), fit_to(near), tolerance = 1e-6)
})

test_that("weights count by their ratios, of any size", {
  fit <- fit_to(x, weights = rep(1:3, 10))
  for (times in c(2^-1060, 2^1021)) {
    expect_equal(coef(fit_to(x, weights = rep(1:3, 10) * times)), coef(fit), tolerance = 1e-10)
  }
  expect_identical(coef(fit_to(x, weights = rep(7, 30))), coef(fit_to(x)))
})

test_that("tiny and huge data are right, or refused", {
  for (scale in c(FALSE, TRUE)) {
    plain <- fit_to(x, scale = scale)
    for (unit in 2^c(-400, 490)) {
      for (y in list(x * unit, methods::as(x * unit, "CsparseMatrix"))) {
        fit <- fit_to(y, scale = scale)
        expect_equal(coef(fit) / unit, coef(plain), tolerance = 1e-6)
        expect_equal(predict(fit, y), predict(plain, x), tolerance = 1e-6)
        median <- function(x) fit_to(x, bandwidth = "median")$bandwidth
        expect_equal(median(y) / unit^2, median(x))
      }
    }
  }
})

test_that("the result of a projection may be of any numeric form", {
  base <- fit_to(x, space = "nonnegative")
  for (space in list(
    function(t) pmax(t, 0), function(t) matrix(pmax(t, 0), 1), function(t) unname(pmax(t, 0)),
    function(t) c(a = max(t[["a"]], 0), b = max(t[["b"]], 0), c = max(t[["c"]], 0))
  )) expect_equal(coef(fit_to(x, space = space)), coef(base))
  whole <- coef(fit_to(x, 2, space = function(t) as.integer(round(t))))
  expect_equal(whole, round(whole))
})
