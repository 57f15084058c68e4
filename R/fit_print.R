# print(), summary(), coef() and as.matrix() of a fit.

#' What print() shows of a fit
#'
#' `print()` shows a fit of [landmarks()] in a few lines: where the landmarks come from, how well they
#' represent the data, and whether their steps have ended. A line that does not apply is left out.
#'
#' | line | meaning | part |
#' |---|---|---|
#' | first | how many landmarks, rows, columns; sparse, weighted | `n_rows` |
#' | `left out` | rows with missing values, not used | `na.action` |
#' | `factors` | factors that became 0/1 columns | `blueprint` |
#' | `method` | how the landmarks were found | `history[1]` |
#' | `then` | each later step, such as [add_landmarks()] | `history[-1]` |
#' | `response` | what is predicted, and how well | `response` |
#' | `relevance` | the columns on which learned distances depend most, see below | `relevance` |
#' | `bandwidth` | of the kernel, and its rule | `bandwidth` |
#' | `space` | where landmarks may lie; columns scaled | `space` |
#' | `on the data` | how many landmarks are near a row | `on_data` |
#' | `explained` | share of the trace of the kernel matrix | `explained` |
#' | `nearest` | share of the data's variance between landmarks | `between` |
#' | `close` | landmarks in the place of another, at 0.01 \eqn{\sqrt\eta}{sqrt(eta)} or less | `landmarks` |
#' | `time` | seconds, or minutes, of the fit | `seconds` |
#' | `converged` | how many, of those that were moved, move no more; their steps | `moved` |
#' | `steps` | with a response: steps kept, of how many | `response` |
#'
#' @section Relevance:
#' Where [by_response()] has learned relevances, the line names the three columns with the largest standard
#' deviation after `scale` and relevance, relative to the largest. `tidy(fit, "columns")` has all columns.
#'
#' @section On the data:
#' A landmark is on the data if its distance to the nearest row, `nearest_distance`, is at most `spacing`, a
#' typical distance between rows. Distances are those of the kernel, after `scale`.
#'
#' `spacing` is the 95% quantile of the distance from a row to the fifth nearest other row, over 300 rows
#' taken evenly from the data. It is at least \eqn{\sqrt\eta/20}{sqrt(eta) / 20}, a distance at which the
#' kernel is 0.9975. Copies of a row count as one row, and rows of weight 0 are ignored. For more than 5,000
#' rows the rule uses 5,000 rows taken evenly, so that it is equally strict for any number of rows.
#'
#' A warning (`landmarker_warning_off_data`) is given where fewer than half of the landmarks are on the data.
#' Such landmarks are poor examples of the data: use the default method, more landmarks, or a narrower
#' `bandwidth`. Landmarks of [by_response()] serve to predict, so there is no warning for them.
#'
#' In many dimensions the rule is mild. Rows are far from each other there, and the mean of a few rows is
#' nearer to each of them than they are to each other. Landmarks of images and texts are therefore usually on
#' the data, even where they are means that look like no single row.
#'
#' @section Explained:
#' The share of the trace of the observations' kernel matrix K that Nystrom's approximation through the
#' landmarks explains,
#' \deqn{1 - \frac{\sum_i v_i (1 - k_i' W^{-1} k_i)}{\sum_i v_i},}{1 - sum_i v_i (1 - k_i' W^-1 k_i) /
#'   sum_i v_i,}
#' with \eqn{k_i} the kernel of row i with the landmarks and W the kernel of the landmarks with each other. It
#' is one minus the mean posterior variance at the rows, and one minus [reconstruction_error()] over N. The
#' default criterion of [by_gp()] maximizes it. A wider kernel is easier to explain: compare the share between
#' fits of the same bandwidth, or use `reconstruction_error(sigma = )`. Where \eqn{N n^2} is above 1e11 it is
#' estimated on a sample of rows.
#'
#' @section Nearest:
#' The share of the data's variance that landmarks explain when each row is put in the place of its nearest
#' one:
#' \deqn{1 - \frac{\sum_i v_i \min_l \|x_i - t_l\|^2}{\sum_i v_i \|x_i - \bar x\|^2}.}{1
#'   - sum_i v_i min_l ||x_i - t_l||^2 / sum_i v_i ||x_i - mean||^2.}
#' Distances are those of the kernel, after `scale`. For centers of k-means it is `between_SS / total_SS`, as
#' [kmeans()] prints it. It does not depend on the bandwidth, so it compares landmarks of any method and
#' kernel. It grows with the number of landmarks. It is below 0 where rows are nearer to their mean than to
#' any landmark.
#'
#' `explained`, `between` and `log_det` are unknown for a choice of landmarks such as `fit[c(2, 5)]`;
#' `refine_landmarks(fit, x, 0)` computes them.
#'
#' @section Converged:
#' * Every step used all rows: a landmark has converged when its last step would have moved it by at most the
#'   method's `tolerance`, in units of \eqn{\sqrt\eta}{sqrt(eta)}. `moved` is this distance. By the trace
#'   criterion the last step must also gain less than 0.001 of the trace that remains, to first order
#'   (`gain`).
#' * Random batches: steps vary too much for this rule. The landmarks of the last batches are averaged, and
#'   `moved` is the average distance of a step over these batches: the distance between the mean of their
#'   first half and the mean of their second half, divided by the number of steps between. A landmark has
#'   converged when `moved` is at most 0.05.
#' * Random batches, then steps on all rows: `moved` is the distance of the last step, and the limit is again
#'   0.05.
#'
#' [refine_landmarks()] moves landmarks further. "Not applicable" stands for methods that move no landmark,
#' "not measured" for methods without such a distance, such as `by_gp("sgd")`.
#'
#' @param x An object of class `landmarks`.
#' @param ... Not used.
#' @return `x`, invisibly.
#' @seealso [landmarks-object] for all parts, [summary.landmarks()] for a row for each landmark,
#'   [glance()][tidy.landmarks()] for the same numbers as a table of one row.
#' @examples
#' set.seed(1)
#' fit <- landmarks(~ ., data = iris, n = 5, scale = TRUE)
#' fit
#' # The numbers behind three of the lines
#' sum(fit$on_data)
#' fit$explained[5]
#' fit$between
#' @export
print.landmarks <- function(x, ...) {
  check_object(x, "landmarks", "x")
  n <- nrow(x$landmarks)
  cat(how_many(n, "landmark"), " of ", format(x$n_rows, big.mark = big_mark()), " observations in ",
    how_many(ncol(x$landmarks), "dimension"), if (x$sparse) ", sparse", if (x$weighted) ", weighted", "\n",
    sep = ""
  )
  line <- function(label, ...) cat(sprintf("  %-12s", label), ..., "\n", sep = "")
  if (length(x$na.action)) line("left out", how_many(length(x$na.action), "row"), " with missing values")
  factors <- lengths(x$blueprint$levels)
  if (length(factors)) {
    more <- if (length(factors) > 3) sprintf("%d more", length(factors) - 3L)
    line("factors", toString(c(utils::head(sprintf("%s (%d levels)", names(factors), factors), 3), more)))
  }
  line("method", x$history[1])
  for (step in x$history[-1]) line("then", step)
  if (!is.null(x$response)) line("response", describe_response(x))
  if (!is.null(x$relevance)) line("relevance", describe_relevance(x))
  rule <- x$bandwidth_rule
  if (x$kernel != "gaussian") line("kernel", x$kernel)
  line("bandwidth", signif(x$bandwidth, 4), if (!is.null(rule)) paste0(" (", rule, ")"))
  line("space", if (is.function(x$space)) "the user's function" else gsub("_", " ", x$space),
    if (!is.null(x$ranks)) ", columns as normal scores" else if (x$scaled) ", columns scaled"
  )
  line("on the data", sum(x$on_data), " of ", n)
  # Landmarks that predict are not meant to explain the kernel.
  if (is.null(x$response)) print_explained(x, line)
  close <- close_landmarks(x)
  if (close > 0) line("close", close, if (close == 1) " is" else " are", " in the place of another")
  line("time", format_seconds(x$seconds))
  line(if (is.null(x$response)) "converged" else "steps", describe_convergence(x))
  invisible(x)
}

