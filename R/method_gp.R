# by_gp(): landmarks by a Gaussian process. Its options, and the call of one of its three solvers.

#' Landmarks learned with a Gaussian process
#'
#' The default method of [landmarks()]. Landmarks move to where they explain the data best, anywhere in the
#' space. Use `by_gp()` to choose the criterion that the landmarks optimize (`criterion`), the algorithm that
#' finds them (`solver`), and its options. The defaults suit most data.
#'
#' Let \eqn{x_1, \ldots, x_N}{x_1 .. x_N} be the observations, with weights \eqn{v_i},
#' \eqn{t_1, \ldots, t_n}{t_1 .. t_n} the landmarks, and \eqn{\eta}{eta} the bandwidth. \eqn{\Phi}{Phi} is the
#' N x n matrix of \eqn{\exp(-\|x_i - t_l\|^2/\eta)}{exp(-||x_i - t_l||^2 / eta)}, \eqn{w(x_i)} its row i as a
#' column vector, D the diagonal matrix of the weights, \eqn{G = \Phi'D\Phi}{G = Phi'D Phi}, and \eqn{W} the
#' n x n matrix of \eqn{\exp(-\|t_k - t_l\|^2/\eta)}{exp(-||t_k - t_l||^2 / eta)}.
#'
#' * `criterion = "trace"` maximizes \eqn{\mathrm{tr}(W^{-1} G) = \sum_i v_i \, w(x_i)' W^{-1}
#'   w(x_i)}{tr(W^-1 G) = sum_i v_i w(x_i)' W^-1 w(x_i)}, the part of the trace of the observations' kernel
#'   matrix that the landmarks explain (Wachinger and Golland, 2015, eq. 1). It is the default of
#'   `solver = "joint"`, because its landmarks stay close to the data and explain more of the kernel.
#' * `criterion = "volume"` maximizes \eqn{\log\det G}{log det G}, the criterion of Liang and Paisley (2015,
#'   eq. 7). It is the default of `solver = "sequential"` and the only one of `"sgd"`.
#'
#' [gp-criteria] has both in full, compares them on data, and has the equations of the steps.
#'
#' @section Solvers:
#' * `"joint"` moves all landmarks at once. It starts from rows of a random sample, chosen greedily. With many
#'   rows it first takes one step on each of up to 32 random batches, which grow, and averages the landmarks
#'   of the last batches. Then it takes steps on all rows, until no landmark moves or the steps are used up.
#'   100 landmarks of up to 1,000 rows are learned by steps on all rows alone, and those of more than 7,000
#'   rows by batches alone. Between them the number of batches grows with that of the rows, and the number of
#'   steps on all rows falls. The landmarks are put in greedy order of the criterion.
#' * `"sequential"` finds one landmark at a time and holds it, in the order of the paper. Each landmark starts
#'   at the best of some random rows.
#' * `"sgd"` is Algorithm 1 of the paper. The start is drawn from a normal distribution with the data's mean
#'   and variances. Stochastic gradient steps follow, each on a fresh batch. By default each gradient is
#'   divided by its length, as in the authors' own program; `gradient = "raw"` is the gradient as the paper
#'   prints it, whose landmarks are worse. It is slow, and serves for comparison.
#'
#' @param solver `"joint"`, `"sequential"` or `"sgd"`.
#' @param criterion `"trace"` or `"volume"`. NULL, the default, is the trace for `"joint"`, and the volume,
#'   the paper's criterion, for the others.
#' @param start Where `"joint"` starts: `"pivot"` (rows of a sample of 1,000 rows, or 2 n if that is more,
#'   chosen greedily; the default, because with narrow bandwidths other starts give clearly worse results),
#'   `"random"` (rows), or a numeric n x d matrix or data frame of landmarks in the data's units and in the
#'   space. Columns are matched by name where both have names.
#' @param batch_size,batches,iterations The schedule, whole numbers: `batches` random batches of `batch_size`
#'   rows, with `iterations` iterations on each. An iteration is one step of all landmarks that move. A
#'   vector has a number for each stage. See Schedule for the defaults, NULL.
#' @param average Share of the batches, the last ones, whose landmarks are averaged. Default 0.4. Averaging
#'   reduces the noise of batches.
#' @param tolerance A landmark has converged when a step would move it by at most this many
#'   \eqn{\sqrt\eta}{sqrt(eta)}. Default 0.001. It applies where every step uses all rows, see
#'   [print.landmarks].
#' @param max_iterations The largest number of iterations on all rows. Default 200. `"joint"` takes fewer
#'   where there are many rows, in proportion to `max_iterations`.
#' @param candidates `"sequential"`: a landmark starts at the best of this many random rows. Default 20.
#' @param gradient `"sgd"`: `"unit"`, the default, rescales each gradient to norm 1, as the program of the
#'   paper's authors does. `"raw"` is the sum that the paper prints.
#' @param step_size `"sgd"`: a function of the iteration's number s = 1, 2, ... that returns the length of its
#'   step. Default \eqn{(10 + s)^{-0.51}}{(10 + s)^-0.51}.
#' @section Schedule:
#' * `"joint"`: 32 batches with one iteration on each, which grow from 500 to 5,000 rows. With fewer than 100
#'   landmarks the last batches are larger. With more than 100, batches are larger and fewer. Where
#'   `batch_size` is given, iterations on all rows follow only if a stage's batches would hold all rows.
#'   `batch_size = Inf` takes all rows in each of at most `max_iterations` iterations.
#' * `"sequential"`, for each landmark: one batch of 1,000 rows for the choice of its start, one of 1,000 with
#'   at most 20 iterations, then one of 4,000 with at most 5. Iterations on a batch end where the landmark
#'   moves less than 0.001 \eqn{\sqrt\eta}{sqrt(eta)}.
#'   These sizes are raised to 5 n and 10 n rows.
#' * `"sgd"`, for each landmark: 1,000 iterations, each on a fresh batch of 1,000 rows, as in the paper.
#' @section Thousands of landmarks:
#' Time grows faster than the number of landmarks n, because each row of a batch takes n^2 operations beside
#' the n d of its features, and batches need 2 n rows. The table has 60,000 digits of MNIST (784 columns), two
#' threads, from `bench/results/many.md` of the sources. "Left" is the share of the kernel's trace that stays
#' unexplained.
#'
#' | n | default: seconds, left | `by_kmeans(batch_size = 5 * n)` | `by_random()` |
#' |---|---|---|---|
#' | 300 | 1.3, .412 | 1.4, .428 | 0.5, .525 |
#' | 1,000 | 11, .321 | 11, .334 | 3, .407 |
#' | 2,000 | 44, .272 | 40, .283 | 9, .340 |
#' | 5,000 | 595, .211 | 203, .217 | 61, .257 |
#'
#' Up to about 2,000 landmarks the default is worth its time. For more, centers of k-means leave 3 percent
#' more in a third of the time. Random rows leave a fifth more.
#' @return A method object for `landmarks(method = )`, a list of class `by_gp`. An option that breaks its rule
#'   is an error of class `landmarker_error_input`.
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
  criterion <- check_choice(criterion, c("volume", "trace"), "criterion")
  if (solver == "sgd" && criterion != "volume") {
    abort_input(c(
      "{.arg criterion} must be \"volume\" where {.arg solver} is \"sgd\", the published algorithm.",
      x = "It is {.val {criterion}}."
    ), arg = "criterion")
  }
  if (is.data.frame(start)) start <- plain_frame(start, "start", rlang::current_env())
  if (is.character(start)) {
    start <- check_choice(start, c("pivot", "random"), "start")
  } else if (!is.matrix(start) || !is.numeric(start) || !all(is.finite(start))) {
    abort_input(c(
      "{.arg start} must be \"pivot\", \"random\", or a matrix of finite numbers with a landmark a row.",
      x = "It is {describe(start)}."
    ), arg = "start")
  }
  schedule <- check_schedule(solver, list(
    batch_size = batch_size, batches = batches, iterations = iterations
  ))
  # The function that the default argument makes belongs to this call, and identical() would find it different
  # from that of another call. So the package's own function is used, and equal methods are identical.
  if (missing(step_size)) step_size <- usual_step_size
  if (!is.function(step_size)) {
    abort_input(c(
      "{.arg step_size} must be a function of the iteration's number.",
      x = "It is {describe(step_size)}."
    ), arg = "step_size")
  }
  new_method("by_gp", c(
    list(solver = solver, criterion = criterion, start = start),
    schedule,
    list(
      grow = is.null(batch_size),
      average = check_number(average, "average", 0, 1, closed = TRUE),
      tolerance = check_number(tolerance, "tolerance", 0, closed = TRUE),
      max_iterations = check_count(max_iterations, "max_iterations", min = 0),
      candidates = check_count(candidates, "candidates"),
      gradient = check_choice(gradient, c("unit", "raw"), "gradient"),
      step_size = step_size
    )
  ), prefixes = solver != "joint", knows_kernel = TRUE)
}

