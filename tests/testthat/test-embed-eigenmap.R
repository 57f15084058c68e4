# The eigenvectors of large graphs, by RSpectra on the sparse matrix, against those of the dense matrix.

skip_slow_file()

skip_if_not_installed("RSpectra")

graph_of <- function(x, neighbors, ...) {
  quietly(landmark_graph(suppressMessages(as_landmarks(x, x)), neighbors = neighbors, ...))
}

circles <- function(count, each) {
  angle <- 2 * pi * seq_len(each) / each
  do.call(rbind, lapply(5 * seq_len(count), function(at) cbind(at + cos(angle), sin(angle))))
}

heaps <- function(sizes) {
  do.call(rbind, lapply(seq_along(sizes), function(i) matrix(stats::rnorm(2 * sizes[i]), ncol = 2) + 50 * i))
}

sparse <- function(graph, dims, alpha = 0) sparse_eigenvectors(graph, dims, alpha)

dense <- function(graph, dims, alpha = 0) {
  settings <- c(list(dims = as.integer(dims), alpha = alpha), compute_with(NULL))
  .Call(C_eigenmap, c(compressed(graph$weights), list(own = own_weights(graph))), settings)
}

# All eigenpairs of D^-1/2 K D^-1/2 by eigen(), the eigenvalue of its first eigenvector made -1.
all_pairs <- function(graph, alpha) {
  k <- as.matrix(graph$weights) + diag(nrow(graph$weights))
  k <- k / outer(rowSums(k), rowSums(k))^alpha
  root <- sqrt(rowSums(k) / sum(k))
  pairs <- eigen(k / sqrt(outer(rowSums(k), rowSums(k))) - 2 * outer(root, root), symmetric = TRUE)
  list(values = 1 - pairs$values, vectors = pairs$vectors, root = unname(root))
}

expect_eigenmap <- function(got, dims, want) {
  some <- seq_len(dims)
  y <- got$coordinates
  expect_identical(dim(y), c(length(want$root), as.integer(dims)))
  expect_lt(max(abs(got$values - want$values[some])), 1e-12)
  # Mean 0, variance 1, uncorrelated.
  expect_lt(max(abs(crossprod(want$root^2, y))), 1e-10)
  expect_lt(max(abs(crossprod(y * want$root) - diag(dims))), 1e-9)
  # In the space of the eigenvectors with this eigenvalue.
  space <- cumsum(c(TRUE, diff(want$values) > 1e-6))
  for (s in unique(space[some])) {
    v <- want$vectors[, space == s, drop = FALSE]
    mine <- y[, intersect(which(space == s), some), drop = FALSE] * want$root
    expect_lt(max(abs(mine - v %*% crossprod(v, mine))), 1e-7)
  }
  # The sign.
  expect_true(all(apply(y, 2, function(v) v[which(abs(v) >= max(abs(v)) * (1 - 1e-6))[1]]) > 0))
}

# Replaces a function of a package until the test ends.
local_function <- function(name, value, package = "landmarker", env = parent.frame()) {
  space <- asNamespace(package)
  old <- rlang::env_get(space, name)
  rlang::env_binding_unlock(space, name)
  rlang::env_poke(space, name, value)
  withr::defer(rlang::env_poke(space, name, old), env)
  withr::defer(rlang::env_binding_lock(space, name), env, "last")
}

roll <- withr::with_seed(5, sim_swiss_roll(520))
roll_graph <- graph_of(roll, 8)

