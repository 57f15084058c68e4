# How by_response() learns: which configurations are tried, how well they predict held-out rows, and what is
# kept. method_response_problem.R makes the steps.
#
# Two words: landmarks that are `fixed` stay where an earlier fit has put them; rows that are held out (`out`,
# `held_out`) take no part in the steps.

# The selection, with the parts `bandwidth`, `relevance` and `response`. `start`: the landmarks that are
# moved, or the method that finds `n` of them; `fixed`: landmarks that stay where they are. The rows of weight
# 0 are left out first.
learn_response <- function(method, response, source, start, n, kernel, fixed, call) {
  rows <- draw_rows(source, source$dim[1])
  if (length(rows) < source$dim[1]) {
    source <- rows_of(source, rows)
    source["weights"] <- list(check_weights(source$weights, length(rows), call))
    response <- part_of_response(response, rows)
  }
  rule <- "have at least two distinct values in the rows with positive weight"
  found <- "All {length(rows)} are equal."
  one_group <- length(unique(response$groups)) == 1
  check_that(!one_group, NULL, "groups", rule, "group", call, found = found)
  check_response(any(response$y != rep(response$y[1, ], each = length(rows))), response$y, rule, call, found)
  if (!is.matrix(start)) start <- points_to_start(start, response, source, n, kernel, fixed, call)
  problem <- response_problem(method, response, source, rbind(fixed, start), kernel, call)
  problem$bar <- progress_start("Learning landmarks", problem$method$iterations)
  problem$fixed <- nrow(fixed)
  design <- held_out_design(method$held_out, seq_along(rows), response$groups, isTRUE(method$once))
  final <- state_at_scale(problem, tune_response(problem, design))
  if (!all(is.finite(c(final$weights, final$landmarks)))) {
    remedy <- "Rescale the columns, for example with {.code scale = TRUE}."
    abort_overflow("squared distances", "x", call, remedy)
  }
  final <- in_order_of_prediction(problem, final, unlist(design$parts[design$runs[[1]]]))
  found <- landmark_selection(
    final$landmarks[nrow(fixed) + seq_len(nrow(start)), , drop = FALSE],
    iterations = rep(as.integer(final$steps), nrow(start)), exact = FALSE, ordered = TRUE
  )
  relevance <- if (final$config$relevance > 0) as.vector(final$relevance)
  response <- c(response_part(problem, final), list(interval = interval_of_state(problem, final)))
  if (!is.null(response$held_out)) response$held_out$index <- rows[response$held_out$index]
  found[c("bandwidth", "relevance", "response")] <- list(final$bandwidth, relevance, response)
  found
}

# The landmarks to start from, found by a method: fewer than `n` where the rank of the kernel is smaller.
points_to_start <- function(method, response, source, n, kernel, fixed, call) {
  if (method_can(method, "uses_response")) {
    method$y <- method$y %||% structure(response, class = "checked_response")
  }
  found <- check_found(select_landmarks(method, source, n, kernel, fixed, call), source, nrow(fixed), call)
  rule <- "a method that finds a landmark"
  check_that(nrow(found$landmarks) > 0, method, "start", rule, "rank", call, found = "It found none.")
  found$landmarks
}

# A state whose scores have their scale. Then the intercepts are the best again.
state_at_scale <- function(problem, state) {
  if (state$score_scale == 1) return(state)
  last <- nrow(state$weights)
  all <- seq_len(nrow(problem$y))
  null <- mean_scores(problem, all)
  state$weights <- state$weights * state$score_scale
  state$weights[last, ] <- state$weights[last, ] + (1 - state$score_scale) * null
  with_best_intercept(problem, state, data_of_rows(problem, evenly_spaced(all, response_schedule$intercept)))
}

# ---- configurations ------------------------------------------------------------------
# A configuration is list(penalty, relevance, trend): the penalty on the weights, before it is divided by the
# number of rows; the rate of the relevances, 0 where there are none; and whether there is a trend.

