# From landmarks in order to a fit, the plain list of class `landmarks`; and small functions of a fit that
# other files use.

#' Components of a fit
#'
#' [landmarks()], [add_landmarks()], [refine_landmarks()] and [as_landmarks()] return an object of class
#' `landmarks`: a plain list that describes n landmarks in d columns. `fit$nearest` extracts a component, and
#' `saveRDS()` stores the fit completely. The fit does not contain the N rows of data. `length(fit)` is n
#' (see [landmarks-methods]).
#'
#' @section Components with a value for each landmark:
#' Values are in the order of the landmarks.
#'
#' * `landmarks`: the coordinates, a numeric n x d matrix in the units of the data, or of normal scores with
#'   `scale = "ranks"`. `coef()` always gives the units of the data.
#' * `variance`: the posterior variance \eqn{V_{l-1}(t_l)}{V_(l-1)(t_l)} of landmark l given the landmarks
#'   before it, for the process of Liang and Paisley (see [gp-criteria]).
#' * `explained`: the proportion of the trace of the kernel matrix that the landmark and those before it
#'   explain. See [print.landmarks].
#' * `nearest`, `nearest_distance`: the index of the nearest row with positive weight, and its distance, after
#'   `scale`.
#' * `on_data`: whether `nearest_distance` is at most `spacing`. See [print.landmarks].
#' * `iterations`: the number of steps that moved the landmark.
#' * `moved`: the length of the last step, in units of \eqn{\sqrt\eta}{sqrt(eta)}; NA for methods that do not
#'   move landmarks. See [print.landmarks].
#' * `rows`: the row index of a landmark that is a row of the data, else NA.
#' * `trace`: see [by_active()]; NA for other methods.
#' * `covariance`: local covariances in the units of the data, an n x d matrix or a d x d x n array, see
#'   [by_dpp()]; NULL for other methods.
#'
#' @section Other components:
#' * `log_det`: \eqn{\log\det G}{log det G}, see [gp-criteria]. If \eqn{N n^2} exceeds 1e8, `log_det`,
#'   `variance` and `explained` are estimated from a sample of rows.
#' * `between`: the proportion of variance between clusters, see [print.landmarks]. NA if all rows are equal,
#'   and for a selection of the landmarks. `spacing`: a typical distance between rows, see [print.landmarks].
#' * `gaps`: an integer matrix with columns `low` and `high`: pairs of neighboring landmarks without data
#'   between them, see [graph-shortcuts].
#' * `joined`: the graph through the data, which [landmark_graph()] uses. Absent with fewer than three
#'   landmarks or few rows, for [by_response()], and for a selection of the landmarks.
#' * `kernel`, `bandwidth`: the name of the kernel, and \eqn{\eta}{eta}. `bandwidth_rule`: a description of
#'   the rule, or NULL.
#' * `space`, `method`: as given. `history`: a description of each step that led to the fit.
#' * `used`: a list of numbers that the method determined, such as defaults of its options, if any.
#' * `response`: the regression of [by_response()]. Absent for other methods.
#' * `na.action`: the indices of rows that were dropped, see [landmarks-data], if there are any.
#' * `mean`, `sd`: the means and standard deviations of the columns, vectors of length d.
#' * `center`, `factor`: vectors of length d. Distances are those of `(x - center) * factor`. With `scale`,
#'   the factor of a constant column is 0.
#' * `relevance`: the relevance weights (ARD weights) of the columns estimated by [by_response()], a vector
#'   of length d, if there are any. `factor` includes them.
#' * `ranks`: with `scale = "ranks"`, the knots of the transformation: a list of values and their normal
#'   scores for each column. Other components then refer to the scores.
#' * `blueprint`: how a data frame is converted to a matrix, or NULL. `experiment`: the assay, see
#'   [landmarks.SummarizedExperiment()].
#' * `n_rows`: the number of rows N. `scaled`, `weighted`, `sparse`: logical. `sampled`: whether the
#'   landmarks were last computed from a sample of the rows.
#' * `exact`: whether the last call that moved landmarks used all rows (of the sample) in every step, instead
#'   of random batches. `gain`: the relative decrease of the approximation error in the last step, to first
#'   order, if a step used all rows. `tolerance`: that of [refine_landmarks()], if it was the last step.
#' * `call`: the call. `seconds`: the elapsed time. `version`: the version of the package.
#'
#' @section Order:
#' Landmarks are sorted greedily by the criterion of their method. For the trace criterion, the first landmark
#' is the one with the smallest approximation error, the second gives the smallest error together with the
#' first, and so on. `fit[1:m]` usually has a somewhat larger error than `landmarks(x, m)`, and a much larger
#' one if the error of the whole fit is near 0. Exceptions: [by_dpp()], [by_random()] and
#' `by_kmeans(max_iterations = 0)` keep the order in which landmarks were drawn; `by_gp("sequential")`,
#' `by_gp("sgd")` and [by_active()] keep the order in which landmarks were found; and [as_landmarks()] and
#' [by_response()] keep theirs.
#'
#' @section Fits from files:
#' A formula in a fit contains code, which `predict()` and other functions with new data evaluate; `update()`
#' evaluates its call. Use only fits that you trust. Functions without new data, such as `print()` and
#' `plot(fit)`, do not evaluate such code.
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
  if (is_sample(source)) {
    last <- length(history)
    history[last] <- paste0(history[last], ", from a sample of ", how_many(source$dim[1], "row"))
  }
  sampled <- sample_evenly(source, gap_limits$rows)
  spacing <- row_spacing(sampled, kernel, control)
  # Elements that only some fits have.
  more <- list(
    joined = joined_of_fit(described$landmarks, source, spacing, described$response, control, sampled),
    na.action = source$omitted, experiment = source$experiment, ranks = source$ranks
  )
  validate_landmarks(structure(c(described, more[lengths(more) > 0], list(
    # A tolerance for rounding, as between the points of a grid.
    on_data = described$nearest_distance <= spacing * (1 + 1e-9),
    spacing = spacing,
    gaps = find_gaps(described$landmarks, sampled, spacing, control),
    kernel = kernel$profile, bandwidth = kernel$bandwidth, bandwidth_rule = kernel$rule, space = kernel$space,
    method = without_data(task$method), history = history,
    center = source$center, factor = source$factor,
    mean = as.double(source$mean), sd = sqrt(as.double(source$variance)),
    scaled = !isFALSE(task$scale), weighted = !is.null(source$weights), sparse = source$sparse,
    n_rows = as_row_numbers(rows_in_all(source)), sampled = is_sample(source),
    blueprint = task$blueprint, call = task$call,
    seconds = as.double(proc.time()[["elapsed"]] - task$started), version = made_by()
  )), class = "landmarks"))
}

