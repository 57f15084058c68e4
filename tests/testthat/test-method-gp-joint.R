# by_volume(): the start, the joint solver, and odd data.

x <- odd_matrix(90, 3)
eta <- 0.5
weights <- 0.05 + (seq_len(90) * 0.377) %% 2

pivot <- function(x, n, eta, weights = NULL, fixed = x[0, , drop = FALSE], rows = seq_len(nrow(x))) {
  settings <- list(rows = rows, wanted = as.integer(n), volume = rank_floor)
  kernel <- list(bandwidth = eta, space = "euclidean")
  .Call(C_pivot, as_source(x, weights), fixed, kernel, c(settings, compute_with()))$volume
}

# The best of some draws of random rows.
random_log_det <- function(x, n, eta, space = "euclidean", draws = 5) {
  max(
    vapply(seq_len(draws), function(i) landmarks(x, n, "random", bandwidth = eta, space = space)$log_det, 0)
  )
}

toys <- function() {
  withr::local_seed(21)
  list(
    circles = list(sim_circles(500), 0.2), spiral = list(sim_spiral(500), 0.05),
    roll = list(sim_swiss_roll(500), 8), bowl = list(sim_fish_bowl(500), 0.1)
  )
}

test_that("the pivoted start is the greedy loop over the rows", {
  for (w in list(NULL, weights)) {
    greedy <- naive_greedy(x, eta, 25, w)
    expect_identical(pivot(x, 25, eta, w), greedy$rows)
    # With landmarks of an earlier fit fixed.
    fixed <- odd_matrix(4, 3, 77)
    expect_identical(pivot(x, 12, eta, w, fixed), naive_greedy(x, eta, 12, w, fixed)$rows)
  }
  # Among some rows only, by their numbers in the whole.
  rows <- c(3L, 8L, 15:60, 88L)
  expect_identical(pivot(x, 9, eta, rows = rows), rows[naive_greedy(x[rows, ], eta, 9)$rows])
  a <- sparse_case(60, 9)
  expect_identical(pivot(a$sparse, 10, 3, fixed = matrix(0, 0, 9)), naive_greedy(a$dense, 3, 10)$rows)
})

test_that("the pivoted start does not depend on the blocks that rows come in", {
  # More rows than a block has, with a last one that is not full; and wide ones.
  tall <- odd_matrix(601, 3)
  v <- 0.5 + (1:601 * 0.377) %% 1
  fixed <- odd_matrix(2, 3, 77)
  expect_identical(pivot(tall, 8, eta, v, fixed), naive_greedy(tall, eta, 8, v, fixed)$rows)
  wide <- odd_matrix(37, 30000) * (odd_matrix(37, 30000, 5) > 0.9)
  greedy <- naive_greedy(wide, 1000, 3)
  root <- naive_root(wide, wide, 1000)
  left <- colSums(naive_left(root[, greedy$rows], root)^2) / 37
  for (x in list(wide, methods::as(wide, "CsparseMatrix"))) {
    fit <- landmarks(x, 3, by_volume(max_iterations = 0), bandwidth = 1000)
    expect_identical(fit$nearest, greedy$rows)
    expect_equal(fit$variance, greedy$variance, tolerance = 1e-10)
    expect_equal(fit$explained, naive_explained(wide, unname(coef(fit)), 1000), tolerance = 1e-9)
    expect_equal(unname(predict(fit, x, "variance", x = x)), left, tolerance = 1e-9)
  }
})

test_that("with no iterations the fit is the pivoted start", {
  greedy <- naive_greedy(x, eta, 12, weights)
  fit <- landmarks(x, 12, by_volume(max_iterations = 0), bandwidth = eta, weights = weights)
  expect_identical(unname(coef(fit)), x[greedy$rows, ])
  expect_identical(fit$nearest, greedy$rows)
  expect_equal(fit$variance, greedy$variance, tolerance = 1e-11)
  expect_equal(fit$log_det, naive_log_det(x, x[greedy$rows, ], eta, weights), tolerance = 1e-11)
})

test_that("a joint fit on all rows is a stationary point of log det G", {
  withr::local_seed(4)
  for (w in list(NULL, weights)) {
    fit <- landmarks(x, 8, by_volume(max_iterations = 3000, tolerance = 1e-8), bandwidth = eta, weights = w)
    t <- unname(coef(fit))
    expect_true(fit$exact)
    expect_lt(fit$iterations[1], 3000)
    expect_equal(naive_step(x, t, eta, w), t, tolerance = 1e-6)
    expect_true(all(summary(fit)$converged))
  }
})

