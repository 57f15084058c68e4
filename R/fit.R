# From a method's selection to a fit, the plain list of class `landmarks`.

# The fit of landmarks that were put in order, by order_and_measure(). `task`: what was asked for, list(method,
# scale, blueprint, call, started). `history`: how the landmarks were found, in words, step after step.
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

# What the data were made of, where they were not given as rows without missing values.
given_as <- function(source) {
  given <- list(na.action = source$omitted, experiment = source$experiment)
  given[lengths(given) > 0]
}

# A call by do.call() contains the data themselves. The argument's name replaces
# them, so that a saved fit does not contain the data.
light_call <- function(call) {
  light <- function(part) is.language(part) || (length(part) <= 10 && in_memory(part))
  heavy <- which(!vapply(as.list(call), light, NA))
  for (i in heavy) call[[i]] <- as.name(names(call)[i])
  call
}

# Whether each landmark has converged: where steps used all rows, by the method's
# tolerance; on random batches by the average distance of its last steps.
has_converged <- function(fit) {
  limit <- if (isTRUE(fit$exact)) max(step_tolerance(fit$method), 1e-12) else 0.05
  !is.na(fit$moved) & fit$moved <= limit
}

# The call that repeats all steps: the call of the fit replaces the argument `fit`, so that
# update() learns the landmarks of the first call again and continues from them. A call by do.call() has the
# function itself in the place of its name.
call_on_fit <- function(name, matched, fit) {
  matched[[1]] <- as.name(name)
  matched$fit <- fit$call
  matched
}

fit_kernel <- function(fit) new_kernel(fit$bandwidth, fit$bandwidth_rule, fit$space)

# What was asked for where a fit is the start of another.
task_on_fit <- function(fit, method, name, matched, started) {
  list(
    method = method, scale = fit$scaled, blueprint = fit$blueprint, started = started,
    call = call_on_fit(name, matched, fit)
  )
}

landmark_names <- function(fit) paste0("L", seq_len(nrow(fit$landmarks)))