# An error if parts of a fit do not belong together, which would be a fault of this package.
validate_landmarks <- function(fit) {
  flaw <- flaw_of(fit)
  if (length(flaw)) stop("internal error of landmarker, please report it: invalid part of a fit: ", flaw)
  fit
}

#' @export
flaw_of.landmarks <- function(x) {
  x <- unclass(x)
  at <- x$landmarks
  if (!is.numeric(at) || !is.matrix(at) || !all(is.finite(at))) return("landmarks")
  one <- c("bandwidth", "scaled", "weighted", "sparse", "n_rows", "sampled", "seconds", "log_det")
  columns <- c("center", "factor", "mean", "sd")
  each <- c(of_each, "variance", "explained", "nearest", "nearest_distance", "on_data")
  parts <- c(one, columns, each)
  sizes <- rep(c(1, ncol(at), nrow(at)), lengths(list(one, columns, each)))
  # These are NA if they are unknown.
  unknown <- c("log_det", of_each, "variance", "explained")
  sound <- vapply(seq_along(parts), function(k) {
    v <- x[[parts[k]]]
    (is.numeric(v) || is.logical(v)) && length(v) == sizes[k] && (parts[k] %in% unknown || !anyNA(v))
  }, NA)
  bad <- c(
    parts[!sound], if (!rlang::is_string(x$kernel, kernel_names)) "kernel",
    if (!is.function(x$space) && !rlang::is_string(x$space, space_names)) "space",
    if (!is.list(x$method)) "method",
    if (!is.null(x$response) && NROW(x$response$coefficients) <= nrow(at)) "response"
  )
  if (length(bad)) return(bad[1])
  # An infinite bandwidth, a share above 1, an index of no row.
  proportion <- is.na(x$explained) | (x$explained >= 0 & x$explained <= 1 + 1e-6)
  row <- x$nearest >= 1 & x$nearest <= x$n_rows + length(x$na.action)
  if (!(x$bandwidth > 0 && is.finite(x$bandwidth))) return("bandwidth")
  if (!all(row)) "nearest" else if (!all(proportion)) "explained"
}

