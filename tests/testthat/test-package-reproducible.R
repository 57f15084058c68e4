# The same seed gives the same bits; sparse is dense; variants of the products
# agree; a fit that was saved goes on as if it had not been.

skip_slow_file()

solvers <- list(
  joint = by_gp(batch_size = c(60, 90), batches = c(2, 3), iterations = c(2, 1)),
  all_rows = by_gp(), random_start = by_gp(start = "random"),
  sequential = by_gp("sequential", batch_size = c(70, 100), iterations = c(3, 2)),
  sgd = by_gp("sgd", batch_size = 50, iterations = 30, step_size = function(s) 0.05 / s),
  random = by_random(),
  trace = by_gp(
    criterion = "trace", batch_size = c(60, 90), batches = c(2, 3), iterations = c(2, 1)
  ),
  trace_alone = by_gp("sequential", "trace", batch_size = c(70, 100), iterations = c(3, 2)),
  active = by_active(), active_some = by_active(subset = 100, pivot = "random"),
  starts = by_kmeans(max_iterations = 0), uniform = by_kmeans("uniform", 0)
)

fit_with <- function(x, method, seed = 1, ...) {
  withr::local_seed(seed)
  quiet(landmarks(x, 8, method, bandwidth = 6, ...))
}

test_that("the same seed gives the same bits with 1, 2 and 3 threads, dense and sparse", {
  a <- sparse_case(700, 20)
  weights <- 0.5 + (1:700 * 0.377) %% 1
  for (x in a) {
    for (name in names(solvers)) {
      fits <- lapply(c(1, 2, 3, 1), function(threads) {
        withr::local_options(landmarker.threads = threads)
        fit_with(x, solvers[[name]], weights = weights)
      })
      for (k in 2:4) expect_identical(bare(fits[[k]]), bare(fits[[1]]), info = paste(name, k))
    }
  }
})

test_that("results from a fit are the same bits with 1 and 2 threads", {
  x <- odd_matrix(3000, 6)
  fit <- fit_with(x, by_gp())
  outcome <- lapply(1:2, function(threads) {
    withr::local_options(landmarker.threads = threads)
    withr::local_seed(2)
    list(
      predict(fit, x), predict(fit, x, "nearest"), predict(fit, x[1:300, ], "variance", x = x),
      nearest_observations(fit, x, 3),
      bare(quiet(add_landmarks(fit, x, 4))), bare(quiet(refine_landmarks(fit, x, 3)))
    )
  })
  expect_identical(outcome[[2]], outcome[[1]])
})

test_that("another seed gives other landmarks, and the stream moves on instead of being reset", {
  x <- odd_matrix(700, 5)
  for (name in names(solvers)) {
    if (name == "all_rows") next
    withr::local_seed(1)
    one <- quiet(landmarks(x, 8, solvers[[name]], bandwidth = 2))
    two <- quiet(landmarks(x, 8, solvers[[name]], bandwidth = 2))
    expect_false(identical(coef(one), coef(two)), info = name)
    expect_false(identical(coef(one), coef(fit_with(x, solvers[[name]], 2))), info = name)
    # The draws that a fit used up are gone, be it a single one: what follows is not what follows the seed.
    withr::local_seed(1)
    quiet(landmarks(x, 8, solvers[[name]], bandwidth = 2))
    after <- stats::runif(3)
    withr::local_seed(1)
    expect_false(identical(after, stats::runif(3)), info = name)
  }
})

test_that("a fit that draws nothing leaves the stream alone, and needs none", {
  x <- odd_matrix(100, 3)
  withr::local_seed(5)
  before <- .Random.seed
  fit <- landmarks(x, 5, bandwidth = 1)
  predict(fit, x, "variance", x = x)
  refine_landmarks(fit, x, 2)
  as_landmarks(x[1:3, ], x, bandwidth = 1)
  expect_identical(.Random.seed, before)
  withr::local_seed(6)
  expect_identical(bare(landmarks(x, 5, bandwidth = 1)), bare(fit))
})

