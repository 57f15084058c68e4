# The kernel's bandwidth: a number, or a rule for it.

# Returns list(value, rule), rule NULL for a number. In the kernel's own
# coordinates, that is after `scale`.
find_bandwidth <- function(bandwidth, source, call = rlang::caller_env()) {
  if (is.character(bandwidth)) {
    rule <- check_choice(bandwidth, c("variance", "median"), "bandwidth", call)
    value <- switch(rule, variance = bandwidth_variance(source), median = bandwidth_median(source))
    if (!is.finite(value) || value <= 0) {
      abort_input(c(
        "{.arg bandwidth} must be above 0, and the rule \"{rule}\" gives {format(value)} for these data.",
        i = if (identical(value, 0)) "All rows, or most of them, are the same. Give a number, or check the data."
      ), arg = "bandwidth", kind = "bandwidth", call = call)
    }
    return(list(value = value, rule = rule))
  }
  if (!is_number(bandwidth) || !is.finite(bandwidth) || bandwidth <= 0) {
    abort_input(c(
      "{.arg bandwidth} must be one finite number above 0, \"variance\" or \"median\".",
      x = "It is {describe(bandwidth)}."
    ), arg = "bandwidth", kind = "bandwidth", call = call)
  }
  list(value = as.double(bandwidth), rule = NULL)
}

# The sum of the columns' variances: half the mean squared distance between two
# observations, so that a typical feature is exp(-2).
bandwidth_variance <- function(source) {
  sum(source$variance * source$factor^2)
}

# The median squared distance between two of up to 1,000 observations.
bandwidth_median <- function(source) {
  rows <- draw_rows(source, 1000L)
  part <- subset_source(source, rows)
  squared <- .Call(C_features, part, rows_as_points(part, seq_along(rows)), NULL, compute_with())
  pair <- lower.tri(squared)
  d <- squared[pair]
  if (length(d) == 0) return(0)
  if (is.null(part$weights)) return(stats::median(d))
  w <- outer(part$weights, part$weights)[pair]
  order <- order(d)
  d[order][which(cumsum(w[order]) >= sum(w) / 2)[1]]
}
