# What makes a fit valid: a rule for each part, and rules between parts.

# A fit may have been edited, or read from a file that was cut.
check_fit <- function(fit, arg = "fit", call = rlang::caller_env()) {
  check_class(fit, "landmarks", "fit", arg, call)
  check_whole(fit_flaw(fit), "fit", "landmarks", arg, call, fit)
  invisible(fit)
}

# The first flaw of a fit, in words, or NULL.
fit_flaw <- function(fit) {
  fit <- unclass(fit)
  flaw <- absent_part(fit, fit_rules)
  if (!is.null(flaw)) return(flaw)
  n <- NROW(fit$landmarks)
  d <- NCOL(fit$landmarks)
  flaw <- broken_part(fit, fit_rules, fit_words, for_size(n, d), n, d)
  if (!is.null(flaw)) return(flaw)
  if (!is.null(fit$blueprint) && !is_blueprint(fit$blueprint, d)) {
    return("Its `blueprint` does not fit its columns.")
  }
  if (!is.null(fit$response) && !is_fit_response(fit$response, n)) {
    return(paste0("Its `response` is not that of ", n, " landmark", if (n > 1) "s", "."))
  }
  broken_option(fit, fit_options, fit_option_words, for_size(n, d), fit) %||%
    broken_part(fit, fit_relations, fit_relation_words, for_size(n, d), fit)
}

# The rule of each part, for n landmarks in d dimensions.
fit_rules <- list(
  landmarks = function(v, n, d) is.matrix(v) && is.double(v) && n > 0 && d > 0 && all(is.finite(v)),
  # All are NA where they are unknown (?`[.landmarks`).
  variance = function(v, n, d) is.numeric(v) && length(v) == n && (!anyNA(v) || all(is.na(v))),
  explained = function(v, n, d) is.numeric(v) && length(v) == n,
  log_det = function(v, n, d) is_number(v) || identical(v, NA_real_),
  nearest = function(v, n, d) is.numeric(v) && length(v) == n,
  nearest_distance = function(v, n, d) is.numeric(v) && length(v) == n,
  on_data = function(v, n, d) is.logical(v) && length(v) == n && !anyNA(v),
  spacing = function(v, n, d) is_number(v) && v >= 0,
  gaps = function(v, n, d) {
    is.integer(v) && is.matrix(v) && identical(colnames(v), c("low", "high")) && all(v %in% seq_len(n))
  },
  iterations = function(v, n, d) is.numeric(v) && length(v) == n && !anyNA(v),
  moved = function(v, n, d) is.numeric(v) && length(v) == n,
  exact = function(v, n, d) is_flag(v),
  rows = function(v, n, d) is.integer(v) && length(v) == n,
  trace = function(v, n, d) is.double(v) && length(v) == n,
  bandwidth = function(v, n, d) is_number(v) && is.finite(v) && v >= .Machine$double.xmin,
  space = function(v, n, d) is.function(v) || is_word(v, space_names),
  method = function(v, n, d) inherits(v, "landmark_method") && is.null(method_flaw(v)),
  history = function(v, n, d) is.character(v) && length(v) > 0 && !anyNA(v),
  center = function(v, n, d) sound_vector(v, d),
  factor = function(v, n, d) sound_vector(v, d) && all(v > 0),
  mean = function(v, n, d) sound_vector(v, d),
  sd = function(v, n, d) sound_vector(v, d) && all(v >= 0),
  scaled = function(v, n, d) is_flag(v),
  weighted = function(v, n, d) is_flag(v),
  n_rows = function(v, n, d) is_number(v) && v >= 1,
  sparse = function(v, n, d) is_flag(v),
  seconds = function(v, n, d) is_number(v) && abs(v) < 1e9
)

fit_words <- list(
  landmarks = "is not a matrix of finite numbers.",
  method = "is not a method object as its function returns it."
)

# ---- between the parts, and optional parts -------------------------------------------
# What must hold between the parts of a fit, and of its optional parts.

