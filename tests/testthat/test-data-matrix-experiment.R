# Experiments of Bioconductor: the columns are the observations.

skip_slow_file()

skip_if_not_installed("SummarizedExperiment")
skip_if_not_installed("SingleCellExperiment")

set.seed(1)
counts <- matrix(rpois(20 * 60, rep(1:3, each = 20 * 20)), 20, 60)
dimnames(counts) <- list(paste0("gene", 1:20), paste0("cell", 1:60))
logs <- log1p(counts)
parts <- stats::prcomp(t(logs), rank. = 3)$x
cells <- suppressPackageStartupMessages(SingleCellExperiment::SingleCellExperiment(
  list(counts = counts, logcounts = logs),
  # As scater keeps them.
  reducedDims = list(PCA = structure(parts, percentVar = c(60, 30, 10)))
))
cells$batch <- rep(1:2, 30)

expect_same_use <- function(cells, x, ...) {
  fit <- withr::with_seed(2, landmarks(cells, 4, ...))
  other <- withr::with_seed(2, landmarks(x, 4))
  expect_equal(coef(fit), coef(other))
  uses <- list(
    predict, function(fit, x) nearest_observations(fit, x, 1), function(fit, x) sketch_rows(fit, x, 9),
    function(fit, x) coef(add_landmarks(fit, x, 2)), function(fit, x) coef(refine_landmarks(fit, x, 1))
  )
  for (use in uses) expect_equal(use(fit, cells), use(other, x))
  expect_equal(predict(fit, cells[, 3:5]), predict(other, x[3:5, ]))
  expect_identical(add_landmarks(fit, cells, 2)$experiment, fit$experiment)
  fit
}

test_that("an assay is taken by name, by number or by rule", {
  fit <- expect_same_use(cells, t(logs))
  expect_identical(fit$experiment, list(assay = "logcounts", dimred = NULL))
  expect_identical(fit$call, quote(landmarks(x = cells, n = 4)))
  fit <- expect_same_use(cells, t(counts), assay = 1)
  expect_identical(fit$experiment, list(assay = "counts", dimred = NULL))
  unnamed <- SummarizedExperiment::SummarizedExperiment(list(logs))
  expect_identical(coef(fit_to(unnamed, 4)), coef(fit_to(t(logs), 4)))
  expect_identical(coef(update(fit, assay = "logcounts")), coef(landmarks(cells, 4)))
  # The genes may come in another order.
  fit <- landmarks(cells, 3)
  expect_equal(predict(fit, cells[20:1, ]), predict(fit, cells))
})

test_that("a reduced dimension is taken by name", {
  fit <- expect_same_use(cells, parts, dimred = "PCA")
  expect_identical(fit$experiment, list(assay = NULL, dimred = "PCA"))
  expect_identical(dim(predict(update(fit, n = 2), cells)), c(60L, 2L))
})

test_that("sparse and delayed assays stay so", {
  sparse <- cells
  SummarizedExperiment::assay(sparse, "logcounts") <- methods::as(logs, "CsparseMatrix")
  fit <- expect_same_use(sparse, methods::as(t(logs), "CsparseMatrix"))
  expect_true(fit$sparse)
  skip_if_not_installed("HDF5Array")
  delayed <- cells
  SummarizedExperiment::assay(delayed, "logcounts") <- HDF5Array::writeHDF5Array(logs, with.dimnames = TRUE)
  expect_same_use(delayed, t(logs))
})

test_that("functions without a fit take the assay of the rule, augment() what is known of cells", {
  y <- rep(c("a", "b"), 30)
  compared <- function(x) cv_landmarks(x, y, n = 3, methods = "random", folds = 2, seeds = 1)
  cv <- compared(cells)
  expect_equal(cv$summary$accuracy, compared(t(logs))$summary$accuracy)
  expect_identical(predict(cv, cells), predict(cv, t(logs)))
  grid <- unname(t(logs)[c(1, 30, 60), ])
  fit <- as_landmarks(grid, cells)
  expect_equal(coef(fit), coef(as_landmarks(grid, t(logs))))
  expect_identical(names(augment(fit, cells)), c(".rownames", "batch", ".landmark", ".distance"))
})

test_that("rows with missing values are left out", {
  holes <- cells
  SummarizedExperiment::assay(holes, "logcounts")[2, 7] <- NA
  fit <- landmarks(holes, 3, na.action = stats::na.omit)
  expect_identical(unclass(na.action(fit)), c(cell7 = 7L))
  w <- predict(fit, holes, na.action = stats::na.pass)
  expect_identical(rownames(w)[is.na(w[, 1])], "cell7")
  expect_refused(landmarks(holes, 3))
})

test_that("the first assay is told of where there is no other rule", {
  raw <- SummarizedExperiment::SummarizedExperiment(list(raw = counts, other = counts))
  rlang::reset_message_verbosity("landmarker_assay")
  withr::local_options(rlib_message_verbosity = "verbose")
  expect_message(fit <- landmarks(raw, 2), class = "landmarker_message_assay")
  expect_identical(fit$experiment$assay, "raw")
  expect_snapshot(invisible(landmarks(raw, 2)))
  expect_no_message(landmarks(raw, 2, assay = 1))
  expect_no_message(landmarks(raw[, 1:9], 2, assay = "other"))
  expect_no_message(predict(fit, raw))
})

test_that("assays and dimensions that are not there are refused", {
  plain <- SummarizedExperiment::SummarizedExperiment(list(counts))
  cube <- SummarizedExperiment::SummarizedExperiment(list(a = array(1:24, c(3, 4, 2))))
  odd <- SummarizedExperiment::SummarizedExperiment(list(matrix(1:20, 4), matrix(1:20, 4)))
  SummarizedExperiment::assayNames(odd) <- c("", "b")
  expect_refused(
    landmarks(cells, 2, assay = "normal"), landmarks(cells, 2, assay = 3),
    landmarks(cells, 2, dimred = "TSNE"), landmarks(cells, 2, assay = 1, dimred = "PCA"),
    landmarks(plain, 2, dimred = "PCA"), landmarks(plain, 2, assay = "counts"),
    landmarks(SummarizedExperiment::SummarizedExperiment(), 2), landmarks(cells[, 0], 2),
    predict(landmarks(cells, 2, dimred = "PCA"), plain), landmarks(cube, 3), landmarks(odd, 3, assay = "")
  )
})
