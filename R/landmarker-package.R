#' @keywords internal
"_PACKAGE"

#' @useDynLib landmarker, .registration = TRUE, .fixes = "C_"
#' @importFrom Matrix Matrix
NULL
