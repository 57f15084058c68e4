# From the units of a comparison to its table. A unit is one regression: of one method on one split, with a
# number of landmarks, a bandwidth and a lambda, measured on the rows of one part. Its `part` is "held" (rows
# held out), "test", or "inner" (folds inside the training rows). The table has a row for each method, number
# and bandwidth, with the means of the measures over splits at the best lambda.

units_of_part <- function(units, part) units[units$part == part, , drop = FALSE]

# The measure that decides where the user's own measure ties: how good the probabilities are, or for numbers
# the squared error. It is missing only where a regression did not converge.
tie_measure <- function(names) intersect(c("deviance", "mse"), names)[1]

# The lambda with the best mean measure over `units`, among the lambdas of which no unit is missing. Where
# every lambda has a missing unit, the means are over the units that exist. Ties are broken by the mean
# deviance (mse for numbers), then by the larger lambda. Losses that differ by less than a thousandth tie:
# penalties that are too weak to have an effect differ by rounding alone, and the smallest of them would win
# otherwise.
best_lambda <- function(units, measure) {
  if (all(is.na(units$lambda))) return(NA_real_)
  lambda <- sort(unique(units$lambda), decreasing = TRUE)
  at <- factor(units$lambda, lambda)
  mean_of <- function(name) {
    values <- split(if (is_loss(name)) -units[[name]] else units[[name]], at)
    whole <- vapply(values, mean, 0)
    if (all(is.na(whole))) vapply(values, mean, 0, na.rm = TRUE) else whole
  }
  tie <- tie_measure(names(units))
  best <- best_of(mean_of(measure), mean_of(tie), if (is_loss(measure)) 1e-3 else 1e-12, 1e-3)
  if (length(best) == 0) lambda[1] else lambda[best[1]]
}

# The places where `values` is largest, and among these where `then` is; none where all are NA. Values tie
# that differ by less than the tolerance, relative to the largest: sums in another order may differ in the
# last digits.
best_of <- function(values, then, tolerance = 1e-12, then_tolerance = 1e-12) {
  largest <- function(v, tolerance) which(v >= max(v) - tolerance * abs(max(v)))
  there <- which(!is.na(values))
  if (length(there) == 0) return(integer())
  tied <- there[largest(values[there], tolerance)]
  known <- tied[!is.na(then[tied])]
  if (length(known) == 0) tied else known[largest(then[known], then_tolerance)]
}

# The `type` that ridge_path() is given. One class against the rest is a regression of its own for each
# column, as it is for tags.
cv_model <- function(type, classes) if (type == "classes" && classes == "one_vs_rest") "tags" else type

# list(units, summary, best): the units as they are, the table, and its best row. `chosen_by`: list(best,
# lambda), the measures that choose the best row and lambda.
cv_summary <- function(units, chosen_by, methods, bandwidths, call) {
  measure <- chosen_by$best
  measures <- intersect(unique(unlist(measure_names)), names(units))
  method <- match(units$method, methods)
  bandwidth <- match(units$bandwidth, bandwidths)
  key <- paste(method, units$n, bandwidth)
  keys <- unique(key[order(method, units$n, bandwidth)])
  rows <- lapply(keys, function(k) {
    summarise_units(units[key == k, , drop = FALSE], chosen_by$lambda, measures)
  })
  summary <- do.call(rbind, rows)
  rownames(summary) <- NULL
  signed <- function(name) if (is_loss(name)) -summary[[name]] else summary[[name]]
  # A mean over fewer folds cannot be compared with the others: such a row is best only where no row is whole.
  compared <- signed(measure)
  if (any(summary$whole & !is.na(compared))) compared[!summary$whole] <- NA
  top <- best_of(compared, signed(tie_measure(measures)))
  summary$whole <- NULL
  if (length(top) == 0) {
    measured <- units_of_part(units[is.na(units$problem), , drop = FALSE], "held")
    why <- if (nrow(measured) == 0 || !anyNA(summary$problem)) {
      "Each method failed in some of its fits, so there is nothing to compare."
    } else if (anyNA(measured[[tie_measure(measures)]])) {
      "No regression converged, so there is nothing to compare."
    } else {
      "No held-out part has a {.arg measure} of {.val {measure}}: each has one value of {.arg y} only."
    }
    abort_input(why, arg = "lambda", kind = "convergence", call = call)
  }
  rownames(units) <- NULL
  list(units = units, summary = summary, best = summary[top[1], , drop = FALSE])
}

