# The doors for data of a user: mold() for data to learn from, forge() for data that are brought to a fit.
# Rows are checked here, and not again.

# What landmarks() learns from, list(x, blueprint, omitted, method, weights): a matrix or a plan of chunks
# without the rows that `na.action` leaves out; the numbers of these rows; and the method and the weights of
# the other rows.
mold <- function(x, method, weights, na.action, call) {
  check_given(x, "x", call)
  x <- as_rows(x, "x", call)
  if (is_chunked(x)) return(chunks_given(x, NULL, method, weights, na.action, "x", call))
  rows <- NROW(x)
  if (is.data.frame(x)) {
    input <- frame_blueprint(~., x, call, "x", na.action = na.action,
      also = function(rows) missing_response(method$y, rows)
    )
  } else {
    action <- check_na_action(na.action, call)
    x <- check_data(x, "x", call)
    omitted <- omitted_of(x, action, "x", call, also = missing_response(method$y, rows))
    input <- list(x = without_rows(x, omitted), omitted = omitted)
  }
  c(input, go_along(input$omitted, rows, method, weights, call))
}

# The same of a formula and its `data`. `weights`, `subset`: quosures.
mold_formula <- function(formula, data, method, weights, subset, na.action, call) {
  if (!missing(data) && is_chunked(data)) {
    if (!is.null(rlang::get_expr(subset))) abort_chunk_subset(call)
    return(chunks_given(data, formula, method, weights, na.action, "data", call))
  }
  rows <- formula_subset(subset, data, call)
  total <- if (!is.null(rows)) nrow(data)
  if (!is.null(rows)) data <- data[rows, , drop = FALSE]
  if (!is.null(method$groups)) method$groups <- of_subset(method$groups, rows, total)
  # A function, because frame_blueprint() checks the formula before the response may be evaluated.
  with_its_response <- function() {
    if (length(formula) < 3) return(method)
    with_response(method, formula_response(formula, data, call), "the formula", call)
  }
  input <- frame_blueprint(formula, data, call, "data",
    response = method_can(method, "uses_response"), na.action = na.action,
    also = function(rows) missing_response(with_its_response()$y, rows)
  )
  weights <- of_subset(formula_weights(weights, data, call), rows, total)
  c(input, go_along(input$omitted, nrow(data), with_its_response(), weights, call))
}

# Rows that are brought to a fit, list(x, omitted, action, names): a matrix of the fit's columns in its order,
# of normal scores where the fit has these, without the rows that the `action` leaves out; the numbers of
# these; and the names of all rows. New data (`new`) may have no rows.
forge <- function(fit, x, arg, call, action = fit_action(fit), new = arg == "newdata") {
  check_given(x, arg, call)
  x <- as_rows(x, arg, call, fit$experiment)
  refuse_chunks(x, arg, call)
  names <- row_names(x)
  # Rows that have no values get missing ones later.
  leave_out <- function(x) {
    omitted_of(x, if (action == "na.pass") "na.exclude" else action, arg, call, names, new = new)
  }
  if (is.null(fit$blueprint)) {
    x <- matched_matrix(x, fit$landmarks, arg, call,
      empty = new, why = ", as the training data were a matrix"
    )
    omitted <- leave_out(x)
    x <- without_rows(x, omitted)
  } else {
    values <- frame_values(fit$blueprint, frame_for_fit(x, arg, call, new), arg, call)
    if (action != "na.fail") values <- without_unseen(values, fit$blueprint$levels, arg, call)
    omitted <- leave_out(values)
    x <- values_matrix(lapply(values, without_rows, omitted), fit$blueprint, arg, call)
  }
  value <- if (is.null(fit$ranks)) fit$center else first_knots(fit$ranks)
  warn_varied(x, value, fit$factor, arg, call)
  if (!is.null(fit$ranks)) {
    check_rankable(x, arg, call)
    check_finite(x, arg, call)
    x <- scores_of_ranks(x, fit$ranks)
  }
  list(x = x, omitted = omitted, action = action, names = names)
}

