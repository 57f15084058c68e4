#' landmarker: representative points of a data set
#'
#' Landmarks are a few points that represent a data set. They give features for regression and classification,
#' models with prediction intervals, prototypes, and embeddings of millions of points. Depending on the field,
#' landmarks are also known as inducing points, pseudo-inputs, prototypes, centers of a radial basis function
#' network, anchors, or the sampled columns of the Nystrom method.
#'
#' Start with `vignette("landmarker")`. [choosing] helps to choose the number of landmarks, the bandwidth and
#' the method.
#'
#' @section Fit landmarks:
#' * [landmarks()] for matrices, sparse matrices, data frames, formulas and files ([landmarks-data]). Other
#'   pages: [landmarks-kernel], [landmarks-object] (components of a fit). [print.landmarks()] and
#'   [summary.landmarks()] explain the output.
#' * Methods: [by_gp()] (the default), [by_response()], [by_kmeans()], [by_active()], [by_dpp()],
#'   [by_dpp_exact()], [by_class()], [by_random()], or your own by [new_landmark_method()].
#' * [add_landmarks()] and [refine_landmarks()] continue a fit; [as_landmarks()] makes one from points that
#'   you supply.
#' * [plot.landmarks()], [plot_images()], [tidy.landmarks()].
#'
#' @section Use landmarks as features:
#' * [predict.landmarks()]: Nystrom features, kernel values, nearest landmarks, posterior variances.
#' * [step_landmarks()] in a recipe, tuned by [num_landmarks()] and [landmark_bandwidth()].
#' * [reconstruction_error()]: the error of the approximated kernel matrix.
#'
#' @section Predict a response:
#' * [by_response()], [predict.landmarks()] with intervals; [landmark_net()] for parsnip.
#' * [cv_landmarks()] compares methods, numbers of landmarks and bandwidths by cross-validation:
#'   [cv-regressions], [cv-measures], [plot.cv_landmarks()], [predict.cv_landmarks()].
#'
#' @section Describe data:
#' * [nearest_observations()], [top_features()]: the rows and columns that describe a landmark.
#' * [sketch_rows()]: rows that represent the data, including rare groups.
#' * [codebook()]: vector quantization, for data in which each case has many rows.
#'
#' @section Embed data:
#' * [embed_landmarks()] and its `predict()`; [landmark_graph()]; [plot.landmark_embedding()].
#'
#' @section Large data, text and cells:
#' * [chunked()] and [as_chunks()]: data in files, databases or on disk. [landmarker-options]: threads and
#'   memory.
#' * [hellinger()] for counts, [landmarks.SummarizedExperiment()] for cells.
#'
#' @section Data sets:
#' [digits], [newsgroups], [sim_swiss_roll()], [sim_circles()], [sim_spiral()], [sim_fish_bowl()],
#' [sim_torus()], [sim_turntable()].
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#'
#'   C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#'   scalable manifold learning. arXiv:1503.03506.
"_PACKAGE"

#' @useDynLib landmarker, .registration = TRUE, .fixes = "C_"
#' @importFrom Matrix Matrix
#' @importFrom rlang .data
NULL

# What is known once the package is loaded.
.onLoad <- function(libname, pkgname) {
  home <- parent.env(environment())
  assign("space_names", .Call(C_spaces), home)
  assign("kernel_names", .Call(C_kernels), home)
  assign("named_methods", list(
    gp = by_gp, active = by_active, dpp = by_dpp, dpp_exact = by_dpp_exact, kmeans = by_kmeans,
    random = by_random, class = by_class, response = by_response
  ), home)
  if (isNamespaceLoaded("parsnip")) {
    register_landmark_net()
  } else {
    setHook(packageEvent("parsnip", "onLoad"), register_landmark_net)
  }
}

