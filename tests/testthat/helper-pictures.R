# Pictures, drawn nowhere.

on_device <- function(code) {
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  force(code)
}

# It draws without a warning, and returns invisibly.
expect_drawn <- function(code) {
  code <- rlang::enexpr(code)
  env <- parent.frame()
  on_device(expect_warning(back <- withVisible(eval(code, env)), NA))
  expect_false(back$visible)
  invisible(back$value)
}

# An embedding made by hand, whole in the sense of check_embedding(), of the landmarks of a fit with symmetric
# weights of a graph. `coordinates` have names of rows and columns.
whole_embedding <- function(coordinates, values, weights, fit) {
  n <- nrow(coordinates)
  dims <- ncol(coordinates)
  shortcuts <- matrix(integer(), 0, 2, dimnames = list(NULL, c("low", "high")))
  graph <- structure(list(
    weights = weights, components = rep(1L, n), shortcuts = shortcuts, distance = "euclidean",
    edge_weights = "heat", sigma = 1, neighbors = 1L, reach = rep(1, n), covariance = NULL, fit = fit
  ), class = "landmark_graph")
  structure(list(
    coordinates = coordinates, values = values, graph = graph, seconds = 0, alpha = 0, layout = "eigenmap",
    plane = 0, chosen = seq_len(dims), novelty = numeric(dims)
  ), class = "landmark_embedding")
}

# An embedding of landmarks on a circle.
made_embedding <- function(n = 12, dims = 3) {
  x <- odd_matrix(n, 2)
  weights <- as.matrix(stats::dist(x))
  weights <- exp(-weights^2) * (weights < 1)
  diag(weights) <- 0
  angle <- 2 * pi * seq_len(n) / n
  coordinates <- cbind(cos(angle), sin(angle), cos(2 * angle))[, seq_len(dims), drop = FALSE]
  dimnames(coordinates) <- list(paste0("L", seq_len(n)), paste0("E", seq_len(dims)))
  weights <- methods::as(Matrix::forceSymmetric(methods::as(weights, "CsparseMatrix")), "CsparseMatrix")
  whole_embedding(coordinates, seq_len(dims) / 10, weights, as_landmarks(x, x, bandwidth = 1))
}

# Data of 1, 2, 3, 4 and 784 columns, dense and sparse, each with a fit.
picture_fits <- function() {
  withr::local_seed(1)
  blob <- matrix(rnorm(200), 50, 4) %*% diag(c(5, 3, 1, 0.5))
  blob[abs(blob) < 0.3] <- 0
  pixels <- digits$images[1:60, ] / 255
  lapply(list(blob[, 1, drop = FALSE], blob[, 1:2], blob[, 1:3], blob, pixels), function(x) {
    list(x = x, sparse = methods::as(x, "CsparseMatrix"), fit = landmarks(x, 5))
  })
}
