# k-means by Lloyd's iterations, on any source: dense or sparse, with weights or without.

# From points that differ, in the data's units; so are what comes back, list(words,
# converged, iterations). Points of `held` are centres as well, and keep their places;
# they are not among the words.
lloyd <- function(source, start, iterations, held = source_no_points(source), call = rlang::caller_env()) {
  how <- compute_with(call)
  moving <- nrow(held) + seq_len(nrow(start))
  words <- start
  done <- 0L
  repeat {
    found <- .Call(C_lloyd, source, rbind(held, words), nrow(held), iterations - done, how)
    done <- done + found$iterations
    words <- found$landmarks[moving, , drop = FALSE]
    empty <- which(found$size[moving] == 0)
    # A centre that has lost all its rows starts anew, at the row that is farthest from its own centre.
    # There are as many different rows as centres.
    if (length(empty)) {
      words[empty, ] <- rows_as_points(source, farthest(source, found$distance, length(empty)))
    }
    if (length(empty) == 0 || done >= iterations) break
  }
  dimnames(words) <- if (!is.null(source$names)) list(NULL, source$names)
  list(words = words, converged = length(empty) == 0 && found$settled, iterations = done)
}

# Numbers of the `count` different rows, of weight above 0, that are farthest from their own centres.
farthest <- function(source, distance, count) {
  if (!is.null(source$weights)) distance[source$weights == 0] <- -1
  far <- order(distance, decreasing = TRUE)
  # Rows that repeat others are looked for among few at a time.
  taken <- far[0]
  while (length(taken) < count && length(far)) {
    some <- seq_len(min(length(far), count))
    taken <- c(taken, far[some])
    far <- far[-some]
    taken <- taken[!duplicated(rows_as_points(source, taken))]
  }
  taken[seq_len(count)]
}
