clean <- function(x) {
  attr(x, "position") <- NULL
  x
}

# Draws that `draw(...)` must use up, no more and no fewer.
expect_draws <- function(object, ...) {
  set.seed(7)
  force(object)
  after <- .Random.seed
  set.seed(7)
  lapply(list(...), function(draw) draw())
  expect_identical(after, .Random.seed)
}

sims <- list(
  circles = sim_circles, spiral = sim_spiral,
  swiss_roll = sim_swiss_roll, fish_bowl = sim_fish_bowl
)

test_that("every simulation has its shape, names and position", {
  set.seed(1)
  columns <- list(circles = 2, spiral = 2, swiss_roll = 3, fish_bowl = 3)
  names <- list(
    circles = c("angle", "circle"), spiral = c("length", "angle"),
    swiss_roll = c("length", "height"), fish_bowl = c("latitude", "longitude")
  )
  for (what in names(sims)) {
    for (n in c(1, 50)) {
      x <- sims[[what]](n, noise = 0.1)
      expect_true(is.double(x) && all(is.finite(x)))
      expect_identical(dim(x), as.integer(c(n, columns[[what]])))
      expect_identical(colnames(x), c("x", "y", "z")[seq_len(columns[[what]])])
      expect_named(attributes(x), c("dim", "dimnames", "position"))
      position <- attr(x, "position")
      expect_true(is.double(position))
      expect_identical(dim(position), c(as.integer(n), 2L))
      expect_identical(colnames(position), names[[what]])
    }
  }
  expect_identical(vapply(sims, function(f) nrow(f()), 1L, USE.NAMES = FALSE), c(800L, 800L, 1000L, 1000L))
})

test_that("R's stream is used up as documented, whatever the noise", {
  u <- function() runif(30)
  e2 <- function() rnorm(60)
  e3 <- function() rnorm(90)
  for (noise in c(0, 1)) {
    for (uniform in c("length", "angle")) {
      expect_draws(sim_circles(30, noise = noise, uniform = uniform), u, u, e2)
      expect_draws(sim_spiral(30, noise = noise, uniform = uniform), u, e2)
      expect_draws(sim_swiss_roll(30, noise = noise, uniform = uniform), u, u, e3)
    }
    for (uniform in c("area", "disc")) {
      expect_draws(sim_fish_bowl(30, noise = noise, uniform = uniform), u, u, e3)
    }
  }
})

test_that("noise is Gaussian with the standard deviation asked for, on the same positions", {
  for (sim in sims) {
    draw <- function(noise) {
      set.seed(5)
      sim(4000, noise = noise)
    }
    none <- draw(0)
    some <- draw(0.1)
    more <- draw(0.2)
    expect_identical(attr(some, "position"), attr(none, "position"))
    expect_equal(clean(more) - clean(none), 2 * (clean(some) - clean(none)))
    error <- (clean(some) - clean(none)) / 0.1
    # 8,000 draws or more: four standard errors of the sd and the mean.
    expect_equal(sd(error), 1, tolerance = 4 / sqrt(2 * length(error)))
    expect_lt(abs(mean(error)), 4 / sqrt(length(error)))
    expect_lt(abs(cor(error[, 1], error[, 2])), 4 / sqrt(4000))
  }
})

test_that("circles have the radius and angle of their position", {
  set.seed(1)
  x <- sim_circles(500, circles = 3, noise = 0)
  position <- attr(x, "position")
  expect_equal(sqrt(rowSums(x^2)), position[, "circle"])
  expect_equal(atan2(x[, "y"], x[, "x"]) %% (2 * pi), position[, "angle"])
  expect_setequal(position[, "circle"], 1:3)
})

test_that("circles are spread by length or equally", {
  set.seed(1)
  share <- function(uniform) {
    circle <- attr(sim_circles(30000, circles = 3, uniform = uniform), "position")[, "circle"]
    tabulate(circle, 3) / 30000
  }
  expect_lt(max(abs(share("length") - 1:3 / 6)), 0.012)
  expect_lt(max(abs(share("angle") - 1 / 3)), 0.012)
  expect_identical(unique(attr(sim_circles(20, circles = 1), "position")[, "circle"]), 1)
})

