# Checks of single arguments. Each returns its argument, possibly cleaned, or
# raises a classed error that names it, the rule and what was given.

# An error if an argument without a default is missing. Callers pass their own argument on by its name, and
# `missing(x)` is TRUE here where it is missing there.
check_given <- function(x, arg, call = rlang::caller_env()) {
  if (missing(x)) abort_input("{.arg {arg}} must be given.", arg = arg, call = call)
}

# Methods have `...` because their generic has: whatever comes there, as a misspelled argument, is an error.
check_dots <- function(..., call = rlang::caller_env(), .known = names(formals(sys.function(sys.parent())))) {
  if (...length() == 0) return(invisible())
  names <- names(rlang::exprs(...))
  unknown <- names[nzchar(names)]
  meant <- c(k = "n", centers = "n", size = "n", na.rm = "na.action", sigma = "bandwidth")[unknown[1]]
  if (!meant %in% .known) meant <- if (length(unknown)) alike(unknown[1], setdiff(.known, "..."))
  remedies <- c(
    y = "Give the response to the method: {.code method = by_response(y)}.",
    subset = "Select rows before the call, for example by {.code x[rows, ]}.",
    main = "Plots are ggplot2 objects: {.code ggplot2::autoplot(x) + ggplot2::labs(title = \"...\")}."
  )
  abort_input(c(
    if (length(unknown)) "Unknown argument{?s} {.arg {unknown}}.",
    if (length(unknown) == 0) "{length(names)} unnamed argument{?s} could not be matched.",
    i = if (length(unknown) == 0 && length(.known) > 2) "Give further arguments by name.",
    i = if (length(meant)) "Did you mean {.arg {meant}}?", i = unname(remedies[names(remedies) %in% unknown])
  ), kind = "dots", call = call)
}

# The known name that a misspelled name is closest to, if there is one.
alike <- function(name, known) {
  if (length(known) == 0) return(NULL)
  begins <- known[startsWith(known, name)]
  if (length(begins) == 1) return(begins)
  distance <- drop(utils::adist(name, known, ignore.case = TRUE))
  # A name of one or two letters is one letter away from too many others.
  near <- which(distance <= if (nchar(name) < 3) 0 else max(1, nchar(name) %/% 3))
  known[near[which.min(distance[near])]]
}

# An error unless `ok`. `rule` completes the sentence "`arg` must be", or "must" before "have" and "not"; it,
# `found` and `remedy` may have cli's markup and variables of the caller.
check_that <- function(ok, x, arg, rule, kind = "input", call = rlang::caller_env(), remedy = NULL,
                       found = "It is {describe(x)}.", .envir = parent.frame()) {
  if (ok) return(invisible(x))
  if (length(remedy)) names(remedy) <- rep("i", length(remedy))
  verb <- if (grepl("^(not|have) ", rule)) " must " else " must be "
  abort_input(c(paste0("{.arg {arg}}", verb, rule, "."), x = found, remedy),
    arg = arg, kind = kind, call = call, .envir = rlang::env(.envir, x = x, arg = arg)
  )
}

# Classes that change only how numbers are printed or indexed.
plain_classes <- c("matrix", "array", "table", "xtabs", "ts", "mts", "AsIs")

# Whether x is one plain number. Numbers of other classes, such as dates, may mean something else.
is_number <- function(x) {
  is.numeric(x) && length(x) == 1 && !is.na(x) && !(is.object(x) && length(setdiff(class(x), plain_classes)))
}

# One integer in [min, max].
check_count <- function(x, arg, min = 1, max = .Machine$integer.max, call = rlang::caller_env()) {
  check_given(x, arg, call)
  ends <- format(c(min, max), scientific = FALSE, trim = TRUE)
  # The largest integer is mentioned only if the value is larger.
  limited <- max < .Machine$integer.max || (is_number(x) && x > max)
  rule <- if (limited) "an integer from {ends[1]} to {ends[2]}" else "an integer of at least {ends[1]}"
  if (min == max) rule <- "{ends[1]}"
  check_that(is_number(x) && x == trunc(x) && x >= min && x <= max, x, arg, rule, call = call)
  as.integer(x)
}

