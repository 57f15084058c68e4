# The graph of landmarks against loops straight from its definition.

skip_slow_file()

expect_no_warning_of <- function(code) expect_warning(code, NA)

x <- odd_matrix(300, 3)
x[, 3] <- x[, 1]^2 + 0.1 * x[, 3]
colnames(x) <- c("a", "b", "c")
fit <- as_landmarks(x[1:25, ], x, bandwidth = 1)

weights_of <- function(...) landmark_graph(...)$weights
binary <- function(...) as.matrix(weights_of(..., edge_weights = "binary"))

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
  expect_identical(landmark_graph(fit), landmark_graph(fit, neighbors = 3))
  few <- as_landmarks(x[1:4, ], x)
  expect_identical(landmark_graph(few), landmark_graph(few, neighbors = 3))
})

test_that("sigma is the least for which typical farthest and all nearest neighbors weigh e^-2", {
  far <- as_landmarks(rbind(x[1:24, ], 9), x, bandwidth = 1)
  for (on in list(fit, far)) {
    apart <- as.matrix(stats::dist(kernel_points(on)))
    for (k in c(1, 7, 24)) {
      sigma <- quietly(landmark_graph(on, neighbors = k))$sigma
      weigh <- function(d) exp(-d^2 / (2 * sigma^2))
      sorted <- apply(apart, 1, sort)
      typical <- stats::median(weigh(sorted[k + 1, ]))
      expect_equal(min(typical, weigh(sorted[2, ])), exp(-2), tolerance = 1e-12)
    }
  }
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

test_that("all that are as near as the last neighbor are neighbors", {
  # Squared distances on a grid are whole numbers, which tie exactly.
  grid <- as.matrix(expand.grid(a = 1:5, b = 1:5))
  squared <- round(unname(as.matrix(stats::dist(grid)))^2)
  for (unit in c(1, 0.1)) {
    on_grid <- as_landmarks(grid * unit, grid * unit, bandwidth = 1)
    for (k in 1:6) {
      last <- apply(squared, 1, sort)[k + 1, ]
      joined <- squared > 0 & (squared <= last | t(squared <= last))
      expect_identical(unname(binary(on_grid, neighbors = k)) == 1, joined)
    }
    # By hand: the 40 sides of the squares; with a third neighbor the diagonal at each corner.
    expect_identical(sum(binary(on_grid, neighbors = 1)), 2 * 40)
    expect_identical(sum(binary(on_grid, neighbors = 2)), 2 * 40)
    expect_identical(sum(binary(on_grid, neighbors = 3)), 2 * 44)
  }
})

test_that("the graph by Bhattacharyya distance is that of a naive loop", {
  for (full in c(FALSE, TRUE)) {
    for (ridge in c(0, 0.001, 0.5)) {
      squared <- naive_squared(fit, with_ridge(naive_covariances(fit, x, 20, full), ridge))
      g <- landmark_graph(fit, x, 6, "bhattacharyya",
        covariance = if (full) "full" else "diagonal", ridge = ridge, covariance_rows = 20
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

test_that("equal isotropic covariances give the Euclidean graph", {
  s <- 0.3
  round <- fit
  round$covariance <- array(diag(s^2, 3), c(3, 3, 25))
  g <- weights_of(round, NULL, 8, "bhattacharyya", ridge = 0, sigma = 1)
  # exp(-||.||^2 / (8 s^2) / 2): a sigma of sqrt(8) s.
  expect_equal(g, weights_of(fit, NULL, 8, sigma = sqrt(8) * s), tolerance = 1e-12)
  round$covariance <- matrix(s^2, 25, 3)
  expect_equal(weights_of(round, NULL, 8, "bhattacharyya", ridge = 0, sigma = 1), g, tolerance = 1e-12)
  # The default sigma does not see the unit.
  expect_equal(
    weights_of(round, NULL, 8, "bhattacharyya"), weights_of(fit, NULL, 8),
    tolerance = 1e-12
  )
})

test_that("covariances are cov() of the nearest rows, whatever the data are stored as", {
  for (m in c(2, 17, 300)) {
    for (full in c(FALSE, TRUE)) {
      got <- covs_as_list(fit, x, m, full)
      expect_equal(got, naive_covariances(fit, x, m, full), tolerance = 1e-12)
      scaled <- as_landmarks(x[1:25, ], x, scale = TRUE)
      expect_equal(
        covs_as_list(scaled, x, m, full), naive_covariances(scaled, x, m, full),
        tolerance = 1e-12
      )
    }
  }
  case <- sparse_case()
  for (scale in c(FALSE, TRUE)) {
    for (full in c(FALSE, TRUE)) {
      for (form in case) {
        on <- as_landmarks(as.matrix(case$dense[1:9, ]), form, scale = scale)
        expect_equal(
          covs_as_list(on, form, 13, full), naive_covariances(on, form, 13, full),
          tolerance = 1e-12
        )
      }
      expect_equal(
        covs_as_list(on, case$sparse, 13, full), covs_as_list(on, case$dense, 13, full),
        tolerance = 1e-12
      )
    }
  }
  whole <- matrix(as.integer(7 * odd_matrix(50, 4)), 50, 4)
  on <- as_landmarks(whole[1:5, ] + 0.5, whole)
  expect_equal(covs_as_list(on, whole, 50, TRUE), naive_covariances(on, whole, 50, TRUE), tolerance = 1e-12)
})

test_that("rows of weight 0 have no part in covariances, and other weights none either", {
  weights <- rep(c(0, 1, 3), 100)
  source <- landmarker:::as_source(x, weights)
  got <- landmarker:::local_covariances(fit, source, 12, "full", NULL)
  want <- naive_covariances(fit, x[weights > 0, ], 12, TRUE)
  expect_equal(got, simplify2array(want), tolerance = 1e-12)
})

test_that("the default neighborhoods overlap", {
  around <- landmarker:::default_covariance_rows
  expect_equal(around(1000, c(50, 4), "diagonal"), 60)
  expect_equal(around(1000, c(900, 4), "diagonal"), 10)
  expect_equal(around(1000, c(900, 30), "full"), 31)
  expect_equal(around(7, c(5, 30), "full"), 7)
})

test_that("covariances of the fit are used where x is not given, in the data's units", {
  scaled <- as_landmarks(x[1:25, ], x, scale = TRUE)
  for (full in c(FALSE, TRUE)) {
    units <- outer(scaled$factor, scaled$factor)
    in_units <- lapply(naive_covariances(scaled, x, 20, full), function(c) c / units)
    brought <- scaled
    brought$covariance <- if (full) simplify2array(in_units) else t(vapply(in_units, diag, numeric(3)))
    kind <- if (full) "full" else "diagonal"
    made <- weights_of(scaled, x, 6, "bhattacharyya", covariance = kind, covariance_rows = 20)
    expect_equal(weights_of(brought, NULL, 6, "bhattacharyya"), made, tolerance = 1e-9)
    # With x they are not looked at.
    brought$covariance <- matrix(0, 25, 3)
    expect_identical(
      weights_of(brought, x, 6, "bhattacharyya", covariance = kind, covariance_rows = 20), made
    )
  }
})

test_that("another order of the landmarks is another order of the graph", {
  turn <- 25:1
  turned <- as_landmarks(x[turn, ], x, bandwidth = 1)
  g <- weights_of(fit, x, 6, "bhattacharyya")
  other <- weights_of(turned, x, 6, "bhattacharyya")
  expect_equal(unname(as.matrix(other)), unname(as.matrix(g)[turn, turn]), tolerance = 1e-10)
  expect_equal(
    unname(as.matrix(weights_of(turned))), unname(as.matrix(weights_of(fit))[turn, turn]),
    tolerance = 1e-10
  )
})

test_that("flat neighborhoods have a finite distance by the ridge", {
  flat <- cbind(x[, 1:2], 1, x[, 1] + x[, 2])
  on <- as_landmarks(flat[1:20, ], flat)
  for (m in c(2, 3, 30)) {
    g <- quietly(landmark_graph(on, flat, 5, "bhattacharyya", covariance = "full", covariance_rows = m))
    squared <- naive_squared(on, with_ridge(naive_covariances(on, flat, m, TRUE), 0.001))
    expect_equal(as.matrix(g$weights), naive_graph(squared, 5, g$sigma), tolerance = 1e-7)
  }
  # A few neighborhoods of repeated rows among others.
  twice <- rbind(x, x[rep(1, 40), ])
  on <- as_landmarks(x[1:10, ], twice)
  expect_s3_class(
    quietly(landmark_graph(on, twice, 3, "bhattacharyya", covariance_rows = 15)), "landmark_graph"
  )
})

test_that("every selector's landmarks have a graph", {
  set.seed(5)
  roll <- sim_swiss_roll(400)
  for (method in list("gp", "active", "kmeans", "random")) {
    on <- landmarks(roll, 20, method, bandwidth = 20)
    g <- quietly(landmark_graph(on, NULL, 4))
    expect_equal(as.matrix(g$weights), naive_graph(naive_squared(on), 4, g$sigma), tolerance = 1e-10)
    squared <- naive_squared(on, with_ridge(naive_covariances(on, roll, 15, TRUE), 0.001))
    g <- quietly(landmark_graph(on, roll, 4, "bhattacharyya", covariance = "full", covariance_rows = 15))
    expect_equal(as.matrix(g$weights), naive_graph(squared, 4, g$sigma), tolerance = 1e-8)
  }
  framed <- landmarks(iris, 12)
  expect_identical(dim(quietly(weights_of(framed, iris, 4, "bhattacharyya"))), c(12L, 12L))
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
      landmark_graph(on), landmark_graph(on, big, distance = "bhattacharyya", covariance_rows = 100),
      landmark_graph(on, big, distance = "bhattacharyya", covariance = "full"),
      nearest_observations(on, big, 50)
    ))
  })
  expect_identical(made[[1]], made[[2]])
})

# ---- components -----------------------------------------------------------------

clusters <- rbind(x[1:12, ], x[13:20, ] + 6, x[21:26, ] - 9)
apart <- as_landmarks(clusters, x)

# By igraph: the component of each landmark.
components_by_igraph <- function(g) {
  skip_if_not_installed("igraph")
  made <- igraph::graph_from_adjacency_matrix(g$weights, mode = "undirected", weighted = TRUE)
  as.integer(igraph::components(made)$membership)
}

test_that("components are told, and how many neighbors connect them", {
  for (weights in c("heat", "binary")) {
    warning <- expect_warning(
      g <- landmark_graph(apart, NULL, 3, edge_weights = weights),
      class = "landmarker_warning_graph"
    )
    expect_identical(g$components, components_by_igraph(g))
    expect_identical(g$components, rep(1:3, c(12, 8, 6)))
    expect_match(conditionMessage(warning), "has 3 connected components, of 12, 8, 6 landmarks", fixed = TRUE)
    least <- as.integer(sub(".*neighbors = ([0-9]+).*", "\\1", conditionMessage(warning)))
    expect_no_warning_of(whole <- landmark_graph(apart, NULL, least, edge_weights = weights))
    expect_identical(components_by_igraph(whole), rep(1L, 26))
    expect_warning(
      landmark_graph(apart, NULL, least - 1, edge_weights = weights),
      class = "landmarker_warning_graph"
    )
  }
  expect_snapshot(invisible(landmark_graph(apart, NULL, 3)))
  expect_snapshot(print(quietly(landmark_graph(apart, NULL, 3, edge_weights = "binary"))))
})

test_that("more neighbors whose weights are 0 are no cure", {
  warning <- expect_warning(landmark_graph(apart, NULL, 3, sigma = 0.2), class = "landmarker_warning_graph")
  expect_match(conditionMessage(warning), "weights of further neighbors are 0")
  expect_warning(landmark_graph(apart, NULL, 25, sigma = 0.2), class = "landmarker_warning_graph")
  expect_no_warning_of(landmark_graph(apart, NULL, 25, sigma = 2))
})

test_that("a landmark far from all others is said to have set sigma", {
  x <- rbind(odd_matrix(30, 2), c(1e4, 0))
  far <- as_landmarks(x, x)
  warning <- expect_warning(g <- embed_landmarks(far), class = "landmarker_warning_graph")
  expect_match(conditionMessage(warning), "set by L31", fixed = TRUE)
  expect_equal(g$graph$sigma, min(naive_distances(x[1:30, ], x[31, , drop = FALSE])) / 2, tolerance = 1e-12)
  expect_no_warning_of(landmark_graph(far, edge_weights = "binary"))
  expect_no_warning_of(landmark_graph(far, sigma = 1e4))
  expect_no_warning_of(landmark_graph(as_landmarks(x[1:30, ], x)))
})

# ---- the graph as a stage -------------------------------------------------------

without_time <- function(e) e[names(e) != "seconds"]

test_that("an embedding of a graph has the bits of one that makes the graph by itself", {
  graphs <- list(
    list(), list(neighbors = 6), list(neighbors = 6, edge_weights = "binary"),
    list(neighbors = 5, sigma = 0.8),
    list(x = x, neighbors = 6, distance = "bhattacharyya", covariance_rows = 20),
    list(x = x, neighbors = 6, distance = "bhattacharyya", covariance = "full", ridge = 0.1)
  )
  maps <- list(list(), list(dims = 4), list(dims = 1, independent = FALSE, alpha = 0.5), list(alpha = 1))
  others <- list()
  if (requireNamespace("Rtsne", quietly = TRUE)) others <- list(list(layout = "tsne", perplexity = 4))
  if (requireNamespace("uwot", quietly = TRUE)) others <- c(others, list(list(layout = "umap")))
  file <- withr::local_tempfile()
  for (arguments in graphs) {
    # Other layouts take seconds: of two graphs.
    both <- full_run() || length(arguments) %in% c(0, 6)
    graph <- quietly(rlang::inject(landmark_graph(fit, !!!arguments)))
    saveRDS(graph, file)
    for (map in c(maps, if (both) others)) {
      made <- withr::with_seed(1, quietly(rlang::inject(embed_landmarks(fit, !!!arguments, !!!map))))
      for (on in list(graph, readRDS(file))) {
        staged <- withr::with_seed(1, quietly(rlang::inject(embed_landmarks(on, !!!map))))
        expect_identical(without_time(staged), without_time(made))
        expect_identical(predict(staged, x[1:50, ]), predict(made, x[1:50, ]))
      }
      expect_identical(made$graph, graph)
    }
  }
})

test_that("warnings about a graph come with the graph, and not with its embedding", {
  expect_warning(graph <- landmark_graph(apart, NULL, 3), class = "landmarker_warning_graph")
  expect_no_warning_of(embed_landmarks(graph))
  withr::local_seed(1)
  roll <- sim_swiss_roll(5000)
  folded <- landmarks(roll, 200, "kmeans")
  expect_warning(graph <- landmark_graph(folded, neighbors = 20), class = "landmarker_warning_shortcuts")
  expect_no_warning_of(embed_landmarks(graph))
  expect_output(print(graph), paste("shortcuts", nrow(graph$shortcuts), "of the edges"))
  # They are edges of the graph, which lead far along the roll.
  ends <- graph$shortcuts
  expect_true(all(graph$weights[ends] > 0))
  along <- attr(roll, "position")[nearest_observations(folded, roll, 1)$observation, "length"]
  size <- sqrt(rowSums((coef(folded)[ends[, 1], ] - coef(folded)[ends[, 2], ])^2))
  expect_true(all(abs(along[ends[, 1]] - along[ends[, 2]]) > 3 * size))
})

test_that("what is asked for twice is computed once", {
  asked <- integer()
  square <- landmarker:::once_each(function(k) {
    asked <<- c(asked, k)
    k^2
  })
  expect_identical(c(square(3L), square(10L), square(3L), square(1L), square(10L)), c(9, 100, 9, 1, 100))
  expect_identical(asked, c(3L, 10L, 1L))
})
