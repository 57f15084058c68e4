# What cv_landmarks() checks of its arguments before any work.

# The numbers of landmarks to compare by default.
usual_sizes <- function(rows) {
  most <- min(100, max(1, rows %/% 5))
  unique(pmax(1, round(most * c(0.5, 0.75, 1))))
}

check_sizes <- function(n, call) {
  check_few(n, "n", call)
  if (!is.numeric(n) || length(n) == 0 || anyNA(n) || any(n < 1 | n != trunc(n) | n > .Machine$integer.max)) {
    abort_input(
      c("{.arg n} must be whole numbers of at least 1.", x = "It is {describe(n)}."), arg = "n", call = call
    )
  }
  sort(unique(as.integer(n)))
}

check_lambda <- function(lambda, call) {
  if (is.null(lambda)) return(NULL)
  check_few(lambda, "lambda", call)
  if (!is.numeric(lambda) || length(lambda) == 0 || !all(is.finite(lambda)) || any(lambda <= 0)) {
    bad <- if (is.numeric(lambda)) which(!is.finite(lambda) | lambda <= 0)
    abort_input(c(
      "{.arg lambda} must be finite numbers above 0, or NULL for a grid made for the data.",
      x = if (length(bad)) "Number {bad[1]} is {lambda[bad[1]]}." else "It is {describe(lambda)}."
    ), arg = "lambda", call = call)
  }
  sort(unique(as.double(lambda)))
}

check_top <- function(top, y, call, weights = NULL) {
  if (!is.null(top)) return(check_count(top, "top", max = ncol(y), call = call))
  usual <- sum(times_weights(y, weights)) / if (is.null(weights)) nrow(y) else sum(weights)
  if (ncol(y) > 10) 10L else as.integer(max(1, round(usual)))
}

check_seeds <- function(seeds, call) {
  if (is.null(seeds)) return(sample.int(.Machine$integer.max, 1))
  check_few(seeds, "seeds", call)
  fine <- is.numeric(seeds) && length(seeds) > 0 && !anyNA(seeds) &&
    all(seeds == trunc(seeds) & abs(seeds) <= .Machine$integer.max)
  if (!fine || anyDuplicated(seeds)) {
    abort_input(c(
      "{.arg seeds} must be different whole numbers, one for each repetition.",
      x = if (fine) "{.val {seeds[anyDuplicated(seeds)]}} occurs twice." else "It is {describe(seeds)}."
    ), arg = "seeds", call = call)
  }
  as.integer(seeds)
}

check_lambda_per_tag <- function(lambda_per_tag, type, call) {
  if (check_flag(lambda_per_tag, "lambda_per_tag", call) && type != "tags") {
    what <- c(classes = "classes", binary = "two classes", number = "numbers")[[type]]
    abort_input(c(
      "{.arg lambda_per_tag} must be FALSE unless {.arg y} is a 0/1 matrix of tags.",
      x = "{.arg y} has {what}.",
      i = "{.code nested = TRUE} chooses one lambda inside each training part, for any {.arg y}."
    ), arg = "lambda_per_tag", call = call)
  }
  lambda_per_tag
}

# The response of all rows, with the classes that rows with a weight above 0 have. `idle`: the rows of weight
# 0. Their responses are 0 in all columns, and nothing uses them.
weighted_response <- function(y, n, idle, call, numbers = FALSE) {
  response <- as_response(y, n, call, numbers = numbers)
  if (response$type == "number") check_squares_of_response(response$y, call)
  if (length(idle) == 0) return(response)
  kept <- if (is.null(dim(y))) y[-idle] else y[-idle, , drop = FALSE]
  part <- as_response(kept, n - length(idle), call, numbers = numbers)
  response <- part
  response$y <- matrix(0, n, ncol(part$y))
  response$y[-idle, ] <- part$y
  response
}

# ---- several bandwidths in one comparison --------------------------------------------

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

# The bandwidths as the table shows them: numbers if all are numbers, else text.
bandwidth_labels <- function(bandwidth) {
  if (all(vapply(bandwidth, is.numeric, NA))) return(as.double(unlist(bandwidth)))
  vapply(bandwidth, function(b) if (is.numeric(b)) trimws(format(b)) else bandwidth_rule(b)$words, "")
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

# The fit with another bandwidth. Only its features may be used: its variances and the like are those of the
# old bandwidth.
fit_with_bandwidth <- function(fit, bandwidth, source) {
  fit$bandwidth <- find_kernel(bandwidth, source, nrow(fit$landmarks), call = NULL)$bandwidth
  fit
}

# Whether all the numbers of landmarks `n` have the same bandwidths. A rule that is given without a factor, as
# "variance", is narrowed where it is too wide for so many landmarks. Then each number has a bandwidth, and so
# a fit, of its own.
same_bandwidths <- function(source, bandwidths, n) {
  bare <- vapply(bandwidths, function(b) isTRUE(bandwidth_rule(b)$bare), NA)
  if (length(n) == 1 || !any(bare)) return(TRUE)
  most <- min(max(n), source$dim[1])
  rules <- vapply(bandwidths[bare], function(b) bandwidth_rule(b)$name, "")
  widest <- vapply(rules, function(rule) rule_value(rule, source), 0)
  all(vapply(widest, function(w) narrow_bandwidth(w, source, most, compute_with()) == w, NA))
}
