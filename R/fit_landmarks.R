# landmarks(): its help page and its methods. fit_learn.R has what all of them call.

#' Landmarks of data on a manifold
#'
#' `landmarks()` finds `n` points, the landmarks, that represent a data set. Use them to see what kinds of
#' observations there are, to turn data into features for a classifier or a regression (`predict()`), or to
#' embed many observations through a few (`embed_landmarks()`). A landmark has the same columns as the data
#' and may lie between rows. Landmarks come in order of informativeness.
#'
#' By default they are learned with a Gaussian process whose covariance is the Gaussian kernel
#' \eqn{K(x, x') = \exp(-\|x - x'\|^2/\eta)}{K(x, x') = exp(-||x - x'||^2 / eta)}, where \eqn{\eta}{eta} is
#' the bandwidth. Suppose that the process is observed at the landmarks \eqn{t_1, \ldots, t_n}{t_1 .. t_n}.
#' The variance that remains at an observation \eqn{x_i} is \eqn{1 - c_i W^{-1} c_i'}{1 - c_i W^-1 c_i'}.
#' Here \eqn{c_i} is the row vector of the kernel between \eqn{x_i} and the landmarks, and \eqn{W} is the n x
#' n kernel matrix of the landmarks. The landmarks are placed where the sum of these variances is smallest.
#' This sum equals the trace of the error of Nystrom's approximation of the N x N kernel matrix (Wachinger
#' and Golland, 2015, eq. 1). The first landmark is the one that leaves the smallest sum by itself, the
#' second leaves the smallest sum together with the first, and so on. So the first m landmarks are a good
#' choice of m landmarks.
#'
#' Liang and Paisley (2015) place landmarks by another criterion, the volume that their features span. It is
#' `by_gp(criterion = "volume")`, and their algorithm is `by_gp("sgd")`. [by_gp()] explains both criteria,
#' compares them, and gives the reasons for the default.
#'
#' `predict()` gives the features \eqn{K(x, t_l)} of new data for a classifier. `plot()` and [plot_images()]
#' draw landmarks. [nearest_observations()] and [top_features()] describe them.
#'
#' @section Errors, warnings and messages:
#' All conditions have class `landmarker_error_*`, `landmarker_warning_*` or `landmarker_message_*`. Errors
#' of a function of your own (`space`, for example) are passed on unchanged.
#'
#' * Missing and infinite values are errors that name the place of the first one. `na.action = na.omit` leaves
#'   rows with missing values out.
#' * More landmarks than rows of weight above 0 are an error.
#' * Some landmarks may add only rounding error to the others: where rows are repeated, or where `bandwidth`
#'   is a number so wide that the rank of the kernel is smaller than `n`. Then [by_gp()] and [by_active()]
#'   return the landmarks found so far, with a warning. The other methods ignore the kernel: they return as
#'   many landmarks as there are different rows, and some of these may have `variance` 0.
#' * Constant columns are allowed. They add nothing to any distance.
#' * Data may lie outside `space`, but landmarks that are far from all rows are useless. Data whose values
#'   are all 0 or below are an error where landmarks must be nonnegative. A warning
#'   (`landmarker_warning_space`) is given where most rows have no value above 0. With the spheres it is also
#'   given where most rows have a length below 1/2 or above 2, or are raw counts.
#' * A message (`landmarker_message_units`) is given where `scale` is missing and the standard deviations of
#'   two columns differ by a factor of 50 or more. It is shown once in a session for the same columns.
#'   Columns with two values, and columns with one value in more than nine of ten rows, are left out of the
#'   comparison: these are indicators, words, and pixels at the border of an image. Sparse data and spaces
#'   other than the Euclidean are left out too. `scale = FALSE` states that all columns share a unit and
#'   turns the message off.
#' * A message (`landmarker_message_identifier`) is given where a numeric column of a data frame of 20 rows or
#'   more has whole numbers that increase from row to row: it may be an identifier, and it takes part in all
#'   distances. It is shown once in a session for the same column.
#'
#' @section On the data:
#' A landmark is on the data if its distance to the nearest row is at most `spacing`, a typical distance
#' between rows. `spacing` is the 95% quantile of the distance from a row to the fifth nearest other row,
#' over 300 rows taken evenly from the data, and at least \eqn{\sqrt\eta/20}{sqrt(eta) / 20}, a distance at
#' which the kernel is 0.9975. Distances are those of the kernel, after `scale`. Copies of a row count as one
#' row, and rows of weight 0 are ignored. For more than 5,000 rows the rule uses 5,000 rows taken evenly, so
#' that it is equally strict for any number of rows. `print()` and `glance()` show how many landmarks are on
#' the data, `summary()` and `tidy()` show which. A warning is given where fewer than half of the landmarks
#' are on the data. Such landmarks are poor examples of the data: use the default method, more landmarks, or
#' a narrower `bandwidth`. Landmarks of [by_response()] serve to predict: there is no warning for them.
#'
#' In many dimensions the rule is mild. There, rows are far from each other, and the mean of a few rows is
#' nearer to each of them than they are to each other. Landmarks of images and texts are therefore usually on
#' the data, even where they are means that look like no single row.
#'
#' @section Factors:
#' A factor becomes one 0/1 column for each level, and `print()` names the factors. With `scale = TRUE`
#' each of these columns has variance 1, so a factor of three levels weighs as much as three columns of
#' numbers, and a logical column as much as one. Leave out a factor that the landmarks should not know, for
#' example a class that you want to predict. The coordinates of a landmark in these columns are often
#' shares, such as 0.7 and 0.3, and the largest marks the level. A landmark need not be a row, so they may
#' also lie a little below 0 or above 1. The order of an ordered factor is not used: give `as.integer()` of
#' it for one column. For landmarks with one level each, take the nearest rows of the data, `x[fit$nearest,
#' ]`, or a method whose landmarks are rows: [by_dpp()], [by_active()] or [by_random()]. A warning is given
#' for a column of more than 100 levels, and for a column of 20 or more rows in which every row has its own
#' level.
#'
#' @section Missing values:
#' `na.action = na.omit` leaves out each row that has a missing value in a variable that is used, or in the
#' response of a formula, of [by_response()] or of [by_class()]. Their weights are left out too. Weights
#' themselves must be complete. The fit is that of the rows that are left. `print()` says how many were left
#' out, and `na.action(fit)` has their numbers, as for `lm()`. `nearest` and `rows` are numbers of rows as `x`
#' or `data` has them, so that `x[fit$nearest, ]` needs no correction. `n_rows` counts the rows that were
#' used. Later steps on data, such as [add_landmarks()], [refine_landmarks()] and [nearest_observations()],
#' leave out rows with missing values as the fit did. [predict()][predict.landmarks()] has an argument
#' `na.action` of its own. Infinite values are errors in any case. Rows of data that are not in memory cannot
#' be left out.
#'
#' @section Converged:
#' Where every step used all rows, a landmark has converged when its last step would have moved it by less
#' than the method's `tolerance`, in units of \eqn{\sqrt\eta}{sqrt(eta)}. Steps on random batches vary too
#' much for this rule. There the landmarks of the last batches are averaged, and `moved` is the average
#' distance of a step over these batches: the distance between the mean of their first half and the mean of
#' their second half, divided by the number of steps between. Where steps on all rows follow the batches,
#' `moved` is the distance of the last of them. In both cases the landmark has converged when `moved` is below
#' 0.05.
#'
#' @section Reproducible:
#' All random numbers come from R's stream: after the same `set.seed()` the result is the same to the last
#' bit, with any number of threads. The last digits may differ between kinds of processors.
#'
#' @section Threads and progress:
#' Arguments hold for one call, and options for a session. The argument comes first where both are given.
#'
#' * `threads = 4` or `options(landmarker.threads = 4)` computes with four threads. Without them at most two
#'   are used, and one where the variable `OMP_NUM_THREADS` is 1. No call uses more threads than
#'   `OMP_THREAD_LIMIT`, or than two where `R CMD check` sets `_R_CHECK_LIMIT_CORES_`. In a process that was
#'   forked, as by `parallel::mclapply()`, one thread computes.
#' * `verbose = TRUE` shows progress bars in scripts too, and `verbose = FALSE` shows no bars and no messages.
#'   `options(landmarker.progress = )`, `TRUE` or `FALSE`, does so for bars alone, and
#'   `options(landmarker.verbose = FALSE)` turns off messages alone. A bar appears after two seconds
#'   (`options(cli.progress_show_after = )`).
#'
#' @section Memory:
#' Before work that needs much memory, the need is estimated. Where it is more than
#' `getOption("landmarker.memory")`, 4e9 bytes unless it is set, or (on Linux) more than the machine or the
#' container has free, the call ends with an error of class `landmarker_error_memory`. It says what is needed,
#' and what would need less. Work that needs less than 100 MB is not estimated. The default method needs about
#' \eqn{300 n^2}{300 n^2} bytes for n landmarks of a table with few columns, and the other methods
#' \eqn{65 n^2}{65 n^2}; [by_active()] needs \eqn{8 N n}{8 N n} for N rows.
#'
#' @section Checkpoints:
#' A checkpoint has the results of passes over the data, and not the data. So `x` must be given again, with
#' the same values. Rows on workers may come from a new cluster that divides them in the same way. The file is
#' written when a pass has ended and the last writing is half a minute ago, and where the fit ends by an error
#' or an interrupt. Passes, drawn rows and finished stages are not repeated. Steps of [by_gp()] on random
#' batches go on after the last chunk of batches that were read together. Steps on all rows of data in memory
#' start anew. At most 1 GB of
#' results is written.
#'
#' A file of another call is an error (`landmarker_error_checkpoint`) that names the argument that differs. A
#' file that cannot be written is a warning (`landmarker_warning_checkpoint`), and the fit goes on.
#'
#' @section With a response:
#' The default method describes the data and uses no response. Where features serve to predict one, use
#' [by_response()]: `landmarks(Species ~ ., data = iris, n = 5, method = by_response())`. Its landmarks
#' predict better than many more that do not know the response. [by_class()] learns landmarks within each
#' class.
#'
#' @param x The data, N x d, one observation a row: a numeric, integer or logical matrix, a sparse matrix of
#'   package Matrix (`dgCMatrix`, or a class that converts to it and stays sparse), a document-term matrix of
#'   package tm, quanteda or text2vec, a data frame (factors and strings become one 0/1 column for each level;
#'   see Factors), or a formula. The formula is one-sided, except for a method that learns with a response.
#'   Data that are not in memory: a DelayedMatrix, a `big.matrix`, or [data_parts()]. Experiments of
#'   Bioconductor: see [landmarks.SummarizedExperiment()].
#' @param data For a formula: the data frame with its variables.
#' @param n Number of landmarks, a whole number from 1 to the number of rows. Only [by_dpp_exact()] works
#'   without `n`; it then draws a random number of landmarks.
#' @param method How landmarks are found: a method object, [by_gp()] (the default), [by_active()],
#'   [by_dpp()], [by_dpp_exact()], [by_kmeans()], [by_random()], [by_class()] or [by_response()], or its name,
#'   `"gp"`, `"active"`, `"dpp"`, `"dpp_exact"`, `"kmeans"`, `"random"`, `"class"` or `"response"`.
#' @param bandwidth \eqn{\eta}{eta}, in squared units of the data (after `scale`): a positive number, or a
#'   rule. `"variance"`, the default, is the sum of the columns' variances, which is half the mean squared
#'   distance between two observations. `"median"` is the median squared distance between up to 1,000 random
#'   rows. Both use the weights: the variances are weighted, and a pair of rows has the product of its
#'   weights. Where the data have few dimensions and `n` is large, a rule may be too wide to tell `n`
#'   landmarks apart. Then a narrower bandwidth is used: the widest at which each of `n` rows still has a
#'   hundredth of its variance left given the rows before it. `print()` reports this. A multiple of a rule,
#'   such as `"2 * variance"`, and a number are used as given. [by_response()] learns the bandwidth where
#'   none is given.
#' @param space Where landmarks may lie: `"euclidean"` (anywhere, the default), `"nonnegative"` (no
#'   coordinate below 0: images, counts), `"sphere"` (norm 1), `"nonnegative_sphere"` (both:
#'   Hellinger-transformed counts), or a function(t) that returns the point of the space nearest to `t`.
#' @param weights Observation weights \eqn{v_i}, numbers of at least 0, or NULL for equal weights. They are
#'   scaled to mean 1. A row of weight 2 counts as two rows; rows of weight 0 change neither the bandwidth
#'   nor the scale. The page of each method explains how it uses weights.
#' @param scale `TRUE` divides every column by its standard deviation (a constant column stays as it is);
#'   landmarks are returned in the data's units. Default `FALSE`, because pixels and word counts share a
#'   unit. The two spheres require `FALSE`, because scaled points would leave the sphere.
#' @param checkpoint NULL, the default, or the path of a file for long fits. What was computed from the data
#'   is written to it every half minute, and where the fit ends by an error or an interrupt. The same call
#'   goes on from there, with the random stream of the first call, and gives the same landmarks to the last
#'   bit as a fit that was never interrupted. The file is deleted when the fit is complete. See Checkpoints.
#' @param na.action What becomes of rows with missing values, as in [lm()]: [na.fail][stats::na.fail()], the
#'   default, is an error. `na.omit` and `na.exclude` leave such rows out. `na.pass` is an error, because such
#'   rows have no distances. The default is not that of `lm()`, which drops rows silently. See Missing values.
#' @param threads How many threads compute, a whole number of at least 1, in this call. NULL, the default, is
#'   `getOption("landmarker.threads")`, or two threads (fewer, where the machine or `OMP_NUM_THREADS` has
#'   fewer) without that option. The result is the same to the last bit with any number. See Threads and
#'   progress.
#' @param verbose `TRUE` shows progress bars in this call, also in a script; `FALSE` shows neither bars nor
#'   messages. Warnings are always given. NULL, the default, shows messages, and in interactive sessions bars,
#'   unless an option says otherwise (see Threads and progress in [landmarks()]).
#' @param ... Not used; an argument here is an error.
#' @return An object of class `landmarks`, a plain list that `saveRDS()` keeps whole. `coef()` gives the n x
#'   d matrix of coordinates with the data's column names. The other parts are
#'   * `variance`: \eqn{V_{l-1}(t_l)}{V_(l-1)(t_l)} for landmark l, the variance at its place given the
#'     landmarks before it, in Liang and Paisley's process (see [by_gp()]).
#'   * `explained`: the share of the kernel's variance at the observations that this landmark and those
#'     before it explain, estimated on a sample of rows. It grows with the bandwidth and is no measure of
#'     quality.
#'   * `log_det`: \eqn{\log\det \Phi'D\Phi}{log det Phi'D Phi}, where \eqn{\Phi}{Phi} is the N x n matrix of
#'     the features \eqn{K(x_i, t_l)} and D the diagonal matrix of the weights. Where N n^2 is above 1e11,
#'     `log_det` and `variance` are estimated on a sample of rows.
#'   * `nearest` and `nearest_distance`: the row nearest to each landmark, and its distance.
#'   * `on_data` (TRUE or FALSE for each landmark) and `spacing`: see On the data.
#'   * `gaps`: pairs of neighboring landmarks with no data between them, see Shortcuts in [landmark_graph()].
#'   * `iterations` and `moved`: how many steps each landmark moved, and how far (see Converged).
#'   * `rows`: the row numbers of landmarks that are rows of the data, else NA.
#'   * `trace`: see [by_active()]. `covariance`: see [by_dpp()], in the data's units, else NULL.
#'   * `response`: the regression of [by_response()], else there is none.
#'   * `used`: the options that the method chose by itself, if any.
#'   * `na.action`: the numbers of rows that were left out, where there are some (see Missing values).
#'   * `bandwidth`, `space`, `method`; `history` (how the landmarks were found, in words); `mean` and `sd` of
#'     the data's columns; `seconds`; `version`, that of this package, as a string.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#'
#'   C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#'   scalable manifold learning. arXiv:1503.03506.
#' @seealso [add_landmarks()], [refine_landmarks()], [as_landmarks()], [predict.landmarks()],
#'   [plot.landmarks()]; [landmarks-methods] for `fit[1:5]`, `length()`, `update()` and others;
#'   [cv_landmarks()] to compare methods.
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
                              weights = NULL, scale = FALSE, checkpoint = NULL, na.action = stats::na.fail,
                              ..., threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  unsaid <- c(scale = missing(scale), bandwidth = missing(bandwidth))
  given <- leave_out(x, method, weights, na.action, rlang::current_env())
  fit <- fit_landmarks(given, n, list(
    bandwidth = bandwidth, space = space, scale = scale, checkpoint = checkpoint, call = match.call(),
    unsaid = unsaid
  ))
  if (!is.null(fit$response)) warn_response_column(given$x, given$method$y, rlang::current_env())
  fit
}

