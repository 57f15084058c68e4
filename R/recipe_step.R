# A step of package recipes: what the user gives, and its checks.

#' Features by landmarks in a recipe
#'
#' `step_landmarks()` adds a step to a recipe of package \pkg{recipes} (tidymodels). `prep()` learns landmarks
#' of the selected columns of the training rows by [landmarks()]. `bake()` replaces these columns by the
#' features \eqn{K(x, t_l)} of [predict.landmarks()], one column for each landmark. A linear model of these
#' features is a nonlinear model of the columns.
#'
#' The features equal those of a direct call: after the same `set.seed()`,
#' `predict(landmarks(x, n, method, bandwidth), newdata)` gives the same numbers to the last bit. So does a
#' trained recipe that was saved by `saveRDS()` and read in another session where landmarker is loaded.
#'
#' @section Preparing the columns:
#' Distances need columns of numbers in one unit: place `recipes::step_normalize()` before this step, or give
#' `scale = TRUE`. Where both are missing, a message (`landmarker_message_units`) tells of columns with very
#' different standard deviations. A factor needs `recipes::step_dummy(one_hot = TRUE)`, which gives each level
#' a column. Missing values are an error: place a step such as `recipes::step_impute_mean()` before. Where no
#' column is selected, the step does nothing.
#'
#' @section Tuning:
#' `num_landmarks`, `bandwidth` and `method` may be `tune()`. Their parameters for \pkg{dials} are
#' [num_landmarks()], numbers from 5 to 100, [landmark_bandwidth()], rules from `"0.1 * variance"` to
#' `"10 * variance"`, and [landmark_method()], names of methods that need no response.
#'
#' @section Response:
#' [by_response()] and [by_class()] use the `outcome` of the training rows, so the features of these rows know
#' their outcome. Judge a model by rows that were left out of `prep()` (a workflow with resampling does so),
#' and do not choose a penalty on the training rows.
#'
#' @section Case weights:
#' Importance and frequency weights (`hardhat::importance_weights()`, `frequency_weights()`) become the
#' `weights` of [landmarks()]. Many steps ignore importance weights; this one uses them, because the page of
#' each method says what weights mean for it. For none, remove the role of the column.
#'
#' @section Sparse data:
#' Features are above 0, so `bake()` returns dense columns. `bake(composition = "dgCMatrix")` gives them as a
#' sparse matrix without less memory. With recipes 1.2.0 and later, columns may be sparse vectors of package
#' \pkg{sparsevctrs}. Where more than half of the selected columns are, landmarks are learned from a sparse
#' matrix.
#'
#' @param recipe A recipe, to which the step is added.
#' @param ... Selectors of the columns that distances are computed from, such as
#'   `recipes::all_numeric_predictors()`. The columns must be numeric or logical. Not used by `tidy()`.
#' @param role The role of the new columns. Default `"predictor"`.
#' @param num_landmarks The number of landmarks and of new columns, or `tune()`. The default 10 suits a first
#'   model of a few hundred rows. More landmarks follow finer structure and need more rows.
#' @param bandwidth As in [landmarks()]: a number in squared units of the columns, a rule such as
#'   `"2 * variance"`, or `tune()`. NULL, the default, is `"variance"`; [by_response()] learns it.
#' @param method How landmarks are found, as in [landmarks()]: a name, a method object, or `tune()`. Default
#'   `"gp"`.
#' @param outcome For [by_response()] and [by_class()] the outcome: a column's name, a selector such as
#'   `recipes::all_outcomes()`, or several 0/1 columns of tags. NULL, the default, for other methods.
#' @param scale,space As in [landmarks()]. The default of `scale`, NULL, is `FALSE` with a message where units
#'   differ; that of `space` is `"euclidean"`.
#' @param options A named list of further arguments of [landmarks()], such as `na.action`. Default: none.
#'   With `na.action = na.omit` the landmarks are learned from the rows without missing values, and `bake()`
#'   gives a row with missing values missing features.
#' @param trained,res,columns Set by `prep()`: whether the step is trained, the landmarks (a fit of class
#'   `landmarks`), and the names of the selected columns.
#' @param prefix The names of the new columns are this prefix and the landmark's number. With the default
#'   `"L"` they are `L1`, `L2`, ... as in [predict.landmarks()].
#' @param keep_original_cols Whether `bake()` keeps the selected columns. Default `FALSE`.
#' @param skip Whether `bake()` skips the step for new data. Default `FALSE`.
#' @param id The name of the step, unique in its recipe.
#' @return `step_landmarks()`: the recipe with the step added.
#'
#'   `tidy()`: a tibble. Before `prep()` it has a row for each selector and the columns `terms`, `value`,
#'   `component` (both NA) and `id`. After it, there is a row for each landmark and column: `terms` (the
#'   column), `value` (the coordinate), `component` (the landmark, named as its feature) and `id`.
#'
#'   `required_pkgs()`: `"landmarker"`. `tunable()`: a tibble of the parameters that can be tuned.
#' @section Errors:
#' `prep()` gives errors of class `landmarker_error_*` as the parent of an error of recipes, which names the
#' step. Kinds are `missing` (a missing or infinite value), `columns` (a column of another type, an absent
#' one, a name that is taken), `response` (a wrong or missing outcome), `rank` (more landmarks than rows) and
#' `select` (a selector that recipes cannot resolve).
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
#' # New rows: a linear model of the features, and one of the two columns
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
#' # Landmarks that predict the outcome
#' set.seed(1)
#' supervised <- recipe(Species ~ ., data = iris) |>
#'   step_landmarks(all_predictors(), num_landmarks = 4, method = by_response(), outcome = Species,
#'     scale = TRUE) |>
#'   prep()
#' aggregate(. ~ Species, bake(supervised, new_data = NULL), function(v) round(mean(v), 2))
#' @export
step_landmarks <- function(recipe, ..., role = "predictor", trained = FALSE, num_landmarks = 10,
                           bandwidth = NULL, method = "gp", outcome = NULL, scale = NULL,
                           space = "euclidean", options = list(), res = NULL, columns = NULL, prefix = "L",
                           keep_original_cols = FALSE, skip = FALSE, id = recipes::rand_id("landmarks")) {
  need_package("recipes", "step_landmarks()")
  check_given(recipe, "recipe")
  if (!inherits(recipe, "recipe")) {
    abort_input(c(
      "{.arg recipe} must be a recipe.",
      x = "It is {describe(recipe)}.",
      i = "Begin with {.code recipe(y ~ ., data = data)}."
    ), arg = "recipe")
  }
  check_flag(trained, "trained")
  if (!(is.character(role) || identical(role, NA)) || length(role) != 1) {
    abort_input(c("{.arg role} must be one string, or NA.", x = "It is {describe(role)}."), arg = "role")
  }
  settings <- list(
    num_landmarks = num_landmarks, bandwidth = bandwidth, method = method, scale = scale, space = space,
    options = options, prefix = prefix, keep_original_cols = keep_original_cols,
    outcome = outcome_selectors(rlang::enquo(outcome))
  )
  settings <- check_step(settings, names(formals()), rlang::current_env())
  step <- c(list(terms = rlang::enquos(...), role = role, trained = trained), settings, list(
    res = res, columns = columns, skip = check_flag(skip, "skip"), id = id, case_weights = NULL
  ))
  # quote = TRUE: a value such as tune() is a call that must not be evaluated.
  recipes::add_step(recipe, do.call(recipes::step, c(subclass = "landmarks", step), quote = TRUE))
}

