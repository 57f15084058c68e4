# The response of a fit: its predictions for new features, and how it is described in words and in tables.

# A line of errors about predictions of another type.
response_remedy <- "Use {.code type = \"response\"} for predicted values or probabilities."

# What the response of a fit predicts for the rows of a source, list(p, width). Rows that are far from all
# landmarks give a warning. The fit has passed check_has_response().
#
#   p      rows x outputs, as link_response() returns it
#   width  half the widths of intervals of a `level`, or NULL
predictions_of_fit <- function(fit, source, names, control, call, level = NULL, arg = "newdata") {
  r <- fit$response
  center <- fit$center * fit$factor
  weights <- list(
    landmarks = unname(r$coefficients[-1, , drop = FALSE]), trend = r$trend,
    intercept = r$coefficients[1, ], center = center
  )
  kernel <- fit_kernel(fit)
  root <- if (!is.null(level)) kernel_root(fit$landmarks, fit, kernel, control)
  # Further columns: the largest feature of each row, and half the widths of its intervals.
  also <- function(features, part) {
    largest <- largest_feature(features)
    if (is.null(level)) return(largest)
    f <- regression_columns(features, part, r$trend_unit, center)
    left <- kernel_variance(part, fit$landmarks, root, kernel, control)
    cbind(largest, interval_widths(r$interval, f, left, level), deparse.level = 0)
  }
  found <- scores_over(source, fit$landmarks, weights, kernel, control, also)
  outputs <- ncol(r$coefficients)
  p <- link_response(found[, seq_len(outputs), drop = FALSE], family_of(r)$link)
  dimnames(p) <- list(names, colnames(r$coefficients))
  # Far are rows whose features are all about 0, and those at least twice as far from all landmarks as the
  # farthest row that was learned from, whose largest feature is `reach`.
  warn_far_rows(which(found[, outputs + 1] < min(1e-4, (r$reach %||% 1)^4)), nrow(p), names, r, call, arg)
  list(p = p, width = if (!is.null(level)) found[, outputs + 1 + seq_len(outputs), drop = FALSE])
}

# The same as a data frame with the columns of tidymodels.
predictions_in_columns <- function(fit, source, control, arg, call) {
  prediction_columns(predictions_of_fit(fit, source, NULL, control, call, arg = arg)$p, fit$response)
}

# Predictions of a fit for rows of a user, by the type, or with intervals. `names`: of the rows.
response_of_fit <- function(fit, source, names, control, type, level, call) {
  r <- fit$response
  interval <- !is.null(level) && type == "response"
  found <- predictions_of_fit(fit, source, names, control, call, if (interval) level)
  p <- found$p
  width <- found$width
  if (type == "set") return(class_sets_of_fit(r, p, level))
  if (type == "class" && r$type == "tags") return(p >= rep(tag_thresholds(r), each = nrow(p)))
  if (!interval) return(predict_response(p, r, type))
  if (any(is.infinite(width))) {
    # Rounded: 0.9 / (1 - 0.9) is above 9.
    needed <- ceiling(signif(level / (1 - level), 10))
    warn_user(c(
      if (level == 1) "Intervals of {.arg level} 1 are unbounded: use a {.arg level} below 1.",
      if (level < 1) "Intervals of {.arg level} {level} need at least {needed} held-out rows.",
      x = if (level < 1) "The fit has {r$held_out$rows}, so the intervals are unbounded."
    ), kind = "interval", call = call)
  }
  bounds <- c("fit", "lwr", "upr")
  out <- cbind(p, p - width, p + width)[, order(rep(seq_len(ncol(p)), 3)), drop = FALSE]
  several <- r$type == "numbers"
  colnames(out) <- if (several) paste0(rep(colnames(p), each = 3), ".", bounds) else bounds
  out
}

# The classes that cover, a logical matrix with a column for each.
class_sets_of_fit <- function(r, p, level) {
  held_out <- chances_of(r)
  own <- rowSums(held_out$p * held_out$y)
  out <- class_sets(if (r$type == "binary") cbind(1 - p, p) else p, own, level, r$held_out$weights)
  dimnames(out) <- list(rownames(p), r$levels)
  with_all_levels(out, r)
}

