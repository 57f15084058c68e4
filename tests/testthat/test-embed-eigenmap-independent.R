# Coordinates that say something new, beside a local regression in plain R.

skip_slow_file()

# What leave-one-out loess of y on given coordinates leaves, by R's own least squares.
naive_left_over <- function(given, y) {
  near <- 10 * (ncol(given) + 1)
  vapply(seq_len(nrow(given)), function(i) {
    seen <- sweep(given, 2, given[i, ])
    far <- sqrt(rowSums(seen^2))
    h <- 1.001 * sort(far[-i])[near]
    w <- ifelse(far < h, (1 - (far / h)^3)^3, 0)
    w[i] <- 0
    y[i] - stats::lm.wfit(cbind(1, seen), y, w)$coefficients[[1]]
  }, 0)
}
naive_novelty <- function(given, y) min(1, sum(naive_left_over(given, y)^2) / sum((y - mean(y))^2))

test_that("coordinates are those that are new, by a local regression on those before", {
  roll <- rolled(1, 200, "kmeans", bandwidth = 20)
  all <- quietly(embed_landmarks(roll$fit, dims = 13, independent = FALSE, neighbors = 5))
  y <- unname(coef(all))
  share <- vapply(2:13, function(k) naive_novelty(y[, 1, drop = FALSE], y[, k]), 0)
  e <- quietly(embed_landmarks(roll$fit, neighbors = 5))
  second <- 1L + which(share >= 0.5)[1]
  expect_identical(e$chosen, c(1L, second))
  expect_equal(e$novelty, c(1, share[second - 1]), tolerance = 1e-3)
  expect_equal(coef(e), coef(all)[, e$chosen], tolerance = 1e-8)
  expect_equal(e$values, all$values[e$chosen], tolerance = 1e-8)
  expect_equal(predict(e, roll$x), predict(all, roll$x)[, e$chosen], tolerance = 1e-8)
  expect_identical(colnames(coef(e)), paste0("E", c(1, second)))
  expect_output(print(e), paste0("E1 100%, E", second))
})

test_that("through the data a coordinate is what those before it leave of an eigenvector", {
  roll <- rolled(1003, 200, "kmeans")
  graph <- landmark_graph(roll$fit)
  e <- embed_landmarks(graph)
  all <- embed_landmarks(graph, dims = max(e$chosen), independent = FALSE)
  expect_equal(e$basis[, 1], all$basis[, 1], tolerance = 1e-8, ignore_attr = TRUE)
  mixed <- all$basis[, e$chosen[2]]
  left <- naive_left_over(e$basis[, 1, drop = FALSE], mixed)
  scaled <- left * stats::sd(mixed) / stats::sd(left)
  expect_equal(e$basis[, 2], scaled, tolerance = 1e-3, ignore_attr = TRUE)
  y <- predict(e, roll$x)
  expect_gt(follows(y[, 1], roll$at[, "length"]), 0.99)
  expect_gt(follows(y[, 2], roll$at[, "height"]), 0.85)
  # A line and a ring keep their first coordinates.
  line <- matrix(seq(0, 1, length.out = 200) + 1e-3 * odd_matrix(200, 1), ncol = 1)
  expect_identical(suppressWarnings(embed_landmarks(as_landmarks(line, line)))$chosen, 1:2)
  angle <- 2 * pi * seq_len(100) / 100
  ring <- cbind(cos(angle), 1.1 * sin(angle))
  expect_identical(embed_landmarks(as_landmarks(ring, ring))$chosen, 1:2)
})
