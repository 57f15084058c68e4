# Simulated data on known manifolds. All functions draw the positions first and the
# noise last, and draw the noise even where `noise` is 0: the same seed gives
# the same positions for any noise, and uses the same number of random numbers.

#' Simulated points on concentric circles
#'
#' `sim_circles()` draws points in the plane on circles of radius 1, 2, ... around the origin, with noise.
#' Use it for examples and tests where landmarks can be seen, as in Figure 1 of Liang and Paisley (2015). On
#' circle \eqn{c} at angle \eqn{a} a point is
#' \deqn{(x, y) = c (\cos a, \sin a) + \varepsilon, \quad
#'   \varepsilon \sim N(0, \mathrm{noise}^2 I).}{(x, y) = c (cos a, sin a) + e, e ~ N(0, noise^2 I).}
#'
#' All `sim_` functions use R's random numbers: the same seed gives the same data. The noise is drawn last.
#' So the same seed with another `noise` gives the same points with the same errors times another factor.
#'
#' @param n How many points, a count. With the default, 800, every method runs in less than a second.
#' @param circles How many circles, a count. Default 2.
#' @param noise Standard deviation of the Gaussian noise that is added to every coordinate, at least 0, in
#'   the units of the data. The default, 0.05, is visible and far below the distance of 1 between neighboring
#'   circles.
#' @param uniform How points are distributed. `"length"` (the default): evenly along all curves, so that an
#'   outer circle has more points than an inner one. `"angle"`: all circles are equally likely, so that inner
#'   circles are denser.
#'
#' @return A numeric matrix, n x 2, with columns `x` and `y`. Its attribute `"position"` is a numeric matrix,
#'   n x 2, with the positions of the points before the noise: `angle` in \eqn{[0, 2\pi)}{[0, 2 pi)} and
#'   `circle`, from 1 to `circles`. Subsetting rows or columns drops the attribute: take
#'   `attr(x, "position")` first.
#'
#' @section Errors:
#' Class `landmarker_error_input`, where an argument breaks the rule given above.
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
#' # Points are near the circles of radius 1 and 2.
#' summary(sqrt(rowSums(x^2)) - attr(x, "position")[, "circle"])
#' @export
sim_circles <- function(n = 800, circles = 2, noise = 0.05, uniform = "length") {
  n <- check_count(n, "n")
  circles <- check_count(circles, "circles")
  noise <- check_number(noise, "noise", min = 0, max = longest, closed = TRUE)
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
#' `sim_spiral()` draws points in the plane on a spiral of Archimedes that starts at the origin, with noise.
#' Use it for examples and tests where landmarks can be seen, as in Figure 1 of Liang and Paisley (2015). At
#' angle \eqn{a} from 0 to \eqn{2\pi}{2 pi} `turns` a point is
#' \deqn{(x, y) = \frac{a}{2\pi} (\cos a, \sin a) + \varepsilon, \quad
#'   \varepsilon \sim N(0, \mathrm{noise}^2 I),}{(x, y) = a / (2 pi) (cos a, sin a) + e, e ~ N(0, noise^2 I),}
#' so that neighboring turns are 1 apart, as the circles of [sim_circles()] are.
#'
#' @inheritParams sim_circles
#' @param turns How often the spiral goes around the origin, a number above 0. Default 3, so that a point of
#'   the middle turn has turns on both sides.
#' @param noise Standard deviation of the Gaussian noise that is added to every coordinate, at least 0, in
#'   the units of the data. The default, 0.05, is visible and far below the distance of 1 between turns.
#' @param uniform How points are distributed. `"length"` (the default): evenly along the curve. `"angle"`:
#'   evenly in the angle, so that points are denser at the center.
#'
#' @return A numeric matrix, n x 2, with columns `x` and `y`. Its attribute `"position"` is a numeric matrix,
#'   n x 2, with the positions of the points before the noise: `length` along the curve from the origin,
#'   which a perfect embedding in one dimension finds, and `angle` in radians, a function of `length`.
#'   Subsetting rows or columns drops the attribute: take `attr(x, "position")` first.
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
  noise <- check_number(noise, "noise", min = 0, max = longest, closed = TRUE)
  check_choice(uniform, c("length", "angle"), "uniform")

  angle <- spiral_angle(stats::runif(n), 0, 2 * pi * turns, uniform)
  radius <- angle / (2 * pi)
  clean <- cbind(x = radius * cos(angle), y = radius * sin(angle))
  simulated(clean, noise, cbind(length = spiral_length(angle) / (2 * pi), angle = angle))
}

