# The Gaussian-process method: what can be chosen, and how it learns.

#' Learn landmarks with a Gaussian process
#'
#' Options of the default method of [landmarks()]: which criterion the landmarks are best by (`criterion`),
#' and how they are found (`solver`).
#'
#' Notation: \eqn{x_1, \ldots, x_N}{x_1 .. x_N} are the observations (X, N x d) with weights \eqn{v_i} (D
#' is their diagonal
#' matrix), \eqn{t_1, \ldots, t_n}{t_1 .. t_n} the landmarks (T, n x d), \eqn{\eta}{eta} the bandwidth,
#' \eqn{\phi_i(t) = \exp(-\|t - x_i\|^2/\eta)}{phi_i(t) = exp(-||t - x_i||^2 / eta)} the features,
#' \eqn{\Phi}{Phi} their N x n
#' matrix, \eqn{G = \Phi'D\Phi}{G = Phi'D Phi}, and \eqn{W} the n x n matrix of
#' \eqn{\exp(-\|t_k - t_l\|^2/\eta)}{exp(-||t_k - t_l||^2 / eta)}.
#'
#' @section Criteria:
#' `"trace"`, the default of the joint solver, is what the landmarks explain of the Gaussian kernel of the
#' observations,
#' \deqn{\mathrm{tr}(W^{-1} G) = \sum_i v_i \, \phi(x_i)' W^{-1} \phi(x_i).}{tr(W^-1 G) =
#' sum_i v_i phi(x_i)' W^-1 phi(x_i).}
#' What remains, N less this, is the sum of the variances that a Gaussian process with this kernel has left
#' at the observations once
#' it is known at the landmarks. It is also the reconstruction error of Nystrom's approximation (Wachinger
#' and Golland, 2015, eq. 1;
#' [reconstruction_error()]).
#'
#' `"volume"` is Liang and Paisley's (2015) criterion, \eqn{\log\det G}{log det G}. Each next landmark is
#' where a
#' Gaussian process with the kernel \eqn{k(t, t') = \frac1N \sum_i v_i \phi_i(t)\phi_i(t')}{k(t, t') =
#' (1/N) sum_i v_i phi_i(t) phi_i(t')} (eq. 5)
#' has most variance left (eq. 7). It is the only criterion of the solvers `"sequential"` (unless you ask
#' otherwise) and `"sgd"`.
#'
#' @section Which criterion:
#' The trace is the default of the joint solver, because its landmarks stay close to the data. The volume
#' pays for
#' distance. Where `n` comes near the number of landmarks that the kernel can tell apart, which happens
#' with few
#' columns or a wide bandwidth, it puts many landmarks where there are no data. On ten sets of data with
#' 10, 25 and
#' 100 landmarks the trace always left less of the kernel than the volume and than k-means. Examples, as
#' means over
#' three seeds. `error` is one minus the accuracy, or the mean squared error over the variance, of a
#' regression on
#' the features, on rows that were held out.
#'
#' | data, n | on the data: trace, volume | kernel left: trace, volume, k-means | error: trace, volume,
#' k-means |
#' |---|---|---|---|
#' | iris, 25 | 100%, 5% | .002, .108, .004 | .036, .031, .038 |
#' | Boston housing, 25 | 100%, 100% | .138, .221, .163 | .305, .281, .289 |
#' | earthquakes, 100 | 100%, 32% | .001, .054, .003 | .219, .214, .219 |
#' | Swiss roll, 10 | 47%, 70% | .191, .233, .206 | .263, .202, .216 |
#' | Swiss roll, 25 | 93%, 12% | .032, .107, .039 | .006, .004, .006 |
#' | MNIST, 100 | 100%, 100% | .496, .551, .512 | .066, .067, .065 |
#' | USPS, 100 | 100%, 100% | .281, .351, .300 | .040, .040, .041 |
#' | ORL faces, 25 | 100%, 100% | .467, .517, .500 | .123, .152, .142 |
#' | 20 Newsgroups, 100 | 100%, 100% | .826, .829, - | .347, .354, - |
#'
#' For prediction the trace is no better than the volume. On images and texts trace, volume and k-means
#' predict
#' alike. On tables with a number to predict, and at the same bandwidth, the error of the volume is 1 to 8
#' percent lower. A wider
#' bandwidth lowers the error of both by more. So where prediction is what counts, compare bandwidths and both
#' criteria by [cv_landmarks()].
#'
#' With too few landmarks for a curved surface, such as 10 on a Swiss roll, the trace puts some between the
#' sheets,
#' where one landmark explains rows on both sides. The fit says how many landmarks are on the data.
#'
#' A volume with noise, \eqn{\log\det(I + G/(N s))}{log det(I + G / (N s))}, and the mean trace of three
#' bandwidths were compared as well.
#' Neither is better over all sets: see `bench/criteria.R` in the package's sources.
#'
#' @section Solvers:
#' * `"joint"` moves all landmarks at once. It starts from rows of a random sample that are chosen
#'   greedily, climbs the criterion on random
#'   batches of rows that grow, averages the landmarks of the last batches, and puts the landmarks in
#'   greedy order of the criterion at the
#'   end. Where there are no more rows than a batch, batches are all rows, and the climb ends when no
#'   landmark moves.
#'   A step is kept only if the criterion rose on its batch. Otherwise it is halved.
#' * `"sequential"` finds one landmark at a time and holds it, in the order of the paper. It starts at the
#'   best of some random rows.
#' * `"sgd"` is Algorithm 1 of the paper as written: a start drawn from a normal
#'   distribution with the data's mean and variances, then stochastic gradient
#'   steps on fresh batches. It is here for comparison. It is slow.
#'
#' @section Steps:
#' Setting the gradient of a criterion to zero gives a fixed point, and a step goes to it.
#'
#' Volume: \eqn{T^+ = H'X} with \eqn{H = D\Phi \circ (\Phi G^{-1})}{H = D Phi o (Phi G^-1)}. This is
#' \eqn{T + \frac{\eta}{4} \nabla \log\det G}{T + (eta/4) grad log det G}; for one landmark it is eq. 10 of
#' Liang and Paisley.
#'
#' Trace: with \eqn{B = \Phi W^{-1}}{B = Phi W^-1}, \eqn{H = D\Phi \circ B}{H = D Phi o B}, \eqn{s} the
#' column sums of H and
#' \eqn{M = (B'DB) \circ W}{M = (B'DB) o W}, the gradient is \eqn{(4/\eta) R},
#' \deqn{R = H'X - \mathrm{diag}(s) T - (M T - \mathrm{diag}(M1) T).}{R =
#' H'X - diag(s) T - (M T - diag(M1) T).}
#' With H and M held, R = 0 is a linear system for T. A step goes one and a half times the way to its
#' solution,
#' \eqn{T^+ = T + 1.5 A^{-1} R}{T+ = T + 1.5 A^-1 R}, \eqn{A = \mathrm{diag}(s - M1) + M}{A = diag(s - M1)
#' + M}.
#' On a sphere the step is that of the tangent part of R.
#' The start is the better of two after the iterations on the first batch: the rows that leave least, and the
#' rows of most volume.
#'
#' @param solver `"joint"`, `"sequential"` or `"sgd"`.
#' @param criterion `"trace"` or `"volume"`, see Criteria. `NULL`, the default, is the trace for the
#'   joint solver, and the volume, which is the paper's, for the others.
#' @param start Where `"joint"` starts: `"pivot"` (greedy among the rows of a
#'   sample; the default because with narrow bandwidths other starts end
#'   clearly worse), `"random"` (rows), or a numeric matrix of `n` landmarks, one a
#'   row, in the data's units and in the space.
#' @param sample Rows of the sample that a pivoted start chooses from (default
#'   1000; raised to `4 * n`).
#' @param batch_size,batches,iterations The schedule: whole numbers, `batches` random
#'   batches of `batch_size` rows with `iterations` iterations on each. An iteration is one
#'   step of all landmarks that move. For `"joint"` vectors with one number a stage
#'   (default 10 batches of 1000 rows with 2 iterations, then 15 of 2000 with 1; rows are
#'   raised to `5 * n` and `10 * n`). For `"sequential"` the same for each landmark
#'   (default one batch of 1000 rows with 20 iterations, then one of 4000 with 5). For
#'   `"sgd"` `batch_size` 1000 and `iterations` 1000, each on a fresh batch, as in the paper.
#' @param average Share of the last stage's batches whose landmarks are averaged
#'   (`"joint"`; default 0.75), against the noise of batches.
#' @param tolerance A landmark has converged when a step would move it by less
#'   than this many \eqn{\sqrt\eta}{sqrt(eta)} (default 0.001 when the batches
#'   are all rows). See [landmarks()] for what `converged` means on random
#'   batches.
#' @param max_iterations The largest number of iterations when batches are all rows (default 200).
#' @param halvings How often a step that does not raise the criterion is halved
#'   before the climb on that batch ends (default 8).
#' @param candidates Random rows of which the best starts a landmark
#'   (`"sequential"`; default 20).
#' @param gradient `"sgd"`: `"unit"` rescales each gradient to norm 1, as the
#'   authors' own program does, `"raw"` is the sum that the paper prints.
#' @param step_size `"sgd"`: a function of the iteration's number 1, 2, ... that returns
#'   the length of its step (default \eqn{(10 + s)^{-0.51}}{(10 + s)^-0.51}).
#' @return A method object for `landmarks(method = )`, a list of class `by_gp`.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with
#'   Gaussian processes. *Proceedings of the 32nd International Conference on
#'   Machine Learning*, PMLR 37, 466-474.
#'
#'   C. Wachinger and P. Golland (2015). Diverse landmark sampling from determinantal point
#'   processes for scalable manifold learning. arXiv:1503.03506.
#' @examples
#' x <- sim_spiral(500)
#' set.seed(1)
#' landmarks(x, 12, by_gp(solver = "sequential"), bandwidth = 0.2)
#' @export
by_gp <- function(solver = "joint", criterion = NULL, start = "pivot", sample = 1000,
                  batch_size = NULL, batches = NULL, iterations = NULL, average = 0.75, tolerance = 0.001,
                  max_iterations = 200, halvings = 8, candidates = 20, gradient = "unit",
                  step_size = function(s) (10 + s)^-0.51) {
  solver <- check_choice(solver, c("joint", "sequential", "sgd"), "solver")
  if (is.null(criterion)) criterion <- if (solver == "joint") "trace" else "volume"
  criterion <- check_choice(criterion, c("volume", "trace"), "criterion")
  if (solver == "sgd" && criterion != "volume") {
    abort_input(c(
      "{.arg criterion} must be \"volume\" where {.arg solver} is \"sgd\": that is the published algorithm.",
      x = "It is {.val {criterion}}."
    ), arg = "criterion")
  }
  if (is.character(start)) {
    start <- check_choice(start, c("pivot", "random"), "start")
  } else if (!is.matrix(start) || !is.numeric(start) || !all(is.finite(start))) {
    abort_input(c(
      "{.arg start} must be \"pivot\", \"random\", or a matrix of finite numbers with a landmark a row.",
      x = "It is {describe(start)}."
    ), arg = "start")
  }
  default <- gp_schedules[[solver]]
  schedule <- list(
    batch_size = check_stages(batch_size %||% default$batch_size, "batch_size"),
    batches = check_stages(batches %||% default$batches, "batches"),
    iterations = check_stages(iterations %||% default$iterations, "iterations")
  )
  stages <- max(lengths(schedule))
  # A schedule given in part applies to as many stages as it names.
  given <- !vapply(list(batch_size, batches, iterations), is.null, NA)
  if (any(given)) stages <- max(lengths(schedule)[given])
  bad <- names(schedule)[given & !lengths(schedule) %in% c(1, stages)]
  if (length(bad)) {
    abort_input(c(
      "{.arg batch_size}, {.arg batches} and {.arg iterations} must have one number for each stage.",
      x = "They have {lengths(schedule)} numbers."
    ), arg = bad[1])
  }
  schedule <- lapply(schedule, rep_len, stages)
  if (!is.function(step_size)) {
    abort_input(c(
      "{.arg step_size} must be a function of the iteration's number.",
      x = "It is {describe(step_size)}."
    ), arg = "step_size")
  }
  new_method("by_gp", c(
    list(solver = solver, criterion = criterion, start = start, sample = check_count(sample, "sample")),
    schedule,
    list(
      grow = is.null(batch_size),
      average = check_number(average, "average", 0, 1, closed = TRUE),
      tolerance = check_number(tolerance, "tolerance", 0, closed = TRUE),
      max_iterations = check_count(max_iterations, "max_iterations", min = 0),
      halvings = check_count(halvings, "halvings", min = 0, max = 60),
      candidates = check_count(candidates, "candidates"),
      gradient = check_choice(gradient, c("unit", "raw"), "gradient"),
      step_size = step_size
    )
  ), prefixes = solver != "joint", knows_kernel = TRUE)
}

