# The climb of the joint and the sequential solver: steps that move landmarks so that the criterion rises, on
# random batches of rows first and then on all rows.

#' Criteria of by_gp() and their optimization
#'
#' [by_gp()] maximizes one of two criteria, `"trace"` or `"volume"`. This page has their equations, advice on
#' the choice, and the steps of the optimizer.
#'
#' \eqn{x_1, \ldots, x_N}{x_1 .. x_N} are the observations, the rows of X (N x d), with case weights
#' \eqn{v_i} and \eqn{D = \mathrm{diag}(v)}{D = diag(v)}. \eqn{t_1, \ldots, t_n}{t_1 .. t_n} are the
#' landmarks, the rows of T (n x d). With the kernel
#' \eqn{K(x, t) = \exp(-\|x - t\|^2/\eta)}{K(x, t) = exp(-||x - t||^2 / eta)} of bandwidth \eqn{\eta}{eta},
#' \eqn{\Phi}{Phi} is the N x n matrix of \eqn{K(x_i, t_l)}, \eqn{k_i} its row i as a column vector, W the n
#' x n matrix of \eqn{K(t_k, t_l)}, and \eqn{G = \Phi'D\Phi}{G = Phi'D Phi}. The sign \eqn{\circ}{o} is the
#' entrywise product, and 1 is a vector of ones.
#'
#' @section Trace:
#' The trace of the observations' kernel matrix that is explained by the Nystrom approximation is
#' \deqn{\mathrm{tr}(W^{-1} G) = \sum_i v_i \, k_i' W^{-1} k_i.}{tr(W^-1 G) = sum_i v_i k_i' W^-1 k_i.}
#' N minus this trace is the sum of the posterior variances, at the observations, of a Gaussian process with
#' kernel K that is observed at the landmarks. This sum is also the trace-norm error of the Nystrom
#' approximation ([reconstruction_error()]; Wachinger and Golland, 2015, eq. 1); minimizing it is known as
#' I-optimal design.
#'
#' @section Volume:
#' Liang and Paisley (2015) maximize \eqn{\log\det G}{log det G}. Their Gaussian process has the kernel
#' \eqn{k(t, t') = \frac1N \sum_i v_i K(t, x_i) K(t', x_i)}{k(t, t') = (1/N) sum_i v_i K(t, x_i) K(t', x_i)}
#' (eq. 5). Its posterior variance at t given the first n landmarks is (eq. 7)
#' \deqn{V_n(t) = \frac1N \|(I - P_n) D^{1/2} \phi(t)\|^2,}{V_n(t) = (1/N) ||(I - P_n) D^(1/2) phi(t)||^2,}
#' where \eqn{\phi(t)}{phi(t)} is the vector of \eqn{K(x_i, t)}, and \eqn{P_n} is the orthogonal projection
#' on the columns of \eqn{D^{1/2}\Phi}{D^(1/2) Phi}. They place each new landmark where this variance is
#' largest. \eqn{\det G}{det G} is the product of N times the variance of each landmark given those before
#' it, so this is a D-optimal design.
#'
#' @section Choice:
#' The trace is the default of the joint solver. It explains more of the kernel matrix, and its landmarks
#' stay close to the data. The volume favors landmarks far from each other. As n approaches the numerical
#' rank of the kernel, which happens with few columns or a wide bandwidth, it places many landmarks away from
#' the data.
#'
#' For prediction with a fixed bandwidth, the volume is often as good or better. The bandwidth matters more
#' than the criterion; compare both by [cv_landmarks()].
#'
#' With too few landmarks for a curved surface, such as 10 on a Swiss roll, the trace places some of them
#' between the sheets. `print()` shows how many landmarks are on the data.
#'
#' @section Steps:
#' Each step solves a fixed-point equation that is obtained by setting the gradient to zero.
#'
#' Volume: \eqn{T^+ = H'X} with \eqn{H = D\Phi \circ (\Phi G^{-1})}{H = D Phi o (Phi G^-1)}, which equals
#' \eqn{T + \frac{\eta}{4} \nabla \log\det G}{T + (eta/4) grad log det G}. For one landmark it is eq. 10 of
#' Liang and Paisley.
#'
#' Trace: let \eqn{B = \Phi W^{-1}}{B = Phi W^-1}, \eqn{H = D\Phi \circ B}{H = D Phi o B}, s the column sums
#' of H, and \eqn{M = (B'DB) \circ W}{M = (B'DB) o W}. The gradient is \eqn{(4/\eta) R} with
#' \deqn{R = H'X - \mathrm{diag}(s) T - (M T - \mathrm{diag}(M1) T).}{R
#'   = H'X - diag(s) T - (M T - diag(M1) T).}
#' With H and M held fixed, R = 0 is a linear system in T. The step is 1.5 times the difference between its
#' solution and T, \eqn{T^+ = T + 1.5 A^{-1} R}{T^+ = T + 1.5 A^-1 R} with
#' \eqn{A = \mathrm{diag}(s - M1) + M}{A = diag(s - M1) + M}. On a sphere, R is replaced by its tangential
#' part. Two starts are compared, the rows that explain most of the trace and the rows of largest volume: the
#' one that is better after two steps on the same batch is used.
#'
#' On all rows the steps are corrected by limited-memory BFGS (Liu and Nocedal, 1989) with the last six steps.
#' A corrected step is accepted if the criterion increases. Otherwise the uncorrected step is tried, then half
#' of it, and so on. With one step on each random batch, the criterion is only checked for the first steps,
#' and again after a batch on which it is clearly lower.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with Gaussian processes. *Proceedings of
#'   the 32nd International Conference on Machine Learning*, PMLR 37, 466-474.
#'
#'   D. C. Liu and J. Nocedal (1989). On the limited memory BFGS method for large scale optimization.
#'   *Mathematical Programming* 45, 503-528.
#'
#'   C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point processes for
#'   scalable manifold learning. arXiv:1503.03506.
#' @seealso [by_gp()], [reconstruction_error()], [predict.landmarks()] for the posterior variance at new
#'   points
#' @examples
#' set.seed(1)
#' x <- sim_swiss_roll(1000)
#' trace <- landmarks(x, 25, by_gp(criterion = "trace"))
#' volume <- landmarks(x, 25, by_gp(criterion = "volume"), bandwidth = trace$bandwidth)
#' # Relative approximation error, and the number of landmarks on the data
#' reconstruction_error(trace, x) / 1000
#' reconstruction_error(volume, x) / 1000
#' c(trace = sum(trace$on_data), volume = sum(volume$on_data))
#' @name gp-criteria
NULL

