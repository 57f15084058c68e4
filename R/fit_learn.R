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

# What all methods of landmarks() call: checks, then the method, then the fit. `given`: list(x, method, weights,
# omitted), where `x` has no more the rows with missing values, `omitted`. `task`: the other arguments, with
# the `call` and the `blueprint` of a data frame, and whether `scale` and `bandwidth` are missing: `unsaid`.
fit_landmarks <- function(given, n, task, call = rlang::caller_env()) {
  task$started <- proc.time()[["elapsed"]]
  method <- task$method <- find_method(given$method, call)
  if (!missing(n)) {
    n <- check_count(n, "n", call = call)
  } else if (method_can(method, "chooses_size")) {
    n <- NULL
  } else {
    abort_input(c("{.arg n}, the number of landmarks, must be given.", i = "For example {.code n = 50}."),
      arg = "n", call = call
    )
  }
  task$call[[1]] <- quote(landmarks)
  task$scale <- check_flag(task$scale, "scale", call)
  task$space <- check_space(task$space, call)
  check_scaled_space(task$scale, task$space, call)
  source <- as_source(given$x, given$weights, task$scale,
    call = call, ahead = function(data) rows_ahead(method, data, n, task$bandwidth)
  )
  source$omitted <- given$omitted
  if (task$unsaid[["scale"]]) tell_units(source, task$space, call)
  task$free <- task$unsaid[["bandwidth"]]
  if (is.null(task$checkpoint)) return(landmarks_of_source(source, n, task, call))
  checkpoint <- check_path(task$checkpoint, "checkpoint", call)
  log <- open_log(checkpoint, log_key(source, n, method, task$bandwidth, task$space, task$scale), call)
  on.exit(write_log(log))
  fit <- landmarks_of_source(with_log(source, log), n, task, call)
  # A fit that has ended needs no checkpoint.
  on.exit()
  unlink(checkpoint)
  fit
}

# The same for checked arguments and prepared data, so that one source can serve many fits. `task`: as above,
# with the checked `method`, whether it may learn another bandwidth, `free`, and the time at which the call
# has `started`.
landmarks_of_source <- function(source, n, task, call) {
  if (!is.null(n)) {
    check_rank(n, source, call)
    check_fit_memory(task$method, source, n, 0, call)
  }
  # Where the data lie outside the space, landmarks are off the data too: one warning is enough.
  outside <- FALSE
  withCallingHandlers(
    check_in_space(source, task$space, call), landmarker_warning_space = function(w) outside <<- TRUE
  )
  kernel <- find_kernel(task$bandwidth, source, n, task$space, task$free, call)
  described <- learn(task$method, source, n, kernel, call = call)
  fit <- new_landmarks(described, source, described$kernel, task)
  # Where landmarks serve a prediction they need not be examples of the data.
  if (!outside && is.null(fit$response)) warn_off_data(fit, call)
  fit
}