test_that("sparse eigenvectors are those of the dense matrix, equal and nearly equal ones too", {
  x <- withr::with_seed(8, heaps(rep(85, 6)) / 6)
  several <- withr::with_seed(7, list(
    ring = graph_of(circles(1, 510), 4), two = graph_of(circles(2, 260), 4),
    three = graph_of(circles(3, 180), 2), twenty = graph_of(circles(20, 26), 6),
    heaps = graph_of(heaps(8 + 2 * (1:20)), 5), pairs = graph_of(heaps(rep(c(2, 30), each = 17)), 1)
  ))
  graphs <- c(several, withr::with_seed(6, list(
    roll = roll_graph, binary = graph_of(roll, 12, edge_weights = "binary"),
    line = graph_of(cbind(sort(stats::runif(510))), 7), wide = graph_of(matrix(stats::rnorm(5100), 510), 9),
    # Parts that are nearly separate, and all joined with all, where every eigenvalue is 1.
    loose = graph_of(x, 90, sigma = 0.4), flat = graph_of(x, 509, edge_weights = "binary")
  )))
  for (name in if (full_run()) names(graphs) else c("three", "heaps", "flat")) {
    for (alpha in if (name %in% c("roll", "binary", "line", "wide", "heaps")) c(0, 1) else 0) {
      want <- all_pairs(graphs[[name]], alpha)
      for (dims in if (name == "flat") 5 else c(1, if (full_run()) 7, 50)) {
        expect_eigenmap(sparse(graphs[[name]], dims, alpha), dims, want)
      }
    }
  }
  expect_identical(max(graphs$loose$components), 1L)
  expect_gt(sum(all_pairs(graphs$loose, 0)$values < 1e-12), 2)
  # The first coordinate tells all components apart.
  first <- sparse(graphs$heaps, 2)$coordinates[, 1]
  places <- vapply(split(first, graphs$heaps$components), function(v) c(mean(v), diff(range(v))), c(0, 0))
  expect_lt(max(places[2, ]), 1e-10)
  expect_gt(min(diff(sort(places[1, ]))), 1e-3)
  # An error where there are no smooth coordinates.
  expect_error(embed_landmarks(graphs$flat, 3), "It has 0", class = "landmarker_error_rank")
})

test_that("both ways to iterate find the same", {
  for (graph in list(roll_graph, graph_of(circles(3, 180), 6))) {
    problem <- sparse_problem(graph, 1)
    ways <- list(products_operator(problem), solving_operator(problem))
    found <- lapply(ways, function(way) largest_pairs(problem, way, 30))
    expect_equal(found[[1]]$values, found[[2]]$values, tolerance = 1e-12)
  }
})

test_that("embed_landmarks() uses them for large graphs, with the same bits each time", {
  graph <- roll_graph
  set.seed(3)
  stream <- .Random.seed
  e <- embed_landmarks(graph, 4, independent = FALSE)
  expect_identical(.Random.seed, stream)
  expect_identical(unname(coef(e)), sparse(graph, 4)$coordinates)
  # Small graphs, many dimensions, and without the package: by LAPACK.
  small <- graph_of(roll[1:500, ], 8)
  expect_identical(unname(coef(embed_landmarks(small, 4, independent = FALSE))), dense(small, 4)$coordinates)
  expect_identical(unname(coef(embed_landmarks(graph, 105))), dense(graph, 105)$coordinates)
  local_function("has_package", function(...) FALSE)
  expect_identical(unname(coef(embed_landmarks(graph, 4, independent = FALSE))), dense(graph, 4)$coordinates)
})

test_that("what RSpectra does not find is found by LAPACK", {
  want <- dense(roll_graph, 3)
  true_one <- RSpectra::eigs_sym
  failures <- list(
    stops = function(...) stop("TridiagEigen: eigen decomposition failed"),
    fewer = function(A, k, ...) {
      out <- true_one(A, k, ...)
      warning("only 1 eigenvalue(s) converged, less than k")
      list(values = out$values[1], vectors = out$vectors[, 1, drop = FALSE], nconv = 1L)
    },
    none = function(...) list(values = NULL, vectors = NULL, nconv = 0L)
  )
  for (failure in failures) {
    local_function("eigs_sym", failure, "RSpectra")
    expect_silent(got <- eigenvectors(roll_graph, 3, 0, NULL))
    expect_identical(got, want)
  }
})

test_that("an eigenvalue that the first run misses is found by the next", {
  true_one <- RSpectra::eigs_sym
  runs <- 0
  local_function("eigs_sym", function(A, k, ...) {
    runs <<- runs + 1
    out <- true_one(A, if (runs == 1) k + 2 else k, ...)
    if (runs > 1) return(out)
    list(values = out$values[-c(1, 4)], vectors = out$vectors[, -c(1, 4)], nconv = k)
  }, "RSpectra")
  expect_eigenmap(sparse(roll_graph, 6), 6, all_pairs(roll_graph, 0))
  expect_gt(runs, 3)
})

test_that("a message says what takes long, and what helps", {
  withr::local_options(rlib_message_verbosity = "verbose")
  local_function("long_dense", 500L)
  expect_silent(eigenvectors(roll_graph, 3, 0, NULL))
  # For many eigenvectors nothing is faster.
  expect_silent(eigenvectors(roll_graph, 400, 0, NULL))
  local_function("has_package", function(...) FALSE)
  expect_message(eigenvectors(roll_graph, 3, 0, NULL), "install.packages\\(\"RSpectra\"",
    class = "landmarker_message_eigenmap"
  )
})
