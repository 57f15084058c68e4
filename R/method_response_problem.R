# The problem that by_response() solves: the response in units of its own, the losses, the numbers of the
# schedule, and the state that steps start from and end in (see method_response_steps.R).

# The numbers of the schedule. They were chosen by measurement, on digits and on tables of 47 to 500 rows.
response_schedule <- list(
  # The length of the first step of a landmark, as a multiple of sqrt(bandwidth).
  learning_rate = 0.1,
  # The rate of the weights, as a multiple of that of the landmarks.
  pull = 0.3,
  # The rate of the relevances, as a multiple of that of the landmarks.
  relevance = 0.3,
  # With more columns than this, a slower rate is tried too.
  many_columns = 20,
  # How often the loss on held-out rows is evaluated in the course of the steps.
  evaluations = 20,
  # With so many rows or fewer the landmarks are learned twice: once without the held-out rows, to choose the
  # penalty and the number of steps, then from all rows.
  refit = 10000,
  # With fewer rows, each is held out in turn.
  leave_one_out = 20,
  # With fewer rows, held-out scores use hyperparameters chosen without those rows.
  few = 400,
  # Learning ends after this many evaluations without a smaller loss,
  patience = 3,
  # and not before this evaluation: the loss of few landmarks often starts on a plateau.
  first_stop = c(adam = 1, projection = 9),
  # A configuration is dropped if its held-out loss over r runs is this share over r above the best one's,
  behind = 0.1,
  # once so many rows have been held out.
  judged = 30,
  # The penalties to choose from if the model is learned twice, the most often chosen first, by the optimizer,
  # and the penalty otherwise.
  penalties = list(adam = c(0.03, 1, 0.001), projection = c(0.3, 0.03, 3)),
  penalty = c(adam = 0.001, projection = 1),
  # A projection keeps 17 vectors of so many numbers at the most.
  coordinates = 1e6,
  # The most steps of Adam, and the most iterations of L-BFGS.
  iterations = c(adam = 2000, projection = 150),
  # Rows in a batch of Adam.
  batch_size = 500,
  # With so few rows, how many held-out rows are wanted in all, over several splits.
  wanted_held_out = 500,
  # How many rows the best intercepts are computed from.
  intercept = 2000,
  # The most rows that are held out in one split.
  most_held_out = 5000,
  # The most bytes of rows that are collected for one call of the core: few, because large blocks of memory
  # are new to the processor each time.
  bytes = 24e6,
  # How often these rows are used before others are collected.
  passes = 2
)

# What stays the same while landmarks are learned. Numbers are centered and divided by a unit of their own
# (`middle`, `unit`), so that one schedule suits them all. All rows have weights above 0, `v`.
response_problem <- function(method, response, source, start, kernel, call) {
  # The columns of the trend have the standard deviation 1. Sparse data have no trend.
  sd <- sqrt(as.double(source$variance)) * source$factor
  unit <- ifelse(sd > 0, 1 / sd, 0)
  v <- source$weights %||% rep(1, source$dim[1])
  loss <- family_of(response)$loss
  small <- source$dim[1] <= response_schedule$refit && length(start) <= response_schedule$coordinates
  anywhere <- rlang::is_string(kernel$space, "euclidean")
  by <- if (loss == "squares" && anywhere && small && is.null(method$batch_size)) "projection" else "adam"
  method$iterations <- method$iterations %||% response_schedule$iterations[[by]]
  # A projection takes all rows at once.
  rows <- if (by == "adam") response_schedule$batch_size else source$dim[1]
  method$batch_size <- method$batch_size %||% rows
  c(response_in_units(response, v), list(
    source = source, v = v, response = response, loss = loss, method = method, optimizer = by,
    kernel = kernel, control = compute_with(call), call = call, start = start,
    columns = sum(source$factor > 0),
    trend_unit = if (!source$sparse && all(is.finite(unit))) unit,
    # Columns can have relevances, except where points would leave a sphere, and where a function of the user
    # knows the data's own units.
    metric = !source$sparse && rlang::is_string(kernel$space, c("euclidean", "nonnegative"))
  ))
}

# From which distance on a loss by "huber" grows in proportion, in robust standard deviations of the response.
huber_width <- 0.5

# The response with its columns divided by `unit`, of numbers after the `middle` was subtracted.
response_in_units <- function(response, v) {
  y <- response$y
  middle <- rep(0, ncol(y))
  numbers <- !response$family %in% c("multinomial", "binomial")
  if (!numbers) return(list(y = y, middle = middle, unit = middle + 1))
  v <- v / length(v)
  each <- function(f) apply(y, 2, f)
  by <- function(columns) rep(columns, each = nrow(y))
  # First the largest becomes 1, so that no square overflows or underflows.
  largest <- pmax(each(function(y) max(abs(y))), .Machine$double.xmin)
  y <- y / by(largest)
  mean <- each(function(y) sum(v * y))
  if (response$family == "poisson") {
    mean[mean == 0] <- 1
    return(list(y = y / by(mean), middle = middle, unit = mean * largest))
  }
  robust <- response$family == "huber"
  middle <- if (robust) each(function(y) weighted_median(y, v)) else mean
  y <- y - by(middle)
  unit <- each(function(y) {
    spread <- max(abs(y))
    usual <- if (robust) 1.4826 * weighted_median(abs(y), v) else 0
    if (usual > 0) usual else if (spread > 0) spread * sqrt(sum(v * (y / spread)^2)) else 1
  })
  list(y = y / by(unit), middle = middle * largest, unit = unit * largest)
}

