# Fits of data in chunks: the landmarks are learned from a sample of the rows and measured over all rows.

# What fit_landmarks() is given of chunks, list(x, method, blueprint), where x is a chunk_plan(). `formula`:
# of the user, or NULL. `weights`: see chunk_plan(), or a quosure.
chunks_given <- function(x, formula, method, weights, na.action, arg, call) {
  if (check_na_action(na.action, call) != "na.fail") {
    abort_input(c(
      "{.arg na.action} must be {.code na.fail} for data in chunks.",
      x = "{.arg {arg}} is read in chunks.",
      i = "Leave out rows with missing values when reading the chunks, or impute the values."
    ), arg = "na.action", kind = "na_action", call = call)
  }
  chunks <- user_chunks(x, call)
  first <- first_chunk(chunks, call)
  if (rlang::is_quosure(weights)) weights <- weights_of_quosure(weights, first, call)
  blueprint <- response <- NULL
  prepare <- identity
  if (is.data.frame(first)) {
    formula <- formula %||% ~.
    uses_response <- method_can(method, "uses_response")
    blueprint <- frame_blueprint(formula, first, call, arg, response = uses_response, rows = Inf)$blueprint
    prepare <- frame_preparer(blueprint)
    if (length(formula) == 3) response <- column_code(formula[[2]], environment(formula), first, arg, call)
  } else if (!is.null(formula)) {
    abort_input(c(
      "The chunks must be data frames if a formula is given.", x = "The first is {describe(first)}.",
      i = "Give them without a formula, as {.arg x}."
    ), arg = arg, kind = "data", call = call)
  }
  plan <- chunk_plan(chunks, first, prepare, response, weights, call)
  list(x = plan, method = method, blueprint = blueprint)
}

# Weights of landmarks(~ a, x, n, weights = w) as chunk_plan() takes them: computed from columns of the
# chunks, or a vector, which may be a part of an object, such as d$w.
weights_of_quosure <- function(weights, first, call) {
  code <- rlang::quo_get_expr(weights)
  if (is.null(code)) return(NULL)
  if (any(all.vars(code) %in% names(first)) && !rlang::is_formula(code) && !is_call_to(code, "$")) {
    return(rlang::new_formula(NULL, code, rlang::quo_get_env(weights)))
  }
  formula_weights(weights, NULL, call)
}

abort_chunk_subset <- function(call) {
  abort_input(c(
    "{.arg subset} cannot be used with data in chunks.", x = "{.arg data} is read in chunks.",
    i = "Select rows when reading the chunks."
  ), arg = "subset", kind = "rows", call = call)
}

# A function that makes a matrix of the rows of a chunk. Daemons get it with what it needs, and no more.
frame_preparer <- function(blueprint) {
  force(blueprint)
  function(rows) frame_matrix(blueprint, rows, NULL, "x")
}
