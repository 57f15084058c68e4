# k-means++ (Arthur and Vassilvitskii, 2007).

# n rows drawn one after another with probability proportional to weight times
# the squared distance from the nearest so far, of those held too; fewer where
# no row is left that differs from them.
seed_plus_plus <- function(source, n, held = source_no_points(source)) {
  how <- compute_with()
  weights <- source$weights %||% rep(1, source$dim[1])
  squared <- function(point) as.vector(.Call(C_features, source, point, NULL, how))
  left <- rep(1, source$dim[1])
  if (nrow(held) > 0) left <- do.call(pmin, lapply(seq_len(nrow(held)), function(k) squared(held[k, , drop = FALSE])))
  rows <- integer()
  while (length(rows) < n) {
    mass <- cumsum(weights * left)
    total <- mass[length(mass)]
    if (!(total > 0)) break
    row <- findInterval(stats::runif(1) * total, mass, left.open = TRUE) + 1L
    near <- squared(rows_as_points(source, row))
    left <- if (length(rows) == 0 && nrow(held) == 0) near else pmin(left, near)
    left[row] <- 0
    rows <- c(rows, row)
  }
  rows
}
