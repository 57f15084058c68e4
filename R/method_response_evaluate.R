# What by_response() tells of itself: the regression on rows that were held out, at a choice that other rows
# made.

# What is needed of some held-out rows.
held_out_data <- function(problem, out) c(list(part = rows_of(problem$source, out)), told_of(problem, out))

# What was observed of some rows, and their weights: list(y, weights).
told_of <- function(problem, rows) {
  weights <- weights_at(problem$source, rows)
  # Sums of tiny weights would underflow.
  list(y = problem$y[rows, , drop = FALSE], weights = weights / max(weights))
}

# The number that the scores' differences from `null` are multiplied by to make their loss smallest, and this
# loss: list(scale, loss). Steps that have gone on for long make chances too extreme. `null` are the scores
# that predict the same for all rows, so that rare classes stay rare. For numbers and counts the scale is 1.
# `told`: list(y, weights).
best_scale <- function(problem, scores, null, told) {
  v <- told$weights
  if (!all(is.finite(scores))) return(list(scale = 1, loss = Inf))
  if (!problem$loss %in% c("softmax", "logistic")) {
    loss <- sum(v * rowSums(losses(scores, told$y, problem$loss))) / sum(v)
    return(list(scale = 1, loss = if (is.finite(loss)) loss else Inf))
  }
  loss <- scaled_loss(scores, null, told$y, v, problem$loss)
  log_scale <- stats::optimize(loss, c(-4, 1), tol = 1e-3)$minimum
  least <- loss(log_scale)
  list(scale = exp(log_scale), loss = if (is.finite(least)) least else Inf)
}

# Scores whose differences from `null`, one for each column, are multiplied by `scale`.
scores_at_scale <- function(scores, null, scale) {
  null <- rep(null, each = nrow(scores))
  null + scale * (scores - null)
}

# The mean loss of classes or tags as a function of the logarithm of the scale of their scores. It is computed
# many times: what does not change is computed here.
scaled_loss <- function(scores, null, y, v, kind) {
  rows <- nrow(scores)
  outputs <- ncol(scores)
  off <- scores - rep(null, each = rows)
  if (kind == "softmax") {
    # No term above 1, and one of at least the smallest share.
    off <- off - off[cbind(seq_len(rows), max.col(off, "first"))]
    null <- rep(null - max(null), each = rows)
    own <- rowSums(off * y)
    own_null <- rowSums(null * y)
    return(function(log_scale) {
      s <- exp(log_scale)
      sum(v * (log(.rowSums(exp(null + s * off), rows, outputs)) - own_null - s * own)) / sum(v)
    })
  }
  null <- rep(null, each = rows)
  function(log_scale) {
    at <- null + exp(log_scale) * off
    sum(v * .rowSums(pmax(at, 0) + log1p(exp(-abs(at))) - y * at, rows, outputs)) / sum(v)
  }
}

# Groups of held-out rows: the parts that were held out in turn, or the two halves of a single part. What is
# told of a group is at the choice of the others. Each group is list(part, at, row): the number of its part,
# the places of its rows in the part, and their numbers.
held_out_groups <- function(parts) {
  group <- function(part, at) list(part = part, at = at, row = parts[[part]][at])
  if (length(parts) > 1) return(lapply(seq_along(parts), function(p) group(p, seq_along(parts[[p]]))))
  rows <- length(parts[[1]])
  half <- sample.int(rows) <= rows / 2
  list(group(1, which(half)), group(1, which(!half)))
}

# The losses and the scales of all runs at all evaluations for each group, arrays of evaluations x plans x
# groups. `runs`: for each plan a list of the runs of all parts. The evaluations that a run has ended before
# have an infinite loss.
losses_of_runs <- function(problem, runs, groups) {
  evaluations <- max(lengths(lapply(unlist(runs, recursive = FALSE), `[[`, "loss")))
  size <- c(evaluations, length(runs), length(groups))
  loss <- array(Inf, size)
  scale <- array(1, size)
  for (g in seq_along(groups)) {
    told <- told_of(problem, groups[[g]]$row)
    for (p in seq_along(runs)) {
      run <- runs[[p]][[groups[[g]]$part]]
      if (length(groups[[g]]$at) == nrow(run$scores[[1]])) {
        loss[seq_along(run$loss), p, g] <- run$loss
        scale[seq_along(run$loss), p, g] <- run$scale
        next
      }
      for (e in seq_along(run$scores)) {
        best <- best_scale(problem, run$scores[[e]][groups[[g]]$at, , drop = FALSE], run$null, told)
        loss[e, p, g] <- best$loss
        scale[e, p, g] <- best$scale
      }
    }
  }
  list(loss = loss, scale = scale)
}

# The evaluation and the plan with the smallest mean loss over some groups, and the mean scale there.
best_choice <- function(found, groups) {
  mean_of <- function(v) rowMeans(v[, , groups, drop = FALSE], dims = 2)
  loss <- mean_of(found$loss)
  at <- arrayInd(which.min(loss), dim(loss))
  list(evaluation = at[1], plan = at[2], scale = mean_of(found$scale)[at])
}