# A description of landmarks that were learned from a sample, measured over all rows that it stands for. A
# sample of all rows needs no second pass.
measured_in_all <- function(described, source, kernel, call) {
  if (!is_sample(source)) return(described)
  whole <- source$whole
  n <- nrow(described$landmarks)
  sums <- function(source, landmarks, kernel, settings) {
    share <- min(1, gram_rows(n) / whole$rows)
    nystrom_of_chunks(whole$plan, landmarks, source, kernel, settings, call, share)
  }
  found <- c(unclass(described), criterion = "trace")
  # The first pass has warned of columns that vary.
  again <- suppressWarnings(
    order_and_measure(found, source, kernel, n, n, call, sums), classes = "landmarker_warning_constant"
  )
  described[names(again)] <- again
  held_out <- described$response$held_out$index
  if (!is.null(held_out)) described$response$held_out$index <- as_row_numbers(whole$numbers[held_out])
  described
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

# The regression of a fit belongs to all of its landmarks, and where they are.
inform_dropped_response <- function() {
  inform_user(c(
    "The fit's response is dropped: its coefficients hold only for the landmarks it was learned with.",
    i = "{.code refine_landmarks(fit, x, y = y)} optimizes landmarks and a regression jointly."
  ), "response", once = NULL)
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
  of_method <- if (inherits(fit$method, "by_gp")) fit$method$tolerance else 0.001
  tolerance <- max(fit$tolerance %||% of_method, 1e-12)
  !is.na(fit$moved) & fit$moved <= (if (isTRUE(fit$exact)) tolerance else 0.05) &
    (fit$gain %||% 0) <= 0.01 * tolerance
}

# The first three of some words, and how many more there are.
first_and_more <- function(words) {
  toString(c(utils::head(words, 3), if (length(words) > 3) paste(length(words) - 3, "more")))
}

# ---- variances -----------------------------------------------------------------------

# The variances of a fit in the order of its landmarks. If the fit does not have them, they are computed from
# the data.
known_variance <- function(fit, source, kernel, control) {
  if (!anyNA(fit$variance)) return(fit$variance)
  greedy_order(fit$landmarks, source, kernel, nrow(fit$landmarks), "trace", control)$pivot / source$dim[1]
}

# An error if a fit does not have its variances.
check_known_variance <- function(fit, arg, call = rlang::caller_env()) {
  check_that(!anyNA(fit$variance), fit, arg, "have the variances of its landmarks", "fit", call,
    "{.code refine_landmarks(fit, x, 0)} computes them.",
    "They are unknown: {.code fit[i]} keeps them only if it has the first landmarks of {.code fit}."
  )
}

# ---- the call: names and short constants, never data ---------------------------------

# The call of the function `name` without the values of its arguments, which do.call() and rlang::inject() put
# into calls: a name such as `<x>` stands for each. Environments of formulas and source text are left out too.
strip_call <- function(call, name) {
  # Arguments whose values are data, however few there are.
  data <- c("x", "y", "data", "points", "weights", "groups", "subset")
  for (i in seq_along(call)[-1]) {
    part <- call[[i]]
    argument <- names(call)[i]
    if (is.null(part)) next
    if (is.language(part)) part <- light_code(part)
    short <- is.language(part) || is_short_constant(part, 10) && !argument %in% data
    call[[i]] <- if (short) part else as.name(paste0("<", argument, ">"))
  }
  call[[1]] <- as.name(name)
  call
}

is_short_constant <- function(v, most = 1) {
  is.atomic(v) && length(v) <= most && is.null(attributes(v)) &&
    !(is.character(v) && any(nchar(v) > 200, na.rm = TRUE))
}

# An expression without attributes, or NULL if it has more than 20 constants or any other value. A formula is
# not searched: one of thousands of columns is as many calls deep.
light_code <- function(code) {
  constants <- 0
  bare <- function(e) {
    if (rlang::is_quosure(e)) e <- rlang::quo_get_expr(e)
    # The fourth part of a function is its source text.
    if (is_call_to(e, "function")) e <- e[1:3]
    if (is.call(e) || is.pairlist(e)) {
      attributes(e) <- list(names = names(e))
      if (is_call_to(e, "~")) return(e)
      as_before <- if (is.pairlist(e)) as.pairlist else identity
      for (k in seq_along(e)) if (!rlang::is_missing(e[[k]])) e[k] <- list(bare(e[[k]]))
      e <- as_before(e)
    } else if (!is.name(e)) {
      constants <<- if (is_short_constant(e)) constants + 1 else Inf
    }
    e
  }
  out <- bare(code)
  if (constants <= 20) out
}
