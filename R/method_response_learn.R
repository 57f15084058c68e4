# How by_response() learns: stochastic steps of the landmarks and of the weights of a regression on their
# features. The core makes the steps (src/core/landmarks/response.h). This file draws the batches, evaluates
# the regression on held-out rows, and chooses what is kept.
#
# Two words: landmarks that are `held` stay where an earlier fit has put them; rows that are held out (`out`,
# `held_out`) take no part in the steps.

# The numbers of the schedule. They were chosen by measurement, on digits and on tables of 47 to 500 rows.
response_schedule <- list(
  # The length of the first step of a landmark, as a multiple of sqrt(bandwidth).
  rate = 0.1,
  # The rate of the weights, as a multiple of that of the landmarks.
  pull = 0.3,
  # How often the loss on held-out rows is evaluated in the course of the steps.
  evaluations = 20,
  # With so many rows or fewer the landmarks are learned twice: once without the held-out rows, to choose the
  # penalty and the number of steps, then from all rows.
  refit = 10000,
  # With so few rows, learning ends after this many evaluations without a smaller loss.
  patience = 5,
  # With so few rows, the penalties to choose from.
  penalties = c(0.001, 0.03, 1),
  # With so few rows, how many held-out rows are wanted in all, over several splits.
  wanted_held_out = 500,
  # The most rows that are held out in one split.
  most_held_out = 5000,
  # The most bytes of rows that are brought to memory for one call of the core.
  bytes = 256e6
)

