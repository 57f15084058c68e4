# Kernels beside their formulas, and what uses them beside dense algebra.

formulas <- list(
  gaussian = function(u) exp(-u),
  laplace = function(u) exp(-sqrt(u)),
  matern32 = function(u) (1 + sqrt(3 * u)) * exp(-sqrt(3 * u)),
  matern52 = function(u) (1 + sqrt(5 * u) + 5 * u / 3) * exp(-sqrt(5 * u)),
  cauchy = function(u) 1 / (1 + u)
)

test_that("features are the kernel's formula of scaled distances", {
  expect_identical(kernel_names, names(formulas))
  x <- odd_matrix(60, 3, 1) * rep(c(1, 10, 0.1), each = 60)
  unit <- apply(x, 2, sd)
  for (name in names(formulas)) {
    fit <- landmarks(x, 5, by_random(), kernel = name, scale = TRUE)
    u <- naive_distances(x / rep(unit, each = 60), coef(fit) / rep(unit, each = 5))^2 / fit$bandwidth
    expect_equal(unname(predict(fit, x, "features")), formulas[[name]](u), tolerance = 1e-12, info = name)
    expect_identical(fit$kernel, name)
    expect_equal(fit$bandwidth, 3, info = name)
  }
})

test_that("Nystrom features have the inner products k(x)'W^-1 k(x') of dense algebra", {
  x <- odd_matrix(80, 4, 2)
  x[x < 0] <- 0
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  table <- data.frame(x, kind = factor(rep(c("a", "b"), 40)))
  new <- odd_matrix(20, 4, 3)
  cases <- list(
    weighted = list(x, weights = rep(1:4, 20)), ranks = list(x, scale = "ranks"), sparse = list(sparse),
    frame = list(table, scale = TRUE)
  )
  for (name in names(formulas)) {
    for (case in names(cases)) {
      fit <- do.call(landmarks, c(cases[[case]], list(n = 8, kernel = name)))
      at <- if (case == "frame") data.frame(new, kind = "b") else new
      z <- predict(fit, at, "nystrom")
      k <- predict(fit, at, "features")
      scaled <- fit$landmarks * rep(fit$factor, each = 8)
      w <- formulas[[name]](naive_distances(scaled, scaled)^2 / fit$bandwidth)
      info <- paste(name, case)
      expect_lt(max(abs(tcrossprod(z) - k %*% solve(w, t(k)))), 1e-8, label = info)
      expect_lt(max(abs(1 - rowSums(z^2) - predict(fit, at, "variance"))), 1e-8, label = info)
      expect_identical(colnames(z), paste0("L", 1:8))
      # Those of the first landmarks come first.
      expect_equal(predict(fit[1:3], at, "nystrom"), z[, 1:3], tolerance = 1e-12, info = info)
    }
  }
  # Of chunks, and of rows with names.
  rownames(x) <- paste0("r", 1:80)
  fit <- landmarks(x, 6, kernel = "matern32")
  z <- predict(fit, x, "nystrom")
  expect_identical(rownames(z), rownames(x))
  expect_equal(unname(predict(fit, in_chunks(x), "nystrom")), unname(z), tolerance = 1e-14)
})

test_that("there are as many Nystrom features as the kernel of the landmarks has numerical rank", {
  x <- cbind(seq(0, 1, length.out = 40), 0)
  fit <- suppressWarnings(as_landmarks(x[c(1, 1:15), ], x, bandwidth = 20))
  z <- predict(fit, x, "nystrom")
  expect_lt(ncol(z), 15)
  expect_identical(colnames(z)[1:2], c("L1", "L3")) # the second equals the first
  expect_lt(max(abs(1 - rowSums(z^2))), 1e-6)
})

test_that("by_response() learns with each kernel, and keeps the one with the smallest held-out loss", {
  set.seed(5)
  x <- matrix(runif(240, -2, 2), 120)
  y <- abs(x[, 1]) - x[, 2]
  method <- by_response(y, iterations = 200, held_out = 0.5, relevance = FALSE, trend = FALSE)
  learn <- function(kernel) withr::with_seed(6, landmarks(x, 8, method, kernel = kernel))
  fits <- lapply(names(formulas), learn)
  best <- learn(names(formulas))
  loss <- vapply(fits, function(fit) fit$response$held_out$loss, 0)
  expect_identical(best$kernel, names(formulas)[which.min(loss)])
  # The mean slopes by differences of the scores.
  for (fit in fits) {
    expect_gt(cor(predict(fit, x), y)^2, 0.9)
    at <- function(h) predict(fit, x + rep(c(h, 0), each = 120))
    slope <- sqrt(mean(((at(1e-5) - at(-1e-5)) / 2e-5)^2))
    expect_equal(tidy(fit, "columns")$slope[1], slope, tolerance = 1e-4)
  }
})

