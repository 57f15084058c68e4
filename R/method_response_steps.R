# The steps of by_response(): the calls of the core, and the loss on held-out rows in the course of them.

# Makes steps on the rows `train` by a `config` (see method_response_learn.R), and computes the scores of the
# rows of the held-out `parts` from time to time, until there were so many `evaluations`, or several of them
# without a smaller loss. Returns list(state, states, scores, null, losses, of): the last state; the state and
# the scores of all parts' rows at each evaluation, the states only where they are wanted (`keep`); the scores
# that are the same for all rows; the losses (see no_losses()), infinite after the run has ended; and how many
# steps were planned. States that are looked at or returned have the best intercepts, the steps go on from
# their own.
run_response <- function(problem, config, train, evaluations = Inf, parts = list(), keep = FALSE) {
  state <- first_state(problem, train, config)
  calls <- response_calls(problem, length(train))
  out <- unlist(parts)
  held_out <- if (length(parts)) data_of_rows(problem, out)
  observed <- lapply(parts, data_of_rows, problem = problem)
  learned <- data_of_rows(problem, evenly_spaced(train, response_schedule$intercept))
  null <- state$weights[nrow(state$weights), ]
  least <- numeric()
  states <- scores <- list()
  losses <- no_losses(problem, length(parts))
  for (e in seq_len(min(evaluations, max(calls$evaluation)))) {
    for (k in which(calls$evaluation == e)) state <- response_steps(problem, config, state, train, calls[k, ])
    if (is.null(held_out)) next
    seen <- with_best_intercept(problem, state, learned)
    scores[[e]] <- scores_of(problem, seen, held_out$part)
    for (p in seq_along(parts)) {
      of_part <- scores[[e]][match(parts[[p]], out), , drop = FALSE]
      losses[e, , p] <- losses_at_scales(problem$loss, of_part, null, observed[[p]])
    }
    least[e] <- min(rowMeans(losses[e, , , drop = FALSE], dims = 2))
    if (keep) states[[e]] <- seen
    stale <- e - which.min(least)
    if (stale >= response_schedule$patience && e >= response_schedule$first_stop[[problem$optimizer]]) break
  }
  if (is.null(held_out)) seen <- with_best_intercept(problem, state, learned)
  list(state = seen, states = states, scores = scores, null = null, losses = losses, of = calls$all[1])
}

# A state with the intercepts that are best for some rows that are learned from. While steps are long,
# intercepts are off by as much as a step of all weights together changes the scores: with a wide kernel
# features are nearly the same, and that is much. `learned`: list(part, y, weights).
with_best_intercept <- function(problem, state, learned) {
  if (projects(problem)) return(state)
  scores <- scores_of(problem, state, learned$part)
  shift <- best_shift(scores, learned$y, learned$weights, problem$loss)
  last <- nrow(state$weights)
  if (all(is.finite(shift))) state$weights[last, ] <- state$weights[last, ] + shift
  state
}

# The numbers that are added to the columns of `scores` to make their loss smaller, the smallest for squares
# and counts. Each step minimizes a bound of the loss that touches it.
best_shift <- function(scores, y, v, kind, steps = if (kind == "huber") 20 else 5) {
  v <- v / sum(v)
  shift <- numeric(ncol(scores))
  # Half a row, so that no logarithm is infinite.
  log_ratio <- function(means) log((colSums(v * y) + 0.5 / nrow(y)) / (colSums(v * means) + 0.5 / nrow(y)))
  for (k in seq_len(if (kind %in% c("squares", "poisson")) 1 else steps)) {
    at <- scores + rep(shift, each = nrow(scores))
    shift <- shift + switch(kind,
      squares = colSums(v * (y - at)),
      huber = colSums(v * pmax(pmin(y - at, huber_width), -huber_width)),
      poisson = log_ratio(exp(pmin(at, 30))),
      softmax = log_ratio(link_response(at, "softmax")),
      logistic = {
        p <- stats::plogis(at)
        colSums(v * (y - p)) / pmax(colSums(v * p * (1 - p)), 0.25 * abs(colSums(v * (y - p))), 1e-6)
      }
    )
  }
  shift
}

# The calls of the core, a row of a data frame for each: the number of the `evaluation` that comes after it;
# how many `rows` it is given; the size of a `batch` of these; how many `passes` over the rows it makes, and
# how many `steps`; and how many steps come `before` it, and in `all` calls. The k-th of 20 evaluations comes
# after the share (k / 20)^2 of all steps: the first ones come early, because data of few rows may need few
# steps.
response_calls <- function(problem, rows) {
  method <- problem$method
  count <- min(response_schedule$evaluations, method$iterations)
  ends <- unique(pmax(seq_len(count), round(method$iterations * (seq_len(count) / count)^2)))
  most <- max(method$batch_size, response_schedule$bytes %/% (8 * stored_columns(problem$source)))
  # A pass over as many rows as are collected at once, in batches of about equal size.
  taken <- min(rows, most)
  full <- ceiling(taken / method$batch_size)
  batch <- ceiling(taken / full)
  steps <- lapply(diff(c(0, ends)), function(left) {
    # All rows are used twice, then they are cut into other batches. A single batch has no others.
    longest <- full * if (full == 1) left else response_schedule$passes
    each <- c(rep(longest, left %/% longest), rep(full, left %% longest %/% full), left %% full)
    each[each > 0]
  })
  evaluation <- rep(seq_along(steps), lengths(steps))
  steps <- unlist(steps)
  data.frame(
    evaluation = evaluation, rows = pmin(taken, steps * batch), batch = batch,
    passes = pmax(1, steps %/% full), steps = steps, before = cumsum(steps) - steps, all = sum(steps)
  )
}

# The state after one call of the core, with steps on random rows of `train`. `call`: a row of
# response_calls().
response_steps <- function(problem, config, state, train, call) {
  done <- call$before + seq_len(call$steps) - 1
  settings <- list(
    rows = if (projects(problem)) train else train[sample.int(length(train), call$rows)],
    batch = as.integer(call$batch), passes = as.integer(call$passes), loss = problem$loss,
    projects = projects(problem), pull = response_schedule$pull,
    rates = response_schedule$learning_rate * (1 - done / call$all),
    penalty = config$penalty / nrow(problem$y), moves_bandwidth = isTRUE(problem$kernel$tune_bandwidth),
    fixed = state$fixed, unit = if (config$trend) problem$trend_unit,
    # In a projection relevances move as far as landmarks do.
    relevance = config$relevance / if (projects(problem)) response_schedule$relevance else 1,
    width = huber_width,
    # A bandwidth a hundred times wider or narrower than at the start is no better.
    narrowest = problem$kernel$bandwidth * 0.01, widest = problem$kernel$bandwidth * 100
  )
  kernel <- kernel_of_state(problem, state)
  found <- .Call(
    C_respond, problem$source, state$landmarks, problem$y, kernel, state, c(settings, problem$control)
  )
  progress_step(problem$bar, call$steps / problem$runs)
  state[names(found)] <- found
  state
}
