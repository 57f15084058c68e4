# The graph of landmarks against loops straight from its definition.

skip_slow_file()

x <- bent_rows()
fit <- bent_fit()

test_that("the Euclidean graph is that of ranks", {
  squared <- as.matrix(stats::dist(kernel_points(fit)))^2
  for (k in c(1, 4, 10, 24)) {
    for (weights in c("heat", "binary")) {
      g <- quietly(landmark_graph(fit, neighbors = k, edge_weights = weights))
      expect_s4_class(g$weights, "dsCMatrix")
      expect_true(Matrix::isSymmetric(g$weights))
      expect_true(all(Matrix::diag(g$weights) == 0))
      expect_false(any(g$weights@x == 0))
      expect_equal(as.matrix(g$weights), naive_graph(squared, k, g$sigma, weights), tolerance = 1e-12)
      expect_equal(g$reach, unname(apply(squared, 1, sort)[k + 1, ]), tolerance = 1e-12)
    }
    expect_identical(g$sigma, NA_real_)
  }
  g <- landmark_graph(fit, neighbors = 10, sigma = 0.7)
  expect_equal(as.matrix(g$weights), naive_graph(squared, 10, 0.7), tolerance = 1e-12)
  few <- as_landmarks(x[1:4, ], x)
  expect_identical(landmark_graph(few, neighbors = 3)$neighbors, 3L)
})

test_that("the graph of four points on a line is what it is by hand", {
  # Nearest at 1, 1, 2 and 4, second nearest at 3, 2, 3 and 6, third at 7, 6, 4 and 7.
  line <- as_landmarks(cbind(c(0, 1, 3, 7)), cbind(0:7), bandwidth = 1)
  of <- function(k) quietly(landmark_graph(line, neighbors = k))
  edges <- function(...) {
    w <- matrix(0, 4, 4)
    for (e in list(...)) w[e[1], e[2]] <- w[e[2], e[1]] <- e[3]
    w
  }
  # The farthest from all others, at 4, sets sigma, and then half of the median 6.5.
  expect_equal(vapply(1:3, function(k) of(k)$sigma, 0), c(2, 2, 3.25))
  expect_equal(
    unname(as.matrix(of(1)$weights)), edges(c(1, 2, exp(-1 / 8)), c(2, 3, exp(-4 / 8)), c(3, 4, exp(-16 / 8)))
  )
  expect_equal(
    unname(as.matrix(of(2)$weights)),
    edges(
      c(1, 2, exp(-1 / 8)), c(1, 3, exp(-9 / 8)), c(2, 3, exp(-4 / 8)), c(2, 4, exp(-36 / 8)),
      c(3, 4, exp(-16 / 8))
    )
  )
  expect_equal(of(1)$reach, c(1, 1, 4, 16))
  expect_equal(of(2)$reach, c(9, 4, 9, 36))
})

test_that("the graph by Bhattacharyya distance is that of a naive loop", {
  for (full in c(FALSE, TRUE)) {
    for (ridge in c(0, 0.001, 0.5)) {
      m <- rows_of_covariance(fit, x, full)
      squared <- naive_squared(fit, with_ridge(naive_covariances(fit, x, m, full), ridge))
      g <- landmark_graph(fit, x, 6, "bhattacharyya",
        covariance = if (full) "full" else "diagonal", ridge = ridge
      )
      expect_equal(as.matrix(g$weights), naive_graph(squared, 6, g$sigma), tolerance = 1e-9)
    }
  }
})

test_that("in one dimension the distance is the closed form", {
  t <- c(0, 0.4, 1, 2.5)
  v <- c(0.3, 0.1, 2, 1)
  line <- matrix(seq(-1, 4, length.out = 50), ncol = 1)
  one <- as_landmarks(matrix(t, ncol = 1), line)
  one$covariance <- matrix(v)
  # 1/4 (t - s)^2 / (v + w) + 1/4 log(1/4 (v / w + w / v + 2))
  want <- 0.25 * outer(t, t, "-")^2 / outer(v, v, "+") +
    0.25 * log(0.25 * (outer(v, v, "/") + t(outer(v, v, "/")) + 2))
  g <- weights_of(one, NULL, 3, "bhattacharyya", sigma = 1, ridge = 0)
  off <- row(want) != col(want)
  expect_equal(as.matrix(g)[off], exp(-want[off] / 2), tolerance = 1e-12)
  one$covariance <- array(v, c(1, 1, 4))
  expect_equal(weights_of(one, NULL, 3, "bhattacharyya", sigma = 1, ridge = 0), g, tolerance = 1e-12)
})

