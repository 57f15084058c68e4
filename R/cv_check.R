# A comparison may have been edited, or read from a file that was cut.
# `refitted`: whether the parts that predict() uses are needed too.
check_cv <- function(cv, arg = "x", refitted = FALSE, call = rlang::caller_env()) {
  check_class(cv, "cv_landmarks", "comparison", arg, call)
  check_whole(cv_flaw(cv), "comparison", "cv_landmarks", arg, call, cv)
  if (refitted) check_refitted(cv, arg, call)
  invisible(cv)
}

# The first flaw of a comparison, in words, or NULL.
cv_flaw <- function(cv) {
  cv <- unclass(cv)
  flaw <- absent_part(cv, cv_rules)
  if (is.null(flaw)) flaw <- broken_part(cv, cv_rules, cv_words, other_than, cv)
  if (is.null(flaw)) flaw <- broken_option(cv, cv_options, cv_words, other_than, cv)
  if (is.null(flaw) && !is_table_of_units(cv)) {
    flaw <- "Its `summary` and `best` are not those of its `units`."
  }
  if (is.null(flaw) && !is.null(cv$coefficients)) flaw <- refit_flaw(cv)
  flaw
}

# The rule of each part. Later rules may use the parts before them.
cv_rules <- list(
  compared = function(v, cv) {
    is_text(v) && length(v) > 0 && is_text(names(v)) && all(nzchar(names(v))) && !anyDuplicated(names(v))
  },
  type = function(v, cv) is_word(v, names(measure_names)),
  measure = function(v, cv) is_word(v, measure_names[[cv$type]]),
  levels = function(v, cv) are_levels(v, cv$type),
  engine = function(v, cv) is_word(v, c("newton", "glmnet")),
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
  units = function(v, cv) are_units(v, cv),
  summary = function(v, cv) is_sound_frame(v),
  best = function(v, cv) is_sound_frame(v) && nrow(v) == 1
)

# As bandwidth_labels() makes them: numbers where all bandwidths are numbers.
are_labels <- function(v) {
  numbers <- is.double(v) && !is.object(v) && all(is.finite(v) & v > 0)
  (is_text(v) || numbers) && length(v) > 0 && !anyDuplicated(v)
}

cv_options <- list(
  version = function(v, cv) is_version(v),
  call = function(v, cv) is.call(v),
  formula = function(v, cv) inherits(v, "formula") && is.call(v) && length(v) == 3,
  blueprint = function(v, cv) is_blueprint(v, length(v$columns)),
  na.action = function(v, cv) is_na_action(v, Inf),
  coefficients = function(v, cv) {
    is_plain_matrix(v) && nrow(v) > 0 && ncol(v) == count_outputs(cv$type, cv$levels) && all(is.finite(v)) &&
      (is.null(colnames(v)) || !anyNA(colnames(v)))
  },
  tag_lambda = function(v, cv) is.double(v) && length(v) == length(cv$levels) && all(is.finite(v))
)

cv_words <- list(
  levels = "are not the names of its classes or tags.",
  units = "are not a table with a row for each seed, fold, method, number of landmarks and lambda.",
  coefficients = "are not a matrix of finite numbers, a column for each response."
)

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
  or_else(
    {
      again <- cv_summary(cv$units, cv$measure, names(cv$compared), cv$bandwidths, NULL)
      at <- best_row(cv)
      identical(names(again$summary), names(cv$summary)) &&
        same(as.list(again$summary), as.list(cv$summary)) &&
        identical(names(again$summary), names(cv$best)) && !is.na(at) &&
        same(as.list(cv$summary[at, ]), as.list(cv$best)) && !is.na(cv$best[[cv$measure]])
    },
    FALSE
  )
}

# The first flaw of what was learned again from all rows, or NULL.
refit_flaw <- function(cv) {
  if (!is_word(cv$link, response_links)) return("Its `link` is not that of a regression.")
  if (cv$lambda_per_tag && is.null(cv$tag_lambda)) return("It has no `tag_lambda`.")
  if (is.null(cv$fit)) return("It has no `fit`.")
  flaw <- if (inherits(cv$fit, "landmarks")) {
    if (is.list(cv$fit)) fit_flaw(cv$fit) else paste0("It is ", describe(cv$fit), ".")
  } else if (inherits(cv$fit, names(feature_makers))) {
    features_flaw(cv$fit)
  }
  if (!is.null(flaw)) return(paste0("Its `fit` is incomplete: ", sub("^I", "i", flaw)))
  width <- count_features(cv$fit)
  # NMF may have made more features than the best number uses.
  if (!is.null(width) && nrow(cv$coefficients) != width + 1) {
    return("Its `coefficients` are not those of the features of its `fit`.")
  }
  NULL
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

# What summary() makes of a comparison.
check_cv_summary <- function(x, arg = "x", call = rlang::caller_env()) {
  check_class(x, "summary.cv_landmarks", "comparison", arg, call)
  x <- unclass(x)
  flaw <- absent_part(x, cv_summary_rules)
  if (is.null(flaw)) flaw <- broken_part(x, cv_summary_rules, NULL, other_than, x)
  check_whole(flaw, "comparison", "summary", arg, call, x$comparison, "summary of a comparison")
}

cv_summary_rules <- list(
  comparison = function(v, s) inherits(v, "cv_landmarks") && is.list(v) && is.null(cv_flaw(v)),
  table = function(v, s) {
    is_sound_frame(v) && nrow(v) == nrow(s$comparison$summary) && is.logical(v$best) && is.logical(v$within)
  },
  best = function(v, s) is_whole(v, 1) && v <= nrow(s$table),
  smallest = function(v, s) is_whole(v, 1) && v <= nrow(s$table),
  methods = function(v, s) identical(v, s$comparison$compared)
)

check_refitted <- function(object, arg, call = rlang::caller_env()) {
  if (is.null(object$coefficients)) {
    abort_input(c(
      "{.arg {arg}} must come from {.fn cv_landmarks} with {.code refit = TRUE}.",
      x = "It has no fit to all rows."
    ), arg = arg, kind = "fit", call = call)
  }
}