# Length by numerical integration of the speed of the curve t -> r (cos t, sin t),
# r = unit * t, from its derivatives, not from the closed form.
integrated <- function(from, to, unit) {
  speed <- function(t) sqrt((unit * cos(t) - unit * t * sin(t))^2 + (unit * sin(t) + unit * t * cos(t))^2)
  stats::integrate(speed, from, to, rel.tol = 1e-10, subdivisions = 1000)$value
}

test_that("the spiral satisfies its equation, and length is arc length", {
  for (uniform in c("length", "angle")) {
    set.seed(2)
    x <- sim_spiral(30, turns = 2.5, noise = 0, uniform = uniform)
    position <- attr(x, "position")
    angle <- position[, "angle"]
    expect_true(all(angle >= 0 & angle <= 5 * pi))
    expect_equal(clean(x), angle / (2 * pi) * cbind(x = cos(angle), y = sin(angle)))
    length <- vapply(angle, function(a) integrated(0, a, 1 / (2 * pi)), 1)
    expect_equal(unname(position[, "length"]), length, tolerance = 1e-9)
  }
})

test_that("the Swiss roll satisfies its equation, and position is the unrolled rectangle", {
  for (uniform in c("length", "angle")) {
    set.seed(2)
    x <- sim_swiss_roll(30, height = 10, uniform = uniform)
    position <- attr(x, "position")
    t <- sqrt(x[, "x"]^2 + x[, "z"]^2)
    expect_true(all(t >= 3 * pi / 2 & t <= 9 * pi / 2))
    expect_equal(x[, "x"], t * cos(t))
    expect_equal(x[, "z"], t * sin(t))
    expect_identical(x[, "y"], position[, "height"])
    expect_true(all(x[, "y"] >= 0 & x[, "y"] <= 10))
    length <- vapply(t, function(t) integrated(3 * pi / 2, t, 1), 1)
    expect_equal(unname(position[, "length"]), length, tolerance = 1e-9)
  }
})

test_that("size multiplies points, noise and position", {
  draw <- function(size) {
    set.seed(4)
    sim_swiss_roll(50, noise = 0.3, size = size)
  }
  expect_equal(draw(0.2), local({
    x <- draw(1)
    position <- attr(x, "position")
    x <- 0.2 * x
    attr(x, "position") <- 0.2 * position
    x
  }))
})

# Largest distance of the empirical distribution from that of the uniform; above
# 1.95 / sqrt(n) with probability 0.001 (Kolmogorov).
expect_uniform <- function(u) {
  u <- sort(u)
  n <- length(u)
  distance <- max(seq_len(n) / n - u, u - (seq_len(n) - 1) / n)
  expect_lt(distance, 1.95 / sqrt(n))
}

test_that("`uniform` is what it says", {
  set.seed(6)
  n <- 5000
  position <- function(x) attr(x, "position")

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
  flat <- x[, 1:2] / (1 - x[, "z"])
  expect_uniform(rowSums(flat^2) / (1.75 / 0.25))
})

test_that("the fish bowl is on the sphere, below the rim, at its latitude and longitude", {
  for (uniform in c("area", "disc")) {
    for (rim in c(-0.5, 0, 0.9)) {
      set.seed(8)
      x <- sim_fish_bowl(200, rim = rim, uniform = uniform)
      position <- attr(x, "position")
      expect_equal(rowSums(x^2), rep(1, 200))
      expect_true(all(x[, "z"] <= rim))
      expect_equal(sin(position[, "latitude"]), x[, "z"])
      expect_equal(atan2(x[, "y"], x[, "x"]) %% (2 * pi), position[, "longitude"])
    }
  }
  expect_gt(max(sim_fish_bowl(2000, rim = 1)[, "z"]), 0.99)
})

test_that("errors name the argument and the rule, and do not move the stream", {
  set.seed(9)
  before <- .Random.seed
  expect_refused(
    sim_circles(0),
    sim_circles(circles = 1.5),
    sim_circles(noise = -1),
    sim_circles(uniform = "area"),
    sim_spiral(n = "many"),
    sim_spiral(turns = 0),
    sim_spiral(uniform = 1),
    sim_swiss_roll(height = 0),
    sim_swiss_roll(noise = Inf),
    sim_swiss_roll(size = -1),
    sim_fish_bowl(NULL),
    sim_fish_bowl(rim = -1),
    sim_fish_bowl(rim = 1.1),
    sim_fish_bowl(uniform = "length"),
    sim_fish_bowl(rim = 1, uniform = "disc")
  )
  expect_identical(.Random.seed, before)
})