# The configurations that are tried first, one for each penalty if there are `several`. By default there is a
# linear term for tables, with two rows for each column and at most 100 columns.
first_configs <- function(problem, several) {
  method <- problem$method
  rate <- if (isFALSE(method$relevance) || !problem$metric) 0 else response_schedule$relevance
  trend <- method$trend %||% (problem$columns <= 100 && nrow(problem$y) >= 2 * problem$columns)
  trend <- trend && !is.null(problem$trend_unit)
  penalties <- response_schedule[[if (several) "penalties" else "penalty"]][[problem$optimizer]]
  lapply(method$penalty %||% penalties, function(p) list(penalty = p, relevance = rate, trend = trend))
}

# The best configuration after a change, or NULL where it does not apply or the user has decided. The slower
# relevances are for many columns: with a hundred columns of noise, a column that matters by its square alone
# may be lost early if relevances move fast.
changed_config <- function(problem, config, change) {
  method <- problem$method
  if (change == "no trend") return(if (is.null(method$trend) && config$trend) replace(config, "trend", FALSE))
  if (!is.null(method$relevance) || config$relevance == 0) return(NULL)
  if (change == "no relevance") return(replace(config, "relevance", 0))
  if (problem$columns > response_schedule$many_columns) replace(config, "relevance", config$relevance / 3)
}

# The final state, with further parts: the `config` and its `penalty`; `score_scale`, of scales_of(); `of`,
# the number of steps that were planned; and `report`, what a fit keeps as response$held_out. Without
# held-out rows all steps are taken. A single run on many rows gives the state with the smallest held-out
# loss. Else the model is learned again from all rows, with the configuration and the number of steps of the
# smallest mean loss over all runs.
tune_response <- function(problem, design) {
  runs <- length(design$runs)
  rows <- nrow(problem$y)
  refit <- runs != 1 || rows <= response_schedule$refit
  configs <- first_configs(problem, runs > 0 && refit)
  changes <- if (runs > 0 && refit) c("no trend", "no relevance", "slower relevance")
  problem$runs <- refit + (length(configs) + length(changes)) * runs
  best <- list(evaluation = Inf, config = 1, scale = 1)
  tried <- list()
  if (runs > 0) {
    validate <- function(config) {
      tried <<- c(tried, list(validate_config(problem, design, config, tried, keep = !refit)))
    }
    for (config in configs) validate(config)
    for (change in changes) {
      config <- changed_config(problem, configs[[best_choice(problem, tried)$config]], change)
      if (is.null(config)) next
      configs <- c(configs, list(config))
      validate(config)
    }
    best <- best_choice(problem, tried)
  }
  config <- configs[[best$config]]
  run <- if (refit) run_response(problem, config, seq_len(rows), best$evaluation) else tried[[1]]$runs[[1]]
  c(if (refit) run$state else run$states[[best$evaluation]], list(
    score_scale = best$scale, of = run$of, config = config, penalty = config$penalty,
    report = if (runs > 0) held_out_report(problem, design, tried)
  ))
}

# ---- which rows are held out ---------------------------------------------------------

# What is held out, or NULL for nothing: list(parts, runs), where `parts` is a list of the numbers of rows, no
# row in two of them, and `runs` has for each run the numbers of the parts that it leaves out. Of few rows a
# run leaves out several parts, so that there are runs which have seen neither the part that is scored nor
# those that choose for it. A single run has two parts. `groups`: a number for each row of the data, or NULL;
# parts have whole groups, which count as rows do otherwise. `once`: whether there is a single run anyhow, as
# in comparisons, which measure on other rows.
held_out_design <- function(share, rows, groups = NULL, once = FALSE) {
  if (share == 0 || (is.null(groups) && length(rows) < 4)) return(NULL)
  if (is.null(groups)) return(design_of_units(share, rows, length(rows), once))
  of_group <- unname(split(rows, groups[rows]))
  design <- design_of_units(share, seq_along(of_group), length(rows), once)
  design$parts <- lapply(design$parts, function(some) sort(unlist(of_group[some])))
  design
}

