#' Landmarks of data on a manifold
#'
#' Finds a few points, the landmarks, spaced along the manifold that the data lie
#' near, in order of informativeness. Landmarks need not be data points.
#'
#' By default they are learned with a Gaussian process whose covariance is the Gaussian kernel
#' \eqn{K(x, x') = \exp(-\|x - x'\|^2/\eta)}{K(x, x') = exp(-||x - x'||^2 / eta)} of bandwidth
#' \eqn{\eta}{eta}.
#' Suppose that the process is known at the landmarks \eqn{t_1, \ldots, t_n}{t_1 .. t_n}. Then the variance
#' that is left at
#' an observation \eqn{x_i} is \eqn{1 - c_i W^{-1} c_i'}{1 - c_i W^-1 c_i'}, with \eqn{c_i} the kernel of
#' \eqn{x_i} with the landmarks and \eqn{W} the kernel of the landmarks among themselves. The landmarks are
#' placed
#' where the sum of these variances is least. This sum is also what Nystrom's approximation leaves of the
#' trace of the
#' N x N kernel matrix (Wachinger and Golland, 2015, eq. 1). Landmarks come in order: the first leaves
#' least by itself, the second
#' together with the first, and so on, so that the first m are a good choice of m.
#'
#' Liang and Paisley (2015) place landmarks by another criterion, the volume that their features span. It is
#' `by_gp(criterion = "volume")`, and their algorithm is `by_gp("sgd")`. See [by_gp()] for both criteria, how
#' they compare, and why the default is what it is.
#'
#' `predict()` gives the features \eqn{K(x, t_l)} for a classifier, `plot()` and
#' [plot_images()] show landmarks, [nearest_observations()] and [top_features()] say
#' what they are.
#'
#' @section What is refused, and what is not:
#' Missing and infinite values are errors that say where the first is. More
#' landmarks than rows (of weight above 0) are an error. Some landmarks may add nothing to the others but
#' rounding error:
#' where rows are repeated, or where `bandwidth` is a number so wide that the kernel's rank is smaller than
#' `n`. Then
#' [by_gp()] and [by_active()] give those that they have found, with one warning. The other methods do not
#' use the
#' kernel: they give as many as there are different rows, and some may have `variance` 0. Constant columns
#' do no
#' harm: they add nothing to any distance. All conditions have class
#' `landmarker_error_*` or `landmarker_warning_*`, but for errors that a function of your
#' own (`space`, say) raises: they come through as they are.
#'
#' Data need not lie in the `space`, but landmarks that are far from all rows are of no use. So data
#' without any value above 0 are refused where no landmark goes below 0. There is a warning (of class
#' `landmarker_warning_space`) where most rows have no value above 0, and with the spheres where most rows
#' have
#' a length below 1/2 or above 2, or are raw counts.
#'
#' Where standard deviations of columns are 50 times apart or more and `scale` is not given, a message (of
#' class
#' `landmarker_message_units`) says so, once in a session for the same columns. Columns with two values, or
#' with one value in more than nine of ten rows, are not compared, so that indicators, words and pixels
#' at the border of an image do not count; nor are sparse data, and other spaces than the Euclidean.
#' `scale = FALSE` says that all columns share a unit, and is silent.
#'
#' @section On the data:
#' A landmark is on the data where it is no farther from the nearest row than rows are from each other.
#' How far rows are from each other, `spacing`, is the 95% quantile of their distance to the fifth nearest
#' other row, over 300 rows that are spread evenly through the data. Distances are those of the kernel, after
#' `scale`. Copies of a row count as one row, and rows of weight 0 as none. It is at
#' least a twentieth of \eqn{\sqrt\eta}{sqrt(eta)}, within which the kernel hardly tells points apart. Of more
#' than 5,000 rows, 5,000 that are spread evenly are looked at, so that the rule does not become stricter with
#' more data. `print()` and `glance()` say how many landmarks are on the data, `summary()` and `tidy()` which.
#' There is a warning where fewer than half of the landmarks are. Then the landmarks are not examples of the
#' data: take the default method, more landmarks, or a narrower `bandwidth`.
#'
#' In many dimensions the rule is mild. There, rows are far from each other, and an average of a few rows
#' is nearer to each of them than they are to each other. So landmarks of images and texts are
#' usually on the data, also where they are means that no single row looks like.
#'
#' @section Factors:
#' A factor becomes one 0/1 column for each level, and landmarks may lie between levels: a landmark's
#' coordinates in these columns are often shares, such as 0.7 and 0.3. The largest tells the level. For
#' landmarks with one level each, take the nearest row of the data, `x[fit$nearest, ]`, or a
#' method whose landmarks are rows: [by_dpp()], [by_active()] or [by_random()]. There is a warning for a
#' column of more than 100 levels, and for one in which each of 20 rows or more has a level of its own.
#'
#' @section Converged:
#' An iteration moves all landmarks by one step. Where every iteration used all rows, a landmark has
#' converged when its last step would have moved it by less than the method's `tolerance`, in
#' \eqn{\sqrt\eta}{sqrt(eta)}. On random batches single steps never get that short: there the
#' landmarks of the last batches are averaged, `moved` is how far a landmark went
#' in an iteration on average over them (from the mean of their first half to that of
#' the second), and it has converged when that is below 0.05.
#'
#' @section Reproducible:
#' All random draws come from R's stream: after the same `set.seed()` the result
#' is the same to the last bit, whatever the number of threads
#' (`options(landmarker.threads = )`, by default two at most). It may differ in
#' the last digits between kinds of processors. A progress bar is shown in
#' interactive sessions (`options(landmarker.progress = )`).
#'
#' @param x The data, one observation a row: a numeric, integer or logical
#'   matrix, a sparse matrix of package Matrix (`dgCMatrix`, or what turns to it
#'   without filling it), a data frame (factors and strings become one 0/1 column
#'   for each level; see Factors), or a one-sided formula. N x d.
#' @param data For a formula: the data frame that it is about.
#' @param n Number of landmarks, a whole number from 1 to the number of rows. It may be left out
#'   for [by_dpp_exact()] alone, which then draws how many.
#' @param method How: a method object, [by_gp()] (the default), [by_active()], [by_dpp()], [by_dpp_exact()],
#'   [by_kmeans()] or [by_random()], or its bare name, `"gp"`, `"active"`, `"dpp"`, `"dpp_exact"`,
#'   `"kmeans"` or `"random"`.
#' @param bandwidth \eqn{\eta}, in squared units of the data (after `scale`): a positive number, or
#'   a rule. `"variance"`, the default, is the sum of the columns' variances, which is half the mean
#'   squared distance between two observations. `"median"` is the median squared distance between up
#'   to 1,000 random rows. Weights count in both: as weights of the variances, and of a pair as the product
#'   of its rows' weights. Where the data have few dimensions and `n` is large, a rule may be too wide to
#'   tell `n` landmarks apart. Then a narrower bandwidth is taken: the widest at which each of `n` rows still
#'   has a hundredth of its variance left when those before it are known. `print()` says so. A multiple of a
#'   rule, such as `"2 * variance"`, or a number is taken as it is.
#' @param space Where landmarks may lie: `"euclidean"` (anywhere, the default),
#'   `"nonnegative"` (no coordinate below 0: images, counts), `"sphere"` (norm 1),
#'   `"nonnegative_sphere"` (both: Hellinger-transformed counts), or a
#'   function(t) that returns the point of the space nearest to `t`.
#' @param weights Observation weights \eqn{v_i}, numbers of at least 0, or NULL for all equal.
#'   They are scaled to mean 1; a row of weight 2 counts as two rows. The page of each method says what that
#'   means for it.
#' @param scale `TRUE` divides every column by its standard deviation (a
#'   constant one is left as it is); landmarks are given back in the data's
#'   units. Default `FALSE`, because pixels and word counts share a unit. Not
#'   with the two spheres, which scaling would bend.
#' @param ... Not used; an argument here is an error.
#' @return An object of class `landmarks`, a plain list that `saveRDS()` keeps
#'   whole. `coef()` gives the n x d matrix of coordinates with the data's
#'   column names. Other parts: `variance` (V of [by_gp()], what the landmarks before leave there),
#'   `explained` (share of
#'   the kernel's variance at the observations explained so far, estimated on a
#'   sample of rows; it grows with the bandwidth, so that it does not measure quality), `log_det` (log
#'   det of Phi'Phi over all rows; where N n^2 is above
#'   1e11 it and `variance` are estimated on a sample), `nearest`,
#'   `nearest_distance`, `on_data` (TRUE or FALSE for each landmark), `spacing` (see On the data), `gaps` (pairs of neighboring
#'   landmarks with no data between them, see Shortcuts in [landmark_graph()]),
#'   `iterations`, `moved`, `rows` (of landmarks that are rows of the data,
#'   else NA), `trace` (see [by_active()]), `covariance` (see [by_dpp()], in the data's
#'   units, else NULL), `used`
#'   (the options that the method chose by itself, if any), `bandwidth`, `space`, `method`, `history` (how the
#'   landmarks were found, in words), `mean` and `sd` of the data's columns, `seconds`.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with
#'   Gaussian processes. *Proceedings of the 32nd International Conference on
#'   Machine Learning*, PMLR 37, 466-474.
#' @seealso [add_landmarks()], [refine_landmarks()], [as_landmarks()],
#'   [predict.landmarks()], [plot.landmarks()]; [cv_landmarks()] to compare methods.
#' @examples
#' set.seed(1)
#' x <- sim_circles(500)
#' fit <- landmarks(x, 15, bandwidth = 0.3)
#' fit
#' summary(fit)
#' head(predict(fit, x))
#'
#' # Digits: nonnegative pixels
#' pixels <- digits$images[1:500, ] / 255
#' fit <- landmarks(pixels, 10, space = "nonnegative")
#' plot_images(fit, dim = c(28, 28))
#'
#' # A data frame: factors become 0/1 columns, and units are made alike
#' landmarks(~ ., data = iris, n = 5, scale = TRUE)
#' @export
landmarks <- function(x, ...) UseMethod("landmarks")

