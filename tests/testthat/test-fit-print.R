# What fits and methods say of themselves. Numbers of few digits, of fits that
# end by themselves, so that they are the same on every processor.

set.seed(1)
x <- cbind(a = rep(c(0, 3, 6), each = 8), b = rep(c(0, 4, 0), each = 8)) + round(rnorm(48), 1) / 8
# What is not the same everywhere is replaced: the time, and how many iterations.
timed <- function(fit, seconds = 1.5) {
  fit$seconds <- seconds
  fit$iterations[fit$iterations > 0] <- 12L
  fit
}
fit_to <- function(...) {
  set.seed(1)
  timed(landmarks(...))
}

test_that("a fit prints what it is", {
  expect_snapshot({
    fit_to(x, 3, bandwidth = 2)
    fit_to(x, 1, bandwidth = 2)
    fit_to(x, 3, "random", space = "nonnegative", bandwidth = 2)
    fit_to(methods::as(x, "CsparseMatrix"), 3, weights = rep(1:2, 12), bandwidth = 4)
    fit_to(x, 2, scale = TRUE, space = function(t) t, bandwidth = 1)
    fit_to(x[, 1, drop = FALSE], 2, by_gp("sequential"), bandwidth = 4)
    timed(as_landmarks(x[c(1, 9, 17), ], x, bandwidth = 2))
  })
})

test_that("print gives the fit back, invisibly", {
  fit <- fit_to(x, 3)
  expect_output(back <- withVisible(print(fit)), "bandwidth +[0-9.]+ \\(variance\\)")
  expect_identical(back, list(value = fit, visible = FALSE))
  expect_output(print(fit_to(x, 3, bandwidth = "median")), "bandwidth +[0-9.]+ \\(median\\)")
  said <- list("0.123 s" = 0.123456, "60 s" = 59.99, "2 min 5 s" = 125)
  for (k in 1:3) expect_output(print(timed(fit, said[[k]])), paste0("time +", names(said)[k], "\n"))
  twice <- as_landmarks(x[c(1, 1, 9), ], x, bandwidth = 2)
  expect_output(print(twice), "approximation error .*, some landmarks redundant")
  expect_identical(dimnames(coef(fit)), list(c("L1", "L2", "L3"), c("a", "b")))
  expect_identical(as.matrix(fit), coef(fit))
})

test_that("method objects print their options", {
  expect_snapshot({
    by_gp()
    by_gp("sequential", candidates = 5)
    by_gp("sgd", gradient = "raw", iterations = 100)
    by_gp(start = matrix(0, 2, 2), batch_size = 500, batches = 3)
    by_random()
    by_active()
    by_active(subset = 5000, pivot = "random")
    by_kmeans()
  })
  # What is shown can be given.
  for (method in list(by_gp(), by_gp("sgd"), by_active(), by_dpp(), by_dpp_exact(), by_kmeans())) {
    options <- sub("^  (.*): .*$", "\\1", utils::capture.output(print(method))[-1])
    expect_true(all(options %in% names(formals(class(method)[1]))), info = format(method))
  }
})

test_that("a fit names the factors among its columns", {
  d <- data.frame(
    a = x[, 1], u = rep(c("p", "q"), 12), v = rep(letters[1:3], 8), w = rep(1:4, 6) > 2,
    y = factor(rep(1:4, 6)), z = rep(letters[1:6], 4)
  )
  factors <- function(...) {
    lines <- utils::capture.output(print(fit_to(..., n = 2)))
    sub("^  factors +", "", grep("^  factors", lines, value = TRUE))
  }
  expect_identical(factors(d), "u (2 levels), v (3 levels), y (4 levels), 1 more")
  expect_identical(factors(~ a + v, data = d), "v (3 levels)")
  expect_identical(factors(d["a"]), character())
})