# The three options of a schedule with one number for each stage. Where the user of the solver "joint" gave no
# `batch_size` it stays NULL: the sizes are computed later, and grow with each batch.
check_schedule <- function(solver, options, call = rlang::caller_env()) {
  schedule <- stats::setNames(gp_schedules[[solver]][names(options)], names(options))
  chosen <- Filter(Negate(is.null), options)
  chosen <- Map(function(x, arg) check_stages(x, arg, call), chosen, names(chosen))
  # If the user gave some of the options only, the schedule has as many stages as these.
  stages <- max(lengths(if (length(chosen)) chosen else schedule))
  bad <- names(chosen)[!lengths(chosen) %in% c(1, stages)]
  if (length(bad)) {
    abort_input(c(
      "{.arg batch_size}, {.arg batches} and {.arg iterations} must have one number for each stage.",
      x = "They have {lengths(chosen)} numbers."
    ), arg = bad[1], call = call)
  }
  if (solver == "joint" && !is.null(chosen$batch_size)) schedule$batches <- ceiling(schedule$batches / stages)
  schedule[names(chosen)] <- chosen
  lapply(schedule, function(x) if (!is.null(x)) rep_len(as.integer(x), stages))
}

# The default of `step_size`.
usual_step_size <- function(s) (10 + s)^-0.51

