# landmarks() and as_landmarks().

#' Landmarks of data on a manifold
#'
#' `landmarks()` finds `n` points, the landmarks, that represent a data set. Use them to see what kinds of
#' observations there are, as features for a classifier or a regression (`predict()`), or to embed many
#' observations through a few ([embed_landmarks()]). A landmark has the columns of the data and
#' may lie between rows. Landmarks come in order: the first m are chosen greedily among the n. They explain
#' more than most other m of them, and less than m landmarks that are learned as such.
#'
#' The default method, [by_gp()], minimizes over the landmarks \eqn{t_1, \ldots, t_n}{t_1 .. t_n}
#' (Wachinger and Golland, 2015, eq. 1)
#' \deqn{\sum_i v_i (1 - c_i W^{-1} c_i').}{sum_i v_i (1 - c_i W^-1 c_i').}
#' \eqn{c_i} is the row vector of \eqn{K(x_i, t_l) = \exp(-\|x_i - t_l\|^2/\eta)}{K(x_i, t_l) = exp(-||x_i -
#' t_l||^2 / eta)} for row \eqn{x_i}, and \eqn{v_i} its weight. \eqn{W} is the n x n matrix of
#' \eqn{K(t_k, t_l)}, and \eqn{\eta}{eta} the `bandwidth`. This is the variance that a Gaussian process with
#' the kernel K keeps at the rows when its values at the landmarks are known. [gp-criteria] compares it with
#' the criterion of Liang and Paisley (2015), and has the references. To predict a response from the
#' features, use [by_response()].
#'
#' @param x The data, N x d, one observation a row: a matrix, a sparse matrix, a data frame, a formula, data
#'   in files, or an experiment of Bioconductor. See [landmarks-data].
#' @param data For a formula: the data frame with its variables.
#' @param n Number of landmarks, a whole number from 1 to the number of rows of weight above 0. Where it
#'   is missing, [by_dpp_exact()] draws a number.
#' @param method How landmarks are found: [by_gp()] (the default), [by_active()], [by_dpp()],
#'   [by_dpp_exact()], [by_kmeans()], [by_random()], [by_class()], [by_response()], or a name such as `"gp"`.
#' @param bandwidth \eqn{\eta}{eta}, in squared units of the data (after `scale`): a number above 0;
#'   `"variance"`, the default, the sum of the columns' variances; `"median"`, the median squared distance of
#'   two rows; or a multiple such as `"2 * variance"`. See [landmarks-kernel].
#' @param space Where landmarks may lie: `"euclidean"` (anywhere, the default), `"nonnegative"`, `"sphere"`
#'   (norm 1), `"nonnegative_sphere"` (both), or a function(t) that returns the point of the space nearest to
#'   `t`. See [landmarks-kernel].
#' @param weights N numbers of at least 0, or NULL (the default) for equal weights. A row of weight 2 counts
#'   as two rows. See [landmarks-kernel].
#' @param scale `TRUE` (or `"sd"`) divides each column by its standard deviation; landmarks are returned in
#'   the data's units. A column that is constant up to rounding enters no distance; a warning names such
#'   columns whose values differ in new data. `"ranks"` replaces each column by its normal scores, for skewed
#'   columns of a table; see
#'   [landmarks-data]. Default `FALSE`, because pixels and counts share a unit. Spheres require `FALSE`.
#'   With [by_response()], `c("sd", "ranks")` learns both and keeps the one with the smaller loss of held-out
#'   rows. The figures that are told are then slightly too good, because the same rows chose.
#' @param na.action What becomes of rows with missing values: `na.fail`, the default, is an error; `na.omit`
#'   and `na.exclude` leave them out. See [landmarks-data].
#' @param subset For a formula: which rows of `data` to use, as in [lm()]: an expression of its columns that
#'   gives TRUE or FALSE for each row, such as `height > 150`, or numbers of rows. NULL, the default, is all.
#'   Numbers of rows in the fit are those of the subset.
#' @param kernel `"gaussian"` (the default, as in the paper), `"laplace"`, `"matern32"`, `"matern52"` or
#'   `"cauchy"`, see [landmarks-kernel]. With [by_response()] several, of which the one with the smallest loss
#'   of held-out rows is kept.
#' @param threads How many threads compute, a whole number of at least 1. NULL, the default, is at most two.
#'   The result is the same with any number. See [landmarker-options].
#' @param verbose `TRUE` shows progress bars and messages, `FALSE` neither. NULL, the default, shows messages,
#'   and bars in interactive sessions. See [landmarker-options].
#' @param ... Not used; an argument here is an error.
#' @return An object of class `landmarks`, a plain list that `saveRDS()` keeps whole. `coef()` gives the
#'   coordinates, an n x d matrix in the data's units. [landmarks-object] has all parts, [print.landmarks]
#'   explains what is printed, and [landmarker-conditions] lists errors, warnings and messages.
#'
#'   After the same `set.seed()` the result is the same to the last bit, with any number of threads. Between
#'   kinds of processors, and between data in memory and the same data in chunks, usually only digits after
#'   the fifth differ: fits of more than a thousand rows use random batches, whose rows are in single
#'   precision. With a very narrow or very wide bandwidth the steps may end at other landmarks, which are
#'   about as good.
#' @seealso [predict.landmarks()], [plot.landmarks()], [add_landmarks()]; [landmarks-methods] for `fit[1:5]`
#' and `update()`; [cv_landmarks()] to compare methods.
#' @examples
#' set.seed(1)
#' x <- sim_circles(500)
#' fit <- landmarks(x, 15, bandwidth = 0.3)
#' fit
#' summary(fit)
#' round(head(predict(fit, x))[, 1:5], 3)
#'
#' # Digits: nonnegative pixels
#' pixels <- digits$images[1:500, ] / 255
#' fit <- landmarks(pixels, 10, space = "nonnegative")
#' plot_images(fit, dim = c(28, 28))
#'
#' # A data frame: factors become 0/1 columns, and scaling gives all columns one unit
#' landmarks(~ ., data = iris, n = 5, scale = TRUE)
#'
#' # Rows with missing values
#' fit <- landmarks(airquality, 5, scale = TRUE, na.action = na.omit)
#' fit
#' airquality[fit$nearest, ]
#' @export
landmarks <- function(x, ...) UseMethod("landmarks")