test_that("a fit says which options its method chose by itself, and only those", {
  ring <- cbind(cos(2 * pi * 1:24 / 24), sin(2 * pi * 1:24 / 24))
  # Twice 24 / 4 neighbors; the last is six steps on, a quarter of the way round: sigma is 2 sqrt(2).
  said <- list(
    "process, neighbors 12, sigma 2.828$" = by_dpp(), "process, sigma 2.828$" = by_dpp(neighbors = 12),
    "process$" = by_dpp(neighbors = 12, sigma = 1), "process, sigma 2$" = by_dpp_exact(),
    "process$" = by_dpp_exact(sigma = 1)
  )
  for (i in seq_along(said)) {
    fit <- landmarks(ring, 4, said[[i]], bandwidth = 8)
    expect_output(print(fit), paste0("(?m)", names(said)[i]), perl = TRUE)
  }
})

test_that("convergence and shares are told as they are", {
  share <- vapply(c(0, 0.1234, 0.99949, 0.999999, 1, NaN), format_share, "")
  expect_identical(share, c("0.0%", "12.3%", "99.9%", "99.999%", "100%", "unknown"))
  fit <- fit_to(x, 3, bandwidth = 2)
  none <- rep(NA_real_, 3)
  said <- list(
    "^all 3 \\([0-9]+ iterations on all rows\\)$" = list(),
    "^2 of 3 \\(.*; refine_landmarks\\(\\) continues\\)$" = list(moved = c(0, 9, 0)),
    "^0 of 3 " = list(moved = c(9, 9, 9)), "on random batches" = list(moved = rep(0, 3), exact = FALSE),
    "4 to 7 iterations" = list(iterations = c(4L, 7L, 5L)),
    "^all 2 optimized \\(" = list(moved = c(0, NA, 0)),
    "^1 of 2 optimized \\(" = list(moved = c(9, NA, 0)),
    "^not measured \\(stochastic gradient\\)$" = list(moved = none)
  )
  for (i in seq_along(said)) {
    expect_match(describe_convergence(utils::modifyList(fit, said[[i]])), names(said)[i])
  }
  for (still in list(fit_to(x, 3, "random"), as_landmarks(x[1:2, ], x))) {
    expect_match(describe_convergence(still), "^not applicable")
  }
  expect_match(describe_convergence(fit_to(x, 1)), "^yes \\(")
  # Some landmarks of a fit from a sample are from a sample too.
  sampled <- quiet(landmarks(in_chunks(as.matrix(iris[1:4]), sample = 60), 3))
  for (fit in list(sampled, sampled[2:1])) {
    expect_match(describe_convergence(fit), "on all rows of the sample", fixed = TRUE)
  }
  expect_identical(summary(quiet(fit_to(x, 2, by_gp("sgd", iterations = 5))))$converged, c(NA, NA))
})

test_that("an error that is estimated from some rows is near that of all rows, and print says so", {
  x <- withr::with_seed(1, unclass(sim_swiss_roll(11000)))
  fit <- withr::with_seed(1, landmarks(x, 100, by_random()))
  said <- function(fit) grep("approximation error", capture.output(print(fit)), value = TRUE)
  expect_match(said(fit), "error 0[.][0-9]+, estimated from 10,000 rows$")
  # Rows are nearest to themselves.
  expect_identical(fit$nearest, fit$rows)
  expect_equal(1 - fit$explained[100], reconstruction_error(fit, x) / 11000, tolerance = 0.02)
  expect_match(said(landmarks(x[1:1e4, ], 100, by_random())), "error 0[.][0-9]+$")
})

test_that("a summary has a row for each landmark", {
  fit <- fit_to(x, 3, bandwidth = 2)
  rows <- summary(fit)
  expect_s3_class(rows, c("summary.landmarks", "data.frame"), exact = TRUE)
  expect_identical(rows$landmark, 1:3)
  for (part in c("variance", "nearest")) expect_identical(rows[[part]], fit[[part]])
  expect_equal(rows$distance, unname(sqrt(rowSums((x[rows$nearest, ] - coef(fit))^2))))
  expect_snapshot(print(rows[c("landmark", "variance", "explained", "converged")], digits = 2))
})

