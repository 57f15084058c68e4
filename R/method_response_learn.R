# Steps of landmarks and their weights toward a response (?by_response). The steps are the core's
# (src/core/landmarks/response.h); here are batches, held-out rows, and the choice of what is kept.

# Chosen by measurement, on digits and on tables of 47 to 500 rows. `rate`: the first step's, in
# sqrt(bandwidth); `pull`: the rate of the weights relative to it; `looks`: how often held-out rows are
# looked at; `refit`: up to so many rows the landmarks are learned again from all rows; `held`: the most rows
# that are held out; `told`: so many held-out rows in all are wanted where there are few; `bytes`: of the
# rows that are collected at once; `penalties`: to choose from where rows are few; `patience`: looks there
# without a smaller loss.
response_schedule <- list(
  rate = 0.1, pull = 0.3, looks = 20, refit = 10000, held = 5000, told = 500, bytes = 256e6,
  penalties = c(0.001, 0.03, 1), patience = 5
)

# The selection, with parts `bandwidth` and `response`. `start`: landmarks, to be moved after those held.
learn_response <- function(method, response, source, start, kernel, held, call) {
  rows <- draw_rows(source, source$dim[1])
  problem <- response_problem(method, response, source, kernel, rows, call)
  problem$bar <- progress_start("Learning landmarks", method$iterations)
  from <- first_state(problem, rbind(held, start), nrow(held))
  count <- held_count(problem, rows)
  learn <- if (count == 0 || length(rows) > response_schedule$refit) learn_once else learn_twice
  final <- learn(problem, from, rows, count)
  final$weights <- final$weights * final$factor
  ordered <- by_prediction(problem, final, rows, final$out, nrow(held))
  final$landmarks <- final$landmarks[ordered, , drop = FALSE]
  final$weights <- final$weights[c(ordered, nrow(final$weights)), , drop = FALSE]
  n <- nrow(start)
  found <- selection(
    final$landmarks[nrow(held) + seq_len(n), , drop = FALSE],
    iterations = rep(as.integer(final$steps), n), exact = FALSE, ordered = TRUE
  )
  c(found, list(bandwidth = final$bandwidth, response = response_part(problem, final)))
}

# How many rows to hold out: at least five, and none where these would be more than a quarter of all.
held_count <- function(problem, rows) {
  count <- min(response_schedule$held, max(5, round(problem$method$held_out * length(rows))))
  if (problem$method$held_out == 0 || 4 * count > length(rows)) 0 else count
}

# The state with the smallest loss on `count` held-out rows, with `factor`, of the scores; `out`, the rows
# that were held out; and what is `told` of them. Where there are none, the last state.
learn_once <- function(problem, from, rows, count) {
  penalty <- problem$method$penalty %||% response_schedule$penalties[1]
  problem$penalty <- penalty / length(rows)
  problem$runs <- 1
  out <- sort(rows[sample.int(length(rows), count)])
  run <- run_response(problem, from, setdiff(rows, out), out)
  if (count == 0) return(c(run$state, list(factor = 1, of = run$of, penalty = penalty)))
  best <- which.min(run$loss)
  c(run$best, list(
    factor = run$factor[best], out = out, of = run$of, penalty = penalty,
    told = list(rows = count, loss = run$loss[best], measure = run$measure[best])
  ))
}

# The same from all rows, with the penalty and the number of steps that are best over several held-out parts,
# which have no row in common.
learn_twice <- function(problem, from, rows, count) {
  penalties <- problem$method$penalty %||% response_schedule$penalties
  splits <- min(5, length(rows) %/% count, ceiling(response_schedule$told / count))
  drawn <- rows[sample.int(length(rows), splits * count)]
  outs <- lapply(seq_len(splits), function(i) sort(drawn[(i - 1) * count + seq_len(count)]))
  problem$runs <- 1 + length(penalties) * splits
  seen <- lapply(penalties, function(penalty) {
    problem$penalty <- penalty / length(rows)
    lapply(outs, function(out) {
      run_response(problem, from, setdiff(rows, out), out, patience = response_schedule$patience)
    })
  })
  loss <- losses_of_runs(seen)
  best <- arrayInd(which.min(rowMeans(loss, dims = 2)), dim(loss)[1:2])
  problem$penalty <- penalties[best[2]] / length(rows)
  run <- run_response(problem, from, rows, NULL, looks = best[1])
  c(run$state, list(
    factor = mean(vapply(seen[[best[2]]], function(run) run$factor[best[1]], 0)), out = outs[[1]],
    of = run$of, penalty = penalties[best[2]], told = told_of_runs(seen, loss, splits * count)
  ))
}

