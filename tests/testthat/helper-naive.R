# The mathematics once more, straight from the equations and as slowly as they
# are written: what the tests compare the package with. Nothing here calls the
# package's own code.

# phi_i(t) = exp(-||t - x_i||^2 / eta): N x n, by differences.
naive_features <- function(x, t, eta) {
  x <- as.matrix(x)
  t <- as.matrix(t)
  out <- matrix(0, nrow(x), nrow(t))
  for (l in seq_len(nrow(t))) out[, l] <- exp(-rowSums((x - rep(t[l, ], each = nrow(x)))^2) / eta)
  out
}

naive_distances <- function(x, t) {
  out <- matrix(0, nrow(x), nrow(t))
  for (i in seq_len(nrow(x))) {
    for (l in seq_len(nrow(t))) out[i, l] <- sqrt(sum((x[i, ] - t[l, ])^2))
  }
  out
}

# Weights of mean 1.
naive_weights <- function(weights, n) {
  if (is.null(weights)) rep(1, n) else weights / mean(weights)
}

# D^1/2 Phi: what the projections are of.
naive_root <- function(x, t, eta, weights = NULL) {
  sqrt(naive_weights(weights, nrow(x))) * naive_features(x, t, eta)
}

# [LP15] eq. 5: k(t, s) = (1/N) sum_i v_i phi_i(t) phi_i(s).
naive_kernel <- function(x, t, s, eta, weights = NULL) {
  v <- naive_weights(weights, nrow(x))
  ft <- naive_features(x, t, eta)
  fs <- naive_features(x, s, eta)
  out <- matrix(0, nrow(t), nrow(s))
  for (k in seq_len(nrow(t))) {
    for (l in seq_len(nrow(s))) out[k, l] <- sum(v * ft[, k] * fs[, l]) / nrow(x)
  }
  out
}

# G = Phi' D Phi.
naive_gram <- function(x, t, eta, weights = NULL) nrow(x) * naive_kernel(x, t, t, eta, weights)

# What is left of the columns of `b` after a projection on those of `a`.
naive_left <- function(a, b) {
  if (ncol(a) == 0) return(b)
  q <- qr.Q(qr(a, tol = 1e-12, LAPACK = FALSE))[, seq_len(qr(a, tol = 1e-12)$rank), drop = FALSE]
  # Twice is enough against rounding.
  b <- b - q %*% crossprod(q, b)
  b - q %*% crossprod(q, b)
}

# Eq. 7 over N: V_n(z) = (1/N) ||(I - P_n) D^1/2 phi(z)||^2.
naive_variance <- function(x, t, z, eta, weights = NULL) {
  colSums(naive_left(naive_root(x, t, eta, weights), naive_root(x, z, eta, weights))^2) / nrow(x)
}

# log det(Phi' D Phi) without forming it: twice the logs of R's diagonal.
naive_log_det <- function(x, t, eta, weights = NULL) {
  2 * sum(log(abs(diag(qr.R(qr(naive_root(x, t, eta, weights), LAPACK = TRUE))))))
}

# H = D Phi o (Phi G^-1) and T+ = H'X.
naive_h <- function(x, t, eta, weights = NULL) {
  phi <- naive_features(x, t, eta)
  naive_weights(weights, nrow(x)) * phi * (phi %*% solve(naive_gram(x, t, eta, weights)))
}

naive_step <- function(x, t, eta, weights = NULL) crossprod(naive_h(x, t, eta, weights), x)

# L-BFGS (Nocedal and Wright, Numerical Optimization, algorithm 7.4) on log det G, whose slope is T+ - T, from
# the unit matrix; steps are of length 1, as long as they raise the value.
naive_quasi_newton <- function(x, t, eta, iterations, weights = NULL) {
  slope <- naive_step(x, t, eta, weights) - t
  steps <- changes <- list()
  for (k in seq_len(iterations)) {
    q <- slope
    share <- numeric(length(steps))
    for (i in rev(seq_along(steps))) {
      share[i] <- sum(steps[[i]] * q) / sum(steps[[i]] * changes[[i]])
      q <- q - share[i] * changes[[i]]
    }
    for (i in seq_along(steps)) {
      q <- q + (share[i] - sum(changes[[i]] * q) / sum(steps[[i]] * changes[[i]])) * steps[[i]]
    }
    stopifnot(naive_log_det(x, t + q, eta, weights) > naive_log_det(x, t, eta, weights))
    t <- t + q
    new <- naive_step(x, t, eta, weights) - t
    steps <- c(steps, list(q))
    changes <- c(changes, list(slope - new))
    slope <- new
  }
  t
}

