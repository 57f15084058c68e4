# All landmarks at once: a start of rows, then steps that raise the criterion. method_order.R puts them in
# order.

gp_joint <- function(method, source, n, kernel, held, call) {
  how <- compute_with(call)
  start <- remember(source, "start", function() gp_start(method, source, n, kernel, held, how, call))
  n <- nrow(start)
  if (n == 0) return(selection(start, fill_up = method$criterion == "trace"))
  from <- if (nrow(held)) rbind(held, start) else start
  climb <- remember(source, "climb", function() gp_climb(method, source, from, nrow(held), kernel, how, call))
  # With a kernel so narrow that a batch carries no information on the other rows, steps on batches may make
  # the landmarks worse than the rows that they started from.
  worse <- method$criterion == "trace" && !climb$exact &&
    leaves_less(from, climb$landmarks, source, kernel, how)
  if (worse) {
    climb <- list(landmarks = from, iterations = 0L, moved = rep(NA_real_, n), exact = FALSE)
  }
  new <- if (nrow(held)) climb$landmarks[nrow(held) + seq_len(n), , drop = FALSE] else climb$landmarks
  selection(new,
    iterations = rep(climb$iterations, n), moved = climb$moved, exact = climb$exact,
    criterion = method$criterion, fill_up = method$criterion == "trace"
  )
}

# Whether landmarks `a` explain more of the kernel's trace than landmarks `b`, over evenly spaced rows of the
# data.
leaves_less <- function(a, b, source, kernel, how) {
  part <- rows_of(source, even_rows(source, max(1000, 4 * nrow(a))))
  left <- function(points) {
    error <- .Call(C_reconstruction, part, points, kernel, how)
    error[length(error)]
  }
  left(a) < left(b)
}

# How many rows of a sample landmarks start from, and how many rows compare two starts.
start_rows <- function(method, n) {
  size <- method$batch_size[1]
  if (identical(size, all_rows_size)) size <- NULL
  list(sample = max(method$sample, 2L * n), batch = max(size, 500L, 3L * n))
}

# Two starts for the trace: the rows that explain most of it, and the rows of largest volume, which
# lie farther apart. The one that explains more after the steps of one batch is used. Neither is always
# better.
better_start <- function(method, source, n, kernel, held, how, call) {
  size <- start_rows(method, n)
  sample <- batch_of(source, draw_rows(source, size$sample))
  batch <- batch_of(source, draw_rows(source, size$batch))
  for_core <- kernel_of_moves(kernel, source, call)
  starts <- lapply(c("trace", "volume"), function(criterion) {
    pivoted_start(source, sample, criterion, n, kernel, held, call)
  })
  # Where one has found fewer landmarks there is nothing to compare.
  sizes <- vapply(starts, nrow, 0L)
  if (sizes[1] != sizes[2] || sizes[1] == 0) return(starts[[which.max(sizes)]])
  settings <- list(
    over = "batch", rows = batch$rows, held = nrow(held), criterion = "trace",
    max_iterations = min(2L, method$max_iterations), halvings = method$halvings, tolerance = 0
  )
  value <- vapply(starts, function(start) {
    .Call(C_climb, batch$source, rbind(held, start), for_core, c(settings, how))$value
  }, 0)
  starts[[which.max(value)]]
}

# n rows, projected on the space, to start from; fewer where the rank of the kernel is smaller.
gp_start <- function(method, source, n, kernel, held, how, call) {
  if (is.matrix(method$start)) {
    start <- check_start(method$start, source, n, kernel$space, call)
    return(independent(start, source, n, kernel, held, how))
  }
  if (method$start == "random") {
    # More than n, because some may repeat others.
    rows <- draw_rows(source, 2L * n)
    rows <- rows[sample.int(length(rows))]
    start <- project_points(rows_as_points(source, rows), kernel$space, call)
    return(independent(start, source, n, kernel, held, how))
  }
  if (method$criterion == "trace") return(better_start(method, source, n, kernel, held, how, call))
  sample <- batch_of(source, draw_rows(source, start_rows(method, n)$sample))
  pivoted_start(source, sample, "volume", n, kernel, held, call)
}

# The rows of a sample, by batch_of(), that are best by the criterion, one after another.
pivoted_start <- function(source, sample, criterion, n, kernel, held, call) {
  how <- compute_with(call)
  settings <- list(
    rows = sample$rows, wanted = as.integer(min(n, length(sample$rows))), criterion = criterion,
    floor = if (criterion == "trace") kernel_floor else rank_floor
  )
  found <- .Call(C_pivot, sample$source, held, kernel_of_moves(kernel, source, call), c(settings, how))
  start <- project_points(rows_as_points(sample$source, found), kernel$space, call)
  if (length(found) == n || length(sample$rows) == source_rows(source)) return(start)
  # With many repeated rows a sample may have too few different ones: the others come from all rows.
  more <- active_rows(
    source, rbind(held, start), n - length(found), kernel, FALSE, c(0, kernel_floor), how
  )$rows
  rbind(start, project_points(rows_as_points(source, more), kernel$space, call))
}

# The first n of some points whose features do not depend on those before them:
# otherwise the volume would be 0.
independent <- function(points, source, n, kernel, held, how) {
  part <- rows_of(source, draw_rows(source, 4L * (nrow(held) + nrow(points))))
  all <- rbind(held, points)
  g <- .Call(C_gram, part, all, kernel, how)$gram
  settings <- list(held = nrow(all), wanted = nrow(all), floor = rank_floor)
  pivot <- .Call(C_order, g, c(settings, how))$pivot
  new <- pivot[nrow(held) + seq_len(nrow(points))] > 0
  points[which(new)[seq_len(min(n, sum(new)))], , drop = FALSE]
}

check_start <- function(start, source, n, space, call) {
  if (nrow(start) != n || ncol(start) != source$dim[2]) {
    abort_input(c(
      "{.arg start} must be a matrix of {n} landmark{?s} in {source$dim[2]} dimension{?s}.",
      x = "It is {nrow(start)} x {ncol(start)}."
    ), arg = "start", call = call)
  }
  check_reach(start, source$center, source$factor, "start", call)
  off <- off_space(start, space, call)
  if (any(off > 1e-8)) {
    abort_input(c(
      "{.arg start} must lie in the {.arg space}.",
      x = "Row {which(off > 1e-8)[1]} lies outside.",
      i = "Project it first, or choose another {.arg space}."
    ), arg = "start", kind = "space", call = call)
  }
  storage.mode(start) <- "double"
  colnames(start) <- source$names
  start
}
