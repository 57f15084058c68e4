# Objects of the package's classes: the check of what a user gives as one, and the version that made it.

# For each class the function that makes its objects, the kind of errors about them, and the parts that all of
# them have.
object_classes <- list(
  landmarks = list(
    maker = "landmarks", kind = "fit", parts = c(
      "landmarks", "variance", "explained", "log_det", "nearest", "nearest_distance", "on_data", "spacing",
      "gaps", "iterations", "moved", "exact", "rows", "trace", "bandwidth", "space", "method", "history",
      "center", "factor", "mean", "sd", "scaled", "weighted", "n_rows", "sparse", "seconds"
    )
  ),
  method_with_data = list(maker = "with_data", kind = "method", parts = c("method", "x")),
  landmark_graph = list(
    maker = "landmark_graph", kind = "graph", parts = c(
      "fit", "weights", "components", "shortcuts", "distance", "edge_weights", "sigma", "neighbors"
    )
  ),
  landmark_embedding = list(
    maker = "embed_landmarks", kind = "embedding", parts = c(
      "graph", "coordinates", "values", "seconds", "alpha", "layout", "plane", "chosen", "novelty"
    )
  ),
  cv_landmarks = list(
    maker = "cv_landmarks", kind = "comparison", parts = c(
      "compared", "type", "measure", "model", "bandwidths", "lambda", "seeds", "kind", "nested",
      "lambda_per_tag", "folds", "n_rows", "n_test", "weighted", "seconds", "units", "summary",
      "best"
    )
  ),
  codebook = list(
    maker = "codebook", kind = "codebook", parts = c(
      "centers", "within", "converged", "iterations", "n_frames", "scaled", "center", "factor"
    )
  ),
  tagging_scores = list(maker = "tagging_scores", kind = "scores", parts = c("tags", "items", "top")),
  raw_features = list(maker = "raw_features", kind = "features", parts = "like"),
  nmf_features = list(maker = "nmf_features", kind = "features", parts = c("basis", "iterations")),
  chunked = list(maker = "chunked", kind = "chunks", parts = c("x", "read")),
  step_landmarks = list(
    maker = "step_landmarks", kind = "step", parts = c(
      "terms", "trained", "num_landmarks", "options", "prefix", "keep_original_cols", "skip", "id"
    )
  )
)

# An error where `x` is no object of the class, or lacks a part, as those of other versions may. What the
# parts hold is checked where objects are made, and what memory safety needs in C.
check_object <- function(x, class, arg, call = rlang::caller_env()) {
  check_given(x, arg, call)
  of <- object_classes[[class]]
  if (!inherits(x, class)) {
    abort_input(c(
      "{.arg {arg}} must be an object of class {.cls {class}}.", x = "It is {describe(x)}.",
      i = "Make one with {.fn {of$maker}}."
    ), arg = arg, kind = of$kind, call = call)
  }
  parts <- unclass(x)
  absent <- setdiff(of$parts, names(parts))
  if (is.list(parts) && length(absent) == 0) return(invisible(x))
  made <- if (is.list(parts)) parts$version
  abort_input(c(
    "{.arg {arg}} must be complete, as {.fn {of$maker}} returns it.",
    x = if (is.list(parts)) "It has no {.code {absent[1]}}." else "It is {describe(parts)}, not a list.",
    i = if (is_path(made) && made != made_by()) {
      "It was made by version {made} of landmarker, and this is version {made_by()}."
    },
    i = "Make it again with {.fn {of$maker}}."
  ), arg = arg, kind = of$kind, call = call)
}

# The version of the loaded package, not of the files, which an installation may be replacing. Objects carry
# it as the part `version`.
made_by <- function() unname(getNamespaceInfo("landmarker", "spec")["version"])
