# Landmarks by Gaussian processes of data in one part or in several: the same, with the same seed.

skip_slow_file()

parts <- c(1, 2, 3, 7)

# Named lists of arguments of landmarks().
kinds_of_data <- function() {
  withr::local_seed(1)
  roll <- unclass(sim_swiss_roll(420))
  counts <- matrix(stats::rpois(300 * 12, rep(c(0.2, 1, 3), each = 300 * 4)), 300)
  list(
    dense = list(x = roll), weighted = list(x = roll, weights = rep(c(0, 1, 2.5, 0.5), length.out = 420)),
    scaled = list(x = cbind(roll, level = 3), scale = TRUE),
    sparse = list(x = methods::as(counts, "CsparseMatrix"))
  )
}

fit_with <- function(arguments, ..., parts = NULL, seed = 3) {
  if (!is.null(parts)) arguments$x <- cut_data(arguments$x, parts)
  withr::with_seed(seed, quietly(do.call(landmarks, c(arguments, list(...)))))
}

# Rounding differs in the last digits, and steps carry it on: those of a climb to its end more than few.
expect_same_fit <- function(got, want, tolerance = 1e-8) {
  exact <- c(
    "nearest", "rows", "iterations", "exact", "on_data", "gaps", "n_rows", "weighted", "sparse", "scaled"
  )
  expect_identical(unclass(got)[exact], unclass(want)[exact])
  close <- c(
    "landmarks", "nearest_distance", "variance", "explained", "log_det", "spacing", "bandwidth", "mean", "sd",
    "center", "factor"
  )
  expect_equal(unclass(got)[close], unclass(want)[close], tolerance = tolerance)
}

test_that("every solver finds the same landmarks", {
  solvers <- list(
    trace = by_gp(), volume = by_gp(criterion = "volume"), random = by_gp(start = "random"),
    batches = by_gp(batch_size = c(60, 90), batches = c(3, 4)),
    sequential = by_gp("sequential", batch_size = c(80, 120)),
    sequential_trace = by_gp("sequential", criterion = "trace"),
    sgd = by_gp("sgd", batch_size = 40, iterations = 120)
  )
  for (kind in kinds_of_data()) for (solver in solvers) {
    whole <- fit_with(kind, n = 6, method = solver)
    for (k in if (full_run()) parts else c(1, 7)) {
      expect_same_fit(fit_with(kind, n = 6, method = solver, parts = k), whole, 1e-4)
    }
  }
})

test_that("landmarks stay in their space, and the same", {
  x <- hellinger(kinds_of_data()$sparse$x + 0)
  for (space in list("nonnegative", "sphere", "nonnegative_sphere", function(t) pmin(t, 0.5))) {
    whole <- fit_with(list(x = x), n = 5, space = space)
    for (k in parts) expect_same_fit(fit_with(list(x = x), n = 5, space = space, parts = k), whole)
  }
})

test_that("a start of one's own and the rules for a bandwidth are the same", {
  x <- kinds_of_data()$dense
  start <- x$x[c(3, 200, 410, 100), ]
  own <- by_gp(start = start)
  fit <- function(parts) fit_with(x, n = 4, method = own, bandwidth = "median", parts = parts)
  whole <- fit(NULL)
  for (k in parts) expect_same_fit(fit(k), whole)
})

test_that("landmarks are added and refined on all rows of several parts", {
  for (kind in kinds_of_data()) {
    fit <- fit_with(kind, n = 6)
    go_on <- function(x, criterion) {
      withr::with_seed(5, quietly({
        more <- add_landmarks(fit, x, 3, weights = kind$weights)
        list(more, refine_landmarks(more, x, 6, weights = kind$weights, criterion = criterion))
      }))
    }
    for (criterion in c("trace", "volume")) {
      whole <- go_on(kind$x, criterion)
      expect_gt(max(whole[[2]]$iterations - whole[[1]]$iterations), 0)
      for (k in parts) {
        found <- go_on(cut_data(kind$x, k), criterion)
        expect_same_fit(found[[1]], whole[[1]])
        expect_same_fit(found[[2]], whole[[2]], 1e-7)
      }
    }
  }
})

test_that("refining stays in the space also where sums come from parts", {
  x <- hellinger(kinds_of_data()$sparse$x + 0)
  for (space in list("nonnegative_sphere", function(t) pmin(t, 0.5))) {
    fit <- fit_with(list(x = x), n = 5, space = space)
    refine <- function(x) quietly(refine_landmarks(fit, x, 4))
    for (k in parts) expect_same_fit(refine(cut_data(x, k)), refine(x))
  }
})

test_that("sums of parts are H'X as it is written", {
  x <- kinds_of_data()$weighted
  source <- as_source(cut_data(x$x, 3), x$weights)
  z <- sweep(x$x, 2, source$center)
  points <- x$x[c(1, 99, 300), ]
  inverse <- matrix(c(2, 0.5, -1, 0.3, 1, 0, 0.7, -0.2, 3), 3)
  phi <- exp(-as.matrix(stats::dist(rbind(points, x$x)))[-(1:3), 1:3]^2 / 20)
  h <- source$weights * phi * (phi %*% inverse)
  over <- function(source) all_rows(source, list(bandwidth = 20), compute_with())
  got <- over(source)$sums(points, inverse)
  expect_equal(got, unname(t(z) %*% h), tolerance = 1e-12, ignore_attr = TRUE)
  expect_equal(
    over(source)$gram(points), t(phi) %*% (source$weights * phi), tolerance = 1e-12, ignore_attr = TRUE
  )
  expect_identical(over(as_source(x$x)), list(over = "all"))
})

test_that("a fit of data in parts holds none of them", {
  x <- cut_data(kinds_of_data()$dense$x, 3)
  fit <- withr::with_seed(1, quietly(do.call(landmarks, list(x, 4))))
  expect_lt(length(serialize(fit, NULL)), 20000)
})

test_that("rows of data in parts come to memory, columns stay in parts", {
  for (kind in kinds_of_data()) {
    x <- kind$x
    colnames(x) <- paste0("v", seq_len(ncol(x)))
    for (k in parts) {
      cut <- cut_data(x, k)
      rows <- c(290, 1, 7, 150)
      expect_identical(cut[rows, , drop = FALSE], x[rows, , drop = FALSE])
      expect_identical(cut[-(1:280), , drop = FALSE], x[-(1:280), , drop = FALSE])
      expect_identical(dim(cut[integer(), , drop = FALSE]), c(0L, ncol(x)))
      turned <- cut[, rev(colnames(x)), drop = FALSE]
      expect_identical(dimnames(turned), list(NULL, rev(colnames(x))))
      expect_identical(dim(turned), dim(x))
      expect_identical(turned[rows, , drop = FALSE], x[rows, rev(colnames(x)), drop = FALSE])
    }
  }
})
