# print(), summary(), coef() and as.matrix() of a fit.

#' Printed summary of a fit
#'
#' `print()` summarizes a fit of [landmarks()]: how the landmarks were found, how well they represent the
#' data, and whether the optimizer converged. Lines that do not apply are omitted.
#'
#' | line | meaning | component |
#' |---|---|---|
#' | first | number of landmarks, rows and columns; sparse, weighted | `n_rows` |
#' | `omitted` | rows with missing values | `na.action` |
#' | `factors` | factors that were converted to indicator columns | `blueprint` |
#' | `method` | how the landmarks were found | `history[1]` |
#' | `then` | each later step, such as [add_landmarks()] | `history[-1]` |
#' | `response` | the response, and the performance on held-out rows | `response` |
#' | `relevance` | the columns with the largest relevance weights | `relevance` |
#' | `kernel` | the kernel, unless Gaussian | `kernel` |
#' | `bandwidth` | squared length scale, and its rule | `bandwidth` |
#' | `space` | constraint set; whether columns are scaled | `space` |
#' | `on the data` | number of landmarks near a row | `on_data` |
#' | `Nystrom` | relative approximation error of the kernel matrix | 1 - last of `explained` |
#' | `clusters` | proportion of the variance between clusters | `between` |
#' | `time` | elapsed time | `seconds` |
#' | `converged` | number of landmarks that converged; their steps | `moved` |
#' | `steps` | for [by_response()]: step selected by early stopping; maximum number | `response` |
#'
#' @section Relevance:
#' For relevance weights of [by_response()], the line shows the three columns of the data with the largest
#' standard deviation after scaling and weighting, as a proportion of the largest: `distance` of
#' `tidy(fit, "columns")`.
#'
#' @section On the data:
#' A landmark is on the data if the distance to its nearest row, `nearest_distance`, is at most `spacing`, a
#' typical distance between rows: the 95% quantile, over 300 evenly spaced rows, of the distance to the fifth
#' nearest other row, and at least \eqn{\sqrt\eta/20}{sqrt(eta) / 20}. Duplicates count as one row, and rows
#' of weight 0 are ignored. With more than 5,000 rows an evenly spaced subset of 5,000 is used.
#'
#' If fewer than half of the landmarks are on the data, a warning (`landmarker_warning_off_data`) is given,
#' except for [by_response()]. Such landmarks are poor examples of the data: use the default method, more
#' landmarks, or a narrower `bandwidth`. In many dimensions the rule is lenient, because the mean of a few
#' rows has a smaller distance to each of these rows than the rows have to each other. Landmarks of images and
#' texts are therefore usually on the data, even if they resemble no single row.
#'
#' @section Nystrom:
#' The trace-norm error of the Nystrom approximation divided by N, the trace of the kernel matrix:
#' `reconstruction_error(fit, x) / N`. It is also the average posterior variance at the rows. The component
#' `explained` is one minus this error. By default, [by_gp()] minimizes the error. It is smaller for a wider
#' bandwidth, so compare fits with the same bandwidth, or use `reconstruction_error(sigma = )`. If \eqn{N n^2}
#' exceeds 1e8 it is estimated from a sample of rows. It is not shown for [by_response()].
#'
#' @section Clusters:
#' The proportion of the variance between clusters, `between_SS / total_SS` of [kmeans()], for the clusters
#' of rows with the same nearest landmark:
#' \deqn{1 - \frac{\sum_i v_i \min_l \|x_i - t_l\|^2}{\sum_i v_i \|x_i - \bar x\|^2}.}{1
#'   - sum_i v_i min_l ||x_i - t_l||^2 / sum_i v_i ||x_i - mean||^2.}
#' It does not depend on the kernel, so it can be compared between methods. It increases with the number of
#' landmarks, and is negative if the rows are nearer to their mean than to any landmark. Distances are
#' computed after `scale`.
#'
#' @section Converged:
#' `moved` is the length of the last step of a landmark, in units of \eqn{\sqrt\eta}{sqrt(eta)}. The rule
#' depends on the steps:
#'
#' * Steps on all rows: `moved` must be at most the method's `tolerance`.
#' * Random batches: single steps are too noisy. The landmarks of the last batches are averaged, and `moved`
#'   is the distance between the averages over the first and the second half of these batches, divided by half
#'   the number of their steps. It must be at most 0.05.
#' * Random batches, then steps on all rows: `moved` refers to the last step and must be at most 0.05.
#'
#' For steps on all rows by the trace criterion, `gain` (see [landmarks-object]) must also be at most 0.01
#' times `tolerance`.
#'
#' Landmarks that have not converged can be used: further iterations by [refine_landmarks()] usually reduce
#' the approximation error by a few percent at most. "Not applicable" is shown for methods that do not move
#' landmarks, "not measured" for methods without such a rule, such as `by_gp("sgd")`.
#'
#' @param x An object of class `landmarks`.
#' @param ... Not used.
#' @return `x`, invisibly.
#' @seealso [landmarks-object] for all components, [summary.landmarks()] for a table of the landmarks,
#'   [glance()][tidy.landmarks()] for these numbers in one row.
#' @examples
#' set.seed(1)
#' fit <- landmarks(~ ., data = iris, n = 5, scale = TRUE)
#' fit
#' # The numbers behind three of the lines
#' sum(fit$on_data)
#' 1 - fit$explained[5]
#' fit$between
#' @export
print.landmarks <- function(x, ...) {
  check_object(x, "landmarks", "x")
  n <- nrow(x$landmarks)
  cat(how_many(n, "landmark"), " of ", how_many(x$n_rows, "observation"), " in ",
    how_many(ncol(x$landmarks), "dimension"), if (x$sparse) ", sparse", if (x$weighted) ", weighted", "\n",
    sep = ""
  )
  line <- function(label, ...) cat(sprintf("  %-12s", label), ..., "\n", sep = "")
  if (length(x$na.action)) line("omitted", how_many(length(x$na.action), "row"), " with missing values")
  factors <- lengths(x$blueprint$levels)
  if (length(factors)) {
    levels <- vapply(factors, how_many, "", "level")
    line("factors", first_and_more(sprintf("%s (%s)", names(factors), levels)))
  }
  line("method", x$history[1])
  for (step in x$history[-1]) line("then", step)
  if (!is.null(x$response)) line("response", describe_response(x))
  if (!is.null(x$relevance)) line("relevance", describe_relevance(x))
  if (x$kernel != "gaussian") line("kernel", x$kernel)
  rule <- x$bandwidth_rule
  line("bandwidth", signif(x$bandwidth, 4), if (!is.null(rule)) paste0(" (", rule, ")"))
  line("space", if (is.function(x$space)) "user-defined" else gsub("_", " ", x$space),
    if (!is.null(x$ranks)) ", columns as normal scores" else if (x$scaled) ", columns scaled"
  )
  line("on the data", sum(x$on_data), " of ", n)
  # Landmarks that predict are not meant to explain the kernel.
  if (is.null(x$response)) print_explained(x, line)
  line("time", format_seconds(x$seconds))
  line(if (is.null(x$response)) "converged" else "steps", describe_convergence(x))
  invisible(x)
}

