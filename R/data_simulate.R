# Simulated data on known manifolds. All functions draw the positions first and the
# noise last, also if `noise` is 0: the same seed gives
# the same positions for any noise, and uses the same number of random numbers.

#' Simulated points on concentric circles
#'
#' `sim_circles()` simulates noisy points on circles of radius 1, 2, ... around the origin, similar to Figure
#' 1 of Liang and Paisley (2015). A point on circle \eqn{c} at angle \eqn{a} is
#' \deqn{(x, y) = c (\cos a, \sin a) + \varepsilon, \quad
#'   \varepsilon \sim N(0, \mathrm{noise}^2 I).}{(x, y) = c (cos a, sin a) + e, e ~ N(0, noise^2 I).}
#'
#' In all `sim_` functions the noise is drawn last: the same seed with another `noise` gives the same points
#' with rescaled errors.
#'
#' @param n Number of points. Default 800.
#' @param circles Number of circles. Default 2.
#' @param noise Standard deviation of the Gaussian noise added to each coordinate. Default 0.05; neighboring
#'   circles are 1 apart.
#' @param uniform Distribution of the points. `"length"` (default): uniform along the curves, so outer circles
#'   have more points. `"angle"`: all circles are equally likely.
#'
#' @return A numeric matrix, n x 2, with columns `x` and `y`. The attribute `"position"`, an n x 2 matrix, has
#'   the `angle` in \eqn{[0, 2\pi)}{[0, 2 pi)} and the `circle` of each point before the noise. Subsetting
#'   drops the attribute.
#'
#' @section Errors:
#' `landmarker_error_input` for an invalid argument.
#'
#' @references Liang, D. and Paisley, J. (2015). Landmarking Manifolds with Gaussian Processes. *Proceedings
#' of the 32nd International Conference on Machine Learning*, PMLR 37.
#' <https://proceedings.mlr.press/v37/liang15.html>
#'
#' @seealso [sim_spiral()], [sim_swiss_roll()], [sim_fish_bowl()]
#' @examples
#' set.seed(1)
#' x <- sim_circles(300)
#' plot(x, asp = 1, col = attr(x, "position")[, "circle"])
#' # Distances from the circles
#' summary(sqrt(rowSums(x^2)) - attr(x, "position")[, "circle"])
#' @export
sim_circles <- function(n = 800, circles = 2, noise = 0.05, uniform = "length") {
  n <- check_count(n, "n")
  circles <- check_count(circles, "circles")
  noise <- check_noise(noise)
  check_choice(uniform, c("length", "angle"), "uniform")

  radii <- seq_len(circles)
  # sample() would use a number of random numbers that depends on its weights.
  odds <- if (uniform == "length") cumsum(as.double(radii)) else as.double(radii)
  circle <- 1 + findInterval(stats::runif(n) * odds[circles], odds)
  angle <- 2 * pi * stats::runif(n)
  clean <- cbind(x = circle * cos(angle), y = circle * sin(angle))
  simulated(clean, noise, cbind(angle = angle, circle = circle))
}

#' Simulated points on a spiral
#'
#' `sim_spiral()` simulates noisy points on an Archimedean spiral that starts at the origin. At angle \eqn{a}
#' between 0 and \eqn{2\pi}{2 pi} `turns` a point is
#' \deqn{(x, y) = \frac{a}{2\pi} (\cos a, \sin a) + \varepsilon, \quad
#'   \varepsilon \sim N(0, \mathrm{noise}^2 I),}{(x, y) = a / (2 pi) (cos a, sin a) + e, e ~ N(0, noise^2 I),}
#' so that neighboring turns are 1 apart.
#'
#' @inheritParams sim_circles
#' @param turns Number of turns, positive. Default 3.
#' @param noise Standard deviation of the Gaussian noise added to each coordinate. Default 0.05.
#' @param uniform Distribution of the points. `"length"` (default): uniform along the curve. `"angle"`:
#'   uniform in the angle, so points are denser at the center.
#'
#' @return A numeric matrix, n x 2, with columns `x` and `y`. The attribute `"position"`, an n x 2 matrix, has
#'   the arc `length` from the origin and the `angle` of each point before the noise. Subsetting drops the
#'   attribute.
#'
#' @inheritSection sim_circles Errors
#' @inherit sim_circles references
#' @seealso [sim_circles()], [sim_swiss_roll()], [sim_fish_bowl()]
#' @examples
#' set.seed(1)
#' x <- sim_spiral(300)
#' plot(x, asp = 1)
#' head(attr(x, "position"))
#' @export
sim_spiral <- function(n = 800, turns = 3, noise = 0.05, uniform = "length") {
  n <- check_count(n, "n")
  turns <- check_number(turns, "turns", min = 0, max = longest)
  noise <- check_noise(noise)
  check_choice(uniform, c("length", "angle"), "uniform")

  angle <- spiral_angle(stats::runif(n), 0, 2 * pi * turns, uniform)
  radius <- angle / (2 * pi)
  clean <- cbind(x = radius * cos(angle), y = radius * sin(angle))
  simulated(clean, noise, cbind(length = spiral_length(angle) / (2 * pi), angle = angle))
}