#' @rdname landmarks
#' @export
landmarks.default <- function(x, n, method = "gp", bandwidth = "variance", space = "euclidean",
                              weights = NULL, scale = FALSE, na.action = stats::na.fail, ...,
                              kernel = "gaussian", threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  call <- rlang::current_env()
  input <- mold(x, match_method(method), weights, na.action, call)
  fit <- fit_landmarks(input, n, list(
    bandwidth = bandwidth, kernel = kernel, space = space, scale = scale, call = match.call(),
    missing_args = c(scale = missing(scale), bandwidth = missing(bandwidth))
  ))
  if (!is.null(fit$response)) warn_response_column(if (is.data.frame(x)) x else input$x, method$y, call)
  fit
}

#' @rdname landmarks
#' @export
landmarks.formula <- function(x, data, n, method = "gp", bandwidth = "variance",
                              space = "euclidean", weights = NULL, scale = FALSE,
                              na.action = stats::na.fail, subset = NULL, ..., kernel = "gaussian",
                              threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  call <- rlang::current_env()
  input <- mold_formula(
    x, data, match_method(method), rlang::enquo(weights), rlang::enquo(subset), na.action, call
  )
  fit_landmarks(input, n, list(
    bandwidth = bandwidth, kernel = kernel, space = space, scale = scale, call = match.call(),
    missing_args = c(scale = missing(scale), bandwidth = missing(bandwidth))
  ))
}

#' Landmarks of cells
#'
#' A method of [landmarks()] for a SummarizedExperiment or a SingleCellExperiment of Bioconductor. Its
#' columns, the cells or samples, are the observations, and its features, the genes, are the columns of the
#' fit. So the data are `t(assay(x))`. Sparse assays stay sparse. Assays in files (DelayedMatrix) are read
#' part by part.
#'
#' Distances over thousands of genes are mostly noise. For cells, use `dimred = "PCA"` where the object has
#' principal components.
#'
#' The fit keeps which assay or reduced dimension it was learned from. `predict()`, [nearest_observations()],
#' [sketch_rows()], [add_landmarks()] and the other functions that take data for a fit take an experiment as
#' well, and use the same. New cells need the same genes, by name; or, for a reduced dimension, coordinates in
#' the same space. A function that has no fit, [cv_landmarks()] for example, takes the assay `"logcounts"`,
#' else the first.
#'
#' @param x A SummarizedExperiment or a SingleCellExperiment of N columns, the observations.
#' @param n Number of landmarks.
#' @param ... Further arguments of [landmarks()], by name.
#' @param assay Name or number of the assay to use. NULL, the default, is `"logcounts"` where there is one,
#'   because counts of cells differ in depth. Otherwise it is the first assay, and a message
#'   (`landmarker_message_assay`) says so, once in a session.
#' @param dimred Name of a reduced dimension to use in place of an assay, such as `"PCA"`, for a
#'   SingleCellExperiment. NULL, the default, uses an assay.
#' @return An object of class `landmarks`, see [landmarks()], with another part `experiment`, a list of
#'   `assay` and `dimred`.
#' @section Errors:
#' An assay or a reduced dimension that the experiment does not have is an error of class
#' `landmarker_error_assay`.
#' @examplesIf interactive() && requireNamespace("SingleCellExperiment", quietly = TRUE)
#' set.seed(1)
#' counts <- matrix(rpois(50 * 200, rep(1:4, each = 50 * 50)), 50, 200)
#' rownames(counts) <- paste0("gene", 1:50)
#' assays <- list(counts = counts, logcounts = log1p(counts))
#' cells <- SingleCellExperiment::SingleCellExperiment(assays)
#' fit <- landmarks(cells, n = 4)
#' fit
#' dim(predict(fit, cells))
#' # Four cells to keep
#' cells[, sketch_rows(fit, cells)]
#' @export
landmarks.SummarizedExperiment <- function(x, n, ..., assay = NULL, dimred = NULL) {
  call <- rlang::current_env()
  choice <- check_experiment(x, list(assay = assay, dimred = dimred), "x", call, tell = TRUE)
  fit <- landmarks(experiment_rows(x, choice, "x", call), n, ...)
  fit$experiment <- choice
  fit$call <- strip_call(match.call(), "landmarks")
  fit
}

