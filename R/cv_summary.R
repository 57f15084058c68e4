# Summarizes the units of a cross-validation in a table. A unit is one regression for a method, split, number
# of landmarks, bandwidth and lambda, evaluated on one `part` of the rows: "held_out", "test", or "inner"
# (inner folds of the training rows). The table has a row for each method, number of landmarks and bandwidth,
# with the means of the measures over splits at the best lambda.

# The measure that decides where the user's own measure ties: how good the probabilities are, or for numbers
# the squared error. It is missing only where a regression did not converge.
tie_measure <- function(names) intersect(c("deviance", "mse"), names)[1]

# The columns that tell the rows of the table apart, and these as a string, to match rows and units.
row_columns <- function(of) intersect(c("method", "scale", "kernel", "n", "bandwidth"), names(of))

row_key <- function(of) do.call(paste, of[row_columns(of)])

# Values of which the largest is best.
signed <- function(of, measure) if (is_loss(measure)) -of[[measure]] else of[[measure]]

# The lambda with the best mean measure over `units`, among the lambdas without missing units. If there is
# none, all lambdas are compared, by means over the units that exist. Ties are broken by the mean
# deviance (mse for numbers), then by the larger lambda. Losses that differ by less than a thousandth tie:
# penalties that are too weak to have an effect differ by rounding alone, and the smallest of them would win
# otherwise.
best_lambda <- function(units, measure) {
  if (all(is.na(units$lambda))) return(NA_real_)
  lambda <- sort(unique(units$lambda), decreasing = TRUE)
  mean_of <- function(name) {
    values <- split(signed(units, name), factor(units$lambda, lambda))
    whole <- vapply(values, mean, 0)
    if (all(is.na(whole))) vapply(values, mean, 0, na.rm = TRUE) else whole
  }
  tie <- tie_measure(names(units))
  best <- best_of(mean_of(measure), mean_of(tie), if (is_loss(measure)) 1e-3 else 1e-12, 1e-3)
  lambda[c(best, 1)[1]]
}

# The places where `values` is largest, and among these where `then` is; none where all are NA. Values tie
# that differ by less than the tolerance, relative to the largest: sums in another order may differ in the
# last digits.
best_of <- function(values, then, tolerance = 1e-12, then_tolerance = 1e-12) {
  largest <- function(v, tolerance) {
    most <- max(v, -Inf, na.rm = TRUE)
    which(v >= most - tolerance * abs(most))
  }
  tied <- largest(values, tolerance)
  known <- largest(then[tied], then_tolerance)
  if (length(known)) tied[known] else tied
}

# list(units, summary, best): the units as they are, the table, and its best row. `chosen_by`: list(best,
# lambda), the measures that choose the best row and lambda.
cv_summary <- function(units, chosen_by, methods, bandwidths, call) {
  measures <- intersect(unique(unlist(measure_names)), names(units))
  place <- order(match(method_labels(units), methods), units$n, match(units$bandwidth, bandwidths))
  keys <- factor(row_key(units), unique(row_key(units[place, ])))
  summary <- do.call(rbind, lapply(split(units, keys), summarise_units, chosen_by$lambda, measures))
  rownames(summary) <- rownames(units) <- NULL
  # A mean over fewer folds cannot be compared with the others: such a row is best only where no row is whole.
  compared <- signed(summary, chosen_by$best)
  if (any(summary$whole & !is.na(compared))) compared[!summary$whole] <- NA
  top <- best_of(compared, signed(summary, tie_measure(measures)))
  summary$whole <- NULL
  if (length(top) == 0) {
    abort_input(c(
      "{.val {chosen_by$best}} is NA in all rows of the comparison.",
      x = "Each method or regression failed in some of its fits, or {.arg y} is constant in each fold."
    ), arg = "measure", kind = "convergence", call = call)
  }
  list(units = units, summary = summary, best = summary[top[1], ])
}

# One row of the table, from the units of one method, number and bandwidth. `measure` chooses lambda. Where
# one of the fits failed, all measures are NA: a mean over other folds than those of the other rows could not
# be compared with theirs.
summarise_units <- function(units, measure, measures) {
  held_out <- units[units$part == "held_out", ]
  fits <- held_out[!duplicated(held_out[c("seed", "fold")]), ]
  failed <- fits$problem[!is.na(fits$problem)]
  problem <- c(failed, NA)[1]
  if (length(failed) %in% seq_len(nrow(fits) - 1)) {
    problem <- sprintf("in %d of %d fits: %s", length(failed), nrow(fits), problem)
  }
  if (length(failed)) units[measures] <- NA_real_
  picked <- picked_units(units, measure)
  judges <- if ("inner" %in% units$part) units[units$part == "inner", ] else held_out
  out <- data.frame(
    held_out[1, row_columns(held_out)],
    lambda = if (length(failed)) NA_real_ else best_lambda(judges, measure),
    means(picked$held_out, measures, "")
  )
  if (any(units$part == "test")) out <- cbind(out, means(picked$test, measures, "test_"))
  out$features <- mean_known(picked$held_out$features)
  out$seconds <- mean_known(picked$held_out$seconds_learn)
  out$problem <- problem
  out$whole <- !anyNA(picked$held_out[[tie_measure(measures)]])
  out
}

# The units from which the means in one row of the table are computed: list(held_out, test). They are those at
# the chosen lambda, which is chosen for each seed from the held-out rows of all its folds or, with `nested =
# TRUE`, for each training part from its inner folds. If each tag has its own lambda, or landmarks have their
# own regression, `lambda` is NA and all units count.
picked_units <- function(units, measure) {
  nested <- "inner" %in% units$part
  training_part <- if (nested) paste(units$seed, units$fold) else paste(units$seed)
  judges <- units$part == if (nested) "inner" else "held_out"
  chosen <- vapply(split(units[judges, ], training_part[judges]), best_lambda, 0, measure = measure)
  chosen <- chosen[training_part]
  picked <- units[all(is.na(units$lambda)) | (units$lambda == chosen) %in% TRUE, ]
  list(held_out = picked[picked$part == "held_out", ], test = picked[picked$part == "test", ])
}

mean_known <- function(v) if (all(is.na(v))) NA_real_ else mean(v, na.rm = TRUE)

# For each measure its mean and the standard error of that.
means <- function(units, measures, prefix) {
  each <- lapply(measures, function(m) {
    v <- units[[m]][!is.na(units[[m]])]
    error <- if (length(v) > 1) stats::sd(v) / sqrt(length(v)) else NA_real_
    stats::setNames(list(mean_known(v), error), paste0(prefix, m, c("", "_se")))
  })
  as.data.frame(do.call(c, each))
}

# ---- rows of the table ---------------------------------------------------------------

# The place of the best row in the summary.
best_row <- function(x) match(row_key(x$best), row_key(x$summary))

# The name of a row of the table in a sentence.
row_names_of <- function(x, rows) {
  size <- ifelse(is.na(rows$n), "", paste0(", n = ", rows$n))
  several <- length(x$bandwidths) > 1
  width <- ifelse(is.na(rows$bandwidth) | !several, "", paste0(", bandwidth = ", rows$bandwidth))
  paste0(method_labels(rows), size, width)
}

# Which rows of the table are within one standard error of the best; NA where that is not known.
within_rows <- function(x) {
  signed(x$summary, x$measure) >= signed(x$best, x$measure) - x$best[[paste0(x$measure, "_se")]]
}

format_lambda <- function(lambda) {
  vapply(lambda, function(l) if (is.na(l)) "" else format(signif(l, 3)), "")
}