test_that("tidy, glance and augment have the shapes that are expected of them", {
  fit <- fit_to(x, 3, bandwidth = 2)
  columns <- c("landmark", "variance", "explained", "iterations", "converged", "nearest", "distance")
  columns <- c(columns, "on_data")
  expect_named(tidy(fit), c(columns, "a", "b"))
  expect_equal(as.matrix(tidy(fit)[c("a", "b")]), coef(fit), ignore_attr = TRUE)
  expect_named(tidy(fit_to(unname(x), 3)), c(columns, "V1", "V2"))
  one <- glance(fit)
  expect_named(one, c(
    "landmarks", "dimensions", "kernel", "bandwidth", "on_data", "explained", "between", "log_det",
    "converged", "seconds", "nobs"
  ))
  expect_identical(one$explained, fit$explained[3])
  near <- predict(fit, x, "nearest")
  with <- augment(fit, x)
  expect_named(with, c("a", "b", ".landmark", ".distance"))
  expect_identical(as.list(with[3:4]), list(.landmark = near$landmark, .distance = near$distance))
  framed <- cbind(as.data.frame(x), note = "kept")
  expect_named(augment(fit, framed), c("a", "b", "note", ".landmark", ".distance"))
  # Data have either of two names.
  expect_identical(augment(fit, newdata = x), with)
  expect_identical(augment(fit, data = x), with)
  expect_refused(augment(fit), augment(fit, x, newdata = x), augment(fit, x, type = "nearest"))
  expect_equal(augment(fit, Matrix::Matrix(x, sparse = FALSE)), with, ignore_attr = TRUE)
})

test_that("no column of tidy() or augment() takes the place of another", {
  names <- c("landmark", "variance", "distance", "on_data")
  fit <- fit_to(`colnames<-`(cbind(x, x), names), 3, bandwidth = 2)
  out <- tidy(fit)
  expect_identical(anyDuplicated(names(out)), 0L)
  expect_identical(out$landmark, 1:3)
  expect_equal(as.matrix(out[paste0(names, "_1")]), coef(fit), ignore_attr = TRUE)
  # Columns of the data with one name twice are told apart, too.
  twice <- fit_to(`colnames<-`(x, c("a", "a")), 3, bandwidth = 2)
  expect_identical(tail(names(tidy(twice)), 2), c("a", "a_1"))
  framed <- data.frame(x, .landmark = letters[1:24], .distance = -1)
  both <- augment(fit_to(x, 3, bandwidth = 2), framed)
  expect_named(both, c("a", "b", ".landmark", ".distance", ".landmark_1", ".distance_1"))
  expect_identical(as.data.frame(both[1:4]), framed)
})

test_that("`between` is the share of the variance that nearest landmarks explain, as of kmeans()", {
  rows <- odd_matrix(60, 3)
  centers <- stats::kmeans(rows, rows[c(1, 20, 40, 50), ], 100)
  fit <- as_landmarks(centers$centers, rows, bandwidth = 1)
  expect_equal(fit$between, centers$betweenss / centers$totss, tolerance = 1e-12)
  expect_identical(glance(fit)$between, fit$between)
  # With weights and scaled columns, from the equation.
  weights <- 0.1 + (seq_len(60) * 0.37) %% 2
  fit <- landmarks(rows, 5, weights = weights, scale = TRUE)
  z <- t(t(rows) * fit$factor)
  near <- apply(naive_distances(z, t(t(unname(coef(fit))) * fit$factor)), 1, min)
  all <- rowSums((z - rep(colSums(weights * z) / sum(weights), each = 60))^2)
  expect_equal(fit$between, 1 - sum(weights * near^2) / sum(weights * all), tolerance = 1e-10)
  # Unknown for some of them, known again for all in another order.
  expect_identical(fit[2:3]$between, NA_real_)
  expect_identical(fit[5:1]$between, fit$between)
  expect_lt(refine_landmarks(fit[2:3], rows, 0, weights = weights)$between, fit$between)
  expect_identical(as_landmarks(rows[1:2, ], rows[rep(1, 9), ], bandwidth = 1)$between, NA_real_)
})
