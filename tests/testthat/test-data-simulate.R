# Length by numerical integration of the speed of the curve t -> r (cos t, sin t), r = unit * t, from its
# derivatives, not from the closed form.
integrated <- function(from, to, unit) {
  speed <- function(t) sqrt((unit * cos(t) - unit * t * sin(t))^2 + (unit * sin(t) + unit * t * cos(t))^2)
  stats::integrate(speed, from, to, rel.tol = 1e-10, subdivisions = 1000)$value
}

# Largest distance of the empirical distribution from that of the uniform; above 1.95 / sqrt(n) with
# probability 0.001 (Kolmogorov).
expect_uniform <- function(u) {
  u <- sort(u)
  n <- length(u)
  expect_lt(max(seq_len(n) / n - u, u - (seq_len(n) - 1) / n), 1.95 / sqrt(n))
}

clean <- function(x) `attr<-`(x, "position", NULL)
position <- function(x) attr(x, "position")
drawn <- function(seed, code) withr::with_seed(seed, code)

sims <- list(sim_circles, sim_spiral, sim_swiss_roll, sim_fish_bowl)

test_that("every simulation has as many rows as asked for, or a usual number", {
  for (sim in sims) {
    x <- drawn(1, sim(1, noise = 0.1))
    expect_true(is.double(x) && all(is.finite(x)))
    expect_identical(c(nrow(x), nrow(position(x))), c(1L, 1L))
  }
  expect_identical(vapply(sims, function(f) nrow(f()), 1L), c(800L, 800L, 1000L, 1000L))
})

test_that("noise is Gaussian with the standard deviation asked for, on the same positions", {
  for (sim in sims) {
    none <- drawn(5, sim(4000, noise = 0))
    some <- drawn(5, sim(4000, noise = 0.1))
    expect_identical(position(some), position(none))
    expect_equal(clean(drawn(5, sim(4000, noise = 0.2))) - clean(none), 2 * (clean(some) - clean(none)))
    error <- (clean(some) - clean(none)) / 0.1
    # 8,000 draws or more: four standard errors of the sd and the mean.
    expect_equal(sd(error), 1, tolerance = 4 / sqrt(2 * length(error)))
    expect_lt(abs(mean(error)), 4 / sqrt(length(error)))
    expect_lt(abs(cor(error[, 1], error[, 2])), 4 / sqrt(4000))
  }
})

test_that("circles have the radius and angle of their position, and are spread by length or equally", {
  x <- drawn(1, sim_circles(500, circles = 3, noise = 0))
  expect_equal(sqrt(rowSums(x^2)), position(x)[, "circle"])
  expect_equal(atan2(x[, "y"], x[, "x"]) %% (2 * pi), position(x)[, "angle"])
  for (case in list(list("length", 1:3 / 6), list("angle", rep(1 / 3, 3)))) {
    many <- drawn(1, sim_circles(30000, circles = 3, uniform = case[[1]]))
    expect_lt(max(abs(tabulate(position(many)[, "circle"], 3) / 30000 - case[[2]])), 0.012)
  }
})

test_that("the spiral and the Swiss roll satisfy their equations, and length is arc length", {
  for (uniform in c("length", "angle")) {
    x <- drawn(2, sim_spiral(30, turns = 2.5, noise = 0, uniform = uniform))
    angle <- position(x)[, "angle"]
    expect_true(all(angle >= 0 & angle <= 5 * pi))
    expect_equal(clean(x), angle / (2 * pi) * cbind(x = cos(angle), y = sin(angle)))
    length <- vapply(angle, function(a) integrated(0, a, 1 / (2 * pi)), 1)
    expect_equal(unname(position(x)[, "length"]), length, tolerance = 1e-9)

    x <- drawn(2, sim_swiss_roll(30, height = 10, uniform = uniform))
    t <- sqrt(x[, "x"]^2 + x[, "z"]^2)
    expect_true(all(t >= 3 * pi / 2 & t <= 9 * pi / 2))
    expect_equal(x[, c("x", "z")], t * cbind(x = cos(t), z = sin(t)))
    expect_identical(x[, "y"], position(x)[, "height"])
    expect_true(all(x[, "y"] >= 0 & x[, "y"] <= 10))
    length <- vapply(t, function(t) integrated(3 * pi / 2, t, 1), 1)
    expect_equal(unname(position(x)[, "length"]), length, tolerance = 1e-9)
  }
  # `size` multiplies points, noise and position.
  small <- drawn(4, sim_swiss_roll(50, noise = 0.3, size = 0.2))
  whole <- drawn(4, sim_swiss_roll(50, noise = 0.3))
  expect_equal(clean(small), 0.2 * clean(whole))
  expect_equal(position(small), 0.2 * position(whole))
})