# A warning that rows are far from all landmarks, so that their predictions are those of the trend, or the
# intercept.
warn_far_rows <- function(far, rows, names, response, call, arg) {
  if (length(far) == 0) return(invisible())
  first <- if (is.null(names)) far[1] else paste0("\"", names[far[1]], "\"")
  count <- length(far)
  others <- if (is.null(response$trend)) "the intercept" else "those of the linear terms"
  warn_user(c(
    paste(
      "{count} of {rows} row{?s} of {.arg {arg}} {cli::qty(count)}{?is/are} far from all landmarks:",
      "the first is row {first}."
    ),
    x = "{cli::qty(count)}{?Its prediction is/Their predictions are} {others}, and unreliable.",
    i = "Check the units of {.arg {arg}}. {.code predict(fit, newdata, \"variance\")} is 1 for such rows."
  ), kind = "far", call = call)
}

# An error if a fit has no response, or none of the type `as`.
check_has_response <- function(fit, as, call) {
  type <- fit$response$type
  categorical <- as %in% c("class", "set", "prob")
  ok <- if (categorical) c("classes", "binary", if (as != "set") "tags") else type
  if (!is.null(type) && type %in% ok) return(invisible())
  abort_input(c(
    "{.code type = \"{as}\"} needs a fit with a {if (categorical) 'categorical '}response.",
    x = "This fit has {if (is.null(type)) 'none' else response_words[[type]]}.",
    i = if (is.null(type)) "Use {.code method = by_response(y)}." else "Use {.code type = \"response\"}."
  ), arg = "type", kind = "fit", call = call)
}

# An error if a fit has no intervals or sets of a level.
check_covers <- function(fit, what, call) {
  r <- fit$response
  if (!is.null(if (what == "set") r$held_out$index else r$interval)) return(invisible())
  counts <- identical(r$family, "poisson")
  if (what == "interval" && (counts || !isTRUE(r$type %in% c("number", "numbers")))) {
    has <- if (is.null(r)) "no response" else if (counts) "counts" else response_words[[r$type]]
    no_counts <- if (counts) " other than counts"
    abort_input(c(
      "{.code interval = \"prediction\"} needs a fit with a numeric response{no_counts}.",
      x = "This fit has {has}.",
      i = if (is.null(r)) "Use {.code method = by_response(y)} in {.fn landmarks}.",
      i = if (!is.null(r) && !counts) "{.code type = \"set\"} returns prediction sets of classes."
    ), arg = "interval", kind = "fit", call = call)
  }
  abort_input(c(
    "Prediction intervals and sets need a fit with held-out rows.", x = "This fit has none.",
    i = "Use {.code by_response(held_out = 0.1)} in {.fn landmarks}, with at least 4 rows."
  ), arg = if (what == "set") "type" else "interval", kind = "fit", call = call)
}

# For print(): the regression in words, with its measure on held-out rows and that of the null model.
describe_response <- function(fit) {
  r <- fit$response
  count <- length(r$levels)
  of <- switch(r$type,
    classes = paste(count, "classes"), numbers = paste(count, "outputs"), tags = how_many(count, "label")
  )
  kind <- paste(c(family_of(r)$words, of, if (!is.null(r$trend)) "linear terms"), collapse = ", ")
  tested <- r$held_out
  if (is.null(tested) || is.na(tested$measure)) return(kind)
  shown <- shown_measure(r)
  number <- function(v) format(signif(v, 3), big.mark = big_mark())
  known <- !is.na(tested$baseline)
  # With few rows several parts are held out in turn, so that more rows are held out than one part has.
  in_turn <- tested$rows > max(5, round((fit$method$held_out %||% 0.1) * fit$n_rows))
  paste0(
    kind, "; ", shown$measure, " ", number(shown$value),
    if (known) paste0(" (null model ", number(shown$baseline), ")"),
    if (known && shown$measure == "RMSE") sprintf(", R2 %.2f", 1 - tested$measure / tested$baseline),
    " on ", format(tested$rows, big.mark = big_mark()), if (in_turn) " out-of-fold" else " held-out", " rows",
    if (!is.null(tested$groups)) paste(" of", how_many(tested$groups, "group"))
  )
}

# The measure of held-out rows as it is shown: list(measure, value, baseline). A mean squared error is shown
# as its root.
shown_measure <- function(r, tested = r$held_out) {
  measure <- measure_words(r)
  of <- if (measure == "RMSE") sqrt else identity
  list(measure = measure, value = of(tested$measure), baseline = of(tested$baseline %||% NA_real_))
}