#' @rdname landmarks
#' @export
landmarks.default <- function(x, n, method = "gp", bandwidth = "variance", space = "euclidean",
                              weights = NULL, scale = FALSE, ...) {
  check_dots(...)
  fit_landmarks(x, n, method, bandwidth, space, weights, scale, NULL, match.call(), missing(scale))
}

#' @rdname landmarks
#' @export
landmarks.data.frame <- function(x, n, method = "gp", bandwidth = "variance", space = "euclidean",
                                 weights = NULL, scale = FALSE, ...) {
  check_dots(...)
  frame <- frame_blueprint(~., x)
  fit_landmarks(
    frame$x, n, method, bandwidth, space, weights, scale, frame$blueprint, match.call(), missing(scale)
  )
}

#' @rdname landmarks
#' @export
landmarks.formula <- function(x, data, n, method = "gp", bandwidth = "variance",
                              space = "euclidean", weights = NULL, scale = FALSE, ...) {
  check_dots(...)
  frame <- frame_blueprint(x, data)
  fit_landmarks(
    frame$x, n, method, bandwidth, space, weights, scale, frame$blueprint, match.call(), missing(scale)
  )
}

# The bridge of all methods above: checks, then the method, then the fit. `unsaid`: whether `scale`
# was left at its default.
fit_landmarks <- function(x, n, method, bandwidth, space, weights, scale, blueprint, matched, unsaid,
                          call = rlang::caller_env()) {
  started <- proc.time()[["elapsed"]]
  method <- find_method(method, call)
  if (!missing(n)) {
    n <- check_count(n, "n", call = call)
  } else if (method_can(method, "chooses_size")) {
    n <- NULL
  } else {
    abort_input(c("{.arg n}, the number of landmarks, must be given.", i = "For example {.code n = 50}."),
      arg = "n", call = call
    )
  }
  matched[[1]] <- quote(landmarks)
  scale <- check_flag(scale, "scale", call)
  space <- check_space(space, call)
  check_scaled_space(scale, space, call)
  source <- as_source(x, weights, scale, call = call)
  if (unsaid) tell_units(source, space, call)
  landmarks_of_source(source, n, method, bandwidth, space, scale, blueprint, matched, started, call)
}

# The same for checked arguments and data that are ready: one source may serve many fits.
landmarks_of_source <- function(source, n, method, bandwidth, space, scale, blueprint, matched, started,
                                call) {
  if (!is.null(n)) check_rank(n, source, call)
  # Where the data are off the space, landmarks are off the data: one warning is enough.
  told <- FALSE
  withCallingHandlers(
    check_in_space(source, space, call), landmarker_warning_space = function(w) told <<- TRUE
  )
  bandwidth <- find_bandwidth(bandwidth, source, n, call)
  kernel <- list(bandwidth = bandwidth$value, rule = bandwidth$rule, space = space)
  described <- learn(method, source, n, kernel, call = call)
  fit <- new_landmarks(described, source, kernel, method, scale, blueprint, matched, started)
  if (!told) warn_off_data(fit, call)
  fit
}
