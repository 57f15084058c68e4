# What makes a fit valid.

check_fit <- function(fit, arg = "fit", call = rlang::caller_env()) check_object(fit, fit_rules, arg, call)

# Rules of several parts: a number for each landmark; the names of the columns, or none.
one_each <- function(v, f) is.numeric(v) && length(v) == nrow(f$landmarks)

names_of_columns <- worded_rule(
  function(v, f) is.null(names(v)) || identical(names(v), colnames(f$landmarks)),
  "has other names than the columns of `landmarks`."
)

fit_rules <- list(
  class = "landmarks", kind = "fit", maker = "landmarks",
  size = function(f) for_size(NROW(f$landmarks), NCOL(f$landmarks)),
  parts = list(
    landmarks = worded_rule(
      function(v, f) is.matrix(v) && is.double(v) && length(v) > 0 && all(is.finite(v)),
      "is not a matrix of finite numbers."
    ),
    # All are NA where they are unknown (?`[.landmarks`).
    variance = function(v, f) one_each(v, f) && (!anyNA(v) || all(is.na(v))),
    explained = one_each,
    log_det = function(v, f) is_number(v) || identical(v, NA_real_),
    nearest = one_each,
    nearest_distance = one_each,
    on_data = function(v, f) is.logical(v) && length(v) == nrow(f$landmarks) && !anyNA(v),
    spacing = function(v, f) is_number(v) && v >= 0,
    gaps = function(v, f) are_pairs(v, nrow(f$landmarks)),
    iterations = function(v, f) one_each(v, f) && !anyNA(v),
    moved = one_each,
    exact = function(v, f) is_flag(v),
    rows = one_each,
    trace = function(v, f) is.double(v) && one_each(v, f),
    bandwidth = function(v, f) is_number(v) && is.finite(v) && v >= .Machine$double.xmin,
    space = function(v, f) is.function(v) || is_word(v, space_names),
    method = worded_rule(
      function(v, f) inherits(v, "landmark_method") && is.null(method_flaw(v)),
      "is not a method object as its function returns it."
    ),
    history = function(v, f) is.character(v) && length(v) > 0 && !anyNA(v),
    center = function(v, f) sound_vector(v, ncol(f$landmarks)),
    factor = function(v, f) sound_vector(v, ncol(f$landmarks)) && all(v >= 0),
    mean = function(v, f) sound_vector(v, ncol(f$landmarks)),
    sd = function(v, f) sound_vector(v, ncol(f$landmarks)) && all(v >= 0),
    scaled = function(v, f) is_flag(v),
    weighted = function(v, f) is_flag(v),
    n_rows = function(v, f) is_number(v) && v >= 1,
    sparse = function(v, f) is_flag(v),
    seconds = function(v, f) is_number(v) && abs(v) < 1e9
  ),
  options = list(
    blueprint = worded_rule(
      function(v, f) is_blueprint(v, ncol(f$landmarks)) && identical(v$columns, colnames(f$landmarks)),
      "does not fit its columns."
    ),
    response = worded_rule(
      function(v, f) is_fit_response(v, nrow(f$landmarks), ncol(f$landmarks), rows_of_fit(f)),
      "is not that of its landmarks."
    ),
    relevance = worded_rule(
      function(v, f) is.double(v) && length(v) == ncol(f$landmarks) && all(is.finite(v) & v > 0),
      "is not a number above 0 for each column."
    ),
    covariance = worded_rule(
      function(v, f) are_fit_covariances(v, nrow(f$landmarks), ncol(f$landmarks)),
      paste(
        "is not an n x d matrix of variances of at least 0, or a d x d x n array of covariances,",
        "of finite numbers for n landmarks in d columns."
      )
    ),
    # Fits of before have none.
    between = function(v, f) identical(v, NA_real_) || (is_number(v) && v <= 1 + 1e-6),
    bandwidth_rule = function(v, f) is_text(v, 1),
    used = function(v, f) {
      is.list(v) && !is.object(v) && is_text(names(v), length(v)) && all(vapply(v, is_number, NA))
    },
    joined = worded_rule(
      function(v, f) is_joined(v, nrow(f$landmarks)), "is not a graph of its landmarks."
    ),
    gain = function(v, f) is_number(v) && v >= 0,
    subset_of = function(v, f) is_whole(v, nrow(f$landmarks)),
    examined = function(v, f) are_pairs(v, nrow(f$landmarks)) && all(v[, 1] < v[, 2]),
    call = function(v, f) is.call(v),
    na.action = function(v, f) is_na_action(v, f$n_rows),
    experiment = function(v, f) is_experiment_choice(v),
    ranks = worded_rule(
      function(v, f) are_ranks(v, ncol(f$landmarks)), "are not knots of normal scores for each column."
    )
  ),
  relations = list(
    landmarks = worded_rule(
      function(v, f) is_plain_matrix(v) && is.null(rownames(v)) && are_column_names(colnames(v), ncol(v)),
      "is not a plain matrix with a name for each column, or none."
    ),
    variance = worded_rule(
      function(v, f) anyNA(v) || all(is.finite(v) & v >= 0), "has values that no landmark can have."
    ),
    explained = worded_rule(
      function(v, f) !any(is.nan(v)) && is_known_as(v, f$variance) && within_range(v, 0, 1 + 1e-6),
      "are not shares from 0 to 1, known where `variance` is."
    ),
    log_det = worded_rule(
      function(v, f) !is.nan(v) && is.na(v) == anyNA(f$variance) && !identical(v, Inf),
      "does not belong to its `variance`."
    ),
    nearest = worded_rule(
      function(v, f) !anyNA(v) && all(v == trunc(v)) && within_range(v, 1, rows_of_fit(f)),
      "are not numbers of rows of the data."
    ),
    nearest_distance = worded_rule(
      function(v, f) !anyNA(v) && within_range(v, 0, Inf), "are not distances of at least 0."
    ),
    spacing = function(v, f) is.finite(v),
    gaps = worded_rule(
      function(v, f) ncol(v) == 2 && all(v[, 1] < v[, 2]),
      "are not pairs of landmarks, the first with the smaller number."
    ),
    iterations = worded_rule(
      function(v, f) all(v == trunc(v)) && within_range(v, 0, Inf), "are not whole numbers of at least 0."
    ),
    moved = worded_rule(
      function(v, f) !any(is.nan(v)) && all(is.na(v) | v >= 0), "are not distances of at least 0."
    ),
    rows = worded_rule(function(v, f) within_range(v, 1, Inf), "are not numbers of rows."),
    trace = function(v, f) !any(is.nan(v)) && within_range(v, -Inf, Inf),
    center = names_of_columns,
    factor = worded_rule(
      function(v, f) names_of_columns(v, f) && are_near(f$landmarks, f$center, v),
      "has other names than the columns of `landmarks`, or makes their distances overflow."
    ),
    mean = names_of_columns,
    sd = names_of_columns,
    n_rows = function(v, f) is_whole(v, 1)
  ),
  classed = "na.action"
)

# NA is allowed.
within_range <- function(v, low, high) all(is.na(v) | (v >= low & v <= high)) && all(is.na(v) | is.finite(v))

is_known_as <- function(v, other) if (anyNA(other)) all(is.na(v)) else !anyNA(v)

# The rows of the data, with those that were left out.
rows_of_fit <- function(f) f$n_rows + length(f[["na.action"]])

are_pairs <- function(v, n) {
  is.matrix(v) && is.integer(v) && identical(colnames(v), c("low", "high")) && all(v %in% seq_len(n))
}

# ---- the summary of a fit ------------------------------------------------------------

check_fit_summary <- function(x, arg = "x", call = rlang::caller_env()) {
  check_object(x, fit_summary_rules, arg, call)
}

# A data frame, of which rows and columns may have been taken.
fit_summary_rules <- list(
  class = "summary.landmarks", kind = "fit", what = "summary of a fit", maker = "summary",
  whole = worded_rule(
    function(x) is_sound_frame(x), "Its columns are not vectors of the same length, with different names."
  )
)