test_that("full covariances keep the sheets of a roll apart", {
  set.seed(2)
  roll <- sim_swiss_roll(2000)
  along <- attr(roll, "position")[1:150, "length"]
  on <- as_landmarks(roll[1:150, ], roll, bandwidth = 20)
  shortcuts <- function(...) {
    edges <- Matrix::summary(quietly(weights_of(on, roll, 8, ...)))
    sum(abs(along[edges$i] - along[edges$j]) > 20)
  }
  expect_gt(shortcuts(), 50)
  expect_equal(shortcuts("bhattacharyya", covariance = "full"), 0)
})

test_that("of one column, and of two landmarks, there is a graph", {
  line <- matrix(odd_matrix(100, 1)^3)
  on <- as_landmarks(matrix(sort(line[1:12]), ncol = 1), line)
  for (distance in c("euclidean", "bhattacharyya")) {
    g <- weights_of(on, line, 5, distance)
    expect_true(Matrix::isSymmetric(g))
  }
  squared <- naive_squared(on, with_ridge(naive_covariances(on, line, 25, TRUE), 0.001))
  g <- landmark_graph(on, line, 5, "bhattacharyya")
  expect_equal(as.matrix(g$weights), naive_graph(squared, 5, g$sigma), tolerance = 1e-10)
  two <- as_landmarks(x[1:2, ], x)
  expect_equal(unname(as.matrix(weights_of(two))), exp(-2) * (1 - diag(2)), tolerance = 1e-12)
})

test_that("the same bits with one thread and two", {
  big <- odd_matrix(3000, 6)
  on <- as_landmarks(big[1:400, ], big)
  made <- lapply(1:2, function(threads) {
    withr::local_options(landmarker.threads = threads)
    quietly(list(
      landmark_graph(on), landmark_graph(on, big, distance = "bhattacharyya"),
      landmark_graph(on, big, distance = "bhattacharyya", covariance = "full"),
      nearest_observations(on, big, 50)
    ))
  })
  expect_identical(made[[1]], made[[2]])
})

# ---- the graph as a stage -------------------------------------------------------

without_time <- function(e) e[names(e) != "seconds"]

test_that("an embedding of a graph has the bits of one that makes the graph by itself", {
  graphs <- list(
    list(), list(neighbors = 6, sigma = 0.8), list(neighbors = 6, edge_weights = "binary"),
    list(x = x, neighbors = 6, distance = "bhattacharyya", covariance = "full", ridge = 0.1)
  )
  maps <- list(list(), list(dims = 4), list(dims = 1, independent = FALSE, alpha = 0.5))
  others <- list()
  if (requireNamespace("Rtsne", quietly = TRUE)) others <- list(list(layout = "tsne", perplexity = 4))
  if (requireNamespace("uwot", quietly = TRUE)) others <- c(others, list(list(layout = "umap")))
  file <- withr::local_tempfile()
  for (arguments in graphs) {
    graph <- quietly(rlang::inject(landmark_graph(fit, !!!arguments)))
    saveRDS(graph, file)
    # Other layouts take seconds: of one graph.
    for (map in c(maps, if (length(arguments) == 5) others)) {
      made <- withr::with_seed(1, quietly(rlang::inject(embed_landmarks(fit, !!!arguments, !!!map))))
      staged <- withr::with_seed(1, quietly(rlang::inject(embed_landmarks(readRDS(file), !!!map))))
      expect_identical(without_time(staged), without_time(made))
      expect_identical(predict(staged, x[1:50, ]), predict(made, x[1:50, ]))
    }
    expect_identical(made$graph, graph)
  }
})
