#' @keywords internal
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
