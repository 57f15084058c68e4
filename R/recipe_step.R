# A step of package recipes: what the user gives, training, use and tables.

#' Kernel features of landmarks in a recipe
#'
#' `step_landmarks()` adds a step to a recipe of package \pkg{recipes} (tidymodels). `prep()` computes
#' [landmarks()] of the selected columns of the training rows, and `bake()` replaces the columns by kernel
#' features of [predict.landmarks()], one for each landmark. A linear model of these features is a nonlinear
#' model of the columns.
#'
#' The features equal `predict(landmarks(x, n, method, bandwidth), newdata, type)` bit by bit after the same
#' `set.seed()`, also if the trained recipe was stored by `saveRDS()`.
#'
#' @section Preparing the columns:
#' Distances need columns of comparable scale: use `recipes::step_normalize()` before this step, or
#' `scale = TRUE`. Otherwise a message (`landmarker_message_units`) is shown if standard deviations differ
#' much. Convert factors by `recipes::step_dummy(one_hot = TRUE)`. Missing values are an error; use, for
#' example, `recipes::step_impute_mean()` before. If no column is selected, the step does nothing.
#'
#' @section Response:
#' [by_response()] and [by_class()] use the `outcome` of the training rows. Models of the features must
#' therefore be evaluated, and their penalties selected, on rows that `prep()` did not use. Resampling a
#' workflow ensures this.
#'
#' @section Case weights:
#' Importance and frequency weights (`hardhat::importance_weights()`, `frequency_weights()`) become the
#' `weights` of [landmarks()]. Unlike many steps, this one uses importance weights. To ignore them, remove
#' the role of the column.
#'
#' @section Sparse data:
#' If more than half of the selected columns are sparse vectors of package \pkg{sparsevctrs} (recipes 1.2.0
#' or later), landmarks are computed from a sparse matrix. Features are dense, so
#' `bake(composition = "dgCMatrix")` saves no memory.
#'
#' @param recipe A recipe.
#' @param ... Selectors of numeric or logical columns, such as `recipes::all_numeric_predictors()`. Not used
#'   by `tidy()`.
#' @param role Role of the new columns. Default `"predictor"`.
#' @param num_landmarks Number of landmarks and of new columns, or `tune()`. The default, 10, is for a quick
#'   first model; see [choosing] for better values.
#' @param bandwidth As in [landmarks()], or `tune()`. Default NULL: `"variance"`, except that [by_response()]
#'   estimates it.
#' @param method How landmarks are found, as in [landmarks()]: a name, a method object, or `tune()`. Default
#'   `"gp"`.
#' @param type `"nystrom"`, the default, which suits penalized models, or `"features"`, the kernel values.
#'   See [predict.landmarks()].
#' @param outcome For [by_response()] and [by_class()]: the outcome, a column's name, a selector such as
#'   `recipes::all_outcomes()`, or several 0/1 columns (multilabel). Default NULL, for other methods.
#' @param scale As in [landmarks()]. Default NULL: `FALSE`, with a message if units differ.
#' @param options A named list of further arguments of [landmarks()], such as `space`. With
#'   `na.action = na.omit`, incomplete training rows are dropped, and `bake()` gives incomplete rows missing
#'   features.
#' @param prefix Prefix of the names of the new columns. Default `"L"`: `L1`, `L2`, ...
#' @param keep_original_cols Whether `bake()` keeps the selected columns. Default `FALSE`.
#' @param skip Whether `bake()` skips the step for new data. Default `FALSE`.
#' @param id The unique name of the step.
#' @return `step_landmarks()`: the recipe with the step added.
#'
#'   `tidy()`: a tibble. Before `prep()`, a row for each selector with the columns `terms`, `value`,
#'   `component` (both NA) and `id`. After `prep()`, a row for each landmark and column: `terms` (the
#'   column), `value` (the coordinate), `component` (the landmark) and `id`.
#'
#'   `required_pkgs()`: `"landmarker"`. `tunable()`: a tibble of the tuning parameters.
#' @section Errors:
#' Errors in `prep()` are reported by recipes with the name of the step; their parent is an error of class
#' `landmarker_error_<kind>`. Kinds are `missing` (a missing or infinite value), `columns` (wrong type,
#' missing column, or a name that is taken), `response` (wrong or missing outcome) and `select` (an invalid
#' selector).
#' @seealso [landmarks()]; [num_landmarks()], [landmark_bandwidth()] and [landmark_method()] for tuning.
#' @examplesIf requireNamespace("recipes", quietly = TRUE)
#' library(recipes)
#' earlier <- quakes[1:700, ]
#' later <- quakes[701:1000, ]
#' set.seed(1)
#' rec <- recipe(depth ~ lat + long, data = earlier) |>
#'   step_normalize(all_numeric_predictors()) |>
#'   step_landmarks(all_numeric_predictors(), num_landmarks = 12) |>
#'   prep()
#' rec
#' bake(rec, new_data = later[1:3, ])
#'
#' # R squared on new rows: linear models of the features and of the two columns
#' by_features <- lm(depth ~ ., bake(rec, earlier))
#' by_columns <- lm(depth ~ lat + long, earlier)
#' c(
#'   features = cor(predict(by_features, bake(rec, later)), later$depth)^2,
#'   columns = cor(predict(by_columns, later), later$depth)^2
#' )
#'
#' # The landmarks, in the units of the step: standard deviations
#' head(tidy(rec, number = 2), 3)
#' rec$steps[[2]]$res
#'
#' # Supervised landmarks
#' set.seed(1)
#' supervised <- recipe(Species ~ ., data = iris) |>
#'   step_landmarks(all_predictors(), num_landmarks = 4, method = by_response(), outcome = Species,
#'     scale = TRUE) |>
#'   prep()
#' aggregate(. ~ Species, bake(supervised, new_data = NULL), function(v) round(mean(v), 2))
#' @export
step_landmarks <- function(recipe, ..., role = "predictor", num_landmarks = 10, bandwidth = NULL,
                           method = "gp", type = "nystrom", outcome = NULL, scale = NULL, options = list(),
                           prefix = "L", keep_original_cols = FALSE, skip = FALSE,
                           id = recipes::rand_id("landmarks")) {
  need_package("recipes", "{.fn step_landmarks}")
  check_given(recipe, "recipe")
  call <- rlang::current_env()
  check_that(inherits(recipe, "recipe"), recipe, "recipe", "a recipe",
    remedy = "Begin with {.code recipe(y ~ ., data = data)}."
  )
  terms <- rlang::enquos(...)
  # Selectors have no names.
  named <- terms[nzchar(names(terms))]
  rlang::inject(check_dots(!!!named, call = call, .known = names(formals(step_landmarks))))
  is_role <- (is.character(role) || identical(role, NA)) && length(role) == 1
  check_that(is_role, role, "role", "one string, or NA")
  check_flag(skip, "skip")
  outcome <- rlang::enquo(outcome)
  outcome <- if (!rlang::quo_is_null(outcome)) list(outcome)
  step <- list(
    subclass = "landmarks", terms = terms, role = role, trained = FALSE, num_landmarks = num_landmarks,
    bandwidth = bandwidth, method = method, type = type, outcome = outcome, scale = scale,
    options = options, res = NULL, columns = NULL, prefix = prefix,
    keep_original_cols = keep_original_cols, skip = skip, id = id, case_weights = NULL
  )
  # quote = TRUE: a value such as tune() is a call that must not be evaluated.
  recipes::add_step(recipe, do.call(recipes::step, check_step(step, call), quote = TRUE))
}

