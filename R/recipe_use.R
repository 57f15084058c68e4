# A step of package recipes: training, use, tables.

#' @exportS3Method recipes::prep
prep.step_landmarks <- function(x, training, info = NULL, ...) {
  call <- quote(step_landmarks())
  settings <- c(
    "num_landmarks", "bandwidth", "method", "outcome", "scale", "space", "options", "prefix",
    "keep_original_cols"
  )
  x[settings] <- check_step(unclass(x)[settings], names(formals(step_landmarks)), call)
  columns <- selected_columns(x$terms, training, info, "...", call)
  weights <- recipes::get_case_weights(info, training)
  if (length(columns)) {
    check_new_names(feature_names(x), names(training), call)
    x$res <- fit_step(x, training, columns, weights, info, call)
  }
  x$columns <- columns
  x$trained <- TRUE
  x["case_weights"] <- list(if (!is.null(weights)) TRUE)
  x
}

# The names of the columns that selectors choose. `arg`: the argument that has the selectors.
selected_columns <- function(selectors, data, info, arg, call) {
  select <- function() recipes::recipes_eval_select(selectors, data, info, call = call)
  chosen <- on_failure(select(), function(e) {
    abort_input(c(
      "{.arg {arg}} must select columns of the data.",
      x = "It is {.code {selectors_in_words(selectors)}}.",
      i = "Give names of columns, or selectors such as {.code all_numeric_predictors()}."
    ), arg = arg, kind = "select", call = call, parent = e)
  })
  unname(chosen)
}

# The fit of a step, by landmarks() with the arguments of the step.
fit_step <- function(step, training, columns, weights, info, call) {
  x <- step_points(training, columns, call, trained = FALSE, step_omits(step, call))
  method <- step$method
  if (!is.null(step$outcome)) {
    y <- training[selected_columns(step$outcome, training, info, "outcome", call)]
    method <- with_response(method, step_response(y, call), "the recipe", call)
  }
  n <- at_most_rows(step$num_landmarks, nrow(x), "num_landmarks", call)
  given <- c(
    list(
      x = x, n = n, method = method, bandwidth = step$bandwidth, space = step$space,
      weights = if (!is.null(weights)) as.double(weights), scale = step$scale
    ),
    step$options
  )
  in_step(landmarks_of_values(Filter(Negate(is.null), given)), call)
}

step_response <- function(y, call) {
  if (length(y) == 0) {
    abort_input(c("{.arg outcome} must select at least one column.", x = "It selects none."),
      arg = "outcome", kind = "response", call = call
    )
  }
  if (length(y) == 1) y[[1]] else as.matrix(y)
}

# Errors of landmarks() about `n` and `y` get the names that the step has for these arguments.
in_step <- function(code, call) {
  tryCatch(code, landmarker_error = function(e) {
    if (!isTRUE(e$arg %in% c("n", "y"))) rlang::cnd_signal(e)
    own <- if (e$arg == "n") "num_landmarks" else "outcome"
    abort_input(
      "{.arg {own}} must suit the training data. It is {.arg {e$arg}} of {.fn landmarks}.",
      arg = own, kind = sub("^landmarker_error_", "", class(e)[1]), call = call, parent = e
    )
  })
}

# The selected columns as a matrix, sparse where most of them are.
step_points <- function(data, columns, call, trained, missing = FALSE) {
  check_has_columns(columns, names(data), "new_data", call)
  data <- data[columns]
  for (name in columns) check_step_column(data[[name]], name, call, trained, missing)
  # Columns can be sparse only where package sparsevctrs is loaded.
  if (isNamespaceLoaded("sparsevctrs")) {
    of <- function(name) getExportedValue("sparsevctrs", name)
    if (mean(vapply(data, of("is_sparse_vector"), NA)) > 0.5) return(of("coerce_to_sparse_matrix")(data))
  }
  as.matrix(data)
}

# Whether rows may have missing values, by the option na.action that was asked for.
step_omits <- function(step, call) {
  action <- step$options$na.action
  !is.null(action) && check_na_action(action, call) != "na.fail"
}

