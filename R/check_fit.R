# A fit may have been edited, or read from a file that was cut.
check_fit <- function(fit, arg = "fit", call = rlang::caller_env()) {
  check_class(fit, "landmarks", "fit", arg, call)
  check_whole(fit_flaw(fit), "fit", "landmarks", arg, call, fit)
  invisible(fit)
}

# The functions that make the objects of these classes.
makers <- c(
  landmarks = "landmarks", landmark_embedding = "embed_landmarks", codebook = "codebook",
  cv_landmarks = "cv_landmarks", tagging_scores = "tagging_scores", data_parts = "data_parts"
)

check_class <- function(x, class, kind, arg, call) {
  check_given(x, arg, call)
  if (!inherits(x, class) || !is.list(x)) {
    maker <- makers[class]
    abort_input(c(
      "{.arg {arg}} must be an object of class {.cls {class}}.",
      x = "It is {describe(x)}.",
      i = if (!is.na(maker)) "Make one with {.fn {maker}}."
    ), arg = arg, kind = kind, call = call)
  }
}

# `flaw` is the flaw of an object in words, or NULL. `what` it is in words.
check_whole <- function(flaw, kind, maker, arg, call, object = NULL, what = kind) {
  if (is.null(flaw)) return(invisible())
  hint <- version_hint(object)
  abort_input(c(
    "{.arg {arg}} must be a complete {what}, as {.fn {maker}} returns it.",
    x = "{flaw}",
    i = if (length(hint)) "{hint}",
    i = "Make it again with {.fn {maker}}."
  ), arg = arg, kind = kind, call = call)
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

# The first missing part, in words, or NULL; for any object with rules.
absent_part <- function(object, rules) {
  absent <- setdiff(names(rules), names(object))
  if (length(absent) == 0) return(NULL)
  more <- if (length(absent) > 1) paste(" and lacks", length(absent) - 1, "more parts")
  paste0("It has no `", absent[1], "`", more, ".")
}

# The first part that breaks its rule, in words, or NULL. `words`: messages for parts whose values may be
# wrong while their type is right. `...`: further arguments of the rules.
broken_part <- function(object, rules, words, size, ...) {
  for (part in names(rules)) {
    # A rule may meet a value that it cannot even read.
    classed <- is.atomic(object[[part]]) && is.object(object[[part]]) && part != "na.action"
    if (!classed && or_else(isTRUE(rules[[part]](object[[part]], ...)), FALSE)) next
    wrong <- words[[part]] %||% paste0("is ", describe(object[[part]]), ", ", size, ".")
    return(paste0("Its `", part, "` ", wrong))
  }
  NULL
}

for_size <- function(n, d) {
  sprintf("for %d landmark%s in %d dimension%s", n, if (n == 1) "" else "s", d, if (d == 1) "" else "s")
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

is_word <- function(v, words) is.character(v) && length(v) == 1 && v %in% words

is_blueprint <- function(blueprint, d) {
  is.list(blueprint) && is_sound_terms(blueprint$terms) && is_text(blueprint$variables) &&
    is_text(blueprint$columns, d) && is_text(names(blueprint$types)) &&
    all(blueprint$types %in% c("numeric", "logical", "factor")) &&
    setequal(names(blueprint$types), variables_of(blueprint$terms)) &&
    all(blueprint$variables %in% names(blueprint$types)) && is.list(blueprint$levels) &&
    setequal(names(blueprint$levels), names(blueprint$types)[blueprint$types == "factor"]) &&
    all(vapply(blueprint$levels, function(v) is_text(v) && length(v) > 0 && !anyDuplicated(v), NA)) &&
    (is.null(blueprint$response) || is.language(blueprint$response))
}

# The names of the variables of terms, as a model frame has them.
variables_of <- function(terms) vapply(as.list(attr(terms, "variables"))[-1], deparse1, "", backtick = FALSE)

# Terms as stats::terms() makes them of their own formula, with what predictions add.
is_sound_terms <- function(terms) {
  if (!inherits(terms, "terms") || !is.call(terms)) return(FALSE)
  own <- c("variables", "factors", "term.labels", "order", "intercept", "response")
  again <- stats::terms(stats::formula(terms))
  identical(attributes(again)[own], attributes(terms)[own]) && is.environment(attr(terms, ".Environment")) &&
    is.call(attr(terms, "predvars"))
}

# The regression of a fit by by_response(), for n landmarks.
is_fit_response <- function(r, n) {
  w <- if (is.list(r)) r$coefficients
  if (!is.matrix(w) || !is.double(w) || nrow(w) != n + 1 || ncol(w) < 1 || !all(is.finite(w))) return(FALSE)
  levels <- switch(if (is_word(r$type, names(measure_names))) r$type else "", binary = 2, number = 0, ncol(w))
  held <- r$held_out
  fine_held <- is.null(held) ||
    (is.list(held) && is_number(held$rows) && is_number(held$loss) && is_one_double(held$measure))
  links <- switch(if (is_word(r$type, names(measure_names))) r$type else "",
    classes = "multinomial", number = "gaussian", binary = , tags = c("binomial", "gaussian")
  )
  is_word(r$family, links) && (is.null(r$levels) || is_text(r$levels)) &&
    length(r$levels) == levels && !anyDuplicated(r$levels) && fine_held &&
    (r$type %in% c("classes", "tags") || ncol(w) == 1) && is_number(r$iterations) && is_number(r$of)
}

# It may be NA.
is_one_double <- function(v) is.double(v) && length(v) == 1

sound_vector <- function(v, length) is.double(v) && length(v) == length && all(is.finite(v))