test_that("sparse data give the landmarks of the same data stored densely", {
  a <- sparse_case(700, 20)
  weights <- 0.5 + (1:700 * 0.377) %% 1
  for (name in names(solvers)) {
    for (w in list(NULL, weights)) {
      fits <- lapply(a, fit_with, solvers[[name]], weights = w)
      expect_true(fits$sparse$sparse)
      expect_equal(coef(fits$sparse), coef(fits$dense), tolerance = 1e-8, info = name)
      for (part in c("variance", "explained", "log_det", "nearest", "iterations", "rows", "trace")) {
        expect_equal(fits$sparse[[part]], fits$dense[[part]], tolerance = 1e-8, info = paste(name, part))
      }
    }
  }
  # A fit of one kind is used on data of the other.
  dense <- fits$dense
  expect_equal(predict(dense, a$sparse), predict(dense, a$dense), tolerance = 1e-12)
  expect_equal(predict(fits$sparse, a$sparse), predict(dense, a$dense), tolerance = 1e-8)
  near <- lapply(a, function(x) predict(dense, x, "nearest"))
  expect_identical(near$sparse$landmark, near$dense$landmark)
  # A distance of 0 is the root of a rounding error: squares are what agrees.
  expect_lt(max(abs(near$sparse$distance^2 - near$dense$distance^2)), 1e-12)
  expect_equal(
    quiet(predict(dense, a$sparse[1:50, ], "variance", x = a$sparse)),
    quiet(predict(dense, a$dense[1:50, ], "variance", x = a$dense)),
    tolerance = 1e-10
  )
})

test_that("sparse data are dense data in every space, scaled, and by either rule for the bandwidth", {
  a <- sparse_case(300, 15)
  for (space in c("nonnegative", "sphere", "nonnegative_sphere")) {
    fits <- lapply(a, function(x) {
      withr::local_seed(3)
      # Some of its rows are far from the sphere, which it says.
      suppressWarnings(
        landmarks(x, 6, by_gp("sequential"), bandwidth = 6, space = space), "landmarker_warning_space"
      )
    })
    expect_equal(coef(fits$sparse), coef(fits$dense), tolerance = 1e-8, info = space)
  }
  for (rule in c("variance", "median")) {
    fits <- lapply(a, function(x) {
      withr::local_seed(3)
      landmarks(x, 6, bandwidth = rule, scale = TRUE, weights = 1:300)
    })
    expect_equal(fits$sparse$bandwidth, fits$dense$bandwidth, tolerance = 1e-10)
    expect_equal(coef(fits$sparse), coef(fits$dense), tolerance = 1e-8, info = rule)
  }
  # Column variances by another way.
  expect_equal(landmarks(a$sparse, 1)$bandwidth, sum(apply(a$dense, 2, stats::var)), tolerance = 1e-12)
})

test_that("sparse matrices with empty rows and columns, and other sparse classes, are read right", {
  x <- matrix(0, 12, 6)
  x[cbind(c(1, 3, 3, 8, 12, 12), c(2, 2, 5, 5, 2, 6))] <- c(1, -2, 0.5, 3, 1, 4)
  column <- Matrix::Matrix(x, sparse = TRUE)
  points <- odd_matrix(3, 6)
  expected <- naive_features(x, points, 5)
  others <- list(
    column, methods::as(column, "RsparseMatrix"), methods::as(column, "TsparseMatrix"),
    Matrix::Matrix(x, sparse = FALSE)
  )
  for (other in others) {
    fit <- as_landmarks(points, other, bandwidth = 5)
    expect_equal(unname(predict(fit, other)), expected, tolerance = 1e-12, info = class(other))
    expect_equal(fit$log_det, naive_log_det(x, points, 5), tolerance = 1e-11, info = class(other))
  }
  pattern <- methods::as(column, "nMatrix")
  expect_equal(
    unname(predict(as_landmarks(points, pattern, bandwidth = 5), pattern)),
    naive_features((x != 0) + 0, points, 5),
    tolerance = 1e-12
  )
})

test_that("a variant that the processor lacks is an error, not a crash", {
  withr::local_options(landmarker.variant = "avx9")
  expect_error(landmarks(odd_matrix(20, 2), 2, bandwidth = 1), "variant")
})

test_that("a whole fit agrees between the variants", {
  x <- odd_matrix(400, 13)
  a <- sparse_case(200, 11)
  for (name in names(solvers)) {
    fits <- lapply(stats::setNames(nm = .Call(C_variants)), function(v) {
      withr::local_options(landmarker.variant = v)
      list(fit_with(x, solvers[[name]]), fit_with(a$sparse, solvers[[name]]))
    })
    for (other in fits[-1]) {
      for (k in 1:2) {
        expect_equal(coef(other[[k]]), coef(fits$plain[[k]]), tolerance = 1e-8, info = name)
        expect_equal(other[[k]]$log_det, fits$plain[[k]]$log_det, tolerance = 1e-9, info = name)
      }
    }
  }
})

