# What makes a comparison valid.

# `refitted`: whether the parts that predict() uses are needed too.
check_cv <- function(cv, arg = "x", refitted = FALSE, call = rlang::caller_env()) {
  check_object(cv, cv_rules, arg, call)
  if (refitted) check_refitted(cv, arg, call)
  invisible(cv)
}

cv_rules <- list(
  class = "cv_landmarks", kind = "comparison", maker = "cv_landmarks",
  parts = list(
    compared = function(v, cv) {
      is_text(v) && length(v) > 0 && is_text(names(v)) && all(nzchar(names(v))) && !anyDuplicated(names(v))
    },
    type = function(v, cv) is_word(v, names(measure_names)),
    measure = function(v, cv) is_word(v, measure_names[[cv$type]]),
    levels = worded_rule(function(v, cv) are_levels(v, cv$type), "are not the names of its classes or tags."),
    model = function(v, cv) v %in% c(cv$type, cv_model(cv$type, "one_vs_rest")) && is_text(v, 1),
    bandwidths = function(v, cv) are_labels(v),
    lambda = function(v, cv) is.double(v) && length(v) > 0 && all(is.finite(v) & v >= 0),
    seeds = function(v, cv) is.integer(v) && length(v) > 0 && !anyNA(v),
    kind = function(v, cv) is_word(v, c("folds", "validation")),
    nested = function(v, cv) is_flag(v),
    lambda_per_tag = function(v, cv) is_flag(v) && (!v || cv$type == "tags"),
    folds = function(v, cv) is_whole(v, 1),
    n_rows = function(v, cv) is_whole(v, 1),
    n_test = function(v, cv) is_whole(v, 0) && v <= cv$n_rows,
    weighted = function(v, cv) is_flag(v),
    own_data = function(v, cv) is.logical(v) && !anyNA(v) && identical(names(v), names(cv$compared)),
    seconds = function(v, cv) is_number(v) && abs(v) < 1e9,
    units = worded_rule(
      function(v, cv) are_units(v, cv),
      "are not a table with a row for each seed, fold, method, number of landmarks and lambda."
    ),
    summary = function(v, cv) is_sound_frame(v),
    best = function(v, cv) is_sound_frame(v) && nrow(v) == 1
  ),
  options = list(
    call = function(v, cv) is.call(v),
    formula = function(v, cv) inherits(v, "formula") && is.call(v) && length(v) == 3,
    blueprint = function(v, cv) is_blueprint(v, length(v$columns)),
    na.action = function(v, cv) is_na_action(v, Inf),
    coefficients = worded_rule(
      function(v, cv) {
        is_plain_matrix(v) && nrow(v) > 0 && ncol(v) == count_outputs(cv$type, cv$levels) &&
          all(is.finite(v)) && (is.null(colnames(v)) || !anyNA(colnames(v)))
      },
      "are not a matrix of finite numbers, a column for each response."
    ),
    ordered = function(v, cv) is_flag(v),
    all_levels = function(v, cv) is_level_list(v, cv$levels),
    lambda_measure = function(v, cv) is_word(v, measure_names[[cv$type]]),
    tag_lambda = function(v, cv) is.double(v) && length(v) == length(cv$levels) && all(is.finite(v))
  ),
  # Where it has coefficients, these and more were learned again from all rows.
  relations = list(
    summary = worded_rule(function(v, cv) is_table_of_units(cv), "and `best` are not those of its `units`."),
    link = worded_rule(
      function(v, cv) is.null(cv$coefficients) || is_word(v, response_links), "is not that of a regression."
    ),
    tag_lambda = worded_rule(
      function(v, cv) {
        is.null(cv$coefficients) || !cv$lambda_per_tag || has_own_regression(cv) || !is.null(v)
      }, "is missing."
    ),
    fit = function(v, cv) if (is.null(cv$coefficients)) TRUE else is_learner(v),
    coefficients = worded_rule(
      function(v, cv) {
        width <- count_features(cv$fit)
        is.null(v) || is.null(width) || nrow(v) == width + 1
      },
      "are not those of the features of its `fit`."
    )
  ),
  # A function of the user may return any object as `fit`.
  classed = c("na.action", "fit")
)

# As bandwidth_labels() makes them: numbers where all bandwidths are numbers.
are_labels <- function(v) {
  numbers <- is.double(v) && !is.object(v) && all(is.finite(v) & v > 0)
  (is_text(v) || numbers) && length(v) > 0 && !anyDuplicated(v)
}