# How many landmarks are within 0.01 sqrt(bandwidth) of an earlier one; 0 for more than 500 landmarks, whose
# distances would take long.
close_landmarks <- function(fit) {
  if (fit$sparse || nrow(fit$landmarks) > 500) return(0L)
  apart <- as.matrix(stats::dist(coordinates_of_kernel(fit$landmarks, fit)))
  sum(colSums(apart <= 0.01 * sqrt(fit$bandwidth) & upper.tri(apart)) > 0)
}

print_explained <- function(x, line) {
  n <- nrow(x$landmarks)
  if (is.na(x$log_det)) {
    line("explained", "unknown: refine_landmarks(fit, x, 0) computes it from the data")
  } else {
    line("explained", format_share(x$explained[n]), " of the trace of the kernel matrix")
    if (x$log_det == -Inf) line("", "some landmarks add nothing to those before them")
  }
  # Rows are always nearer to their mean than to one landmark.
  if (n == 1 || !is_number(x$between)) return()
  line("nearest", if (x$between < 0) {
    "rows are nearer to their mean than to any landmark"
  } else {
    paste0(format_share(x$between), " of the data's variance is explained by each row's nearest landmark")
  })
}

# The fit without the values of criteria that its landmarks were not learned by: those of by_response().
without_criteria <- function(fit) {
  if (is.null(fit$response)) return(unclass(fit))
  unknown <- rep(NA_real_, nrow(fit$landmarks))
  utils::modifyList(unclass(fit), list(variance = unknown, explained = unknown, log_det = NA_real_))
}