# The same for `units`, rows or groups, that have so many `rows` in all.
design_of_units <- function(share, units, rows, once = FALSE) {
  n <- length(units)
  # A single part of few rows is larger, because it alone chooses.
  if (once && n >= 4) share <- max(share, min(1 / 3, 100 / n))
  once <- n >= 4 && (once || rows > response_schedule$refit)
  in_turn <- n < response_schedule$leave_one_out && !once
  if (in_turn) return(list(parts = as.list(units), runs = as.list(seq_len(n))))
  # Groups may be large.
  most_held_out <- response_schedule$most_held_out * n %/% rows
  count <- max(2, min(most_held_out, max(5, round(share * n)), n %/% 2))
  most <- if (once) 1 else if (n < 100) 10 else 5
  runs <- min(most, n %/% count, ceiling(response_schedule$wanted_held_out / count))
  drawn <- units[sample.int(n, runs * count)]
  cut <- function(part) unname(lapply(split(drawn, part), sort))
  if (runs == 1) return(list(parts = cut(seq_len(count) > count / 2), runs = list(1:2)))
  left_out <- if (n < 100) 0.4 else if (n < response_schedule$few) 0.3 else 0
  together <- min(max(1, floor(left_out * n / count + 0.1)), runs - 1)
  left_out <- lapply(seq_len(runs), function(r) (r + seq_len(together) - 2) %% runs + 1)
  list(parts = cut(rep(seq_len(runs), each = count)), runs = left_out)
}

# The validations of a design: the rows of a data frame, each of a `part` that a `run` has left out.
validations_of <- function(design) {
  data.frame(run = rep(seq_along(design$runs), lengths(design$runs)), part = unlist(design$runs))
}

# The validations that choose for a part: those of other parts, if there are any of runs that left it out too.
validations_without <- function(validations, part) {
  others <- which(validations$part != part)
  unseen <- intersect(others, which(validations$run %in% validations$run[validations$part == part]))
  if (length(unseen)) unseen else others
}

# ---- how well held-out rows are predicted ----------------------------------------------

# A configuration on the held-out rows of all runs, list(runs, losses): the runs of the `design`, each as
# run_response() returns it, and the losses of all validations, an array of evaluations x scales x
# validations. A configuration that is clearly worse than the best of those `tried` before, on the rows held
# out so far, is dropped: its losses are infinite.
validate_config <- function(problem, design, config, tried, keep) {
  validations <- validations_of(design)
  runs <- list()
  losses <- no_losses(problem, nrow(validations))
  started <- proc.time()[["elapsed"]]
  for (r in seq_along(design$runs)) {
    parts <- design$parts[design$runs[[r]]]
    train <- setdiff(seq_len(nrow(problem$y)), unlist(parts))
    runs[[r]] <- run_response(problem, config, train, parts = parts, keep = keep)
    losses[, , validations$run == r] <- runs[[r]]$losses
    if (r == 1 && length(tried) == 0) {
      # Half of the runs are dropped, usually.
      fewer <- if (projects(problem)) 50 else 500
      announce_time(proc.time()[["elapsed"]] - started, min(1, 2 / problem$runs),
        if (problem$method$iterations > fewer) {
          paste0("To save time, use {.code by_response(iterations = ", fewer, ")}.")
        },
        problem$call
      )
    }
    if (length(tried) && r < length(design$runs) && is_behind(problem, design, losses, tried, r)) {
      losses[] <- Inf
      break
    }
  }
  list(runs = runs, losses = losses)
}

# Whether a configuration with these `losses` is clearly worse than the best of those `tried`, on the rows
# that the first `r` runs have held out.
is_behind <- function(problem, design, losses, tried, r) {
  validations <- validations_of(design)
  so_far <- which(validations$run <= r)
  if (sum(lengths(design$parts)[validations$part[so_far]]) < response_schedule$judged) return(FALSE)
  loss <- function(some) best_choice(problem, some, so_far)$loss
  loss(list(list(losses = losses))) > (1 + response_schedule$behind / r) * loss(tried)
}

# The evaluation, the configuration and the scale with the smallest mean loss over some validations (their
# numbers). `tried`: each configuration's validate_config().
best_choice <- function(problem, tried, some = seq_len(dim(tried[[1]]$losses)[3])) {
  each <- lapply(tried, function(one) rowMeans(one$losses[, , some, drop = FALSE], dims = 2))
  config <- which.min(vapply(each, min, 0))
  loss <- each[[config]]
  at <- arrayInd(which.min(loss), dim(loss))
  list(evaluation = at[1], config = config, scale = scales_of(problem$loss)[at[2]], loss = min(loss))
}