# The `action` for data of later steps: a fit that left out rows with missing values does so again.
fit_action <- function(fit) if (length(fit$na.action)) paste0("na.", class(fit$na.action)) else "na.fail"

# A data frame for a fit that was learned from one.
frame_for_fit <- function(x, arg, call, new) {
  if (is.matrix(x)) x <- as.data.frame(unclass(x))
  if (!is.data.frame(x)) {
    abort_input(c(
      "{.arg {arg}} must be a data frame, like the training data.",
      x = "It is {describe(x)}.",
      i = "Columns are matched by name; one row of a data frame {.code d} is {.code d[1, ]}."
    ), arg = arg, kind = "data", call = call)
  }
  if (!new) check_some_rows(x, arg, call)
  x
}

# ---- sources ---------------------------------------------------------------------------

# Data as a source in the kernel coordinates of a fit, with moments: data over whose rows the kernel is a sum.
# `center`: the origin of the coordinates, by default the mean of these data.
fit_source <- function(fit, x, weights = NULL, arg = "x", call = rlang::caller_env(), center = NULL) {
  check_given(x, arg, call)
  x <- as_rows(x, arg, call, fit$experiment)
  input <- if (is_chunked(x)) list(x = plan_of_fit(fit, x, call, weights)) else forge(fit, x, arg, call)
  x <- input$x
  if (length(input$omitted)) {
    check_weights(weights, nrow(x) + length(input$omitted), call)
    weights <- without_rows(weights, input$omitted)
  }
  warn_equal_weights(fit, weights, x, call)
  source <- as_source(x, weights, scale = FALSE, arg = arg, call = call)
  whole <- source$whole
  if (!is.null(whole)) x <- whole$x
  factor <- if (isTRUE(all.equal(source$factor, fit$factor))) source$factor else fit$factor
  center <- ifelse(factor == 0, fit$center, center %||% source$center)
  source <- in_coordinates(source, x, center, factor)
  check_source_reach(source, fit$landmarks, arg, call)
  source$whole <- whole
  source$omitted <- input$omitted
  source$experiment <- fit$experiment
  source$ranks <- fit$ranks
  source
}

warn_equal_weights <- function(fit, weights, x, call) {
  if (!fit$weighted || !is.null(weights)) return(invisible())
  equal <- if (inherits(x, "chunk_plan")) "~ 1" else "rep(1, nrow(x))"
  warn_user(c(
    paste0(
      "The landmarks were fitted with observation weights, and {.arg weights} is missing: ",
      "equal weights are used."
    ),
    i = "Give the weights, or {.code weights = {equal}} for equal weights."
  ), kind = "weights", call = call)
}

# The rows of data as a source in the coordinates of a fit, with their numbers among all rows, `numbers`. Of
# data in chunks a sample.
rows_source <- function(fit, x, call) {
  check_given(x, "x", call)
  x <- as_rows(x, "x", call, fit$experiment)
  if (is_chunked(x)) {
    whole <- as_source(plan_of_fit(fit, x, call), arg = "x", call = call)$whole
    source <- new_source(whole$x, fit$center, fit$factor, "x", call)
    source$numbers <- as_row_numbers(whole$numbers)
    return(source)
  }
  input <- forge(fit, x, "x", call)
  source <- new_source(input$x, fit$center, fit$factor, "x", call)
  source$numbers <- kept_rows(input$omitted, source$dim[1])
  source
}

# The plan of chunks for a later step on a fit.
plan_of_fit <- function(fit, x, call, weights = NULL) {
  chunks <- user_chunks(x, call)
  chunk_plan(chunks, first_chunk(chunks, call), fit_preparer(unclass(fit)), weights = weights, call = call)
}

# Daemons get the parts of the fit that are needed, and no more.
fit_preparer <- function(fit) {
  fit <- fit[intersect(c("landmarks", "blueprint", "ranks", "center", "factor", "experiment"), names(fit))]
  function(rows) forge(fit, rows, "x", NULL, new = TRUE)$x
}
