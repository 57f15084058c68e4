# What by_response() tells of itself: the regression on rows that were held out, at a choice that other rows
# made.

# What is needed of some rows to compute their loss.
data_of_rows <- function(problem, out) c(list(part = rows_of(problem$source, out)), told_of(problem, out))

# What was observed of some rows, and their weights: list(y, weights).
told_of <- function(problem, rows) {
  weights <- weights_at(problem$source, rows)
  # Sums of tiny weights would underflow.
  list(y = problem$y[rows, , drop = FALSE], weights = weights / max(weights))
}

# The scales that are tried: what the scores' differences from `null` are multiplied by. Steps that have gone
# on for long make chances too extreme. `null` are the scores that predict the same for all rows, so that rare
# classes stay rare. For numbers and counts the scale is 1.
scales_of <- function(kind) if (kind %in% c("softmax", "logistic")) exp(seq(-4, 1, by = 0.25)) else 1

# The mean loss of some rows at each of these scales. `told`: list(y, weights).
losses_at_scales <- function(problem, scores, null, told) {
  scales <- scales_of(problem$loss)
  if (!all(is.finite(scores))) return(rep(Inf, length(scales)))
  v <- told$weights
  loss <- if (length(scales) == 1) {
    sum(v * rowSums(losses(scores, told$y, problem$loss))) / sum(v)
  } else {
    vapply(scales, scaled_loss(scores, null, told$y, v, problem$loss), 0)
  }
  ifelse(is.finite(loss), loss, Inf)
}

# Scores whose differences from `null`, one for each column, are multiplied by `scale`.
scores_at_scale <- function(scores, null, scale) {
  null <- rep(null, each = nrow(scores))
  null + scale * (scores - null)
}

# The mean loss of classes or tags as a function of the scale of their scores. It is computed many times: what
# does not change is computed here.
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
    return(function(s) {
      sum(v * (log(.rowSums(exp(null + s * off), rows, outputs)) - own_null - s * own)) / sum(v)
    })
  }
  null <- rep(null, each = rows)
  function(s) {
    at <- null + s * off
    sum(v * .rowSums(pmax(at, 0) + log1p(exp(-abs(at))) - y * at, rows, outputs)) / sum(v)
  }
}

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

# The looks that choose for a part: those at other parts, of runs that have left it out too, if there are
# any.
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
  of_classes <- problem$response$type %in% c("classes", "binary")
  usual <- lapply(seq_along(design$parts), function(part) {
    out <- unlist(design$parts[design$runs[[first[part]]]])
    train <- if (of_classes) problem$rows else setdiff(problem$rows, out)
    matrix(mean_scores(problem, train), length(design$parts[[part]]), ncol(problem$y), byrow = TRUE)
  })
  row <- unlist(design$parts)
  scores <- do.call(rbind, each)
  usual <- do.call(rbind, usual)
  if (!all(is.finite(scores))) return(NULL)
  told <- told_of(problem, row)
  v <- told$weights
  order <- order(row)
  fitted <- fitted_of_scores(problem, scores[order, , drop = FALSE])
  observed <- observed_of(problem, row[order])
  # Ranked together, scores of different models would give noise an area below one half: a model without the
  # positives of a part has a smaller intercept. So areas are of each part.
  auc <- if (problem$response$type == "tags") auc_of_parts(problem, each, design$parts)
  mean_loss <- function(scores) sum(v * rowSums(losses(scores, told$y, problem$loss))) / sum(v)
  list(
    rows = length(row), loss = mean_loss(scores), usual_loss = mean_loss(usual),
    measure = if (is.null(auc)) measure_of_scores(problem, scores, told) else auc,
    baseline = if (is.null(auc)) measure_of_scores(problem, usual, told) else 0.5,
    groups = if (!is.null(problem$response$groups)) length(unique(problem$response$groups[row])),
    index = row[order], fitted = fitted,
    observed = observed, weights = v[order] / mean(v)
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

# The mean area under the ROC curve of the tags over the parts, by the weights of their rows.
auc_of_parts <- function(problem, scores, parts) {
  each <- vapply(seq_along(parts), function(p) {
    weights <- weights_at(problem$source, parts[[p]])
    tagging_auc(scores[[p]], problem$response$y[parts[[p]], , drop = FALSE], weights)
  }, 0)
  rows <- vapply(parts, function(rows) sum(weights_at(problem$source, rows)), 0)
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
  # As predict() has them, where least squares predict classes.
  if (!problem$response$type %in% c("number", "numbers")) p[] <- pmin(pmax(p, 0), 1)
  matrix(p, nrow(p), dimnames = list(NULL, output_names(problem$response)))
}

# Mean area under the ROC curve of the tags that some rows of weight above 0 have and others lack.
tagging_auc <- function(scores, y, v) {
  counts <- v > 0
  y <- y[counts, , drop = FALSE]
  some <- which(colSums(y) > 0 & colSums(y) < nrow(y))
  if (length(some) == 0) return(NA_real_)
  mean(vapply(some, function(k) score_ranking(scores[counts, k], y[, k], v[counts])[["auc"]], 0))
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