# What a fit keeps of its held-out rows as response$held_out: how many `rows`; their mean `loss` and
# `measure`; the `usual_loss` and the `baseline`, the loss and the measure of a prediction that is the same
# for all rows; of how many `groups` they are, if there are any; and for each row its number (`index`), what
# was observed and what was `fitted`. Each part is scored by the first model not trained on it; configuration,
# number of steps and scale are tuned on other parts.
held_out_report <- function(problem, design, tried) {
  validations <- validations_of(design)
  parts <- design$parts
  type <- problem$response$type
  rows <- seq_len(nrow(problem$y))
  scores <- usual <- list()
  for (part in seq_along(parts)) {
    first <- validations$run[match(part, validations$part)]
    out <- unlist(parts[design$runs[[first]]])
    choice <- best_choice(problem, tried, validations_without(validations, part))
    run <- tried[[choice$config]]$runs[[first]]
    each <- run$scores[[min(choice$evaluation, length(run$scores))]]
    each <- each[match(parts[[part]], out), , drop = FALSE]
    scores[[part]] <- scores_at_scale(each, run$null, choice$scale)
    # Of classes, the largest of all rows: in balanced data that of the others is the smallest of these.
    of <- mean_scores(problem, if (type %in% c("classes", "binary")) rows else setdiff(rows, out))
    usual[[part]] <- matrix(of, nrow(each), ncol(each), byrow = TRUE)
  }
  row <- unlist(parts)
  all <- do.call(rbind, scores)
  if (!all(is.finite(all))) return(NULL)
  data <- data_of_rows(problem, row)
  order <- order(row)
  # Numbers, the number of the class, or a matrix of several numbers or tags.
  observed <- problem$response$y[row[order], , drop = FALSE]
  if (type == "classes") observed <- as.double(max.col(observed, "first"))
  if (type %in% c("binary", "number")) observed <- observed[, 1]
  list(
    rows = length(row), loss = mean_loss(all, data, problem$loss),
    usual_loss = mean_loss(do.call(rbind, usual), data, problem$loss),
    measure = measure_of_scores(problem, scores, parts),
    baseline = if (type == "tags") 0.5 else measure_of_scores(problem, usual, parts),
    groups = if (!is.null(problem$response$groups)) length(unique(problem$response$groups[row])),
    index = row[order], fitted = fitted_of_scores(problem, all[order, , drop = FALSE]), observed = observed,
    weights = data$weights[order] / mean(data$weights)
  )
}

# The measure of the scores of each part, in the units of y: see measure_words().
measure_of_scores <- function(problem, scores, parts) {
  if (problem$response$type == "tags") return(auc_of_parts(problem, scores, parts))
  data <- data_of_rows(problem, unlist(parts))
  scores <- do.call(rbind, scores)
  y <- data$y
  # Several numbers count alike: their errors are in units of their own.
  units <- if (problem$response$type == "number") problem$unit else 1
  each <- switch(problem$loss,
    softmax = max.col(scores, "first") == max.col(y, "first"),
    logistic = (scores > 0) == (y > 0),
    squares = rowMeans(((scores - y) * units)^2),
    huber = rowMeans(abs(scores - y) * units),
    poisson = 2 * rowMeans((ifelse(y > 0, y * log(y / exp(scores)), 0) - (y - exp(scores))) * units)
  )
  sum(data$weights * each) / sum(data$weights)
}

# The area under the ROC curve, a mean over the tags that some rows of a part have and others lack, and then
# over the parts by the weights of their rows. Scores of tags by different models, ranked together, would give
# noise an area below one half, because a model without the positives of a part has a smaller intercept.
auc_of_parts <- function(problem, scores, parts) {
  each <- mapply(function(scores, rows) {
    area <- function(k) score_ranking(scores[, k], problem$y[rows, k], problem$v[rows])[["auc"]]
    mean(vapply(seq_len(ncol(scores)), area, 0), na.rm = TRUE)
  }, scores, parts)
  weight <- vapply(parts, function(rows) sum(problem$v[rows]), 0)
  sum(weight * each, na.rm = TRUE) / sum(weight[!is.na(each)])
}

