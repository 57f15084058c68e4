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
  for (name in names(formulas)) {
    fit <- landmarks(x, 5, by_random(), kernel = name, scale = TRUE)
    unit <- apply(x, 2, sd)
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
    plain = list(x), scaled = list(x, scale = TRUE), weighted = list(x, weights = rep(1:4, 20)),
    ranks = list(x, scale = "ranks"), sparse = list(sparse), frame = list(table, scale = TRUE)
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
  # Of chunks, and of rows with names and missing values.
  rownames(x) <- paste0("r", 1:80)
  fit <- landmarks(x, 6, kernel = "matern32")
  z <- predict(fit, x, "nystrom")
  expect_identical(rownames(z), rownames(x))
  expect_equal(unname(predict(fit, in_chunks(x), "nystrom")), unname(z), tolerance = 1e-14)
  missing <- predict(fit, replace(x, cbind(7, 2), NA), "nystrom", na.action = na.exclude)
  expect_equal(missing, replace(z, cbind(7, 1:6), NA), tolerance = 1e-14)
})

test_that("there are as many Nystrom features as the kernel of the landmarks has numerical rank", {
  x <- cbind(seq(0, 1, length.out = 40), 0)
  fit <- suppressWarnings(as_landmarks(x[c(1, 1:15), ], x, bandwidth = 20))
  z <- predict(fit, x, "nystrom")
  expect_lt(ncol(z), 15)
  expect_identical(colnames(z)[1:2], c("L1", "L3")) # the second equals the first
  left <- 1 - rowSums(z^2)
  expect_true(all(abs(left) < 1e-6))
  skip_if_not_installed("kernlab")
  # No larger error than that of as many pivots.
  fit <- suppressWarnings(landmarks(x, 40, by_active(), bandwidth = 20))
  z <- predict(fit, x, "nystrom")
  kernel <- exp(-as.matrix(dist(x))^2 / 20)
  pivots <- kernlab::inchol(x, kernlab::rbfdot(1 / 20), tol = 1e-16, maxiter = ncol(z))
  expect_lte(sum(diag(kernel - tcrossprod(z))), sum(diag(kernel - tcrossprod(pivots))) + 1e-12)
})

test_that("landmarks by each kernel explain more of it than random rows, and lie on the data", {
  x <- sim_swiss_roll(300)
  for (name in names(formulas)) {
    left <- function(method) mean(predict(landmarks(x, 15, method, kernel = name), x, "variance"))
    fit <- landmarks(x, 15, kernel = name)
    expect_lt(left(by_gp()), 0.9 * left(by_random()), label = name)
    expect_lt(left(by_gp()), left(by_kmeans()), label = name)
    expect_gt(mean(fit$on_data), 0.8, label = name)
  }
})

test_that("by_response() learns with each kernel, and keeps the one with the smallest held-out loss", {
  set.seed(5)
  x <- matrix(runif(240, -2, 2), 120)
  y <- abs(x[, 1]) - x[, 2]
  method <- by_response(y, iterations = 200)
  fits <- lapply(names(formulas), function(name) {
    set.seed(6)
    landmarks(x, 8, method, kernel = name)
  })
  r2 <- vapply(fits, function(fit) cor(predict(fit, x), y)^2, 0)
  expect_true(all(r2 > 0.9))
  set.seed(6)
  best <- landmarks(x, 8, method, kernel = names(formulas))
  loss <- vapply(fits, function(fit) fit$response$held_out$loss, 0)
  expect_identical(best$kernel, names(formulas)[which.min(loss)])
  # The mean slopes by differences of the scores.
  for (fit in fits) {
    h <- 1e-5
    up <- predict(fit, x + rep(c(h, 0), each = 120))
    down <- predict(fit, x - rep(c(h, 0), each = 120))
    expect_equal(tidy(fit, "columns")$slope[1], sqrt(mean(((up - down) / (2 * h))^2)), tolerance = 1e-4)
  }
})

test_that("the kernel is part of all later steps, and is refused if it is none", {
  x <- odd_matrix(60, 3, 7)
  fit <- landmarks(x, 6, kernel = "laplace")
  expect_identical(add_landmarks(fit, x, 2)$kernel, "laplace")
  expect_identical(refine_landmarks(fit, x, 2)$kernel, "laplace")
  expect_identical(update(fit, x = x, n = 4)$kernel, "laplace")
  expect_identical(glance(fit)$kernel, "laplace")
  expect_output(print(fit), "kernel +laplace")
  expect_refused(
    landmarks(x, 6, kernel = "linear"), landmarks(x, 6, kernel = NULL), landmarks(x, 6, kernel = NA),
    landmarks(x, 6, kernel = c("laplace", "cauchy")), as_landmarks(x[1:3, ], x, kernel = 1),
    landmarks(x, 6, by_response(x[, 1]), kernel = c("laplace", "linear"))
  )
})
