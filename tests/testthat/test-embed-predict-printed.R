# predict(extension = "printed") of an embedding: equations 9 and 10 as they stand in the paper.

x <- withr::with_seed(1, sim_fish_bowl(300))
fit <- withr::with_seed(1, landmarks(x, 30, bandwidth = 0.5))

naive_printed <- function(map, new, kernel) {
  y <- coef(map)
  k <- as.matrix(map$graph$weights)
  diag(k) <- 1
  w <- kernel(new)
  (w / sqrt(outer(rowSums(w), rowSums(k)))) %*% y
}

test_that("it is the formula of the paper, by any weights", {
  at <- x[1:40, ]
  squared <- function(new) outer(rowSums(new^2), rowSums(fit$landmarks^2), "+") - 2 * new %*% t(fit$landmarks)
  for (weights in c("heat", "binary")) {
    graph <- suppressWarnings(landmark_graph(fit, radius = 0.8, edge_weights = weights))
    expect_identical(max(graph$components), 1L)
    map <- embed_landmarks(graph, dims = 3)
    kernel <- function(new) {
      d <- squared(new)
      w <- if (weights == "heat") exp(-d / (2 * graph$sigma^2)) else 1 + 0 * d
      w[d > 0.8^2] <- 0
      w
    }
    expect_true(all(rowSums(kernel(at) > 0) >= 2))
    expect_equal(predict(map, at, extension = "printed"), naive_printed(map, at, kernel),
      tolerance = 1e-8, ignore_attr = TRUE
    )
    # At landmarks it is not their coordinates, which the default is.
    own <- predict(map, fit$landmarks, extension = "printed")
    expect_equal(own, naive_printed(map, fit$landmarks, kernel), tolerance = 1e-8, ignore_attr = TRUE)
    expect_gt(max(abs(own - coef(map))), 0.05)
    expect_equal(predict(map, fit$landmarks), coef(map), tolerance = 1e-8, ignore_attr = TRUE)
  }
})

test_that("other embeddings have no such formula", {
  through <- embed_landmarks(fit, x)
  expect_refused(predict(through, x, extension = "printed"))
  steady <- embed_landmarks(fit, edges = "nearest", alpha = 1)
  expect_refused(predict(steady, x, extension = "printed"), predict(through, x, extension = "other"))
})
