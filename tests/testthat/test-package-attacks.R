# Faults that attacks on the package found, each mended.

x <- odd_matrix(200, 3)

test_that("values that a later reading makes bad are refused by every method", {
  for (bad in c(NaN, 1e308)) {
    for (method in c("random", "gp", "kmeans", "dpp", "active")) {
      readings <- 0
      read <- function(k) {
        readings <<- readings + 1
        block <- x[1:50 + 50 * (k - 1), ]
        # The first reading of all chunks is sound, and few rows are compared with it later.
        if (readings > 5) block[7, 2] <- bad
        block
      }
      set.seed(1)
      expect_error(landmarks(chunked(1:4, read, sample = 150), 4, method), class = "landmarker_error")
    }
  }
})

test_that("columns must have names, or none", {
  named <- x
  colnames(named) <- c(NA, "a", "b")
  sparse <- Matrix::Matrix(named, sparse = TRUE)
  for (data in list(named, sparse)) {
    e <- expect_error(landmarks(data, 3), "name of column 1 is NA", class = "landmarker_error_columns")
    expect_identical(e$arg, "x")
  }
})

test_that("columns of data frames keep names that are not R's, and differ", {
  data <- data.frame(a = x[, 1])
  data[["b`c"]] <- x[, 2]
  data[["b\\c"]] <- x[, 3]
  expect_identical(colnames(coef(landmarks(data, 2))), names(data))
  levels <- data.frame(f = rep(c("z`w", "zw"), 100), fzw = x[, 1])
  fit <- landmarks(levels, 2)
  expect_identical(colnames(coef(fit)), c("fz`w", "fzw.1", "fzw"))
  expect_identical(dim(predict(fit, levels[1:3, ])), c(3L, 2L))
  for (name in c("...", "..1", ".", strrep("x", 8200))) {
    data <- stats::setNames(data.frame(x[, 1]), name)
    fit <- landmarks(data, 2)
    expect_identical(colnames(coef(fit)), name)
    expect_identical(dim(predict(fit, data)), c(200L, 2L))
  }
})

test_that("numbers are printed where the mark of decimals is a comma", {
  fit <- landmarks(odd_matrix(1200, 2), 3)
  rlang::local_options(OutDec = ",")
  expect_no_warning(said <- utils::capture.output(print(fit)))
  expect_match(said[1], "1.200 observations", fixed = TRUE)
})

test_that("the same call gives the same fit, its method included", {
  method <- function() {
    set.seed(1)
    landmarks(x, 3)$method
  }
  expect_identical(method(), method())
  expect_lt(length(serialize(by_gp(), NULL)), 5000)
})

test_that("numbers of other classes are refused, and those of R's own become plain", {
  expect_error(landmarks(x, structure(3, class = "unit")), class = "landmarker_error")
  expect_error(landmarks(x, 3, bandwidth = structure(3, class = "integer64")), class = "landmarker_error")
  fit <- landmarks(x, table(rep(1, 12))[1])
  expect_length(fit, 12)
  expect_error(landmark_graph(fit, sigma = structure(1, class = "unit")), class = "landmarker_error")
  expect_identical(suppressWarnings(landmark_graph(fit, sigma = I(1)))$sigma, 1)
})

test_that("only predict() and update() evaluate the code of a formula in a fit", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  data <- data.frame(a = x[, 1], b = x[, 2])
  fit <- landmarks(~ log(a^2 + 1) + b, data, 6, bandwidth = 3)
  marked <- rlang::new_environment()
  crafted <- fit
  crafted$blueprint$code[[2]] <- bquote({
    assign("ran", TRUE, .(marked))
    b
  })
  for (use in list(print, plot, summary, coef, formula, tidy, glance, as.data.frame, format, str)) {
    suppressMessages(utils::capture.output(use(crafted)))
  }
  expect_null(marked$ran)
  predict(crafted, data)
  expect_true(marked$ran)
})