# Eq. 10 for the last landmark, the others fixed: sum g_i x_i / sum g_i.
naive_eq10 <- function(x, t, eta, weights = NULL) {
  n <- nrow(t)
  root <- naive_root(x, t, eta, weights)
  r <- naive_left(root[, -n, drop = FALSE], root[, n, drop = FALSE])
  g <- as.vector(r * root[, n])
  colSums(g * x) / sum(g)
}

# The gradient of sum_i v_i r_i^2, r = (I - P) phi(t), in the last landmark:
# Algorithm 1's, as the sum that the paper prints.
naive_gradient <- function(x, t, eta, weights = NULL) {
  n <- nrow(t)
  root <- naive_root(x, t, eta, weights)
  r <- as.vector(naive_left(root[, -n, drop = FALSE], root[, n, drop = FALSE]))
  out <- numeric(ncol(x))
  for (i in seq_len(nrow(x))) out <- out - 4 / eta * r[i] * root[i, n] * (t[n, ] - x[i, ])
  out
}

# Rows of x, each the one with most variance left given those before it: the
# pivoted start. Returns list(rows, variance).
naive_greedy <- function(x, eta, n, weights = NULL, fixed = matrix(0, 0, ncol(x))) {
  all <- naive_root(x, x, eta, weights)
  basis <- naive_root(x, fixed, eta, weights)
  rows <- integer()
  variance <- numeric()
  for (k in seq_len(n)) {
    left <- colSums(naive_left(basis, all)^2) / nrow(x)
    left[rows] <- -1
    rows[k] <- which.max(left)
    variance[k] <- left[rows[k]]
    basis <- cbind(basis, all[, rows[k]])
  }
  list(rows = rows, variance = variance)
}

# Cholesky of G with the largest remaining diagonal as pivot, the first `fixed`
# in their places, by Schur complements. Returns list(order, pivot).
naive_pivoted <- function(g, fixed = 0) {
  order <- integer()
  pivot <- numeric()
  for (k in seq_len(nrow(g))) {
    left <- diag(g)
    left[order] <- -Inf
    order[k] <- if (k <= fixed) k else which.max(left)
    pivot[k] <- left[order[k]]
    g <- g - outer(g[, order[k]], g[order[k], ]) / pivot[k]
  }
  list(order = order, pivot = pivot)
}

# tr(W^-1 C'DC), what points explain of the Gaussian kernel of the rows (Nystrom).
naive_trace <- function(x, t, eta, weights = NULL) {
  if (nrow(t) == 0) return(0)
  c <- naive_features(x, t, eta)
  w <- naive_features(t, t, eta)
  sum(naive_weights(weights, nrow(x)) * rowSums((c %*% solve(w)) * c))
}

# Points in greedy order: each next one explains most together with those before it. The first
# `fixed` keep their places.
naive_trace_order <- function(x, t, eta, weights = NULL, fixed = 0, n = nrow(t)) {
  order <- seq_len(fixed)
  while (length(order) < n) {
    left <- setdiff(seq_len(nrow(t)), order)
    value <- vapply(left, function(i) naive_trace(x, t[c(order, i), , drop = FALSE], eta, weights), 0)
    order <- c(order, left[which.max(value)])
  }
  order
}