#' Choosing the number of landmarks, the bandwidth and the method
#'
#' A fit of [landmarks()] needs the number of landmarks. The bandwidth, the method and the kernel have
#' defaults. This page has rules for all four, and the time and memory of each method.
#'
#' @section How many landmarks:
#' It depends on the purpose:
#'
#' * Prediction by [by_response()]: 25 to 50. On 19 data sets with 22 to 4,504 training rows, the test
#'   \eqn{R^2}{R^2} or accuracy with 25, 50 and 100 landmarks differed by less than .02 on 16, and by at most
#'   .04 on the others. Images need more: on MNIST the test accuracy with 10, 25, 50, 100 and 200 landmarks
#'   was .932, .963, .972, .976 and .979.
#' * Features for another model: start with 100, or with a fifth of the rows if there are fewer than 500. More
#'   landmarks help more than with `by_response()`: on MNIST the accuracy was .774 (10 landmarks), .883, .921,
#'   .944 and .960 (200). With a penalized model, too many landmarks do little harm.
#' * Embedding: neighboring landmarks must be closer to each other than the folds of the surface are. On a
#'   Swiss roll of 5,000 points, 50 landmarks recover the coordinate along the roll, and 100 also the one
#'   across it. The default graph needs at least five rows for each landmark.
#' * Prototypes: as many as you want to look at. [sketch_rows()]: one landmark for every five rows to be kept.
#'
#' `plot(fit, type = "error")` shows the relative approximation error of the kernel matrix by the number of
#' landmarks, as a scree plot does for principal components. Fit more landmarks than needed, choose m where
#' the error is small or falls slowly, and keep `fit[1:m]`, or fit m landmarks anew, which gives a somewhat
#' smaller error. `cv_landmarks(n = c(25, 50, 100))` compares test errors. Choose the smallest number whose
#' error is within one standard error of the smallest error.
#'
#' @section Which bandwidth:
#' The bandwidth \eqn{\eta}{eta} is a squared length scale. For two points at the distance r the Gaussian
#' kernel is \eqn{\exp(-r^2/\eta)}{exp(-r^2 / eta)}. Parameters of other packages and papers are converted by
#'
#' | kernel | formula elsewhere | `bandwidth` |
#' |---|---|---|
#' | Gaussian, length scale l | `exp(-r^2 / (2 l^2))` | `2 * l^2` |
#' | Gaussian, gamma (e1071, scikit-learn) | `exp(-gamma r^2)` | `1 / gamma` |
#' | Gaussian, sigma (kernlab's `rbfdot`) | `exp(-sigma r^2)` | `1 / sigma` |
#' | Laplace, sigma (kernlab's `laplacedot`) | `exp(-sigma r)` | `1 / sigma^2` |
#' | Laplace, Matern, length scale l | a function of r / l | `l^2` |
#' | rational quadratic, alpha 1, length scale l | `1 / (1 + r^2 / (2 l^2))` | `2 * l^2` |
#'
#' Distances are those after `scale`. With `scale = TRUE` the default bandwidth, the sum of the variances, is
#' the number of columns.
#'
#' * The default, `"variance"`, suits data with many columns. In two or three columns it is often too wide for
#'   structures that are close to each other: give a number whose square root is smaller than the gaps.
#' * For prediction, compare multiples by `bandwidth = c("0.3 * variance", "variance", "3 * variance")` in
#'   [cv_landmarks()]. A wider bandwidth often lowers the error of a penalized regression. [by_response()]
#'   learns the bandwidth.
#' * Do not choose the bandwidth by the approximation error, because a wider kernel is easier to approximate.
#'
#' @section Which method:
#' * [by_gp()], the default: features, approximation of a kernel, embeddings. It minimizes the approximation
#'   error. With the default graph, its embeddings recover a surface better than those of [by_dpp()]: the rank
#'   correlation of the second coordinate with the width of a Swiss roll (5,000 points, 100 landmarks, three
#'   seeds) was .88 to .96, compared with .82 to .85.
#' * [by_response()]: prediction of a response.
#' * [by_kmeans()]: prototypes. A nearest-prototype classifier was more accurate with them than with those of
#'   [by_gp()] in 9 of 12 comparisons, mostly by less than .03. Features by k-means also had the larger test
#'   accuracy for texts (20 Newsgroups), and about the same for images.
#' * [by_active()]: landmarks that are rows and cover all of the data, including outliers.
#' * [by_dpp()] and [by_dpp_exact()]: random rows that are far apart (an approximate and an exact point
#'   process).
#' * [by_class()]: landmarks in every class, if some classes are rare (or give their rows larger `weights`).
#' * [by_random()]: a baseline, and the fastest method.
#'
#' @section Which kernel:
#' The Gaussian kernel, the default, suits smooth functions, and `"laplace"` rough ones. `"matern32"` and
#' `"matern52"` lie between them. `"cauchy"` decreases slowly and suits functions that vary on several length
#' scales. Compare them by the test error of a model: [by_response()] selects among several kernels on
#' held-out rows. See [landmarks-kernel].
#'
#' @section Time and memory:
#' N rows, d columns (for sparse data, nonzero values per row), n landmarks. Memory is that beyond the data.
#'
#' | method | time | memory |
#' |---|---|---|
#' | `by_gp()` | B n (n + d) for B rows in all batches together, then one pass | n^2 + n d |
#' | `by_response()` | S b n d for S steps on b rows; several times this up to 10,000 rows | n^2 + n d |
#' | `by_kmeans()` | N n d for each of up to 10 iterations; with batches b n d | N + n d |
#' | `by_active()` | N n (n + d) | N n |
#' | `by_dpp()` | N log N up to 12 columns, otherwise N n d | N + n d |
#' | `by_dpp_exact()` | N^3 | N^2 |
#' | `by_random()` | N | n d |
#' | one pass, at the end of most fits | N n (n + d), on a sample if N n^2 is above 1e8 | n^2 |
#' | `predict()`, for M rows | M n (n + d), kernel values and embeddings M n d | M n |
#'
#' With `by_gp()`, B is 60,000 to 100,000 for more than 7,000 rows and up to 1,000 landmarks. Smaller data are
#' read up to 200 times. A batch has at least 2 n rows, so that the time grows like n^3 for thousands of
#' landmarks. Take `by_kmeans(batch_size = )` or [by_random()] for these. [embed_landmarks()] takes n^3, or
#' less with package RSpectra. Data that do not fit into memory are read in chunks, see [chunked()].
#' @seealso [landmarks()], [cv_landmarks()], [plot.landmarks()], [reconstruction_error()]
#' @examples
#' set.seed(1)
#' fit <- landmarks(~ ., data = quakes, n = 60, scale = TRUE)
#' plot(fit, type = "error")
#' # The fewest landmarks with an error of at most 5 percent
#' m <- which(1 - fit$explained <= 0.05)[1]
#' m
#' fit[1:m]
#'
#' # Test errors of several numbers and bandwidths
#' cv_landmarks(depth ~ lat + long, data = quakes, n = c(10, 30), methods = by_gp(),
#'   bandwidth = c("0.3 * variance", "variance"), folds = 3, seeds = 1, scale = TRUE
#' )
#' @name choosing
NULL
