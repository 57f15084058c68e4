# Coordinates of new rows in an embedding, against loops from the formula.

skip_slow_file()

x <- sheet(300)
new <- sheet(20, 3)
kinds <- embedding_kinds()

test_that("the extension is the formula, row by row", {
  for (i in seq_len(nrow(kinds))) {
    shape <- kinds$shape[i]
    full <- shape == "full"
    covariances <- if (shape != "none") with_ridge(naive_covariances(sheet_fit(), x, 30, full), 0.01)
    for (k in c(1, if (full_run()) 5, 29)) {
      # Binary weights of all with all have no smooth coordinate.
      if (k == 29 && kinds$weights[i] == "binary") next
      e <- embed_by(shape, kinds$weights[i], dims = 2, neighbors = k, ridge = 0.01)
      far <- rbind(new, c(a = 1e3, b = -20, c = 40), c(-1e2, 1e4, 0))
      expect_equal(predict(e, far), naive_extension(e, far, covariances), tolerance = 1e-8)
      expect_identical(predict(e, far[22:13, ]), predict(e, far)[22:13, ])
      expect_identical(predict(e, far[5, , drop = FALSE]), predict(e, far)[5, , drop = FALSE])
    }
  }
})

test_that("with alpha the weights lose the density, and the extension with them", {
  x <- odd_matrix(400, 2)
  x[, 1] <- abs(x[, 1])^2
  fit <- as_landmarks(x[1:60, ], x)
  for (alpha in c(0.5, 1)) {
    e <- embed_landmarks(fit, dims = 4, alpha = alpha, independent = FALSE, neighbors = 4)
    want <- naive_eigenmap(e$graph$weights, 4, alpha)
    expect_equal(e$values, want$values, tolerance = 1e-10)
    expect_equal(unname(coef(e)), want$coordinates, tolerance = 1e-7)
    expect_equal(predict(e, x), naive_extension(e, x), tolerance = 1e-8)
    expect_equal(predict(e, x[1:60, ]), coef(e), tolerance = 1e-8, ignore_attr = TRUE)
  }
  expect_output(print(e), "alpha")
})

test_that("the printed extension is equations 9 and 10 of the paper, and for no other embedding", {
  x <- withr::with_seed(1, sim_fish_bowl(300))
  fit <- withr::with_seed(1, landmarks(x, 30, bandwidth = 0.5))
  for (weights in c("heat", "binary")) {
    graph <- suppressWarnings(landmark_graph(fit, radius = 0.8, edge_weights = weights))
    map <- embed_landmarks(graph, dims = 3)
    printed <- function(new) {
      d <- naive_distances(new, fit$landmarks)^2
      w <- if (weights == "heat") exp(-d / (2 * graph$sigma^2)) else 1 + 0 * d
      w[d > 0.8^2] <- 0
      expect_true(all(rowSums(w > 0) >= 2))
      k <- as.matrix(map$graph$weights)
      diag(k) <- 1
      (w / sqrt(outer(rowSums(w), rowSums(k)))) %*% coef(map)
    }
    for (at in list(x[1:40, ], fit$landmarks)) {
      expect_equal(predict(map, at, extension = "printed"), printed(at), tolerance = 1e-8, ignore_attr = TRUE)
    }
    # At landmarks it is not their coordinates, which the default is.
    expect_gt(max(abs(printed(fit$landmarks) - coef(map))), 0.05)
    expect_equal(predict(map, fit$landmarks), coef(map), tolerance = 1e-8, ignore_attr = TRUE)
  }
  through <- embed_landmarks(fit, x)
  expect_refused(
    predict(through, x, extension = "printed"),
    predict(embed_landmarks(fit, edges = "nearest", alpha = 1), x, extension = "printed"),
    predict(through, x, extension = "other")
  )
})