# Rules of parts that are each sound by fit_rules.
fit_relations <- list(
  landmarks = function(v, f) {
    is_plain_matrix(v) && is.null(rownames(v)) && are_column_names(colnames(v), ncol(v))
  },
  variance = function(v, f) !is.object(v) && (anyNA(v) || all(is.finite(v) & v >= 0)),
  explained = function(v, f) !any(is.nan(v)) && is_known_as(v, f$variance) && within_range(v, 0, 1 + 1e-6),
  log_det = function(v, f) !is.nan(v) && is.na(v) == anyNA(f$variance) && !identical(v, Inf),
  nearest = function(v, f) !anyNA(v) && all(v == trunc(v)) && within_range(v, 1, rows_of_fit(f)),
  nearest_distance = function(v, f) !anyNA(v) && within_range(v, 0, Inf),
  spacing = function(v, f) is.finite(v),
  gaps = function(v, f) ncol(v) == 2 && all(v[, 1] < v[, 2]),
  iterations = function(v, f) all(v == trunc(v)) && within_range(v, 0, Inf),
  moved = function(v, f) !any(is.nan(v)) && all(is.na(v) | v >= 0),
  rows = function(v, f) within_range(v, 1, Inf),
  trace = function(v, f) !any(is.nan(v)) && within_range(v, -Inf, Inf),
  center = function(v, f) are_names_of(v, f$landmarks),
  factor = function(v, f) are_names_of(v, f$landmarks) && are_near(f$landmarks, f$center, v),
  mean = function(v, f) are_names_of(v, f$landmarks),
  sd = function(v, f) are_names_of(v, f$landmarks),
  n_rows = function(v, f) is_whole(v, 1)
)

fit_relation_words <- list(
  landmarks = "is not a plain matrix with a name for each column, or none.",
  variance = "has values that no landmark can have.",
  explained = "are not shares from 0 to 1, known where `variance` is.",
  log_det = "does not belong to its `variance`.",
  nearest = "are not numbers of rows of the data.",
  nearest_distance = "are not distances of at least 0.",
  gaps = "are not pairs of landmarks, the first with the smaller number.",
  iterations = "are not whole numbers of at least 0.",
  moved = "are not distances of at least 0.",
  rows = "are not numbers of rows.",
  center = "has other names than the columns of `landmarks`.",
  factor = "has other names than the columns of `landmarks`, or makes their distances overflow.",
  mean = "has other names than the columns of `landmarks`.",
  sd = "has other names than the columns of `landmarks`."
)

# Rules of parts that a fit may lack, or that may be NULL.
fit_options <- list(
  version = function(v, f) is_version(v),
  covariance = function(v, f) are_fit_covariances(v, nrow(f$landmarks), ncol(f$landmarks)),
  bandwidth_rule = function(v, f) is_text(v, 1),
  used = function(v, f) {
    is.list(v) && !is.object(v) && is_text(names(v), length(v)) && all(vapply(v, is_number, NA))
  },
  subset_of = function(v, f) is_whole(v, nrow(f$landmarks)),
  examined = function(v, f) are_pairs(v, nrow(f$landmarks)) && all(v[, 1] < v[, 2]),
  call = function(v, f) is.call(v),
  na.action = function(v, f) is_na_action(v, f$n_rows),
  experiment = function(v, f) is_experiment_choice(v),
  blueprint = function(v, f) {
    is_blueprint(v, ncol(f$landmarks)) && identical(v$columns, colnames(f$landmarks))
  },
  response = function(v, f) is_fit_response(v, nrow(f$landmarks))
)

fit_option_words <- list(
  covariance = paste(
    "is not an n x d matrix of variances of at least 0, or a d x d x n array of covariances,",
    "of finite numbers for n landmarks in d columns."
  )
)

# NA is allowed.
within_range <- function(v, low, high) all(is.na(v) | (v >= low & v <= high)) && all(is.na(v) | is.finite(v))

is_known_as <- function(v, other) if (anyNA(other)) all(is.na(v)) else !anyNA(v)

# The rows of the data, with those that were left out.
rows_of_fit <- function(f) f$n_rows + length(f[["na.action"]])

are_names_of <- function(v, landmarks) is.null(names(v)) || identical(names(v), colnames(landmarks))

are_pairs <- function(v, n) {
  is.matrix(v) && is.integer(v) && identical(colnames(v), c("low", "high")) && all(v %in% seq_len(n))
}

# What summary() makes of a fit: a data frame, of which rows and columns may have been taken.
check_fit_summary <- function(x, arg = "x", call = rlang::caller_env()) {
  check_class(x, "summary.landmarks", "fit", arg, call)
  flaw <- if (!is_sound_frame(x)) "Its columns are not vectors of the same length, with different names."
  check_whole(flaw, "fit", "summary", arg, call, what = "summary of a fit")
}
