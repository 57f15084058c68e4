# The features of nmf_features() and raw_features() may have been edited, or read from a file that was cut.
check_features <- function(features, arg, call = rlang::caller_env()) {
  kind <- intersect(class(features), names(feature_makers))[1]
  check_class(features, kind, "features", arg, call)
  check_whole(
    features_flaw(features), "features", kind, arg, call, features, paste(kind, "object")
  )
  invisible(features)
}

# The first flaw of such features, in words, or NULL.
features_flaw <- function(features) {
  if (!is.list(features)) return(paste0("It is ", describe(features), "."))
  rules <- feature_makers[[intersect(class(features), names(feature_makers))[1]]]
  features <- unclass(features)
  absent_part(features, rules) %||%
    broken_part(features, rules, NULL, other_than, features) %||%
    broken_option(features, feature_options, NULL, other_than, features)
}

# The rules of each class.
feature_makers <- list(
  raw_features = list(width = function(v, f) is_whole(v, 1)),
  nmf_features = list(
    basis = function(v, f) {
      is_plain_matrix(v) && length(v) > 0 && all(is.finite(v) & v >= 0) && all(rowSums(v) < 1 + 1e-6)
    },
    iterations = function(v, f) is_whole(v, 1) && v <= .Machine$integer.max
  )
)

feature_options <- list(
  names = function(v, f) is_text(v, feature_width(f)),
  divisor = function(v, f) sound_vector(v, feature_width(f)) && all(v > 0),
  version = function(v, f) is_version(v)
)

feature_width <- function(f) if (is.null(f$basis)) f$width else ncol(f$basis)
