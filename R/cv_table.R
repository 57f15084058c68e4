# The table of a comparison: a row for each unit of method, number, bandwidth and lambda, with the means of its
# measures; and which lambda, and which row, is best.

count_outputs <- function(type, levels) if (type %in% c("classes", "tags")) length(levels) else 1L

# What breaks ties: how good the probabilities are, or for numbers the squared error.
tie_measure <- function(names) intersect(c("deviance", "mse"), names)[1]

# The lambda whose mean measure over `units` is best, among those with no unit missing. Ties
# are broken by the mean deviance (mse for numbers), then by the larger lambda; losses that
# differ by less than a thousandth tie; otherwise the smallest lambda would win among weak ones with the same
# effect. Where every lambda has a missing unit, the means are over the units that exist.
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

# Where `values` is largest, and among these where `then` is; none where all are NA. What differs
# by less than the tolerance, relative to the largest, ties: sums in another order may differ in the
# last digits.
best_of <- function(values, then, tolerance = 1e-12, then_tolerance = 1e-12) {
  largest <- function(v, tolerance) which(v >= max(v) - tolerance * abs(max(v)))
  there <- which(!is.na(values))
  if (length(there) == 0) return(integer())
  tied <- there[largest(values[there], tolerance)]
  known <- tied[!is.na(then[tied])]
  if (length(known) == 0) tied else known[largest(then[known], then_tolerance)]
}

# What ridge_path() is asked for: one class against the rest is a regression for each column,
# as tags are.
cv_model <- function(type, classes) if (type == "classes" && classes == "one_vs_rest") "tags" else type

# list(units, summary, best).
cv_summary <- function(units, measure, methods, bandwidths, call) {
  measures <- intersect(unique(unlist(measure_names)), names(units))
  method <- match(units$method, methods)
  bandwidth <- match(units$bandwidth, bandwidths)
  key <- paste(method, units$n, bandwidth)
  keys <- unique(key[order(method, units$n, bandwidth)])
  rows <- lapply(keys, function(k) summarise_units(units[key == k, , drop = FALSE], measure, measures))
  summary <- do.call(rbind, rows)
  rownames(summary) <- NULL
  signed <- function(name) if (is_loss(name)) -summary[[name]] else summary[[name]]
  # A mean over fewer folds is another measure: such a row is best only where all rows are incomplete.
  compared <- signed(measure)
  if (any(summary$whole & !is.na(compared))) compared[!summary$whole] <- NA
  top <- best_of(compared, signed(tie_measure(measures)))
  summary$whole <- NULL
  if (length(top) == 0) {
    held <- units[units$part == "held" & is.na(units$problem), , drop = FALSE]
    why <- if (nrow(held) == 0 || !anyNA(summary$problem)) {
      "Each method failed in some of its fits, so there is nothing to compare."
    } else if (anyNA(held[[tie_measure(measures)]])) {
      "No regression converged, so there is nothing to compare."
    } else {
      "No held-out part has a {.arg measure} of {.val {measure}}: each has one value of {.arg y} only."
    }
    abort_input(why, arg = "lambda", kind = "convergence", call = call)
  }
  rownames(units) <- NULL
  list(units = units, summary = summary, best = summary[top[1], , drop = FALSE])
}

# One row of the summary, from the units of one method and number. Where one of its fits
# failed, nothing of it is compared: a mean over other folds would be another measure.
summarise_units <- function(units, measure, measures) {
  problem <- summarise_problems(units[units$part == "held", , drop = FALSE])
  if (!is.na(problem)) units[measures] <- NA_real_
  held <- units[units$part == "held", , drop = FALSE]
  inner <- units[units$part == "inner", , drop = FALSE]
  picked <- picked_units(units, measure)
  lambda <- if (is.na(problem)) best_lambda(if (nrow(inner)) inner else held, measure) else NA_real_
  out <- data.frame(held[1, c("method", "n", "bandwidth")], lambda = lambda)
  out <- cbind(out, means(picked, measures, ""))
  if (any(units$part == "test")) out <- cbind(out, means(tests_of(units, picked), measures, "test_"))
  out$features <- mean_known(picked$features)
  out$seconds <- mean_known(picked$seconds_learn)
  out$problem <- problem
  out$whole <- !anyNA(picked[[tie_measure(measures)]])
  out
}

# Of one row's units those of held-out rows at the chosen lambda. The rows that choose: all folds of a seed
# together, or nested each training part by itself.
picked_units <- function(units, measure) {
  held <- units[units$part == "held", , drop = FALSE]
  inner <- units[units$part == "inner", , drop = FALSE]
  if (nrow(inner)) return(pick_rows(held, inner, c("seed", "fold"), measure))
  pick_rows(held, held, "seed", measure)
}

# The units of test rows that belong to the picked ones.
tests_of <- function(units, picked) {
  tests <- units[units$part == "test", , drop = FALSE]
  at <- paste(tests$seed, tests$fold, tests$lambda) %in% paste(picked$seed, picked$fold, picked$lambda)
  tests[at, , drop = FALSE]
}

# Of `held` the rows at the lambda that the rows of `judges` choose, for each value of `by`.
# Where lambda is chosen for each tag there is no choice left.
pick_rows <- function(held, judges, by, measure) {
  if (all(is.na(held$lambda))) return(held)
  of <- function(rows) do.call(paste, rows[by])
  chosen <- vapply(split(judges, of(judges)), best_lambda, 0, measure = measure)
  held[(held$lambda == chosen[of(held)]) %in% TRUE, , drop = FALSE]
}

# What went wrong in one row's fits, in words; NA where nothing did.
summarise_problems <- function(held) {
  fits <- held[!duplicated(held[c("seed", "fold")]), , drop = FALSE]
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
