# The Gaussian-process method: what can be chosen, and how it learns.

#' Learn landmarks with a Gaussian process
#'
#' Options of the default method of [landmarks()]. With the data-driven kernel
#' \eqn{k(t, t') = \frac1N \sum_i v_i \phi_i(t)\phi_i(t')}{k(t,t') = (1/N) sum_i v_i phi_i(t) phi_i(t')},
#' \eqn{\phi_i(t) = \exp(-\|t - x_i\|^2/\eta)}{phi_i(t) = exp(-||t - x_i||^2 / eta)}
#' (Liang and Paisley, 2015, eq. 5), each next landmark is where the process has
#' most variance left (eq. 7). Finding `n` of them in order is greedy ascent of
#' \eqn{\log\det \Phi'\Phi}{log det Phi'Phi}, \eqn{\Phi = [\phi(t_1) \ldots \phi(t_n)]}{Phi = [phi(t_1) .. phi(t_n)]}.
#'
#' @section Solvers:
#' * `"joint"` moves all landmarks at once by the fixed point
#'   \eqn{T^+ = H'X}, \eqn{H = D\Phi \circ (\Phi G^{-1})}, \eqn{G = \Phi'D\Phi},
#'   which is \eqn{T + \frac{\eta}{4} \nabla \log\det G}: gradient ascent whose
#'   step needs no tuning. It starts from rows of a sample chosen greedily by the
#'   same criterion, climbs on random batches that grow, averages the last of
#'   them, and orders the landmarks greedily at the end. A step is kept only if
#'   the criterion rose on its batch, else it goes half way. Where there are no
#'   more rows than a batch, batches are all rows and the climb ends when no
#'   landmark moves.
#' * `"sequential"` finds one landmark at a time and holds it, the order of the
#'   paper: the best of some random rows as start, then the same fixed point for
#'   that landmark alone (eq. 10).
#' * `"sgd"` is Algorithm 1 of the paper as written: a start drawn from a normal
#'   distribution with the data's mean and variances, then stochastic gradient
#'   steps on fresh batches. It is here for comparison; it is slow.
#'
#' @section Criteria:
#' `"volume"` is \eqn{\log\det\Phi'D\Phi}{log det Phi'D Phi}, which spreads landmarks. `"trace"` is what
#' they explain of the Gaussian kernel of the observations (Nystrom),
#' \eqn{\sum_i v_i C_i W^{-1} C_i'}{sum_i v_i C_i W^-1 C_i'}, with \eqn{C = \Phi} and \eqn{W} the kernel of the
#' landmarks among themselves: its complement is the reconstruction error of
#' Wachinger and Golland (2015, eq. 1). Its gradient is
#' \eqn{(4/\eta)[H'X - \mathrm{diag}(s) T - (M T - \mathrm{diag}(M1) T)]}{(4/eta) [H'X - diag(s) T - (M T - diag(M1) T)]}
#' with \eqn{B = C W^{-1}}{B = C W^-1}, \eqn{H = DC \circ B}{H = DC o B}, \eqn{s} its column sums and
#' \eqn{M = (B'DB) \circ W}{M = (B'DB) o W}. It starts from the landmarks of the volume, or
#' from those that they started from, whichever leave less, so that it takes about twice as long.
#'
#' Which for features? The trace leaves clearly less of the kernel unexplained, and yet predicts no better in
#' what was measured: on MNIST the two are within a standard error or two of each other at
#' every number of landmarks (`vignette("digits")`). So the default is the volume, which takes half the
#' time. Take the trace where the reconstruction of the kernel itself is what matters.
#'
#' @param solver `"joint"`, `"sequential"` or `"sgd"`.
#' @param criterion What is climbed: `"volume"` (the default) or `"trace"`. See Criteria.
#' @param start Where `"joint"` starts: `"pivot"` (greedy among the rows of a
#'   sample; the default because with narrow bandwidths it is worth many units
#'   of log det), `"random"` (rows), or a numeric matrix of `n` landmarks, one a
#'   row, in the data's units and in the space.
#' @param sample Rows of the sample that a pivoted start chooses from (default
#'   1000; raised to `4 * n`).
#' @param batch_size,batches,steps The schedule: whole numbers, `batches` random
#'   batches of `batch_size` rows with `steps` steps on each. For `"joint"`
#'   vectors with one number a stage (default 10 batches of 1000 rows with 2
#'   steps, then 15 of 2000 with 1; rows are raised to `5 * n` and `10 * n`).
#'   For `"sequential"` the same for each landmark (default one batch of 1000
#'   rows with 20 steps, then one of 4000 with 5). For `"sgd"` `batch_size` 1000
#'   and `steps` 1000, each on a fresh batch, as in the paper.
#' @param average Share of the last stage's batches whose landmarks are averaged
#'   (`"joint"`; default 0.75), against the noise of batches.
#' @param tolerance A landmark has converged when a step would move it by less
#'   than this many \eqn{\sqrt\eta}{sqrt(eta)} (default 0.001 when the batches
#'   are all rows). See [landmarks()] for what `converged` means on random
#'   batches.
#' @param max_steps Steps at the most when batches are all rows (default 200).
#' @param halvings How often a step that does not raise the criterion is halved
#'   before the climb on that batch ends (default 8).
#' @param candidates Random rows of which the best starts a landmark
#'   (`"sequential"`; default 20).
#' @param gradient `"sgd"`: `"unit"` rescales each gradient to norm 1, as the
#'   authors' own program does, `"raw"` is the sum that the paper prints.
#' @param step `"sgd"`: a function of the step's number 1, 2, ... that returns
#'   its length (default \eqn{(10 + s)^{-0.51}}{(10 + s)^-0.51}).
#' @return A method object for `landmarks(method = )`, a list of class `by_gp`.
#' @references D. Liang and J. Paisley (2015). Landmarking manifolds with
#'   Gaussian processes. *Proceedings of the 32nd International Conference on
#'   Machine Learning*, PMLR 37, 466-474.
#' @examples
#' x <- sim_spiral(500)
#' set.seed(1)
#' landmarks(x, 12, by_gp(solver = "sequential"), bandwidth = 0.2)
#' @export
by_gp <- function(solver = "joint", criterion = NULL, start = "pivot", sample = 1000,
                  batch_size = NULL, batches = NULL, steps = NULL, average = 0.75, tolerance = 0.001, max_steps = 200, halvings = 8,
                  candidates = 20, gradient = "unit", step = function(s) (10 + s)^-0.51) {
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
    steps = check_stages(steps %||% default$steps, "steps")
  )
  stages <- max(lengths(schedule))
  # A schedule given in part applies to as many stages as it names.
  given <- !vapply(list(batch_size, batches, steps), is.null, NA)
  if (any(given)) stages <- max(lengths(schedule)[given])
  bad <- names(schedule)[given & !lengths(schedule) %in% c(1, stages)]
  if (length(bad)) {
    abort_input(c(
      "{.arg batch_size}, {.arg batches} and {.arg steps} must have one number for each stage.",
      x = "They have {lengths(schedule)} numbers."
    ), arg = bad[1])
  }
  schedule <- lapply(schedule, rep_len, stages)
  if (!is.function(step)) {
    abort_input(c("{.arg step} must be a function of the step's number.", x = "It is {describe(step)}."), arg = "step")
  }
  new_method("by_gp", c(
    list(solver = solver, criterion = criterion, start = start, sample = check_count(sample, "sample")),
    schedule,
    list(
      grow = is.null(batch_size),
      average = check_number(average, "average", 0, 1, closed = TRUE),
      tolerance = check_number(tolerance, "tolerance", 0, closed = TRUE),
      max_steps = check_count(max_steps, "max_steps", min = 0),
      halvings = check_count(halvings, "halvings", min = 0, max = 60),
      candidates = check_count(candidates, "candidates"),
      gradient = check_choice(gradient, c("unit", "raw"), "gradient"),
      step = step
    )
  ))
}

# Chosen by measurement: bench/RESULTS.md, "Schedules".
gp_schedules <- list(
  joint = list(batch_size = c(1000, 2000), batches = c(10, 15), steps = c(2, 1)),
  sequential = list(batch_size = c(1000, 4000), batches = c(1, 1), steps = c(20, 5)),
  sgd = list(batch_size = 1000, batches = 1, steps = 1000)
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
  by <- if (identical(x$criterion, "trace")) "trace" else "volume"
  switch(x$solver,
    joint = paste0("Gaussian process, all at once (joint ", by, ")"),
    sequential = paste0("Gaussian process, one at a time (", by, ")"),
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
