# The centers of k-means by Lloyd's iterations, or from random batches, for any source: dense or sparse, with
# weights or without.

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
  moving <- nrow(held) + seq_len(nrow(start))
  moved <- start
  done <- 0L
  bar <- progress_start("Moving centers", max_iterations)
  settings <- c(list(held = nrow(held)), compute_with(call))
  settings$progress <- progress_of(bar)
  repeat {
    settings$max_iterations <- as.integer(max_iterations) - done
    # The centers stay in kernel coordinates during all iterations, because conversions would add rounding
    # errors.
    at <- unname(coordinates_of_kernel(rbind(held, moved), source))
    found <- .Call(C_lloyd, source, at, settings)
    done <- done + found$iterations
    moved <- in_data_coordinates(found$centers, source)[moving, , drop = FALSE]
    empty <- which(found$size[moving] == 0)
    # A center that has lost all its rows starts again at the row that is farthest from its own center. There
    # are at least as many different rows as centers, so that such rows exist.
    if (length(empty)) {
      moved[empty, ] <- rows_as_points(source, farthest(source, found$squared, length(empty)))
    }
    if (length(empty) == 0 || done >= max_iterations) break
  }
  dimnames(moved) <- if (!is.null(source$names)) list(NULL, source$names)
  list(centers = moved, converged = length(empty) == 0 && found$settled, iterations = done)
}

# The numbers of the `count` rows that are farthest from their own centers, given the `squared` distances.
# They differ from each other, and have a weight above 0. Rows that are equally far, to nine digits, stay in
# their order.
farthest <- function(source, squared, count) {
  squared <- nearest_digits(squared)
  if (!is.null(source$weights)) squared[source$weights == 0] <- -1
  far <- order(squared, decreasing = TRUE)
  taken <- integer()
  # Equal rows are taken once. Rows are compared in blocks, which need little memory.
  for (some in point_blocks(length(far), source$dim[2])) {
    taken <- c(taken, far[some])
    taken <- taken[different_rows(rows_of(source, taken), compute_with())]
    if (length(taken) >= count) break
  }
  taken[seq_len(count)]
}

# ---- random batches (Sculley, 2010) --------------------------------------------------

# Centers from `batches` batches of random rows: each batch moves the centers that are nearest to its rows.
# `converged` is NA, because centers move with every batch.
minibatch <- function(source, start, batches, batch_size, held, call) {
  n <- nrow(held) + nrow(start)
  # The centers stay in kernel coordinates, as in lloyd().
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
