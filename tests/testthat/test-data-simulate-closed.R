# Closed curves and surfaces.

test_that("pictures of a turntable are sums of bells, and lie on a closed curve", {
  withr::local_seed(3)
  x <- sim_turntable(36, size = 8, width = 0.1)
  expect_identical(dim(x), c(36L, 64L))
  expect_equal(range(x)[2], 1)
  expect_true(min(x) >= 0)
  angle <- attr(x, "position")[, "angle"]
  expect_equal(angle, 2 * pi * 0:35 / 36)
  # The same object, straight from the page.
  withr::local_seed(3)
  r <- stats::runif(30)
  h <- stats::runif(30, -0.8, 0.8)
  theta <- 2 * pi * stats::runif(30)
  bright <- stats::runif(30, 0.3, 1)
  at <- (seq_len(8) - 0.5) / 4 - 1
  picture <- function(a) {
    out <- matrix(0, 8, 8)
    for (b in 1:30) {
      side <- 0.9 * sqrt(r[b] * (1 - h[b]^2)) * sin(theta[b] + a)
      for (i in 1:8) for (j in 1:8) {
        squared <- (at[i] + h[b])^2 + (at[j] - side)^2
        out[i, j] <- out[i, j] + bright[b] * exp(cos(theta[b] + a)) * exp(-squared / (2 * 0.2^2))
      }
    }
    as.vector(out)
  }
  naive <- t(vapply(angle, picture, numeric(64)))
  expect_equal(x, naive / max(naive), tolerance = 1e-12, ignore_attr = TRUE)
  # Neighbors in angle are nearest.
  near <- as.matrix(stats::dist(x))
  diag(near) <- Inf
  nearest <- max.col(-near, "first")
  expect_gt(mean((nearest - seq_len(36)) %% 36 %in% c(1, 35)), 0.8)
  withr::local_seed(3)
  noisy <- sim_turntable(36, size = 8, width = 0.1, noise = 0.1)
  expect_equal(stats::sd(noisy - x), 0.1, tolerance = 0.05)
  expect_identical(dim(sim_turntable(3, size = 1)), c(3L, 1L))
  random <- attr(sim_turntable(50, size = 4, uniform = FALSE), "position")
  expect_true(is.unsorted(random) && all(random >= 0 & random < 2 * pi))
})

test_that("turntables embed as a circle", {
  for (seed in if (full_run()) 1:3 else 1) {
    withr::local_seed(seed)
    x <- sim_turntable(200)
    e <- embed_landmarks(landmarks(x, 30))
    y <- predict(e, x)
    turn <- diff(atan2(y[c(seq_len(200), 1), 2], y[c(seq_len(200), 1), 1]))
    expect_equal(abs(sum(turn - 2 * pi * round(turn / (2 * pi)))), 2 * pi, tolerance = 1e-8)
  }
})

test_that("a torus and a Klein bottle have their equations", {
  withr::local_seed(1)
  x <- sim_torus(50)
  p <- attr(x, "position")
  expect_equal(x, cbind(cos(p[, 1]), sin(p[, 1]), cos(p[, 2]), sin(p[, 2])), ignore_attr = TRUE)
  expect_identical(colnames(x), c("x", "y", "z", "w"))
  withr::local_seed(1)
  k <- sim_klein_bottle(50)
  expect_identical(attr(k, "position"), p)
  a <- p[, 1]
  b <- p[, 2]
  expect_equal(k, cbind(
    (2 + cos(b)) * cos(a), (2 + cos(b)) * sin(a), sin(b) * cos(a / 2), sin(b) * sin(a / 2)
  ), ignore_attr = TRUE)
  # Glued with a turn: (a + 2 pi, b) is (a, -b).
  withr::local_seed(1)
  expect_equal(stats::sd(sim_torus(50, noise = 0.2) - x), 0.2, tolerance = 0.15)
})

test_that("bad arguments are refused", {
  expect_refused(
    sim_turntable(0),
    sim_turntable(size = 2.5),
    sim_turntable(width = 0),
    sim_turntable(noise = -1),
    sim_turntable(uniform = NA),
    sim_torus("a"),
    sim_klein_bottle(noise = Inf)
  )
})