#' Simulated points on a Swiss roll
#'
#' `sim_swiss_roll()` simulates points on a rolled-up rectangle in three dimensions, a standard test of
#' manifold learning. For \eqn{t} between \eqn{3\pi/2}{3 pi / 2} and \eqn{9\pi/2}{9 pi / 2} and \eqn{h}
#' between 0 and `height` a point is
#' \deqn{(x, y, z) = \mathrm{size} \cdot \{(t \cos t, h, t \sin t) + \varepsilon\}, \quad
#'   \varepsilon \sim N(0, \mathrm{noise}^2 I).}{(x, y, z) = size * ((t cos t, h, t sin t) + e),
#'   e ~ N(0, noise^2 I).}
#' The unrolled rectangle has length 90, approximately. The length from the inner edge to \eqn{t} is
#' \eqn{s(t) - s(3\pi/2)}{s(t) - s(3 pi / 2)} with
#' \deqn{s(t) = \frac{1}{2} \left( t \sqrt{1 + t^2} + \mathrm{arsinh}\, t \right).}{s(t)
#'   = (t sqrt(1 + t^2) + asinh t) / 2.}
#'
#' @param n Number of points. Default 1000, as in Wachinger and Golland (2015).
#' @param height Height of the rectangle. Default 21, the usual value.
#' @param noise Standard deviation of the Gaussian noise added to each coordinate, before scaling by `size`.
#'   Default 0. Turns are \eqn{2\pi}{2 pi} apart.
#' @param size Positive factor that multiplies points, noise and positions. Default 1.
#' @param uniform Distribution of the points. `"angle"` (default): \eqn{t} is uniform, as in published
#'   results, so points are three times as dense at the inner edge as at the outer edge. `"length"`: uniform
#'   on the rectangle.
#'
#' @return A numeric matrix, n x 3, with columns `x`, `y` and `z`. The attribute `"position"`, an n x 2
#'   matrix, has the coordinates of the points on the unrolled rectangle before the noise: `length` from the
#'   inner edge, and `height`. Subsetting drops the attribute.
#'
#' @inheritSection sim_circles Errors
#' @references Wachinger, C. and Golland, P. (2015). Diverse Landmark Sampling from Determinantal Point
#' Processes for Scalable Manifold Learning. <https://arxiv.org/abs/1503.03506>
#'
#' @seealso [sim_circles()], [sim_spiral()], [sim_fish_bowl()]
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(500)
#' position <- attr(x, "position")
#' shade <- hcl.colors(20)[cut(position[, "length"], 20)]
#' plot(x[, c("x", "z")], asp = 1, col = shade)
#' # The unrolled rectangle
#' plot(position, asp = 1, col = shade)
#' apply(position, 2, range)
#' @export
sim_swiss_roll <- function(n = 1000, height = 21, noise = 0, size = 1, uniform = "angle") {
  n <- check_count(n, "n")
  height <- check_number(height, "height", min = 0, max = longest)
  noise <- check_noise(noise)
  size <- check_number(size, "size", min = 0, max = longest)
  check_choice(uniform, c("angle", "length"), "uniform")

  inner <- 3 * pi / 2
  t <- spiral_angle(stats::runif(n), inner, 3 * inner, uniform)
  h <- height * stats::runif(n)
  clean <- cbind(x = t * cos(t), y = h, z = t * sin(t))
  length <- spiral_length(t) - spiral_length(inner)
  simulated(clean, noise, size * cbind(length = length, height = h), size)
}

