# landmarks() and as_landmarks().

#' Find landmarks in data
#'
#' `landmarks()` finds `n` points, the landmarks, that summarize a data set. Landmarks are also known as
#' inducing points, pseudo-inputs, centers or prototypes. A landmark has a value for each column of the data,
#' and need not be a row. Use landmarks as representative observations, as a basis of kernel features for
#' other models ([predict.landmarks()]), as centers of a radial basis function network ([by_response()]), or
#' to embed large data sets ([embed_landmarks()]).
#'
#' The default method, [by_gp()], minimizes the average posterior variance, over the rows, of a Gaussian
#' process that is observed at the landmarks. Equivalently, it minimizes the trace-norm error of the Nystrom
#' approximation of the kernel matrix (Wachinger and Golland, 2015). [gp-criteria] has the equation.
#'
#' By default, landmarks are sorted greedily: each one improves the criterion most, given those before it.
#' Thus `fit[1:m]` is a good set of m landmarks, although `landmarks(x, m)` finds a better one.
#'
#' @param x Data with N rows (observations) and d columns: a matrix, a sparse matrix, a data frame, a
#'   formula, data in files, or a `SummarizedExperiment` of Bioconductor. See [landmarks-data].
#' @param data For a formula: the data frame with its variables.
#' @param n Number of landmarks, an integer from 1 to the number of rows with positive weight. Required except
#'   with [by_dpp_exact()], where the number of landmarks is random if `n` is not given.
#' @param method How landmarks are found: [by_gp()] (the default), [by_active()], [by_dpp()],
#'   [by_dpp_exact()], [by_kmeans()], [by_random()], [by_class()], [by_response()], or a name such as `"gp"`.
#' @param bandwidth The squared length scale \eqn{\eta}{eta} of the kernel: a positive number, or a rule. The
#'   default kernel is \eqn{\exp(-\|x - t\|^2 / \eta)}{exp(-||x - t||^2 / eta)}, with distances computed after
#'   the columns are scaled (see `scale`). `"variance"`, the default, is the sum
#'   of the variances of the columns, and `"median"` the median squared distance between rows. If the kernel
#'   is so wide that the features of `n` landmarks are numerically collinear, these two rules give a smaller
#'   bandwidth; a multiple such as `"2 * variance"` is never reduced. If `bandwidth` is not given,
#'   [by_response()] estimates it from the data. See [landmarks-kernel].
#' @param space Constraint set for the landmarks: `"euclidean"` (none, the default), `"nonnegative"`,
#'   `"sphere"` (norm 1), `"nonnegative_sphere"` (both), or a function that returns the point of the set
#'   nearest to its argument. See [landmarks-kernel].
#' @param weights Case weights, N numbers of at least 0; with a formula it may be a column of `data`. Default
#'   NULL: equal weights. See [landmarks-kernel].
#' @param scale `TRUE` (or `"sd"`) divides each column by its standard deviation before distances are
#'   computed. Landmarks are returned in the units of the data. Constant columns are ignored. `"ranks"`
#'   replaces each column by its normal scores, which suits skewed columns; see [landmarks-data]. The default,
#'   `FALSE`, suits columns in one unit, such as pixels or counts. If `space` is a sphere, `scale` must be
#'   `FALSE`; `"ranks"` needs `space = "euclidean"`. With [by_response()], `c("sd", "ranks")` fits both and
#'   keeps the one with the smaller loss on held-out rows. The reported accuracy is then slightly optimistic,
#'   because the scale is selected on the same rows.
#' @param na.action How missing values are handled: `na.fail`, the default, stops with an error; `na.omit` and
#'   `na.exclude` drop rows with missing values. Row indices in the fit refer to the data
#'   before rows are dropped. See [landmarks-data].
#' @param subset For a formula: the rows of `data` to use, as in [lm()], a logical expression such as
#'   `height > 150`, or row indices. Row indices in the fit, such as its component `nearest`, refer to the
#'   rows of the subset, not of `data`.
#' @param kernel `"gaussian"` (the default), `"laplace"`, `"matern32"`, `"matern52"` or `"cauchy"`; see
#'   [landmarks-kernel]. With [by_response()], several may be given: the one with the smallest loss on
#'   held-out rows is kept.
#' @param threads Number of threads, at least 1. Default NULL: at most two. It does not affect the result.
#'   See [landmarker-options].
#' @param verbose `TRUE` shows progress bars and messages, `FALSE` hides both. Default NULL: messages, and
#'   progress bars in interactive sessions. See [landmarker-options].
#' @param ... Not used; further arguments are an error.
#' @return An object of class `landmarks`, a plain list that can be saved by `saveRDS()`. `coef()` gives
#'   the coordinates, an n x d matrix in the units of the data. [landmarks-object] lists all components,
#'   [print.landmarks] explains the printed summary, and [landmarker-conditions] lists errors and warnings.
#'
#'   After `set.seed()` the result is reproducible to the last bit, for any number of threads. On another type
#'   of processor, or with data in chunks instead of in memory, it usually agrees to five digits; with a very
#'   narrow or wide bandwidth the optimizer may find another solution of similar quality.
#' @section Choice of method and n:
#' Use [by_gp()] for most purposes, [by_kmeans()] for prototypes that are averages of rows, [by_active()] for
#' landmarks that are rows, [by_dpp()] for random rows that are far apart, and [by_response()] to predict a
#' response. `plot(fit, type = "error")` shows the approximation error against the number of landmarks, as in
#' a scree plot. For prediction, [cv_landmarks()] compares methods, bandwidths and numbers of landmarks. The
#' time of [by_gp()] grows linearly with n if there are few landmarks and many columns, and quadratically
#' otherwise. See `?`[choosing] for the time and memory of all methods.
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
#' # A data frame: factors become indicator columns, and columns are scaled
#' landmarks(~ ., data = iris, n = 5, scale = TRUE)
#'
#' # Missing values
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
    bandwidth = bandwidth, kernel = kernel, space = space, scale = scale,
    call = strip_call(match.call(), "landmarks"),
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
    bandwidth = bandwidth, kernel = kernel, space = space, scale = scale,
    call = strip_call(match.call(), "landmarks"), arg = "data",
    missing_args = c(scale = missing(scale), bandwidth = missing(bandwidth))
  ))
}

