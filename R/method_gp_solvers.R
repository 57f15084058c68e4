# The three solvers of by_gp(): all landmarks at once, one after another by the steps of gp_climb(), and
# Algorithm 1 as published. fit_selector() puts landmarks in order (method_order.R).

gp_joint <- function(method, source, n, kernel, fixed, call) {
  control <- compute_with(call)
  start <- gp_start(method, source, n, kernel, fixed, control, call)
  n <- nrow(start)
  if (n == 0) return(landmark_selection(start))
  from <- rbind(fixed, start)
  climb <- climb_few(method, source, from, nrow(fixed), kernel, control) %||%
    gp_climb(method, source, from, nrow(fixed), kernel, control)
  if (is_worse(climb, from, method, source, kernel, control)) {
    climb <- list(landmarks = from, iterations = 0L, moved = rep(NA_real_, n), exact = FALSE)
  }
  new <- climb$landmarks[nrow(fixed) + seq_len(n), , drop = FALSE]
  found <- landmark_selection(new, rep(climb$iterations, n), climb$moved, exact = climb$exact)
  found[c("criterion", "gain")] <- list(method$criterion, climb$gain)
  found
}

# The climb on a few thousand rows if batches would come first and the start leaves next to nothing of the
# trace; else NULL. Such a kernel is so wide that more rows say nothing new. Steps on batches are hardly
# checked, and would bring landmarks together.
climb_few <- function(method, source, from, fixed, kernel, control) {
  batches <- climb_plan(method, source_rows(source), nrow(from))$sizes
  if (method$criterion != "trace" || !is.null(method$batch_size) || length(batches) == 0) return(NULL)
  rows <- even_rows(source, max(4000, 10 * nrow(from)))
  part <- rows_of(source, rows)
  if (pass_of(from, part, kernel, control)$left > nearly_all * total_weight(part)) return(NULL)
  # Rows far from all others are rarely among these, and landmarks are at them.
  if (length(rows) < source_rows(source)) {
    part <- rows_of(source, sort(unique(c(rows, pass_of(from, source, kernel, control)$nearest))))
  }
  most <- method$max_iterations
  climb <- climb_rows(part, NULL, from, fixed, kernel, "trace", most, method$tolerance, control)
  c(climb[c("landmarks", "iterations", "moved", "gain")], exact = FALSE)
}

# Whether the climb has made the landmarks worse than those that it started from. If the kernel is so narrow
# that a batch says nothing of the other rows, steps on batches may raise the error. If it is so wide that
# landmarks came to depend on each other, rows replace them (see fit_selector()), and there may be too few.
is_worse <- function(climb, from, method, source, kernel, control) {
  root <- kernel_root(climb$landmarks, source, kernel, control)
  apart <- root$pivot[diag(root$factor)^2 > row_floor]
  lost <- nrow(climb$landmarks) - length(apart)
  if (lost > 0) {
    some <- climb$landmarks[apart, , drop = FALSE]
    spare <- active_rows(source, some, lost, kernel, control)$rows
    if (length(spare) < lost) return(TRUE)
    climb$landmarks <- rbind(some, rows_as_points(source, spare))
  }
  if (method$criterion != "trace" || (climb$exact && lost == 0)) return(FALSE)
  part <- sample_evenly(source, max(1000, 4 * nrow(from)))
  pass_of(from, part, kernel, control)$left < pass_of(climb$landmarks, part, kernel, control)$left
}

# The pass over all rows for landmarks of which none is held.
pass_of <- function(points, source, kernel, control) {
  nystrom_over(source, points, kernel, c(list(fixed = 0L, floor = kernel_floor), control))
}

# ---- the start -----------------------------------------------------------------------