test_that("the exponential is right from 0 to where it vanishes, in every variant", {
  d <- c(0, 1e-300, 1e-16, 1e-8, 0.1, log(2) / 2, 0.5, 1, 10, 100, 500, 700, 707.9)
  fit <- as_landmarks(matrix(0), matrix(c(0, 1)), bandwidth = 1)
  # One column centered at 0.5: d has to survive that, so it comes by the bandwidth.
  for (v in .Call(C_variants)) {
    withr::local_options(landmarker.variant = v)
    w <- vapply(d, function(u) {
      fit$bandwidth <- if (u > 0) 1 / u else 1
      predict(fit, matrix(if (u > 0) 1 else 0))[1]
    }, 0)
    expect_lte(max(abs(w / exp(-d) - 1)), 4 * .Machine$double.eps)
    fit$bandwidth <- 1 / 800
    expect_identical(predict(fit, matrix(1))[1], 0)
    fit$bandwidth <- 1e-300
    expect_identical(predict(fit, matrix(1))[1], 0)
  }
})

test_that("a saved fit goes on as if it had never been saved", {
  x <- odd_matrix(700, 4)
  fit <- fit_with(x, solvers$joint)
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(fit, file)
  back <- readRDS(file)
  expect_identical(coef(back), coef(fit))
  withr::local_seed(9)
  whole <- quiet(add_landmarks(fit, x, 5))
  withr::local_seed(9)
  expect_identical(
    bare(quiet(add_landmarks(back, x, 5)))[names(bare(whole)) != "method"],
    bare(whole)[names(bare(whole)) != "method"]
  )
  expect_identical(predict(back, x), predict(fit, x))
})

test_that("a new process goes on from a saved fit with the same bits", {
  skip_on_cran()
  skip_if(!nzchar(system.file("Meta", "package.rds", package = "landmarker")), "the package is not installed")
  x <- odd_matrix(700, 4)
  fit <- fit_with(x, solvers$joint)
  withr::local_seed(9)
  whole <- quiet(add_landmarks(fit, x, 5))
  folder <- withr::local_tempdir()
  saveRDS(list(fit = fit, x = x), file.path(folder, "in.rds"))
  script <- c(
    "library(landmarker)", "file <- commandArgs(TRUE)", "go <- readRDS(file[1])", "set.seed(9)",
    "saveRDS(add_landmarks(go$fit, go$x, 5), file[2])"
  )
  writeLines(script, file.path(folder, "go.R"))
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  # local_seed() chooses the kinds of generators that a new session has.
  status <- system2(
    file.path(R.home("bin"), "Rscript"),
    shQuote(file.path(folder, c("go.R", "in.rds", "out.rds"))),
    stdout = TRUE, stderr = TRUE
  )
  expect_true(file.exists(file.path(folder, "out.rds")), info = paste(status, collapse = "\n"))
  again <- readRDS(file.path(folder, "out.rds"))
  parts <- setdiff(names(bare(whole)), "method")
  expect_identical(bare(again)[parts], bare(whole)[parts])
})

test_that("a fit is small, whatever the data and wherever it was made", {
  x <- odd_matrix(20000, 10)
  size <- function(fit) length(serialize(fit, NULL))
  big <- function() {
    drag <- x + 0
    list(
      landmarks(drag, 5, bandwidth = 2), landmarks(drag, 5, by_gp(start = drag[1:5, ])),
      landmarks(~., data = as.data.frame(drag), n = 5), landmarks(as.data.frame(drag), n = 5),
      add_landmarks(landmarks(drag, 5), drag, 2), refine_landmarks(landmarks(drag, 5), drag, 1),
      as_landmarks(drag[1:5, ], drag)
    )
  }
  for (fit in quiet(big())) expect_lt(size(fit), 30000)
})

test_that("a fit is small where do.call() puts the data themselves into the call", {
  x <- odd_matrix(20000, 10)
  size <- function(fit) length(serialize(fit, NULL))
  expect_lt(size(quiet(do.call(landmarks, list(x, 5)))), 30000)
  expect_lt(size(quiet(do.call(as_landmarks, list(x[1:5, ], x)))), 30000)
})
