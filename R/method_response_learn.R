# How by_response() learns: which rows are held out, which plans are tried, and what is kept.
# method_response_steps.R makes the steps.
#
# Two words: landmarks that are `held` stay where an earlier fit has put them; rows that are held out (`out`,
# `held_out`) take no part in the steps.

# The selection, with the parts `bandwidth`, `relevance` and `response`. `held`: landmarks that stay where
# they are; `start`: where the new landmarks start.
learn_response <- function(method, response, source, start, kernel, held, call) {
  rows <- draw_rows(source, source$dim[1])
  problem <- response_problem(method, response, source, kernel, rows, call)
  problem$bar <- progress_start("Learning landmarks", method$iterations)
  problem$start <- rbind(held, start)
  problem$held <- nrow(held)
  design <- held_out_design(method$held_out, rows, response$groups)
  final <- state_at_scale(problem, tune_response(problem, design))
  if (!all(is.finite(c(final$weights, final$landmarks)))) {
    abort_input(c(
      "The response cannot be learned: squares of the numbers in {.arg x} are too large.",
      i = "Change the unit of the columns, for example with {.code scale = TRUE}."
    ), arg = "x", kind = "response", call = call)
  }
  ordered <- order_by_prediction(problem, final, rows, unlist(design$parts[design$runs[[1]]]), nrow(held))
  final$landmarks <- final$landmarks[ordered, , drop = FALSE]
  others <- setdiff(seq_len(nrow(final$weights)), ordered)
  final$weights <- final$weights[c(ordered, others), , drop = FALSE]
  n <- nrow(start)
  found <- selection(
    final$landmarks[nrow(held) + seq_len(n), , drop = FALSE],
    iterations = rep(as.integer(final$steps), n), exact = FALSE, ordered = TRUE
  )
  tell_coinciding(problem, final, call)
  relevance <- if (final$plan$relevance > 0) as.vector(final$relevance)
  response <- response_part(problem, final)
  response$interval <- interval_of_state(problem, final)
  response$slopes <- slopes_of_columns(problem, final)
  response$reach <- reach_of_state(problem, final)
  found[c("bandwidth", "relevance", "response")] <- list(final$bandwidth, relevance, response)
  found
}

# A state whose scores have their scale. Then the intercepts are the best again.
state_at_scale <- function(problem, state) {
  if (state$score_scale == 1) return(state)
  last <- nrow(state$weights)
  null <- mean_scores(problem, problem$rows)
  state$weights <- state$weights * state$score_scale
  state$weights[last, ] <- state$weights[last, ] + (1 - state$score_scale) * null
  learned <- data_of_rows(problem, evenly_spaced(problem$rows, response_schedule$intercept))
  with_best_intercept(problem, state, learned)
}

# A message where landmarks have moved to the same place, which is then one feature: their distance is below a
# thousandth of sqrt(bandwidth).
tell_coinciding <- function(problem, state, call) {
  if (problem$source$sparse) return(invisible())
  n <- nrow(state$landmarks)
  at <- list(center = problem$source$center, factor = problem$source$factor * as.vector(state$relevance))
  same <- pairs_within(state$landmarks, at, 1e-3 * sqrt(state$bandwidth))
  if (nrow(same) == 0) return(invisible())
  several <- length(unique(same[, 2]))
  tell_user(c(
    "{several} landmark{?s} {?has/have} moved to the place of another: {n - several} would predict as well.",
    i = "Numbers {same[1, 1]} and {same[1, 2]} are the same, for example.",
    i = "They do no harm. {.code n = {n - several}}, or less, is faster."
  ), kind = "coinciding", once = state$landmarks, call = call)
}

# ---- plans ---------------------------------------------------------------------------
# A plan is list(penalty, relevance, trend): the penalty on the weights, before it is divided by the number of
# rows; the rate of the relevances, 0 where there are none; and whether there is a trend.