# ---- states --------------------------------------------------------------------------

# The state that the steps start from: intercepts (the last row of `weights`) that predict the mean response
# of the rows `train`, no slopes, and no moments of gradients yet. The core reads these names. `config`: what
# is learned, see method_response_learn.R.
first_state <- function(problem, train, config) {
  n <- nrow(problem$start)
  d <- ncol(problem$start)
  slopes <- n + if (config$trend) d else 0
  none <- matrix(0, slopes + 1, ncol(problem$y))
  list(
    landmarks = problem$start, fixed = problem$fixed, bandwidth = problem$kernel$bandwidth,
    weights = rbind(none[-1, , drop = FALSE], mean_scores(problem, train), deparse.level = 0),
    first = matrix(0, d, n), second = matrix(0, 1, n), weight_first = none, weight_second = none,
    moment = c(0, 0), steps = 0, factor = diag(0, slopes + projects(problem)), made = c(0, 0),
    relevance = matrix(1, 1, d), relevance_first = matrix(0, 1, d), relevance_second = 0
  )
}

# Whether the problem is solved by variable projection and L-BFGS on all rows, see projection.h.
projects <- function(problem) problem$optimizer == "projection"

# The scores that predict the same for all rows: the mean response of the rows `train`.
mean_scores <- function(problem, train) {
  v <- problem$v[train]
  y <- problem$y[train, , drop = FALSE]
  sums <- colSums(v * y)
  # Half a count on either side, so that no class is impossible.
  share <- (sums + 0.5) / (sum(v) + 1)
  switch(problem$loss,
    squares = sums / sum(v), huber = apply(y, 2, weighted_median, v), softmax = log(share),
    logistic = stats::qlogis(share), poisson = log(pmax(sums / sum(v), 1e-10))
  )
}

kernel_of_state <- function(problem, state) replace(problem$kernel, "bandwidth", state$bandwidth)

# The parts of a state's weights: list(landmarks, trend, intercept), where the trend is NULL if there is none.
# The trend is by columns in the coordinates of the kernel.
weights_of_state <- function(problem, state) {
  w <- state$weights
  n <- nrow(state$landmarks)
  trend <- w[n + seq_len(nrow(w) - n - 1), , drop = FALSE]
  list(
    landmarks = w[seq_len(n), , drop = FALSE], trend = if (nrow(trend)) trend * problem$trend_unit,
    intercept = w[nrow(w), ]
  )
}

# Some rows of the data as a source in the metric of a state.
rows_in_metric <- function(problem, state, rows) {
  with_relevance(rows_of(problem$source, rows), as.vector(state$relevance))
}

# The features of a part of the data in the metric of a state, rows x n.
features_of_state <- function(problem, state, part) {
  features_over(part, state$landmarks, kernel_of_state(problem, state), problem$control)
}

# The scores of some rows of a source, rows x outputs: the linear predictors of the regression.
scores_of <- function(problem, state, part) {
  scores_over(
    with_relevance(part, as.vector(state$relevance)), state$landmarks, weights_of_state(problem, state),
    kernel_of_state(problem, state), problem$control
  )
}

# The loss of each row and output; for softmax, the part of the row's loss that falls to the output.
losses <- function(scores, y, kind) {
  switch(kind,
    squares = (scores - y)^2 / 2,
    huber = {
      far <- abs(scores - y)
      ifelse(far <= huber_width, far^2 / 2, huber_width * (far - huber_width / 2))
    },
    poisson = {
      within <- pmin(scores, 30)
      exp(within) * (1 + scores - within) - y * scores
    },
    logistic = pmax(scores, 0) + log1p(exp(-abs(scores))) - y * scores,
    softmax = {
      scores <- scores - scores[cbind(seq_len(nrow(scores)), max.col(scores, "first"))]
      y * (log(rowSums(exp(scores))) - scores)
    }
  )
}

# Some rows of the problem, list(part, y, weights): as a source, what was observed, and their weights.
data_of_rows <- function(problem, rows) {
  # Sums of tiny weights would underflow.
  v <- problem$v[rows] / max(problem$v[rows])
  list(part = rows_of(problem$source, rows), y = problem$y[rows, , drop = FALSE], weights = v)
}