# (eta / 4) times the gradient of a criterion value(x, t, eta, weights) in some landmarks, all by default, by
# central differences of two lengths, whose error is of the fourth order.
naive_uphill <- function(value, x, t, eta, weights = NULL, of = seq_len(nrow(t))) {
  slope <- function(i, j, h) {
    at <- function(h) value(x, replace(t, cbind(i, j), t[i, j] + h), eta, weights)
    (at(h) - at(-h)) / (2 * h)
  }
  out <- t[of, , drop = FALSE]
  for (k in seq_along(of)) for (j in seq_len(ncol(t))) {
    out[k, j] <- eta / 4 * (4 * slope(of[k], j, 1e-3) - slope(of[k], j, 2e-3)) / 3
  }
  out
}

# sum_i v_i k_i' W^-1 k_i / sum_i v_i of the first k landmarks, for k = 1, ..., n.
naive_explained <- function(x, t, eta, weights = NULL) {
  first <- function(k) naive_trace(x, t[seq_len(k), , drop = FALSE], eta, weights) / nrow(x)
  vapply(seq_len(nrow(t)), first, 0)
}

# The nearest point of each space, by row.
naive_project <- function(t, space) {
  if (is.function(space)) return(t(apply(t, 1, space)))
  for (l in seq_len(nrow(t))) {
    if (space %in% c("nonnegative", "nonnegative_sphere")) t[l, ] <- ifelse(t[l, ] > 0, t[l, ], 0)
    if (space %in% c("sphere", "nonnegative_sphere")) t[l, ] <- t[l, ] / sqrt(sum(t[l, ]^2))
  }
  t
}

# Largest violation of being in the space.
naive_violation <- function(t, space) {
  if (is.function(space)) return(max(abs(t - naive_project(t, space))))
  low <- if (space %in% c("nonnegative", "nonnegative_sphere")) max(0, -min(t)) else 0
  norm <- if (space %in% c("sphere", "nonnegative_sphere")) max(abs(sqrt(rowSums(t^2)) - 1)) else 0
  max(low, norm)
}

# ---- what the tests share ----------------------------------------------------

# Reproducible data and points without R's stream: a low-discrepancy mess.
odd_matrix <- function(rows, columns, shift = 0) {
  i <- seq_len(rows * columns) + shift
  matrix(2 * ((i * 0.754877666 + (i %/% columns) * 0.569840291 + i^2 * 0.1370001) %% 1) - 1, rows, columns)
}

# A fit without what is never the same twice, or says only how it was asked for.
bare <- function(fit) unclass(fit)[setdiff(names(fit), c("seconds", "call"))]

# The hard case of the design: n comes near the kernel's rank.
hard_case <- function() {
  withr::local_seed(3)
  x <- sim_swiss_roll(1000) / 5
  attr(x, "position") <- NULL
  list(x = x, start = x[sample(1000, 50), ], bandwidth = 2)
}

# Sparse and dense of the same numbers.
sparse_case <- function(rows = 120, columns = 30, share = 0.2) {
  withr::local_seed(11)
  x <- matrix(stats::rbinom(rows * columns, 1, share) * stats::rexp(rows * columns), rows, columns)
  colnames(x) <- paste0("w", seq_len(columns))
  list(dense = x, sparse = methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix"))
}

sort_rows <- function(t) {
  t[do.call(order, lapply(seq_len(ncol(t)), function(j) round(t[, j], 4))), , drop = FALSE]
}

# The same for G almost singular, which may not be formed: by the QR of Phi.

quick_log_det <- function(x, t, eta) {
  2 * sum(log(abs(diag(qr.R(qr(naive_features(x, t, eta), LAPACK = TRUE))))))
}

# The scores of a fit's response by hand: intercept, features and trend, from the coordinates of the kernel.
scores_by_hand <- function(fit, x) {
  in_kernel <- function(v) sweep(sweep(as.matrix(v), 2, fit$center), 2, fit$factor, "*")
  z <- in_kernel(x)
  t <- in_kernel(fit$landmarks)
  squared <- outer(rowSums(z^2), rowSums(t^2), "+") - 2 * tcrossprod(z, t)
  scores <- cbind(1, exp(-squared / fit$bandwidth)) %*% fit$response$coefficients
  if (is.null(fit$response$trend)) scores else scores + z %*% fit$response$trend
}