# The plans that are tried first, one for each penalty.
first_plans <- function(problem) {
  method <- problem$method
  rate <- if (is.numeric(method$relevance)) method$relevance else response_schedule$relevance
  if (isFALSE(method$relevance) || !problem$metric) rate <- 0
  lapply(method$penalty %||% response_schedule$penalties, function(penalty) {
    list(penalty = penalty, relevance = rate, trend = wants_trend(problem))
  })
}

# Whether there is a trend: by default for tables, where there are two rows for each column and at most 100
# columns.
wants_trend <- function(problem) {
  if (is.null(problem$trend_unit) || isFALSE(problem$method$trend)) return(FALSE)
  d <- varied_count(problem$source)
  isTRUE(problem$method$trend) || (d <= 100 && length(problem$rows) >= 2 * d)
}

# How many columns are not constant.
varied_count <- function(source) sum(source$factor > 0)

# The changes of the best plan that are tried after the first plans, if the user leaves the choice. The last
# one is for many columns: with a hundred columns of noise, a column that matters by its square alone may be
# lost early if relevances move fast.
plan_changes <- c("no trend", "no relevance", "slower relevance")

# The plan after a change, or NULL where the change does not apply.
changed_plan <- function(problem, plan, change) {
  part <- if (change == "no trend") "trend" else "relevance"
  if (!is.null(problem$method[[part]]) || plan[[part]] == 0) return(NULL)
  slower <- change == "slower relevance"
  if (slower && varied_count(problem$source) <= response_schedule$many_columns) return(NULL)
  plan[[part]] <- if (slower) plan$relevance / 3 else if (part == "trend") FALSE else 0
  plan
}

# The final state, with further parts: the `plan` and its `penalty`; `score_scale`, of scales_of(); `of`, the
# number of steps that were planned; and `report`, what a fit keeps as response$held_out. Without held-out
# rows all steps are taken. A single run on many rows gives the state with the smallest held-out loss. Else
# the model is learned again from all rows, with the plan and the number of steps of the smallest mean loss
# over all runs.
tune_response <- function(problem, design) {
  runs <- length(design$runs)
  refit <- runs != 1 || length(problem$rows) <= response_schedule$refit
  plans <- first_plans(problem)
  if (runs == 0 || !refit) plans <- plans[1]
  changes <- if (runs > 0 && refit) plan_changes
  problem$runs <- refit + (length(plans) + length(changes)) * runs
  tried <- list()
  best <- list(evaluation = Inf, plan = 1, scale = 1)
  if (runs > 0) {
    tried <- lapply(plans, function(plan) try_plan(problem, design, plan, keep = !refit))
    for (change in changes) {
      plan <- changed_plan(problem, plans[[best_choice(problem, tried)$plan]], change)
      if (is.null(plan)) next
      plans <- c(plans, list(plan))
      tried <- c(tried, list(try_plan(problem, design, plan)))
    }
    best <- best_choice(problem, tried)
  }
  plan <- plans[[best$plan]]
  if (refit) {
    run <- run_response(problem, plan, problem$rows, list(), evaluations = best$evaluation)
    state <- run$state
  } else {
    run <- tried[[1]]$runs[[1]]
    state <- run$states[[best$evaluation]]
  }
  c(state, list(
    score_scale = best$scale, of = run$of, plan = plan, penalty = plan$penalty,
    report = if (runs > 0) held_out_report(problem, design, tried)
  ))
}

# ---- held-out rows -------------------------------------------------------------------

# What is held out, or NULL for nothing: list(parts, runs), where `parts` is a list of the numbers of rows, no
# row in two of them, and `runs` has for each run the numbers of the parts that it leaves out. Of few rows a
# run leaves out several parts, so that there are runs which have seen neither the part that is told nor those
# that choose for it. A single run has two parts. `groups`: a number for each row of the data, or NULL; parts
# have whole groups, which count as rows do otherwise.
held_out_design <- function(share, rows, groups = NULL) {
  if (share == 0) return(NULL)
  if (is.null(groups)) return(if (length(rows) >= 4) design_of_units(share, rows, length(rows)))
  rows_of_group <- unname(split(rows, groups[rows]))
  design <- design_of_units(share, seq_along(rows_of_group), length(rows))
  design$parts <- lapply(design$parts, function(some) sort(unlist(rows_of_group[some])))
  design
}

