# Circles and spiral: landmarks by several methods, and how near they are to the curves.

fit_each <- function(methods, x, n, bandwidth) {
  lapply(methods, function(method) {
    set.seed(1)
    landmarks(x, n, method, bandwidth = bandwidth)
  })
}

plot_each <- function(fits, x) {
  old <- par(mfrow = c(2, 2), mar = c(2, 2, 2, 0.5))
  on.exit(par(old))
  for (name in names(fits)) plot(fits[[name]], x, main = name, xlab = "", ylab = "")
}

# The mean distance of points from the nearer of the circles of radius 1 and 2.
from_circle <- function(z) {
  radius <- sqrt(rowSums(z^2))
  sprintf("%.3f", mean(abs(radius - round(radius))))
}

# Points off the curve, and the largest distance of an observation from its nearest landmark.
compare_places <- function(narrow, wide, x) {
  off_curve <- function(fits) sapply(fits, function(fit) sum(fit$nearest_distance > 0.2))
  farthest <- function(fits) {
    sapply(fits, function(fit) round(max(predict(fit, x, type = "nearest")$distance), 2))
  }
  data.frame(
    off_narrow = off_curve(narrow), off_wide = off_curve(wide),
    farthest_narrow = farthest(narrow), farthest_wide = farthest(wide)
  )
}
