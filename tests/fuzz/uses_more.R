# Valid calls that need other packages or workers; without the package they are left out.

other_packages <- function(o) {
  c(
    made_later(worker_uses, o, c(
      on_workers = "on_workers", on_workers_cluster = "on_workers", worker_read = "on_workers",
      worker_fit = "source_of.worker_data", worker_rows = "[.worker_data", worker_dim = "dim.worker_data",
      worker_names = "dimnames.worker_data", worker_print = "print.worker_data"
    )),
    if (has("recipes")) recipe_uses(o), if (has("ggplot2")) ggplot_uses(o),
    if (has("SingleCellExperiment")) {
      made_later(experiment_uses, o, c(experiment = "landmarks.SummarizedExperiment"))
    },
    if (has("HDF5Array")) {
      # Processes that load it write the same file in the session's temporary folder.
      loadNamespace("HDF5Array")
      made_later(delayed_uses, o,
        c(delayed_fit = "landmarks", delayed_predict = "predict", sink_file = "predict"))
    }
  )
}

has <- function(package) nzchar(system.file(package = package))

# Calls that are made in the process of the target, because their packages or workers take long to start.
# `of`: list(name = what the call covers).
made_later <- function(make, o, of) {
  out <- lapply(names(of), function(name) list(of = of[[name]], later = function() make(o)[[name]]))
  stats::setNames(out, names(of))
}

# One cluster for each target. It is made again where a call has left it unusable.
kept <- new.env()
fuzz_cluster <- function() {
  if (!is.null(kept$cluster)) return(kept$cluster)
  # Processes that draw the same random numbers would choose the same port.
  kept$cluster <- parallel::makeCluster(2, port = 20000 + Sys.getpid() %% 10000)
  parallel::clusterCall(kept$cluster, loadNamespace, "landmarker")
  kept$cluster
}
end_cluster <- function() {
  try(parallel::stopCluster(kept$cluster), silent = TRUE)
  kept$cluster <- NULL
}
fuzz_workers <- function() {
  x <- lapply(1:2, half_of(sim_spiral(60)))
  on_workers(fuzz_cluster(), function(worker, workers) x[[worker]])
}

worker_uses <- function(o) {
  fuzz_cluster()
  reader <- function(worker, workers) landmarker::sim_spiral(30)
  workers <- function(use) function(...) use(fuzz_workers(), ...)
  list(
    on_workers = a_use("on_workers", fun = function(read) on_workers(fuzz_cluster(), read), reader),
    on_workers_cluster = a_use("on_workers", fun = function(cl, read) {
      on_workers(if (identical(cl, "the cluster")) fuzz_cluster() else cl, read)
    }, "the cluster", reader),
    worker_read = a_use("on_workers",
      fun = function(part) on_workers(fuzz_cluster(), function(worker, workers) part),
      o$x[1:30, ]
    ),
    worker_fit = a_use("source_of.worker_data",
      fun = workers(function(x, n, ...) landmarks(x, n, ...)), 3,
      by_kmeans(), weights = NULL
    ),
    worker_rows = a_use("[.worker_data", fun = workers(function(x, i) x[i, ]), 1:3),
    worker_dim = a_use("dim.worker_data", fun = workers(function(x) dim(x))),
    worker_names = a_use("dimnames.worker_data", fun = workers(function(x) dimnames(x))),
    worker_print = a_use("print.worker_data", fun = workers(function(x, ...) print(x, ...)))
  )
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
      num_landmarks = 3, method = "gp", bandwidth = NULL, scale = TRUE, space = "euclidean", options = list(),
      formals_of = step_landmarks
    ),
    bake = a_method("bake", "step_landmarks", trained_step, o$frame),
    print_step = a_method("print", "step_landmarks", trained_step, width = 30),
    tidy_step = a_method("tidy", "step_landmarks", trained_step),
    tunable = a_method("tunable", "step_landmarks", trained_step),
    required = a_method("required_pkgs", "step_landmarks", trained_step)
  )
}

ggplot_uses <- function(o) {
  made <- o$made
  roll <- sim_swiss_roll(50)
  # Pictures that are not drawn would hide errors.
  drawn <- function(use) {
    auto <- use$fun
    # Where print() is an S4 generic it would wrap an error of its argument.
    use$fun <- function(...) {
      picture <- auto(...)
      suppressMessages(print(picture))
    }
    use
  }
  lapply(list(
    auto_fit = a_method("autoplot", "landmarks", made$fit, o$x, color = o$y),
    auto_variance = a_method("autoplot", "landmarks", made$fit, type = "variance"),
    auto_words = a_method("autoplot", "landmarks", made$of_counts, type = "words", k = 2),
    auto_images = a_method("autoplot", "landmarks", made$fit, type = "images", dim = c(1, 2), labels = TRUE),
    auto_embedding = a_method("autoplot", "landmark_embedding", made$embedding, roll, edges = TRUE),
    auto_graph = a_method("autoplot", "landmark_graph", made$graph, roll, labels = TRUE),
    auto_cv = a_method("autoplot", "cv_landmarks", made$cv, measure = "accuracy")
  ), drawn)
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
    sink_file = a_method("predict", "landmarks", fit, o$x, sink = "values.h5")
  )
}
