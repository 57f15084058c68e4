# One landmark at a time, each held once found.

gp_sequential <- function(method, source, n, kernel, held, call) {
  how <- compute_with(call)
  bar <- progress_start("Learning landmarks", n)
  found <- held
  iterations <- integer()
  moved <- numeric()
  exact <- TRUE
  for (k in seq_len(n)) {
    climb <- remember(source, "landmark", function() {
      first <- best_candidate(method, source, found, kernel, how, call)
      if (!is.null(first)) gp_climb(method, source, rbind(found, first), nrow(found), kernel, how, call)
    })
    if (is.null(climb)) break
    found <- climb$landmarks
    iterations <- c(iterations, climb$iterations)
    moved <- c(moved, climb$moved)
    exact <- exact && climb$exact
    progress_step(bar)
  }
  new <- found[-seq_len(nrow(held)), , drop = FALSE]
  if (nrow(held) == 0) new <- found
  selection(new,
    iterations = iterations, moved = moved, exact = exact, ordered = TRUE,
    fill_up = method$criterion == "trace"
  )
}

# The one of some random rows with the largest remaining variance, as a 1-row matrix; NULL
# where all have none.
best_candidate <- function(method, source, found, kernel, how, call) {
  rows <- draw_rows(source, method$candidates)
  # Over few rows the variance is not that of the data: the candidates are
  # measured on a batch of others too.
  batch <- batch_of(source, draw_rows(source, max(method$batch_size[1], 5L * nrow(found))))
  points <- project_points(rows_as_points(source, rows), kernel$space, call)
  p <- posterior_of_batch(batch, found, points, kernel$bandwidth, how)
  left <- p$prior - rowSums(p$explained)
  best <- which.max(left)
  if (!(left[best] > rank_floor * p$prior[best])) return(NULL)
  points[best, , drop = FALSE]
}
