# The graph of landmarks against loops straight from its definition.

expect_no_warning_of <- function(code) expect_warning(code, NA)

# The package's own covariances, as a list.
covariances_of <- function(fit, x, m, full) {
  source <- landmarker:::new_source(landmarker:::fit_data(fit, x, "x", NULL), fit$center, fit$factor)
  got <- landmarker:::local_covariances(fit, source, m, if (full) "full" else "diagonal", NULL)
  lapply(seq_len(nrow(fit$landmarks)), function(l) {
    if (full) matrix(got[, , l], ncol(x)) else diag(got[l, ], ncol(x))
  })
}

x <- odd_matrix(300, 3)
x[, 3] <- x[, 1]^2 + 0.1 * x[, 3]
colnames(x) <- c("a", "b", "c")
fit <- as_landmarks(x[1:25, ], x, bandwidth = 1)

test_that("the Euclidean graph is that of a naive loop", {
  squared <- naive_squared(fit)
  for (k in c(1, 4, 10, 24)) {
    for (weights in c("heat", "binary")) {
      g <- quietly(landmark_graph(fit, neighbors = k, weights = weights))
      expect_s4_class(g, "dsCMatrix")
      expect_true(Matrix::isSymmetric(g))
      expect_true(all(Matrix::diag(g) == 0))
      expect_false(any(g@x == 0))
      expect_equal(as.matrix(g), naive_graph(squared, k, weights), tolerance = 1e-12)
    }
  }
  g <- landmark_graph(fit, neighbors = 10, sigma = 0.7)
  expect_equal(as.matrix(g), naive_graph(squared, 10, sigma = 0.7), tolerance = 1e-12)
  expect_identical(landmark_graph(fit), landmark_graph(fit, neighbors = 3))
  few <- as_landmarks(x[1:4, ], x)
  expect_identical(landmark_graph(few), landmark_graph(few, neighbors = 3))
})

test_that("a typical farthest neighbor weighs e^-2", {
  made <- landmarker:::local_graph(fit, NULL, 7, "euclidean", "heat", NULL, "diagonal", 0, NULL, NULL)
  expect_equal(stats::median(exp(-made$reach / (2 * made$sigma^2))), exp(-2), tolerance = 1e-12)
})

test_that("all that are as near as the last neighbor are neighbors", {
  # Every point of the grid has four at the same distance.
  grid <- as.matrix(expand.grid(a = 1:5, b = 1:5))
  on_grid <- as_landmarks(grid, grid, bandwidth = 1)
  for (k in 1:5) {
    g <- quietly(landmark_graph(on_grid, neighbors = k))
    expect_equal(as.matrix(g), naive_graph(naive_squared(on_grid), k), tolerance = 1e-12)
  }
})

