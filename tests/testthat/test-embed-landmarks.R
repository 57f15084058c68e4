# embed_landmarks() and predict(): eigenpairs and the extension against loops from their formulas.

skip_slow_file()

x <- sheet(300)
new <- sheet(60, 3)
fit <- as_landmarks(x[1:30, ], x, bandwidth = 1, scale = TRUE)

kinds <- embedding_kinds()
embed <- function(shape, weights, ..., on = fit, data = x) embed_by(shape, weights, ..., on = on, data = data)

test_that("coordinates solve the eigenproblem of the graph", {
  for (i in seq_len(nrow(kinds))) {
    for (k in c(8, 14)) {
      e <- embed(kinds$shape[i], kinds$weights[i], dims = 4, neighbors = k)
      # In one component, or eigen() would choose another basis.
      expect_gt(e$values[1], 1e-6)
      want <- naive_eigenmap(e$graph$weights, 4)
      expect_equal(e$values, want$values, tolerance = 1e-10)
      expect_equal(unname(coef(e)), want$coordinates, tolerance = 1e-7)
      expect_identical(dimnames(coef(e)), list(paste0("L", 1:30), paste0("E", 1:4)))
    }
  }
  # The graph is that of landmark_graph().
  expect_identical(embed("none", "heat", neighbors = 7)$graph, landmark_graph(fit, neighbors = 7))
  expect_identical(
    embed("full", "binary", neighbors = 7)$graph,
    landmark_graph(fit, x, 7, "bhattacharyya", "binary", covariance = "full")
  )
  # Fewer dimensions are the first of more, and as many as there can be go as well.
  many <- embed("none", "heat", dims = 4, neighbors = 6)
  one <- embed("none", "heat", dims = 1, neighbors = 6)
  expect_equal(coef(one), coef(many)[, 1, drop = FALSE], tolerance = 1e-9)
  chain <- as_landmarks(cbind(1:5), cbind(1:5))
  expect_identical(dim(coef(embed_landmarks(chain, dims = 2, neighbors = 1))), c(5L, 2L))
})

test_that("a ring of landmarks embeds as a ring, and points between them between them", {
  angle <- 2 * pi * seq_len(40) / 40
  circle <- cbind(cos(angle), sin(angle))
  between <- cbind(cos(angle + pi / 40), sin(angle + pi / 40)) * 0.99
  for (k in c(2, 6)) {
    e <- embed_landmarks(as_landmarks(circle, circle), neighbors = k)
    y <- coef(e)
    expect_equal(e$values[1], e$values[2], tolerance = 1e-10)
    expect_equal(unname(rowSums(y^2)), rep(2, 40), tolerance = 1e-8)
    # Neighbors are neighbors: 9 degrees on, one way round.
    expect_equal(unname(rowSums(y * y[c(2:40, 1), ])), rep(2 * cos(2 * pi / 40), 40), tolerance = 1e-8)
    p <- predict(e, between)
    radius <- sqrt(rowSums(p^2))
    expect_lt(diff(range(radius)), 1e-8)
    half <- (y + y[c(2:40, 1), ]) / 2
    expect_equal(unname(p / radius), unname(half / sqrt(rowSums(half^2))), tolerance = 1e-8)
  }
})

test_that("the covariances of a fit by by_dpp() are in the data's units, and count in the kernel's", {
  for (full in c(FALSE, TRUE)) {
    withr::local_seed(6)
    one <- landmarks(x, 20, by_dpp(24, covariance = if (full) "full" else "diagonal"), scale = TRUE)
    e <- quietly(embed_landmarks(one, neighbors = 6, distance = "bhattacharyya"))
    covariances <- with_ridge(naive_covariances(one, x, 25, full), 0.001)
    for (l in c(1, 7, 20)) {
      got <- if (full) e$graph$covariance[, , l] else diag(e$graph$covariance[l, ])
      expect_equal(unname(got), covariances[[l]], tolerance = 1e-10)
    }
    expect_equal(predict(e, new), naive_extension(e, new, covariances), tolerance = 1e-8)
  }
})

test_that("another unit leaves coordinates as they are", {
  for (i in seq_len(nrow(kinds))) {
    plain <- as_landmarks(x[1:30, ], x)
    times <- as_landmarks(x[1:30, ] * 1000, x * 1000)
    e <- embed(kinds$shape[i], kinds$weights[i], neighbors = 6, on = plain)
    same <- embed(kinds$shape[i], kinds$weights[i], neighbors = 6, on = times, data = x * 1000)
    expect_equal(coef(same), coef(e), tolerance = 1e-7)
    expect_equal(predict(same, new * 1000), predict(e, new), tolerance = 1e-7)
    # scale = TRUE: each column in a unit of its own.
    own <- rep(c(0.01, 7, 1e4), each = 300)
    scaled <- as_landmarks(x[1:30, ] * own[1], x * own[1], scale = TRUE)
    units <- as_landmarks((x * own)[1:30, ], x * own, scale = TRUE)
    one <- embed(kinds$shape[i], kinds$weights[i], neighbors = 6, on = scaled, data = x * own[1])
    two <- embed(kinds$shape[i], kinds$weights[i], neighbors = 6, on = units, data = x * own)
    expect_equal(coef(two), coef(one), tolerance = 1e-7)
    expect_equal(
      predict(two, new * own[c(1:60, 301:360, 601:660)]), predict(one, new * own[1]),
      tolerance = 1e-7
    )
  }
})

