# Graphs of landmarks, their embedding and its extension, straight from ?landmark_graph and
# ?embed_landmarks.

# (1/8) (t - s)' C^-1 (t - s) + (1/2) log(|C| / sqrt(|A| |B|)), C = (A + B) / 2.
naive_bhattacharyya <- function(t, s, a, b) {
  c <- (a + b) / 2
  drop((t - s) %*% solve(c, t - s, tol = 0)) / 8 + log(det(c) / sqrt(det(a) * det(b))) / 2
}

# Landmarks in kernel coordinates.
kernel_points <- function(fit) unname(sweep(sweep(fit$landmarks, 2, fit$center), 2, fit$factor, "*"))

# Covariances of the m rows nearest to each landmark, a list, without a ridge.
naive_covariances <- function(fit, x, m, full) {
  z <- unname(sweep(sweep(as.matrix(x), 2, fit$center), 2, fit$factor, "*"))
  t <- kernel_points(fit)
  lapply(seq_len(nrow(t)), function(l) {
    rows <- order(colSums((t(z) - t[l, ])^2))[seq_len(m)]
    c <- stats::cov(z[rows, , drop = FALSE])
    if (full) c else diag(diag(c), ncol(c))
  })
}

# How many rows ?`graph-distances` says a covariance is computed from.
rows_of_covariance <- function(fit, x, full) {
  min(max(ceiling(3 * nrow(x) / nrow(fit$landmarks)), 10, if (full) ncol(x) + 1), nrow(x))
}

with_ridge <- function(covariances, ridge) {
  size <- mean(vapply(covariances, function(c) mean(diag(c)), 0))
  lapply(covariances, function(c) c + diag(ridge * size, ncol(c)))
}

naive_squared <- function(fit, covariances = NULL) {
  t <- kernel_points(fit)
  n <- nrow(t)
  out <- matrix(0, n, n)
  for (i in seq_len(n)) {
    for (j in seq_len(n)) {
      if (i == j) next
      out[i, j] <- if (is.null(covariances)) {
        sum((t[i, ] - t[j, ])^2)
      } else {
        naive_bhattacharyya(t[i, ], t[j, ], covariances[[i]], covariances[[j]])
      }
    }
  }
  out
}

# Joined are those of whom one is among the k nearest of the other, by ranks: of distances that differ.
naive_graph <- function(squared, k, sigma, edge_weights = "heat") {
  stopifnot(!anyDuplicated(signif(squared[upper.tri(squared)], 7)))
  diag(squared) <- NA
  near <- t(apply(squared, 1, rank, na.last = "keep")) <= k
  joined <- (near | t(near)) & !is.na(squared)
  out <- if (edge_weights == "heat") exp(-squared / (2 * sigma^2)) else 1 + 0 * squared
  out[!joined] <- 0
  dimnames(out) <- rep(list(paste0("L", seq_len(nrow(squared)))), 2)
  out
}

quietly <- function(code) suppressWarnings(code, classes = "landmarker_warning")

# (D - K) y = lambda D y with K = W + I, by way of D^-1/2 K D^-1/2: list(values, coordinates).
naive_eigenmap <- function(w, dims, alpha = 0) {
  k <- as.matrix(w) + diag(nrow(w))
  k <- k / outer(rowSums(k), rowSums(k))^alpha
  d <- rowSums(k)
  pairs <- eigen(k / sqrt(outer(d, d)), symmetric = TRUE)
  some <- 1 + seq_len(dims)
  y <- pairs$vectors[, some, drop = FALSE] * sqrt(sum(d) / d)
  for (j in seq_len(dims)) {
    first <- which(abs(y[, j]) >= max(abs(y[, j])) * (1 - 1e-6))[1]
    y[, j] <- y[, j] * sign(y[first, j])
  }
  list(values = 1 - pairs$values[some], coordinates = y)
}

# Each row by itself; `covariances`: a list in kernel coordinates with its ridge, or NULL.
naive_extension <- function(e, x, covariances = NULL) {
  t <- kernel_points(e$graph$fit)
  z <- unname(sweep(sweep(as.matrix(x), 2, e$graph$fit$center), 2, e$graph$fit$factor, "*"))
  squared <- naive_squared(e$graph$fit, covariances)
  reach <- vapply(seq_len(nrow(t)), function(j) sort(squared[j, -j])[e$graph$neighbors], 0)
  out <- t(apply(z, 1, function(at) {
    d <- colSums((t(t) - at)^2)
    if (!is.null(covariances)) {
      home <- which.min(d)
      d <- vapply(seq_len(nrow(t)), function(j) {
        naive_bhattacharyya(at, t[j, ], covariances[[home]], covariances[[j]])
      }, 0)
    }
    near <- d <= sort(d)[e$graph$neighbors + 1] * (1 + 1e-9) | d <= reach * (1 + 1e-9)
    w <- if (e$graph$edge_weights == "heat") exp(-(d - min(d)) / (2 * e$graph$sigma^2)) else rep(1, length(d))
    w <- w * near / (1 + Matrix::rowSums(e$graph$weights))^e$alpha
    colSums(w * e$coordinates) / sum(w) / (1 - e$values)
  }))
  matrix(out, nrow(z), dimnames = list(rownames(x), colnames(e$coordinates)))
}

# A sheet that is bent, its columns in different units.
sheet <- function(rows, shift = 0) {
  u <- odd_matrix(rows, 2, shift)
  cbind(a = 3 * u[, 1], b = 50 + 10 * u[, 2], c = u[, 1]^2 + 0.05 * odd_matrix(rows, 1, shift + 7)[, 1])
}

sheet_fit <- function() as_landmarks(sheet(300)[1:30, ], sheet(300), bandwidth = 1, scale = TRUE)

# Distances and weights of a graph, and the embedding of a fit by them.
embedding_kinds <- function() {
  expand.grid(
    shape = c("none", "diagonal", "full"), weights = c("heat", "binary"), stringsAsFactors = FALSE
  )
}

embed_by <- function(shape, weights, ..., on = sheet_fit(), data = sheet(300)) {
  if (shape == "none") return(quietly(embed_landmarks(on, ..., edge_weights = weights, independent = FALSE)))
  quietly(
    embed_landmarks(
      on, data, ..., independent = FALSE, distance = "bhattacharyya", edge_weights = weights,
      covariance = shape
    )
  )
}

# A fit of 25 landmarks on rows of a bent surface.
bent_rows <- function(rows = 300) {
  x <- odd_matrix(rows, 3)
  x[, 3] <- x[, 1]^2 + 0.1 * x[, 3]
  colnames(x) <- c("a", "b", "c")
  x
}
bent_fit <- function(...) as_landmarks(bent_rows()[1:25, ], bent_rows(), bandwidth = 1, ...)

weights_of <- function(...) landmark_graph(...)$weights

# A Swiss roll, where its rows are, and its landmarks. How well coordinates follow places.
rolled <- function(seed, n = 200, method = "kmeans", rows = 5000, noise = 0.05, ...) {
  withr::local_seed(seed)
  x <- sim_swiss_roll(rows, noise = noise)
  list(x = x, at = attr(x, "position"), fit = landmarks(x, n, method, ...))
}
follows <- function(y, at) abs(stats::cor(y, at, method = "spearman"))