# A value that is to be tuned is a call of tune() until then.
is_tuned <- function(x) rlang::is_call(x, "tune")

# A step after checks, as far as its settings are known. prep() checks them again, when all are.
check_step <- function(step, call) {
  if (!is_tuned(step$num_landmarks)) check_count(step$num_landmarks, "num_landmarks", call = call)
  if (!is_tuned(step$bandwidth) && !is.null(step$bandwidth)) bandwidth_rule(step$bandwidth, call)
  check_choice(step$type, c("nystrom", "features"), "type", call)
  check_flag(step$keep_original_cols, "keep_original_cols", call)
  filled <- rlang::is_string(step$prefix) && nzchar(step$prefix)
  check_that(filled, step$prefix, "prefix", "one string, not empty", call = call)
  options <- step$options
  known <- setdiff(names(formals(landmarks.default)), c("x", "n", "weights", names(formals(step_landmarks))))
  unknown <- setdiff(rlang::names2(options), known)
  fits <- is.list(options) && !is.object(options) && length(unknown) == 0
  rule <- "a named list of further arguments of {.fn landmarks}: {.or {.arg {known}}}"
  found <- if (is.list(options)) "It has {.val {unknown}}." else "It is {describe(options)}."
  if ("" %in% unknown) found <- "It has an element without a name."
  check_that(fits, options, "options", rule, call = call, found = found)
  space <- check_space(options$space %||% "euclidean", call)
  if (!is.null(step$scale)) check_scale(step$scale, space, call)
  if (is_tuned(step$method)) return(step)
  step$method <- match_method(step$method, call)
  wanted <- method_can(step$method, "uses_response")
  rule <- if (wanted) "given: {.fn {class(step$method)[1]}} uses a response" else "NULL"
  check_that(wanted != is.null(step$outcome), NULL, "outcome", rule, "response", call,
    if (wanted) "Give {.code outcome = all_outcomes()}.",
    if (!wanted) "{.fn {class(step$method)[1]}} uses no response."
  )
  step
}