test_that("sparse data and dense data are the same data", {
  case <- sparse_case(150, 12, 0.5)
  for (shape in c("none", "diagonal", "full")) {
    one <- withr::with_seed(4, landmarks(case$sparse, 15))
    e <- embed(shape, "heat", neighbors = 5, on = one, data = case$sparse)
    expect_equal(predict(e, case$sparse), predict(e, case$dense), tolerance = 1e-9)
    same <- embed(shape, "heat", neighbors = 5, on = one, data = case$dense)
    expect_equal(coef(same), coef(e), tolerance = 1e-9)
    two <- as_landmarks(case$dense[1:15, ], case$dense)
    f <- embed(shape, "binary", neighbors = 5, on = two, data = case$dense)
    expect_equal(predict(f, case$sparse), predict(f, case$dense), tolerance = 1e-9)
  }
})

test_that("where counts tie rounding has no say: dense, sparse and shifted data are the same", {
  # In this many columns distances of dense data are products of what is centered.
  for (d in c(3, 34)) {
    counts <- unique(matrix((seq_len(300 * d)^2 + seq_len(300 * d) %/% 7) %% 11 %/% 3 + 0, 300))
    made_of <- function(x) {
      f <- as_landmarks(counts[1:30, ] + x[1, 1] - counts[1, 1], as.matrix(x))
      list(
        near = nearest_observations(f, x, 25)$observation, home = predict(f, x, "nearest")$landmark,
        embedding = embed("diagonal", "heat", neighbors = 6, on = f, data = x)
      )
    }
    dense <- made_of(counts)
    sparse <- made_of(methods::as(counts, "CsparseMatrix"))
    shifted <- made_of(counts + 1000)
    distances <- naive_distances(counts, counts[1:30, ])
    expect_identical(dense$home, apply(round(distances^2), 1, which.min))
    expect_identical(dense$near, as.vector(apply(round(distances^2), 2, order)[1:25, ]))
    expect_identical(sparse[1:2], dense[1:2])
    expect_identical(shifted[1:2], dense[1:2])
    e <- dense$embedding
    expect_equal(predict(e, methods::as(counts, "CsparseMatrix")), predict(e, counts), tolerance = 1e-9)
    expect_equal(as.matrix(sparse$embedding$graph$weights), as.matrix(e$graph$weights), tolerance = 1e-9)
    expect_equal(as.matrix(shifted$embedding$graph$weights), as.matrix(e$graph$weights), tolerance = 1e-9)
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
    v <- e$graph$covariance
    at <- coef(f)
    # D as sums of the formula for variances, which cancel nothing.
    plain <- t(apply(z, 1, function(x) {
      apart <- (t(at) - x)^2
      h <- which.min(colSums(apart))
      far <- colSums(apart / (t(v) + v[h, ])) / 4 +
        colSums(log1p((t(v) - v[h, ])^2 / (4 * t(v) * v[h, ]))) / 4
      joined <- far <= sort(far)[7] * (1 + 1e-8) | far <= e$graph$reach * (1 + 1e-8)
      w <- joined * exp(-(far - min(far)) / 2 / e$graph$sigma^2)
      colSums(w * coef(e)) / sum(w) / (1 - e$values[1:3])
    }))
    expect_equal(predict(e, z), plain, tolerance = 1e-8, ignore_attr = TRUE)
  }
})

test_that("data frames with factors, row names and columns in another order", {
  frame <- data.frame(x, g = factor(rep(c("u", "v", "w"), 100)))
  one <- withr::with_seed(5, landmarks(frame, 20, scale = TRUE))
  e <- quietly(embed_landmarks(one, frame, distance = "bhattacharyya", neighbors = 8))
  y <- predict(e, frame)
  expect_equal(predict(e, frame[5:9, c(4, 2, 1, 3)]), y[5:9, ], tolerance = 1e-12, ignore_attr = TRUE)
  expect_null(rownames(y))
  named <- frame[1:3, ]
  rownames(named) <- c("p", "q", "r")
  expect_identical(dimnames(predict(e, named)), list(c("p", "q", "r"), c("E1", "E2")))
  expect_identical(rownames(predict(embed("none", "heat"), x[1:2, ])), NULL)
})

test_that("a graph of several components is told apart by the first coordinates, with a warning", {
  two <- rbind(x[1:12, ], x[13:20, ] + 1000)
  apart <- as_landmarks(two, two)
  expect_warning(e <- embed_landmarks(apart, neighbors = 3, dims = 3), class = "landmarker_warning_graph")
  expect_lt(abs(e$values[1]), 1e-12)
  expect_gt(e$values[2], 1e-6)
  y <- coef(e)[, 1]
  expect_lt(max(diff(range(y[1:12])), diff(range(y[13:20]))), 1e-6)
  expect_gt(abs(y[1] - y[20]), 1)
  p <- predict(e, rbind(x[1:50, ], x[1:50, ] + 1000))
  expect_equal(p[, 1], rep(unname(y[c(1, 20)]), each = 50), tolerance = 1e-6)
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
  g <- quietly(landmark_graph(as_landmarks(apart, apart), edges = "nearest"))
  expect_identical(g$neighbors, 7L)
  few <- as_landmarks(x[1:3, ], x)
  e <- embed_landmarks(few, dims = 1, edges = "nearest")
  expect_identical(e$graph$neighbors, 2L)
  expect_identical(ncol(coef(quietly(embed_landmarks(fit)))), 2L)
})

test_that("an embedding outlives its file, and says what it is", {
  e <- embed("full", "heat", neighbors = 5)
  file <- withr::local_tempfile()
  saveRDS(e, file)
  expect_identical(predict(readRDS(file), new), predict(e, new))
  expect_output(print(e), "30 landmarks of 300 observations, embedded in 2 dimensions", fixed = TRUE)
  edges <- sum(as.matrix(e$graph$weights) > 0) / 2
  expect_output(print(e), paste(edges, "edges, at least 5 neighbors each, by bhattacharyya distance"))
  expect_output(print(embed("none", "binary", dims = 1)), "binary")
})