test_that("`uniform` is what it says", {
  set.seed(6)
  n <- 5000
  total <- integrated(0, 6 * pi, 1 / (2 * pi))
  expect_uniform(position(sim_spiral(n))[, "length"] / total)
  expect_uniform(position(sim_spiral(n, uniform = "angle"))[, "angle"] / (6 * pi))
  total <- integrated(3 * pi / 2, 9 * pi / 2, 1)
  expect_uniform(position(sim_swiss_roll(n, uniform = "length"))[, "length"] / total)
  x <- sim_swiss_roll(n)
  expect_uniform((sqrt(x[, "x"]^2 + x[, "z"]^2) / (3 * pi / 2) - 1) / 2)
  expect_uniform(position(x)[, "height"] / 21)
  x <- sim_fish_bowl(n)
  expect_uniform((x[, "z"] + 1) / 1.75)
  expect_uniform(position(x)[, "longitude"] / (2 * pi))
  # Stereographic projection from (0, 0, 1) to the plane z = 0.
  x <- sim_fish_bowl(n, uniform = "disc")
  expect_uniform(rowSums((x[, 1:2] / (1 - x[, "z"]))^2) / (1.75 / 0.25))
})

test_that("the fish bowl is on the sphere, below the rim, at its latitude and longitude", {
  for (uniform in c("area", "disc")) for (rim in c(-0.5, 0, 0.9)) {
    x <- drawn(8, sim_fish_bowl(200, rim = rim, uniform = uniform))
    expect_equal(rowSums(x^2), rep(1, 200))
    expect_true(all(x[, "z"] <= rim))
    expect_equal(sin(position(x)[, "latitude"]), x[, "z"])
    expect_equal(atan2(x[, "y"], x[, "x"]) %% (2 * pi), position(x)[, "longitude"])
  }
  expect_gt(max(sim_fish_bowl(2000, rim = 1)[, "z"]), 0.99)
})

# ---- closed curves and surfaces ----------------------------------------------------------------

test_that("pictures of a turntable are sums of bells, scaled to a maximum of 1, and noise is added", {
  x <- drawn(3, sim_turntable(36, size = 8, width = 0.1))
  angle <- position(x)[, "angle"]
  expect_equal(angle, 2 * pi * 0:35 / 36)
  # The same object, straight from the page.
  set.seed(3)
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
  noisy <- drawn(3, sim_turntable(36, size = 8, width = 0.1, noise = 0.1))
  expect_equal(stats::sd(noisy - x), 0.1, tolerance = 0.05)
  expect_identical(dim(sim_turntable(3, size = 1)), c(3L, 1L))
  random <- position(sim_turntable(50, size = 4, uniform = FALSE))
  expect_true(is.unsorted(random) && all(random >= 0 & random < 2 * pi))
})

test_that("a torus and a Klein bottle have their equations", {
  x <- drawn(1, sim_torus(50))
  a <- position(x)[, 1]
  b <- position(x)[, 2]
  expect_equal(clean(x), cbind(x = cos(a), y = sin(a), z = cos(b), w = sin(b)))
  # Glued with a turn: (a + 2 pi, b) is (a, -b).
  k <- cbind((2 + cos(b)) * cos(a), (2 + cos(b)) * sin(a), sin(b) * cos(a / 2), sin(b) * sin(a / 2))
  expect_equal(drawn(1, sim_klein_bottle(50)), k, ignore_attr = TRUE)
  expect_equal(stats::sd(drawn(1, sim_torus(50, noise = 0.2)) - x), 0.2, tolerance = 0.15)
})

test_that("errors name the argument and the rule, and do not move the stream", {
  set.seed(9)
  before <- .Random.seed
  expect_refused(
    sim_circles(0), sim_circles(circles = 1.5), sim_circles(noise = -1), sim_circles(uniform = "area"),
    sim_spiral(turns = 0), sim_swiss_roll(height = 0), sim_swiss_roll(size = -1), sim_fish_bowl(NULL),
    sim_fish_bowl(rim = -1), sim_fish_bowl(rim = 1.1), sim_fish_bowl(rim = 1, uniform = "disc"),
    sim_turntable(size = 2.5), sim_turntable(width = 0), sim_turntable(uniform = NA), sim_torus("a")
  )
  expect_identical(.Random.seed, before)
  expect_refused(sim_klein_bottle(noise = Inf))
})