test_that("the kernel is part of all later steps, and is refused if it is none", {
  x <- odd_matrix(60, 3, 7)
  fit <- landmarks(x, 6, kernel = "laplace")
  later <- list(add_landmarks(fit, x, 2), refine_landmarks(fit, x, 2), update(fit, x = x, n = 4), glance(fit))
  for (one in later) expect_identical(one$kernel, "laplace")
  expect_output(print(fit), "kernel +laplace")
  expect_refused(
    landmarks(x, 6, kernel = "linear"), landmarks(x, 6, kernel = NULL), landmarks(x, 6, kernel = NA),
    landmarks(x, 6, kernel = c("laplace", "cauchy")), as_landmarks(x[1:3, ], x, kernel = 1),
    landmarks(x, 6, by_response(x[, 1]), kernel = c("laplace", "linear"))
  )
})

# ---- the rule of the bandwidth makes room for as many landmarks as are asked for ------------------

skip_slow_file()

flat <- function(x) unname(x[, ])

# The pivots of the kernel matrix of all rows, by R's own pivoted Cholesky: largest first, and of those that
# tie, as all do at first, the row that is nearest to all others.
pivots <- function(x, eta) {
  squared <- as.matrix(stats::dist(x))^2
  middle <- order(signif(rowSums(squared), 10))
  k <- exp(-squared[middle, middle] / eta)
  r <- suppressWarnings(chol(k, pivot = TRUE, tol = 1e-12))
  diag(r)[seq_len(attr(r, "rank"))]^2
}

test_that("where the variance is too wide the rule is the widest bandwidth that tells n rows apart", {
  withr::local_seed(1)
  all <- list(
    circles = list(flat(sim_circles(400)), 100), roll = list(flat(sim_swiss_roll(400)), 120),
    iris = list(unname(as.matrix(unique(iris[1:4]))), 140)
  )
  for (name in names(all)) {
    x <- all[[name]][[1]]
    n <- all[[name]][[2]]
    withr::local_seed(2)
    expect_no_warning(fit <- landmarks(x, n))
    expect_length(fit, n)
    expect_lt(fit$bandwidth, sum(apply(x, 2, stats::var)))
    expect_gt(pivots(x, fit$bandwidth)[n], 0.99e-2)
    wider <- pivots(x, fit$bandwidth * 1.06)
    expect_true(length(wider) < n || wider[n] < 1.01e-2, label = name)
    expect_true(is.finite(fit$log_det))
    expect_gt(mean(fit$on_data), 0.9)
    expect_output(print(fit), paste0("variance, divided by [0-9.]+ so that ", n, " landmarks are"))
    # The same for methods that do not use the kernel, so that features compare.
    expect_equal(landmarks(x, n, "random")$bandwidth, fit$bandwidth)
  }
  # A number or a multiple is kept, with a warning where the rank is used up.
  x <- all$circles[[1]]
  variance <- sum(apply(x, 2, stats::var))
  for (bandwidth in list(variance, "1.0001 * variance")) {
    expect_warning(fit <- landmarks(x, 200, bandwidth = bandwidth), class = "landmarker_warning_rank")
    expect_equal(fit$bandwidth, variance, tolerance = 1e-3)
  }
  # Rows of weight 0 make no room.
  room <- function(...) find_kernel("variance", as_source(...), 60)$bandwidth
  more <- rbind(x, odd_matrix(300, 2) * 50)
  expect_equal(room(more, rep(1:0, c(400, 300))), room(x), tolerance = 0.06)
})

test_that("a bandwidth may be a multiple of a rule", {
  x <- odd_matrix(150, 3)
  of <- function(bandwidth) landmarks(x, 5, "random", bandwidth = bandwidth)
  expect_equal(of(" .35*variance")$bandwidth, 0.35 * sum(apply(x, 2, var)))
  expect_equal(of("3 * median")$bandwidth, 3 * of("median")$bandwidth)
  expect_identical(of("2 * variance")$bandwidth_rule, "2 * variance")
  expect_identical(of("1 * variance")$bandwidth_rule, "variance")
  rules <- c("-1 * variance", "0 * variance", "Inf * median", "2 * mean", "variance * 2", "two * variance")
  for (bad in rules) expect_error(of(bad), class = "landmarker_error_bandwidth")
})