# The same for `units`, rows or groups, that have so many `rows` in all.
design_of_units <- function(share, units, rows) {
  n <- length(units)
  once <- rows > response_schedule$refit && n >= 4
  if (n < response_schedule$leave_one_out && !once) {
    return(list(parts = as.list(units), runs = as.list(seq_len(n))))
  }
  # Groups may be large.
  most_held_out <- response_schedule$most_held_out * n %/% rows
  count <- max(2, min(most_held_out, max(5, round(share * n)), n %/% 2))
  most <- if (once) 1 else if (n < 100) 10 else 5
  runs <- min(most, n %/% count, ceiling(response_schedule$wanted_held_out / count))
  drawn <- units[sample.int(n, runs * count)]
  if (runs == 1) {
    half <- seq_len(count) <= count / 2
    return(list(parts = list(sort(drawn[half]), sort(drawn[!half])), runs = list(1:2)))
  }
  left_out <- if (n < 100) 0.4 else if (n < response_schedule$few) 0.3 else 0
  together <- min(max(1, floor(left_out * n / count + 0.1)), runs - 1)
  list(
    parts = lapply(seq_len(runs), function(p) sort(drawn[(p - 1) * count + seq_len(count)])),
    runs = lapply(seq_len(runs), function(r) (r + seq_len(together) - 2) %% runs + 1)
  )
}

# What is seen of a plan: list(runs, losses): the runs of the `design`, each as run_response() returns it, and
# the losses of all looks, an array of evaluations x scales x looks.
try_plan <- function(problem, design, plan, keep = FALSE) {
  runs <- lapply(design$runs, function(left_out) {
    parts <- design$parts[left_out]
    train <- setdiff(problem$rows, unlist(parts))
    run_response(problem, plan, train, parts, patience = response_schedule$patience, keep = keep)
  })
  losses <- lapply(runs, function(run) run$losses)
  looks <- sum(lengths(design$runs))
  list(runs = runs, losses = array(unlist(losses), c(dim(losses[[1]])[1:2], looks)))
}

# ---- the order -----------------------------------------------------------------------

# The order of all landmarks, the first `held` of which keep their places: each next one is the one with which
# a least-squares regression of the response on the features (and on the columns, where there is a trend),
# learned from the rows that are not held out, has the smallest error on the rows `out` that are. `most`: of
# how many rows the regression is learned, where there are few landmarks.
order_by_prediction <- function(problem, state, rows, out, held, most = 5000) {
  n <- nrow(state$landmarks)
  inner <- setdiff(rows, out)
  # At least four rows a landmark, so that the regression means something.
  inner <- evenly_spaced(inner, max(most, 4 * n))
  trend <- nrow(state$weights) - n - 1
  features_of <- function(some) {
    part <- rows_of(problem$source, some)
    features <- features_of_state(problem, state, part)
    if (trend == 0) features else cbind(trend_scores(part, diag(problem$trend_unit, trend)), features)
  }
  shares_of <- function(some) {
    v <- weights_at(problem$source, some)
    v / sum(v)
  }
  f <- features_of(inner)
  v <- shares_of(inner)
  y <- problem$y[inner, , drop = FALSE]
  middle <- list(f = colSums(v * f), y = colSums(v * y))
  products <- function(f, y, v) {
    f <- f - rep(middle$f, each = nrow(f))
    y <- y - rep(middle$y, each = nrow(y))
    list(gram = crossprod(f, v * f), cross = crossprod(f, v * y))
  }
  learned <- checked <- products(f, y, v)
  if (length(out)) checked <- products(features_of(out), problem$y[out, , drop = FALSE], shares_of(out))
  order <- .Call(
    C_forward_order, learned$gram, learned$cross, checked$gram, checked$cross,
    list(held = as.integer(trend + held))
  )
  order[order > trend] - trend
}
