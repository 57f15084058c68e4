# How by_response() learns: which rows are held out, which plans are tried, how well they predict held-out
# rows, and what is kept. method_response_problem.R makes the steps.
#
# Two words: landmarks that are `held` stay where an earlier fit has put them; rows that are held out (`out`,
# `held_out`) take no part in the steps.

# The selection, with the parts `bandwidth`, `relevance` and `response`. `held`: landmarks that stay where
# they are; `start`: where the new landmarks start.
learn_response <- function(method, response, source, start, kernel, held, call) {
  rows <- draw_rows(source, source$dim[1])
  problem <- response_problem(method, response, source, kernel, rows, call)
  check_varies(response, rows, call)
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
  relevance <- if (final$plan$relevance > 0) as.vector(final$relevance)
  response <- c(response_part(problem, final), list(interval = interval_of_state(problem, final)))
  found[c("bandwidth", "relevance", "response")] <- list(final$bandwidth, relevance, response)
  found
}

# An error where rows of weight above 0 all have one response, or are of one group.
check_varies <- function(response, rows, call) {
  if (length(unique(response$groups[rows])) == 1) {
    abort_input("{.arg groups} must have at least two different values in the rows of weight above 0.",
      arg = "groups", kind = "group", call = call
    )
  }
  y <- response$y[rows, , drop = FALSE]
  if (any(y != rep(y[1, ], each = nrow(y)))) return(invisible())
  abort_input(c(
    "{.arg y} must have at least two different values in the rows of weight above 0.",
    x = "All {length(rows)} of them have the same."
  ), arg = "y", kind = "response", call = call)
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

# ---- plans ---------------------------------------------------------------------------
# A plan is list(penalty, relevance, trend): the penalty on the weights, before it is divided by the number of
# rows; the rate of the relevances, 0 where there are none; and whether there is a trend.

# The plans that are tried first, one for each penalty. By default there is a trend for tables, with two rows
# for each column and at most 100 columns.
first_plans <- function(problem) {
  method <- problem$method
  rate <- if (is.numeric(method$relevance)) method$relevance else response_schedule$relevance
  if (isFALSE(method$relevance) || !problem$metric) rate <- 0
  d <- varied_count(problem$source)
  trend <- method$trend %||% (d <= 100 && length(problem$rows) >= 2 * d)
  lapply(method$penalty %||% response_schedule$penalties, function(penalty) {
    list(penalty = penalty, relevance = rate, trend = trend && !is.null(problem$trend_unit))
  })
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

# ---- figures of held-out rows ------------------------------------------------------------

# The evaluation, the plan and the scale with the smallest mean loss over some looks (their numbers). `tried`:
# what was seen of each plan.
best_choice <- function(problem, tried, some = seq_len(dim(tried[[1]]$losses)[3])) {
  each <- lapply(tried, function(one) rowMeans(one$losses[, , some, drop = FALSE], dims = 2))
  plan <- which.min(vapply(each, min, 0))
  at <- arrayInd(which.min(each[[plan]]), dim(each[[plan]]))
  list(evaluation = at[1], plan = plan, scale = scales_of(problem$loss)[at[2]])
}

# The looks of a design: the rows of a data frame, each at a `part` that a `run` has left out.
looks_of <- function(design) {
  data.frame(run = rep(seq_along(design$runs), lengths(design$runs)), part = unlist(design$runs))
}

# The looks that choose for a part: those at other parts, if there are any of runs that left it out too.
looks_without <- function(looks, part) {
  others <- which(looks$part != part)
  unseen <- intersect(others, which(looks$run %in% looks$run[looks$part == part]))
  if (length(unseen)) unseen else others
}

# What a fit keeps of its held-out rows as response$held_out: how many `rows`; their mean `loss` and
# `measure`; the `usual_loss` and the `baseline`, the loss and the measure of a prediction that is the same
# for all rows; of how many `groups` they are, if there are any; and for each row its number (`index`), what
# was observed and what was `fitted`. Each part is told by the first run that left it out, at the plan, the
# evaluation and the scale that other parts choose.
held_out_report <- function(problem, design, tried) {
  looks <- looks_of(design)
  first <- looks$run[match(seq_along(design$parts), looks$part)]
  each <- lapply(seq_along(design$parts), function(part) {
    choice <- best_choice(problem, tried, looks_without(looks, part))
    run <- tried[[choice$plan]]$runs[[first[part]]]
    scores <- run$scores[[min(choice$evaluation, length(run$scores))]]
    at <- match(design$parts[[part]], unlist(design$parts[design$runs[[first[part]]]]))
    scores_at_scale(scores[at, , drop = FALSE], run$null, choice$scale)
  })
  # Of classes, the largest of all rows: in balanced data the largest of the other rows would be the smallest
  # of these.
  type <- problem$response$type
  usual <- lapply(seq_along(design$parts), function(part) {
    out <- unlist(design$parts[design$runs[[first[part]]]])
    train <- if (type %in% c("classes", "binary")) problem$rows else setdiff(problem$rows, out)
    matrix(mean_scores(problem, train), length(design$parts[[part]]), ncol(problem$y), byrow = TRUE)
  })
  row <- unlist(design$parts)
  scores <- do.call(rbind, each)
  if (!all(is.finite(scores))) return(NULL)
  told <- told_of(problem, row)
  order <- order(row)
  index <- row[order]
  # Numbers, the number of the class, or a matrix of several numbers or tags.
  observed <- problem$response$y[index, , drop = FALSE]
  if (type == "classes") observed <- as.double(max.col(observed, "first"))
  if (type %in% c("binary", "number")) observed <- observed[, 1]
  list(
    rows = length(row), loss = mean_loss(scores, told, problem$loss),
    usual_loss = mean_loss(do.call(rbind, usual), told, problem$loss),
    measure = measure_of_scores(problem, each, design$parts),
    baseline = if (type == "tags") 0.5 else measure_of_scores(problem, usual, design$parts),
    groups = if (!is.null(problem$response$groups)) length(unique(problem$response$groups[row])),
    index = index, fitted = fitted_of_scores(problem, scores[order, , drop = FALSE]), observed = observed,
    weights = told$weights[order] / mean(told$weights)
  )
}

# The measure of the scores of each part, in the units of y: see response_measures. Scores of tags by
# different models, ranked together, would give noise an area below one half, because a model without the
# positives of a part has a smaller intercept. So areas are of each part.
measure_of_scores <- function(problem, scores, parts) {
  if (problem$response$type == "tags") return(auc_of_parts(problem, scores, parts))
  told <- told_of(problem, unlist(parts))
  scores <- do.call(rbind, scores)
  y <- told$y
  mean_of <- function(each) sum(told$weights * each) / sum(told$weights)
  # Several numbers count alike: their errors are in units of their own.
  units <- if (problem$response$type == "number") problem$unit else 1
  switch(problem$response$type,
    classes = mean_of(max.col(scores, "first") == max.col(y, "first")),
    binary = {
      half <- if (problem$loss == "squares") (0.5 - problem$middle) / problem$unit else 0
      mean_of((scores > half) == (y > half))
    },
    switch(problem$loss,
      squares = mean_of(rowMeans(((scores - y) * units)^2)),
      huber = mean_of(rowMeans(abs(scores - y) * units)),
      poisson = {
        mean <- exp(scores)
        2 * mean_of(rowMeans((ifelse(y > 0, y * log(y / mean), 0) - (y - mean)) * units))
      }
    )
  )
}

# The area under the ROC curve, a mean over the tags that some rows of a part have and others lack, and then
# over the parts by the weights of their rows.
auc_of_parts <- function(problem, scores, parts) {
  each <- vapply(seq_along(parts), function(p) {
    v <- weights_at(problem$source, parts[[p]])
    counts <- v > 0
    y <- problem$response$y[parts[[p]], , drop = FALSE][counts, , drop = FALSE]
    mixed <- which(colSums(y) > 0 & colSums(y) < nrow(y))
    areas <- vapply(mixed, function(k) score_ranking(scores[[p]][counts, k], y[, k], v[counts])[["auc"]], 0)
    if (length(mixed)) mean(areas) else NA_real_
  }, 0)
  rows <- vapply(parts, function(rows) sum(weights_at(problem$source, rows)), 0)
  some <- !is.na(each)
  if (any(some)) sum(rows[some] * each[some]) / sum(rows[some]) else NA_real_
}

# Scores as predictions in the units of y: numbers, or probabilities.
fitted_of_scores <- function(problem, scores) {
  p <- link_response(scores, response_links[[problem$response$family]])
  p <- p * rep(problem$unit, each = nrow(p)) + rep(problem$middle, each = nrow(p))
  # As predict() has them, where least squares predict classes.
  if (!problem$response$type %in% c("number", "numbers")) p[] <- pmin(pmax(p, 0), 1)
  matrix(p, nrow(p), dimnames = list(NULL, output_names(problem$response)))
}

# ---- intervals -------------------------------------------------------------------------

# The model of the error of a response of numbers, see response_intervals.R, or NULL.
interval_of_state <- function(problem, state, most = 10000) {
  report <- state$report
  if (is.null(report) || !problem$loss %in% c("squares", "huber")) return(NULL)
  if (!problem$response$type %in% c("number", "numbers")) return(NULL)
  rows <- evenly_spaced(problem$rows, most)
  kernel <- kernel_of_state(problem, state)
  at <- list(center = problem$source$center, factor = problem$source$factor * as.vector(state$relevance))
  root <- kernel_root(state$landmarks, at, kernel, problem$how)
  parts <- lapply(list(rows, report$index), function(some) {
    part <- in_metric_of(rows_of(problem$source, some), state)
    features <- features_over(part, state$landmarks, kernel, problem$how)
    list(
      f = regression_columns(features, part, if (state$plan$trend) problem$trend_unit),
      left = kernel_variance(features, root)
    )
  })
  # All rows count, not only those that were looked at.
  weights <- weights_at(problem$source, rows) * length(problem$rows) / length(rows)
  # In the units of the problem, where no square overflows.
  last <- nrow(state$weights)
  scores <- parts[[1]]$f %*% state$weights[c(last, seq_len(last - 1)), , drop = FALSE]
  residuals <- problem$y[rows, , drop = FALSE] - scores
  fitted <- (report$fitted - rep(problem$middle, each = report$rows)) / rep(problem$unit, each = report$rows)
  residuals_out <- problem$y[report$index, , drop = FALSE] - fitted
  told <- c(parts[[2]], list(residuals = residuals_out, weights = report$weights))
  if (!all(is.finite(c(colSums(residuals^2), colSums(told$residuals^2))))) return(NULL)
  learned <- list(f = parts[[1]]$f, weights = weights, residuals = residuals)
  c(interval_model(learned, told, state$penalty), list(unit = problem$unit))
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