#' Simulated points on a fish bowl
#'
#' `sim_fish_bowl()` simulates points on a unit sphere without a cap around the north pole (a punctured
#' sphere), a surface that cannot be flattened without distortion (Wachinger and Golland, 2015). At latitude
#' \eqn{b} and longitude \eqn{l} a point is
#' \deqn{(x, y, z) = (\cos b \cos l, \cos b \sin l, \sin b) + \varepsilon, \quad
#'   \sin b \le \mathrm{rim}, \quad \varepsilon \sim N(0, \mathrm{noise}^2 I).}{(x, y, z)
#'   = (cos b cos l, cos b sin l, sin b) + e, sin b <= rim, e ~ N(0, noise^2 I).}
#'
#' @param n Number of points. Default 1000.
#' @param rim Height of the rim, above -1 and at most 1 (the whole sphere). The default, 0.75, removes an
#'   eighth of the surface.
#' @param noise Standard deviation of the Gaussian noise added to each coordinate. Default 0.
#' @param uniform Distribution of the points. `"area"` (default): uniform on the surface. `"disc"`: uniform on
#'   the disc onto which the bowl is mapped by stereographic projection from the north pole, so points are
#'   denser at the rim; `rim` must be below 1.
#'
#' @return A numeric matrix, n x 3, with columns `x`, `y` and `z`. The attribute `"position"`, an n x 2
#'   matrix, has the `latitude` (from \eqn{-\pi/2}{-pi/2} to `asin(rim)`) and the `longitude` (in \eqn{[0,
#'   2\pi)}{[0, 2 pi)}) of the points before the noise. Subsetting drops the attribute.
#'
#' @inheritSection sim_circles Errors
#' @inherit sim_swiss_roll references
#' @seealso [sim_circles()], [sim_spiral()], [sim_swiss_roll()]
#' @examples
#' set.seed(1)
#' x <- sim_fish_bowl(500)
#' plot(x[, c("x", "z")], asp = 1)
#' # All points are on the sphere, below the rim
#' range(rowSums(x^2))
#' max(x[, "z"])
#' @export
sim_fish_bowl <- function(n = 1000, rim = 0.75, noise = 0, uniform = "area") {
  n <- check_count(n, "n")
  rim <- check_number(rim, "rim", min = -1, max = 1)
  noise <- check_noise(noise)
  check_choice(uniform, c("area", "disc"), "uniform")
  check_that(uniform != "disc" || rim < 1, rim, "rim", "below 1 with {.code uniform = \"disc\"}")

  u <- stats::runif(n)
  z <- if (uniform == "area") {
    # Archimedes: the area of a sphere between two heights is proportional to their difference.
    -1 + (1 + rim) * u
  } else {
    # Squared radius on the disc, which is (1 + z) / (1 - z) at height z.
    r2 <- u * (1 + rim) / (1 - rim)
    (r2 - 1) / (r2 + 1)
  }
  longitude <- 2 * pi * stats::runif(n)
  across <- sqrt(pmax(0, (1 - z) * (1 + z)))
  clean <- cbind(x = across * cos(longitude), y = across * sin(longitude), z = z)
  simulated(clean, noise, cbind(latitude = asin(z), longitude = longitude))
}

# Adds the noise and the positions: the value of every simulation.
simulated <- function(clean, noise, position, size = 1) {
  structure(size * (clean + noise * stats::rnorm(length(clean))), position = position)
}

check_noise <- function(noise, call = rlang::caller_env()) {
  check_number(noise, "noise", 0, longest, closed = TRUE, call = call)
}

# Length of the spiral with radius t at angle t, from the origin to angle t.
spiral_length <- function(t) (t * sqrt(1 + t^2) + asinh(t)) / 2

# Angles in [from, to] for u in [0, 1], uniform in the angle or in the length of
# the spiral. The length has no inverse in closed form, but it is convex and
# increasing: Newton's steps from the right end fall to the root, each below
# the last, until rounding stops them.
spiral_angle <- function(u, from, to, uniform) {
  if (uniform == "angle") return(from + (to - from) * u)
  ends <- spiral_length(c(from, to))
  goal <- ends[1] + (ends[2] - ends[1]) * u
  t <- rep(to, length(u))
  for (step in seq_len(50)) {
    last <- t
    t <- t - (spiral_length(t) - goal) / sqrt(1 + t^2)
    if (all(abs(t - last) <= 4 * .Machine$double.eps * (1 + abs(t)))) break
  }
  pmin(pmax(t, from), to)
}

# The largest number that describes a shape: squares of the points and their sums stay within a computer's
# range.
longest <- 1e50

# ---- closed curves and surfaces, of which no embedding in few dimensions has a border -----------------