# One finite number in (min, max], or [min, max] if `closed`.
check_number <- function(x, arg, min = -Inf, max = Inf, closed = FALSE, call = rlang::caller_env()) {
  inside <- is_number(x) && is.finite(x) && x <= max && (if (closed) x >= min else x > min)
  # The largest number of a computer's range is mentioned only if the value is larger.
  limited <- max < 1e50 || (max < Inf && is_number(x) && x > max)
  check_that(inside, x, arg, paste0(
    "a finite number", if (min > -Inf) paste0(if (closed) " of at least " else " above ", format(min)),
    if (limited) paste0(" and at most ", format(max))
  ), call = call)
  as.double(x)
}

check_flag <- function(x, arg, call = rlang::caller_env()) {
  check_that(rlang::is_bool(x), x, arg, "TRUE or FALSE", call = call)
}

# One of several words. A vector is an error: the first word is no default.
check_choice <- function(x, choices, arg, call = rlang::caller_env(), remedy = NULL) {
  # The rule is made only for an error, as that takes a hundred times longer than the check.
  check_that(rlang::is_string(x, choices), x, arg,
    paste0(if (length(choices) > 1) "one of ", quoted_or(choices)), call = call, remedy = remedy
  )
}

# Words in quotes, as a choice.
quoted_or <- function(words) cli::format_inline("{.or {paste0('\"', words, '\"')}}")

# An error unless `f` is a function that takes the two arguments of the `kind`.
check_takes <- function(f, arg, kind, call) {
  takes <- if (is.function(f)) names(formals(args(f)))
  check_that(is.primitive(f) || "..." %in% takes || length(takes) >= 2, f, arg, paste("a", kind), call = call,
    found = if (is.function(f)) "It is a function({toString(takes)})." else "It is {describe(x)}."
  )
}

# An error for more values than anyone can mean, where each needs a fit or a regression of its own.
check_few <- function(x, arg, call, most = 1e4) {
  check_that(length(x) <= most, x, arg, paste("a vector of at most", most, "values"), call = call)
}

# An error for an argument that only one `type` of a result uses.
abort_other_type <- function(arg, wanted, type, call) {
  rule <- "{.arg {arg}} can only be used with {.code type = \"{wanted}\"}."
  abort_input(c(rule, x = "{.arg type} is {.val {type}}."), arg = arg, call = call)
}

is_text <- function(v) is.character(v) && !is.object(v) && !anyNA(v)

# ---- objects of the package's classes ------------------------------------------------

# For each class the function that makes its objects, the kind of errors about them, and a part that all have.
object_classes <- list(
  landmarks = c("landmarks", "fit", "landmarks"), tagging_scores = c("tagging_scores", "scores", "tags"),
  landmark_graph = c("landmark_graph", "graph", "fit"),
  method_with_data = c("method_with_data", "method", "method"),
  landmark_embedding = c("embed_landmarks", "embedding", "graph"), chunked = c("chunked", "chunks", "read"),
  cv_landmarks = c("cv_landmarks", "comparison", "compared"), codebook = c("codebook", "codebook", "centers"),
  raw_features = c("raw_features", "features", "like"), nmf_features = c("nmf_features", "features", "basis")
)

# An error if `x` is no object of the class. Its parts are checked where objects are made, and in C for what
# memory safety needs.
check_object <- function(x, class, arg, call = rlang::caller_env()) {
  check_given(x, arg, call)
  of <- object_classes[[class]]
  is_whole <- is.list(unclass(x)) && of[3] %in% names(unclass(x))
  found <- if (inherits(x, class)) "It has no component {.code {of[3]}}." else "It is {describe(x)}."
  flaw <- if (inherits(x, class) && is_whole) flaw_of(x)
  if (length(flaw)) found <- "Its {.code {flaw}} was removed or changed: it is {describe(x[[flaw]])}."
  check_that(inherits(x, class) && is_whole && is.null(flaw), x, arg, "an object of class {.cls {class}}",
    of[2], call, "Create one with {.fn {of[1]}}.", found
  )
}

# The name of a part that does not suit the others, as of an object that a user has changed, or NULL.
flaw_of <- function(x) UseMethod("flaw_of")

#' @export
flaw_of.default <- function(x) NULL

# The version of the loaded package, not of the files, which an installation may be replacing. Objects carry
# it as the part `version`.
made_by <- function() unname(getNamespaceInfo("landmarker", "spec")["version"])