# ---- training ------------------------------------------------------------------------

#' @exportS3Method recipes::prep
prep.step_landmarks <- function(x, training, info = NULL, ...) {
  call <- quote(step_landmarks())
  x[] <- check_step(unclass(x), call)
  x["columns"] <- list(selected_columns(x$terms, training, info, "...", call))
  weights <- recipes::get_case_weights(info, training)
  if (length(x$columns)) {
    check_new_names(feature_names(x), names(training), call)
    x$res <- fit_step(x, training, weights, info, call)
  }
  x$trained <- TRUE
  x["case_weights"] <- list(if (!is.null(weights)) TRUE)
  x
}

# The names of the columns that selectors choose. `arg`: the argument that has the selectors.
selected_columns <- function(selectors, data, info, arg, call) {
  select <- function() unname(recipes::recipes_eval_select(selectors, data, info, call = call))
  on_failure(select(), function(e) {
    like <- if (arg == "outcome") "all_outcomes()" else "all_numeric_predictors()"
    rule <- "{.arg {arg}} must select columns, for example with {.code {like}}."
    abort_input(rule, arg = arg, kind = "select", call = call, parent = e)
  })
}

# The fit of a step, by landmarks() with the arguments of the step.
fit_step <- function(step, training, weights, info, call) {
  x <- step_points(training, step, call)
  method <- step$method
  if (!is.null(step$outcome)) {
    y <- training[selected_columns(step$outcome, training, info, "outcome", call)]
    rule <- "a selector of at least one column"
    check_that(length(y) > 0, y, "outcome", rule, "response", call, found = "It selects none.")
    method <- with_response(method, if (length(y) == 1) y[[1]] else as.matrix(y), "the recipe", call)
  }
  input <- list(
    x = x, n = at_most_rows(step$num_landmarks, nrow(x), "num_landmarks", call), method = method,
    bandwidth = step$bandwidth, weights = if (!is.null(weights)) as.double(weights), scale = step$scale
  )
  landmarks_of_values(c(Filter(Negate(is.null), input), step$options))
}

