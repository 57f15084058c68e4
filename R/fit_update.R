# update() of a fit: its call again, with other arguments.

#' @importFrom stats update
#' @rdname landmarks-methods
#' @export
update.landmarks <- function(object, formula., ..., evaluate = TRUE) {
  check_object(object, "landmarks", "object")
  evaluate <- check_flag(evaluate, "evaluate")
  check_that(is.call(object$call), object$call, "object", "a fit with a {.field call} to repeat", "fit")
  changes <- match.call(expand.dots = FALSE)$...
  if (!all(nzchar(rlang::names2(changes)))) {
    abort_input("Arguments to change must be given by name, as {.code n = 20}.", kind = "dots")
  }
  frame <- parent.frame()
  steps <- steps_of_call(object$call)
  if (!missing(formula.)) {
    check_that(inherits(formula., "formula"), formula., "formula.", "a formula")
    first <- steps[[1]]
    if (!"data" %in% names(first)) first$data <- first$x
    first$x <- updated_formula(fit_blueprint(object, "object", rlang::current_env()), formula.)
    environment(first$x) <- frame
    steps[[1]] <- first
  }
  for (name in names(changes)) steps <- change_step(steps, name, changes[[name]], rlang::current_env())
  call <- call_of_steps(steps)
  if (!evaluate) return(call)
  check_repeatable(call, rlang::current_env())
  # The package need not be attached, and the user may have functions of these names.
  eval(call_of_steps(lapply(steps, function(step) {
    if (!is_call_to(step, "[")) step[[1]] <- call("::", quote(landmarker), step[[1]])
    step
  })), frame)
}

# The place in a call at which the call of the step before it stands, or NULL for the first step. The call of
# a fit contains the calls of all steps, as add_landmarks(fit = landmarks(...)).
step_before <- function(call) {
  at <- if (is_call_to(call, "[")) 2L else match("fit", names(call))
  if (!is.na(at) && is.call(call[[at]])) at
}

# The calls of the steps of a fit, the first step first; and the call of all steps again.
steps_of_call <- function(call) {
  at <- step_before(call)
  if (is.null(at)) list(call) else c(steps_of_call(call[[at]]), call)
}

call_of_steps <- function(steps) {
  Reduce(function(before, step) {
    step[[step_before(step)]] <- before
    step
  }, steps)
}

# The steps with another value of an argument; NULL removes it. It is changed in the first step, or else in
# the last step that has it. Later steps that have the same data or weights as the first, or data given as a
# value, get the new ones too.
change_step <- function(steps, name, value, error_call) {
  own <- which(vapply(steps, function(step) name %in% arguments_of(step), NA))
  if (length(own) == 0) abort_input("Unknown argument {.arg {name}}.", kind = "dots", call = error_call)
  k <- if (own[1] == 1) 1 else max(own)
  old <- steps[[k]][[name]]
  if (!is.null(value) || name %in% names(steps[[k]])) steps[[k]][[name]] <- value
  if (k > 1 || is.null(old) || !name %in% c("x", "data", "weights")) return(steps)
  lost <- if (name != "weights" && is.name(old)) quote(`<x>`)
  lapply(steps, function(step) {
    for (i in setdiff(seq_along(step)[-1], step_before(step))) {
      if (identical(step[[i]], old) || identical(step[[i]], lost)) step[i] <- list(value)
    }
    step
  })
}

# The names of the arguments that a step can have.
arguments_of <- function(step) {
  functions <- switch(deparse1(step[[1]]),
    landmarks = list(landmarks.default, landmarks.formula, landmarks.SummarizedExperiment),
    as_landmarks = list(as_landmarks), add_landmarks = list(add_landmarks),
    refine_landmarks = list(refine_landmarks)
  )
  setdiff(unlist(lapply(functions, function(f) names(formals(f)))), c("...", "fit"))
}

# An error if a call has names that stand for values, which nobody has any more.
check_repeatable <- function(call, error_call) {
  lost <- grep("^<.*>$", all.names(call, unique = TRUE), value = TRUE)
  if (length(lost) == 0) return(invisible())
  lost <- gsub("[<>]", "", lost)
  example <- paste0("update(fit, ", paste(lost, "=", lost, collapse = ", "), ")")
  abort_input(c(
    "{.arg {lost}} must be given again: {.code {example}}.",
    i = "{.fn update} repeats the call of a fit, in which {cli::qty(lost)}{?it has/they have} no name."
  ), arg = lost[1], kind = "fit", call = error_call)
}
