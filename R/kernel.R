# The kernel kappa(||t - x||^2 / bandwidth), its bandwidth and the limits of rounding. It is a list, which
# landmarks() makes and passes on as a whole. The core reads its elements by name:
#
#   profile     the name of kappa
#   bandwidth   in squared units of the kernel's coordinates, (x - center) * factor of a source
#   rule        the rule that gave the bandwidth, in words; NULL if the user gave a number
#   space       where landmarks may lie, a name or a function of the user
#   tune_bandwidth  whether a method may learn another bandwidth
#
# If distances come to depend on something else, it becomes an element of this list.

new_kernel <- function(bandwidth, rule = NULL, space = "euclidean", tune_bandwidth = FALSE,
                       profile = "gaussian") {
  list(profile = profile, bandwidth = bandwidth, rule = rule, space = space, tune_bandwidth = tune_bandwidth)
}

# The names of the kernels. The core knows them, and .onLoad() asks it, because its library is loaded then.
kernel_names <- NULL

#' Kernel, bandwidth, space and weights
#'
#' A fit of [landmarks()] uses a radial kernel
#' \deqn{K(x, x') = \kappa(u), \quad u = \|x - x'\|^2/\eta,}{K(x, x') = kappa(u), u = ||x - x'||^2 / eta,}
#' with squared length scale (bandwidth) \eqn{\eta}{eta} and K(x, x) = 1. Distances are computed after
#' `scale`.
#'
#' @section Kernels:
#' The argument `kernel` is one of:
#'
#' * `"gaussian"`, the default: \eqn{\kappa(u) = e^{-u}}{kappa(u) = exp(-u)}.
#' * `"laplace"`: \eqn{e^{-\sqrt u}}{exp(-sqrt(u))}, the exponential kernel, for rough functions.
#' * `"matern32"`: \eqn{(1 + \sqrt{3u}) e^{-\sqrt{3u}}}{(1 + sqrt(3 u)) exp(-sqrt(3 u))}, the Matern kernel
#'   with \eqn{\nu = 3/2}{nu = 3/2}.
#' * `"matern52"`: \eqn{(1 + \sqrt{5u} + 5u/3) e^{-\sqrt{5u}}}{(1 + sqrt(5 u) + 5 u / 3) exp(-sqrt(5 u))},
#'   with \eqn{\nu = 5/2}{nu = 5/2}.
#' * `"cauchy"`: \eqn{1/(1 + u)}{1 / (1 + u)}, the rational quadratic kernel with
#'   \eqn{\alpha = 1}{alpha = 1}, a mixture of length scales.
#'
#' [by_dpp()], [by_kmeans()] and [by_random()] select landmarks without the kernel. Equations on other pages
#' are for the Gaussian kernel and hold for the others with \eqn{\kappa(u)}{kappa(u)} in place of
#' \eqn{e^{-u}}{exp(-u)}.
#'
#' [choosing] converts the parameters of other software.
#'
#' @section Bandwidth:
#' The argument `bandwidth` is a positive number, a squared distance after `scale`, or a rule:
#'
#' * `"variance"`, the default: the sum of the columns' variances, which is half the mean squared distance
#'   between two rows. A typical kernel value of two rows is thus \eqn{e^{-2} = 0.14}{exp(-2) = 0.14}.
#' * `"median"`: the median squared distance between up to 1,000 random rows.
#' * A multiple of a rule, such as `"2 * variance"`.
#'
#' Both rules use the case weights. A rule may be too wide for the requested number of landmarks, typically
#' with few columns and a large `n`: the kernel matrix is then numerically of lower rank than `n`. In this
#' case the bandwidth is reduced to the largest value at which the pivoted Cholesky factorization of the
#' kernel matrix of a sample of evenly spaced rows still has `n` pivots of at least 0.01. `print()` reports
#' the reduction. Numbers and multiples are used as given.
#'
#' A wide bandwidth captures the global shape of the data, a narrow one local detail. For prediction,
#' [by_response()] estimates the bandwidth if the argument is missing, and [cv_landmarks()] compares several.
#'
#' @section Numerical rank:
#' Landmarks are redundant up to rounding error if rows are duplicated, or if `bandwidth` is so wide that the
#' numerical rank of the kernel is below `n`. [by_gp()] and [by_active()] then return fewer landmarks, with a
#' warning (`landmarker_warning_rank`). Near this limit a smaller `n` may give a smaller approximation error.
#' [by_dpp_exact()] gives an error. The other methods do not check the rank. They return `n` landmarks, or one
#' for each distinct row if there are fewer; some may have `variance` 0.
#'
#' @section Space:
#' Landmarks are constrained to the `space`. Each step of a method ends with a projection on it:
#'
#' * `"euclidean"`, the default: no constraint.
#' * `"nonnegative"`: no negative coordinates, for images and counts.
#' * `"sphere"`: norm 1.
#' * `"nonnegative_sphere"`: both, for counts after [hellinger()].
#' * A function of a point (a numeric vector of length d) that returns the nearest point of the space. Its
#'   errors are passed on unchanged.
#'
#' The data need not lie in the space, but landmarks far from all rows are useless. Up to 500 evenly spaced
#' rows are checked. For nonnegative spaces it is an error (`landmarker_error_space`) if no value is
#' positive, and a warning (`landmarker_warning_space`) is given if most rows have no positive value. For
#' spheres a warning is given if most rows have a norm below 1/2 or above 2, or if the data are raw counts.
#' Spheres require `scale = FALSE`, because scaling would move points off the sphere.
#'
#' @section Weights:
#' `weights` are N case weights of at least 0, which are scaled to mean 1. A row of weight 2 counts as two
#' rows, except in the divisor of variances, which is the number of rows minus one, and in the rule
#' `"median"`, which has no pair of a row with itself. Rows of weight 0 do not
#' affect the bandwidth and the scale, and `n` cannot exceed the number of rows with positive weight. The
#' pages of the methods describe how each uses weights. With a formula, weights are evaluated in `data`
#' first, so that the name of a column suffices.
#' @seealso [landmarks()], [gp-criteria], [hellinger()]
#' @examples
#' x <- sim_circles(400)
#' landmarks(x, 12)$bandwidth
#' landmarks(x, 12, bandwidth = "median")$bandwidth
#' # The rule is too wide for 60 landmarks and is reduced
#' landmarks(x, 60)
#' # A user-defined space: the unit circle
#' on_circle <- function(t) t / sqrt(sum(t^2))
#' range(rowSums(coef(landmarks(x, 8, space = on_circle))^2))
#' @name landmarks-kernel
NULL

