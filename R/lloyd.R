# k-means by stats::kmeans(), from starts of our own.

# Lloyd's algorithm on the rows of a dense source without weights, from points that
# differ, in the data's units; so are what comes back, list(words, converged, iterations).
lloyd <- function(source, start, iterations) {
  factor <- source$factor
  # Unscaled data are not copied.
  into <- function(z) if (all(factor == 1)) z else z * rep(factor, each = nrow(z))
  found <- lloyd_plain(into(source$x), into(start), iterations)
  words <- found$words / rep(factor, each = nrow(start))
  dimnames(words) <- if (!is.null(source$names)) list(NULL, source$names)
  list(words = words, converged = found$converged, iterations = found$iterations)
}

# The same for a plain matrix. A centre that has lost all its rows starts anew.
lloyd_plain <- function(x, words, iterations) {
  # To stats::kmeans() one number is a number of centres.
  if (nrow(words) == 1) return(list(words = rbind(colMeans(x)), converged = TRUE, iterations = 1L))
  done <- 0L
  repeat {
    # It warns of too few iterations and of empty clusters; its value says both.
    fit <- suppressWarnings(stats::kmeans(x, words, iter.max = iterations - done, algorithm = "Lloyd"))
    # One more than allowed says that it has not converged.
    done <- done + fit$iter
    words <- unname(fit$centers)
    empty <- which(fit$size == 0)
    # There are as many: frames that differ are no fewer than code words.
    if (length(empty)) words[empty, ] <- farthest(x, words[fit$cluster, , drop = FALSE], length(empty))
    if (length(empty) == 0 || done >= iterations) break
  }
  converged <- length(empty) == 0 && done <= iterations
  list(words = words, converged = converged, iterations = min(done, iterations))
}

# The different rows of x that are farthest from their own code words.
farthest <- function(x, own, count) {
  far <- x[order(rowSums((x - own)^2), decreasing = TRUE), , drop = FALSE]
  far[which(!duplicated(far))[seq_len(count)], , drop = FALSE]
}
