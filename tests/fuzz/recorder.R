# Calls of every entry point of the C code, written down while ordinary uses of the package make them.
# entries.R repeats them with hostile arguments, gctorture.R with garbage collections.

grDevices::pdf(NULL) # pictures are drawn nowhere
library(landmarker)

# A copy of the package whose `.Call` remembers its arguments.
recorded <- new.env()
copy_package <- function() {
  real <- asNamespace("landmarker")
  copy <- list2env(as.list(real, all.names = TRUE), parent = parent.env(real))
  for (name in ls(copy, all.names = TRUE)) {
    if (is.function(copy[[name]]) && identical(environment(copy[[name]]), real)) {
      environment(copy[[name]]) <- copy
    }
  }
  copy$.Call <- function(.NAME, ...) {
    arguments <- list(...)
    key <- paste(.NAME$name, paste(shape_of(arguments), collapse = " "))
    # The core writes to what a source keeps: the arguments are copied before.
    if (is.null(recorded[[key]])) recorded[[key]] <- list(entry = .NAME, arguments = deep_copy(arguments))
    base::.Call(.NAME, ...)
  }
  copy
}

# Environments and pointers are shared; vectors are new.
deep_copy <- function(value) {
  if (is.list(value)) {
    value[] <- lapply(value, deep_copy)
    return(value)
  }
  if (is.atomic(value) && length(value)) value[1] <- value[1]
  value
}

# The names of the entry points that are registered and were not called.
not_recorded <- function() {
  entries <- vapply(as.list(recorded), function(record) record$entry$name, "")
  setdiff(names(getDLLRegisteredRoutines("landmarker")$.Call), entries)
}

# What tells calls apart: kinds of arguments and names of options, not numbers.
shape_of <- function(value) {
  if (is.list(value)) return(c("(", names(value), unlist(lapply(value, shape_of)), ")"))
  if (is.character(value)) return(c("string", value[1]))
  paste0(class(value)[1], if (length(value) == 0) 0 else if (length(value) == 1) 1)
}

# ---- ordinary uses ---------------------------------------------------------------

use_all <- function(p) {
  set.seed(1)
  options(landmarker.threads = 1)
  x <- sim_spiral(120)
  colnames(x) <- c("a", "b")
  counts <- methods::as(newsgroups[1:100, 1:30], "CsparseMatrix")
  counts <- counts[Matrix::rowSums(counts) > 0, ]
  w <- rep(1:2, length.out = 120)
  small <- function(method, data = x, n = 6, ...) suppressWarnings(p$landmarks.default(data, n, method, ...))
  fits <- list()
  for (name in c("joint", "sequential")) fits[[name]] <- small(by_gp(name))
  small(by_gp("sgd", iterations = 4))
  fits$volume <- small(by_gp(criterion = "volume"))
  fits$batches <- small(by_gp(batch_size = 40))
  for (data in list(x, counts)) {
    small(by_gp(), data)
    small(by_active(), data)
    small(by_active(60), data)
    small(by_kmeans(), data)
    small(by_kmeans(batch_size = 30), data)
    small(by_dpp(), data)
    small(by_dpp(update = "sin2", covariance = "full"), x)
    small(by_dpp_exact(), x)
    small(by_random(), data)
  }
  small(by_gp(), weights = w)
  small(by_gp(), abs(x), space = "nonnegative")
  small(by_gp(), x / sqrt(rowSums(x^2)), space = "sphere")
  small(by_kmeans(), weights = w)
  small(by_response(factor(w), iterations = 20))
  small(by_response(x[, 1], iterations = 20))
  chunks <- chunked(0:1, function(half) x[seq_len(60) + 60 * half, ])
  small(by_gp(), chunks)
  small(by_gp(batch_size = Inf), chunks)
  small(by_kmeans(), chunks)
  fit <- fits$joint
  for (data in list(x, chunks)) {
    for (type in c("features", "nearest")) p$predict.landmarks(fit, data, type)
    p$predict.landmarks(fit, x, "variance", x = data)
    p$nearest_observations(fit, data, 3)
    p$reconstruction_error(fit, data)
  }
  p$add_landmarks(fit, x, 3)
  p$add_landmarks(fit, x, 3, by_active())
  p$add_landmarks(fit, x, 3, by_dpp())
  p$refine_landmarks(fit, x, 3)
  p$refine_landmarks(fit, chunks, 3)
  p$as_landmarks(x[1:5, ], x)
  y <- sim_swiss_roll(300)
  dpp <- small(by_dpp(covariance = "full"), y, 40)
  e <- p$embed_landmarks.landmarks(dpp, dims = 2)
  p$predict.landmark_embedding(e, y)
  suppressWarnings(p$landmark_graph(dpp, y, 5, "bhattacharyya"))
  e <- suppressWarnings(p$embed_landmarks.landmarks(dpp, y, edges = "data"))
  p$predict.landmark_embedding(e, y)
  cv <- p$cv_landmarks
  for (response in list(factor(w), x[, 1], cbind(a = w > 1, b = x[, 1] > 0))) {
    suppressWarnings(cv(x, response, n = 4, methods = list(random = by_random()), folds = 2, seeds = 1))
  }
  suppressWarnings(cv(x, factor(rep(1:3, 40)),
    n = 4, methods = list(random = by_random()), folds = 2, seeds = 1, classes = "softmax"
  ))
  features <- p$predict.landmarks(fit, x)
  p$newton_path(features, 4, cbind(x[, 1]), c(1, 0.1), "number", rep(c(0.5, 1.5), 60))
  p$newton_path(features, 4, cbind(as.numeric(w == 1)), 1, "chance")
  p$newton_path(features, 4, cbind(w == 1, w == 2) * 1, c(1, 0.1), "classes")
  options(landmarker.threads = NULL)
  p$compute_with()
  p$.Call(p$C_spaces)
  p$.Call(p$C_kernels)
  p$codebook(x, 4)
  p$plot_images(digits$images[1:2, ], dim = c(28, 28))
}
