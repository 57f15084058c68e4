# The centers of k-means by Lloyd's iterations, or from random batches, for any source: dense or sparse, with
# weights or without, in one part or several.

# The centers of k-means, in the data's units: list(centers, converged, iterations, exact). The points of
# `start` differ from each other. `batch_size` is NULL for Lloyd's algorithm, which is also used where a batch
# would have all rows. `exact` says whether each iteration used all rows. The landmarks of `held` are further
# centers, which stay where they are, and are not in the result.
find_centers <- function(source, start, max_iterations, batch_size, held = source_no_points(source),
                         call = rlang::caller_env()) {
  exact <- !has_batches(source, batch_size)
  found <- if (exact) {
    lloyd(source, start, max_iterations, held, call)
  } else {
    minibatch(source, start, max_iterations, batch_size, held, call)
  }
  c(found, list(exact = exact))
}

# Whether there are batches: where one would have all rows there are none.
has_batches <- function(source, batch_size) !is.null(batch_size) && batch_size < source_rows(source)

# ---- Lloyd's iterations --------------------------------------------------------------

# Lloyd's algorithm: list(centers, converged, iterations). Arguments are those of find_centers().
lloyd <- function(source, start, max_iterations, held = source_no_points(source),
                  call = rlang::caller_env()) {
  how <- compute_with(call)
  moving <- nrow(held) + seq_len(nrow(start))
  states <- part_states(source, lloyd_state)
  moved <- start
  done <- 0L
  bar <- progress_start("Moving centers", max_iterations)
  repeat {
    found <- lloyd_run(source, states, rbind(held, moved), nrow(held), max_iterations - done, how, bar)
    done <- done + found$iterations
    moved <- found$centers[moving, , drop = FALSE]
    empty <- which(found$size[moving] == 0)
    # A center that has lost all its rows starts again at the row that is farthest from its own center. There
    # are at least as many different rows as centers, so that such rows exist.
    if (length(empty)) moved[empty, ] <- rows_as_points(source, farthest(source, states, length(empty)))
    if (length(empty) == 0 || done >= max_iterations) break
  }
  dimnames(moved) <- if (!is.null(source$names)) list(NULL, source$names)
  list(centers = moved, converged = length(empty) == 0 && found$settled, iterations = done)
}

# At most `most` iterations. Each assigns the rows to centers and, if any row has changed its center, moves
# all centers except the first `held`. Returns list(centers, size, iterations, settled): `size` is the weight
# of each center's rows, and `settled` says whether the last iteration changed nothing. The states of the
# parts are those before the last move of the centers.
lloyd_run <- function(source, states, centers, held, most, how, bar = NULL) {
  # The centers stay in kernel coordinates, because a conversion in each iteration would add rounding errors.
  n <- nrow(centers)
  at <- unname(coordinates_of_kernel(centers, source))
  size <- rep(1, n)
  # The values of sparse rows are already scaled.
  times <- if (source$sparse) rep(1, length(source$factor)) else source$factor
  done <- 0L
  settled <- FALSE
  while (done < most && !settled) {
    settings <- c(list(held = held, is_first = done == 0L), how)
    found <- over_parts(source, lloyd_step, at, size, settings,
      combine = function(a, b) Map(`+`, a, b), states = states
    )
    settled <- found$changed == 0
    if (!settled) {
      at <- .Call(C_lloyd_move, at, found$sums, found$size, list(held = held, factor = times))
      size <- found$size
    }
    done <- done + 1L
    progress_step(bar)
    # A single center has all rows from the first iteration on.
    if (n == 1) settled <- TRUE
  }
  list(centers = in_data_coordinates(at, source), size = size, iterations = done, settled = settled)
}

# The state of a part: for each row the number of its center (from 0) and the squared distance to it, which
# the core changes in place; and for each center the sum and the weight of its rows.
lloyd_state <- function(part) {
  n <- part$dim[1]
  list(
    label = integer(n), squared = double(n), sums = NULL, size = NULL, weights = part$weights,
    first = part$first
  )
}

