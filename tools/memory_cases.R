# The cases of tools/memory.R: steps before, then the call whose memory is measured. Sizes are such that most
# peaks are from 0.3 to 2 GB.

# A fit of the first n rows, forged to save the work.
many_landmarks <- function(x, n) {
  fit <- unclass(landmarker::landmarks(x, 12, "random"))
  each <- c(
    "variance", "explained", "nearest", "nearest_distance", "on_data", "iterations", "moved", "rows", "trace"
  )
  fit[each] <- lapply(fit[each], function(part) part[rep_len(seq_len(12), n)])
  fit$landmarks <- x[seq_len(n), , drop = FALSE]
  fit$joined <- NULL
  structure(fit, class = "landmarks")
}

cases <- list(
  gp = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 1500, bandwidth = 0.3)"),
  gp_wide = c("x <- matrix(rnorm(6e6), 2000)", "landmarks(x, 700)"),
  gp_volume = c(
    "x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 1500, by_gp(criterion = 'volume'), bandwidth = 0.3)"
  ),
  gp_sequential = c("x <- matrix(rnorm(1e7), 5000)", "landmarks(x, 10, by_gp('sequential'))"),
  gp_rows = c("x <- matrix(rnorm(3.6e7), 1.2e7)", "landmarks(x, 50)"),
  gp_sparse = c("x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "landmarks(x, 150)"),
  random = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 3000, 'random', bandwidth = 0.3)"),
  bandwidth = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 2000, 'random')"),
  random_rows = c("x <- matrix(rnorm(3.6e7), 1.2e7)", "landmarks(x, 50, 'random')"),
  random_sparse = c("x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "landmarks(x, 400, 'random')"),
  random_frame = c("x <- as.data.frame(matrix(rnorm(3e7), 1e6))", "landmarks(x, 50, 'random')"),
  kmeans = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 3000, 'kmeans', bandwidth = 0.3)"),
  kmeans_sparse = c("x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "landmarks(x, 400, 'kmeans')"),
  dpp = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 3000, 'dpp', bandwidth = 0.3)"),
  dpp_full = c(
    "x <- matrix(rnorm(8e5), 8000)", "landmarks(x, 1000, by_dpp(covariance = 'full'), bandwidth = 100)"
  ),
  dpp_diagonal = c("x <- matrix(rnorm(1e7), 5000)", "landmarks(x, 2000, by_dpp(covariance = 'diagonal'))"),
  active = c("x <- matrix(rnorm(1e6), 2e5)", "landmarks(x, 300, 'active', bandwidth = 0.3)"),
  dpp_exact = c("x <- matrix(rnorm(22500), 4500)", "landmarks(x, 20, by_dpp_exact(), bandwidth = 0.3)"),
  response = c(
    "x <- matrix(rnorm(1e7), 1e5)", "y <- rnorm(1e5)",
    "landmarks(x, 700, by_response(y, iterations = 5), bandwidth = 100)"
  ),
  response_wide = c(
    "x <- matrix(rnorm(2e7), 1e4)", "y <- rnorm(1e4)", "landmarks(x, 100, by_response(y, iterations = 20))"
  ),
  by_class = c(
    "x <- matrix(rnorm(4e7), 1e6)", "y <- rep(1:4, 250000)", "landmarks(x, 40, by_class('random', y))"
  ),
  own = c("x <- matrix(rnorm(4e4), 8000)", "as_landmarks(x[1:3000, ], x, bandwidth = 0.3)"),
  refine = c(
    "x <- matrix(rnorm(4e4), 8000)", "f <- landmarks(x, 2500, 'random', bandwidth = 0.3)",
    "refine_landmarks(f, x, 1)"
  ),
  graph = c("x <- matrix(rnorm(4e4), 8000)", "f <- many_landmarks(x, 5000)", "landmark_graph(f)"),
  graph_apart = c(
    "x <- rbind(matrix(rnorm(2e4), 4000), matrix(rnorm(2e4) + 50, 4000))", "f <- many_landmarks(x, 5000)",
    "landmark_graph(f, x)"
  ),
  graph_rows = c("x <- matrix(rnorm(4e6), 4e5)", "f <- many_landmarks(x, 2000)", "landmark_graph(f, x)"),
  graph_full = c(
    "x <- matrix(rnorm(9.6e5), 8000)", "f <- many_landmarks(x, 2000)",
    "landmark_graph(f, x, distance = 'bhattacharyya', covariance = 'full')"
  ),
  graph_diagonal = c(
    "x <- matrix(rnorm(4e4), 8000)", "f <- many_landmarks(x, 5000)",
    "landmark_graph(f, x, distance = 'bhattacharyya')"
  ),
  embed_dense = c(
    "x <- matrix(rnorm(4e4), 8000)", "f <- many_landmarks(x, 4500)", "g <- landmark_graph(f)", "gc()",
    "embed_landmarks(g, dims = 1000, independent = FALSE)"
  ),
  embed_sparse = c(
    "x <- matrix(rnorm(4e4), 8000)", "f <- many_landmarks(x, 5000)", "g <- landmark_graph(f)", "gc()",
    "embed_landmarks(g, dims = 100)"
  ),
  features = c("x <- matrix(rnorm(1e6), 1e5)", "f <- many_landmarks(x, 500)", "predict(f, x)"),
  features_chunks = c(
    "x <- matrix(rnorm(1e6), 1e5)", "f <- many_landmarks(x, 500)",
    "p <- chunked(0:1, function(i) x[5e4 * i + 1:5e4, ])", "predict(f, p)"
  ),
  response_values = c(
    "x <- matrix(rnorm(1e6), 1e5)", "y <- rnorm(1e5)",
    "f <- landmarks(x, 500, by_response(y, iterations = 5))", "predict(f, x, 'response')"
  ),
  nearest = c("x <- matrix(rnorm(3e7), 1e7)", "f <- as_landmarks(x[1:5, ], x)", "predict(f, x, 'nearest')"),
  variance = c(
    "x <- matrix(rnorm(2e4), 2e3)", "f <- many_landmarks(x, 500)", "new <- matrix(rnorm(1e6), 1e5)",
    "predict(f, new, 'variance', x = x)"
  ),
  variance_few = c(
    "x <- matrix(rnorm(5e4), 5e3)", "f <- many_landmarks(x, 4000)",
    "predict(f, x[1:1500, ], 'variance', x = x)"
  ),
  variance_rows = c(
    "x <- matrix(rnorm(3e7), 1e7)", "f <- as_landmarks(x[1:5, ], x)",
    "predict(f, x, 'variance', x = x[1:100, ])"
  ),
  values = c(
    "x <- matrix(rnorm(4e4), 8000)", "f <- as_landmarks(x[1:50, ], x)", "e <- embed_landmarks(f, dims = 5)",
    "x <- matrix(rnorm(4e7), 8e6)", "predict(e, x)"
  ),
  values_full = c(
    "x <- matrix(rnorm(9.6e5), 8000)", "f <- many_landmarks(x, 2000)",
    paste0("e <- suppressWarnings(embed_landmarks(landmark_graph(f, x, distance = 'bhattacharyya', ",
      "covariance = 'full'), dims = 3))"
    ),
    "predict(e, x)"
  ),
  error = c("x <- matrix(rnorm(4e4), 8000)", "f <- many_landmarks(x, 5000)", "reconstruction_error(f, x)"),
  sketch = c(
    "x <- matrix(rnorm(2e6), 2e5)", "f <- as_landmarks(x[1:50, ], x, bandwidth = 0.3)",
    "sketch_rows(f, x, 250)"
  ),
  codebook = c("x <- matrix(rnorm(2e7), 4000)", "codebook(x, 1500, max_iterations = 2)"),
  codebook_sparse = c(
    "x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "codebook(x, 500, max_iterations = 2)"
  ),
  histograms = c(
    "x <- matrix(rnorm(2e6), 4e5)", "b <- codebook(x, 100, max_iterations = 1)",
    "predict(b, x, rep(seq_len(2e5), 2))"
  ),
  strings = c("x <- data.frame(a = rnorm(4000), b = sprintf('s%04d', 1:4000))", "landmarks(x, 5, 'random')"),
  levels = c(
    "x <- data.frame(a = rnorm(5e4), b = sprintf('s%03d', sample(500, 5e4, TRUE)))",
    "landmarks(x, 5, 'random')"
  ),
  cv = c(
    "x <- matrix(rnorm(1e6), 5e4)", "y <- rnorm(5e4)",
    "cv_landmarks(x, y, n = 200, folds = 3, seeds = 1, methods = 'random')"
  ),
  cv_wide = c(
    "x <- matrix(rnorm(2e7), 1e4)", "y <- rnorm(1e4)",
    "cv_landmarks(x, y, n = 20, folds = 3, seeds = 1, methods = 'random')"
  ),
  cv_gp = c(
    "x <- matrix(rnorm(4e4), 8000)", "y <- rnorm(8000)",
    "cv_landmarks(x, y, n = 1000, folds = 2, seeds = 1, lambda = 1, bandwidths = 0.3)"
  ),
  cv_classes = c(
    "x <- matrix(rnorm(6e5), 3e4)", "y <- factor(rep(1:10, 3000))",
    "cv_landmarks(x, y, n = 300, folds = 2, seeds = 1, lambda = 1, methods = 'random')"
  ),
  cv_one_rest = c(
    "x <- matrix(rnorm(6e5), 3e4)", "y <- factor(rep(1:10, 3000))",
    paste0("cv_landmarks(x, y, n = 300, folds = 2, seeds = 1, lambda = 1, methods = 'random', ",
      "classes = 'one_vs_rest')"
    )
  ),
  cv_many_classes = c(
    "x <- matrix(rnorm(6e5), 3e4)", "y <- factor(rep(1:300, 100))",
    "cv_landmarks(x, y, n = 50, folds = 2, seeds = 1, lambda = c(1, 10), methods = 'random')"
  ),
  cv_response = c(
    "x <- matrix(rnorm(4e6), 4e4)", "y <- rnorm(4e4)",
    paste0("cv_landmarks(x, y, n = 500, folds = 2, seeds = 1, lambda = 1, ",
      "methods = list(by_response(iterations = 20)))"
    )
  ),
  cv_nested = c(
    "x <- matrix(rnorm(1e6), 5e4)", "y <- rnorm(5e4)",
    "cv_landmarks(x, y, n = 200, folds = 3, seeds = 1, methods = 'random', nested = TRUE)"
  ),
  cv_raw = c(
    "x <- matrix(rnorm(1e7), 2e4)", "y <- rnorm(2e4)",
    "cv_landmarks(x, y, n = 20, folds = 2, seeds = 1, methods = list(raw_features), lambda = 1)"
  ),
  cv_raw_wide = c(
    "x <- matrix(rnorm(2e7), 1000)", "y <- rnorm(1000)",
    "cv_landmarks(x, y, n = 20, folds = 2, seeds = 1, methods = list(raw_features), lambda = 1)"
  ),
  cv_sparse = c(
    "x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "y <- rnorm(5000)",
    "cv_landmarks(x, y, n = 200, folds = 2, seeds = 1, methods = 'random', lambda = 1)"
  ),
  cv_raw_sparse = c(
    "x <- Matrix::rsparsematrix(2000, 10000, 0.002)", "y <- rnorm(2000)",
    "cv_landmarks(x, y, n = 20, folds = 2, seeds = 1, methods = list(raw_features), lambda = 1)"
  ),
  hellinger = c("x <- matrix(rpois(4e7, 1), 4e5)", "hellinger(x)"),
  hellinger_double = c("x <- matrix(as.double(rpois(4e7, 1)), 4e5)", "hellinger(x)"),
  idx = c(
    "file <- tempfile()", "con <- gzfile(file, 'wb')", "n <- 50000L",
    "writeBin(as.raw(c(0, 0, 8, 3)), con)", "writeBin(c(n, 28L, 28L), con, endian = 'big')",
    "for (i in 1:50) writeBin(raw(784000), con); close(con)", "read_idx(file)"
  ),
  plot = c("x <- matrix(rnorm(1e7), 1e6)", "f <- as_landmarks(x[1:20, ], x)", "pdf(NULL)", "plot(f, x)"),
  plot_all = c(
    "x <- matrix(rnorm(2e7), 1e6) * rep(2^(20:1), each = 1e6)", "f <- as_landmarks(x[1:20, ], x)",
    "pdf(NULL)", "plot(f, x, max_points = 1e6)"
  ),
  plot_wide = c(
    "x <- matrix(rnorm(4e7), 5000) * rep(2^pmax(-20, -(1:8000)), each = 5000)",
    "f <- as_landmarks(x[1:20, ], x)", "pdf(NULL)", "plot(f, x)"
  ),
  plot_sparse = c(
    "x <- Matrix::rsparsematrix(5000, 20000, 0.02)", "f <- as_landmarks(x[1:20, ], x)", "pdf(NULL)",
    "plot(f, x)"
  ),
  plot_frame = c(
    "x <- as.data.frame(matrix(rnorm(3e7), 1e6))", "f <- landmarks(x, 20, 'random')", "pdf(NULL)",
    "plot(f, x)"
  ),
  plot_many = c(
    "x <- matrix(rnorm(3e4), 15000)", "f <- many_landmarks(x, 12000)", "pdf(NULL)", "plot(f, x)"
  ),
  plot_map_wide = c(
    "x <- matrix(rnorm(4e7), 5000)", "f <- as_landmarks(x[1:20, ], x)", "pdf(NULL)",
    "plot(f, x, type = 'map')"
  ),
  plot_map_sparse = c(
    "x <- Matrix::rsparsematrix(5000, 20000, 0.002)", "f <- as_landmarks(x[1:20, ], x)", "pdf(NULL)",
    "plot(f, x, type = 'map')"
  ),
  plot_map = c(
    "x <- matrix(rnorm(8e4), 2e4)", "f <- as_landmarks(x[1:20, ], x)", "pdf(NULL)",
    "plot(f, x, type = 'map', max_points = 2e4, perplexity = 500)"
  ),
  autoplot = c(
    "x <- matrix(rnorm(2e7), 1e6) * rep(2^(20:1), each = 1e6)", "f <- as_landmarks(x[1:20, ], x)",
    "pdf(NULL)", "print(ggplot2::autoplot(f, x, max_points = 1e6))"
  ),
  autoplot_embedding = c(
    "x <- matrix(rnorm(4e4), 8000)", "f <- as_landmarks(x[1:50, ], x)", "e <- embed_landmarks(f, dims = 2)",
    "x <- matrix(rnorm(2.5e7), 5e6)", "pdf(NULL)", "plot(e, x)"
  ),
  neighbors = c(
    "x <- matrix(rnorm(5e5), 1e5)", "f <- many_landmarks(x, 500)", "nearest_observations(f, x, 2e4)"
  ),
  neighbors_graph = c(
    "x <- matrix(rnorm(5e5), 1e5)", "f <- many_landmarks(x, 500)",
    "landmark_graph(f, x, distance = 'bhattacharyya', covariance_rows = 5e4)"
  ),
  augment = c("x <- matrix(rnorm(4e7), 2e6)", "f <- as_landmarks(x[1:5, ], x)", "augment(f, x)"),
  augment_frame = c(
    "x <- as.data.frame(matrix(rnorm(4e7), 2e6))", "f <- landmarks(x, 5, 'random')", "augment(f, x)"
  ),
  predict_frame = c(
    "x <- as.data.frame(matrix(rnorm(4e7), 2e6))", "f <- landmarks(x, 5, 'random')", "predict(f, x)"
  ),
  predict_levels = c(
    "x <- data.frame(a = rnorm(5e4), b = sprintf('s%03d', sample(500, 5e4, TRUE)))",
    "f <- landmarks(x, 5, 'random')", "predict(f, x)"
  ),
  tidy_graph = c(
    "x <- matrix(rnorm(4e4), 8000)", "f <- many_landmarks(x, 5000)", "g <- landmark_graph(f)", "tidy(g)"
  ),
  raw = c(
    "x <- Matrix::rsparsematrix(4000, 20000, 0.002)", "f <- raw_features(matrix(0, 2, 20000))",
    "predict(f, x)"
  ),
  bandwidth = c("x <- matrix(rnorm(4e4), 8000)", "landmarks(x, 2000, 'random')"),
  random_wide = c("x <- matrix(rnorm(4e7), 4000)", "landmarks(x, 800, 'random')")
)
