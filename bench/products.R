# The blocked products against OpenBLAS's, features against what else makes them,
# and a pass over all rows against dgemv. Run with R on OpenBLAS.
source("bench/tools.R")
library(landmarker)
# The bare BLAS: by default R first looks through the operands for NaN.
options(matprod = "blas")

x <- mnist()
if (is.null(x)) quit(status = 0)
set.seed(1)
points <- x[sample.int(nrow(x), 100), ]
fit <- as_landmarks(points, x[1:1000, ], space = "nonnegative", bandwidth = 52.8)
phi <- predict(fit, x[1:5000, ], "features")
how <- landmarker:::compute_with()
gflop <- function(rows, columns, depth) 2e-9 * as.double(rows) * columns * depth

# The core's products as a routine of their own: the package has no entry for one of them.
compiled_product <- function() {
  folder <- tempfile("product")
  dir.create(folder)
  file.copy("bench/product.c", folder)
  flags <- paste0("PKG_CPPFLAGS = -I", normalizePath("src"))
  openmp <- c("PKG_CFLAGS = $(SHLIB_OPENMP_CFLAGS)", "PKG_LIBS = $(SHLIB_OPENMP_CFLAGS)")
  writeLines(c(flags, openmp), file.path(folder, "Makevars"))
  program <- file.path(R.home("bin"), "R")
  withr::with_dir(folder, system2(program, c("CMD", "SHLIB", "product.c"), stdout = FALSE))
  getNativeSymbolInfo("product", dyn.load(file.path(folder, paste0("product", .Platform$dynlib.ext))))
}

if (blas_name() == "OpenBLAS") {
  heading("Products: GFLOP/s and ratios, two threads")
  t <- in_turn(
    features = function() predict(fit, x, "features"),
    blas = function() tcrossprod(x, points),
    kernlab = function() {
      if (!requireNamespace("kernlab", quietly = TRUE)) return()
      # As its users run it, with R's own look for NaN.
      options(matprod = "default")
      kernlab::kernelMatrix(kernlab::rbfdot(1 / 52.8), x, points)
      options(matprod = "blas")
    }, runs = 5
  )
  work <- gflop(nrow(x), 100, ncol(x))
  report("OpenBLAS's tcrossprod(x, t), 50,000 x 784 x 100, GFLOP/s", spread(work / t[, "blas"]))
  report("predict(features), GFLOP/s of the same product", spread(work / t[, "features"]))
  report(
    "predict(features) rate / OpenBLAS's bare product", spread(t[, "blas"] / t[, "features"]), "0.4 (aim 0.7)"
  )
  report(
    "kernlab::kernelMatrix / predict(features), seconds", spread(t[, "kernlab"] / t[, "features"]),
    "at least 3"
  )

  # The three uses of the one kernel, each variant, without packing (what 41
  # times cost more than once); and OpenBLAS on the same matrices.
  rows <- x[1:5000, ]
  core_product <- compiled_product()
  variants <- .Call(landmarker:::C_variants)
  for (v in variants) {
    ours <- function(product, a, b) {
      many <- function(times) {
        elapsed(.Call(core_product, a, b, product, times, how$threads, v))
      }
      vapply(1:3, function(r) (many(41L) - many(1L)) / 40, 0)
    }
    blas <- function(f) vapply(1:3, function(r) elapsed(for (i in 1:20) f()) / 20, 0)
    uses <- list(
      `rows against points, X T'` = list(0L, rows, points, function() tcrossprod(rows, points)),
      `weighted sums of rows, H'X` = list(1L, phi, rows, function() crossprod(phi, rows)),
      `Phi'Phi` = list(2L, phi, phi, function() crossprod(phi))
    )
    for (use in names(uses)) {
      u <- uses[[use]]
      report(
        sprintf("%s, %s: rate / OpenBLAS's", use, v),
        spread(blas(u[[4]]) / ours(u[[1]], u[[2]], u[[3]]))
      )
    }
  }

  one <- as_landmarks(points[1, , drop = FALSE], x[1:1000, ], space = "nonnegative", bandwidth = 52.8)
  vector <- points[1, ]
  source <- landmarker:::new_source(x, one$center, one$factor)
  t <- in_turn(
    pass = function() landmarker:::squared_distances(source, one$landmarks, how),
    gemv = function() x %*% vector, runs = 7
  )
  bytes <- 8e-9 * length(x)
  report("dgemv of OpenBLAS, GB/s", spread(bytes / t[, "gemv"]))
  report("squared distances to one point, GB/s", spread(bytes / t[, "pass"]))
  report(
    "squared distances to one point / dgemv, bandwidth", spread(t[, "gemv"] / t[, "pass"]), "at least 0.8"
  )
} else {
  heading("Features: MNIST, 50,000 x 784, 100 landmarks, two threads")
  t <- in_turn(features = function() predict(fit, x, "features"), blas = function() tcrossprod(x, points))
  report(
    "reference tcrossprod(x, t) / predict(features), seconds", spread(t[, "blas"] / t[, "features"]),
    "at least 8"
  )
}
