# Simulated data on closed curves and surfaces, of which no embedding in few dimensions has a border.

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