# ---- from the arguments to a fit -----------------------------------------------------

# The fit of all methods of landmarks(). `input`: see mold(). `task`: a list of the other arguments, the
# `call`, and `missing_args`, which says whether the user has left out `scale` and `bandwidth`.
fit_landmarks <- function(input, n, task, call = rlang::caller_env()) {
  task$started <- proc.time()[["elapsed"]]
  task$blueprint <- input$blueprint
  method <- input$method
  if (!missing(n)) {
    n <- check_count(n, "n", call = call)
  } else if (method_can(method, "chooses_size")) {
    n <- NULL
  } else {
    abort_input(c("{.arg n}, the number of landmarks, must be given.", i = "For example {.code n = 50}."),
      arg = "n", call = call
    )
  }
  task$call <- strip_call(task$call, "landmarks")
  task$space <- check_space(task$space, call)
  scale <- task$scale
  scale <- if (is.character(scale) && length(scale) > 1) scale else list(scale)
  choices <- list(
    scale = unique(lapply(scale, check_scale, task$space, call)), kernel = check_kernels(task$kernel, call)
  )
  several <- names(choices)[lengths(choices) > 1]
  if (length(several) == 0) return(with_memory_errors(fit_choice(choices, input, n, task, call), call))
  if (!isTRUE(method$held_out > 0)) {
    arg <- several[1]
    abort_input(c(
      "Several values of {.arg {arg}} need rows that are held out to choose by, as {.fn by_response} has.",
      x = "{.arg {arg}} is {describe(task[[arg]])}.",
      i = if (arg == "scale") "Give one value, or compare them with {.code cv_landmarks(scale = )}.",
      i = if (arg == "kernel") "Give one value, or {.code method = by_response()}."
    ), arg = arg, call = call)
  }
  # All start from the same random numbers, so that the same rows are held out.
  start_stream()
  restore <- keep_stream()
  grid <- expand.grid(choices, stringsAsFactors = FALSE)
  fits <- with_memory_errors(lapply(seq_len(nrow(grid)), function(i) {
    restore()
    fit_choice(lapply(grid, `[`, i), input, n, task, call)
  }), call)
  fits[[which.min(vapply(fits, function(fit) fit$response$held_out$loss %||% Inf, 0))]]
}

# The fit with one scale and one kernel, `choice`.
fit_choice <- function(choice, input, n, task, call) {
  task$scale <- choice$scale[[1]]
  source <- as_source(input$x, input$weights, task$scale, call = call)
  source$omitted <- input$omitted
  method <- task$method <- method_of_sample(input$method, source, call)
  if (task$missing_args[["scale"]]) inform_units(source, task$space, call)
  if (!is.null(n)) {
    check_rank(n, source, call)
    check_fit_memory(n, source, call)
  }
  # Where the data lie outside the space, a warning says so, and none that landmarks are off the data.
  outside <- FALSE
  withCallingHandlers(
    check_in_space(source, task$space, call), landmarker_warning_space = function(w) outside <<- TRUE
  )
  # Where the user gave no bandwidth, the method may learn another.
  kernel <- find_kernel(
    task$bandwidth, source, n, task$space, task$missing_args[["bandwidth"]], call, choice$kernel[[1]]
  )
  warn_heavy_row(method, source, call)
  described <- fit_selector(method, source, n, kernel, call = call)
  fit <- new_landmarks(described, described$source, described$kernel, task, call = call)
  # Landmarks that were moved to predict a response need not be near the data.
  if (!outside && is.null(fit$response)) warn_off_data(fit, call)
  warn_no_better(fit, call)
  fit
}