#' Landmarks of Bioconductor experiments
#'
#' A method of [landmarks()] for a SummarizedExperiment or a SingleCellExperiment. The columns of the
#' experiment (cells or samples) are the observations, and its features (genes) are the columns of the fit:
#' the data are `t(assay(x))`. Sparse assays stay sparse, and assays in files (DelayedMatrix) are read in
#' blocks.
#'
#' Distances over thousands of genes are mostly noise. For cells, use `dimred = "PCA"` if the object has
#' principal components.
#'
#' The fit stores which assay or reduced dimension it used. `predict()`, [nearest_observations()],
#' [sketch_rows()], [add_landmarks()] and other functions that take a fit and data accept an experiment too,
#' and use the same assay. New cells need the same genes, matched by name, or the same reduced dimension.
#' Functions without a fit, such as [cv_landmarks()], use the assay `"logcounts"` if there is one, else the
#' first.
#'
#' @param x A SummarizedExperiment or a SingleCellExperiment with N columns, the observations.
#' @param n Number of landmarks.
#' @param ... Further arguments of [landmarks()], by name.
#' @param assay Name or index of the assay. Default NULL: `"logcounts"` if there is one, because counts
#'   depend on sequencing depth, else the first assay, with a message (`landmarker_message_assay`).
#' @param dimred Name of a reduced dimension of a SingleCellExperiment, such as `"PCA"`, to use instead of an
#'   assay.
#' @return An object of class `landmarks`, see [landmarks()], with the additional component `experiment`, a
#'   list of `assay` and `dimred`. An unknown assay or reduced dimension is an error of class
#'   `landmarker_error_assay`.
#' @examplesIf interactive() && requireNamespace("SingleCellExperiment", quietly = TRUE)
#' set.seed(1)
#' counts <- matrix(rpois(50 * 200, rep(1:4, each = 50 * 50)), 50, 200)
#' rownames(counts) <- paste0("gene", 1:50)
#' assays <- list(counts = counts, logcounts = log1p(counts))
#' cells <- SingleCellExperiment::SingleCellExperiment(assays)
#' fit <- landmarks(cells, n = 4)
#' fit
#' dim(predict(fit, cells))
#' # Keep four representative cells
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
# `call`, the name of the data (`arg`) if it is not `x`, and `missing_args`, which says whether the user has
# left out `scale` and `bandwidth`.
fit_landmarks <- function(input, n, task, call = rlang::caller_env()) {
  task$started <- proc.time()[["elapsed"]]
  task$blueprint <- input$blueprint
  method <- input$method
  if (missing(n) && !method_can(method, "chooses_size")) {
    abort_input("{.arg n}, the number of landmarks, must be given.", arg = "n", call = call)
  }
  n <- if (!missing(n)) check_count(n, "n", call = call)
  task$space <- check_space(task$space, call)
  scale <- if (is.character(task$scale) && length(task$scale) > 1) task$scale else list(task$scale)
  choices <- list(
    scale = unique(lapply(scale, check_scale, task$space, call)), kernel = check_kernels(task$kernel, call)
  )
  several <- names(choices)[lengths(choices) > 1]
  if (length(several) == 0) return(fit_choice(choices, input, n, task, call))
  check_that(isTRUE(method$held_out > 0), task[[several[1]]], several[1],
    "one value, unless {.fn by_response} chooses among several on held-out rows", call = call,
    remedy = "{.fn cv_landmarks} compares several."
  )
  # All start from the same random numbers, so that the same rows are held out.
  if (is.null(globalenv()$.Random.seed)) stats::runif(1)
  restore <- keep_stream()
  grid <- expand.grid(choices, stringsAsFactors = FALSE)
  fits <- lapply(seq_len(nrow(grid)), function(i) {
    restore()
    fit_choice(lapply(grid, `[`, i), input, n, task, call)
  })
  fits[[which.min(vapply(fits, function(fit) fit$response$held_out$loss %||% Inf, 0))]]
}

