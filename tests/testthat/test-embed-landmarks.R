# embed_landmarks() and predict(): eigenpairs and the extension against loops from their formulas.

skip_slow_file()

x <- sheet(300)
new <- sheet(60, 3)
kinds <- embedding_kinds()

test_that("coordinates solve the eigenproblem of the graph", {
  for (i in seq_len(nrow(kinds))) {
    for (k in c(8, 14)) {
      dims <- if (k == 8) 4 else 1
      e <- embed_by(kinds$shape[i], kinds$weights[i], dims = dims, neighbors = k)
      # In one component, or eigen() would choose another basis.
      expect_gt(e$values[1], 1e-6)
      want <- naive_eigenmap(e$graph$weights, dims)
      expect_equal(e$values, want$values, tolerance = 1e-10)
      expect_equal(unname(coef(e)), want$coordinates, tolerance = 1e-7)
      expect_identical(dimnames(coef(e)), list(paste0("L", 1:30), paste0("E", seq_len(dims))))
    }
  }
  # As many dimensions as there can be.
  chain <- as_landmarks(cbind(1:5), cbind(1:5))
  expect_identical(dim(coef(embed_landmarks(chain, dims = 2, neighbors = 1))), c(5L, 2L))
})

test_that("the covariances of a fit by by_dpp() are in the data's units, and count in the kernel's", {
  for (full in c(FALSE, TRUE)) {
    kind <- if (full) "full" else "diagonal"
    withr::local_seed(6)
    one <- landmarks(x, 20, by_dpp(24, covariance = kind), scale = TRUE)
    e <- quietly(embed_landmarks(one, neighbors = 6, distance = "bhattacharyya"))
    covariances <- with_ridge(naive_covariances(one, x, 25, full), 0.001)
    for (l in c(1, 7, 20)) {
      got <- if (full) e$graph$covariance[, , l] else diag(e$graph$covariance[l, ])
      expect_equal(unname(got), covariances[[l]], tolerance = 1e-10)
    }
    expect_equal(predict(e, new), naive_extension(e, new, covariances), tolerance = 1e-8)
    # With data they are not looked at.
    given <- function(fit) weights_of(fit, x, 6, "bhattacharyya", covariance = kind)
    expect_identical(given(with_part(one, covariance = matrix(0, 20, 3))), given(one))
  }
})

test_that("another unit of all columns, or of each where they are scaled, changes nothing", {
  for (i in seq_len(nrow(kinds))) {
    in_units <- function(units, scale) {
      at <- x %*% diag(units)
      on <- as_landmarks(at[1:30, ], at, scale = scale)
      e <- embed_by(kinds$shape[i], kinds$weights[i], neighbors = 6, on = on, data = at)
      list(coef(e), predict(e, new %*% diag(units)))
    }
    expect_equal(in_units(rep(1000, 3), FALSE), in_units(rep(1, 3), FALSE), tolerance = 1e-7)
    expect_equal(in_units(c(0.01, 7, 1e4), TRUE), in_units(rep(1, 3), TRUE), tolerance = 1e-7)
  }
})

test_that("where counts tie rounding has no say: dense, sparse and shifted data are the same", {
  # In this many columns distances of dense data are products of what is centered.
  for (d in c(3, 34)) {
    counts <- unique(matrix((seq_len(300 * d)^2 + seq_len(300 * d) %/% 7) %% 11 %/% 3 + 0, 300))
    thin <- methods::as(counts, "CsparseMatrix")
    squared <- round(naive_distances(counts, counts[1:30, ])^2)
    embeddings <- lapply(list(counts, thin, counts + 1000), function(x) {
      f <- as_landmarks(counts[1:30, ] + x[1, 1] - counts[1, 1], as.matrix(x))
      expect_identical(predict(f, x, "nearest")$landmark, apply(squared, 1, which.min))
      near <- nearest_observations(f, x, 25)$observation
      expect_identical(near, as.vector(apply(squared, 2, order)[1:25, ]))
      embed_by("diagonal", "heat", neighbors = 6, on = f, data = x)
    })
    e <- embeddings[[1]]
    expect_equal(predict(e, thin), predict(e, counts), tolerance = 1e-9)
    for (one in embeddings[-1]) expect_equal(one$graph$weights, e$graph$weights, tolerance = 1e-9)
  }
})

