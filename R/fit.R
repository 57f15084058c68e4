# From landmarks in order to a fit, the plain list of class `landmarks`; and small functions of a fit that
# other files use.

#' Parts of a fit
#'
#' [landmarks()], [add_landmarks()], [refine_landmarks()] and [as_landmarks()] return an object of class
#' `landmarks`. It is a plain list of n landmarks in d columns, which `saveRDS()` keeps whole. It does not
#' contain the data, which have N rows \eqn{x_i}. `fit$nearest` gives a part. `length(fit)` is n, because a
#' fit behaves like a vector of its landmarks (see [landmarks-methods]).
#'
#' @section Parts for each landmark:
#' Vectors have length n, in the order of the landmarks.
#'
#' * `landmarks`: the coordinates, a numeric n x d matrix in the data's units; with `scale = "ranks"` of
#' normal
#'   scores. `coef()` gives it in the data's units, with names.
#' * `variance`: numbers of at least 0, \eqn{V_{l-1}(t_l)}{V_(l-1)(t_l)} for landmark l: the variance at its
#'   place given the landmarks before it, in Liang and Paisley's process (see [gp-criteria]).
#' * `explained`: shares from 0 to 1: of the trace of the kernel matrix, what the landmark and those before it
#'   explain together. See [print.landmarks].
#' * `nearest`, `nearest_distance`: the number of the row nearest to the landmark, and its distance, in the
#'   units of the kernel (after `scale`).
#' * `on_data`: TRUE or FALSE. `spacing`, one number, is the distance that it is compared with. See
#'   [print.landmarks].
#' * `iterations`, `moved`: how many steps the landmark moved, and how far the last of them would have moved
#'   it, in units of \eqn{\sqrt\eta}{sqrt(eta)}. `moved` is NA where no step moves landmarks. See
#'   [print.landmarks].
#' * `rows`: the row number of a landmark that is a row of the data, else NA.
#' * `trace`: see [by_active()]. NA for other methods.
#' * `covariance`: local covariances in the data's units, an n x d matrix or a d x d x n array, see
#'   [by_dpp()]. NULL for other methods.
#'
#' @section Parts for all landmarks together:
#' * `log_det`: \eqn{\log\det \Phi'D\Phi}{log det Phi'D Phi}, where \eqn{\Phi}{Phi} is the N x n matrix of
#'   the features \eqn{K(x_i, t_l)} and D the diagonal matrix of the weights. Where \eqn{N n^2} is above
#'   1e11, `log_det`, `variance` and `explained` are estimated on a sample of rows.
#' * `between`: the share of the data's variance that is between the landmarks nearest to the rows, see
#'   [print.landmarks]; NA where all rows are equal, and for some landmarks of a fit.
#' * `gaps`: an integer matrix with columns `low` and `high`: pairs of neighboring landmarks with no data
#'   between them, see [graph-shortcuts].
#' * `joined`: the graph that the rows make of the landmarks, see [graph-through-data]: a list of `nearest`
#'   (s), `low` and `high` (the ends of the edges), `weight`, `witnesses`, `own`, `cut` and `reach`.
#'   Absent for fewer
#'   than three landmarks, or five rows for each, for those of [by_response()], and for some landmarks of a
#'   fit.
#' * `kernel`: its name. `bandwidth`: a number, \eqn{\eta}{eta}. `bandwidth_rule`: its rule in words, or NULL.
#' * `space`, `method`: as given. `history`: how the landmarks were found, in words, a string for each step.
#' * `used`: a list of the options that the method chose by itself. Absent where there are none.
#' * `response`: the regression of [by_response()]. Absent for other methods.
#' * `na.action`: the numbers of the rows that were left out, see [landmarks-data]. Absent where there are
#'   none.
#' * `mean`, `sd`: those of the data's columns, vectors of length d.
#' * `center`, `factor`: vectors of length d. Distances are those of `(x - center) * factor`. With `scale` the
#'   factor of a constant column is 0.
#' * `relevance`: the relevances of the columns that [by_response()] has learned, a vector of length d. They
#'   are contained in `factor`. Absent where there are none.
#' * `ranks`: with `scale = "ranks"` the knots of each column, a list of d lists of values and their normal
#'   scores. All other parts are those of the scores. Absent otherwise.
#' * `blueprint`: how a data frame became a matrix, or NULL. `experiment`: the assay that was used, see
#'   [landmarks.SummarizedExperiment()].
#' * `n_rows`: N, the rows that were used. `scaled`, `weighted`, `sparse`: TRUE or FALSE. `sampled`: whether
#'   the landmarks were last learned from a sample of the rows.
#' * `exact`: whether the last steps used all rows, or all of a sample. `gain`: what the last of them gained
#'   to first order, as a share of the trace that remained; absent where no step used all rows.
#' * `call`; `seconds`, the time of the fit; `version`, that of this package, as a string.
#'
#' @section Fits from files:
#' A fit by a formula keeps the code of its variables, which `predict()` and other functions that are given
#' data evaluate; `update()` evaluates its call. Functions that are given no data, such as `print()` and
#' `plot(fit)`, run none of this code. Read only fits that you trust.
#'
#' @section Order:
#' Landmarks are in greedy order of the criterion that they were learned by. By the trace, the first landmark
#' is the one that leaves the smallest sum of variances at the rows by itself. The second leaves the smallest
#' sum together with the first, and so on. `fit[1:m]` is the fit of the first m. On digits they leave a few
#' percent more of the kernel than m landmarks that are learned as such, and much more where the n landmarks
#' leave almost nothing. Other orders: [by_dpp()], [by_random()] and the start of k-means,
#' `by_kmeans(max_iterations = 0)`, have that of the draws; `by_gp("sequential")`, `by_gp("sgd")` and
#' [by_active()] that in which landmarks were found; [by_response()] and [as_landmarks()] their own.
#' @seealso [landmarks()], [print.landmarks], [summary.landmarks()], [tidy.landmarks()]
#' @examples
#' set.seed(1)
#' fit <- landmarks(sim_circles(500), 6, bandwidth = 0.3)
#' names(fit)
#' fit$nearest
#' fit$nearest_distance <= fit$spacing
#' @name landmarks-object
NULL

