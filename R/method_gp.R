# by_gp(): landmarks by a Gaussian process. Its options, and the call of one of its three solvers.

#' Landmarks by a Gaussian process criterion
#'
#' The default method of [landmarks()]. It moves the landmarks, which need not be rows, to maximize a
#' criterion of a Gaussian process. `by_gp()` sets the criterion, the solver and its options. The defaults
#' suit most data.
#'
#' The criterion is one of two, which [gp-criteria] defines and compares:
#'
#' * `"trace"`, the explained trace of the kernel matrix. Maximizing it minimizes the average posterior
#'   variance at the rows, the trace-norm error of the Nystrom approximation. It is the default of
#'   `solver = "joint"`.
#' * `"volume"`, a log-determinant, the criterion of Liang and Paisley (2015). It is the default of
#'   `solver = "sequential"` and the only criterion of `"sgd"`.
#'
#' @section Solvers:
#' * `"joint"` moves all landmarks together. It starts from rows of a random sample that are chosen greedily.
#'   Random batches of increasing size come first, with one step on each; the landmarks of the last batches
#'   are averaged. Steps on all rows follow until convergence. With few rows (up to 1,000 for 100 landmarks)
#'   all steps use all rows, with many (more than 7,000) all use batches. The result is sorted greedily.
#' * `"sequential"` adds one landmark at a time and keeps those before it fixed, as Liang and Paisley do.
#'   Each landmark starts at the best of some random rows.
#' * `"sgd"` is Algorithm 1 of Liang and Paisley: a start drawn from a normal distribution with the mean and
#'   variances of the data, then stochastic gradient steps. It is slow and serves for comparison.
#'
#' @param solver `"joint"`, `"sequential"` or `"sgd"`.
#' @param criterion `"trace"` or `"volume"`. Default NULL: `"trace"` for `"joint"`, `"volume"` for the
#'   others.
#' @param start For `"joint"`: `"pivot"`, the default, rows chosen greedily from a sample of 1,000 rows (2 n
#'   if that is more), see [gp-criteria]; `"random"` rows, which give clearly worse results with a narrow
#'   bandwidth; or a numeric n x d matrix or data frame of points in the space, in the units of the data.
#'   Columns are matched by name if both have names.
#' @param batch_size,batches,iterations The schedule: `batches` random batches of `batch_size` rows, with
#'   `iterations` steps on each. Vectors have one element per stage, a set of batches of equal size. Default
#'   NULL: see Schedule.
#' @param average The landmarks are averaged over this proportion of the batches, the last ones, to reduce
#'   noise. Default 0.4.
#' @param tolerance A landmark has converged if a step on all rows would move it by at most this many
#'   \eqn{\sqrt\eta}{sqrt(eta)}. Default 0.001. See [print.landmarks].
#' @param max_iterations Maximum number of steps on all rows. Default 200. Fewer with `"joint"` and many rows.
#' @param candidates For `"sequential"`: the number of random rows from which the start of each landmark is
#'   chosen. Default 20.
#' @param gradient For `"sgd"`: `"unit"`, the default, scales each gradient to norm 1, as the authors'
#'   program does. `"raw"` uses the gradient as published, which gives worse landmarks.
#' @param step_size For `"sgd"`: a function of the iteration s = 1, 2, ... that returns the step size.
#'   Default \eqn{(10 + s)^{-0.51}}{(10 + s)^-0.51}.
#' @section Schedule:
#' * `"joint"`: 32 batches that grow from 500 to 5,000 rows, fewer if there are few rows. The last batches are
#'   larger for n < 100; for n > 100 there are fewer and larger batches. If `batch_size` is given, steps on
#'   all rows follow only if one of its elements is at least N. `batch_size = Inf` uses all rows in every
#'   step.
#' * `"sequential"`, for each landmark: a batch of 1,000 rows to choose the start, one of 1,000 with at most
#'   20 steps, and one of 4,000 with at most 5. Steps end if the landmark moves by less than 0.001
#'   \eqn{\sqrt\eta}{sqrt(eta)}. The batch sizes are at least 5 n and 10 n.
#' * `"sgd"`, for each landmark: 1,000 steps, each on a new batch of 1,000 rows.
#' @section Thousands of landmarks:
#' Computing time grows faster than n: each row of a batch takes n^2 operations in addition to n d for its
#' kernel features, and batches have at least 2 n rows. The default is worth its time up to about 2,000
#' landmarks. For more, `by_kmeans(batch_size = 5 * n)` is much faster, with a slightly larger approximation
#' error, and [by_random()] is the fastest, with a clearly larger one. More `batches` reduce the error
#' further: for 1,000 landmarks of 60,000 digits it is 0.321 by default, and 0.317 with `batches = 96`, in
#' twice the time.
#' @return A method object for `landmarks(method = )`, a list of class `by_gp`. An invalid option is an error
#'   of class `landmarker_error_input`.
#' @seealso [gp-criteria], which has the references; [refine_landmarks()]
#' @examples
#' x <- sim_spiral(500)
#' set.seed(1)
#' landmarks(x, 12, by_gp(solver = "sequential"), bandwidth = 0.2)
#' @export
by_gp <- function(solver = "joint", criterion = NULL, start = "pivot", batch_size = NULL, batches = NULL,
                  iterations = NULL, average = 0.4, tolerance = 0.001, max_iterations = 200,
                  candidates = 20, gradient = "unit", step_size = function(s) (10 + s)^-0.51) {
  solver <- check_choice(solver, c("joint", "sequential", "sgd"), "solver")
  if (is.null(criterion)) criterion <- if (solver == "joint") "trace" else "volume"
  criterion <- check_choice(criterion, c("volume", if (solver != "sgd") "trace"), "criterion",
    remedy = if (solver == "sgd") "For the trace use another {.arg solver} than \"sgd\"."
  )
  if (is.data.frame(start)) start <- plain_frame(start, "start", rlang::current_env())
  points <- is.matrix(start) && is.numeric(start) && all(is.finite(start))
  rule <- "\"pivot\", \"random\", or a matrix of finite numbers with one landmark per row"
  numbers <- is.matrix(start) && is.numeric(start)
  check_that(points || rlang::is_string(start, c("pivot", "random")), start, "start", rule,
    found = if (numbers) "It has missing or infinite values." else "It is {describe(x)}."
  )
  # The default would have the environment of this call, and equal methods would not be identical.
  if (missing(step_size)) environment(step_size) <- topenv()
  check_that(is.function(step_size), step_size, "step_size", "a function of the iteration")
  schedule <- check_schedule(solver, list(
    batch_size = batch_size, batches = batches, iterations = iterations
  ))
  new_landmark_method("by_gp", c(list(solver = solver, criterion = criterion, start = start), schedule, list(
    grow = is.null(batch_size),
    average = check_number(average, "average", 0, 1, closed = TRUE),
    tolerance = check_number(tolerance, "tolerance", 0, closed = TRUE),
    max_iterations = check_count(max_iterations, "max_iterations", min = 0),
    candidates = check_count(candidates, "candidates"),
    gradient = check_choice(gradient, c("unit", "raw"), "gradient"), step_size = step_size
  )), prefixes = solver != "joint", knows_kernel = TRUE)
}