# Scores as predictions in the units of y: numbers, or probabilities.
fitted_of_scores <- function(problem, scores) {
  p <- link_response(scores, family_of(problem$response)$link)
  p <- p * rep(problem$unit, each = nrow(p)) + rep(problem$middle, each = nrow(p))
  dimnames(p) <- list(NULL, output_names(problem$response))
  p
}

# The model of the error of a response of numbers, see response_predict.R, or NULL.
interval_of_state <- function(problem, state, most = 10000) {
  report <- state$report
  if (is.null(report) || !problem$loss %in% c("squares", "huber")) return(NULL)
  rows <- evenly_spaced(seq_len(nrow(problem$y)), most)
  at <- list(center = problem$source$center, factor = problem$source$factor * as.vector(state$relevance))
  kernel <- kernel_of_state(problem, state)
  root <- kernel_root(state$landmarks, at, kernel, problem$control)
  columns <- function(rows) {
    part <- rows_in_metric(problem, state, rows)
    features <- features_of_state(problem, state, part)
    f <- regression_columns(features, part, if (state$config$trend) problem$trend_unit)
    list(f = f, left = kernel_variance(part, state$landmarks, root, kernel, problem$control))
  }
  learned <- columns(rows)
  # All rows count, not only those that were looked at.
  learned$weights <- problem$v[rows] * nrow(problem$y) / length(rows)
  last <- nrow(state$weights)
  scores <- learned$f %*% state$weights[c(last, seq_len(last - 1)), , drop = FALSE]
  learned$residuals <- problem$y[rows, , drop = FALSE] - scores
  # In the units of the problem, where no square overflows.
  fitted <- (report$fitted - rep(problem$middle, each = report$rows)) / rep(problem$unit, each = report$rows)
  out <- c(columns(report$index), list(weights = report$weights))
  out$residuals <- problem$y[report$index, , drop = FALSE] - fitted
  if (!all(is.finite(c(colSums(learned$residuals^2), colSums(out$residuals^2))))) return(NULL)
  c(interval_model(learned, out, state$penalty), list(unit = problem$unit))
}

# ---- the order -----------------------------------------------------------------------

# A state with its landmarks in another order, in which those that are held keep their places: each next one
# is the one with which a least-squares regression of the response on the features (and on the columns, where
# there is a trend), learned from the rows that are not held out, has the smallest error on the rows `out`
# that are. `most`: of how many rows the regression is learned, where there are few landmarks.
in_order_of_prediction <- function(problem, state, out, most = 5000) {
  n <- nrow(state$landmarks)
  # At least four rows a landmark, so that the regression means something.
  inner <- evenly_spaced(setdiff(seq_len(nrow(problem$y)), out), max(most, 4 * n))
  trend <- nrow(state$weights) - n - 1
  parts <- lapply(c(list(inner), if (length(out)) list(out)), function(rows) {
    f <- features_of_state(problem, state, rows_in_metric(problem, state, rows))
    if (trend > 0) f <- cbind(trend_scores(rows_of(problem$source, rows), diag(problem$trend_unit, trend)), f)
    list(f = f, y = problem$y[rows, , drop = FALSE], v = problem$v[rows] / sum(problem$v[rows]))
  })
  middle <- list(f = colSums(parts[[1]]$v * parts[[1]]$f), y = colSums(parts[[1]]$v * parts[[1]]$y))
  products <- lapply(parts, function(part) {
    f <- part$f - rep(middle$f, each = nrow(part$f))
    y <- part$y - rep(middle$y, each = nrow(part$y))
    list(gram = crossprod(f, part$v * f), cross = crossprod(f, part$v * y))
  })
  learned <- products[[1]]
  checked <- products[[length(products)]]
  order <- .Call(
    C_forward_order, learned$gram, learned$cross, checked$gram, checked$cross,
    list(fixed = as.integer(trend + problem$fixed))
  )
  order <- order[order > trend] - trend
  state$landmarks <- state$landmarks[order, , drop = FALSE]
  state$weights <- state$weights[c(order, n + seq_len(trend + 1)), , drop = FALSE]
  state
}