# Whether the landmarks of a fit have converged, and after how many iterations, in words.
describe_convergence <- function(fit) {
  steps <- if (inherits(fit$method, "by_gp")) gp_steps_in_words(fit)
  if (all(fit$iterations == 0) && is.null(steps)) return("not applicable: no landmark was moved")
  r <- fit$response
  if (!is.null(r)) {
    count <- paste(format(c(r$iterations, r$of), big.mark = big_mark(), trim = TRUE), collapse = " of ")
    return(paste0(count, if (!is.null(r$held_out)) "; the best for rows that are held out"))
  }
  if (all(is.na(fit$moved))) return(paste0("not measured", steps$unmeasured))
  # Landmarks that were held from the start, and rows that took the place of others, were not moved.
  yes <- sum(has_converged(fit))
  n <- sum(!is.na(fit$moved))
  moved <- if (n < nrow(fit$landmarks)) " that were moved"
  control <- if (isTRUE(fit$exact)) {
    if (fit$sampled) "on all rows of the sample" else "on all rows"
  } else {
    steps$batches %||% "on random batches, averaged"
  }
  count <- range(fit$iterations)
  unit <- if (all(count == 1)) "iteration" else "iterations"
  done <- paste(paste(unique(count), collapse = " to "), unit, control)
  if (yes < n) return(paste0(yes, " of ", n, moved, " (", done, "; refine_landmarks() moves them further)"))
  paste0(if (nrow(fit$landmarks) == 1) "yes" else paste0("all ", n, moved), " (", done, ")")
}

#' Summary of landmarks
#'
#' `summary()` gives a table with a row for each landmark: how much it explains, whether it has converged,
#' and where it lies. Of a fit by [by_response()] it also says how well held-out rows are predicted.
#'
#' @param object An object of class `landmarks`.
#' @param ... Not used.
#' @return A data frame of class `summary.landmarks` with a row for each landmark, in order:
#'   * `landmark`: its number.
#'   * `variance`: that of Liang and Paisley's process at its place, given the landmarks before it (see
#'     [gp-criteria]).
#'   * `explained`: the share of the trace of the kernel matrix that it and those before it explain (see
#'     [print.landmarks]). Both are NA for a fit by [by_response()], whose landmarks have another aim, and
#'     where they are unknown, see "Some of the landmarks" in [landmarks-methods].
#'   * `iterations`: how many steps it moved.
#'   * `converged`: see [print.landmarks]; NA where convergence was not measured.
#'   * `nearest`: the row of the nearest observation.
#'   * `distance`: the distance to that row, in the data's units after `scale`.
#'   * `on_data`: whether that distance is no larger than a typical distance between rows; see
#'     [print.landmarks].
#'
#'   For a fit by [by_response()] with held-out rows it has an attribute `response`, a list of their number
#'   `rows`; `measures`, a data frame of `measure`, `value` and `baseline` (of a prediction that is the same
#'   for all rows); for classes `confusion`, a matrix of observed by predicted classes; and for tags
#'   `thresholds`, the probability from which on `predict(type = "class")` gives each tag. The log loss is the
#'   mean of minus the logarithm of the probability of what was observed, at least 1e-5; for tags their
#'   sum. The calibration error is the mean difference between predicted probabilities and observed shares,
#'   in bins of ten percent, of all classes or tags together; neighboring bins are joined until each has ten
#'   values. The calibration slope is that of a line through
#'   the observed numbers by the predicted ones, 1 at best.
#' @examples
#' summary(landmarks(sim_circles(300), 6, bandwidth = 0.5))
#' set.seed(1)
#' summary(landmarks(Species ~ ., iris, 5, by_response(iterations = 200)))
#' @export
summary.landmarks <- function(object, ...) {
  check_object(object, "landmarks", "object")
  converged <- has_converged(object)
  converged[is.na(object$moved)] <- NA
  shown <- without_criteria(object)
  out <- data.frame(
    landmark = seq_len(nrow(object$landmarks)), variance = shown$variance,
    explained = shown$explained, iterations = object$iterations, converged = converged,
    nearest = object$nearest, distance = object$nearest_distance, on_data = object$on_data
  )
  structure(out, class = c("summary.landmarks", "data.frame"), response = if (!is.null(object$response)) {
    response_summary(object$response)
  })
}

#' @export
print.summary.landmarks <- function(x, digits = 4, ...) {
  digits <- check_digits(digits)
  shown <- as.data.frame(x)
  class(shown) <- "data.frame"
  print(shown, digits = digits, row.names = FALSE, ...)
  response <- attr(x, "response")
  if (is.list(response)) print_response_summary(response, digits)
  invisible(x)
}

#' @importFrom stats coef
#' @rdname landmarks-methods
#' @export
coef.landmarks <- function(object, type = "landmarks", ...) {
  check_object(object, "landmarks", "object")
  type <- check_choice(type, c("landmarks", "response"), "type")
  if (type == "response") {
    check_has_response(object, "response", rlang::current_env())
    return(response_coefficients(object))
  }
  out <- landmarks_in_units(object)
  rownames(out) <- landmark_names(object)
  out
}

#' @export
as.matrix.landmarks <- function(x, ...) {
  check_object(x, "landmarks", "x")
  stats::coef(x)
}