test_that("variances of very different size cost no digits, in few columns or many", {
  for (d in c(3, 16)) {
    # A column that is all but two values, and rows that are nearer to the landmarks of the other.
    z <- odd_matrix(400, d)
    z[, 1] <- rep(0:1, 200) + 1e-7 * z[, 1]
    z[, 2] <- 1e3 * z[, 2]
    f <- as_landmarks(z[1:40, ], z)
    half <- round(z[, 1])
    f$covariance <- t(sapply(1:40, function(i) {
      own <- z[half == half[i], ]
      apply(own[order(abs(own[, 2] - z[i, 2]))[1:30], ], 2, stats::var)
    }))
    e <- quietly(embed_landmarks(f, dims = 3, neighbors = 6, ridge = 0))
    covariances <- lapply(1:40, function(l) diag(f$covariance[l, ]))
    some <- z[1:100, ]
    expect_equal(predict(e, some), naive_extension(e, some, covariances), tolerance = 1e-8)
  }
})

test_that("the default number of neighbors is the smallest that connects, or log(n) where none does", {
  grid <- as.matrix(expand.grid(1:20, 1:20)) + 0.1 * odd_matrix(400, 2)
  for (points in list(grid, x[1:25, ])) {
    of <- as_landmarks(points, points)
    k <- landmark_graph(of, edges = "nearest")$neighbors
    parts <- function(k) max(quietly(landmark_graph(of, neighbors = k))$components)
    expect_identical(parts(k), 1L)
    expect_true(k == 2 || parts(k - 1L) > 1)
  }
  apart <- rbind(grid, grid + 1000)
  expect_identical(quietly(landmark_graph(as_landmarks(apart, apart), edges = "nearest"))$neighbors, 7L)
  expect_identical(landmark_graph(as_landmarks(x[1:3, ], x), edges = "nearest")$neighbors, 2L)
})

test_that("an embedding is printed with its graph", {
  e <- embed_by("full", "heat", neighbors = 5)
  expect_output(print(e), "30 landmarks of 300 observations, embedded in 2 dimensions", fixed = TRUE)
  edges <- sum(as.matrix(e$graph$weights) > 0) / 2
  expect_output(print(e), paste(edges, "edges, at least 5 neighbors each, by bhattacharyya distance"))
  expect_output(print(embed_by("none", "binary", dims = 1)), "binary")
})

test_that("arguments and new data are checked", {
  x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
  fit <- as_landmarks(x, x, bandwidth = 4)
  e <- embed_landmarks(fit, neighbors = 3)
  by_shape <- function(...) embed_landmarks(fit, x, ..., neighbors = 3, distance = "bhattacharyya")
  # A star of two arms: one smooth coordinate, the next has lambda 1.
  three <- as_landmarks(cbind(c(0, 1, 2)), cbind(0:2))
  expect_refused(
    embed_landmarks(), embed_landmarks(x), embed_landmarks(fit, 3),
    embed_landmarks(as_landmarks(x[1, , drop = FALSE], x)),
    embed_landmarks(fit, dims = 6), embed_landmarks(fit, alpha = 2), embed_landmarks(fit, independent = 1),
    # All joined to all with weight 1: K = 11', and every eigenvalue is 1.
    embed_landmarks(fit, dims = 2, neighbors = 5, edge_weights = "binary"),
    embed_landmarks(three, dims = 2, neighbors = 1, edge_weights = "binary"),
    embed_landmarks(fit, neighbours = 3), embed_landmarks(fit, NULL, 2, 3),
    embed_landmarks(e$graph, neighbors = 3), embed_landmarks(e$graph, 2, "umap"),
    embed_landmarks(e$graph, x), predict(e), predict(e, x[, 1:2]), predict(e, x, type = "features"),
    # So far away that squares overflow.
    predict(e, x * 1e160)
  )
  none <- predict(e, x[0, ])
  expect_identical(none, matrix(0, 0, 2, dimnames = list(NULL, c("E1", "E2"))))
  expect_identical(predict(by_shape(), x[0, ]), none)
  for (o in list(by_shape(), by_shape(covariance = "full"))) {
    expect_true(all(is.finite(predict(o, x * 1e100))))
    expect_error(predict(o, x * 1e160), class = "landmarker_error_data")
  }
  # Full covariances that would not fit into memory.
  withr::local_options(landmarker.memory = 400)
  expect_refused(by_shape(covariance = "full"))
})