print_explained <- function(x, line) {
  n <- nrow(x$landmarks)
  if (is.na(x$log_det)) {
    line("Nystrom", "approximation error unknown: `refine_landmarks(fit, x, 0)` computes it")
  } else {
    rows <- gram_rows(x$subset_of %||% n)
    line("Nystrom", "approximation error ", format(signif(max(0, 1 - x$explained[n]), 3)),
      if (rows < x$n_rows) paste0(", estimated from ", format(rows, big.mark = big_mark()), " rows"),
      if (x$log_det == -Inf) ", some landmarks redundant"
    )
  }
  # Rows are always nearer to their mean than to one landmark. Below 0 it is no quotient of sums of squares.
  if (n > 1 && is_number(x$between)) {
    words <- if (x$between < 0) "1 - within_SS / total_SS = " else "between_SS / total_SS = "
    line("clusters", words, format_share(x$between))
  }
}

# The fit without the values of criteria that its landmarks were not learned by: those of by_response().
without_criteria <- function(fit) {
  if (is.null(fit$response)) return(unclass(fit))
  unknown <- rep(NA_real_, nrow(fit$landmarks))
  utils::modifyList(unclass(fit), list(variance = unknown, explained = unknown, log_det = NA_real_))
}

# Whether the landmarks of a fit have converged, and after how many iterations, in words.
describe_convergence <- function(fit) {
  is_gp <- inherits(fit$method, "by_gp")
  if (all(fit$iterations == 0) && !is_gp) return("not applicable: no optimization")
  r <- fit$response
  if (!is.null(r)) {
    count <- format(c(r$iterations, r$of), big.mark = big_mark(), trim = TRUE)
    if (r$iterations >= r$of) return(paste("all", count[2]))
    return(paste0(if (!is.null(r$held_out)) "early stopping: step ", count[1], " of ", count[2]))
  }
  if (all(is.na(fit$moved))) return(paste0("not measured", if (is_gp) " (stochastic gradient)"))
  # Landmarks that were held from the start, and rows that took the place of others, were not moved.
  yes <- sum(has_converged(fit))
  n <- sum(!is.na(fit$moved))
  on <- if (isTRUE(fit$exact)) {
    paste0("on all rows", if (fit$sampled) " of the sample")
  } else {
    then <- is_gp && climb_plan(fit$method, fit$n_rows, fit$subset_of %||% nrow(fit$landmarks))$all > 0
    paste("on random batches,", if (then) "then on all rows" else "averaged")
  }
  count <- range(fit$iterations)
  done <- paste(paste(unique(count), collapse = " to "), ngettext(max(count), "iteration", "iterations"), on)
  of <- paste0(n, if (n < nrow(fit$landmarks)) " optimized")
  if (yes < n) return(paste0(yes, " of ", of, " (", done, "; refine_landmarks() continues)"))
  paste0(if (nrow(fit$landmarks) == 1) "yes" else paste("all", of), " (", done, ")")
}

