# Valid calls that need other packages; without the package they are left out.

other_packages <- function(o) {
  c(
    if (has("recipes")) recipe_uses(o),
    if (has("SingleCellExperiment")) {
      made_later(experiment_uses, o, c(experiment = "landmarks.SummarizedExperiment"))
    },
    if (has("HDF5Array")) {
      # Processes that load it write the same file in the session's temporary folder.
      loadNamespace("HDF5Array")
      made_later(delayed_uses, o,
        c(delayed_fit = "landmarks", delayed_predict = "predict", delayed_chunks = "as_chunks.DelayedMatrix"))
    },
    if (has("bigmemory")) {
      made_later(big_uses, o, c(big_fit = "landmarks", big_chunks = "as_chunks.big.matrix"))
    }
  )
}

has <- function(package) nzchar(system.file(package = package))

# Calls that are made in the process of the target, because their packages take long to start.
# `of`: list(name = what the call covers).
made_later <- function(make, o, of) {
  out <- lapply(names(of), function(name) list(of = of[[name]], later = function() make(o)[[name]]))
  stats::setNames(out, names(of))
}

recipe_uses <- function(o) {
  recipe <- recipes::recipe(y ~ a + b + f, o$frame)
  step <- step_landmarks(recipe, recipes::all_numeric_predictors(), num_landmarks = 3)
  trained <- recipes::prep(step)
  trained_step <- trained$steps[[1]]
  list(
    step_landmarks = a_use("step_landmarks", recipe, recipes::all_numeric_predictors(), num_landmarks = 3,
      prefix = "L", keep = TRUE),
    prep = a_use("prep.step_landmarks",
      fun = function(...) recipes::prep(step_landmarks(recipe, recipes::all_numeric_predictors(), ...)),
      num_landmarks = 3, method = "gp", bandwidth = NULL, scale = TRUE, options = list(),
      formals_of = step_landmarks
    ),
    bake = a_method("bake", "step_landmarks", trained_step, o$frame),
    print_step = a_method("print", "step_landmarks", trained_step, width = 30),
    tidy_step = a_method("tidy", "step_landmarks", trained_step),
    tunable = a_method("tunable", "step_landmarks", trained_step),
    required = a_method("required_pkgs", "step_landmarks", trained_step)
  )
}

experiment_uses <- function(o) {
  counts <- as.matrix(Matrix::t(o$counts))
  rownames(counts) <- paste0("g", seq_len(nrow(counts)))
  cells <- SingleCellExperiment::SingleCellExperiment(list(counts = counts, logcounts = log1p(counts)))
  list(experiment = a_use("landmarks.SummarizedExperiment", cells, n = 3, assay = "logcounts",
    fun = landmarks,
    keep = TRUE, formals_of = landmarker:::landmarks.SummarizedExperiment
  ))
}

delayed_uses <- function(o) {
  x <- HDF5Array::writeHDF5Array(o$x, tempfile(tmpdir = getwd(), fileext = ".h5"))
  fit <- o$made$fit
  list(
    delayed_fit = a_use("landmarks", x, n = 3, method = by_kmeans(), scale = TRUE),
    delayed_predict = a_method("predict", "landmarks", fit, x, type = "nearest"),
    delayed_chunks = a_use("as_chunks.DelayedMatrix", x, sample = 40, fun = as_chunks, keep = TRUE)
  )
}

big_uses <- function(o) {
  x <- bigmemory::as.big.matrix(o$x)
  list(
    big_fit = a_use("landmarks", x, n = 3, method = by_kmeans(), scale = TRUE),
    big_chunks = a_use("as_chunks.big.matrix", x, sample = 40, fun = as_chunks, keep = TRUE)
  )
}