test_that("neither the order of the rows nor a very wide rule is in the way", {
  x <- as.matrix(iris[1:4])
  withr::local_seed(3)
  expect_equal(landmarks(x[sample(150), ], 50)$bandwidth, landmarks(x, 50)$bandwidth, tolerance = 1e-8)
  # Lengths of rivers: most are alike, a few are far longer.
  few <- landmarks(as.matrix(rivers), 80)
  expect_length(few, 80)
  expect_true(all(few$variance > 0))
})

test_that("where there is room the rule is the variance itself, and no random number is drawn for it", {
  withr::local_seed(3)
  before <- .Random.seed
  found <- find_kernel("variance", as_source(as.matrix(iris[1:4])), 20)
  expect_equal(found$bandwidth, sum(apply(iris[1:4], 2, stats::var)), tolerance = 1e-14)
  expect_identical(found$rule, "variance")
  find_kernel("variance", as_source(as.matrix(iris[1:4])), 130)
  expect_identical(.Random.seed, before)
})

test_that("all different rows can be asked for, also where most rows are repeated", {
  withr::local_seed(5)
  different <- nrow(unique(iris[1:4]))
  expect_length(landmarks(iris[1:4], different), different)
  # 40 rows that differ, each of them among many copies of the first few.
  x <- odd_matrix(40, 3)[c(rep(1:3, 3000), 4:40), ]
  expect_no_warning(fit <- landmarks(x, 40))
  expect_length(fit, 40)
  expect_warning(fit <- landmarks(x, 41), class = "landmarker_warning_rank")
  expect_length(fit, 40)
})

test_that("where rows are all but equal the rule is not narrowed, and the rank is told", {
  withr::local_seed(7)
  clusters <- matrix(stats::rnorm(40), 20, 2)[rep(1:20, each = 15), ]
  x <- clusters + 1e-9 * stats::rnorm(600)
  variance <- sum(apply(x, 2, stats::var))
  expect_warning(fit <- landmarks(x, 25), class = "landmarker_warning_rank")
  expect_equal(fit$bandwidth, variance)
  # A point within a twentieth of the kernel's width of a row is on the data.
  expect_no_warning(fit <- landmarks(x, 15))
  expect_equal(fit$spacing, 0.05 * sqrt(variance), tolerance = 1e-6)
})

test_that("landmarks that end as good as equal are replaced, so that n are found in every draw", {
  # Without that these draws give 99.
  for (case in c(list(c(800, 7)), if (full_run()) list(c(1500, 6), c(1500, 8)))) {
    withr::local_seed(case[2])
    x <- flat(sim_circles(case[1]))
    expect_no_warning(fit <- landmarks(x, 100))
    expect_length(fit, 100)
    expect_gt(min(fit$variance), 0)
  }
})

test_that("the median counts pairs of rows by the product of their weights", {
  x <- odd_matrix(31, 2)
  w <- rep(1:3, length.out = 31)
  times <- outer(w, w)
  squared <- rep(as.vector(stats::dist(x))^2, times[lower.tri(times)])
  middle <- unname(stats::quantile(squared, 0.5, type = 1))
  expect_equal(find_kernel("median", as_source(x, w))$bandwidth, middle)
})

test_that("each kernel's criterion is raised on batches and on all rows, by one landmark up to its maximum", {
  x <- withr::with_seed(1, sim_swiss_roll(8000))
  some <- x[1:400, ]
  for (kernel in c("laplace", "matern52")) {
    fit <- function(n, method, x) {
      withr::with_seed(2, suppressWarnings(landmarks(x, n, method, bandwidth = 100, kernel = kernel)))
    }
    expect_gt(fit(6, "gp", x)$explained[6], fit(6, "kmeans", x)$explained[6])
    rows <- fit(6, "random", some)
    expect_gt(refine_landmarks(rows, some, 5, criterion = "volume")$log_det, rows$log_det)
    # Negative, because optim() minimizes.
    unexplained <- function(t) -mean(formulas[[kernel]](colSums((t(x) - t)^2) / 100)^2)
    one <- as.vector(coef(fit(1, "gp", x)))
    expect_lt(unexplained(one), 0.999 * min(apply(x[seq(1, 8000, 100), ], 1, unexplained)))
    expect_equal(unexplained(one), stats::optim(one, unexplained)$value, tolerance = 0.01)
  }
})