# A warning if a response is not predicted better than by the null model. For classes and labels the loss
# decides: a rare class may be predicted well without being the likeliest anywhere, and a few more
# classes may be right by chance.
warn_no_better <- function(fit, call) {
  r <- fit$response
  tested <- r$held_out
  if (is.null(tested)) return(invisible())
  by_loss <- r$family %in% c("multinomial", "binomial")
  pair <- if (by_loss) c(tested$loss, tested$usual_loss) else c(tested$measure, tested$baseline)
  if (anyNA(pair) || pair[1] < pair[2]) return(invisible())
  measure <- if (by_loss) "log loss" else measure_words(r)
  if (measure == "RMSE") pair <- sqrt(pair)
  warn_user(c(
    "The fit predicts no better than the null model on {tested$rows} held-out rows.",
    x = "Its {measure} is {signif(pair[1], 3)}, that of the null model {signif(pair[2], 3)}."
  ), kind = "response", call = call)
}

# The coefficients of the regression: the intercept, landmarks, and the trend by the columns in the data's
# units, of which the intercept is that at 0.
response_coefficients <- function(fit) {
  r <- fit$response
  if (is.null(r$trend)) return(r$coefficients)
  slopes <- r$trend * fit$factor
  out <- rbind(r$coefficients, slopes)
  out[1, ] <- out[1, ] - colSums(slopes * fit$center)
  columns <- colnames(fit$landmarks) %||% paste0("V", seq_len(nrow(slopes)))
  # With ranks the trend is linear in the normal scores.
  if (!is.null(fit$ranks)) columns <- paste0("ranks(", columns, ")")
  # A column may have the name of a landmark.
  taken <- columns %in% rownames(r$coefficients)
  columns[taken] <- paste0("trend(", columns[taken], ")")
  rownames(out) <- make.unique(c(rownames(r$coefficients), columns))
  out
}

# The regression as tables: its coefficients for tidy(), and one row for glance().
tidy_coefficients <- function(fit) {
  w <- response_coefficients(fit)
  out <- data.frame(term = rep(rownames(w), ncol(w)), estimate = as.vector(w))
  several <- fit$response$type %in% c("classes", "tags", "numbers")
  if (several) out <- cbind(y.level = rep(colnames(w), each = nrow(w)), out)
  as_tibble_frame(out)
}

# The columns as a table: `sd`, the standard deviation; `relevance`; `distance`, how much distances depend on
# the column: its standard deviation in kernel coordinates, divided by the largest; `slope`, how fast the
# response changes along it; and `effect`, the same for one standard deviation.
tidy_columns <- function(fit) {
  d <- ncol(fit$landmarks)
  reach <- fit$sd * fit$factor
  largest <- max(reach)
  out <- data.frame(
    column = colnames(fit$landmarks) %||% paste0("V", seq_len(d)), sd = unname(fit$sd),
    relevance = fit$relevance %||% rep(1, d), distance = unname(if (largest > 0) reach / largest else reach)
  )
  slopes <- fit$response$slopes
  if (!is.null(slopes)) out <- cbind(out, slope = slopes, effect = slopes * unname(fit$sd))
  as_tibble_frame(out)
}

# For print(): the columns on which the learned distances depend most.
describe_relevance <- function(fit) {
  columns <- tidy_columns(fit)
  columns <- columns[order(-columns$distance), ]
  first_and_more(paste(columns$column, sub("^0[.]", ".", sprintf("%.2g", columns$distance))))
}

glance_response <- function(response) {
  tested <- response$held_out %||% list(rows = 0L, loss = NA_real_, measure = NA_real_)
  shown <- shown_measure(response, tested)
  if (is.na(shown$value)) shown$measure <- NA_character_
  data.frame(
    family = response$family, penalty = response$penalty, steps = response$iterations,
    held_out = as.integer(tested$rows), loss = tested$loss, shown
  )
}

# Predictions `p` of the response of a fit or of a comparison, `of`, as a data frame, with columns named as
# those of tidymodels.
prediction_columns <- function(p, of) {
  if (of$type == "number") return(data.frame(.pred = predict_response(p, of, "response")))
  prob <- predict_response(p, of, "prob")
  out <- as.data.frame(unname(prob))
  names(out) <- paste0(".pred_", colnames(prob))
  if (of$type %in% c("tags", "numbers")) return(out)
  cbind(data.frame(.pred_class = predict_response(p, of, "class")), out)
}
