# The map of data and landmarks by t-SNE.

# With fewer points, rows and landmarks together, a point would have less than two neighbors.
map_least <- 7

# Rtsne is given the neighbors, which the core finds exactly: as many as t-SNE uses, three times
# the perplexity. They are the same for any number of threads.
to_map <- function(fit, data, perplexity, call) {
  need_package("Rtsne", "A map", call)
  points <- rbind(as.matrix(data), fit$landmarks)
  n <- nrow(points)
  if (n < map_least) {
    abort_input(c(
      "A map needs at least {map_least} points: rows of {.arg data} and landmarks.",
      x = "There {cli::qty(nrow(data))}{?is/are} {nrow(data)}, and {nrow(fit$landmarks)} landmark{?s}."
    ), arg = "data", kind = "data", call = call)
  }
  most <- (n - 1) / 3
  perplexity <- check_number(
    perplexity %||% min(30, floor(most)), "perplexity", 2, most, closed = TRUE, call = call
  )
  check_reach(points, fit$center, fit$factor, "data", call)
  source <- lay_out(points, NULL, fit$center, fit$factor)
  k <- floor(3 * perplexity)
  check_neighbors_memory(n, k, 6, "perplexity", call)
  near <- nearest_others(source, points, k, call)
  # Rtsne's search for each row's bandwidth starts from 1 in any unit, so distances are rescaled.
  unit <- stats::median(near$distance)
  map <- in_child(function() {
    Rtsne::Rtsne_neighbors(
      t(near$row), t(near$distance) / (if (unit > 0) unit else 1),
      perplexity = perplexity, verbose = FALSE, num_threads = 1
    )$Y
  })
  of_data <- seq_len(nrow(data))
  list(
    data = map[of_data, , drop = FALSE], landmarks = map[-of_data, , drop = FALSE],
    names = c("t-SNE 1", "t-SNE 2")
  )
}