# A fit. `described`: the landmarks as order_and_measure() returns them. `task`: what the user asked for,
# list(method, scale, blueprint, call, started). `history`: how the landmarks were found, in words, one string
# for each step.
new_landmarks <- function(described, source, kernel, task,
                          history = describe_method(task$method, described$used),
                          call = rlang::caller_env()) {
  control <- compute_with(call)
  described[c("kernel", "source")] <- NULL
  described <- measured_in_all(described, source, kernel, call)
  if (!is.null(task$relevance)) described$relevance <- task$relevance * (described$relevance %||% 1)
  described <- in_given_rows(described, source$omitted, source$dim[1])
  sampled <- sample_evenly(source, gap_limits$rows)
  spacing <- row_spacing(sampled, kernel, control)
  joined <- joined_of_fit(described$landmarks, source, spacing, described$response, control, sampled)
  validate_landmarks(structure(
    c(described, if (!is.null(joined)) list(joined = joined), list(
      on_data = lies_on_data(described$nearest_distance, spacing),
      spacing = spacing,
      gaps = find_gaps(described$landmarks, sampled, spacing, control),
      kernel = kernel$profile,
      bandwidth = kernel$bandwidth,
      bandwidth_rule = kernel$rule,
      space = kernel$space,
      method = without_data(task$method),
      history = paste0(history, c(rep("", length(history) - 1), sampled_in_words(source))),
      center = source$center,
      factor = source$factor,
      mean = as.double(source$mean),
      sd = sqrt(as.double(source$variance)),
      scaled = !isFALSE(task$scale),
      weighted = !is.null(source$weights),
      n_rows = as_row_numbers(rows_in_all(source)),
      sparse = source$sparse,
      sampled = is_sample(source),
      blueprint = task$blueprint,
      call = task$call,
      seconds = as.double(proc.time()[["elapsed"]] - task$started),
      version = made_by()
    ), given_as(source)),
    class = "landmarks"
  ))
}

# An error where parts of a fit do not belong together, which would be a fault of this package.
validate_landmarks <- function(fit) {
  parts <- unclass(fit)
  n <- nrow(fit$landmarks)
  each <- c(
    "variance", "explained", "nearest", "nearest_distance", "on_data", "iterations", "moved", "rows", "trace"
  )
  columns <- c("center", "factor", "mean", "sd")
  share <- fit$explained
  stopifnot(
    "landmarks are not finite" = all(is.finite(fit$landmarks)),
    "variance, explained or another part has not a value for each landmark" = lengths(parts[each]) == n,
    "center, factor, mean or sd has not a value for each column" =
      lengths(parts[columns]) == ncol(fit$landmarks),
    "explained is no share" = is.na(share) | (share >= 0 & share <= 1 + 1e-6),
    "nearest is no row" = fit$nearest >= 1 & fit$nearest <= fit$n_rows + length(fit$na.action),
    "the bandwidth is not above 0" = fit$bandwidth > 0 && is.finite(fit$bandwidth)
  )
  fit
}

