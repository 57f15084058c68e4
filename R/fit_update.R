# update() of a fit: its call again, with other arguments.

#' @importFrom stats update
#' @rdname landmarks-methods
#' @export
update.landmarks <- function(object, formula., ..., evaluate = TRUE) {
  check_object(object, "landmarks", "object")
  evaluate <- check_flag(evaluate, "evaluate")
  if (!is.call(object$call)) {
    abort_input(c(
      "{.arg object} must have a {.field call} to repeat.", x = "Its call is {describe(object$call)}.",
      i = "Learn it again with {.fn landmarks}."
    ), arg = "object", kind = "fit")
  }
  frame <- parent.frame()
  changes <- match.call(expand.dots = FALSE)$...
  if (length(changes) && (is.null(names(changes)) || !all(nzchar(names(changes))))) {
    abort_input("Arguments to change must be given by name, as {.code n = 20}.", kind = "dots")
  }
  call <- object$call
  if (!missing(formula.)) {
    call <- on_first_call(call, with_formula, changed_formula(object, formula., frame))
  }
  call <- change_steps(call, changes, rlang::current_env())
  if (!evaluate) return(call)
  check_repeatable(call, rlang::current_env())
  with_same_landmarks(eval(visible_heads(call, frame), frame), object, rlang::current_env())
}

# The value of `code`, the updated call. If that call takes landmarks by `[`, the new fit may have too few of
# them: then the error says so.
with_same_landmarks <- function(code, fit, call) {
  tryCatch(code, landmarker_error_index = function(e) {
    abort_input(c(
      "The updated fit must have the landmarks that {.code [} has kept of the one before.",
      x = "It has {e$size} landmark{?s}, and the one before had {fit$subset_of}.",
      i = "Give more landmarks by {.arg n}, or update the fit before {.code [} and choose among the new ones."
    ), arg = "n", kind = "index", call = call)
  })
}

# The formula of a fit, changed as by update.formula().
changed_formula <- function(fit, formula, frame, call = rlang::caller_env()) {
  if (!inherits(formula, "formula")) {
    abort_input(c(
      "{.arg formula.} must be a formula.", x = "It is {describe(formula)}.",
      i = "Give other arguments by name, as {.code n = 20}."
    ), arg = "formula.", call = call)
  }
  out <- updated_formula(fit_blueprint(fit, "object", call), formula)
  environment(out) <- frame
  out
}

# The place in a call at which the call of the step before it stands, or NULL for the first step. The call of
# a fit contains the calls of all steps, as add_landmarks(fit = landmarks(...)).
step_before <- function(call) {
  head <- call_head(call)
  on_fit <- c("add_landmarks", "refine_landmarks")
  at <- if (head == "[") 2L else if (head %in% on_fit) match("fit", names(call))
  if (!is.null(at) && !is.na(at) && is.call(call[[at]])) at
}

# The function of a call as text.
call_head <- function(call) deparse1(call[[1]])

# A call in which change(call, ...) has replaced the call of the first step.
on_first_call <- function(call, change, ...) {
  at <- step_before(call)
  if (is.null(at)) return(change(call, ...))
  call[[at]] <- on_first_call(call[[at]], change, ...)
  call
}

# The call landmarks(data) with a formula: landmarks(formula, data).
with_formula <- function(call, formula) {
  if (!"data" %in% names(call)) call$data <- call$x
  call$x <- formula
  call
}

# The call with other arguments. `changes`: a named list of expressions. Arguments of the first step are
# changed there, and others in the last step that has an argument of the name.
change_steps <- function(call, changes, error_call) {
  first <- call
  while (!is.null(at <- step_before(first))) first <- first[[at]]
  own <- names(changes) %in% arguments_of(first)
  shared <- intersect(names(changes)[own], c("x", "data", "weights"))
  old <- lapply(stats::setNames(nm = shared), function(name) first[[name]])
  out <- on_first_call(call, with_arguments, changes[own])
  out <- share_data(out, Filter(Negate(is.null), old), changes)
  for (name in names(changes)[!own]) out <- change_last(out, name, changes[name], error_call)
  out
}

# A call with other arguments. A change to NULL removes the argument.
with_arguments <- function(call, changes) {
  for (name in names(changes)) {
    if (!is.null(changes[[name]])) {
      call[[name]] <- changes[[name]]
    } else if (name %in% names(call)) {
      call[[name]] <- NULL
    }
  }
  call
}

# The names of the arguments that a step can have.
arguments_of <- function(call) {
  functions <- switch(call_head(call),
    landmarks = list(landmarks.default, landmarks.formula, landmarks.SummarizedExperiment),
    as_landmarks = list(as_landmarks), add_landmarks = list(add_landmarks),
    refine_landmarks = list(refine_landmarks)
  )
  setdiff(unlist(lapply(functions, function(f) names(formals(f)))), c("...", "fit"))
}

# Where a later step has the same data or weights as the first had (the expressions `old`), or data given as a
# value, they are changed there too.
share_data <- function(call, old, changes) {
  at <- step_before(call)
  if (is.null(at)) return(call)
  for (name in names(old)) {
    for (i in setdiff(seq_along(call)[-1], at)) {
      is_value <- name != "weights" && is.name(old[[name]]) && identical(call[[i]], quote(`<x>`))
      if (is_value || identical(call[[i]], old[[name]])) call[i] <- list(changes[[name]])
    }
  }
  call[[at]] <- share_data(call[[at]], old, changes)
  call
}

# Changes one argument in the last step that has it, or is an error where none has.
change_last <- function(call, name, change, error_call) {
  if (name %in% arguments_of(call)) return(with_arguments(call, change))
  at <- step_before(call)
  if (is.null(at)) {
    abort_input(c(
      "Unknown argument {.arg {name}}.",
      i = "{.fn update} changes arguments of {.fn landmarks}, and of the steps that followed it."
    ), kind = "dots", call = error_call)
  }
  call[[at]] <- change_last(call[[at]], name, change, error_call)
  call
}

# A call in which functions of this package stand as landmarker::name where the name alone would not find
# them: where the user has not attached the package, or has another function of this name.
visible_heads <- function(call, frame) {
  at <- step_before(call)
  if (!is.null(at)) call[[at]] <- visible_heads(call[[at]], frame)
  name <- call_head(call)
  if (is.symbol(call[[1]]) && name %in% getNamespaceExports("landmarker")) {
    own <- getExportedValue("landmarker", name)
    if (!identical(get0(name, frame, mode = "function"), own)) {
      call[[1]] <- call("::", quote(landmarker), call[[1]])
    }
  }
  call
}