# The selected columns as a matrix, sparse if most of them are. Missing values are found here, because recipes
# have a remedy of their own; landmarks() and predict() check other values.
step_points <- function(data, step, call) {
  check_has_columns(step$columns, names(data), "new_data", call)
  data <- data[step$columns]
  for (name in step$columns) {
    column <- data[[name]]
    fits <- column_type(column) %in% c("numeric", "logical") && is.null(dim(column))
    remedy <- if (identical(column_type(column), "factor")) {
      "Add {.code step_dummy(all_nominal_predictors(), one_hot = TRUE)} before, or select other columns."
    } else {
      "Convert it in a step before, or select others, for example with {.code all_numeric_predictors()}."
    }
    rule <- "selectors of numeric or logical columns"
    if (step$trained) rule <- "have the types of the training data"
    check_that(fits, column, if (step$trained) "new_data" else "...", rule, "columns", call,
      if (!step$trained) remedy, "Column {.var {name}} is {describe(column)}."
    )
    row <- match(TRUE, is.na(column))
    remedy <- "Impute them in a step before, or leave out rows by {.fn step_naomit}."
    arg <- if (step$trained) "new_data" else "training"
    check_that(is.na(row) || !is.null(step$options$na.action), data, arg, "not have missing values",
      "missing", call, remedy, "The first is in row {row}, column {.var {name}}."
    )
  }
  # Columns can be sparse only where package sparsevctrs is loaded.
  if (isNamespaceLoaded("sparsevctrs")) {
    of <- function(name) getExportedValue("sparsevctrs", name)
    if (mean(vapply(data, of("is_sparse_vector"), NA)) > 0.5) return(of("coerce_to_sparse_matrix")(data))
  }
  as.matrix(data)
}

feature_names <- function(step, n = step$num_landmarks) paste0(step$prefix, seq_len(n))

check_new_names <- function(new, names, call) {
  taken <- intersect(new, names)
  check_that(length(taken) == 0, NULL, "prefix", "a string that gives new column names",
    "columns", call, "Choose another, for example {.code prefix = \"landmark_\"}.",
    "The data already have {cli::qty(length(taken))}{?a column/columns} {.var {utils::head(taken, 5)}}."
  )
}

#' @exportS3Method recipes::bake
bake.step_landmarks <- function(object, new_data, ...) {
  call <- quote(step_landmarks())
  check_given(new_data, "new_data", call)
  if (length(object$columns) == 0) return(new_data)
  x <- step_points(new_data, object, call)
  # A step keeps all rows: those with missing values get missing features.
  action <- object$options$na.action
  omits <- !is.null(action) && check_na_action(action, call) != "na.fail"
  action <- if (omits) stats::na.pass else stats::na.fail
  features <- with_call(stats::predict(object$res, x, object$type, na.action = action), call, replace = TRUE)
  new <- paste0(object$prefix, substring(colnames(features), 2))
  check_new_names(new, names(new_data), call)
  new_data[new] <- unname(as.data.frame(features))
  if (object$keep_original_cols) new_data else new_data[setdiff(names(new_data), object$columns)]
}

#' @export
print.step_landmarks <- function(x, width = max(20, options()$width - 40), ...) {
  width <- check_number(width, "width", 0)
  n <- if (is.null(x$res)) x$num_landmarks else nrow(x$res$landmarks)
  title <- paste("Features of", if (is_tuned(n)) "landmarks" else how_many(n, "landmark"), "of ")
  recipes::print_step(x$columns, x$terms, x$trained, title, width, case_weights = x$case_weights)
  invisible(x)
}

#' @rdname step_landmarks
#' @param x An object of class `step_landmarks`.
#' @export
tidy.step_landmarks <- function(x, ...) {
  if (is.null(x$res)) {
    terms <- if (x$trained) character() else recipes::sel2char(x$terms)
    return(tibble::tibble(terms = terms, value = NA_real_, component = NA_character_, id = x$id))
  }
  # A row for each landmark and column, the columns of one landmark together.
  points <- landmarks_in_units(x$res)
  tibble::tibble(
    terms = rep(x$columns, nrow(points)), value = as.double(t(points)),
    component = rep(feature_names(x, nrow(points)), each = ncol(points)), id = x$id
  )
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_landmarks <- function(x, ...) "landmarker"

#' @exportS3Method generics::tunable
tunable.step_landmarks <- function(x, ...) {
  functions <- c("num_landmarks", "landmark_bandwidth", "landmark_method")
  tibble::tibble(
    name = c("num_landmarks", "bandwidth", "method"),
    call_info = lapply(functions, function(fun) list(pkg = "landmarker", fun = fun)),
    source = "recipe", component = "step_landmarks", component_id = x$id
  )
}
