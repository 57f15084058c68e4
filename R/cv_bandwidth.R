# Several bandwidths in one comparison.

# A list of bandwidths, each as landmarks() takes it, of numbers, strings, or a list of both.
check_bandwidths <- function(bandwidth, call) {
  check_few(bandwidth, "bandwidth", call)
  several <- (is.numeric(bandwidth) || is.character(bandwidth) || is.list(bandwidth)) && !is.object(bandwidth)
  if (!several || length(bandwidth) == 0) {
    abort_input(c(
      paste(
        "{.arg bandwidth} must be numbers or rules as {.fn landmarks} accepts them,",
        "such as {.code c(\"variance\", \"2 * variance\")}."
      ),
      x = "It is {describe(bandwidth)}."
    ), arg = "bandwidth", kind = "bandwidth", call = call)
  }
  bandwidth <- unname(as.list(bandwidth))
  for (b in bandwidth) bandwidth_rule(b, call)
  labels <- bandwidth_labels(bandwidth)
  if (anyDuplicated(labels)) {
    abort_input(c(
      "{.arg bandwidth} must be different numbers or rules.",
      x = "{.val {labels[anyDuplicated(labels)]}} occurs twice."
    ), arg = "bandwidth", kind = "bandwidth", call = call)
  }
  bandwidth
}

# Labels for the table: numbers if all bandwidths are numbers, else text.
bandwidth_labels <- function(bandwidth) {
  if (all(vapply(bandwidth, is.numeric, NA))) return(as.double(unlist(bandwidth)))
  vapply(bandwidth, function(b) if (is.numeric(b)) trimws(format(b)) else rule_words(bandwidth_rule(b)), "")
}

# The training rows of a split, prepared as landmarks() does, once for all fits on them.
ready_data <- function(x, scale, weights = NULL) {
  blueprint <- NULL
  if (is.data.frame(x)) {
    frame <- frame_blueprint(~., x)
    x <- frame$x
    blueprint <- frame$blueprint
  }
  list(source = as_source(x, weights, scale), blueprint = blueprint, scale = scale)
}

# The fit with another bandwidth, for its features alone: its other parts refer to the old one.
with_bandwidth <- function(fit, bandwidth, source) {
  fit$bandwidth <- find_bandwidth(bandwidth, source, nrow(fit$landmarks), NULL)$value
  fit
}

# Whether no rule is narrowed for the largest of some numbers of landmarks. Otherwise each number has
# a bandwidth, and so a fit, of its own.
same_bandwidths <- function(source, bandwidths, n) {
  bare <- vapply(bandwidths, function(b) isTRUE(bandwidth_rule(b)$bare), NA)
  if (length(n) == 1 || !any(bare)) return(TRUE)
  most <- min(max(n), source$dim[1])
  rules <- vapply(bandwidths[bare], function(b) bandwidth_rule(b)$name, "")
  widest <- vapply(rules, function(rule) rule_value(rule, source), 0)
  all(vapply(widest, function(w) narrow_bandwidth(w, source, most, compute_with(), NULL) == w, NA))
}
