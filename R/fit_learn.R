# From checked arguments and data to a fit. `fit_landmarks()` is what all methods of landmarks() call.

# Which rows a fit will ask for, so that the pass for the moments of data in files can keep them: a list of row
# numbers. This is a hint: rows that are not kept are read when they are wanted. It draws what the method will
# draw, and leaves R's random stream as it was. `data`: list(dim, weights).
rows_ahead <- function(method, data, n, bandwidth) {
  even <- list(even_rows(data, even_ahead(n)))
  # Without a stream the draws to come are not known.
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) return(even)
  restore <- keep_stream()
  on.exit(restore())
  rule <- if (is.character(bandwidth)) bandwidth_rule(bandwidth)
  c(
    even,
    if (identical(rule$name, "median")) list(draw_rows(data, median_rows)),
    draws_ahead(method, data, n %||% 0L)
  )
}

# The most rows that are taken evenly from the data.
even_ahead <- function(n) max(gap_limits$rows, 4L * (n %||% 0L))

# What all methods above call: checks, then the method, then the fit. `unsaid`: whether `scale` and
# `bandwidth` are missing. `omitted`: rows with missing values, which `x` has no more.
fit_landmarks <- function(x, n, method, bandwidth, space, weights, scale, blueprint, matched, unsaid,
                          checkpoint = NULL, omitted = NULL, call = rlang::caller_env()) {
  started <- proc.time()[["elapsed"]]
  method <- find_method(method, call)
  if (!missing(n)) {
    n <- check_count(n, "n", call = call)
  } else if (method_can(method, "chooses_size")) {
    n <- NULL
  } else {
    abort_input(c("{.arg n}, the number of landmarks, must be given.", i = "For example {.code n = 50}."),
      arg = "n", call = call
    )
  }
  matched[[1]] <- quote(landmarks)
  scale <- check_flag(scale, "scale", call)
  space <- check_space(space, call)
  check_scaled_space(scale, space, call)
  source <- as_source(x, weights, scale,
    call = call, ahead = function(data) rows_ahead(method, data, n, bandwidth)
  )
  source$omitted <- omitted
  if (unsaid[["scale"]]) tell_units(source, space, call)
  if (!is.null(checkpoint)) {
    checkpoint <- check_path(checkpoint, "checkpoint", call)
    log <- open_log(checkpoint, log_key(source, n, method, bandwidth, space, scale), call)
    source <- with_log(source, log)
    on.exit(write_log(log))
  }
  fit <- landmarks_of_source(
    source, n, method, bandwidth, space, scale, blueprint, matched, started, call, unsaid[["bandwidth"]]
  )
  # A fit that has ended needs no checkpoint.
  if (!is.null(checkpoint)) {
    on.exit()
    unlink(checkpoint)
  }
  fit
}

# The same for checked arguments and prepared data, so that one source can serve many fits. `free`: whether
# the method may learn another bandwidth.
landmarks_of_source <- function(source, n, method, bandwidth, space, scale, blueprint, matched, started,
                                call, free = FALSE) {
  if (!is.null(n)) {
    check_rank(n, source, call)
    check_fit_memory(method, source, n, 0, call)
  }
  # Where the data lie outside the space, landmarks are off the data too: one warning is enough.
  told <- FALSE
  withCallingHandlers(
    check_in_space(source, space, call), landmarker_warning_space = function(w) told <<- TRUE
  )
  kernel <- find_kernel(bandwidth, source, n, space, free, call)
  described <- learn(method, source, n, kernel, call = call)
  fit <- new_landmarks(described, source, kernel, method, scale, blueprint, matched, started)
  # Where landmarks serve a prediction they need not be examples of the data.
  if (!told && is.null(fit$response)) warn_off_data(fit, call)
  fit
}