#' Simulated images of a rotating object
#'
#' `sim_turntable()` simulates pictures of a rotating object. They lie on a closed curve in pixel space, so a
#' good embedding is a circle.
#'
#' The object consists of 30 blobs at random positions in a ball. From viewing angle \eqn{a}, a blob with
#' cylindrical coordinates \eqn{(r, h, \theta)}{(r, h, theta)} appears at height \eqn{h} and horizontal
#' position \eqn{r \sin(\theta + a)}{r sin(theta + a)}, with its brightness multiplied by
#' \eqn{\exp(\cos(\theta + a))}{exp(cos(theta + a))}: blobs in front are brighter. Each blob is a Gaussian
#' bell with standard deviation `width`.
#'
#' @param n Number of pictures. Default 72, one every five degrees.
#' @param size Number of pixels in each direction. Default 16.
#' @param width Standard deviation of each blob, as a proportion of the side length of the picture. Default
#'   0.08.
#' @param noise Standard deviation of the Gaussian noise added to each pixel. Default 0. Without noise, pixels
#'   are between 0 and 1.
#' @param uniform `TRUE` (default): equally spaced angles. `FALSE`: random angles.
#' @return A numeric matrix, n x size^2. Each row is a picture, stored column by column: use
#'   `plot_images(byrow = FALSE)`. The attribute `"position"`, an n x 1 matrix, has the `angle`.
#' @section Errors:
#' `landmarker_error_input` for an invalid argument.
#' @seealso [sim_torus()], [sim_swiss_roll()]
#' @examples
#' set.seed(1)
#' x <- sim_turntable()
#' plot_images(x[seq(1, 72, 6), ], dim = c(16, 16), byrow = FALSE)
#' fit <- landmarks(x, 14, scale = FALSE)
#' # The embedding is a circle
#' plot(embed_landmarks(fit), data = x)
#' @export
sim_turntable <- function(n = 72, size = 16, width = 0.08, noise = 0, uniform = TRUE) {
  n <- check_count(n, "n")
  size <- check_count(size, "size")
  width <- check_number(width, "width", min = 0, max = 1)
  noise <- check_noise(noise)
  uniform <- check_flag(uniform, "uniform")
  blobs <- 30
  along <- stats::runif(blobs)
  height <- stats::runif(blobs, -0.8, 0.8)
  start <- 2 * pi * stats::runif(blobs)
  bright <- stats::runif(blobs, 0.3, 1)
  random <- stats::runif(n)
  angle <- 2 * pi * (if (uniform) (seq_len(n) - 1) / n else random)
  from_axis <- 0.9 * sqrt(along * (1 - height^2))
  pixel <- (seq_len(size) - 0.5) / size * 2 - 1
  bell <- function(at) exp(-outer(at, pixel, "-")^2 / (2 * (2 * width)^2))
  rows <- bell(-height)
  clean <- t(vapply(angle, function(a) {
    seen <- bright * exp(cos(start + a) - 1)
    as.vector(crossprod(rows * seen, bell(from_axis * sin(start + a))))
  }, numeric(size^2)))
  clean <- matrix(clean / max(clean), n, dimnames = list(NULL, paste0("p", seq_len(size^2))))
  simulated(clean, noise, cbind(angle = angle))
}

#' Simulated points on a torus or a Klein bottle
#'
#' `sim_torus()` and `sim_klein_bottle()` simulate points on two closed surfaces in four dimensions. With
#' uniform angles \eqn{a} and \eqn{b}, a point of the torus is
#' \deqn{(\cos a, \sin a, \cos b, \sin b)}{(cos a, sin a, cos b, sin b)}
#' and a point of the Klein bottle is
#' \deqn{((2 + \cos b) \cos a, (2 + \cos b) \sin a, \sin b \cos(a/2), \sin b \sin(a/2)).}{
#'   ((2 + cos b) cos a, (2 + cos b) sin a, sin b cos(a/2), sin b sin(a/2)).}
#'
#' @param n Number of points. Default 2000.
#' @param noise Standard deviation of the Gaussian noise added to each coordinate. Default 0.
#' @return A numeric matrix, n x 4, with columns `x`, `y`, `z` and `w`. The attribute `"position"`, an n x 2
#'   matrix, has the angles `a` and `b`.
#' @section Errors:
#' `landmarker_error_input` for an invalid argument.
#' @seealso [sim_turntable()], [sim_fish_bowl()]
#' @examples
#' set.seed(1)
#' landmark_graph(landmarks(sim_torus(1000), 50))
#' landmark_graph(landmarks(sim_klein_bottle(1000), 50))
#' @export
sim_torus <- function(n = 2000, noise = 0) {
  simulated_surface(n, noise, function(a, b) cbind(x = cos(a), y = sin(a), z = cos(b), w = sin(b)))
}

#' @rdname sim_torus
#' @export
sim_klein_bottle <- function(n = 2000, noise = 0) {
  simulated_surface(n, noise, function(a, b) {
    r <- 2 + cos(b)
    cbind(x = r * cos(a), y = r * sin(a), z = sin(b) * cos(a / 2), w = sin(b) * sin(a / 2))
  })
}

# points(a, b) at random angles.
simulated_surface <- function(n, noise, points, call = rlang::caller_env()) {
  n <- check_count(n, "n", call = call)
  noise <- check_noise(noise, call)
  angles <- matrix(2 * pi * stats::runif(2 * n), n, dimnames = list(NULL, c("a", "b")))
  simulated(points(angles[, "a"], angles[, "b"]), noise, angles)
}