# The selection, with the parts `bandwidth` and `response`. `held`: landmarks that stay where they are;
# `start`: where the new landmarks start.
learn_response <- function(method, response, source, start, kernel, held, call) {
  rows <- draw_rows(source, source$dim[1])
  problem <- response_problem(method, response, source, kernel, rows, call)
  problem$bar <- progress_start("Learning landmarks", method$iterations)
  from <- first_state(problem, rbind(held, start), nrow(held))
  count <- held_out_count(problem, rows)
  learn <- if (count == 0 || length(rows) > response_schedule$refit) learn_once else learn_twice
  final <- learn(problem, from, rows, count)
  final$weights <- final$weights * final$score_scale
  ordered <- order_by_prediction(problem, final, rows, final$out, nrow(held))
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
held_out_count <- function(problem, rows) {
  count <- min(response_schedule$most_held_out, max(5, round(problem$method$held_out * length(rows))))
  if (problem$method$held_out == 0 || 4 * count > length(rows)) 0 else count
}

# Learns from all rows but `count`, which are held out. Returns the state with the smallest loss on the
# held-out rows, or the last state where `count` is 0, and four further parts: `score_scale`, which the scores
# are multiplied by; `out`, the rows that were held out; `of`, the number of steps that were planned; and
# `report`, what a fit keeps as response$held_out.
learn_once <- function(problem, from, rows, count) {
  penalty <- problem$method$penalty %||% response_schedule$penalties[1]
  problem$penalty <- penalty / length(rows)
  problem$runs <- 1
  out <- sort(rows[sample.int(length(rows), count)])
  run <- run_response(problem, from, setdiff(rows, out), out)
  if (count == 0) return(c(run$state, list(score_scale = 1, of = run$of, penalty = penalty)))
  best <- which.min(run$loss)
  c(run$best, list(
    score_scale = run$score_scale[best], out = out, of = run$of, penalty = penalty,
    report = list(rows = count, loss = run$loss[best], measure = run$measure[best])
  ))
}

# As learn_once(), but the landmarks are learned from all rows in the end. The penalty and the number of steps
# are first chosen: those with the smallest mean loss over several splits, whose held-out rows do not overlap.
learn_twice <- function(problem, from, rows, count) {
  penalties <- problem$method$penalty %||% response_schedule$penalties
  splits <- min(5, length(rows) %/% count, ceiling(response_schedule$wanted_held_out / count))
  drawn <- rows[sample.int(length(rows), splits * count)]
  outs <- lapply(seq_len(splits), function(i) sort(drawn[(i - 1) * count + seq_len(count)]))
  problem$runs <- 1 + length(penalties) * splits
  runs <- lapply(penalties, function(penalty) {
    problem$penalty <- penalty / length(rows)
    lapply(outs, function(out) {
      run_response(problem, from, setdiff(rows, out), out, patience = response_schedule$patience)
    })
  })
  loss <- losses_of_runs(runs)
  best <- arrayInd(which.min(rowMeans(loss, dims = 2)), dim(loss)[1:2])
  problem$penalty <- penalties[best[2]] / length(rows)
  run <- run_response(problem, from, rows, NULL, evaluations = best[1])
  c(run$state, list(
    score_scale = mean(vapply(runs[[best[2]]], function(run) run$score_scale[best[1]], 0)),
    out = outs[[1]], of = run$of, penalty = penalties[best[2]],
    report = report_of_runs(runs, loss, splits * count)
  ))
}

# The losses of all runs, an array of evaluations x penalties x splits. `runs`: for each penalty a list of the
# runs of all splits. The evaluations that a run has ended before have an infinite loss.
losses_of_runs <- function(runs) {
  evaluations <- max(lengths(lapply(unlist(runs, recursive = FALSE), `[[`, "loss")))
  each <- lapply(runs, function(of_penalty) {
    vapply(of_penalty, function(run) {
      c(run$loss, rep(Inf, evaluations - length(run$loss)))
    }, numeric(evaluations))
  })
  aperm(array(unlist(each), c(evaluations, length(runs[[1]]), length(runs))), c(1, 3, 2))
}

# The mean loss and measure over the splits, each at the penalty and the evaluation that are best for the
# other splits: held-out rows that had chosen these for themselves would have too small a loss. A single split
# chooses for itself, as there is no other.
report_of_runs <- function(runs, loss, rows) {
  splits <- dim(loss)[3]
  each <- vapply(seq_len(splits), function(s) {
    others <- if (splits > 1) setdiff(seq_len(splits), s) else s
    at <- arrayInd(which.min(rowMeans(loss[, , others, drop = FALSE], dims = 2)), dim(loss)[1:2])
    run <- runs[[at[2]]][[s]]
    at_end <- min(at[1], length(run$loss))
    c(run$loss[at_end], run$measure[at_end])
  }, c(loss = 0, measure = 0))
  list(rows = rows, loss = mean(each["loss", ]), measure = mean(each["measure", ]))
}

# What stays the same while landmarks are learned. Numbers are centered and divided by their standard
# deviation (`middle`, `unit`), so that one schedule suits them all.
response_problem <- function(method, response, source, kernel, rows, call) {
  y <- response$y
  middle <- 0
  unit <- 1
  if (response$family == "gaussian") {
    v <- weights_at(source, seq_len(source$dim[1])) / source$dim[1]
    # First the largest becomes 1, so that no square overflows or underflows.
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

# The state that the steps start from: intercepts (the last row of `weights`) that predict the mean response,
# no slopes, and no moments of gradients yet. The core reads these names.
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

# Makes steps on the rows `train` and evaluates the regression on the rows `out` from time to time, until
# there were so many `evaluations`, or `patience` of them without a smaller loss. Returns list(state, loss,
# score_scale, measure, best, of): the last state; the numbers of each evaluation; the state with the smallest
# loss; and how many steps were planned.
run_response <- function(problem, state, train, out, evaluations = Inf, patience = Inf) {
  plan <- response_plan(problem, length(train))
  held_out <- if (length(out)) held_out_data(problem, out)
  loss <- score_scale <- measure <- numeric()
  best <- state
  for (e in seq_len(min(evaluations, max(plan$evaluation)))) {
    for (call in which(plan$evaluation == e)) {
      state <- remember(
        problem$source, "steps", function() response_steps(problem, state, train, plan[call, ])
      )
    }
    if (is.null(held_out)) next
    found <- evaluate_state(problem, state, held_out)
    loss[e] <- if (is.finite(found$loss)) found$loss else Inf
    score_scale[e] <- found$score_scale
    measure[e] <- found$measure
    if (e == which.min(loss)) best <- state
    if (e - which.min(loss) >= patience) break
  }
  list(
    state = state, loss = loss, score_scale = score_scale, measure = measure, best = best, of = plan$all[1]
  )
}

# The calls of the core, a row of a data frame for each: the number of the `evaluation` that comes after it;
# how many `rows` it is given; the size of a `batch` of these, which are about equal; how many `passes` over
# the rows it makes, and how many `steps`; and how many steps come `before` it, and in `all` calls. The k-th
# of 20 evaluations comes after the share (k / 20)^2 of all steps: the first ones come early, because data of
# few rows may need few steps.
response_plan <- function(problem, rows) {
  method <- problem$method
  count <- min(response_schedule$evaluations, method$iterations)
  ends <- unique(pmax(seq_len(count), round(method$iterations * (seq_len(count) / count)^2)))
  most <- max(method$batch_size, response_schedule$bytes %/% (8 * stored_columns(problem$source)))
  calls <- lapply(seq_along(ends), function(e) {
    wanted <- ends[e] - c(0, ends)[e]
    taken <- if (rows <= method$batch_size) rows else min(rows, wanted * method$batch_size, most)
    batches <- ceiling(taken / method$batch_size)
    batch <- ceiling(taken / batches)
    each <- ceiling(taken / batch)
    # Rows that are not all of them are used once. All rows are used twice, then they are cut into other
    # batches; where they are a single batch, there are no others.
    most_passes <- if (taken < rows) 1 else if (each > 1) 2 else Inf
    passes <- min(max(1, round(wanted / each)), most_passes)
    times <- max(1, round(wanted / (each * passes)))
    data.frame(
      evaluation = rep(e, times), rows = taken, batch = batch, passes = passes, steps = each * passes
    )
  })
  plan <- do.call(rbind, calls)
  plan$before <- cumsum(plan$steps) - plan$steps
  plan$all <- sum(plan$steps)
  plan
}

# The state after one call of the core, with steps on random rows of `train`. `plan`: a row of
# response_plan().
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
  # Where only the drawn rows were brought to memory, the core needs the responses of these, in their places.
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

# What evaluate_state() needs of the held-out rows.
held_out_data <- function(problem, out) {
  weights <- weights_at(problem$source, out)
  list(
    part = rows_of(problem$source, out), y = problem$y[out, , drop = FALSE],
    # Sums of tiny weights would underflow.
    weights = weights / max(weights)
  )
}

# The regression of a state on held-out rows: list(loss, score_scale, measure). The loss is the mean over the
# rows after the scores are multiplied by `score_scale`, the number that makes it smallest: steps that have
# gone on for long make chances too extreme. For squares the number is 1.
evaluate_state <- function(problem, state, held_out) {
  scores <- scores_of(problem, state, held_out$part)
  v <- held_out$weights
  y <- held_out$y
  loss <- function(log_scale) {
    sum(v * rowSums(losses(exp(log_scale) * scores, y, problem$loss))) / sum(v)
  }
  score_scale <- 1
  if (problem$loss != "squares") score_scale <- exp(stats::optimize(loss, c(-4, 1), tol = 1e-3)$minimum)
  measure <- switch(problem$response$type,
    classes = sum(v * (max.col(scores, "first") == max.col(y, "first"))) / sum(v),
    binary = if (problem$loss == "squares") NA_real_ else sum(v * ((scores > 0) == (y > 0.5))) / sum(v),
    number = 2 * loss(0) * problem$unit^2,
    tags = tagging_auc(scores, y)
  )
  list(loss = loss(log(score_scale)), score_scale = score_scale, measure = measure)
}

# Mean area under the ROC curve of the tags that some rows have and others lack.
tagging_auc <- function(scores, y) {
  some <- which(colSums(y) > 0 & colSums(y) < nrow(y))
  if (length(some) == 0) return(NA_real_)
  mean(vapply(some, function(k) score_ranking(scores[, k], y[, k])[["auc"]], 0))
}

# The scores of the rows of a part, rows x outputs: the linear predictors of the regression.
scores_of <- function(problem, state, part) {
  features <- features_over(part, state$landmarks, kernel_of_state(problem, state), problem$how)
  n <- ncol(features)
  features %*% state$weights[seq_len(n), , drop = FALSE] + rep(state$weights[n + 1, ], each = nrow(features))
}

# The loss of each row and output; for softmax, the part of the row's loss that falls to the output.
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
    penalty = state$penalty, held_out = state$report
  )
}

# The order of all landmarks, the first `held` of which keep their places: each next one is the one with which
# a least-squares regression of the response on the features, learned from the rows that are not held out, has
# the smallest error on the rows `out` that are. `most`: of how many rows the regression is learned, where
# there are few landmarks.
order_by_prediction <- function(problem, state, rows, out, held, most = 5000) {
  n <- nrow(state$landmarks)
  inner <- setdiff(rows, out)
  # At least four rows a landmark, so that the regression means something.
  inner <- evenly_spaced(inner, max(most, 4 * n))
  features_of <- function(some) {
    part <- rows_of(problem$source, some)
    features_over(part, state$landmarks, kernel_of_state(problem, state), problem$how)
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
  .Call(
    C_forward_order, learned$gram, learned$cross, checked$gram, checked$cross, list(held = as.integer(held))
  )
}