test_that("joint is better than random rows and than sequential on the toys", {
  all <- toys()
  withr::local_seed(7)
  for (name in names(all)) {
    toy <- all[[name]]
    joint <- landmarks(toy[[1]], 20, by_volume(), bandwidth = toy[[2]])
    expect_gt(joint$log_det, random_log_det(toy[[1]], 20, toy[[2]]) + 1, label = name)
    sequential <- landmarks(toy[[1]], 20, by_volume("sequential"), bandwidth = toy[[2]])
    expect_gt(joint$log_det, sequential$log_det - 0.01, label = name)
    expect_gt(sequential$log_det, random_log_det(toy[[1]], 20, toy[[2]]), label = name)
  }
})

test_that("landmarks of the toys lie near the data", {
  for (toy in toys()) {
    fit <- landmarks(toy[[1]], 20, by_volume(), bandwidth = toy[[2]])
    expect_lt(max(fit$nearest_distance), 0.5 * sqrt(toy[[2]]))
  }
})

test_that("joint is better than random rows on digits", {
  withr::local_seed(8)
  pixels <- digits$images[1:1000, ] / 255
  eta <- sum(apply(pixels, 2, stats::var))
  fit <- landmarks(pixels, 30, by_volume(), space = "nonnegative")
  expect_equal(fit$bandwidth, eta, tolerance = 1e-10)
  expect_gt(fit$log_det, random_log_det(pixels, 30, eta, "nonnegative") + 10)
  expect_gte(min(coef(fit)), 0)
})

test_that("the climb on batches gets almost as high as the one on all rows", {
  withr::local_seed(9)
  toy <- sim_circles(3000)
  method <- by_volume(batch_size = c(300, 600), batches = c(10, 20), iterations = c(2, 1))
  fit <- landmarks(toy, 12, method, bandwidth = 0.5)
  expect_false(fit$exact)
  expect_identical(unique(fit$iterations), 40L)
  all <- landmarks(toy, 12, by_volume(batch_size = 3000, start = coef(fit)), bandwidth = 0.5)
  expect_true(all$exact)
  expect_gt(fit$log_det, all$log_det - 0.2)
  expect_gt(fit$log_det, random_log_det(toy, 12, 0.5) + 1)
  expect_true(all(fit$moved < 0.5))
})

test_that("permuted rows give the same landmarks from the same start", {
  start <- x[c(2, 30, 44, 61, 75, 90), ]
  shuffled <- order((seq_len(90) * 0.618) %% 1)
  fit <- landmarks(x, 6, by_volume(start = start), bandwidth = eta, weights = weights)
  again <- landmarks(x[shuffled, ], 6, by_volume(start = start[c(4, 1, 6, 2, 5, 3), ]),
    bandwidth = eta, weights = weights[shuffled]
  )
  expect_gt(fit$iterations[1], 2)
  expect_equal(sort_rows(unname(coef(again))), sort_rows(unname(coef(fit))), tolerance = 1e-6)
  expect_equal(again$log_det, fit$log_det, tolerance = 1e-9)
  expect_identical(shuffled[again$nearest], fit$nearest)
  named <- `colnames<-`(x, letters[seq_len(ncol(x))])
  frame <- as.data.frame(named[c(2, 30, 44, 61, 75, 90), ])
  expect_identical(
    coef(landmarks(named, 6, by_volume(start = rev(frame)), bandwidth = eta, weights = weights)),
    coef(landmarks(named, 6, by_volume(start = as.matrix(frame)), bandwidth = eta, weights = weights))
  )
})