# Looks x penalties x held-out parts. A run that has ended has an infinite loss from there on.
losses_of_runs <- function(seen) {
  looks <- max(lengths(lapply(unlist(seen, recursive = FALSE), `[[`, "loss")))
  each <- lapply(seen, function(runs) {
    vapply(runs, function(run) c(run$loss, rep(Inf, looks - length(run$loss))), numeric(looks))
  })
  aperm(array(unlist(each), c(looks, length(seen[[1]]), length(seen))), c(1, 3, 2))
}

# The loss and the measure of each held-out part at the penalty and look that are best for the other parts, so
# that what was chosen by a part says nothing of it. A single part has chosen for itself.
told_of_runs <- function(seen, loss, rows) {
  splits <- dim(loss)[3]
  each <- vapply(seq_len(splits), function(s) {
    others <- if (splits > 1) setdiff(seq_len(splits), s) else s
    at <- arrayInd(which.min(rowMeans(loss[, , others, drop = FALSE], dims = 2)), dim(loss)[1:2])
    run <- seen[[at[2]]][[s]]
    look <- min(at[1], length(run$loss))
    c(run$loss[look], run$measure[look])
  }, c(loss = 0, measure = 0))
  list(rows = rows, loss = mean(each["loss", ]), measure = mean(each["measure", ]))
}

# What does not change in the course of learning.
response_problem <- function(method, response, source, kernel, rows, call) {
  y <- response$y
  middle <- 0
  unit <- 1
  if (response$family == "gaussian") {
    v <- weights_at(source, seq_len(source$dim[1])) / source$dim[1]
    # The largest first becomes 1, so that no square overflows or underflows.
    largest <- max(abs(y), .Machine$double.xmin)
    y <- y / largest
    middle <- colSums(v * y)
    y <- y - rep(middle, each = nrow(y))
    spread <- max(abs(y))
    unit <- if (spread > 0) spread * sqrt(colSums(v * (y / spread)^2)) else rep(1, ncol(y))
    unit[!(unit > 0)] <- 1
    y <- y / rep(unit, each = nrow(y))
    middle <- middle * largest
    unit <- unit * largest
  }
  list(
    source = source, y = y, middle = middle, unit = unit, response = response,
    loss = c(multinomial = "softmax", binomial = "logistic", gaussian = "squares")[[response$family]],
    method = method, kernel = kernel_of_moves(kernel, source, call), free = isTRUE(kernel$free),
    how = compute_with(call)
  )
}

# Intercepts of the mean response (the last row of `weights`), no slopes, and no moments yet.
first_state <- function(problem, landmarks, held) {
  n <- nrow(landmarks)
  outputs <- ncol(problem$y)
  none <- matrix(0, n + 1, outputs)
  weights <- none
  # Half a count on either side, so that no class is impossible.
  v <- weights_at(problem$source, seq_len(nrow(problem$y)))
  share <- (colSums(v * problem$y) + 0.5) / (sum(v) + 1)
  weights[n + 1, ] <- switch(problem$loss, squares = 0, softmax = log(share), logistic = stats::qlogis(share))
  list(
    landmarks = landmarks, held = held, bandwidth = problem$kernel$bandwidth, weights = weights,
    first = matrix(0, ncol(landmarks), n), second = matrix(0, 1, n), weight_first = none,
    weight_second = none, moment = c(0, 0), steps = 0
  )
}

