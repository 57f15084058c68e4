# print(), summary(), coef() and as.matrix() of a fit.

#' @export
print.landmarks <- function(x, ...) {
  check_fit(x, "x")
  n <- nrow(x$landmarks)
  d <- ncol(x$landmarks)
  cat(sprintf("%s landmark%s of %s observations in %s dimension%s%s%s\n",
    format(n, big.mark = big_mark()), if (n == 1) "" else "s", format(x$n_rows, big.mark = big_mark()),
    format(d, big.mark = big_mark()), if (d == 1) "" else "s",
    if (x$sparse) ", sparse" else "", if (x$weighted) ", weighted" else ""
  ))
  line <- function(label, ...) cat(sprintf("  %-12s", label), ..., "\n", sep = "")
  omitted <- length(x$na.action)
  if (omitted) line("left out", how_many(omitted, "row"), " with missing values")
  if (length(x$blueprint$levels)) line("factors", describe_factors(x$blueprint$levels))
  line("method", x$history[1])
  for (step in x$history[-1]) line("then", step)
  if (!is.null(x$response)) line("response", describe_response(x))
  line(
    "bandwidth", signif(x$bandwidth, 4),
    if (!is.null(x$bandwidth_rule)) paste0(" (", x$bandwidth_rule, ")")
  )
  line("space", if (is.function(x$space)) "the user's function" else gsub("_", " ", x$space),
    if (x$scaled) ", columns scaled"
  )
  line("on the data", sum(x$on_data), " of ", n)
  if (is.na(x$log_det)) {
    line("explained", "unknown, as is log det: refine_landmarks(fit, x, 0) computes both from the data")
  } else {
    line(
      "explained", format_share(x$explained[n]),
      " of the kernel's variance (this share grows with the bandwidth)"
    )
    line("log det", format(round(x$log_det, 2), nsmall = 2), " of Phi'Phi",
      if (x$log_det == -Inf) ": some landmarks add nothing to those before them"
    )
  }
  line("time", format_seconds(x$seconds))
  line(if (is.null(x$response)) "converged" else "steps", describe_convergence(x))
  invisible(x)
}

# The factors among the columns, in words. `levels`: the levels of each factor, a named list.
describe_factors <- function(levels) {
  shown <- utils::head(levels, 3)
  more <- length(levels) - length(shown)
  toString(c(sprintf("%s (%d levels)", names(shown), lengths(shown)), if (more) sprintf("%d more", more)))
}

# Whether the landmarks of a fit have converged, and after how many iterations, in words.
describe_convergence <- function(fit) {
  n <- nrow(fit$landmarks)
  steps <- steps_in_words(fit$method, fit)
  if (all(fit$iterations == 0) && is.null(steps)) {
    return("not applicable: no landmark was moved")
  }
  if (!is.null(fit$response)) {
    r <- fit$response
    return(sprintf(
      "%s of %s%s", format(r$iterations, big.mark = big_mark()),
      format(r$of, big.mark = big_mark()),
      if (is.null(r$held_out)) "" else "; the best for rows that are held out"
    ))
  }
  if (all(is.na(fit$moved))) return(paste0("not measured", steps$unmeasured))
  # Landmarks that were held from the start were not moved, and are not counted.
  yes <- sum(has_converged(fit))
  n <- sum(!is.na(fit$moved))
  how <- if (isTRUE(fit$exact)) {
    "on all rows"
  } else {
    steps$batches %||% "on random batches, averaged"
  }
  count <- range(fit$iterations)
  unit <- if (all(count == 1)) "iteration" else "iterations"
  done <- paste(paste(unique(count), collapse = " to "), unit, how)
  if (yes == n) {
    paste0(if (n == 1) "yes" else paste("all", n), " (", done, ")")
  } else {
    paste0(yes, " of ", n, " (", done, "; refine_landmarks() moves them further)")
  }
}

#' Summary of landmarks
#'
#' `summary()` gives a table with a row for each landmark: how much it explains, whether it has converged,
#' and where it lies.
#'
#' @param object An object of class `landmarks`.
#' @param ... Not used.
#' @return A data frame of class `summary.landmarks` with a row for each landmark, in order:
#'   * `landmark`: its number.
#'   * `variance`: the variance of the process at its place, given the landmarks before it (see [by_gp()]).
#'     It and `explained` are NA where they are unknown, see "Some of the landmarks" in [landmarks-methods].
#'   * `explained`: the share of the kernel's variance at the observations that it and those before it
#'     explain. It grows with the bandwidth, so it is no measure of quality. Compare it only between fits of
#'     the same data with the same bandwidth.
#'   * `iterations`: how many steps it moved.
#'   * `converged`: see [landmarks()]; NA where convergence was not measured.
#'   * `nearest`: the row of the nearest observation.
#'   * `distance`: the distance to that row, in the data's units after `scale`.
#'   * `on_data`: whether that distance is no larger than a typical distance between rows; see "On the data"
#'     in [landmarks()].
#' @examples
#' summary(landmarks(sim_circles(300), 6, bandwidth = 0.5))
#' @export
summary.landmarks <- function(object, ...) {
  check_fit(object, "object")
  converged <- has_converged(object)
  converged[is.na(object$moved)] <- NA
  out <- data.frame(
    landmark = seq_len(nrow(object$landmarks)), variance = object$variance,
    explained = object$explained, iterations = object$iterations, converged = converged,
    nearest = object$nearest, distance = object$nearest_distance, on_data = object$on_data
  )
  structure(out, class = c("summary.landmarks", "data.frame"))
}

#' @export
print.summary.landmarks <- function(x, digits = 4, ...) {
  check_fit_summary(x)
  digits <- check_digits(digits)
  shown <- as.data.frame(x)
  class(shown) <- "data.frame"
  print(shown, digits = digits, row.names = FALSE, ...)
  invisible(x)
}

#' @export
coef.landmarks <- function(object, ...) {
  check_fit(object, "object")
  out <- object$landmarks
  rownames(out) <- landmark_names(object)
  out
}

#' @export
as.matrix.landmarks <- function(x, ...) {
  check_fit(x, "x")
  stats::coef(x)
}
