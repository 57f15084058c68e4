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
    if (!is.null(rlang::get_expr(subset))) {
      abort_input("{.arg subset} cannot be used with data in chunks: select rows when reading them.",
        arg = "subset", kind = "rows", call = call
      )
    }
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

# The same of chunks, list(x, method, blueprint), where x is a chunk_plan(). `formula`: of the user, or NULL.
# `weights`: see chunk_plan(), or a quosure.
chunks_given <- function(x, formula, method, weights, na.action, arg, call) {
  rule <- "{.code na.fail} for chunks: leave out rows when reading them"
  fails <- check_na_action(na.action, call) == "na.fail"
  check_that(fails, na.action, "na.action", rule, "na_action", call, found = NULL)
  chunks <- user_chunks(x, call)
  first <- first_chunk(chunks, call)
  if (rlang::is_quosure(weights)) weights <- weights_of_quosure(weights, first, call)
  blueprint <- response <- NULL
  prepare <- identity
  check_that(is.null(formula) || is.data.frame(first), first, arg, "data frames, one for each chunk", "data",
    call
  )
  if (is.data.frame(first)) {
    formula <- formula %||% ~.
    uses_response <- method_can(method, "uses_response")
    blueprint <- frame_blueprint(formula, first, call, arg, response = uses_response, rows = Inf)$blueprint
    prepare <- frame_preparer(blueprint)
    if (length(formula) == 3) response <- column_code(formula[[2]], environment(formula), first, arg, call)
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

# A function that makes a matrix of the rows of a chunk. Daemons get it with what it needs, and no more.
frame_preparer <- function(blueprint) {
  force(blueprint)
  function(rows) frame_matrix(blueprint, rows, NULL, "x")
}

# A method whose response and other values for each row are those of the sampled rows of a source.
method_of_sample <- function(method, source, call) {
  whole <- source$whole
  if (is.null(whole)) return(method)
  if (!is.null(whole$y)) method <- with_response(method, whole$y, "the formula", call)
  own <- vapply(method, inherits, NA, "landmark_method")
  method[own] <- lapply(method[own], method_of_sample, source, call)
  for (name in c(if (is.null(whole$y)) "y", "groups")) {
    v <- method[[name]]
    if (is.null(v)) next
    rule <- "have one value for each of the {whole$rows} rows of the chunks"
    check_that(NROW(v) == whole$rows, v, name, rule, "response", call,
      if (name == "y") "For a column use a formula: {.code landmarks(y ~ ., x, n, ...)}."
    )
    method[[name]] <- if (is.null(dim(v))) v[whole$numbers] else v[whole$numbers, , drop = FALSE]
    if (name == "y") warn_response_column(whole$x, method$y, call)
  }
  method
}

# Rows that are brought to a fit, list(x, omitted, action, names): a matrix of the fit's columns in its order,
# of normal scores where the fit has these, without the rows that the `action` leaves out; the numbers of
# these; and the names of all rows. New data (`new`) may have no rows. By default rows with missing values are
# left out if those of the fit were.
forge <- function(fit, x, arg, call,
                  action = if (length(fit$na.action)) paste0("na.", class(fit$na.action)) else "na.fail",
                  new = arg == "newdata") {
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

# A data frame for a fit that was learned from one.
frame_for_fit <- function(x, arg, call, new) {
  if (is.matrix(x)) x <- as.data.frame(unclass(x))
  check_that(is.data.frame(x), x, arg, "a data frame, like the training data", "data", call,
    "Columns are matched by name; one row of a data frame {.code d} is {.code d[1, ]}."
  )
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
  weights <- go_along(input$omitted, nrow(x) + length(input$omitted), NULL, weights, call)$weights
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
    "{.arg weights} is missing, and the landmarks were fitted with weights: equal weights are used.",
    i = "Give the weights, or {.code weights = {equal}} for equal weights."
  ), kind = "weights", call = call)
}

# The method with the response and other values of those rows that a source has.
method_for_source <- function(method, source, call) {
  method <- go_along(source$omitted, source$dim[1] + length(source$omitted), method, NULL, call)$method
  method_of_sample(method, source, call)
}

# The rows of data as a source in the coordinates of a fit, with their numbers among all rows, `numbers`. Of
# data in chunks a sample.
rows_source <- function(fit, x, call) {
  check_given(x, "x", call)
  x <- as_rows(x, "x", call, fit$experiment)
  if (is_chunked(x)) {
    whole <- as_source(plan_of_fit(fit, x, call), arg = "x", call = call)$whole
    x <- whole$x
    numbers <- as_row_numbers(whole$numbers)
  } else {
    input <- forge(fit, x, "x", call)
    x <- input$x
    numbers <- kept_rows(input$omitted, nrow(x))
  }
  source <- new_source(x, fit$center, fit$factor, "x", call)
  source$numbers <- numbers
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