# Steps on the rows `train`, with looks at the rows `out`: list(state, loss, factor, measure, best, of), where
# `best` is the state of the smallest loss, and `of` the number of all steps. Ends after `looks` looks, or
# after `patience` looks without a smaller loss.
run_response <- function(problem, state, train, out, looks = Inf, patience = Inf) {
  plan <- response_plan(problem, length(train))
  held <- if (length(out)) held_rows_of(problem, out)
  loss <- factor <- measure <- numeric()
  best <- state
  for (look in seq_len(min(looks, max(plan$look)))) {
    for (call in which(plan$look == look)) {
      state <- remember(
        problem$source, "steps", function() response_steps(problem, state, train, plan[call, ])
      )
    }
    if (is.null(held)) next
    told <- held_out_loss(problem, state, held)
    loss[look] <- if (is.finite(told$loss)) told$loss else Inf
    factor[look] <- told$factor
    measure[look] <- told$measure
    if (look == which.min(loss)) best <- state
    if (look - which.min(loss) >= patience) break
  }
  list(state = state, loss = loss, factor = factor, measure = measure, best = best, of = plan$all[1])
}

# A data frame with a row for each call of the core: the `look` that follows it, its `rows`, `batch` (their
# size; all of a call are about equal), `passes`, `steps` and, `before` it, the steps and `all` steps. The
# k-th of 20 looks comes after the share (k / 20)^2 of all steps, as data of few rows may need few steps.
response_plan <- function(problem, rows) {
  method <- problem$method
  looks <- min(response_schedule$looks, method$iterations)
  ends <- unique(pmax(seq_len(looks), round(method$iterations * (seq_len(looks) / looks)^2)))
  most <- max(method$batch_size, response_schedule$bytes %/% (8 * stored_columns(problem$source)))
  calls <- lapply(seq_along(ends), function(look) {
    wanted <- ends[look] - c(0, ends)[look]
    taken <- if (rows <= method$batch_size) rows else min(rows, wanted * method$batch_size, most)
    batches <- ceiling(taken / method$batch_size)
    batch <- ceiling(taken / batches)
    each <- ceiling(taken / batch)
    # Other batches after two passes at the latest, where there are several; other rows after one.
    most_passes <- if (taken < rows) 1 else if (each > 1) 2 else Inf
    passes <- min(max(1, round(wanted / each)), most_passes)
    count <- max(1, round(wanted / (each * passes)))
    data.frame(look = rep(look, count), rows = taken, batch = batch, passes = passes, steps = each * passes)
  })
  plan <- do.call(rbind, calls)
  plan$before <- cumsum(plan$steps) - plan$steps
  plan$all <- sum(plan$steps)
  plan
}

# One call of the core: steps on random rows of `train`.
response_steps <- function(problem, state, train, plan) {
  rows <- train[sample.int(length(train), plan$rows)]
  batch <- batch_of(problem$source, rows)
  done <- plan$before + seq_len(plan$steps) - 1
  settings <- list(
    rows = batch$rows, batch = as.integer(plan$batch), passes = as.integer(plan$passes), loss = problem$loss,
    rates = response_schedule$rate * (1 - done / plan$all), pull = response_schedule$pull,
    penalty = problem$penalty, moves_bandwidth = problem$free, held = state$held
  )
  y <- problem$y
  # The response of the rows that were brought to memory, where these are others.
  if (batch$source$dim[1] != nrow(y) || !identical(batch$rows, rows)) {
    y <- matrix(0, batch$source$dim[1], ncol(problem$y))
    y[batch$rows, ] <- problem$y[rows, ]
  }
  # A bandwidth a hundred times wider or narrower than at the start is no better.
  settings[c("narrowest", "widest")] <- problem$kernel$bandwidth * c(0.01, 100)
  kernel <- kernel_of_state(problem, state)
  found <- .Call(C_respond, batch$source, state$landmarks, y, kernel, state, c(settings, problem$how))
  progress_step(problem$bar, plan$steps / problem$runs)
  state[names(found)] <- found
  state
}