# The fit with one scale and one kernel, `choice`.
fit_choice <- function(choice, input, n, task, call) {
  task$scale <- choice$scale[[1]]
  source <- as_source(input$x, input$weights, task$scale, task$arg %||% "x", call)
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
  tune <- task$missing_args[["bandwidth"]]
  kernel <- find_kernel(task$bandwidth, source, n, task$space, tune, call, choice$kernel[[1]])
  described <- fit_selector(method, source, n, kernel, call = call)
  fit <- new_landmarks(described, described$source, described$kernel, task, call = call)
  # Landmarks that were moved to predict a response need not be near the data.
  if (!outside && is.null(fit$response)) warn_off_data(fit, call)
  warn_no_better(fit, call)
  fit
}

# ---- points of the user --------------------------------------------------------------

#' Use given points as landmarks
#'
#' `as_landmarks()` makes a fit, as [landmarks()] does, from points that you supply: centers of another
#' clustering method, prototypes, or a grid. Use it to compare them with other landmarks, or to use
#' `predict()`, plots and embeddings with them. The order of the points is kept. A redundant point, such as a
#' duplicate, is kept with variance 0.
#'
#' @param points Numeric matrix or data frame, n x d, with a landmark in each row, in the columns and units
#'   of the data.
#' @inheritParams landmarks
#' @param bandwidth,scale,kernel As in [landmarks()], a single value each.
#' @param x The data, as in [landmarks()]. Variances, nearest rows and the bandwidth rules are computed from
#'   them.
#' @return An object of class `landmarks`.
#' @examples
#' x <- sim_circles(400)
#' grid <- as.matrix(expand.grid(x = c(-1, 0, 1), y = c(-1, 0, 1)))
#' as_landmarks(grid, x, bandwidth = 0.5)
#' @export
as_landmarks <- function(points, x, bandwidth = "variance", space = "euclidean", weights = NULL,
                         scale = FALSE, na.action = stats::na.fail, kernel = "gaussian", threads = NULL,
                         verbose = NULL) {
  local_compute(threads, verbose)
  call <- rlang::current_env()
  check_given(points, "points")
  method <- new_landmark_method("as_landmarks", chooses_size = TRUE)
  input <- mold(x, method, weights, na.action, call)
  if (is.data.frame(points) && !is.null(input$blueprint)) {
    points <- frame_matrix(input$blueprint, points, call, "points")
  }
  input$method$points <- as.matrix(check_data(points, "points", call))
  fit <- fit_landmarks(input, task = list(
    bandwidth = bandwidth, kernel = kernel, space = space, scale = scale,
    call = strip_call(match.call(), "as_landmarks"), missing_args = c(scale = FALSE, bandwidth = FALSE)
  ))
  fit$method <- method
  fit
}

#' @export
format.as_landmarks <- function(x, ...) "user-supplied points"

#' @export
select_landmarks.as_landmarks <- function(method, source, n, kernel, fixed, call) {
  points <- points_of_user(method$points, source, kernel$space, "points", call)
  check_fit_memory(nrow(points), source, call, "points")
  landmark_selection(points, ordered = TRUE)
}

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
    "{.arg {arg}} ({n}) exceeds the number of training rows: {rows} landmark{?s} {?is/are} used.",
    kind = "rank", call = call
  )
  rows
}