# Chosen by measurement: bench/RESULTS.md, "Schedules".
gp_schedules <- list(
  joint = list(batch_size = c(1000, 2000), batches = c(10, 15), iterations = c(2, 1)),
  sequential = list(batch_size = c(1000, 4000), batches = c(1, 1), iterations = c(20, 5)),
  sgd = list(batch_size = 1000, batches = 1, iterations = 1000)
)

check_stages <- function(x, arg, call = rlang::caller_env()) {
  if (!is.numeric(x) || length(x) == 0 || anyNA(x) || any(x < 1 | x != trunc(x) | x > .Machine$integer.max)) {
    abort_input(c(
      "{.arg {arg}} must be whole numbers of at least 1, one for each stage.",
      x = "It is {describe(x)}."
    ), arg = arg, call = call)
  }
  as.integer(x)
}

#' @export
format.by_gp <- function(x, ...) {
  switch(x$solver,
    joint = paste0("Gaussian process, all at once (", x$criterion, " criterion)"),
    sequential = paste0("Gaussian process, one at a time (", x$criterion, " criterion)"),
    sgd = paste0("Gaussian process, one at a time (stochastic ", x$gradient, " gradient)")
  )
}

select_landmarks.by_gp <- function(method, source, n, kernel, held, call) {
  switch(method$solver,
    joint = gp_joint(method, source, n, kernel, held, call),
    sequential = gp_sequential(method, source, n, kernel, held, call),
    sgd = gp_sgd(method, source, n, kernel, held, call)
  )
}
