#' landmarker: representative points of a data set
#'
#' Landmarks are a few points that represent a data set. They give features for regression and
#' classification, models with prediction intervals, prototypes, and embeddings of millions of points.
#' Depending on the field, landmarks are also known as inducing points, pseudo-inputs, prototypes, centers of
#' a radial basis function network, anchors, or columns of Nystrom's method.
#'
#' Start with `vignette("landmarker")`. [choosing] helps to choose the number of landmarks, the bandwidth and
#' the method.
#'
#' @section Fit landmarks:
#' * [landmarks()] for matrices, sparse matrices, data frames, formulas and files. Its pages:
#'   [landmarks-data], [landmarks-kernel] and [landmarks-object]; [print.landmarks()] and
#'   [summary.landmarks()] explain the output.
#' * Methods: [by_gp()] (the default), [by_response()], [by_kmeans()], [by_active()], [by_dpp()],
#'   [by_dpp_exact()], [by_class()], [by_random()], or your own by [new_landmark_method()].
#' * [add_landmarks()] and [refine_landmarks()] continue a fit, [as_landmarks()] takes points that you have.
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
#' * [sketch_rows()]: rows that represent all rows, rare ones included.
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
