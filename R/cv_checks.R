# What cv_landmarks() checks of its arguments before any work.

cv_data <- function(x, call) {
  check_given(x, "x", call)
  # Rows of a fold, by their numbers, come to memory, as their features do.
  x <- in_parts(x, "x", call)
  if (!in_memory(x)) return(check_finite_rows(x, "x", call))
  if (is.data.frame(x)) {
    check_finite(check_data(frame_blueprint(~., x, call, "x")$x, "x", call), "x", call)
    # A value that only held-out rows have is a level all the same.
    strings <- vapply(x, is.character, NA)
    x[strings] <- lapply(x[strings], factor)
    return(x)
  }
  check_finite(check_data(x, "x", call), "x", call)
}

# Each value is a fit or a regression of its own. A long sequence takes no memory until it is compared.
check_few <- function(x, arg, call, most = 1e4) {
  if (length(x) <= most) return(invisible())
  abort_input(c("{.arg {arg}} must have at most {most} values.", x = "It has {length(x)}."),
    arg = arg, call = call
  )
}

check_sizes <- function(n, call) {
  check_few(n, "n", call)
  if (!is.numeric(n) || length(n) == 0 || anyNA(n) || any(n < 1 | n != trunc(n) | n > .Machine$integer.max)) {
    abort_input(
      c("{.arg n} must be whole numbers of at least 1.", x = "It is {describe(n)}."), arg = "n", call = call
    )
  }
  sort(unique(as.integer(n)))
}

check_lambda <- function(lambda, call) {
  if (is.null(lambda)) return(NULL)
  check_few(lambda, "lambda", call)
  if (!is.numeric(lambda) || length(lambda) == 0 || !all(is.finite(lambda)) || any(lambda <= 0)) {
    bad <- if (is.numeric(lambda)) which(!is.finite(lambda) | lambda <= 0)
    abort_input(c(
      "{.arg lambda} must be finite numbers above 0, or NULL for a grid made for the data.",
      x = if (length(bad)) "Number {bad[1]} is {lambda[bad[1]]}." else "It is {describe(lambda)}."
    ), arg = "lambda", call = call)
  }
  sort(unique(as.double(lambda)))
}

check_methods <- function(methods, call) {
  single <- inherits(methods, c("landmark_method", "method_with_data")) || is.function(methods)
  if (single) methods <- list(methods)
  if (is.character(methods)) methods <- as.list(stats::setNames(methods, names(methods) %||% methods))
  if (!is.list(methods) || length(methods) == 0) {
    abort_input(c(
      "{.arg methods} must be a named list of method objects such as {.code by_gp()}, or of functions(x, n).",
      x = "It is {describe(methods)}."
    ), arg = "methods", kind = "method", call = call)
  }
  methods <- unclass(methods)
  given <- names(methods) %||% rep("", length(methods))
  own <- vapply(methods, method_name, "")
  names(methods) <- ifelse(nzchar(given), given, own)
  if (anyDuplicated(names(methods))) {
    abort_input(c(
      "{.arg methods} must have different names.",
      x = "{.val {names(methods)[anyDuplicated(names(methods))]}} occurs more than once."
    ), arg = "methods", kind = "method", call = call)
  }
  # A selector given as by_gp, without its brackets, is what by_gp() makes.
  lapply(methods, function(m) {
    if (any(vapply(named_methods, identical, NA, m))) return(m())
    if (inherits(m, "method_with_data")) check_with_data(m, "methods", call)
    if (is.function(m) || inherits(m, "method_with_data")) m else find_method(m, call, "methods")
  })
}

# What a method is called that the user gave no name.
method_name <- function(method) {
  method <- bare_method(method)
  if (inherits(method, "landmark_method")) return(sub("^by_", "", class(method)[1]))
  selector <- which(vapply(named_methods, identical, NA, method))
  if (length(selector)) return(names(named_methods)[selector])
  if (is.character(method) && length(method) == 1 && !is.na(method)) return(method)
  if (identical(method, raw_features)) "raw" else if (identical(method, nmf_features)) "nmf" else "own"
}