# Points to start from: n rows projected on the space, or fewer if the rank of the kernel is smaller.
gp_start <- function(method, source, n, kernel, fixed, control, call) {
  if (is.matrix(method$start)) {
    check_that(nrow(method$start) == n, method$start, "start", "have {n} row{?s}, one for each landmark",
      call = call, found = "It has {nrow(x)}."
    )
    start <- points_of_user(method$start, source, kernel$space, "start", call)
  } else if (method$start == "random") {
    # More than n are drawn, because some may repeat others.
    rows <- draw_rows(source, 2L * n)
    start <- rows_in_space(source, rows[sample.int(length(rows))], kernel, call)
  } else if (method$criterion == "trace") {
    return(better_start(method, source, n, kernel, fixed, control, call))
  } else {
    rows <- draw_rows(source, start_rows(method, n)$sample)
    floors <- list(volume = rank_floor)
    return(pivoted_starts(source, rows, floors, n, kernel, fixed, call, trace_floor)$volume)
  }
  # The first n that do not depend on those before them.
  pivots <- kernel_pivots(rbind(fixed, start), source, kernel, control)
  start[utils::head(which(pivots[nrow(fixed) + seq_len(nrow(start))] > 0), n), , drop = FALSE]
}

# How many rows there are in the sample in which a start is searched, and in the batch that compares two
# starts.
start_rows <- function(method, n) {
  size <- method$batch_size[1]
  if (identical(size, all_rows_size)) size <- NULL
  list(sample = max(1000L, 2L * n), batch = max(size, 500L, 3L * n))
}

# The better of two starts for the trace: the rows that explain most of it, and the rows of the largest
# volume, which lie farther apart. Neither is always better. Both are moved by two steps on one batch, and the
# one that then explains more is used. With a wide kernel two steps say little, and what is left may be less
# than the rounding error of the trace. So then
#
#   * rows_by_pivots() are a third start,
#   * twenty steps are taken on a sample, and
#   * what they leave is summed over its rows.
better_start <- function(method, source, n, kernel, fixed, control, call) {
  size <- start_rows(method, n)
  sample <- draw_rows(source, size$sample)
  batch <- draw_rows(source, size$batch)
  floors <- list(trace = trace_floor, volume = rank_floor)
  starts <- pivoted_starts(source, sample, floors, n, kernel, fixed, call)
  # Near the kernel's rank the longest start is used, which may be that of pivots of W over all rows.
  if (any(vapply(starts, nrow, 0L) < n)) {
    pivots <- rows_by_pivots(source, fixed, n, kernel, control)
    starts <- c(list(rows_in_space(source, pivots, kernel, call)), starts)
    return(starts[[which.max(vapply(starts, nrow, 0L))]])
  }
  climb <- function(start, steps, source, rows) {
    steps <- min(steps, method$max_iterations)
    climb_rows(source, rows, rbind(fixed, start), nrow(fixed), kernel, "trace", steps, 0, control)
  }
  value <- vapply(starts, function(start) climb(start, 2L, source, batch)$value, 0)
  if (max(value) > (1 - nearly_all) * sum(weights_at(source, batch))) {
    rows <- rows_by_pivots(source, fixed, n, kernel, control)
    part <- rows_of(source, sort(unique(c(even_rows(source, size$sample), rows))))
    if (length(rows) == n) starts$pivots <- rows_in_space(source, rows, kernel, call)
    value <- vapply(starts, function(start) {
      -pass_of(climb(start, 20L, part, seq_len(part$dim[1]))$landmarks, part, kernel, control)$left
    }, 0)
  }
  starts[[which.max(value)]]
}

# Rows that are chosen one after another by their variance given the rows before. Ties are broken at random,
# but later draws are the same with and without them.
rows_by_pivots <- function(source, fixed, n, kernel, control) {
  keep_seed(active_rows(source, fixed, n, kernel, control)$rows)
}

# The share of the trace beyond which landmarks explain nearly all of it.
nearly_all <- 1e-4

# Those rows of a `sample` that are best by a criterion, chosen one after another: a list with a start for
# each of the `floors`, named by the criteria.
pivoted_starts <- function(source, sample, floors, n, kernel, fixed, call, least = row_floor) {
  control <- compute_with(call)
  settings <- c(list(rows = sample, wanted = as.integer(min(n, length(sample)))), floors)
  found <- .Call(C_pivot, source, fixed, kernel, c(settings, control))
  lapply(found[names(floors)], function(rows) {
    start <- rows_in_space(source, rows, kernel, call)
    if (length(rows) == n) return(start)
    # A sample may have too few different rows, or too few whose features are independent up to rounding.
    # The others are chosen from all rows, if their variance is above `least`.
    held <- rbind(fixed, start)
    more <- active_rows(source, held, n - length(rows), kernel, control, floor = least)$rows
    rbind(start, rows_in_space(source, more, kernel, call))
  })
}

