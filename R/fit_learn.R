# From the arguments of landmarks() to a fit. All methods of landmarks() call fit_landmarks().

# A fit after the last checks of arguments. `given`: see mold(). `task`: a list of the other arguments, the
# `call`, and `unsaid`, which says whether the user has left out `scale` and `bandwidth`.
fit_landmarks <- function(given, n, task, call = rlang::caller_env()) {
  task$started <- proc.time()[["elapsed"]]
  method <- task$method <- given$method
  task$blueprint <- given$blueprint
  if (!missing(n)) {
    n <- check_count(n, "n", call = call)
  } else if (method_can(method, "chooses_size")) {
    n <- NULL
  } else {
    abort_input(c("{.arg n}, the number of landmarks, must be given.", i = "For example {.code n = 50}."),
      arg = "n", call = call
    )
  }
  task$call <- light_call(task$call, "landmarks")
  task$space <- check_space(task$space, call)
  scales <- check_scales(task$scale, task$space, method, call)
  with_memory_errors(
    if (length(scales) > 1) {
      fit_in_best_scale(scales, given, n, task, call)
    } else {
      fit_in_scale(scales[[1]], given, n, task, call)
    }, call
  )
}

# The scales to choose from, a list. Several need a method that holds rows out to choose by.
check_scales <- function(scale, space, method, call) {
  several <- is.character(scale) && length(scale) > 1
  scales <- unique(lapply(if (several) scale else list(scale), check_scale, space, call))
  if (length(scales) > 1 && !isTRUE(method$held_out > 0)) {
    abort_input(c(
      "Several values of {.arg scale} need rows that are held out to choose by, as {.fn by_response} has.",
      x = "{.arg scale} is {describe(scale)}.",
      i = "Give one value, or compare them with {.code cv_landmarks(scale = )}."
    ), arg = "scale", call = call)
  }
  scales
}

# The fit whose rows that were held out in turn have the least loss among those of several scales. All start
# from the same random numbers, so the same rows are held out.
fit_in_best_scale <- function(scales, given, n, task, call) {
  start_stream()
  restore <- keep_stream()
  tried <- lapply(scales, function(scale) {
    restore()
    told <- list()
    later <- function(condition) {
      told <<- c(told, list(condition))
      rlang::cnd_muffle(condition)
    }
    fit <- withCallingHandlers(
      fit_in_scale(scale, given, n, task, call), landmarker_warning = later, landmarker_message = later
    )
    list(fit = fit, told = told)
  })
  loss <- vapply(tried, function(one) one$fit$response$held_out$loss %||% Inf, 0)
  best <- tried[[which.min(loss)]]
  # Warnings and messages are those of the fit that is returned.
  for (condition in best$told) rlang::cnd_signal(condition)
  best$fit$seconds <- proc.time()[["elapsed"]] - task$started
  best$fit
}

# A fit at one scale, after its check.
fit_in_scale <- function(scale, given, n, task, call) {
  task$scale <- scale
  source <- as_source(given$x, given$weights, task$scale, call = call)
  source$omitted <- given$omitted
  task$method <- method_of_sample(task$method, source, call)
  if (task$unsaid[["scale"]]) tell_units(source, task$space, call)
  task$free <- task$unsaid[["bandwidth"]]
  landmarks_of_source(source, n, task, call)
}

# A fit of data that are a source already: cv_landmarks() makes many fits of one source. `task`: as above
# after its checks, with the `method`; `free`, whether the method may learn another bandwidth; and `started`,
# the time at which the call began.
landmarks_of_source <- function(source, n, task, call) {
  if (!is.null(n)) {
    check_rank(n, source, call)
    check_fit_memory(n, source, call)
  }
  # Where the data lie outside the space, a warning says so. Then there is none that landmarks are off the
  # data.
  outside <- FALSE
  withCallingHandlers(
    check_in_space(source, task$space, call), landmarker_warning_space = function(w) outside <<- TRUE
  )
  kernel <- find_kernel(task$bandwidth, source, n, task$space, task$free, call)
  warn_heavy_row(task$method, source, call)
  described <- learn(task$method, source, n, kernel, call = call)
  fit <- new_landmarks(described, described$source, described$kernel, task, call = call)
  # Landmarks that were moved to predict a response need not be near the data.
  if (!outside && is.null(fit$response)) warn_off_data(fit, call)
  warn_no_better(fit, call)
  fit
}

# A warning where one row has so much of all weight that a method which takes steps on random rows learns
# something else whenever it misses this row. Up to so many rows these methods use all.
warn_heavy_row <- function(method, source, call, all_rows = 1000, share = 0.05) {
  v <- source$weights
  if (is.null(v) || !inherits(method, c("by_gp", "by_response"))) return(invisible())
  heaviest <- which.max(v)
  if (sum(v > 0) <= all_rows || v[heaviest] <= share * sum(v)) return(invisible())
  warn_user(c(
    "Row {heaviest} has {percent(v[heaviest] / sum(v))} of all weight.",
    x = "Steps on random rows may miss this row, so that other seeds give other landmarks.",
    i = "Use {.code method = by_kmeans()}, whose steps use all rows, or compare several seeds."
  ), kind = "weights", call = call)
}