# Elements of a fit that only some fits have: the rows that were left out for missing values, which matrix of
# an experiment of Bioconductor the data are, and the knots of columns that became normal scores.
given_as <- function(source) {
  parts <- list(na.action = source$omitted, experiment = source$experiment, ranks = source$ranks)
  parts[lengths(parts) > 0]
}

# The `task` of new_landmarks() where a fit is continued to another. Its call repeats all steps: the call of
# the fit replaces the argument `fit`.
task_on_fit <- function(fit, method, name, matched, started) {
  call <- strip_call(matched, name)
  call$fit <- fit$call
  list(
    method = method, scale = fit$scaled, blueprint = fit$blueprint, started = started,
    relevance = fit$relevance, call = call
  )
}

# The kernel of a fit.
fit_kernel <- function(fit) new_kernel(fit$bandwidth, fit$bandwidth_rule, fit$space, profile = fit$kernel)

# The coordinates of the landmarks in the data's units.
landmarks_in_units <- function(fit) {
  if (is.null(fit$ranks)) fit$landmarks else values_of_ranks(fit$landmarks, fit$ranks)
}

# The names of landmarks: L1, L2, ...
landmark_names <- function(fit) paste0("L", seq_len(nrow(fit$landmarks)))

# Whether each landmark has converged. Where steps used all rows, the last one must have moved it by at most
# the method's tolerance, and must have gained next to nothing to first order, as climb_run() has it. Steps on
# random batches do not become that small, and their average is compared with a larger limit.
has_converged <- function(fit) {
  tolerance <- max(if (inherits(fit$method, "by_gp")) fit$method$tolerance else 0.001, 1e-12)
  !is.na(fit$moved) & fit$moved <= (if (isTRUE(fit$exact)) tolerance else 0.05) &
    (fit$gain %||% 0) <= 0.01 * tolerance
}

# ---- the call: names and short constants, never data ---------------------------------

# The most values that an argument may have in the call of a fit.
most_values <- 20

# Arguments whose values are data, however few there are.
data_arguments <- c("x", "y", "data", "points", "weights", "groups", "subset")

# The call of the function `name` without the values of its arguments, which do.call() and rlang::inject() put
# into calls: a name such as `<x>` stands for each. Environments of formulas and source text are left out too.
strip_call <- function(call, name) {
  for (i in seq_along(call)[-1]) {
    part <- call[[i]]
    argument <- names(call)[i]
    if (is.null(part)) next
    short <- if (is.language(part)) {
      !is.null(part <- light_code(part))
    } else {
      is_short_constant(part, 10) && !argument %in% data_arguments
    }
    call[[i]] <- if (short) part else as.name(paste0("<", argument, ">"))
  }
  call[[1]] <- as.name(name)
  call
}

is_short_constant <- function(v, most = 1) {
  is.atomic(v) && length(v) <= most && is.null(attributes(v)) &&
    !(is.character(v) && any(nchar(v) > 200, na.rm = TRUE))
}

# An expression without attributes, or NULL if it has more than `most_values` constants or any other value.
light_code <- function(code) {
  room <- most_values
  bare <- function(e) {
    # A sum of thousands of columns is as many calls deep: a loop goes down first arguments.
    outer <- list()
    while (is.call(e) && length(e) == 3 && is.call(e[[2]])) {
      outer[[length(outer) + 1]] <- e
      e <- e[[2]]
    }
    if (rlang::is_quosure(e)) {
      e <- bare(rlang::quo_get_expr(e))
    } else if (is.call(e) || is.pairlist(e)) {
      parts <- as.list(e)
      # The fourth part of a function is its source text.
      if (is_call_to(e, "function")) parts <- parts[1:3]
      parts <- stats::setNames(lapply(unname(parts), bare), names(parts))
      e <- if (is.call(e)) as.call(parts) else as.pairlist(parts)
    } else if (!rlang::is_missing(e) && !is.name(e)) {
      room <<- if (is_short_constant(e)) room - 1 else -Inf
    }
    for (call in rev(outer)) {
      e <- as.call(stats::setNames(list(bare(call[[1]]), e, bare(call[[3]])), names(call)))
    }
    rlang::maybe_missing(e)
  }
  out <- bare(code)
  if (room >= 0) out
}
