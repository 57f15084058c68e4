# How by_response() learns: which plans are tried, and what is kept. method_response_held_out.R says which
# rows are held out, method_response_steps.R makes the steps.
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
  final <- if (is.null(design)) {
    learn_all(problem)
  } else if (length(rows) > response_schedule$refit && length(design$runs) == 1) {
    learn_once(problem, design)
  } else {
    learn_twice(problem, design)
  }
  final <- state_at_scale(problem, final)
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
  c(found, list(bandwidth = final$bandwidth, relevance = relevance, response = response))
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

# What is tried first: a plan for each penalty. `one`: a single plan is wanted.
first_plans <- function(problem, one = FALSE) {
  method <- problem$method
  rate <- if (isTRUE(method$relevance)) NULL else if (is.numeric(method$relevance)) method$relevance
  wants <- !isFALSE(method$relevance) && problem$metric
  relevance <- if (wants) rate %||% response_schedule$relevance else 0
  penalties <- method$penalty %||% response_schedule$penalties
  lapply(if (one) penalties[1] else penalties, function(penalty) {
    list(penalty = penalty, relevance = relevance, trend = wants_trend(problem))
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

# What is tried after the best of the first plans, where the user leaves the choice: without a trend, without
# relevances, and of many columns with relevances that move more slowly: with a hundred columns of noise, a
# column that matters by its square alone may be lost early. Each is a function of the best plan so far, that
# returns a plan, or NULL for none.
further_plans <- function(problem) {
  without <- function(part, nothing) {
    force(part)
    function(best) {
      if (is.null(problem$method[[part]]) && best[[part]] > 0) utils::modifyList(best, nothing)
    }
  }
  slower <- function(best) {
    many <- varied_count(problem$source) > response_schedule$many_columns
    if (!many || !is.null(problem$method$relevance) || best$relevance == 0) return(NULL)
    utils::modifyList(best, list(relevance = best$relevance / 3))
  }
  list(without("trend", list(trend = FALSE)), without("relevance", list(relevance = 0)), slower)
}

# ---- three ways to learn -------------------------------------------------------------
# Each returns a state with further parts: the `plan`; `score_scale`, of scales_of();
# `of`, the number of steps that were planned; and `report`, what a fit keeps as response$held_out.

learn_all <- function(problem) {
  problem$runs <- 1
  plan <- first_plans(problem, one = TRUE)[[1]]
  run <- run_response(problem, plan, problem$rows, list())
  c(run$state, list(score_scale = 1, of = run$of, plan = plan, penalty = plan$penalty))
}

# From all rows but those of one run, at the step that has the smallest loss there.
learn_once <- function(problem, design) {
  problem$runs <- 1
  plan <- first_plans(problem, one = TRUE)[[1]]
  tried <- try_plan(problem, design, plan, keep = TRUE)
  best <- best_choice(problem, list(tried))
  run <- tried$runs[[1]]
  c(run$states[[best$evaluation]], list(
    score_scale = best$scale, of = run$of, plan = plan, penalty = plan$penalty,
    report = held_out_report(problem, design, list(tried))
  ))
}

# From all rows, at the plan and the number of steps with the smallest mean loss over several parts, which are
# held out in turn.
learn_twice <- function(problem, design) {
  plans <- first_plans(problem)
  problem$runs <- 1 + (length(plans) + length(further_plans(problem))) * length(design$runs)
  tried <- lapply(plans, function(plan) try_plan(problem, design, plan))
  for (further in further_plans(problem)) {
    plan <- further(plans[[best_choice(problem, tried)$plan]])
    if (is.null(plan)) next
    plans <- c(plans, list(plan))
    tried <- c(tried, list(try_plan(problem, design, plan)))
  }
  best <- best_choice(problem, tried)
  plan <- plans[[best$plan]]
  run <- run_response(problem, plan, problem$rows, list(), evaluations = best$evaluation)
  c(run$state, list(
    score_scale = best$scale, of = run$of, plan = plan, penalty = plan$penalty,
    report = held_out_report(problem, design, tried)
  ))
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