# ---- the schedule --------------------------------------------------------------------

# The default schedule of each solver, chosen by measurement (bench/RESULTS.md, "Schedules"). For `joint` and
# up to 100 landmarks there are so many `batches`, whose sizes grow from `first` to `last` rows.
# growing_sizes() has the rule for other numbers of landmarks.
gp_schedules <- list(
  joint = list(first = 500, last = 5000, batches = 32L, iterations = 1L),
  sequential = list(batch_size = c(1000, 4000), batches = c(1L, 1L), iterations = c(20L, 5L)),
  sgd = list(batch_size = 1000, batches = 1L, iterations = 1000L)
)

# What `batch_size = Inf`, a batch of all rows, becomes among integers.
all_rows_size <- .Machine$integer.max

# The schedule for these data, list(sizes, iterations, averaged, all): how many rows each batch has, and how
# many iterations it gets; over how many of the last batches the landmarks are averaged; and how many
# iterations on all rows follow, at the most. `n`: the number of landmarks, held ones included.
climb_plan <- function(method, rows, n) {
  if (method$solver == "joint" && is.null(method$batch_size)) return(growing_plan(method, rows, n))
  sizes <- method$batch_size
  if (method$grow) sizes <- pmax(sizes, c(5L, 10L)[pmin(seq_along(sizes), 2L)] * n)
  # The first batch that would have all rows is replaced by iterations on all rows, and no batch follows.
  stages <- seq_len(sum(cumsum(sizes >= rows) == 0))
  batches <- method$batches[stages]
  list(
    sizes = rep(as.integer(sizes[stages]), batches), iterations = rep(method$iterations[stages], batches),
    averaged = as.integer(ceiling(method$average * sum(batches))),
    all = if (length(stages) < length(sizes)) method$max_iterations else 0L
  )
}

# The schedule of the joint solver with the default sizes, for N data rows and n landmarks. The limits are
# chosen so that neither time nor quality jumps where N grows:
#
#   * Up to half of `few` rows all iterations use all rows. `passes` is the number of rows that they may read
#     in all: 176,000 for n of at most 100 and 200 iterations (the default), enough to converge on most data.
#   * With more rows, batches come first, and what they read is subtracted. Their number grows with the rows,
#     up to all batches at `few` rows. They find higher values of the volume than the start alone.
#   * What is left for iterations on all rows falls from `few` rows on, to 0 before N is five times `few`.
#   * With more landmarks each row takes longer, so that these limits grow only with the fourth root of n.
growing_plan <- function(method, rows, n) {
  growth <- max(1, n / 100)^(1 / 4)
  few <- 2000 * growth
  passes <- 880 * method$max_iterations * growth
  sizes <- growing_sizes(sum(method$batches) * min(1, max(0, 2 * rows / few - 1)), n, rows)
  passes <- passes * min(1, max(0, (5 * few - rows) / (4 * few))) - sum(sizes)
  list(
    sizes = sizes, iterations = rep_len(method$iterations, length(sizes)),
    averaged = as.integer(ceiling(method$average * length(sizes))),
    all = as.integer(min(method$max_iterations, max(0, passes %/% rows)))
  )
}