test_that("the graph by Bhattacharyya distance is that of a naive loop", {
  for (full in c(FALSE, TRUE)) {
    for (ridge in c(0, 0.001, 0.5)) {
      squared <- naive_squared(fit, with_ridge(naive_covariances(fit, x, 20, full), ridge))
      g <- landmark_graph(fit, x, 6, "bhattacharyya",
        covariance = if (full) "full" else "diagonal", ridge = ridge, observations = 20
      )
      expect_equal(as.matrix(g), naive_graph(squared, 6), tolerance = 1e-9)
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
  g <- landmark_graph(one, NULL, 3, "bhattacharyya", sigma = 1, ridge = 0)
  off <- row(want) != col(want)
  expect_equal(as.matrix(g)[off], exp(-want[off] / 2), tolerance = 1e-12)
  one$covariance <- array(v, c(1, 1, 4))
  expect_equal(landmark_graph(one, NULL, 3, "bhattacharyya", sigma = 1, ridge = 0), g, tolerance = 1e-12)
})

test_that("equal isotropic covariances give the Euclidean graph", {
  s <- 0.3
  round <- fit
  round$covariance <- array(diag(s^2, 3), c(3, 3, 25))
  g <- landmark_graph(round, NULL, 8, "bhattacharyya", ridge = 0, sigma = 1)
  # exp(-||.||^2 / (8 s^2) / 2): a sigma of sqrt(8) s.
  expect_equal(g, landmark_graph(fit, NULL, 8, sigma = sqrt(8) * s), tolerance = 1e-12)
  round$covariance <- matrix(s^2, 25, 3)
  expect_equal(landmark_graph(round, NULL, 8, "bhattacharyya", ridge = 0, sigma = 1), g, tolerance = 1e-12)
  # The default sigma does not see the unit.
  expect_equal(
    landmark_graph(round, NULL, 8, "bhattacharyya"), landmark_graph(fit, NULL, 8),
    tolerance = 1e-12
  )
})

test_that("covariances are cov() of the nearest rows, whatever the data are stored as", {
  for (m in c(2, 17, 300)) {
    for (full in c(FALSE, TRUE)) {
      got <- covariances_of(fit, x, m, full)
      expect_equal(got, naive_covariances(fit, x, m, full), tolerance = 1e-12)
      scaled <- as_landmarks(x[1:25, ], x, scale = TRUE)
      expect_equal(
        covariances_of(scaled, x, m, full), naive_covariances(scaled, x, m, full),
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
          covariances_of(on, form, 13, full), naive_covariances(on, form, 13, full),
          tolerance = 1e-12
        )
      }
      expect_equal(
        covariances_of(on, case$sparse, 13, full), covariances_of(on, case$dense, 13, full),
        tolerance = 1e-12
      )
    }
  }
  whole <- matrix(as.integer(7 * odd_matrix(50, 4)), 50, 4)
  on <- as_landmarks(whole[1:5, ] + 0.5, whole)
  expect_equal(covariances_of(on, whole, 50, TRUE), naive_covariances(on, whole, 50, TRUE), tolerance = 1e-12)
})

test_that("rows of weight 0 have no part in covariances, and other weights none either", {
  weights <- rep(c(0, 1, 3), 100)
  source <- landmarker:::as_source(x, weights)
  got <- landmarker:::local_covariances(fit, source, 12, "full", NULL)
  want <- naive_covariances(fit, x[weights > 0, ], 12, TRUE)
  expect_equal(got, simplify2array(want), tolerance = 1e-12)
})

test_that("the default neighborhoods overlap", {
  around <- landmarker:::observations_around
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
    made <- landmark_graph(scaled, x, 6, "bhattacharyya", covariance = kind, observations = 20)
    expect_equal(landmark_graph(brought, NULL, 6, "bhattacharyya"), made, tolerance = 1e-9)
    # With x they are not looked at.
    brought$covariance <- "nothing"
    expect_identical(
      landmark_graph(brought, x, 6, "bhattacharyya", covariance = kind, observations = 20), made
    )
  }
})

test_that("another order of the landmarks is another order of the graph", {
  turn <- 25:1
  turned <- as_landmarks(x[turn, ], x, bandwidth = 1)
  g <- landmark_graph(fit, x, 6, "bhattacharyya")
  other <- landmark_graph(turned, x, 6, "bhattacharyya")
  expect_equal(unname(as.matrix(other)), unname(as.matrix(g)[turn, turn]), tolerance = 1e-10)
  expect_equal(
    unname(as.matrix(landmark_graph(turned))), unname(as.matrix(landmark_graph(fit))[turn, turn]),
    tolerance = 1e-10
  )
})

test_that("flat neighborhoods have a finite distance by the ridge", {
  flat <- cbind(x[, 1:2], 1, x[, 1] + x[, 2])
  on <- as_landmarks(flat[1:20, ], flat)
  for (m in c(2, 3, 30)) {
    g <- quietly(landmark_graph(on, flat, 5, "bhattacharyya", covariance = "full", observations = m))
    squared <- naive_squared(on, with_ridge(naive_covariances(on, flat, m, TRUE), 0.001))
    expect_equal(as.matrix(g), naive_graph(squared, 5), tolerance = 1e-7)
  }
  # A few neighborhoods of repeated rows among others.
  twice <- rbind(x, x[rep(1, 40), ])
  on <- as_landmarks(x[1:10, ], twice)
  expect_s4_class(quietly(landmark_graph(on, twice, 3, "bhattacharyya", observations = 15)), "dsCMatrix")
})

