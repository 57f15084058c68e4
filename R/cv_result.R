# From the units of cv_landmarks() to its summary and its printed table.

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

#' @export
print.cv_landmarks <- function(x, digits = 4, ...) {
  check_cv(x)
  digits <- check_digits(digits)
  cat(cv_heading(x), "\n", sep = "")
  table <- cv_table(x, digits)
  if (any(grepl("(", unlist(table[-1]), fixed = TRUE))) cat("Means, with standard errors in parentheses:\n")
  cat("\n")
  print(table, row.names = FALSE, ...)
  cat("\nbest ", x$measure, ": ", row_names_of(x, x$best), best_lambda_words(x), "\n", sep = "")
  near <- within_error(x)
  if (length(near)) cat("within one standard error of it: ", paste(near, collapse = "; "), "\n", sep = "")
  for (note in cv_notes(x)) cat(strwrap(note, width = 100, exdent = 2), sep = "\n")
  invisible(x)
}

cv_heading <- function(x) {
  design <- if (x$kind == "folds") paste(x$folds, "folds") else "validation rows"
  model <- if (x$model == "classes") ", softmax" else ", one class against the rest"
  engine <- paste0(x$engine, if (x$type == "classes") model)
  sprintf("Landmarks compared on %s %srows%s: %s, %d seed%s, engine %s, %s",
    format(x$n_rows, big.mark = big_mark()), if (isTRUE(x$weighted)) "weighted " else "",
    if (x$n_test) paste0(" (", format(x$n_test, big.mark = big_mark()), " of them for the test)") else "",
    design, length(x$seeds), if (length(x$seeds) == 1) "" else "s", engine, format_seconds(x$seconds)
  )
}

best_lambda_words <- function(x) {
  if (x$lambda_per_tag) return(", lambda chosen for each tag")
  paste0(", lambda = ", format_lambda(x$best$lambda))
}

# Notes below the table, a sentence each.
cv_notes <- function(x) {
  s <- x$summary
  wrong <- s[!is.na(s$problem), , drop = FALSE]
  rule <- if (x$nested) {
    "Lambda was chosen inside each training part, without the rows that are measured."
  } else {
    paste(
      "Lambda was chosen by the held-out rows that are measured, so their measures are slightly too good.",
      if (x$n_test) "The test rows were not used to choose it." else "nested = TRUE avoids that."
    )
  }
  c(
    if (length(x$na.action)) paste(how_many(length(x$na.action), "row"), "with missing values left out."),
    unlist(lapply(unique(wrong$problem), function(problem) {
      rows <- row_names_of(x, wrong[wrong$problem == problem, , drop = FALSE])
      sprintf("Not measured: %s. The error was: %s", paste(rows, collapse = "; "), problem)
    })),
    if (length(x$lambda) > 1) c(if (!x$lambda_per_tag) edge_note(s$lambda, x$lambda), rule),
    if (x$kind == "validation" && length(x$seeds) > 1) {
      "Standard errors are over seeds, on the same rows. They leave out the variation between rows."
    }
  )
}

# Which rows of the table have their lambda at an end of the grid.
edge_note <- function(chosen, grid) {
  at <- function(end, word, other) {
    some <- sum(chosen == end, na.rm = TRUE)
    if (some == 0) return(NULL)
    sprintf("In %d of %d rows lambda is the %s of its grid, %s: a %s one may be better.", some,
      length(chosen),
      word, format_lambda(end), other)
  }
  c(at(min(grid), "smallest", "smaller"), at(max(grid), "largest", "larger"))
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

# For each method the smallest number that is within one standard error of the best.
within_error <- function(x) {
  s <- x$summary
  fine <- within_rows(x) %in% TRUE
  if (!any(fine)) return(character())
  s <- s[fine & !duplicated(ifelse(fine, s$method, paste("not", seq_len(nrow(s))))), , drop = FALSE]
  setdiff(row_names_of(x, s), row_names_of(x, x$best))
}

# Means and standard errors as text, measures in columns.
cv_table <- function(x, digits) {
  s <- x$summary
  out <- data.frame(method = s$method, n = ifelse(is.na(s$n), "", s$n))
  if (length(x$bandwidths) > 1) out$bandwidth <- ifelse(is.na(s$bandwidth), "", s$bandwidth)
  if (!x$lambda_per_tag) out$lambda <- format_lambda(s$lambda)
  with_error <- function(name) {
    # A squared error may have any size; all else is of the size of 1.
    plain <- function(v) formatC(v, digits, format = if (grepl("mse", name)) "g" else "f", flag = "#")
    error <- s[[paste0(name, "_se")]]
    shown <- ifelse(is.na(error), plain(s[[name]]), paste0(plain(s[[name]]), " (", plain(error), ")"))
    ifelse(is.na(s[[name]]), "", shown)
  }
  # as.data.frame() has the other measures.
  shown <- if (x$type == "tags") unique(c(x$measure, "auc", "map", "f")) else measure_names[[x$type]]
  for (m in shown) out[[m]] <- with_error(m)
  if (x$n_test) out[[paste("test", x$measure)]] <- with_error(paste0("test_", x$measure))
  if (any(!is.na(s$n) & s$features < s$n, na.rm = TRUE)) out$features <- signif(s$features, 4)
  out$seconds <- signif(s$seconds, 3)
  if (anyNA(s$seconds)) out$seconds <- ifelse(is.na(s$seconds), "", format(out$seconds))
  out
}

#' @rdname predict.cv_landmarks
#' @param row.names,optional Not used.
#' @export
as.data.frame.cv_landmarks <- function(x, row.names = NULL, optional = FALSE, type = "summary", ...) {
  check_dots(...)
  check_cv(x)
  # The generic's second argument, which a bare "units" would reach.
  if (is.character(row.names) && length(row.names) == 1) type <- row.names
  x[[check_choice(type, c("summary", "units"), "type")]]
}