# The three options of a schedule with one number for each stage. Where the user of the solver "joint" gave no
# `batch_size` it stays NULL: the sizes are computed later, and grow with each batch.
check_schedule <- function(solver, options, call = rlang::caller_env()) {
  schedule <- stats::setNames(gp_schedules[[solver]][names(options)], names(options))
  chosen <- Filter(Negate(is.null), options)
  for (arg in names(chosen)) {
    x <- chosen[[arg]]
    # A long sequence takes no memory until its values are used.
    few <- is.numeric(x) && length(x) > 0 && length(x) < 1e6
    if (few && arg == "batch_size") x[x %in% Inf] <- all_rows_size
    whole <- few && !anyNA(x) && all(x >= 1 & x == trunc(x) & x <= all_rows_size)
    check_that(whole, chosen[[arg]], arg, "integers of at least 1, one for each stage", call = call)
    chosen[[arg]] <- x
  }
  # If the user gave some of the options only, the schedule has as many stages as these.
  stages <- max(lengths(if (length(chosen)) chosen else schedule))
  for (arg in names(chosen)) {
    check_that(length(chosen[[arg]]) %in% c(1, stages), chosen[[arg]], arg,
      "have length 1 or {stages}, the number of stages", call = call
    )
  }
  if (solver == "joint" && !is.null(chosen$batch_size)) schedule$batches <- ceiling(schedule$batches / stages)
  schedule[names(chosen)] <- chosen
  lapply(schedule, function(x) if (!is.null(x)) rep_len(as.integer(x), stages))
}

#' @export
format.by_gp <- function(x, ...) {
  paste0("Gaussian process, ", switch(x$solver,
    joint = paste0("all at once (", x$criterion, " criterion)"),
    sequential = paste0("one at a time (", x$criterion, " criterion)"),
    sgd = paste0("one at a time (stochastic ", x$gradient, " gradient)")
  ))
}

#' @export
select_landmarks.by_gp <- function(method, source, n, kernel, fixed, call) {
  solve <- switch(method$solver, joint = gp_joint, sequential = gp_sequential, sgd = gp_sgd)
  solve(method, source, n, kernel, fixed, call)
}
