# The two solvers of by_gp() that find one landmark after another. Landmarks that were found stay where they
# are while the next one moves: by the steps of gp_climb(), or by Algorithm 1 as published.

gp_sequential <- function(method, source, n, kernel, held, call) {
  how <- compute_with(call)
  bar <- progress_start("Learning landmarks", n)
  found <- held
  iterations <- integer()
  moved <- numeric()
  exact <- TRUE
  for (k in seq_len(n)) {
    climb <- next_landmark(method, source, found, kernel, how, call)
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

# The climb of the next landmark, as of gp_climb(). It starts at the best of some random rows. If none of them
# has any variance left given the landmarks found so far, as where most rows are equal, it starts at the row
# of which most is left. NULL where that is none.
next_landmark <- function(method, source, found, kernel, how, call) {
  rows <- draw_rows(source, method$candidates)
  starts <- project_points(rows_as_points(source, rows), kernel$space, call)
  # Where batches come first, the best on the first batch is found together with the steps on it.
  has_batches <- length(climb_plan(method, source_rows(source), nrow(found) + 1L)$sizes) > 0
  if (!has_batches) starts <- best_start(method, source, found, starts, kernel, how)
  climb <- function(starts, choose) {
    landmarks <- rbind(found, starts[1, , drop = FALSE])
    gp_climb(method, source, landmarks, nrow(found), kernel, how, call, if (choose) starts)
  }
  climbed <- if (!is.null(starts)) climb(starts, has_batches)
  if (!is.null(climbed)) return(climbed)
  row <- active_rows(source, found, 1L, kernel, FALSE, c(0, rank_floor), how)$rows
  if (length(row)) climb(project_points(rows_as_points(source, row), kernel$space, call), FALSE)
}

# Of some points the one with the largest variance over a batch of rows, a matrix of one row; or NULL.
best_start <- function(method, source, found, points, kernel, how) {
  rows <- draw_rows(source, max(method$batch_size[1], 5L * nrow(found)))
  p <- posterior_over(source, rows, found, points, kernel, how)
  left <- p$prior - rowSums(p$explained)
  best <- which.max(left)
  if (isTRUE(left[best] > rank_floor * p$prior[best])) points[best, , drop = FALSE]
}

# ---- Algorithm 1 of Liang and Paisley (2015) -----------------------------------------

gp_sgd <- function(method, source, n, kernel, held, call) {
  how <- compute_with(call)
  for_core <- kernel_of_moves(kernel, source, call)
  iterations <- method$iterations[1]
  rates <- lapply(seq_len(iterations), method$step_size)
  bad <- which(!vapply(rates, function(rate) is_number(rate) && is.finite(rate), NA))
  if (length(bad)) {
    abort_input(c(
      "The function {.arg step_size} must return one finite number for every iteration.",
      x = "For iteration {bad[1]} it returned {describe(rates[[bad[1]]])}."
    ), arg = "step_size", call = call)
  }
  rates <- as.double(unlist(rates))
  sd <- sqrt(source$variance)
  middle <- source$mean
  found <- held
  # The batches of a portion of iterations are read together, up to 128 MB, and at most 50 of them.
  at_once <- min(50, max(1, 2^24 %/% (method$batch_size[1] * source$dim[2])))
  bar <- progress_start("Learning landmarks", n * iterations)
  for (k in seq_len(n)) {
    first <- matrix(stats::rnorm(length(middle), middle, sd), 1, dimnames = list(NULL, source$names))
    found <- rbind(found, project_points(first, kernel$space, call))
    # Portions limit the memory, and let the progress bar move.
    for (portion in split(seq_len(iterations), ceiling(seq_len(iterations) / at_once))) {
      batches <- lapply(portion, function(s) draw_rows(source, method$batch_size[1]))
      settings <- c(list(batches = batches, rates = rates[portion], gradient = method$gradient), how)
      found <- .Call(C_gradient_steps, source, found, for_core, settings)
      progress_step(bar, length(portion))
    }
  }
  new <- found[nrow(held) + seq_len(n), , drop = FALSE]
  selection(new, iterations = rep(iterations, n), moved = rep(NA_real_, n), exact = FALSE, ordered = TRUE)
}
