# The graph that joins all landmarks within a radius of each other.

# `squared`: the distances D of landmarks. `options`: list(radius, edge_weights, sigma, distance, covariance,
# join). `is_shortcut`: see shortcut_finder().
graph_of_radius <- function(fit, squared, options, is_shortcut, how, call) {
  n <- nrow(squared)
  radius <- options$radius
  # Distances of the radius itself are within it, up to rounding: those of a grid, for example.
  reach <- radius^2 * (1 + 1e-12)
  near <- nearest_landmarks(squared, 1L, how)
  check_distances(near, options$distance, call)
  check_in_radius(near$distance[1, ], reach, radius, squared, call)
  heat <- options$edge_weights == "heat"
  # The last of the neighbors then has weight e^-2, as by default in a graph of nearest neighbors.
  sigma <- if (heat) options$sigma %||% (radius / 2) else NA_real_
  at <- which(squared <= reach & upper.tri(squared), arr.ind = TRUE)
  weight <- if (heat) exp(squared[at] / (-2 * sigma^2)) else rep(1, nrow(at))
  edges <- data.frame(low = at[, 1], high = at[, 2], weight = weight)[weight > 0, ]
  check_isolated(c(edges, list(sigma = sigma)), n, call)
  whole <- join_components(edges, n, options$join, function() squared, how)
  crossing <- is_shortcut(edges$low, edges$high)
  if (max(whole$components) > 1) {
    remedy <- paste0("{.code radius = ", rounded_up(longest_join(squared)), "} connects it.")
    warn_of_components(whole$components, remedy, call)
  }
  if (any(crossing)) {
    shortest <- min(sqrt(squared[cbind(edges$low, edges$high)[crossing, , drop = FALSE]]))
    remedy <- paste(
      "The shortest is", format(shortest, digits = 4), "long: use a smaller radius, or more landmarks."
    )
    warn_of_shortcuts(crossing, remedy, call)
  }
  # A new point has its two nearest landmarks as neighbors, and all that have it within the radius.
  new_graph(fit, whole$edges, list(
    components = whole$components, joins = whole$joins,
    shortcuts = cbind(low = edges$low[crossing], high = edges$high[crossing]),
    distance = options$distance, edge_weights = options$edge_weights, sigma = sigma, neighbors = 1L,
    reach = rep(reach, n), covariance = options$covariance, radius = radius
  ))
}

check_radius <- function(radius, given, call) {
  if (is.null(radius)) return(NULL)
  radius <- check_number(radius, "radius", 0, call = call)
  if (!is.finite(radius^2)) abort_square(radius, "radius", call)
  if ("neighbors" %in% given) {
    abort_input(c(
      "{.arg neighbors} must be left out with {.arg radius}, which joins as many landmarks as are near.",
      x = "Both are given."
    ), arg = "neighbors", call = call)
  }
  radius
}

# The longest edge of the shortest tree that joins all landmarks: the smallest radius of a connected graph.
longest_join <- function(squared) max(stats::hclust(stats::as.dist(sqrt(squared)), "single")$height)

# `nearest`: the squared distance of each landmark from the next one.
check_in_radius <- function(nearest, reach, radius, squared, call) {
  alone <- which(nearest > reach)
  if (length(alone) == 0) return(invisible())
  abort_input(c(
    "{.arg radius} must be large enough for each landmark to have a neighbor.",
    x = paste(
      "{first_of_landmarks(alone)} {cli::qty(length(alone))}{?has/have} none",
      "within {.arg radius} {format(radius, digits = 4)}."
    ),
    i = paste(
      "The smallest such radius is {rounded_up(sqrt(max(nearest)))}.",
      "Of a connected graph it is {rounded_up(longest_join(squared))}."
    )
  ), arg = "radius", kind = "graph", call = call)
}

# A number of four digits that is at least `v`.
rounded_up <- function(v) {
  step <- 10^(floor(log10(v)) - 3)
  format(ceiling(v / step) * step, digits = 4)
}