# The sizes of batches. Each is larger than the one before by the same ratio, and none is larger than the
# data. With fewer than 100 landmarks the last batches are larger than `last`, which helps where the kernel is
# narrow. With more than 100 they are larger and fewer: each needs at least 2 n rows, and all together have
# 60,000 to 100,000 rows for n up to 1,000, because the work for each row grows with n.
growing_sizes <- function(batches, n, rows) {
  schedule <- gp_schedules$joint
  growth <- max(1, n / 100)
  count <- round(batches / growth^(1 / 8))
  first <- max(schedule$first, 2 * n)
  last <- schedule$last * if (n < 100) min(1.6, (100 / n)^0.7) else growth^(1 / 6)
  as.integer(pmin(rows, round(first * (max(last, first) / first)^(seq(0, 1, length.out = count)))))
}

# ---- the steps -----------------------------------------------------------------------

# A step that does not raise the criterion is halved at most so many times; then the steps on that batch end.
# A step that is corrected by L-BFGS is halved at most twice; then the step without the correction takes its
# place.
climb_halvings <- 8L

# Moves the landmarks after the first `fixed`: list(landmarks, iterations, moved, exact). `moved` is how far
# the last iterations would have moved each of them, in sqrt(bandwidth), and `exact` says whether all
# iterations used all rows. `starts`: points of which the best takes the place of the only landmark that is
# not held; NULL if none of them would add anything.
gp_climb <- function(method, source, landmarks, fixed, kernel, control, starts = NULL) {
  rows <- source_rows(source)
  plan <- climb_plan(method, rows, nrow(landmarks))
  if (!is.null(starts)) {
    # The best start is chosen on a separate batch without steps: on the rows of the steps it would look
    # better than it is.
    plan$sizes <- c(as.integer(min(rows, max(method$batch_size[1], 5L * fixed))), plan$sizes)
    plan$iterations <- c(0L, plan$iterations)
  }
  bar <- progress_start("Learning landmarks", sum(plan$sizes) + plan$all * rows)
  found <- list(landmarks = landmarks, iterations = 0L, moved = rep(NA_real_, nrow(landmarks) - fixed))
  if (length(plan$sizes)) {
    # Several steps on a batch, which end at convergence, need double precision. For one landmark single
    # precision is faster if batches do not fit in a cache.
    large <- !is.null(starts) && max(plan$sizes) * stored_columns(source) >= 1e5
    single <- (large || all(plan$iterations == 1)) && can_be_single(source, kernel$bandwidth) &&
      # Errors of features in single precision, 1e-7, are divided by the pivots of the landmarks' kernel.
      (!is.null(starts) || all(kernel_pivots(landmarks, source, kernel, control) > 1e-6))
    drawn <- lapply(plan$sizes, function(size) draw_rows(source, size))
    found <- .Call(C_climb_batches, source, landmarks, kernel, c(list(
      fixed = fixed, criterion = method$criterion, halvings = climb_halvings, rows = unlist(drawn),
      sizes = lengths(drawn), steps = plan$iterations, averaged = plan$averaged, single = single,
      progress = progress_of(bar), starts = starts
    ), control))
    if (is.null(found)) return(NULL)
  }
  if (plan$all > 0) {
    # If the rows and their features take at most 128 MB, they are collected once and kept. Else they are read
    # again in each step.
    kept <- rows * (stored_columns(source) + 2 * nrow(landmarks)) <= 2^24
    last <- climb_rows(
      source, if (kept) draw_rows(source, rows), found$landmarks, fixed, kernel, method$criterion, plan$all,
      method$tolerance, control, progress_of(bar, rows)
    )
    last$iterations <- found$iterations + last$iterations
    found <- last[c("landmarks", "iterations", "moved", "gain")]
  }
  # `moved` is infinite if the criterion has no value, so that no step was taken.
  found$moved[!is.finite(found$moved)] <- NA_real_
  c(found, exact = length(plan$sizes) == 0)
}

# Steps of the landmarks after the first `fixed` on some `rows`, or on all of them (NULL), at most `most`.
climb_rows <- function(source, rows, landmarks, fixed, kernel, criterion, most, tolerance, control,
                       progress = NULL) {
  climb <- .Call(C_climb, source, landmarks, kernel, c(list(
    over = if (is.null(rows)) "all" else "batch", rows = rows, fixed = fixed, criterion = criterion,
    max_iterations = most, halvings = climb_halvings, tolerance = tolerance, progress = progress
  ), control))
  # `moved` is infinite if the criterion has no value, so that no step was taken.
  climb$moved[!is.finite(climb$moved)] <- NA_real_
  climb
}
