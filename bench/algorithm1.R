# Algorithm 1 of Liang and Paisley (2015) in plain vectorized R: unit-norm
# gradient, true squared distances, nothing cached. Its cost is measured at some
# landmarks and summed over all of them by the trapezoid rule.

algorithm1_step <- function(x, held, t, bandwidth, batch_size, rate) {
  rows <- sample.int(nrow(x), batch_size)
  batch <- x[rows, , drop = FALSE]
  norm <- rowSums(batch^2)
  features <- function(points) {
    squared <- outer(norm, rowSums(points^2), "+") - 2 * tcrossprod(batch, points)
    exp(-pmax(squared, 0) / bandwidth)
  }
  phi <- features(t)
  r <- phi
  if (nrow(held) > 0) {
    held_phi <- features(held)
    r <- phi - held_phi %*% solve(crossprod(held_phi), crossprod(held_phi, phi))
  }
  g <- as.vector(r * phi)
  gradient <- crossprod(g, batch) - sum(g) * t
  t <- t + rate * gradient / sqrt(sum(gradient^2))
  pmax(t, 0)
}

# Seconds that n landmarks with 1,000 iterations each would take.
algorithm1_seconds <- function(x, landmarks, bandwidth, at = c(1, 25, 50, 75, 100), steps = 12) {
  cost <- vapply(at, function(k) {
    t <- landmarks[k, , drop = FALSE]
    held <- landmarks[seq_len(k - 1), , drop = FALSE]
    algorithm1_step(x, held, t, bandwidth, 1000, 0.1)
    elapsed(for (s in seq_len(steps)) {
      t <- algorithm1_step(x, held, t, bandwidth, 1000, (10 + s)^-0.51)
    }) / steps
  }, 0)
  all <- stats::approx(at, cost, xout = seq_len(max(at)))$y
  1000 * sum(all)
}