# ---- one landmark after another; those that were found stay where they are -------------

gp_sequential <- function(method, source, n, kernel, fixed, call) {
  control <- compute_with(call)
  bar <- progress_start("Learning landmarks", n)
  points <- fixed
  climbs <- list()
  for (k in seq_len(n)) {
    climb <- next_landmark(method, source, points, kernel, control, call)
    if (is.null(climb)) break
    points <- climb$landmarks
    climbs[[k]] <- climb
    progress_step(bar)
  }
  each <- function(name) vapply(climbs, function(climb) as.double(climb[[name]]), 0)
  landmark_selection(points[nrow(fixed) + seq_along(climbs), , drop = FALSE],
    each("iterations"), each("moved"), exact = all(each("exact") == 1), ordered = TRUE
  )
}

# The climb of the next landmark, as of gp_climb(). It starts at the best of some random rows. If none of them
# has any variance left given the landmarks found so far, for example because most rows are equal, it starts
# at the row with the largest remaining variance. NULL if no row has any.
next_landmark <- function(method, source, found, kernel, control, call) {
  rows <- draw_rows(source, method$candidates)
  starts <- rows_in_space(source, rows, kernel, call)
  # Where batches come first, the best on the first batch is found together with the steps on it.
  has_batches <- length(climb_plan(method, source_rows(source), nrow(found) + 1L)$sizes) > 0
  if (!has_batches) starts <- best_start(method, source, found, starts, kernel, control)
  climb <- function(starts, choose) {
    landmarks <- rbind(found, starts[1, , drop = FALSE])
    gp_climb(method, source, landmarks, nrow(found), kernel, control, if (choose) starts)
  }
  climbed <- if (!is.null(starts)) climb(starts, has_batches)
  if (!is.null(climbed)) return(climbed)
  row <- active_rows(source, found, 1L, kernel, control, floor = rank_floor)$rows
  if (length(row)) climb(rows_in_space(source, row, kernel, call), FALSE)
}

# Of some points the one with the largest variance over a batch of rows, a matrix of one row; or NULL.
best_start <- function(method, source, found, points, kernel, control) {
  rows <- draw_rows(source, max(method$batch_size[1], 5L * nrow(found)))
  p <- posterior_over(source, rows, found, points, kernel, control)
  left <- p$prior - rowSums(p$explained)
  best <- which.max(left)
  if (isTRUE(left[best] > rank_floor * p$prior[best])) points[best, , drop = FALSE]
}

# ---- Algorithm 1 of Liang and Paisley (2015) -----------------------------------------

gp_sgd <- function(method, source, n, kernel, fixed, call) {
  control <- compute_with(call)
  iterations <- method$iterations[1]
  rates <- vapply(seq_len(iterations), function(s) {
    check_number(method$step_size(s), sprintf("step_size(%d)", s), call = call)
  }, 0)
  found <- fixed
  bar <- progress_start("Learning landmarks", n)
  for (k in seq_len(n)) {
    first <- stats::rnorm(source$dim[2], source$mean, sqrt(source$variance))
    first <- project_points(matrix(first, 1, dimnames = list(NULL, source$names)), kernel$space, call)
    batches <- lapply(seq_len(iterations), function(s) draw_rows(source, method$batch_size[1]))
    settings <- c(list(batches = batches, rates = rates, gradient = method$gradient), control)
    found <- .Call(C_gradient_steps, source, rbind(found, first), kernel, settings)
    progress_step(bar)
  }
  new <- found[nrow(fixed) + seq_len(n), , drop = FALSE]
  landmark_selection(new, rep(iterations, n), exact = FALSE, ordered = TRUE)
}