# `missing`: whether values may be missing.
check_step_column <- function(column, name, call, trained, missing = FALSE) {
  if (!column_type(column) %in% c("numeric", "logical") || !is.null(dim(column))) {
    abort_input(c(
      "The columns of {.fn step_landmarks} must be numeric or logical.",
      x = "Column {.field {name}} is {describe(column)}.",
      i = if (trained) {
        "Give new data the types of the training data."
      } else if (is.factor(column) || is.character(column)) {
        "Place {.code step_dummy(all_nominal_predictors(), one_hot = TRUE)} before this step."
      } else {
        "Select other columns, for example with {.code all_numeric_predictors()}."
      }
    ), arg = "...", kind = "columns", call = call)
  }
  bad <- which(if (missing) is.infinite(column) else !is.finite(column))
  if (length(bad)) {
    abort_input(c(
      "The columns of {.fn step_landmarks} must not have missing or infinite values.",
      x = "The first is {as.character(column[bad[1]])}, in row {bad[1]}, column {.field {name}}.",
      i = if (is.na(column[bad[1]])) {
        "Place a step before this one that imputes them, such as {.fn step_impute_mean}."
      } else {
        "Replace infinite values, or leave out their rows."
      }
    ), arg = "...", kind = "missing", call = call)
  }
}

feature_names <- function(step, n = step$num_landmarks) paste0(step$prefix, seq_len(n))

check_new_names <- function(new, names, call) {
  taken <- intersect(new, names)
  if (length(taken)) {
    abort_input(c(
      "The names of the new columns must be free.",
      x = "The data have {cli::qty(length(taken))}{?a column/columns} {.field {utils::head(taken, 5)}}.",
      i = "Choose another {.arg prefix}, for example {.code prefix = \"landmark_\"}."
    ), arg = "prefix", kind = "columns", call = call)
  }
}

#' @exportS3Method recipes::bake
bake.step_landmarks <- function(object, new_data, ...) {
  call <- quote(step_landmarks())
  check_object(object, "step_landmarks", "object", call)
  check_given(new_data, "new_data", call)
  if (length(object$columns) == 0) return(new_data)
  omits <- step_omits(object, call)
  x <- step_points(new_data, object$columns, call, trained = TRUE, omits)
  # A step keeps all rows: those with missing values get missing features.
  features <- stats::predict(
    object$res, x, "features", na.action = if (omits) stats::na.pass else stats::na.fail
  )
  new <- feature_names(object, ncol(features))
  check_new_names(new, names(new_data), call)
  new_data[new] <- unname(as.data.frame(features))
  if (object$keep_original_cols) new_data else new_data[setdiff(names(new_data), object$columns)]
}

#' @export
print.step_landmarks <- function(x, width = max(20, options()$width - 40), ...) {
  check_object(x, "step_landmarks", "x")
  width <- check_count(width, "width", min = 0)
  n <- if (is.null(x$res)) x$num_landmarks else nrow(x$res$landmarks)
  title <- if (is_tuned(n)) "Features of landmarks of " else sprintf("Features of %d landmarks of ", n)
  recipes::print_step(x$columns, x$terms, x$trained, title, width, case_weights = x$case_weights)
  invisible(x)
}

#' @rdname step_landmarks
#' @param x An object of class `step_landmarks`.
#' @export
tidy.step_landmarks <- function(x, ...) {
  check_object(x, "step_landmarks", "x")
  points <- if (x$trained && !is.null(x$res)) landmarks_in_units(x$res)
  table <- if (is.null(points)) {
    terms <- if (x$trained) character() else recipes::sel2char(x$terms)
    list(terms = terms, value = rep(NA_real_, length(terms)), component = rep(NA_character_, length(terms)))
  } else {
    # A row for each landmark and column, the columns of one landmark together.
    list(
      terms = rep(x$columns, nrow(points)), value = as.double(t(points)),
      component = rep(feature_names(x, nrow(points)), each = ncol(points))
    )
  }
  tibble::as_tibble(c(table, list(id = rep(x$id, length(table$terms)))))
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_landmarks <- function(x, ...) "landmarker"

#' @exportS3Method generics::tunable
tunable.step_landmarks <- function(x, ...) {
  check_object(x, "step_landmarks", "x")
  tibble::tibble(
    name = c("num_landmarks", "bandwidth", "method"),
    call_info = lapply(c("num_landmarks", "landmark_bandwidth", "landmark_method"), function(fun) {
      list(pkg = "landmarker", fun = fun)
    }),
    source = "recipe", component = "step_landmarks", component_id = x$id
  )
}