# The user's `kernel` after a check, one name or several.
check_kernels <- function(kernel, call) {
  if (!is.character(kernel) || length(kernel) < 2) kernel <- list(kernel)
  unique(vapply(kernel, check_choice, "", kernel_names, "kernel", call, USE.NAMES = FALSE))
}

# The kernel for these data and the user's `bandwidth`. A rule alone, such as "variance", that is too wide
# for `n` landmarks gives a narrower bandwidth. A multiple, such as "2 * variance", and a number are used as
# given.
find_kernel <- function(bandwidth, source, n = NULL, space = "euclidean", tune_bandwidth = FALSE,
                        call = rlang::caller_env(), profile = "gaussian") {
  rule <- bandwidth_rule(bandwidth, call)
  value <- if (is.null(rule)) as.double(bandwidth) else rule$times * rule_value(rule$name, source)
  words <- rule$words
  # The reciprocal of a smaller number overflows.
  check_that(is.finite(value) && value >= .Machine$double.xmin, value, "bandwidth",
    paste("finite and at least", format(.Machine$double.xmin, digits = 2)), "bandwidth", call,
    if (!is.null(rule)) "Give a number, or rescale the data.",
    paste0(if (is.null(rule)) "It is" else "The rule {.val {words}} gives", " {format(x, digits = 3)}",
      if (identical(value, 0)) ", because most rows are equal, or nearly", ".")
  )
  if (isTRUE(rule$bare) && !is.null(n) && n > 1) {
    narrow <- narrow_bandwidth(value, source, n, compute_with(call), profile)
    if (narrow < value) {
      times <- format(signif(value / narrow, if (value / narrow < 1.1) 3 else 2))
      words <- sprintf("%s, divided by %s so that %d landmarks are distinguishable", words, times, n)
    }
    value <- narrow
  }
  # Sparse data are not centered. If rows are far from the origin, squared distances between them lose digits.
  lost <- .Machine$double.eps * sum((source$mean * source$factor)^2) / value
  if (source$sparse && lost > 1e-4) {
    abort_input(c(
      "Rows of a sparse matrix must be near the origin, relative to {.arg bandwidth}.",
      x = "Rounding would change squared distances by {signif(lost, 2)} times the bandwidth.",
      i = "Center the columns of a dense matrix, or leave out constant columns."
    ), arg = "x", kind = "data", call = call)
  }
  new_kernel(value, words, space, tune_bandwidth, profile)
}

# A rule as list(name, times, bare, words), of a string such as "variance" or "2 * variance"; NULL for a
# number. `bare`: whether it is the name of a rule alone.
bandwidth_rule <- function(bandwidth, call = rlang::caller_env()) {
  if (rlang::is_string(bandwidth)) {
    pattern <- "^\\s*(([^*]+)\\*)?\\s*(variance|median)\\s*$"
    parts <- regmatches(bandwidth, regexec(pattern, bandwidth))[[1]]
    bare <- length(parts) > 0 && !nzchar(parts[3])
    times <- if (bare) 1 else suppressWarnings(as.numeric(parts[3]))
    if (is.finite(times) && times > 0) {
      words <- if (times == 1) parts[4] else paste(format(times), "*", parts[4])
      return(list(name = parts[4], times = times, bare = bare, words = words))
    }
  }
  check_that(is_number(bandwidth) && is.finite(bandwidth) && bandwidth > 0, bandwidth, "bandwidth",
    "a finite number above 0, \"variance\", \"median\", or a multiple such as \"2 * variance\"",
    "bandwidth", call
  )
  NULL
}