test_that("weights that are counts are repeated rows", {
  counts <- 1 + (seq_len(90) * 7) %% 4
  repeated <- x[rep(1:90, counts), ]
  start <- x[c(2, 30, 44, 61, 75, 90), ]
  # Rows of weight 0 are rows that are not there.
  counts[c(4, 9)] <- 0
  repeated <- x[rep(1:90, counts), ]
  for (method in list(by_volume(start = start), by_volume("sequential", candidates = 400))) {
    fit <- landmarks(x, 6, method, bandwidth = eta, weights = counts)
    long <- landmarks(repeated, 6, method, bandwidth = eta)
    expect_equal(coef(fit), coef(long), tolerance = 1e-7)
    expect_equal(fit$variance, long$variance, tolerance = 1e-8)
    expect_equal(fit$explained, long$explained, tolerance = 1e-8)
    # Weights are of mean 1, so that G is smaller by the mean count.
    expect_equal(fit$log_det + 6 * log(mean(counts)), long$log_det, tolerance = 1e-8)
  }
  # Weights count by their ratios only.
  expect_equal(
    coef(landmarks(x, 6, by_volume(start = start), bandwidth = eta, weights = counts * 1e6)),
    coef(landmarks(x, 6, by_volume(start = start), bandwidth = eta, weights = counts)),
    tolerance = 1e-9
  )
})

test_that("scale = TRUE gives the landmarks of the scaled data, in the data's units", {
  wide <- x %*% diag(c(1, 30, 0.01))
  s <- apply(wide, 2, stats::sd)
  for (solver in c("joint", "sequential", "sgd")) {
    withr::local_seed(10)
    fit <- landmarks(wide, 5, by_volume(solver, iterations = 20), bandwidth = 1.5, scale = TRUE)
    withr::local_seed(10)
    small <- landmarks(t(t(wide) / s), 5, by_volume(solver, iterations = 20), bandwidth = 1.5)
    expect_equal(t(t(unname(coef(fit))) / s), unname(coef(small)), tolerance = 1e-7)
    expect_equal(fit$variance, small$variance, tolerance = 1e-7)
  }
  # Three columns of variance 1.
  expect_equal(landmarks(wide, 2, by_volume(), scale = TRUE)$bandwidth, 3, tolerance = 1e-12)
})

test_that("every solver stays in every space", {
  corner <- odd_matrix(90, 4) + 0.7
  ball <- function(t) t / max(1, sqrt(sum((t / c(1, 2, 3, 4))^2)))
  for (space in list("euclidean", "nonnegative", "sphere", "nonnegative_sphere", ball)) {
    for (solver in c("joint", "sequential", "sgd")) {
      withr::local_seed(11)
      method <- by_volume(solver, iterations = 15, step_size = function(s) 0.1 / s)
      fit <- landmarks(corner, 6, method, bandwidth = 0.6, space = space)
      expect_identical(dim(coef(fit)), c(6L, 4L))
      if (!identical(space, "euclidean")) expect_lt(naive_violation(unname(coef(fit)), space), 1e-13)
      if (identical(space, "nonnegative")) expect_gte(min(coef(fit)), 0)
    }
  }
  # On batches, where the last are averaged.
  withr::local_seed(12)
  fit <- landmarks(corner, 4, by_volume(batch_size = 40, batches = 8), bandwidth = 0.6, space = "sphere")
  expect_false(fit$exact)
  expect_lt(naive_violation(coef(fit), "sphere"), 1e-13)
})

test_that("nonnegative landmarks are not below 0 by a rounding error either where columns are scaled", {
  # Many columns, because which of them round the wrong way depends on their means.
  withr::local_seed(2)
  part <- matrix(stats::rbinom(200 * 60, 1, 0.4), 200) * rep(stats::runif(60, 0.1, 9), each = 200)
  for (method in list(by_volume(), by_volume("sequential"), by_volume("sgd", iterations = 20))) {
    fit <- landmarks(part, 10, method, space = "nonnegative", scale = TRUE, bandwidth = 40)
    expect_gt(mean(abs(coef(fit)) < 1e-12), 0.02)
    expect_gte(min(coef(fit)), 0)
  }
})

test_that("rows that are one point of the space do not stop the climb", {
  # 12 directions, each at two distances from the origin: on the circle 12 points.
  direction <- cbind(cos(1:12), sin(1:12))
  rays <- rbind(direction, 4 * direction)
  withr::local_seed(16)
  for (eta_here in c(0.5, 1)) {
    for (solver in c("joint", "sequential")) {
      expect_no_warning(fit <- landmarks(rays, 8, by_volume(solver), bandwidth = eta_here, space = "sphere"))
      expect_identical(nrow(coef(fit)), 8L)
      expect_true(all(is.finite(fit$moved)))
      if (solver == "joint") expect_gt(min(fit$iterations), 0)
    }
  }
  # And neither does a start with a point that comes twice.
  start <- x[c(2, 30, 44, 2), ]
  fit <- suppressWarnings(landmarks(x, 4, by_volume(start = start), bandwidth = eta))
  expect_identical(nrow(coef(fit)), 4L)
  expect_gt(min(fit$iterations[1:3]), 0)
})

