# fit[i]: a fit of some landmarks of a fit. And the variances of such a fit, which it has lost.

#' @rdname landmarks-methods
#' @export
`[.landmarks` <- function(x, i, ...) {
  if (...length()) {
    abort_input(c(
      "A fit has one index, its landmarks.", x = "More than one was given.",
      i = "{.code coef(fit)[i, j]} gives coordinates."
    ), arg = "i", kind = "index")
  }
  check_object(x, "landmarks", "x")
  if (missing(i)) return(x)
  some_landmarks(x, landmark_index(i, nrow(x$landmarks), rlang::current_env()))
}

# The numbers of the landmarks that an index names. It may be of any kind that a vector in R has: numbers,
# negative numbers, names, or TRUE and FALSE. Each landmark may be named once.
landmark_index <- function(i, n, call) {
  abort <- function(found, hint = NULL) {
    abort_input(c(
      "{.arg i} must say which of the {n} landmark{?s} to keep, each once: numbers, names or TRUE and FALSE.",
      x = found, i = hint
    ), arg = "i", kind = "index", call = call, .envir = parent.frame(), size = n)
  }
  if (!(is.numeric(i) || is.logical(i) || is.character(i)) || is.object(i) || !is.null(dim(i))) {
    abort("It is {describe(i)}.")
  }
  if (!is.logical(i) && length(i) > n) abort("It has {length(i)} values.")
  if (anyNA(i)) abort("Number {which(is.na(i))[1]} is NA.")
  if (is.character(i)) {
    at <- match(i, paste0("L", seq_len(n)))
    if (anyNA(at)) {
      abort("There is no landmark {.val {i[is.na(at)][1]}}.", paste0(
        "Landmarks have the names {.val L1} to {.val {paste0('L', n)}}. ",
        "{.code fit$bandwidth} gives a part of the fit."
      ))
    }
  } else if (is.logical(i)) {
    if (length(i) != n) abort("It has {length(i)} logical value{?s}, and must have {n}.")
    at <- which(i)
  } else {
    wrong <- which(i != trunc(i) | i == 0 | abs(i) > n)
    if (length(wrong)) abort("Number {wrong[1]} is {i[wrong[1]]}.")
    if (any(i < 0) && any(i > 0)) abort("It has positive and negative numbers.")
    at <- if (any(i < 0)) seq_len(n)[as.integer(i)] else as.integer(i)
  }
  if (length(at) == 0) abort("It keeps none.")
  if (anyDuplicated(at)) abort("Landmark {at[duplicated(at)][1]} occurs more than once.")
  at
}

# A fit of the landmarks with the numbers `at`. Some of its values, such as the variance, depend on the
# landmarks before a landmark and on the data. They are kept where `at` is 1, 2, ..., because then the
# landmarks before are the same; otherwise they are NA.
some_landmarks <- function(fit, at) {
  n <- nrow(fit$landmarks)
  if (identical(at, seq_len(n))) return(fit)
  first <- identical(at, seq_along(at))
  out <- unclass(fit)
  out$landmarks <- fit$landmarks[at, , drop = FALSE]
  each <- c("nearest", "nearest_distance", "on_data", "iterations", "moved", "rows")
  out[each] <- lapply(out[each], function(v) v[at])
  in_order <- c("variance", "explained", "trace")
  out[in_order] <- lapply(out[in_order], function(v) if (first) v[at] else rep(NA_real_, length(at)))
  out$log_det <- sum(log(fit$n_rows * out$variance))
  # Without some of them other landmarks would be the nearest ones of a row.
  if (length(at) < n) out$between <- NA_real_
  out["covariance"] <- list(some_covariances(fit$covariance, at))
  out$gaps <- some_pairs(fit$gaps, at)
  out["joined"] <- list(if (length(at) == n) joined_in_order(fit$joined, at))
  out$examined <- some_pairs(fit$examined %||% examined_pairs(fit), at)
  out$subset_of <- fit$subset_of %||% n
  out$response <- some_response(fit$response, at, n)
  out$history <- c(fit$history, describe_some(at, n, first))
  out["call"] <- list(call_on_some(fit$call, at, first))
  structure(out, class = class(fit))
}

some_covariances <- function(covariance, at) {
  switch(covariance_kind(covariance),
    none = NULL, diagonal = covariance[at, , drop = FALSE], full = covariance[, , at, drop = FALSE]
  )
}

# The pairs of which both landmarks are kept, by their new numbers.
some_pairs <- function(pairs, at) {
  low <- match(pairs[, "low"], at)
  high <- match(pairs[, "high"], at)
  kept <- !is.na(low) & !is.na(high)
  cbind(low = pmin(low, high)[kept], high = pmax(low, high)[kept])
}

# The pairs of landmarks for which a fit has searched gaps.
examined_pairs <- function(fit) {
  n <- nrow(fit$landmarks)
  if (n < 2) return(cbind(low = integer(), high = integer()))
  at <- unname(coordinates_of_kernel(fit$landmarks, fit))
  pairs <- neighbor_pairs(at, compute_with(rlang::caller_env()))
  cbind(low = as.integer(pairs$low), high = as.integer(pairs$high))
}

# The response of a fit of some landmarks. It is a regression on the features of all landmarks: it is kept
# where all landmarks are, in any order, and NULL otherwise.
some_response <- function(response, at, n) {
  if (is.null(response)) return(NULL)
  if (length(at) < n) {
    cli::cli_inform(c(
      "The fit's response is left out: its coefficients belong to all {n} landmarks together.",
      i = "{.code refine_landmarks(fit, x, y = y)} learns a response with the landmarks that are kept."
    ), class = c("landmarker_message_response", "landmarker_message"))
    return(NULL)
  }
  names <- rownames(response$coefficients)
  response$coefficients <- response$coefficients[c(1L, at + 1L), , drop = FALSE]
  rownames(response$coefficients) <- names
  if (!is.null(response$interval)) response$interval <- reordered_interval(response$interval, at)
  response
}

# An entry of the fit's history. `first`: whether these are the first landmarks.
describe_some <- function(at, n, first) {
  if (length(at) == n) return(sprintf("all %d landmarks, in another order", n))
  paste0(if (first) "the first ", length(at), " of ", n, " landmarks")
}

# The call of the fit with this index, for update().
call_on_some <- function(call, at, first) {
  if (!is.call(call)) return(call)
  call("[", call, if (first) call(":", 1, as.double(length(at))) else at)
}

# ---- variances -----------------------------------------------------------------------

# The variances of a fit in the order of its landmarks. If the fit does not have them, they are computed from
# the data.
known_variance <- function(fit, source, kernel, how) {
  if (!anyNA(fit$variance)) return(fit$variance)
  greedy_order(fit$landmarks, source, kernel, nrow(fit$landmarks), "trace", how)$pivot / source$dim[1]
}

# An error where a fit does not have its variances.
check_known_variance <- function(fit, arg, call = rlang::caller_env()) {
  if (!anyNA(fit$variance)) return(invisible())
  abort_input(c(
    "{.arg {arg}} must have the variances of its landmarks.",
    x = "They are unknown: these are not the first landmarks of a fit, and a fit does not keep its data.",
    i = "{.code refine_landmarks(fit, x, 0)} computes them, with the landmarks in greedy order."
  ), arg = arg, kind = "fit", call = call)
}
