# Code of which it is not of interest that landmarks are off the data, or that a fit had weights.
quiet <- function(code, kinds = c("off_data", "weights")) {
  suppressWarnings(code, classes = paste0("landmarker_warning_", kinds))
}
