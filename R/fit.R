# From landmarks in order to a fit, the plain list of class `landmarks`; and small functions of a fit that
# other files use.

# A fit. `described`: the landmarks as order_and_measure() returns them. `task`: what the user asked for,
# list(method, scale, blueprint, call, started). `history`: how the landmarks were found, in words, one string
# for each step.
new_landmarks <- function(described, source, kernel, task,
                          history = describe_method(task$method, described$used)) {
  how <- compute_with(rlang::caller_env())
  described$kernel <- NULL
  described <- in_given_rows(described, source$omitted, source$dim[1])
  sampled <- sample_evenly(source, gap_limits$rows)
  spacing <- row_spacing(sampled, kernel, how)
  structure(
    c(described, list(
      on_data = lies_on_data(described$nearest_distance, spacing),
      spacing = spacing,
      gaps = find_gaps(described$landmarks, sampled, spacing, how),
      bandwidth = kernel$bandwidth,
      bandwidth_rule = kernel$rule,
      space = kernel$space,
      method = without_response(task$method),
      history = history,
      center = source$center,
      factor = source$factor,
      mean = as.double(source$mean),
      sd = sqrt(as.double(source$variance)),
      scaled = task$scale,
      weighted = !is.null(source$weights),
      n_rows = source$dim[1],
      sparse = source$sparse,
      blueprint = task$blueprint,
      call = light_call(task$call),
      seconds = as.double(proc.time()[["elapsed"]] - task$started),
      version = made_by()
    ), given_as(source)),
    class = "landmarks"
  )
}

# Elements of a fit that only some fits have: the rows that were left out for missing values, and which matrix
# of an experiment of Bioconductor the data are.
given_as <- function(source) {
  given <- list(na.action = source$omitted, experiment = source$experiment)
  given[lengths(given) > 0]
}

# The call without data. A call by do.call() contains the values of its arguments. Each long value is replaced
# by the name of its argument, so that a saved fit does not contain the data.
light_call <- function(call) {
  light <- function(part) is.language(part) || (length(part) <= 10 && in_memory(part))
  heavy <- which(!vapply(as.list(call), light, NA))
  for (i in heavy) call[[i]] <- as.name(names(call)[i])
  call
}

# The `task` of new_landmarks() where a fit is continued to another.
task_on_fit <- function(fit, method, name, matched, started) {
  list(
    method = method, scale = fit$scaled, blueprint = fit$blueprint, started = started,
    call = call_on_fit(name, matched, fit)
  )
}

# The call that repeats all steps: the call of the fit replaces the argument `fit`, so that update() learns
# the landmarks of the first call again and continues from them. The name of the function is set, because a
# call by do.call() may have the function itself there.
call_on_fit <- function(name, matched, fit) {
  matched[[1]] <- as.name(name)
  matched$fit <- fit$call
  matched
}

# The kernel of a fit.
fit_kernel <- function(fit) new_kernel(fit$bandwidth, fit$bandwidth_rule, fit$space)

# The names of landmarks: L1, L2, ...
landmark_names <- function(fit) paste0("L", seq_len(nrow(fit$landmarks)))

# Whether each landmark has converged. Where steps used all rows, the last one must have moved it by at most
# the method's tolerance. Steps on random batches do not become that small, and their average is compared with
# a larger limit.
has_converged <- function(fit) {
  limit <- if (isTRUE(fit$exact)) max(step_tolerance(fit$method), 1e-12) else 0.05
  !is.na(fit$moved) & fit$moved <= limit
}