# A value that is to be tuned is a call of tune() until then.
is_tuned <- function(x) rlang::is_call(x, "tune")

# Selectors of the outcome, a list of quosures, NULL for none. The older style is vars(y).
outcome_selectors <- function(outcome) {
  if (rlang::quo_is_null(outcome)) return(NULL)
  if (!rlang::quo_is_call(outcome, "vars")) return(list(outcome))
  rlang::eval_tidy(outcome, list(vars = rlang::quos))
}

# The settings of a step, checked as far as they are known. prep() checks them again, when all are. `own`: the
# names of the arguments of the step.
check_step <- function(settings, own, call) {
  s <- settings
  if (!is_tuned(s$num_landmarks)) check_count(s$num_landmarks, "num_landmarks", call = call)
  if (!is_tuned(s$bandwidth) && !is.null(s$bandwidth)) bandwidth_rule(s$bandwidth, call)
  check_space(s$space, call)
  if (!is.null(s$scale)) check_scale(s$scale, s$space, call)
  check_flag(s$keep_original_cols, "keep_original_cols", call)
  check_prefix(s$prefix, call)
  check_step_options(s$options, own, call)
  if (!is_tuned(s$method)) {
    settings$method <- find_method(s$method, call)
    check_step_outcome(settings$method, s$outcome, call)
  }
  settings
}

# A method that uses a response needs the outcome, and no other does.
check_step_outcome <- function(method, outcome, call) {
  wanted <- method_can(method, "uses_response")
  if (wanted != is.null(outcome)) return(invisible())
  abort_input(c(
    if (wanted) "{.arg outcome} must be given for {.fn {class(method)[1]}}, which uses a response.",
    if (!wanted) "{.arg outcome} must be NULL for {.fn {class(method)[1]}}, which uses no response.",
    x = if (wanted) "It is NULL." else "It is {.code {selectors_in_words(outcome)}}.",
    i = if (wanted) "Give the outcome of the recipe, {.code outcome = all_outcomes()}, or a column's name.",
    i = if (!wanted) "Leave {.arg outcome} out, or give {.code method = by_response()}."
  ), arg = "outcome", kind = "response", call = call)
}

# Selectors in words, for a message. do.call() may have put a long vector in the place of a name: rlang would
# write out all of its values.
selectors_in_words <- function(selectors) {
  in_words <- function(selector) {
    given <- if (rlang::is_quosure(selector)) rlang::quo_get_expr(selector) else selector
    is_short <- is.language(given) && all(lengths(as.list(given)) < 1000)
    if (is_short) rlang::as_label(given) else describe(given)
  }
  toString(vapply(selectors, in_words, ""))
}

check_prefix <- function(prefix, call) {
  if (!is_path(prefix)) {
    abort_input(
      c("{.arg prefix} must be one string, not empty.", x = "It is {describe(prefix)}."),
      arg = "prefix", call = call
    )
  }
}

# Further arguments of landmarks(): those that are not arguments of the step.
check_step_options <- function(options, own, call) {
  known <- setdiff(names(formals(landmarks.default)), c("x", "n", "weights", own))
  unknown <- setdiff(names(options) %||% rep("", length(options)), known)
  if (is.list(options) && !is.object(options) && length(unknown) == 0) return(invisible())
  abort_input(c(
    "{.arg options} must be a named list of further arguments of {.fn landmarks}: {.or {.arg {known}}}.",
    x = if (is.list(options)) "It has {.val {unknown}}." else "It is {describe(options)}."
  ), arg = "options", call = call)
}