#' @rdname landmarks
#' @export
landmarks.data.frame <- function(x, n, method = "gp", bandwidth = "variance", space = "euclidean",
                                 weights = NULL, scale = FALSE, checkpoint = NULL,
                                 na.action = stats::na.fail, ..., threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  frame <- frame_blueprint(~., x,
    na.action = na.action, also = function(rows) rows_without_response(method, rows)
  )
  given <- go_along(frame$omitted, NROW(x), method, weights, rlang::current_env())
  unsaid <- c(scale = missing(scale), bandwidth = missing(bandwidth))
  fit <- fit_landmarks(c(frame[c("x", "omitted")], given), n, list(
    bandwidth = bandwidth, space = space, scale = scale, checkpoint = checkpoint, call = match.call(),
    blueprint = frame$blueprint, unsaid = unsaid
  ))
  if (!is.null(fit$response)) warn_response_column(x, method$y, rlang::current_env())
  fit
}

#' @rdname landmarks
#' @export
landmarks.formula <- function(x, data, n, method = "gp", bandwidth = "variance",
                              space = "euclidean", weights = NULL, scale = FALSE, checkpoint = NULL,
                              na.action = stats::na.fail, ..., threads = NULL, verbose = NULL) {
  check_dots(...)
  local_compute(threads, verbose)
  call <- rlang::current_env()
  method <- find_method(method)
  # A function, because frame_blueprint() checks the formula before the response may be evaluated.
  with_its_response <- function() {
    if (length(x) < 3) return(method)
    with_response(method, formula_response(x, data, call), "the formula", call)
  }
  frame <- frame_blueprint(
    x, data, response = method_can(method, "uses_response"), na.action = na.action,
    also = function(rows) rows_without_response(with_its_response(), rows)
  )
  weights <- formula_weights(rlang::enquo(weights), data, call)
  given <- go_along(frame$omitted, NROW(data), with_its_response(), weights, call)
  if (length(x) == 3) frame$blueprint$response <- x[[2]]
  unsaid <- c(scale = missing(scale), bandwidth = missing(bandwidth))
  fit_landmarks(c(frame[c("x", "omitted")], given), n, list(
    bandwidth = bandwidth, space = space, scale = scale, checkpoint = checkpoint, call = match.call(),
    blueprint = frame$blueprint, unsaid = unsaid
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
#' @examplesIf requireNamespace("SingleCellExperiment", quietly = TRUE)
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
  matched <- match.call()
  matched[[1]] <- quote(landmarks)
  fit$call <- light_call(matched)
  fit
}