#' Simulated points on a Swiss roll
#'
#' `sim_swiss_roll()` draws points in space on a rolled-up rectangle. Use it to test whether an embedding
#' unrolls a surface, as Wachinger and Golland (2015) do. With \eqn{t} from \eqn{3\pi/2}{3 pi / 2} to
#' \eqn{9\pi/2}{9 pi / 2} and \eqn{h} from 0 to `height` a point is
#' \deqn{(x, y, z) = \mathrm{size} \cdot \{(t \cos t, h, t \sin t) + \varepsilon\}, \quad
#'   \varepsilon \sim N(0, \mathrm{noise}^2 I).}{(x, y, z) = size * ((t cos t, h, t sin t) + e),
#'   e ~ N(0, noise^2 I).}
#' Unrolled, the rectangle is about 90 long and `height` high. Its length from the inner edge to \eqn{t} is
#' \eqn{s(t) - s(3\pi/2)}{s(t) - s(3 pi / 2)}, where
#' \deqn{s(t) = \frac{1}{2} \left( t \sqrt{1 + t^2} + \mathrm{arsinh}\, t \right).}{s(t)
#'   = (t sqrt(1 + t^2) + asinh t) / 2.}
#'
#' @param n How many points, a count. The default, 1,000, is that of Wachinger and Golland.
#' @param height Height of the rectangle, a number above 0. The default, 21, is the usual one, about a
#'   quarter of the length.
#' @param noise Standard deviation of the Gaussian noise that is added to every coordinate before it is
#'   scaled, at least 0. Default 0, points on the surface itself. Turns are about 6.3 (\eqn{2\pi}{2 pi})
#'   apart.
#' @param size A number above 0 that multiplies points, noise and positions. Default 1, the usual roll, about
#'   25 wide.
#' @param uniform How points are distributed. `"angle"` (the default): \eqn{t} is uniform, as in published
#'   results; points are three times as dense at the inner edge as at the outer. `"length"`: evenly on the
#'   rectangle.
#'
#' @return A numeric matrix, n x 3, with columns `x`, `y` and `z`. Its attribute `"position"` is a numeric
#'   matrix, n x 2, with the positions of the points on the flat rectangle, before the noise: `length` from
#'   the inner edge and `height`, both in the units of the points. Distances there are distances along the
#'   roll. Subsetting rows or columns drops the attribute: take `attr(x, "position")` first.
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
#' plot(position, asp = 1, col = shade)
#' # The rectangle that was rolled
#' apply(position, 2, range)
#' @export
sim_swiss_roll <- function(n = 1000, height = 21, noise = 0, size = 1, uniform = "angle") {
  n <- check_count(n, "n")
  height <- check_number(height, "height", min = 0, max = longest)
  noise <- check_number(noise, "noise", min = 0, max = longest, closed = TRUE)
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
#' `sim_fish_bowl()` draws points on a punctured sphere, the unit sphere without a cap around its north pole.
#' Use it to test embeddings of a surface that no flat map shows without distortion, as Wachinger and Golland
#' (2015) do. At latitude \eqn{b} and longitude \eqn{l} a point is
#' \deqn{(x, y, z) = (\cos b \cos l, \cos b \sin l, \sin b) + \varepsilon, \quad
#'   \sin b \le \mathrm{rim}, \quad \varepsilon \sim N(0, \mathrm{noise}^2 I).}{(x, y, z)
#'   = (cos b cos l, cos b sin l, sin b) + e, sin b <= rim, e ~ N(0, noise^2 I).}
#'
#' @param n How many points, a count. The default, 1,000, is that of [sim_swiss_roll()].
#' @param rim Height of the rim, where the cap is cut off, on the unit sphere with its center at 0: a number
#'   above -1 and at most 1 (the whole sphere). The default, 0.75, cuts an eighth of the sphere's surface.
#' @param noise Standard deviation of the Gaussian noise that is added to every coordinate, at least 0, in
#'   units of the sphere's radius. Default 0: points on the sphere itself.
#' @param uniform How points are distributed. `"area"` (the default): evenly on the surface. `"disc"`: evenly
#'   on the disc to which stereographic projection from the north pole maps the bowl, so that points are
#'   denser at the rim. It needs a `rim` below 1, because the whole sphere has no such disc.
#'
#' @return A numeric matrix, n x 3, with columns `x`, `y` and `z`. Its attribute `"position"` is a numeric
#'   matrix, n x 2, with the positions of the points before the noise: `latitude` from \eqn{-\pi/2}{-pi/2} at
#'   the bottom to `asin(rim)`, and `longitude` in \eqn{[0, 2\pi)}{[0, 2 pi)}. Subsetting rows or columns
#'   drops the attribute: take `attr(x, "position")` first.
#'
#' @inheritSection sim_circles Errors
#' @inherit sim_swiss_roll references
#' @seealso [sim_circles()], [sim_spiral()], [sim_swiss_roll()]
#' @examples
#' set.seed(1)
#' x <- sim_fish_bowl(500)
#' plot(x[, c("x", "z")], asp = 1)
#' # All points are on the sphere, below the rim.
#' range(rowSums(x^2))
#' max(x[, "z"])
#' @export
sim_fish_bowl <- function(n = 1000, rim = 0.75, noise = 0, uniform = "area") {
  n <- check_count(n, "n")
  rim <- check_number(rim, "rim", min = -1, max = 1)
  noise <- check_number(noise, "noise", min = 0, max = longest, closed = TRUE)
  check_choice(uniform, c("area", "disc"), "uniform")
  if (uniform == "disc" && rim == 1) {
    abort_input(c(
      "{.arg rim} must be below 1 where {.code uniform = \"disc\"}.",
      x = "It is 1: stereographic projection takes the whole sphere to no disc."
    ), arg = "rim")
  }

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
  out <- size * (clean + noise * stats::rnorm(length(clean)))
  attr(out, "position") <- position
  out
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

#' Simulated images of an object on a turntable
#'
#' `sim_turntable()` draws an object of random blobs and takes pictures of it while it turns. The pictures lie
#' on a closed curve in as many dimensions as they have pixels. Use it for embeddings that should be a circle.
#'
#' The object has 30 blobs, at random places in a ball. A blob at \eqn{(r, h, \theta)} is seen in the picture
#' from angle \eqn{a} at height \eqn{h} and at \eqn{r \sin(\theta + a)} from the middle. It is brighter in
#' front than behind: its brightness is \eqn{\exp(\cos(\theta + a))} times that of its own. A pixel is the sum
#' over the blobs of Gaussian bells with the standard deviation `width`.
#'
#' @param n How many pictures, a count. The default, 72, is one every five degrees where `uniform` is TRUE.
#' @param size The pixels of a picture in each direction, a count. Default 16.
#' @param width The width of a blob, as a share of that of the picture: above 0. Default 0.08.
#' @param noise Standard deviation of the Gaussian noise that is added to every pixel, at least 0. The
#'   pictures have values from 0 to 1 without it. Default 0.
#' @param uniform TRUE, the default: angles are evenly spaced. FALSE: they are random.
#' @return A numeric matrix, n x size^2, a picture a row, whose pixels stand column by column from the top (as
#'   [plot_images()] reads them). Its attribute `"position"` is an n x 1 matrix of the `angle`.
#' @section Errors:
#' Class `landmarker_error_input`, where an argument breaks the rule given above.
#' @seealso [sim_torus()], [sim_swiss_roll()]
#' @examples
#' set.seed(1)
#' x <- sim_turntable()
#' plot_images(x[seq(1, 72, 6), ], dim = c(16, 16))
#' fit <- landmarks(x, 14, scale = FALSE)
#' # The embedding is a circle.
#' plot(embed_landmarks(fit), data = x)
#' @export
sim_turntable <- function(n = 72, size = 16, width = 0.08, noise = 0, uniform = TRUE) {
  n <- check_count(n, "n")
  size <- check_count(size, "size")
  width <- check_number(width, "width", min = 0, max = 1)
  noise <- check_number(noise, "noise", min = 0, max = longest, closed = TRUE)
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

#' Simulated points on a torus and on a Klein bottle
#'
#' `sim_torus()` and `sim_klein_bottle()` draw points on two closed surfaces in four dimensions, with noise.
#' With two angles \eqn{a} and \eqn{b}, points of the torus are
#' \deqn{(\cos a, \sin a, \cos b, \sin b)}{(cos a, sin a, cos b, sin b)}
#' and those of the Klein bottle
#' \deqn{((2 + \cos b) \cos a, (2 + \cos b) \sin a, \sin b \cos(a/2), \sin b \sin(a/2)).}{
#'   ((2 + cos b) cos a, (2 + cos b) sin a, sin b cos(a/2), sin b sin(a/2)).}
#' Use them for graphs of landmarks: an embedding of the torus needs three coordinates or more.
#'
#' @param n How many points, a count. Default 2000.
#' @param noise Standard deviation of the Gaussian noise that is added to every coordinate, at least 0.
#'   Default 0.
#' @return A numeric matrix, n x 4, with columns `x`, `y`, `z` and `w`. Its attribute `"position"` is an n x 2
#'   matrix of the angles `a` and `b`, which are uniform.
#' @section Errors:
#' Class `landmarker_error_input`, where an argument breaks the rule given above.
#' @seealso [sim_turntable()], [sim_fish_bowl()]
#' @examples
#' set.seed(1)
#' x <- sim_torus(1000)
#' fit <- landmarks(x, 100)
#' landmark_graph(fit)
#' landmark_graph(landmarks(sim_klein_bottle(1000), 100))
#' @export
sim_torus <- function(n = 2000, noise = 0) {
  angles <- two_angles(n)
  noise <- check_number(noise, "noise", min = 0, max = longest, closed = TRUE)
  a <- angles[, 1]
  b <- angles[, 2]
  simulated(cbind(x = cos(a), y = sin(a), z = cos(b), w = sin(b)), noise, angles)
}

#' @rdname sim_torus
#' @export
sim_klein_bottle <- function(n = 2000, noise = 0) {
  angles <- two_angles(n)
  noise <- check_number(noise, "noise", min = 0, max = longest, closed = TRUE)
  a <- angles[, 1]
  b <- angles[, 2]
  clean <- cbind(
    x = (2 + cos(b)) * cos(a), y = (2 + cos(b)) * sin(a), z = sin(b) * cos(a / 2), w = sin(b) * sin(a / 2)
  )
  simulated(clean, noise, angles)
}

two_angles <- function(n, call = rlang::caller_env()) {
  n <- check_count(n, "n", call = call)
  matrix(2 * pi * stats::runif(2 * n), n, dimnames = list(NULL, c("a", "b")))
}
