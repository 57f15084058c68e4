# The graph that joins all landmarks within a radius of each other.

# `squared`: the distances D of landmarks. `options`: list(radius, edge_weights, sigma, distance, covariance,
# join). `is_shortcut`: see shortcut_finder().
graph_of_radius <- function(fit, squared, options, is_shortcut, how, call) {
  n <- nrow(squared)
  radius <- options$radius
  check_distinct(squared, options$distance, call)
  check_in_radius(squared, radius, call)
  heat <- options$edge_weights == "heat"
  # The last of the neighbors then has weight e^-2, as by default in a graph of nearest neighbors.
  sigma <- if (heat) options$sigma %||% (radius / 2) else NA_real_
  at <- which(squared <= radius^2 & upper.tri(squared), arr.ind = TRUE)
  weight <- if (heat) exp(squared[at] / (-2 * sigma^2)) else rep(1, nrow(at))
  edges <- data.frame(low = at[, 1], high = at[, 2], weight = weight)[weight > 0, ]
  check_isolated(c(edges, list(sigma = sigma)), n, call)
  whole <- join_components(edges, n, options$join, function() squared, how)
  crossing <- is_shortcut(edges$low, edges$high)
  if (max(whole$components) > 1) warn_radius_components(whole$components, squared, call)
  if (any(crossing)) {
    ends <- cbind(edges$low, edges$high)[crossing, , drop = FALSE]
    warn_radius_shortcuts(crossing, sqrt(squared[ends]), call)
  }
  # A new point has its two nearest landmarks as neighbors, and all that have it within the radius.
  new_graph(fit, whole$edges, list(
    components = whole$components, joins = whole$joins,
    shortcuts = cbind(low = edges$low[crossing], high = edges$high[crossing]),
    distance = options$distance, edge_weights = options$edge_weights, sigma = sigma, neighbors = 1L,
    reach = rep(radius^2, n), covariance = options$covariance, radius = radius
  ))
}

check_radius <- function(radius, given, call) {
  if (is.null(radius)) return(NULL)
  radius <- check_number(radius, "radius", 0, call = call)
  if (!is.finite(radius^2)) {
    abort_input(c(
      "{.arg radius} must be a number whose square is within a computer's range.",
      x = "It is {describe(radius)}."
    ), arg = "radius", call = call)
  }
  if ("neighbors" %in% given) {
    abort_input(c(
      "{.arg neighbors} must be left out with {.arg radius}, which joins as many landmarks as are near.",
      x = "Both are given."
    ), arg = "neighbors", call = call)
  }
  radius
}

# Errors as for a graph of nearest neighbors.
check_distinct <- function(squared, distance, call) {
  others <- squared
  diag(others) <- Inf
  nearest <- apply(others, 2, which.min)
  least <- others[cbind(nearest, seq_along(nearest))]
  check_distances(list(distance = rbind(least), landmark = rbind(nearest)), distance, call)
}

check_in_radius <- function(squared, radius, call) {
  diag(squared) <- Inf
  nearest <- sqrt(apply(squared, 2, min))
  alone <- which(nearest > radius)
  if (length(alone) == 0) return(invisible())
  others <- if (length(alone) > 1) paste(" and", length(alone) - 1, "more") else ""
  abort_input(c(
    "{.arg radius} must be large enough for each landmark to have a neighbor.",
    x = "Within {.arg radius} {format(radius, digits = 4)} of L{alone[1]}{others} there is no landmark.",
    i = "The smallest such radius is {rounded_up(max(nearest))}."
  ), arg = "radius", kind = "graph", call = call)
}

# A number of four digits that is at least `v`.
rounded_up <- function(v) {
  step <- 10^(floor(log10(v)) - 3)
  format(ceiling(v / step) * step, digits = 4)
}

warn_radius_components <- function(components, squared, call) {
  sizes <- component_sizes(components)
  # The longest edge of the shortest tree that joins all.
  least <- max(stats::hclust(stats::as.dist(sqrt(squared)), "single")$height)
  warn_user(c(
    "The graph of the landmarks has {length(sizes)} connected components, of {shown_sizes(sizes)} landmarks.",
    i = "{.code radius = {rounded_up(least)}} connects it."
  ), kind = c("components", "graph"), call = call)
}

warn_radius_shortcuts <- function(crossing, lengths, call) {
  warn_user(c(
    paste0(
      "{sum(crossing)} of {length(crossing)} edges of the landmarks' graph ",
      "{?is a shortcut/are shortcuts} across a gap."
    ),
    x = paste0(
      "They join landmarks that are far apart along the other edges, as on two sheets of a roll. ",
      "An embedding of such a graph may stay folded."
    ),
    i = "The shortest is {format(min(lengths), digits = 4)} long: use a smaller radius, or more landmarks."
  ), kind = "shortcuts", call = call)
}