test_that("a user's function sees the columns' names and the data's units", {
  named <- x
  colnames(named) <- c("a", "b", "c")
  seen <- NULL
  f <- function(t) {
    seen <<- names(t)
    t["b"] <- 0.25
    t
  }
  fit <- landmarks(named, 4, by_volume(), bandwidth = eta, space = f, scale = TRUE)
  expect_identical(seen, c("a", "b", "c"))
  expect_equal(unname(coef(fit)[, "b"]), rep(0.25, 4), tolerance = 1e-14)
})

test_that("as many landmarks as rows, one landmark and one row are right", {
  few <- odd_matrix(7, 3)
  fit <- landmarks(few, 7, by_volume(), bandwidth = 0.1)
  expect_identical(nrow(coef(fit)), 7L)
  expect_equal(fit$explained[7], 1 - reconstruction_error(fit, few) / 7, tolerance = 1e-12)
  one <- landmarks(x, 1, by_volume(tolerance = 1e-10, max_iterations = 5000), bandwidth = eta)
  expect_equal(unname(naive_step(x, coef(one), eta)), unname(coef(one)), tolerance = 1e-8)
  expect_equal(one$variance, as.vector(naive_kernel(x, coef(one), coef(one), eta)), tolerance = 1e-12)
  # One row: the landmark is that row, with V = 1 and log det 0.
  for (solver in c("joint", "sequential")) {
    alone <- landmarks(matrix(c(3, -2), 1), 1, by_volume(solver), bandwidth = 2)
    expect_equal(unname(coef(alone)), matrix(c(3, -2), 1), tolerance = 1e-12)
    expect_equal(c(alone$variance, alone$log_det, alone$explained), c(1, 0, 1), tolerance = 1e-12)
  }
})

test_that("in one dimension landmarks are a stationary point, and two far rows are found", {
  line <- odd_matrix(100, 1)
  fit <- landmarks(line, 6, by_volume(tolerance = 1e-9, max_iterations = 5000), bandwidth = 0.05)
  expect_equal(naive_step(line, coef(fit), 0.05), unname(coef(fit)), tolerance = 1e-6, ignore_attr = TRUE)
  two <- landmarks(matrix(c(0, 10)), 2, by_volume(), bandwidth = 1)
  expect_equal(sort(as.vector(coef(two))), c(0, 10), tolerance = 1e-12)
  expect_equal(two$variance, c(0.5, 0.5), tolerance = 1e-12)
})

test_that("constant columns change nothing", {
  with <- cbind(5, x, -1e6)
  start <- x[c(2, 30, 44, 61), ]
  for (scale in c(FALSE, TRUE)) {
    fit <- landmarks(x, 4, by_volume(start = start), bandwidth = eta, scale = scale)
    more <- landmarks(with, 4, by_volume(start = cbind(5, start, -1e6)), bandwidth = eta, scale = scale)
    expect_equal(unname(coef(more)[, 2:4]), unname(coef(fit)), tolerance = 1e-9)
    expect_equal(unname(coef(more)[, c(1, 5)]), cbind(rep(5, 4), -1e6), tolerance = 1e-14)
  }
})

test_that("a multiple of a bandwidth's rule is that many times the rule", {
  x <- sim_spiral(200)
  variance <- sum(apply(x, 2, var))
  of <- function(bandwidth) {
    set.seed(1)
    landmarks(x, 5, "random", bandwidth = bandwidth)
  }
  expect_equal(of("2 * variance")$bandwidth, 2 * variance)
  expect_equal(of(" .35*variance")$bandwidth, 0.35 * variance)
  expect_equal(of("2 * variance")$bandwidth_rule, "2 * variance")
  expect_equal(of("1 * variance")$bandwidth_rule, "variance")
  expect_equal(of("3 * median")$bandwidth, 3 * of("median")$bandwidth)
  rules <- c("-1 * variance", "0 * variance", "Inf * median", "2 * mean", "variance * 2", "two * variance")
  for (bad in rules) {
    expect_error(of(bad), class = "landmarker_error_bandwidth")
  }
})
