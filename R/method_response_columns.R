# What by_response() says of the columns, and of the rows: how fast the scores change along a column, and how
# far rows are from the landmarks.

# The root of the mean squared derivative of the scores by each column, over up to 2,000 rows and all
# outputs, in the units of y by those of the column; NULL for sparse data. `state` has the final weights.
#
#   df_k / dx_j = factor_j (a_jk - (2 / eta) sum_l w_lk phi_l (x'_j - t'_lj)),
#
# x', t' and the slopes a of the trend in the coordinates of the kernel.
slopes_of_columns <- function(problem, state) {
  source <- problem$source
  if (source$sparse) return(NULL)
  # Fewer rows where there are many columns: half a second of products at the most.
  most <- max(200, min(2000, 4e8 %/% (length(state$landmarks) * ncol(problem$y))))
  rows <- evenly_spaced(problem$rows, most)
  part <- in_metric_of(rows_of(source, rows), state)
  kernel <- kernel_of_state(problem, state)
  w <- weights_of_state(problem, state)
  phi <- features_over(part, state$landmarks, kernel, problem$how)
  x <- coordinates_of_kernel(part$x, part)
  t <- coordinates_of_kernel(state$landmarks, part)
  v <- weights_at(source, rows) / sum(weights_at(source, rows))
  squares <- lapply(seq_len(ncol(problem$y)), function(k) {
    g <- phi * rep(w$landmarks[, k], each = nrow(phi))
    by <- -2 / kernel$bandwidth * (rowSums(g) * x - g %*% t)
    if (!is.null(w$trend)) by <- by + rep(w$trend[, k], each = nrow(by))
    colSums(v * by^2)
  })
  unit <- if (problem$response$type == "number" && problem$loss != "poisson") problem$unit else 1
  unname(unit * part$factor * sqrt(Reduce(`+`, squares)))
}

# The largest feature of the row that is farthest from all landmarks, among up to `most` rows.
reach_of_state <- function(problem, state, most = 10000) {
  part <- rows_of(problem$source, evenly_spaced(problem$rows, most))
  min(largest_feature(features_of_state(problem, state, part)))
}
