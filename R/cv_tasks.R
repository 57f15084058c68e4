# The work of cv_landmarks(), cut into independent tasks: one method on one split, for one number of
# landmarks, or for all numbers where the landmarks of a smaller fit are the first ones of a larger.

# A list of tasks, list(seed, fold, method, n, stream): the places of the seed and of the split, the name of
# the method, one or several numbers of landmarks, and the seed of the task's draws. `shared`: whether all
# numbers of landmarks have the same bandwidth.
cv_tasks <- function(methods, n, splits, seeds, shared = TRUE) {
  tasks <- list()
  for (s in seq_along(seeds)) {
    set_seed(seeds[s])
    # The draws of a task must not depend on the other methods of the comparison.
    base <- sample.int(.Machine$integer.max, 1)
    for (f in seq_along(splits[[s]])) {
      for (m in names(methods)) {
        one_fit <- cv_prefixes(methods[[m]]) && (shared || identical(bare_method(methods[[m]]), raw_features))
        groups <- if (one_fit) list(n) else as.list(n)
        tasks <- c(tasks, lapply(groups, function(group) {
          stream <- (base + 7919 * f + 104729 * max(group)) %% .Machine$integer.max
          list(seed = s, fold = f, method = m, n = group, stream = stream)
        }))
      }
    }
  }
  tasks
}