# What a fit keeps of its held-out rows as response$held_out: how many `rows`; their mean `loss` and
# `measure`; the `usual_loss` and the `baseline`, the loss and the measure of a prediction that is the same
# for all rows; and for each row its
# number (`index`), what was observed and what was `fitted`. Each group is told at the plan, the evaluation
# and the scale that are best for the other groups.
held_out_report <- function(problem, runs, groups, found) {
  each <- lapply(seq_along(groups), function(g) {
    others <- setdiff(seq_along(groups), g)
    choice <- best_choice(found, others)
    run <- runs[[choice$plan]][[groups[[g]]$part]]
    at_end <- min(choice$evaluation, length(run$scores))
    scores_at_scale(run$scores[[at_end]][groups[[g]]$at, , drop = FALSE], run$null, choice$scale)
  })
  # Of classes, the largest of all rows: in balanced data the largest of the other rows would be the smallest
  # of these.
  of_classes <- problem$response$type %in% c("classes", "binary")
  usual <- lapply(groups, function(g) {
    same <- unlist(lapply(groups, function(o) if (o$part == g$part) o$row))
    train <- if (of_classes) problem$rows else setdiff(problem$rows, same)
    matrix(mean_scores(problem, train), length(g$row), ncol(problem$y), byrow = TRUE)
  })
  row <- unlist(lapply(groups, `[[`, "row"))
  scores <- do.call(rbind, each)
  usual <- do.call(rbind, usual)
  if (!all(is.finite(scores))) return(NULL)
  told <- told_of(problem, row)
  v <- told$weights
  order <- order(row)
  # Scores of different models are no order of all rows: the areas under their ROC curves are of each group.
  of_tags <- problem$response$type == "tags"
  mean_loss <- function(scores) sum(v * rowSums(losses(scores, told$y, problem$loss))) / sum(v)
  list(
    rows = length(row), loss = mean_loss(scores), usual_loss = mean_loss(usual),
    measure = if (of_tags) auc_of_groups(problem, each, groups) else measure_of_scores(problem, scores, told),
    baseline = if (of_tags) 0.5 else measure_of_scores(problem, usual, told),
    index = row[order], fitted = fitted_of_scores(problem, scores[order, , drop = FALSE]),
    observed = observed_of(problem, row[order]), weights = v[order] / mean(v)
  )
}

# The measure of some scores, in the units of y: see response_measures.
measure_of_scores <- function(problem, scores, told) {
  v <- told$weights
  y <- told$y
  mean_of <- function(each) sum(v * each) / sum(v)
  # Several numbers count alike: their errors are in units of their own.
  units <- if (problem$response$type == "number") problem$unit else 1
  switch(problem$response$type,
    classes = mean_of(max.col(scores, "first") == max.col(y, "first")),
    binary = {
      half <- if (problem$loss == "squares") (0.5 - problem$middle) / problem$unit else 0
      mean_of((scores > half) == (y > half))
    },
    number = ,
    numbers = switch(problem$loss,
      squares = mean_of(rowMeans(((scores - y) * units)^2)),
      huber = mean_of(rowMeans(abs(scores - y) * units)),
      poisson = {
        mean <- exp(scores)
        2 * mean_of(rowMeans((ifelse(y > 0, y * log(y / mean), 0) - (y - mean)) * units))
      }
    )
  )
}

# The mean area under the ROC curve of the tags over the groups, by their rows.
auc_of_groups <- function(problem, scores, groups) {
  each <- vapply(seq_along(groups), function(g) {
    tagging_auc(scores[[g]], problem$y[groups[[g]]$row, , drop = FALSE])
  }, 0)
  rows <- lengths(lapply(groups, `[[`, "row"))
  some <- !is.na(each)
  if (any(some)) sum(rows[some] * each[some]) / sum(rows[some]) else NA_real_
}

# What was observed of some rows, as a user knows it: numbers, or the number of the class. A matrix of numbers
# or tags.
observed_of <- function(problem, rows) {
  y <- problem$response$y[rows, , drop = FALSE]
  switch(problem$response$type, classes = as.double(max.col(y, "first")), tags = , numbers = y, y[, 1])
}

# Scores as predictions in the units of y: numbers, or probabilities.
fitted_of_scores <- function(problem, scores) {
  p <- link_response(scores, response_links[[problem$response$family]])
  p <- p * rep(problem$unit, each = nrow(p)) + rep(problem$middle, each = nrow(p))
  matrix(p, nrow(p), dimnames = list(NULL, output_names(problem$response)))
}

# Mean area under the ROC curve of the tags that some rows have and others lack.
tagging_auc <- function(scores, y) {
  some <- which(colSums(y) > 0 & colSums(y) < nrow(y))
  if (length(some) == 0) return(NA_real_)
  mean(vapply(some, function(k) score_ranking(scores[, k], y[, k])[["auc"]], 0))
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
  root <- kernel_root(state$landmarks, at, kernel)
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
  residuals <- problem$y[rows, , drop = FALSE] - scores_of_columns(parts[[1]]$f, state)
  fitted <- (report$fitted - rep(problem$middle, each = report$rows)) / rep(problem$unit, each = report$rows)
  residuals_out <- problem$y[report$index, , drop = FALSE] - fitted
  told <- c(parts[[2]], list(residuals = residuals_out, weights = report$weights))
  if (!all(is.finite(c(colSums(residuals^2), colSums(told$residuals^2))))) return(NULL)
  learned <- list(f = parts[[1]]$f, weights = weights, residuals = residuals)
  c(interval_model(learned, told, state$penalty), list(unit = problem$unit))
}

# The scores of rows from the columns of their regression.
scores_of_columns <- function(f, state) {
  last <- nrow(state$weights)
  f %*% state$weights[c(last, seq_len(last - 1)), , drop = FALSE]
}