lloyd_step <- function(part, state, at, size, settings) {
  found <- .Call(C_lloyd_assign, part, state$label, state$squared, at, size, settings)
  # The core returns no sums where no row has changed its center: then those of before are right.
  if (!is.null(found$sums)) {
    state$sums <- found$sums
    state$size <- found$size
  }
  list(changed = found$changed, sums = state$sums, size = state$size)
}

# The numbers of the `count` rows that are farthest from their own centers. They differ from each other, and
# have a weight above 0. More rows are asked for until so many are found.
farthest <- function(source, states, count) {
  taken <- integer()
  seen <- 0
  most <- count
  repeat {
    far <- over_parts(source, farthest_step, most,
      combine = function(a, b) first_far(Map(c, a, b), most), states = states
    )$row
    # Equal rows are taken once. Rows are compared in blocks, which need little memory.
    for (some in point_blocks(length(far) - seen, source$dim[2])) {
      taken <- c(taken, far[seen + some])
      taken <- taken[different_rows(rows_of(source, taken), compute_with())]
      if (length(taken) >= count) return(taken[seq_len(count)])
    }
    seen <- length(far)
    if (seen == source$dim[1]) return(taken[seq_len(count)])
    most <- 4 * most
  }
}

# The farthest rows of a part. Only its state is read.
farthest_step <- function(part, state, most) {
  squared <- nearest_digits(state$squared)
  if (!is.null(state$weights)) squared[state$weights == 0] <- -1
  first_far(list(row = state$first + seq_along(squared), squared = squared), most)
}

# The `most` farthest rows, farthest first. Rows that are equally far, to nine digits, stay in their order.
first_far <- function(rows, most) {
  some <- utils::head(order(rows$squared, decreasing = TRUE), most)
  lapply(rows, function(v) v[some])
}

# ---- random batches (Sculley, 2010) --------------------------------------------------

# Centers from `batches` batches of random rows: each batch moves the centers that are nearest to its rows.
# `converged` is NA, because centers move with every batch.
minibatch <- function(source, start, batches, batch_size, held, call) {
  n <- nrow(held) + nrow(start)
  # The centers stay in kernel coordinates, as in lloyd_run().
  at <- unname(coordinates_of_kernel(rbind(held, start), source))
  count <- numeric(n)
  settings <- c(list(held = nrow(held), batch_size = as.integer(batch_size)), compute_with(call))
  bar <- progress_start("Moving centers", batches)
  settings$single <- can_be_single(source, least_between(at, settings))
  # The core collects the rows of several batches together, at most 64 MB, so that one pass over the columns
  # of a matrix serves them.
  bytes <- (if (settings$single) 4 else 8) * stored_columns(source) * batch_size
  settings$at_once <- as.integer(min(max(1, floor(64e6 / bytes)), batches))
  at_once <- max(1, floor(1e6 / batch_size))
  done <- 0
  while (done < batches) {
    step <- min(at_once, batches - done)
    rows <- lapply(seq_len(step), function(b) draw_rows(source, batch_size))
    found <- .Call(C_minibatch, source, unlist(rows), at, count, settings)
    at <- found$centers
    count <- found$count
    done <- done + step
    progress_step(bar, step)
  }
  centers <- in_data_coordinates(at, source)[nrow(held) + seq_len(nrow(start)), , drop = FALSE]
  dimnames(centers) <- if (!is.null(source$names)) list(NULL, source$names)
  list(centers = centers, converged = NA, iterations = batches)
}

# The least squared distance between two centers, which are in kernel coordinates; 0 for a single one.
least_between <- function(at, how) {
  if (nrow(at) == 1) return(0)
  centers <- lay_out(at, NULL, numeric(ncol(at)), rep(1, ncol(at)))
  min(.Call(C_nearest_rows, centers, at, c(list(neighbors = 2L), how))$distance[2, ])^2
}