# The scales that are tried: what the scores' differences from `null` are multiplied by. Steps that have gone
# on for long make chances too extreme. `null` are the scores that predict the same for all rows, so that rare
# classes stay rare. For numbers and counts the scale is 1.
scales_of <- function(kind) if (kind %in% c("softmax", "logistic")) exp(seq(-4, 1, by = 0.25)) else 1

# The mean loss of some rows at each of these scales. `data`: list(y, weights). Scores at several scales are
# stacked, as many as fit into 8 MB, because calls on few rows take longer than their arithmetic.
losses_at_scales <- function(kind, scores, null, data) {
  scales <- scales_of(kind)
  n <- nrow(scores)
  stacked <- split(scales, (seq_along(scales) - 1) %/% max(1, 1e6 %/% length(scores)))
  loss <- unlist(lapply(unname(stacked), function(some) {
    rows <- rep(seq_len(n), length(some))
    scaled <- scores_at_scale(scores[rows, , drop = FALSE], null, rep(some, each = n))
    each <- losses(scaled, data$y[rows, , drop = FALSE], kind)
    colSums(data$weights * matrix(rowSums(each), n)) / sum(data$weights)
  }))
  ifelse(is.finite(loss), loss, Inf)
}

# Losses before any evaluation, an array of evaluations x scales x parts.
no_losses <- function(problem, parts) {
  array(Inf, c(response_schedule$evaluations, length(scales_of(problem$loss)), parts))
}

mean_loss <- function(scores, data, kind) {
  sum(data$weights * rowSums(losses(scores, data$y, kind))) / sum(data$weights)
}

# Scores whose differences from `null`, one for each column, are multiplied by `scale`, one number or one for
# each row.
scores_at_scale <- function(scores, null, scale) {
  null <- rep(null, each = nrow(scores))
  null + scale * (scores - null)
}

# The regression in the units of y, as a fit keeps it.
response_part <- function(problem, state) {
  response <- problem$response
  w <- weights_of_state(problem, state)
  logarithm <- problem$loss == "poisson"
  unit <- if (logarithm) 1 else problem$unit
  in_units <- function(m, terms) {
    matrix(m * rep(unit, each = nrow(m)), nrow(m), dimnames = list(terms, output_names(response)))
  }
  terms <- c("(Intercept)", paste0("L", seq_len(nrow(w$landmarks))))
  coefficients <- in_units(rbind(w$intercept, w$landmarks), terms)
  coefficients[1, ] <- coefficients[1, ] + if (logarithm) log(problem$unit) else problem$middle
  some <- rows_in_metric(problem, state, evenly_spaced(seq_len(nrow(problem$y)), 10000))
  list(
    family = response$family, type = response$type, levels = response$levels,
    all_levels = response$all_levels, ordered = response$ordered, coefficients = coefficients,
    trend = if (!is.null(w$trend)) in_units(w$trend, problem$source$names),
    trend_unit = if (!is.null(w$trend)) problem$trend_unit, iterations = as.integer(state$steps),
    of = as.integer(state$of), penalty = state$penalty, held_out = state$report,
    slopes = slopes_of_columns(problem, state),
    # The largest feature of the row that is farthest from all landmarks.
    reach = min(largest_feature(features_of_state(problem, state, some)))
  )
}

# The root of the mean squared derivative of the scores by each column, over up to 2,000 rows and all
# outputs, in the units of y by those of the column; NULL for sparse data. `state` has the final weights.
#
#   df_k / dx_j = factor_j (a_jk - (2 / eta) sum_l w_lk psi_l (x'_j - t'_lj)),
#
# psi the slopes of the kernel, x', t' and the slopes a of the trend in the coordinates of the kernel.
slopes_of_columns <- function(problem, state) {
  if (problem$source$sparse) return(NULL)
  # Fewer rows where there are many columns: half a second of products at the most.
  most <- max(200, min(2000, 4e8 %/% (length(state$landmarks) * ncol(problem$y))))
  rows <- evenly_spaced(seq_len(nrow(problem$y)), most)
  part <- rows_in_metric(problem, state, rows)
  w <- weights_of_state(problem, state)
  psi <- features_over(part, state$landmarks, kernel_of_state(problem, state), problem$control, "slopes")
  x <- coordinates_of_kernel(part$x, part)
  t <- coordinates_of_kernel(state$landmarks, part)
  v <- problem$v[rows] / sum(problem$v[rows])
  squares <- lapply(seq_len(ncol(problem$y)), function(k) {
    g <- psi * rep(w$landmarks[, k], each = nrow(psi))
    by <- -2 / state$bandwidth * (rowSums(g) * x - g %*% t)
    if (!is.null(w$trend)) by <- by + rep(w$trend[, k], each = nrow(by))
    colSums(v * by^2)
  })
  unit <- if (problem$response$type == "number" && problem$loss != "poisson") problem$unit else 1
  unname(unit * part$factor * sqrt(Reduce(`+`, squares)))
}