test_that("every selector's landmarks have a graph", {
  set.seed(5)
  roll <- sim_swiss_roll(400)
  for (method in list("gp", "active", "kmeans", "random")) {
    on <- landmarks(roll, 20, method, bandwidth = 20)
    expect_equal(
      as.matrix(quietly(landmark_graph(on, NULL, 4))), naive_graph(naive_squared(on), 4),
      tolerance = 1e-10
    )
    squared <- naive_squared(on, with_ridge(naive_covariances(on, roll, 15, TRUE), 0.001))
    g <- quietly(landmark_graph(on, roll, 4, "bhattacharyya", covariance = "full", observations = 15))
    expect_equal(as.matrix(g), naive_graph(squared, 4), tolerance = 1e-8)
  }
  framed <- landmarks(iris, 12)
  expect_identical(dim(quietly(landmark_graph(framed, iris, 4, "bhattacharyya"))), c(12L, 12L))
})

test_that("full covariances keep the sheets of a roll apart", {
  set.seed(2)
  roll <- sim_swiss_roll(2000)
  along <- attr(roll, "position")[1:150, "length"]
  on <- as_landmarks(roll[1:150, ], roll, bandwidth = 20)
  shortcuts <- function(...) {
    edges <- Matrix::summary(quietly(landmark_graph(on, roll, 8, ...)))
    sum(abs(along[edges$i] - along[edges$j]) > 20)
  }
  expect_gt(shortcuts(), 50)
  expect_equal(shortcuts("bhattacharyya", covariance = "full"), 0)
})

test_that("of one column, and of two landmarks, there is a graph", {
  line <- matrix(odd_matrix(100, 1)^3)
  on <- as_landmarks(matrix(sort(line[1:12]), ncol = 1), line)
  for (distance in c("euclidean", "bhattacharyya")) {
    g <- landmark_graph(on, line, 5, distance)
    expect_true(Matrix::isSymmetric(g))
  }
  squared <- naive_squared(on, with_ridge(naive_covariances(on, line, 25, TRUE), 0.001))
  expect_equal(
    as.matrix(landmark_graph(on, line, 5, "bhattacharyya")), naive_graph(squared, 5),
    tolerance = 1e-10
  )
  two <- as_landmarks(x[1:2, ], x)
  expect_equal(unname(as.matrix(landmark_graph(two))), exp(-2) * (1 - diag(2)), tolerance = 1e-12)
})

test_that("the same bits with one thread and two", {
  big <- odd_matrix(3000, 6)
  on <- as_landmarks(big[1:400, ], big)
  made <- lapply(1:2, function(threads) {
    withr::local_options(landmarker.threads = threads)
    quietly(list(
      landmark_graph(on), landmark_graph(on, big, distance = "bhattacharyya", observations = 100),
      landmark_graph(on, big, distance = "bhattacharyya", covariance = "full"),
      nearest_observations(on, big, 50)
    ))
  })
  expect_identical(made[[1]], made[[2]])
})

# ---- pieces ---------------------------------------------------------------------

clusters <- rbind(x[1:12, ], x[13:20, ] + 6, x[21:26, ] - 9)
apart <- as_landmarks(clusters, x)

pieces_of <- function(g) {
  m <- as.matrix(g) > 0
  label <- seq_len(nrow(m))
  repeat {
    new <- label
    for (i in seq_along(new)) new[i] <- min(new[i], new[m[i, ]])
    if (identical(new, label)) return(length(unique(label)))
    label <- new
  }
}

test_that("components are reported, and how many neighbors connect them", {
  for (weights in c("heat", "binary")) {
    warning <- expect_warning(
      g <- landmark_graph(apart, NULL, 3, weights = weights),
      class = "landmarker_warning_graph"
    )
    expect_match(conditionMessage(warning), paste("has", pieces_of(g), "components"))
    least <- as.integer(sub(".*neighbors = ([0-9]+).*", "\\1", conditionMessage(warning)))
    expect_no_warning_of(landmark_graph(apart, NULL, least, weights = weights))
    expect_warning(
      landmark_graph(apart, NULL, least - 1, weights = weights),
      class = "landmarker_warning_graph"
    )
    expect_equal(pieces_of(landmark_graph(apart, NULL, least, weights = weights)), 1)
  }
  expect_snapshot(invisible(landmark_graph(apart, NULL, 3)))
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
  expect_equal(g$sigma, min(naive_distances(x[1:30, ], x[31, , drop = FALSE])) / 2, tolerance = 1e-12)
  expect_no_warning_of(landmark_graph(far, weights = "binary"))
  expect_no_warning_of(landmark_graph(far, sigma = 1e4))
  expect_no_warning_of(landmark_graph(as_landmarks(x[1:30, ], x)))
})