# The table of units: the columns that the summary is made of, with their types.
are_units <- function(v, cv) {
  measures <- measure_names[[cv$type]]
  numbers <- c("seed", "fold", "n", "features", "lambda", measures, "seconds_learn")
  texts <- c("method", "part", "problem")
  if (!is_sound_frame(v) || nrow(v) == 0 || !all(c(numbers, texts, "bandwidth") %in% names(v))) return(FALSE)
  # A column of NA alone may be logical.
  are <- function(columns, is) {
    all(vapply(v[columns], function(x) is(x) || (is.logical(x) && all(is.na(x))), NA))
  }
  finite <- function(x) is.numeric(x) && !is.object(x) && all(is.na(x) | is.finite(x)) && !any(is.nan(x))
  label <- if (is.character(cv$bandwidths)) is.character else finite
  are(numbers, finite) && are(texts, is.character) && are("bandwidth", label) &&
    all(v$seed %in% cv$seeds) && !anyNA(v$fold) &&
    all(v$method %in% names(cv$compared)) && all(v$bandwidth %in% c(cv$bandwidths, NA)) &&
    all(v$part %in% c("held", "inner", "test")) && any(v$part == "test") == (cv$n_test > 0)
}

# Whether the summary is what cv_summary() makes of the units, and the best row is one of it.
is_table_of_units <- function(cv) {
  same <- function(a, b) isTRUE(all.equal(a, b, tolerance = 1e-6, check.attributes = FALSE))
  chosen_by <- list(best = cv$measure, lambda = chooses_lambda(cv))
  again <- cv_summary(cv$units, chosen_by, names(cv$compared), cv$bandwidths, NULL)
  at <- best_row(cv)
  identical(names(again$summary), names(cv$summary)) && same(as.list(again$summary), as.list(cv$summary)) &&
    identical(names(again$summary), names(cv$best)) && !is.na(at) &&
    same(as.list(cv$summary[at, ]), as.list(cv$best)) && !is.na(cv$best[[cv$measure]])
}

# Whether the best of a comparison predicts by the regression of a fit's own.
has_own_regression <- function(cv) inherits(cv$fit, "landmarks") && !is.null(cv$fit$response)

# The measure that chose lambda. Comparisons before version 0.2 have one measure for all.
chooses_lambda <- function(cv) cv$lambda_measure %||% cv$measure

# What gives features: a fit, those of a baseline, or the result of a user's function.
is_learner <- function(v) {
  if (inherits(v, "landmarks")) return(is_valid_object(v, fit_rules))
  if (inherits(v, "raw_features")) return(is_valid_object(v, raw_rules))
  if (inherits(v, "nmf_features")) return(is_valid_object(v, nmf_rules))
  !is.null(v)
}

# How many features a fit of a comparison gives; NULL for the result of a user's function.
count_features <- function(fit) {
  if (inherits(fit, "landmarks")) return(nrow(fit$landmarks))
  if (inherits(fit, "raw_features")) return(fit$width)
  if (inherits(fit, "nmf_features")) nrow(fit$basis)
}

# The names of classes or tags, as as_response() makes them.
are_levels <- function(v, type) {
  if (type == "number") return(is.null(v))
  is_text(v) && !anyDuplicated(v) && switch(type, classes = length(v) > 2, binary = length(v) == 2, TRUE)
}

check_refitted <- function(object, arg, call = rlang::caller_env()) {
  if (is.null(object$coefficients)) {
    abort_input(c(
      "{.arg {arg}} must come from {.fn cv_landmarks} with {.code refit = TRUE}.",
      x = "It has no fit to all rows."
    ), arg = arg, kind = "fit", call = call)
  }
}

# ---- the summary of a comparison -------------------------------------------------------

check_cv_summary <- function(x, arg = "x", call = rlang::caller_env()) {
  check_object(x, cv_summary_rules, arg, call)
}

cv_summary_rules <- list(
  class = "summary.cv_landmarks", kind = "comparison", what = "summary of a comparison", maker = "summary",
  made_in = "comparison",
  parts = list(
    comparison = function(v, s) is_valid_object(v, cv_rules),
    table = function(v, s) {
      is_sound_frame(v) && nrow(v) == nrow(s$comparison$summary) && is.logical(v$best) && is.logical(v$within)
    },
    best = function(v, s) is_whole(v, 1) && v <= nrow(s$table),
    smallest = function(v, s) is_whole(v, 1) && v <= nrow(s$table),
    methods = function(v, s) identical(v, s$comparison$compared)
  )
)