# The sum of the columns' variances. The mean squared distance between two observations is twice that, so that
# a typical value of the kernel is exp(-2).
bandwidth_variance <- function(source) sum((sqrt(source$variance) * source$factor)^2)

# The bandwidth by a rule. The median is that of the squared distances between up to 1,000 observations.
rule_value <- function(rule, source) {
  if (rule == "variance") return(bandwidth_variance(source))
  rows <- draw_rows(source, 1000L)
  part <- rows_of(source, rows)
  squared <- squared_distances(part, rows_as_points(part, seq_along(rows)), compute_with())
  pair <- lower.tri(squared)
  if (!any(pair)) return(0)
  if (is.null(part$weights)) return(stats::median(squared[pair]))
  weighted_quantile(squared[pair], outer(part$weights, part$weights)[pair], 0.5)
}

# The quantile `p` of `x`: the least value such that values up to it have a share `p` of all weight.
weighted_quantile <- function(x, weights, p) {
  order <- order(x)
  below <- cumsum(weights[order])
  x[order][which(below >= p * below[length(below)] * (1 - 1e-12))[1]]
}

# The widest bandwidth of at most `widest` at which the kernel distinguishes `n` rows of a sample. It does if
# a pivoted Cholesky factorization of the sample's kernel matrix has `n` pivots of at least `room`: then each
# of these rows keeps that share of its variance given the others before it. The rows of the sample are evenly
# spaced in the data, so that no random number is drawn. If the sample has fewer different rows than `n`,
# their number is used instead. If the rows are nearly equal, no bandwidth is narrow enough, and `widest` is
# returned.
narrow_bandwidth <- function(widest, source, n, control, profile = "gaussian", room = 0.01) {
  last_pivot <- function(squared, bandwidth, wanted) {
    settings <- list(fixed = 0L, wanted = as.integer(wanted), floor = 1e-12)
    kernel <- .Call(C_kernel_values, squared, new_kernel(bandwidth, profile = profile), control)
    found <- .Call(C_order, kernel, c(settings, control))$pivot
    if (length(found) == wanted) found[wanted] else 1e-12
  }
  # A small sample is quick. If its pivots are above `room`, which is the usual case, no larger one is needed.
  part <- rows_of(source, even_rows(source, 2 * n))
  squared <- distances_in_order(part, control)
  if (nrow(squared) >= n && last_pivot(squared, widest, n) > room) return(widest)
  if (2 * n < 1000) {
    part <- rows_of(source, even_rows(source, 1000))
    squared <- distances_in_order(part, control)
  }
  # Equal rows cannot be distinguished at any bandwidth.
  wanted <- min(n, length(different_rows(part, control)))
  if (wanted < 2) return(widest)
  bandwidth_with_room(widest, room, function(bandwidth) last_pivot(squared, bandwidth, wanted),
    # At narrow bandwidths a factorization takes longest, so with many landmarks they are approached slowly.
    step = if (wanted > 500) 10 else 1000
  )
}

# The squared distances between the rows of a source, those nearest to all others first: the same matrix for
# any order of the rows, also if sums and the two distances of a pair differ by rounding.
distances_in_order <- function(source, control) {
  squared <- squared_distances(source, rows_as_points(source, seq_len(source$dim[1])), control)
  squared <- (squared + t(squared)) / 2
  middle <- order(signif(rowSums(squared), 10))
  squared <- squared[middle, middle]
  diag(squared) <- 0
  squared
}

# The largest bandwidth of at most `high`, to within five percent, at which pivot(bandwidth) is above `room`;
# `high` if there is none. Bandwidths `step` times narrower each are tried until there is one. The
# logarithm of a pivot is almost linear in that of the bandwidth, so that a search by linear interpolation
# between the last two needs few evaluations.
bandwidth_with_room <- function(high, room, pivot, step = 1000) {
  of <- function(bandwidth) log(pivot(bandwidth) / room)
  above <- of(high)
  if (above > 0) return(high)
  low <- high / step
  upper <- high
  while ((below <- of(low)) <= 0) {
    if (low <= 1e-12 * high) return(high)
    if (step < 1000) {
      upper <- low
      above <- below
    }
    low <- low / step
  }
  at <- log(c(low, upper))
  value <- c(below, above)
  while (at[2] - at[1] > 0.05) {
    # The next place is at least a tenth of the interval from both ends, so that the interval always shrinks.
    share <- min(max(value[1] / (value[1] - value[2]), 0.1), 0.9)
    middle <- at[1] + share * (at[2] - at[1])
    here <- of(exp(middle))
    side <- if (here > 0) 1 else 2
    at[side] <- middle
    value[side] <- here
  }
  exp(at[1])
}

# Whether rows of random batches may be rounded to single precision, which takes half the time. `squared`:
# the squared distances that matter, the bandwidth or those between centers. Errors are some 1e-7 of |x|^2,
# and the noise of a batch is 1e-2: log det and the explained share are the same to five digits
# (bench/results/single.md). Not if the variance is a thousand times as large, or squares would overflow or
# vanish.
can_be_single <- function(source, squared) {
  !source$sparse && squared > 1e-20 && squared < 1e20 && bandwidth_variance(source) < 1000 * squared
}