# The results of some tasks, a list for each: list(rows, error, warned), its rows of results, the error of a
# method that failed, and the warnings. `data`: list(x, response, weights, splits, test, methods, bandwidths,
# free, lambda, model, top, variance, dots, seeds, lambda_measure, nested, lambda_per_tag), the
# checked arguments of cv_landmarks(). `done`: NULL, or a function that is called with the share of a task
# that was done, after each regression. The rows of a split are cut out once for all tasks on it that follow
# each other.
run_tasks <- function(tasks, data, done = NULL) {
  # There is one progress bar for all tasks, and none for each fit.
  old <- options(landmarker.progress = FALSE)
  on.exit(options(old))
  cut <- NULL
  lapply(tasks, function(task) {
    if (!identical(cut$at, c(task$seed, task$fold))) cut <<- cut_split(data, task)
    warned <- character()
    left <- 1
    cut$tick <- function(share) {
      left <<- left - share
      if (!is.null(done)) done(share)
    }
    result <- withCallingHandlers(
      # What is told of some landmarks of a fit is of no use for one of many fits.
      suppressMessages(run_task(task, data, cut), classes = "landmarker_message_coinciding"),
      warning = function(w) {
        warned <<- c(warned, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    )
    cut$tick(left)
    c(result, list(warned = unique(warned)))
  })
}

# The results of all tasks, in their order, by this session or by the daemons of package mirai. They are the
# same, because each task sets its own seed.
run_all_tasks <- function(tasks, data, call) {
  bar <- progress_start("Cross-validating", length(tasks))
  # cli ends a bar with the function that it belongs to: this one, not the one that moves the bar.
  here <- environment()
  move <- function(share) progress_step(bar, share, here)
  if (!has_daemons()) return(run_tasks(tasks, data, move))
  # A daemon gets the tasks of a method on a split together, so that it gets the data and cuts them once.
  unit <- vapply(tasks, function(task) paste(task$seed, task$fold, task$method), "")
  groups <- split(tasks, factor(unit, unique(unit)))
  found <- list()
  work_on(groups, run_tasks_lightly, data, what = "Group of fits", call = call, take = function(results, k) {
    found <<- c(found, results)
    move(length(results))
  })
  found
}

# The errors of methods have traces, which hold the data.
run_tasks_lightly <- function(tasks, data) {
  lapply(run_tasks(tasks, data), function(result) {
    result["error"] <- list(light_condition(result$error))
    result
  })
}

# What all tasks on a split share: its rows of x, of the response and of the weights, a list by part for each;
# the folds inside the training rows; and `ready`, a function that prepares the training rows when a fit needs
# them.
cut_split <- function(data, task) {
  split <- data$splits[[task$seed]][[task$fold]]
  # The names of the parts are those that the column `part` of the results has.
  rows <- list(train = split$train, held = split$held_out)
  if (length(data$test)) rows$test <- data$test
  list(
    at = c(task$seed, task$fold),
    rows = rows,
    x = lapply(rows, function(of) data$x[of, , drop = FALSE]),
    y = lapply(rows, function(of) data$response$y[of, , drop = FALSE]),
    weights = lapply(rows, function(of) data$weights[of]),
    inner = if (data$nested) draw_inner(split$train, data$response, data$seeds[task$seed], task$fold),
    ready = make_once(function() {
      ready_data(data$x[split$train, , drop = FALSE], data$dots$scale %||% FALSE, data$weights[split$train])
    })
  )
}

# list(rows, error): the results of a task and, where the method failed, the condition; else NULL.
run_task <- function(task, data, cut) {
  method <- data$methods[[task$method]]
  if (inherits(method, "method_with_data")) {
    cut$x <- lapply(cut$rows, function(of) method$x[of, , drop = FALSE])
    data$dots <- utils::modifyList(data$dots, method$dots)
    cut$ready <- make_once(function() ready_data(cut$x$train, data$dots$scale %||% FALSE, cut$weights$train))
    data$methods[[task$method]] <- method$method
  }
  # A function of the user makes features without a bandwidth.
  each <- if (inherits(data$methods[[task$method]], "landmark_method")) seq_along(data$bandwidths) else NA
  cut$kept <- new.env(parent = emptyenv())
  cut$share <- 1 / (length(task$n) * length(each))
  join_results(lapply(each, function(b) run_bandwidth(task, task$n, b, data, cut)))
}

join_results <- function(results) {
  list(
    rows = do.call(rbind, lapply(results, `[[`, "rows")),
    error = Find(Negate(is.null), lapply(results, `[[`, "error"))
  )
}

# list(rows, error) of one bandwidth, the b-th, for the numbers of landmarks `sizes`.
run_bandwidth <- function(task, sizes, b, data, cut) {
  tryCatch(
    list(rows = run_fit(task, sizes, b, data, cut)),
    landmarker_error_method = function(e) {
      # The one fit for all numbers failed. Fits with fewer landmarks may succeed, so each number gets its
      # own.
      if (length(sizes) == 1) return(list(rows = failed_rows(task, sizes, b, data, cut, e), error = e))
      join_results(lapply(sizes, function(n) run_bandwidth(task, n, b, data, cut)))
    }
  )
}

# One fit of landmarks and the regressions on its features, for each of the numbers `sizes`.
run_fit <- function(task, sizes, b, data, cut) {
  clock <- proc.time()[["elapsed"]]
  lap <- function() {
    now <- proc.time()[["elapsed"]]
    spent <- now - clock
    clock <<- now
    spent
  }
  # The same draws for every bandwidth, so that results do not depend on the other bandwidths.
  set_seed(task$stream)
  # A fit that serves several bandwidths counts whole for each.
  kept <- cut$kept[[as.character(max(sizes))]]
  fit <- cv_fit(task, max(sizes), b, data, cut)
  learn <- lap() + (kept$seconds %||% 0)
  if (inherits(fit, "landmarks") && !is.null(fit$response)) {
    measured <- own_measures(fit, cut, data)
    if (!is.null(cut$tick)) cut$tick(cut$share)
    return(cbind(
      unit_key(task, max(sizes), b, data), features = nrow(fit$landmarks), measured, problem = NA_character_,
      seconds_learn = learn, seconds_map = lap(), seconds_regress = 0, seconds_measure = 0
    ))
  }
  features <- lapply(cut$x, function(x) cv_features(fit, x, max(sizes), task$method))
  check_same_width(features, task$method)
  mapped <- lap()
  # Raw features ignore the number of landmarks: one row of results, without a number, is enough.
  if (inherits(fit, "raw_features")) sizes <- NA_integer_
  v <- cut$weights
  rows <- lapply(sizes, function(n) {
    lap()
    m <- min(n, ncol(features$train), na.rm = TRUE)
    path <- ridge_path(features$train, m, cut$y$train, data$lambda, data$model, v$train)
    inner <- if (data$nested) inner_predictions(features$train, m, cut$y$train, cut$inner, data, v$train)
    regress <- lap()
    lambda <- data$lambda
    if (data$lambda_per_tag) {
      path <- path_of_tags(path, lambda, tag_lambdas(inner, cut$y$train, data, v$train))
      lambda <- NA_real_
    }
    measured <- cv_measures(path, features[-1], cut$y[-1], lambda, data, v[-1])
    if (data$nested && !data$lambda_per_tag) {
      measured <- rbind(inner_measures(inner, cut$y$train, data, v$train), measured)
    }
    if (!is.null(cut$tick)) cut$tick(cut$share)
    cbind(
      unit_key(task, n, b, data), features = m, measured, problem = NA_character_,
      seconds_learn = learn, seconds_map = mapped, seconds_regress = regress, seconds_measure = lap()
    )
  })
  do.call(rbind, rows)
}

# The fit of one bandwidth, the b-th. Methods whose landmarks do not depend on the bandwidth, such as k-means,
# learn them once, with the rule "variance", which draws no random numbers. The fit is kept in `cut$kept`, and
# gets each bandwidth afterwards.
cv_fit <- function(task, n, b, data, cut) {
  method <- data$methods[[task$method]]
  bandwidth <- if (!is.na(b)) data$bandwidths[[b]]
  rows <- list(x = cut$x$train, weights = cut$weights$train, ready = cut$ready)
  if (!knows_no_bandwidth(method)) {
    method <- with_response(method, part_of_response(data$response, cut$rows$train), "cv_landmarks()", NULL)
    return(cv_learn(method, task$method, n, bandwidth, rows, data$dots, data$free))
  }
  key <- as.character(n)
  if (is.null(cut$kept[[key]])) {
    assign(key, cv_learn(method, task$method, n, "variance", rows, data$dots), cut$kept)
  }
  in_method(task$method, n, nrow(cut$x$train),
    fit_with_bandwidth(cut$kept[[key]], bandwidth, cut$ready()$source)
  )
}

# The columns that identify the unit of a row of results.
unit_key <- function(task, n, b, data) {
  labels <- bandwidth_labels(data$bandwidths)
  data.frame(
    seed = data$seeds[task$seed], fold = task$fold, method = task$method, n = n,
    bandwidth = if (is.na(b)) labels[NA_integer_] else labels[b]
  )
}

# The rows of results of a fit that failed: all measures are NA, and `problem` says why.
failed_rows <- function(task, n, b, data, cut, error) {
  if (identical(data$methods[[task$method]], raw_features)) n <- NA_integer_
  # A method's own error is the cause; ours only says which method it was.
  problem <- one_line(cli::ansi_strip(conditionMessage(error$parent %||% error)))
  names <- measure_names[[data$response$type]]
  nothing <- as.data.frame(as.list(stats::setNames(rep(NA_real_, length(names)), names)))
  lambda <- if (data$lambda_per_tag) NA_real_ else data$lambda
  measured <- expand.grid(lambda = lambda, part = names(cut$x)[-1], stringsAsFactors = FALSE)[2:1]
  cbind(
    unit_key(task, n, b, data), features = NA_integer_, measured, nothing, problem = problem,
    seconds_learn = NA_real_, seconds_map = NA_real_, seconds_regress = NA_real_, seconds_measure = NA_real_,
    row.names = NULL
  )
}

# The measures of a fit that has a regression of its own, a row for each part. It has chosen its penalty, so
# that lambda is NA.
own_measures <- function(fit, cut, data) {
  each <- lapply(names(cut$x)[-1], function(part) {
    p <- within_folds(own_predictions(fit, cut$x[[part]]))
    value <- measure_response(
      p, cut$y[[part]], data$response$type, data$top, cut$weights[[part]], data$variance
    )
    data.frame(part = part, lambda = NA_real_, t(value[measure_names[[data$response$type]]]))
  })
  do.call(rbind, each)
}

# A data frame with a row for each lambda and part, a column for each measure; NA
# where the regression did not converge.
cv_measures <- function(path, features, y, lambda, data, weights = NULL) {
  rows <- list()
  for (part in names(features)) {
    for (l in seq_along(lambda)) {
      coefficients <- matrix(path$coefficients[, , l], dim(path$coefficients)[1])
      value <- if (all(path$converged[, l])) {
        predicted <- ridge_response(features[[part]], coefficients, path$link)
        measure_response(predicted, y[[part]], data$response$type, data$top, weights[[part]], data$variance)
      }
      names <- measure_names[[data$response$type]]
      if (is.null(value)) value <- stats::setNames(rep(NA_real_, length(names)), names)
      rows[[length(rows) + 1]] <- data.frame(part = part, lambda = lambda[l], t(value[names]))
    }
  }
  do.call(rbind, rows)
}

# ---- warnings about fits and regressions, after all are done -------------------------

# Warnings of the fits. Those whose texts differ in numbers alone come once, with how often they occurred.
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

warn_unconverged <- function(units, call) {
  # This measure is missing only where a regression did not converge, others also where a part has one class
  # only.
  of_all <- intersect(c("deviance", "mse"), names(units))[1]
  units <- units_of_part(units[is.na(units$problem), , drop = FALSE], "held")
  lost <- units[is.na(units[[of_all]]), , drop = FALSE]
  if (nrow(lost) == 0) return(invisible())
  where <- unique(sprintf("%s, n = %s, lambda = %s", lost$method, lost$n, format_lambda(lost$lambda)))
  warn_user(c(
    "{nrow(lost)} of {nrow(units)} regressions did not converge and are left out of all means.",
    x = "{utils::head(where, 3)}{if (length(where) > 3) ', ...'}."
  ), kind = "convergence", call = call)
}

# A warning for each method that failed in some of its fits.
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

# An error where every fit failed.
check_some_worked <- function(found, call) {
  failed <- vapply(found, function(f) !anyNA(f$rows$problem), NA)
  if (!all(failed)) return(invisible())
  abort_input("All methods failed. The first error was:",
    arg = "methods", kind = "method", call = call, parent = found[[1]]$error
  )
}
