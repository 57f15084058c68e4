# Two more criteria for landmarks, in plain R: candidates for the default of by_gp() that bench/criteria.R
# compares with those of the package. Both move all landmarks at once, on up to 2,000 rows, and keep a
# step only where the criterion rises.

# log det(I + Phi'Phi / (N s)), the volume of a process whose observations have noise. Directions in which
# the features vary less than the noise s count for little, so that landmarks far from the data gain little.
# The fixed point is that of the volume with a ridge: T+ = H'X / colSums(H).
noisy_volume <- function(s, space) {
  function(x, n) {
    plain_climb(x, n, "volume", space, function(points, rows, bandwidth) {
      ridge <- nrow(rows$x) * s
      phi <- plain_kernel(rows, points, bandwidth)
      g <- crossprod(phi)
      diag(g) <- diag(g) + ridge
      root <- chol(g)
      list(
        value = 2 * sum(log(diag(root))) - nrow(points) * log(ridge),
        # Where H sums to almost nothing, or less, there is no mean to go to.
        propose = function() {
          h <- phi * (phi %*% chol2inv(root))
          total <- colSums(h)
          as.matrix(crossprod(h, rows$x) - total * points) / pmax(total, 0.01 * mean(abs(total)))
        }
      )
    })
  }
}

# The mean share of the trace that landmarks explain of several kernels, whose bandwidths are `times` the
# fit's. Each kernel's gradient and system of equations are those of src/core/trace.c; both are added up,
# each divided by its `times`, as the gradient is.
trace_of_several <- function(times, space) {
  function(x, n) {
    plain_climb(x, n, "trace", space, function(points, rows, bandwidth) {
      kernels <- lapply(times * bandwidth, function(b) kernel_of(rows, points, b))
      list(
        value = mean(vapply(kernels, function(k) sum(diag(k$share)), 0)),
        propose = function() trace_step(kernels, times, points, rows, space)
      )
    })
  }
}

# C, W, W^-1 and G W^-1 of src/core/trace.c.
kernel_of <- function(rows, points, bandwidth) {
  c <- plain_kernel(rows, points, bandwidth)
  w <- plain_kernel(list(x = points, squares = rowSums(points^2)), points, bandwidth)
  diag(w) <- 1 + 1e-8
  inverse <- chol2inv(chol(w))
  list(c = c, w = w, inverse = inverse, share = (crossprod(c) / nrow(c)) %*% inverse)
}

# The gradient with respect to the points, times a quarter of the bandwidth and the number of kernels, and
# what the system of equations is made of.
trace_slope <- function(kernels, times, points, rows) {
  h <- 0
  m <- matrix(0, nrow(points), nrow(points))
  s <- numeric(nrow(points))
  for (k in seq_along(kernels)) {
    kernel <- kernels[[k]]
    h <- h + kernel$c * (kernel$c %*% kernel$inverse) / nrow(kernel$c) / times[k]
    m <- m + (kernel$inverse %*% kernel$share) * kernel$w / times[k]
    s <- s + diag(kernel$share) / times[k]
  }
  slope <- as.matrix(crossprod(h, rows$x)) - (s - rowSums(m)) * points - m %*% points
  list(slope = slope, m = m, s = s)
}

trace_step <- function(kernels, times, points, rows, space) {
  found <- trace_slope(kernels, times, points, rows)
  slope <- found$slope
  m <- found$m
  s <- found$s
  least <- pmax(s, 0.1 * mean(s))
  diagonal <- least - rowSums(m)
  if (grepl("sphere", space)) {
    out <- rowSums(points * slope)
    slope <- slope - out * points
    diagonal <- diagonal + out + 0.3 * abs(out)
  }
  for (raise in c(0, 0.1 * 2^(0:20))) {
    root <- tryCatch(chol(m + diag(diagonal + raise * least)), error = function(e) NULL)
    if (!is.null(root) && all(diag(root)^2 > 1e-3 * (diag(m) + diagonal + raise * least))) break
  }
  1.5 * backsolve(root, backsolve(root, slope, transpose = TRUE))
}

# exp(-||x - t||^2 / bandwidth), rows x points.
plain_kernel <- function(rows, points, bandwidth) {
  squared <- outer(rows$squares, rowSums(points^2), "+") - 2 * as.matrix(tcrossprod(rows$x, points))
  exp(-pmax(squared, 0) / bandwidth)
}

plain_project <- function(points, space) {
  if (startsWith(space, "nonnegative")) points <- pmax(points, 0)
  if (grepl("sphere", space)) points <- points / sqrt(rowSums(points^2))
  points
}

# From the rows that by_gp() would start from, up to `steps` steps of what `evaluate` proposes.
plain_climb <- function(x, n, criterion, space, evaluate, steps = 40, most = 2000) {
  bandwidth <- landmarks(x, n, "random", space = space)$bandwidth
  sample <- x[sample.int(nrow(x), min(nrow(x), most)), , drop = FALSE]
  # With 1,000 rows all are one batch of by_gp(), of which it takes no step.
  part <- sample[seq_len(min(nrow(sample), 1000)), , drop = FALSE]
  start <- suppressWarnings(
    landmarks(part, n, by_gp(criterion = criterion, max_iterations = 0), bandwidth = bandwidth, space = space)
  )
  points <- coef(start)
  rows <- list(x = sample, squares = if (is.matrix(x)) rowSums(sample^2) else Matrix::rowSums(sample^2))
  now <- evaluate(points, rows, bandwidth)
  for (step in seq_len(steps)) {
    move <- now$propose()
    for (half in 0:8) {
      tried <- plain_project(points + move / 2^half, space)
      new <- tryCatch(evaluate(tried, rows, bandwidth), error = function(e) list(value = -Inf))
      if (new$value > now$value) break
    }
    if (new$value <= now$value) break
    far <- max(sqrt(rowSums((tried - points)^2) / bandwidth))
    points <- tried
    now <- new
    if (far < 0.002) break
  }
  dimnames(points) <- list(NULL, colnames(x))
  suppressWarnings(as_landmarks(points, x, bandwidth, space))
}
