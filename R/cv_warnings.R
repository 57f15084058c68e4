# Warnings of cv_landmarks() about fits and regressions, after they are done.

# Warnings of the fits, each once (numbers in the text aside), with how often it occurred.
warn_tasks <- function(found, tasks, call) {
  said <- unlist(lapply(found, `[[`, "warned"))
  without_numbers <- function(text) gsub("[0-9]+", "#", text)
  for (kind in unique(without_numbers(said))) {
    of <- vapply(found, function(f) kind %in% without_numbers(f$warned), NA)
    names <- unique(vapply(tasks[of], `[[`, "", "method"))
    text <- one_line(said[match(kind, without_numbers(said))])
    warn_user("In {sum(of)} of {length(found)} fits ({.val {names}}): {text}", kind = "fit", call = call)
  }
}

warn_unconverged <- function(units, engine, call) {
  # Other measures may also be missing because a part has one class only.
  of_all <- intersect(c("deviance", "mse"), names(units))[1]
  units <- units[units$part == "held" & is.na(units$problem), , drop = FALSE]
  lost <- units[is.na(units[[of_all]]), , drop = FALSE]
  if (nrow(lost) == 0) return(invisible())
  where <- unique(sprintf("%s, n = %s, lambda = %s", lost$method, lost$n, format_lambda(lost$lambda)))
  warn_user(c(
    "{nrow(lost)} of {nrow(units)} regressions did not converge and are left out of all means.",
    x = "By {.val {engine}}: {utils::head(where, 3)}{if (length(where) > 3) ', ...'}.",
    i = if (engine == "glmnet") "{.code engine = \"newton\"} converges on such features."
  ), kind = "convergence", call = call)
}

# Methods that failed somewhere: their rows have no measures.
warn_failed <- function(units, call) {
  fits <- units[!duplicated(units[c("seed", "fold", "method", "n", "bandwidth")]), , drop = FALSE]
  for (method in unique(fits$method[!is.na(fits$problem)])) {
    mine <- fits[fits$method == method, , drop = FALSE]
    said <- mine$problem[!is.na(mine$problem)]
    warn_user(c(
      paste0(
        "Method {.val {method}} failed in {length(said)} of {nrow(mine)} fits. ",
        "The rows of the table with failed fits have no measures."
      ),
      x = "{said[1]}"
    ), kind = "method", call = call)
  }
}

# Where every fit failed there is nothing to report.
check_some_worked <- function(found, call) {
  failed <- vapply(found, function(f) !anyNA(f$rows$problem), NA)
  if (!all(failed)) return(invisible())
  abort_input("All methods failed. The first error was:",
    arg = "methods", kind = "method", call = call, parent = found[[1]]$error
  )
}