kernel_of_state <- function(problem, state) with_bandwidth(problem$kernel, state$bandwidth)

held_rows_of <- function(problem, out) {
  weights <- weights_at(problem$source, out)
  list(
    part = rows_of(problem$source, out), y = problem$y[out, , drop = FALSE],
    # Sums of tiny weights would underflow.
    weights = weights / max(weights)
  )
}

# list(loss, factor, measure) of held-out rows: the mean loss after the scores are multiplied by `factor`.
held_out_loss <- function(problem, state, held) {
  scores <- scores_of(problem, state, held$part)
  v <- held$weights
  loss <- function(log_factor) {
    sum(v * rowSums(losses(exp(log_factor) * scores, held$y, problem$loss))) / sum(v)
  }
  factor <- 1
  if (problem$loss != "squares") factor <- exp(stats::optimize(loss, c(-4, 1), tol = 1e-3)$minimum)
  measure <- switch(problem$response$type,
    classes = sum(v * (max.col(scores, "first") == max.col(held$y, "first"))) / sum(v),
    binary = if (problem$loss == "squares") NA_real_ else sum(v * ((scores > 0) == (held$y > 0.5))) / sum(v),
    number = 2 * loss(0) * problem$unit^2,
    tags = tagging_auc(scores, held$y)
  )
  list(loss = loss(log(factor)), factor = factor, measure = measure)
}

# Mean area under the ROC curve of the tags that some rows have and others lack.
tagging_auc <- function(scores, y) {
  some <- which(colSums(y) > 0 & colSums(y) < nrow(y))
  if (length(some) == 0) return(NA_real_)
  mean(vapply(some, function(k) score_ranking(scores[, k], y[, k])[["auc"]], 0))
}

scores_of <- function(problem, state, part) {
  features <- features_over(part, state$landmarks, kernel_of_state(problem, state), problem$how)
  n <- ncol(features)
  features %*% state$weights[seq_len(n), , drop = FALSE] + rep(state$weights[n + 1, ], each = nrow(features))
}

# The loss of each row and output.
losses <- function(scores, y, kind) {
  switch(kind,
    squares = (scores - y)^2 / 2,
    logistic = pmax(scores, 0) + log1p(exp(-abs(scores))) - y * scores,
    softmax = {
      scores <- scores - scores[cbind(seq_len(nrow(scores)), max.col(scores, "first"))]
      y * (log(rowSums(exp(scores))) - scores)
    }
  )
}

# The regression in the units of y, as a fit keeps it.
response_part <- function(problem, state) {
  response <- problem$response
  last <- nrow(state$weights)
  coefficients <- state$weights[c(last, seq_len(last - 1)), , drop = FALSE]
  coefficients <- coefficients * rep(problem$unit, each = last)
  coefficients[1, ] <- coefficients[1, ] + problem$middle
  terms <- c("(Intercept)", paste0("L", seq_len(last - 1)))
  dimnames(coefficients) <- list(terms, output_names(response))
  list(
    family = response$family, type = response$type, levels = response$levels, coefficients = coefficients,
    iterations = as.integer(state$steps), of = as.integer(state$of),
    penalty = state$penalty, held_out = state$told
  )
}

# The order of the landmarks after those held: each next one is the one with which a least-squares regression
# of the response on the features, from rows that are not held out, has the smallest error on those held out.
by_prediction <- function(problem, state, rows, out, held, most = 5000) {
  n <- nrow(state$landmarks)
  inner <- setdiff(rows, out)
  # At least four rows a landmark, so that the regression means something.
  inner <- evenly_spaced(inner, max(most, 4 * n))
  features_of <- function(some) {
    features_over(rows_of(problem$source, some), state$landmarks, kernel_of_state(problem, state), problem$how)
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
  learned <- told <- products(f, y, v)
  if (length(out)) told <- products(features_of(out), problem$y[out, , drop = FALSE], shares_of(out))
  .Call(
    C_forward_order, learned$gram, learned$cross, told$gram, told$cross, list(held = as.integer(held))
  )
}