# A warning where one row has so much of all weight that a method which takes steps on random rows learns
# something else whenever it misses this row. Up to so many rows these methods use all.
warn_heavy_row <- function(method, source, call, all_rows = 1000, share = 0.05) {
  v <- source$weights
  if (is.null(v) || !inherits(method, c("by_gp", "by_response"))) return(invisible())
  heaviest <- which.max(v)
  if (sum(v > 0) <= all_rows || v[heaviest] <= share * sum(v)) return(invisible())
  warn_user(c(
    "Row {heaviest} has {percent(v[heaviest] / sum(v))} of all weight.",
    x = "Steps on random rows may miss this row, so that other seeds give other landmarks.",
    i = "Use {.code method = by_kmeans()}, whose steps use all rows, or compare several seeds."
  ), kind = "weights", call = call)
}

# ---- points of the user --------------------------------------------------------------

#' Landmarks from your own coordinates
#'
#' `as_landmarks()` makes a fit, as [landmarks()] does, from points that you give: centers of another method,
#' prototypes, a grid. Use it to compare them with learned landmarks, or to use `predict()`, plots and
#' embeddings with them. Their order is kept. A point that adds nothing to the features of the points before
#' it (a repeated point, for example) is kept with variance 0.
#'
#' @param points Numeric matrix or data frame, n x d: one landmark a row, with the columns and in the units
#'   of the data.
#' @inheritParams landmarks
#' @param x The data, as in [landmarks()]. The variances, nearest rows and the rules for `bandwidth` are
#'   computed from them.
#' @return An object of class `landmarks`.
#' @examples
#' x <- sim_circles(400)
#' grid <- as.matrix(expand.grid(x = c(-1, 0, 1), y = c(-1, 0, 1)))
#' as_landmarks(grid, x, bandwidth = 0.5)
#' @export
as_landmarks <- function(points, x, bandwidth = "variance", space = "euclidean", weights = NULL,
                         scale = FALSE, na.action = stats::na.fail, kernel = "gaussian", threads = NULL,
                         verbose = NULL) {
  started <- proc.time()[["elapsed"]]
  local_compute(threads, verbose)
  call <- rlang::current_env()
  space <- check_space(space)
  scale <- check_scale(scale, space)
  profile <- check_choice(kernel, kernel_names, "kernel")
  check_given(points, "points")
  check_given(x, "x")
  method <- new_method("as_landmarks", list())
  input <- mold(x, method, weights, na.action, call)
  if (is.data.frame(points)) {
    points <- if (is.null(input$blueprint)) {
      plain_frame(points, "points", call)
    } else {
      frame_matrix(input$blueprint, points, call, "points")
    }
  }
  points <- check_data(points, "points", call)
  source <- as_source(input$x, input$weights, scale)
  source$omitted <- input$omitted
  points <- points_of_user(as.matrix(points), source, space, "points", call)
  n <- nrow(points)
  check_fit_memory(n, source, call, "points")
  kernel <- find_kernel(bandwidth, source, space = space, profile = profile)
  described <- with_memory_errors(order_and_measure(selection(points), source, kernel, n, n, call), call)
  fit <- new_landmarks(described, source, kernel, list(
    method = method, scale = scale, blueprint = input$blueprint,
    call = strip_call(match.call(), "as_landmarks"), started = started
  ))
  if (!any(fit$on_data)) {
    warn_user(c(
      "None of the {nrow(fit$landmarks)} point{?s} is on the data.",
      x = "Each is farther from every row of {.arg x} than rows are from each other.",
      i = "Give {.arg points} in the units of {.arg x}, with the same columns in the same order."
    ), kind = "off_data", call = call)
  }
  fit
}

#' @export
format.as_landmarks <- function(x, ...) "points of your own"

# ---- for recipes and parsnip ---------------------------------------------------------

# landmarks() with arguments that are values. In its call they are names, as strip_call() would make them.
landmarks_of_values <- function(arguments) {
  long <- !vapply(arguments, is_short_constant, NA)
  values <- stats::setNames(arguments, paste0("<", names(arguments), ">"))
  arguments[long] <- lapply(names(values)[long], as.name)
  do.call("landmarks", arguments, envir = list2env(values, parent = environment()))
}

# A number of landmarks of a model or a step, whose tuned values do not know how many rows there are.
at_most_rows <- function(n, rows, arg, call) {
  if (!is_number(n) || n <= rows || rows == 0) return(n)
  warn_user(
    "{.arg {arg}} is {n}, and there are {rows} training rows: {rows} landmark{?s} {?is/are} used.",
    kind = "rank", call = call
  )
  rows
}
