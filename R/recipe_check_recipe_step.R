# A step of a recipe may have been edited, or read from a file that was cut.
check_recipe_step <- function(step, arg = "x", call = rlang::caller_env()) {
  check_class(step, "step_landmarks", "step", arg, call)
  parts <- unclass(step)
  flaw <- absent_part(parts, step_rules) %||%
    broken_part(parts, step_rules, NULL, other_than, parts)
  res <- parts$res
  if (is.null(flaw) && !is.null(res)) {
    flaw <- fit_flaw(res)
    if (!is.null(flaw)) flaw <- paste0("Its `res` is incomplete: ", sub("^I", "i", flaw))
    if (is.null(flaw) && ncol(res$landmarks) != length(parts$columns)) {
      flaw <- "Its `columns` are not those of its `res`."
    }
  }
  check_whole(flaw, "step", "step_landmarks", arg, call, res)
  invisible(step)
}

step_rules <- list(
  terms = function(v, s) is.list(v) && all(vapply(v, rlang::is_quosure, NA)),
  trained = function(v, s) is_flag(v),
  num_landmarks = function(v, s) is_tuned(v) || is_whole(v, 1),
  options = function(v, s) is.list(v) && !is.object(v),
  res = function(v, s) is.null(v) || (inherits(v, "landmarks") && is.list(v)),
  columns = function(v, s) if (s$trained) is_text(v) && (length(v) > 0) == !is.null(s$res) else is.null(v),
  prefix = function(v, s) is_path(v),
  keep_original_cols = function(v, s) is_flag(v),
  skip = function(v, s) is_flag(v),
  case_weights = function(v, s) is.null(v) || is_flag(v),
  id = function(v, s) is_text(v, 1)
)