# One row of the table, from the units of one method, number and bandwidth. `measure` chooses lambda. Where
# one of the fits failed, all measures are NA: a mean over other folds than those of the other rows could not
# be compared with theirs.
summarise_units <- function(units, measure, measures) {
  problem <- summarise_problems(units_of_part(units, "held"))
  if (!is.na(problem)) units[measures] <- NA_real_
  held_out <- units_of_part(units, "held")
  inner <- units_of_part(units, "inner")
  picked <- picked_units(units, measure)
  lambda <- if (is.na(problem)) best_lambda(if (nrow(inner)) inner else held_out, measure) else NA_real_
  out <- data.frame(held_out[1, c("method", "n", "bandwidth")], lambda = lambda)
  out <- cbind(out, means(picked, measures, ""))
  if (any(units$part == "test")) out <- cbind(out, means(tests_of(units, picked), measures, "test_"))
  out$features <- mean_known(picked$features)
  out$seconds <- mean_known(picked$seconds_learn)
  out$problem <- problem
  out$whole <- !anyNA(picked[[tie_measure(measures)]])
  out
}

# The units of one row of the table that its means are of: those of held-out rows, at the chosen lambda. The
# lambda is chosen for each seed from the held-out rows of all its folds or, with `nested = TRUE`, for each
# training part from its inner folds.
picked_units <- function(units, measure) {
  held_out <- units_of_part(units, "held")
  inner <- units_of_part(units, "inner")
  if (nrow(inner)) return(at_chosen_lambda(held_out, inner, c("seed", "fold"), measure))
  at_chosen_lambda(held_out, held_out, "seed", measure)
}

# The units of test rows that belong to the picked ones.
tests_of <- function(units, picked) {
  tests <- units_of_part(units, "test")
  at <- paste(tests$seed, tests$fold, tests$lambda) %in% paste(picked$seed, picked$fold, picked$lambda)
  tests[at, , drop = FALSE]
}

# The rows of `units` whose lambda is the chosen one. The table `judges` says which one that is: it is cut
# into groups by the columns `by`, the seed or the seed and the fold, and each group chooses the lambda that
# has the best mean measure in it. It does so for the rows of `units` with the same values of `by`. Where each
# tag has a lambda of its own, `lambda` is NA and all rows are returned.
at_chosen_lambda <- function(units, judges, by, measure) {
  if (all(is.na(units$lambda))) return(units)
  group <- function(rows) do.call(paste, rows[by])
  chosen <- vapply(split(judges, group(judges)), best_lambda, 0, measure = measure)
  units[(units$lambda == chosen[group(units)]) %in% TRUE, , drop = FALSE]
}

# What went wrong in the fits of one row of the table, in words; NA where nothing did.
summarise_problems <- function(units) {
  fits <- units[!duplicated(units[c("seed", "fold")]), , drop = FALSE]
  failed <- fits$problem[!is.na(fits$problem)]
  if (length(failed) == 0) return(NA_character_)
  if (length(failed) == nrow(fits)) return(failed[1])
  sprintf("in %d of %d fits: %s", length(failed), nrow(fits), failed[1])
}

mean_known <- function(v) if (all(is.na(v))) NA_real_ else mean(v, na.rm = TRUE)

# For each measure its mean and the standard error of that.
means <- function(units, measures, prefix) {
  out <- list()
  for (m in measures) {
    v <- units[[m]][!is.na(units[[m]])]
    out[[paste0(prefix, m)]] <- mean_known(v)
    out[[paste0(prefix, m, "_se")]] <- if (length(v) > 1) stats::sd(v) / sqrt(length(v)) else NA_real_
  }
  as.data.frame(out)
}

format_lambda <- function(lambda) {
  vapply(lambda, function(l) if (is.na(l)) "" else format(signif(l, 3)), "")
}

# The name of a row of the table in a sentence.
row_names_of <- function(x, rows) {
  size <- ifelse(is.na(rows$n), "", paste0(", n = ", rows$n))
  width <- ifelse(is.na(rows$bandwidth), "", paste0(", bandwidth = ", rows$bandwidth))
  if (length(x$bandwidths) == 1) width <- rep("", nrow(rows))
  if (nrow(rows)) paste0(rows$method, size, width)
}

# The place of the best row in the summary.
best_row <- function(x) {
  key <- function(of) paste(of$method, of$n, of$bandwidth)
  match(key(x$best), key(x$summary))
}

# Which rows of the table are within one standard error of the best; NA where that is not known.
within_rows <- function(x) {
  sign <- if (is_loss(x$measure)) -1 else 1
  sign * x$summary[[x$measure]] >= sign * x$best[[x$measure]] - x$best[[paste0(x$measure, "_se")]]
}

# The units that a row of the summary is the mean of.
units_of_row <- function(x, row) {
  key <- function(of) paste(of$method, of$n, of$bandwidth)
  x$units[key(x$units) == key(row), , drop = FALSE]
}