# Checks one option of a schedule.
check_stages <- function(x, arg, call = rlang::caller_env()) {
  # Nobody has a million stages. A longer vector is refused before its values are read.
  few <- is.numeric(x) && length(x) > 0 && length(x) < 1e6
  if (few && arg == "batch_size") x[!is.na(x) & x == Inf] <- all_rows_size
  if (!few || anyNA(x) || any(x < 1 | x != trunc(x) | x > .Machine$integer.max)) {
    abort_input(c(
      "{.arg {arg}} must be whole numbers of at least 1, one for each stage.",
      x = "It is {describe(x)}."
    ), arg = arg, call = call)
  }
  as.integer(x)
}

# Words by which print() says how the landmarks of a fit by by_gp() were moved, list(unmeasured, batches): for
# steps whose size was not measured, and for steps on random batches.
gp_steps_in_words <- function(fit) {
  n <- fit$subset_of %||% nrow(fit$landmarks)
  then <- if (climb_plan(fit$method, fit$n_rows, n)$all > 0) "then on all rows" else "averaged"
  list(unmeasured = " (stochastic gradient)", batches = paste("on random batches,", then))
}

#' @export
format.by_gp <- function(x, ...) {
  switch(x$solver,
    joint = paste0("Gaussian process, all at once (", x$criterion, " criterion)"),
    sequential = paste0("Gaussian process, one at a time (", x$criterion, " criterion)"),
    sgd = paste0("Gaussian process, one at a time (stochastic ", x$gradient, " gradient)")
  )
}

#' @export
select_landmarks.by_gp <- function(method, source, n, kernel, fixed, call) {
  switch(method$solver,
    joint = gp_joint(method, source, n, kernel, fixed, call),
    sequential = gp_sequential(method, source, n, kernel, fixed, call),
    sgd = gp_sgd(method, source, n, kernel, fixed, call)
  )
}
