# Real data that is too large, or not ours, to come with the package. The folder
# is the one that LANDMARKER_DATA names, or else `shared/data` next to any folder
# above the one the tests run in. Elsewhere the tests that need it are skipped.
shared_data <- function(...) {
  root <- Sys.getenv("LANDMARKER_DATA")
  if (!nzchar(root)) {
    folder <- normalizePath(getwd(), winslash = "/")
    repeat {
      root <- file.path(folder, "shared", "data")
      if (file.exists(file.path(root, "README.md")) || dirname(folder) == folder) break
      folder <- dirname(folder)
    }
  }
  file.path(root, ...)
}

skip_without_shared <- function(path) {
  missing <- path[!file.exists(path)]
  if (length(missing) > 0) {
    names <- paste(basename(missing), collapse = ", ")
    testthat::skip(paste0("no shared data (see LANDMARKER_DATA): ", names))
  }
  invisible(path)
}
