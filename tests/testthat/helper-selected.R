# The solvers by the volume, which is not the default of the joint one.
by_volume <- function(...) by_gp(..., criterion = "volume")

# Landmarks of odd_matrix(150, 3).
base_fit <- function(n = 8, ...) {
  withr::local_seed(1)
  landmarks(odd_matrix(150, 3), n, by_volume(), bandwidth = 0.6, ...)
}

# Two arms of a spiral, and which one a row is of.
two_arms <- function() {
  turn <- stats::runif(400, 1, 3) * pi
  arm <- rep(0:1, 200)
  x <- cbind(turn * cos(turn + pi * arm), turn * sin(turn + pi * arm)) / 3
  list(x = x + stats::rnorm(800, sd = 0.05), y = factor(c("in", "out")[arm + 1]))
}
