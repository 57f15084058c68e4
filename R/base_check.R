# Checks of single arguments. Each returns its argument, possibly cleaned, or
# raises a classed error that names it, the rule and what was given.

# An error if an argument without a default is missing. Callers pass their own argument on by its name, and
# `missing(x)` is TRUE here where it is missing there.
check_given <- function(x, arg, call = rlang::caller_env()) {
  if (missing(x)) abort_input("{.arg {arg}} must be given.", arg = arg, call = call)
}

# Methods have `...` because their generic has: whatever comes there, as a misspelled argument, must be an
# error. `.known`: the arguments that there are, those of the calling function.
check_dots <- function(..., call = rlang::caller_env(), .known = names(formals(sys.function(sys.parent())))) {
  if (...length() == 0) return(invisible())
  names <- names(rlang::exprs(...))
  unknown <- names[nzchar(names)]
  unnamed <- sum(!nzchar(names))
  known <- setdiff(.known, "...")
  meant <- if (length(unknown)) meant_by(unknown[1], known)
  abort_input(c(
    if (length(unknown)) "Unknown argument{?s} {.arg {unknown}}.",
    if (unnamed && length(unknown) == 0) "Too many arguments: {unnamed} unnamed.",
    i = if (length(meant)) "Did you mean {.arg {meant}}?",
    i = if (any(c("main", "title", "xlab", "ylab", "xlim", "ylim", "cex", "pch") %in% unknown)) {
      "Plots are ggplot2 objects: {.code ggplot2::autoplot(x) + ggplot2::labs(title = \"...\")}."
    },
    i = if ("y" %in% unknown && "method" %in% known) {
      "A response belongs to the method: {.code method = by_response(y)}."
    },
    i = if ("interval" %in% unknown) {
      "For intervals use {.code predict(fit, newdata, interval = \"prediction\")} with a fit by
       {.fn by_response}."
    },
    i = if ("subset" %in% unknown) "Select rows before the call, for example by {.code x[rows, ]}."
  ), kind = "dots", call = call)
}

# The known argument that the user may have meant: one that has the given name in other functions of R, else
# one with a similar name.
meant_by <- function(name, known) {
  other <- c(k = "n", centers = "n", size = "n", na.rm = "na.action", sigma = "bandwidth")[name]
  if (other %in% known) other[[1]] else alike(name, known)
}

# The known name that a misspelled name is closest to, if there is one.
alike <- function(name, known) {
  if (length(known) == 0) return(NULL)
  distance <- drop(utils::adist(name, known, ignore.case = TRUE))
  begins <- startsWith(known, name)
  if (sum(begins) == 1) return(known[begins])
  # A name of one or two letters is one letter away from too many others.
  most <- if (nchar(name) < 3) 0 else max(1, nchar(name) %/% 3)
  if (min(distance) <= most) known[which.min(distance)]
}

# An error unless `ok`. `rule` completes the sentence "`arg` must be", and may have cli's markup.
check_that <- function(ok, x, arg, rule, kind = "input", call = rlang::caller_env(), remedy = NULL) {
  if (ok) return(invisible(x))
  if (length(remedy)) names(remedy) <- rep("i", length(remedy))
  abort_input(c(paste0("{.arg {arg}} must be ", rule, "."), x = "It is {describe(x)}.", remedy),
    arg = arg, kind = kind, call = call
  )
}

# Classes that change only how numbers are printed or indexed.
plain_classes <- c("matrix", "array", "table", "xtabs", "ts", "mts", "AsIs")

# Whether x is one plain number. Numbers of other classes, such as dates, may mean something else.
is_number <- function(x) {
  if (is.object(x) && length(setdiff(class(x), plain_classes)) > 0) return(FALSE)
  is.numeric(x) && length(x) == 1 && !is.na(x)
}

# One integer in [min, max].
check_count <- function(x, arg, min = 1, max = .Machine$integer.max, call = rlang::caller_env()) {
  check_given(x, arg, call)
  rule <- function() {
    ends <- format(c(min, max), scientific = FALSE, trim = TRUE)
    # The largest integer is mentioned only if the value is larger.
    if (max == .Machine$integer.max && !(is_number(x) && x > max)) return(paste("of at least", ends[1]))
    paste("from", ends[1], "to", ends[2])
  }
  check_that(is_number(x) && x == trunc(x) && x >= min && x <= max, x, arg,
    paste("an integer", rule()), call = call
  )
  as.integer(x)
}

# One finite number in (min, max], or [min, max] if `closed`.
check_number <- function(x, arg, min = -Inf, max = Inf, closed = FALSE, call = rlang::caller_env()) {
  inside <- is_number(x) && is.finite(x) && x <= max && (if (closed) x >= min else x > min)
  check_that(inside, x, arg, paste0(
    "a finite number",
    if (min > -Inf) paste0(if (closed) " of at least " else " above ", format(min)),
    # The largest number of a computer's range is mentioned only if the value is larger.
    if (max < 1e50 || (max < Inf && is_number(x) && x > max)) paste0(" and at most ", format(max))
  ), call = call)
  as.double(x)
}

