# k-means from small random batches of rows (Sculley, 2010), on any source: dense or sparse, with weights or
# without, in one part or several.

# The centers of k-means, in the data's units: list(centers, converged, iterations, exact). `start` has
# different points. `batch_size` is NULL for Lloyd's algorithm, which is also used where a batch would have
# all rows. `exact` says whether each iteration used all rows. The points of `held` are further centers, which
# stay in place and are left out of the result.
find_centers <- function(source, start, max_iterations, batch_size, held = source_no_points(source),
                         call = rlang::caller_env()) {
  exact <- is.null(batch_size) || batch_size >= source_rows(source)
  found <- if (exact) {
    lloyd(source, start, max_iterations, held, call)
  } else {
    minibatch(source, start, max_iterations, batch_size, held, call)
  }
  c(found, list(exact = exact))
}

# `batches` batches of random rows, drawn from R's stream. `converged` is NA, because centers move with every
# new batch.
minibatch <- function(source, start, batches, batch_size, held, call) {
  n <- nrow(held) + nrow(start)
  center <- rep(source$center, each = n)
  factor <- rep(source$factor, each = n)
  # The centers stay in kernel coordinates, as in lloyd_run().
  at <- unname((rbind(held, start) - center) * factor)
  count <- numeric(n)
  settings <- c(list(held = nrow(held)), compute_with(call))
  bar <- progress_start("Moving centers", batches)
  for (batch in seq_len(batches)) {
    found <- remember(source, "batch", function() {
      .Call(C_minibatch, rows_of(source, draw_rows(source, batch_size)), at, count, settings)
    })
    at <- found$centers
    count <- found$count
    progress_step(bar)
  }
  centers <- (at / factor + center)[nrow(held) + seq_len(nrow(start)), , drop = FALSE]
  dimnames(centers) <- if (!is.null(source$names)) list(NULL, source$names)
  list(centers = centers, converged = NA, iterations = batches)
}