#' Summary of landmarks
#'
#' `summary()` gives a table of the landmarks: how much they explain, whether they converged, and where they
#' lie. For a fit by [by_response()] it also has performance measures on held-out rows.
#'
#' @param object An object of class `landmarks`.
#' @param ... Not used.
#' @return A data frame of class `summary.landmarks` with a row for each landmark and the columns
#'   * `landmark`: the index of the landmark.
#'   * `variance`: its posterior variance given the landmarks before it, for the process of Liang and Paisley
#'     (see [gp-criteria]).
#'   * `explained`: the proportion of the trace of the kernel matrix that it and those before it explain (see
#'     [print.landmarks]).
#'   * `iterations`: number of steps.
#'   * `converged`: whether it converged (see [print.landmarks]), or NA.
#'   * `nearest`, `distance`: the index of the nearest row, and its distance, after `scale`.
#'   * `on_data`: whether this distance is at most a typical distance between rows (see [print.landmarks]).
#'
#'   `variance` and `explained` are NA for subsets (see [landmarks-methods]). Columns that are NA for all
#'   landmarks are left out for [by_response()], which optimizes another criterion.
#'
#'   For [by_response()] with held-out rows the attribute `response` is a list of
#'
#'   * `rows`: the number of held-out rows.
#'   * `measures`: a data frame of `measure`, `value` and `baseline`, the value of the null model.
#'   * `confusion`: for classes, the confusion matrix of observed by predicted classes.
#'   * `thresholds`: for multilabel responses, the probability above which each label is predicted.
#'
#'   The log loss is the mean negative log probability of the observed class, with probabilities below 1e-5
#'   set to 1e-5; for multilabel responses it is summed over the labels. The calibration error is the mean
#'   absolute difference between predicted probabilities and observed proportions, over all classes or labels,
#'   in bins of width 0.1; neighboring bins are merged until each has ten values. The calibration slope is
#'   that of the regression of observed on predicted values; 1 is ideal.
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
  # Of a fit that predicts a response some columns are NA throughout.
  if (!is.null(object$response)) out <- Filter(function(column) !all(is.na(column)), out)
  structure(out, class = c("summary.landmarks", "data.frame"), response = response_summary(object$response))
}

#' @export
print.summary.landmarks <- function(x, digits = 4, ...) {
  digits <- check_count(digits, "digits", 1, 15)
  print.data.frame(x, digits = digits, row.names = FALSE, ...)
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
  stats::coef(x)
}