# How many digits to print.
check_digits <- function(digits, call = rlang::caller_env()) check_count(digits, "digits", 1, 15, call)

is_flag <- function(x) is.logical(x) && length(x) == 1 && !is.na(x)

check_flag <- function(x, arg, call = rlang::caller_env()) {
  check_that(is_flag(x), x, arg, "TRUE or FALSE", call = call)
}

# One of several words. A vector is an error: the first word is no default.
check_choice <- function(x, choices, arg, call = rlang::caller_env(), remedy = NULL) {
  check_that(is_word(x, choices), x, arg, paste("one of", quoted_or(choices)), call = call, remedy = remedy)
}

# Words in quotes, as a choice.
quoted_or <- function(words) {
  words <- paste0("\"", words, "\"")
  cli::format_inline("{.or {words}}")
}

# Whether x is one string that can be a path. R cannot translate a string that is marked as "bytes" to the
# encoding of file names.
is_path <- function(x) is.character(x) && length(x) == 1 && !is.na(x) && nzchar(x) && Encoding(x) != "bytes"

# An error unless `f` is a function that takes the two arguments of the `kind`.
check_takes <- function(f, arg, kind, call) {
  takes <- if (is.function(f)) names(formals(args(f)))
  if (is.primitive(f) || "..." %in% takes || length(takes) >= 2) return(invisible())
  found <- if (is.function(f)) "It takes {length(takes)} argument{?s}." else "It is {describe(f)}."
  abort_input(c("{.arg {arg}} must be a {kind}.", x = found), arg = arg, call = call)
}

is_numbers <- function(v) is.numeric(v) && !is.object(v)

# An error for more values than anyone can mean, where each needs a fit or a regression of its own. Only the
# length is asked for: a sequence such as 1:1e9 takes no memory until its values are used.
check_few <- function(x, arg, call, most = 1e4) {
  if (length(x) <= most) return(invisible())
  abort_input(c("{.arg {arg}} must have at most {most} values.", x = "It has {length(x)}."),
    arg = arg, call = call
  )
}

# An error for an argument that only one `type` of a result uses.
abort_other_type <- function(arg, wanted, type, call) {
  abort_input(
    c("{.arg {arg}} is for {.code type = \"{wanted}\"}.", x = "{.arg type} is {.val {type}}."),
    arg = arg, call = call
  )
}

is_text <- function(v, n = length(v)) is.character(v) && !is.object(v) && length(v) == n && !anyNA(v)

is_word <- function(v, words) is.character(v) && length(v) == 1 && v %in% words

# ---- objects of the package's classes ------------------------------------------------

# For each class the function that makes its objects, the kind of errors about them, and a part that all have.
object_classes <- list(
  landmarks = c("landmarks", "fit", "landmarks"),
  method_with_data = c("method_with_data", "method", "method"),
  landmark_graph = c("landmark_graph", "graph", "fit"),
  landmark_embedding = c("embed_landmarks", "embedding", "graph"),
  cv_landmarks = c("cv_landmarks", "comparison", "compared"),
  codebook = c("codebook", "codebook", "centers"),
  tagging_scores = c("tagging_scores", "scores", "tags"),
  raw_features = c("raw_features", "features", "like"),
  nmf_features = c("nmf_features", "features", "basis"),
  chunked = c("chunked", "chunks", "read"),
  step_landmarks = c("step_landmarks", "step", "terms")
)

# An error if `x` is no object of the class. Its parts are checked where objects are made, and in C for what
# memory safety needs.
check_object <- function(x, class, arg, call = rlang::caller_env()) {
  check_given(x, arg, call)
  of <- stats::setNames(object_classes[[class]], c("maker", "kind", "part"))
  parts <- unclass(x)
  if (inherits(x, class) && is.list(parts) && of[["part"]] %in% names(parts)) return(invisible(x))
  abort_input(if (inherits(x, class)) {
    c(
      "{.arg {arg}} must be complete, as {.fn {of[['maker']]}} returns it.",
      x = if (is.list(parts)) "It lacks {.code {of[['part']]}}." else "It is {describe(parts)}, not a list.",
      i = "Create it again with {.fn {of[['maker']]}}."
    )
  } else {
    c(
      "{.arg {arg}} must be an object of class {.cls {class}}.", x = "It is {describe(x)}.",
      i = "Create one with {.fn {of[['maker']]}}."
    )
  }, arg = arg, kind = of[["kind"]], call = call)
}

# The version of the loaded package, not of the files, which an installation may be replacing. Objects carry
# it as the part `version`.
made_by <- function() unname(getNamespaceInfo("landmarker", "spec")["version"])
