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