check_top <- function(top, y, call, weights = NULL) {
  if (!is.null(top)) return(check_count(top, "top", max = ncol(y), call = call))
  usual <- sum(by_weight(y, weights)) / if (is.null(weights)) nrow(y) else sum(weights)
  if (ncol(y) > 10) 10L else as.integer(max(1, round(usual)))
}

check_seeds <- function(seeds, call) {
  if (is.null(seeds)) return(sample.int(.Machine$integer.max, 1))
  check_few(seeds, "seeds", call)
  fine <- is.numeric(seeds) && length(seeds) > 0 && !anyNA(seeds) &&
    all(seeds == trunc(seeds) & abs(seeds) <= .Machine$integer.max)
  if (!fine || anyDuplicated(seeds)) {
    abort_input(c(
      "{.arg seeds} must be different whole numbers, one for each repetition.",
      x = if (fine) "{.val {seeds[anyDuplicated(seeds)]}} occurs twice." else "It is {describe(seeds)}."
    ), arg = "seeds", call = call)
  }
  as.integer(seeds)
}

check_cl <- function(cl, call) {
  if (is.null(cl) || (inherits(cl, "cluster") && length(cl) > 0)) return(invisible())
  if (!is_number(cl) || cl < 1 || cl > 1e4 || cl != trunc(cl) || (cl > 1 && .Platform$OS.type == "windows")) {
    abort_input(c(
      paste(
        "{.arg cl} must be NULL, a cluster made by {.fn parallel::makeCluster}, or,",
        "where R can fork, a number of processes."
      ),
      x = "It is {describe(cl)}."
    ), arg = "cl", call = call)
  }
}

# What landmarks() takes beside x, n, the method and the bandwidth.
check_landmark_dots <- function(..., call) {
  dots <- rlang::list2(...)
  known <- c("space", "scale")
  other <- setdiff(rlang::names2(dots), known)
  if (length(other)) {
    abort_input(c(
      "Further arguments must be {.or {.arg {known}}}, the arguments of {.fn landmarks} for all methods.",
      x = if (nzchar(other[1])) "{.arg {other[1]}} is another argument." else "One has no name."
    ), kind = "dots", call = call)
  }
  scale <- check_flag(dots$scale %||% FALSE, "scale", call)
  space <- check_space(dots$space %||% "euclidean", call)
  check_scaled_space(scale, space, call)
  dots
}

# A function that puts the caller's random numbers back to where they are now.
keep_stream <- function() {
  kind <- RNGkind()
  seed <- if (exists(".Random.seed", globalenv(), inherits = FALSE)) get(".Random.seed", globalenv())
  function() {
    # R warns of samplers that it keeps for old results only.
    suppressWarnings(do.call(RNGkind, as.list(kind)))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", seed, globalenv())
  }
}

# Data of a method's own must have the rows of all others.
check_own_data <- function(methods, n, call) {
  for (name in names(methods)) {
    own <- methods[[name]]
    if (inherits(own, "method_with_data") && nrow(own$x) != n) {
      abort_input(c(
        "The data of {.fn with_data} must have the same {n} row{?s} as {.arg x}.",
        x = "Those of method {.val {name}} have {nrow(own$x)}."
      ), arg = "methods", kind = "data", call = call)
    }
  }
}

check_lambda_per_tag <- function(lambda_per_tag, type, call) {
  if (check_flag(lambda_per_tag, "lambda_per_tag", call) && type != "tags") {
    what <- c(classes = "classes", binary = "two classes", number = "numbers")[[type]]
    abort_input(c(
      "{.arg lambda_per_tag} must be FALSE unless {.arg y} is a 0/1 matrix of tags.",
      x = "{.arg y} has {what}.",
      i = "{.code nested = TRUE} chooses one lambda inside each training part, for any {.arg y}."
    ), arg = "lambda_per_tag", call = call)
  }
  lambda_per_tag
}
