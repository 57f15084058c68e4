# The work of cv_landmarks(), cut into tasks that know nothing of each other:
# one method on one split with one seed, for one number of landmarks, or for all
# where the shorter fits are prefixes of the longest.

cv_tasks <- function(methods, n, splits, seeds) {
  tasks <- list()
  for (s in seq_along(seeds)) {
    set_seed(seeds[s])
    # The same number for a method whatever others there are beside it.
    base <- sample.int(.Machine$integer.max, 1)
    for (f in seq_along(splits[[s]])) {
      for (m in names(methods)) {
        groups <- if (cv_prefixes(methods[[m]])) list(n) else as.list(n)
        tasks <- c(tasks, lapply(groups, function(group) {
          stream <- (base + 7919 * f + 104729 * max(group)) %% .Machine$integer.max
          list(seed = s, fold = f, method = m, n = group, stream = stream)
        }))
      }
    }
  }
  tasks
}

# Whether a fit for the largest n serves all of them.
cv_prefixes <- function(method) {
  (inherits(method, "landmark_method") && has_prefixes(method)) || identical(method, raw_features)
}

# `data`: list(x, response, splits, test, methods, lambda, engine, model, top, dots).
# Returns a list for each task: its rows of results, seconds, and warnings. The
# rows of a split are cut out once for tasks that follow each other.
run_tasks <- function(tasks, data, done = NULL) {
  # One bar for all: the fits show none of their own.
  old <- options(landmarker.progress = FALSE)
  on.exit(options(old))
  cut <- NULL
  lapply(tasks, function(task) {
    if (!identical(cut$at, c(task$seed, task$fold))) cut <<- cut_split(data, task)
    warned <- character()
    result <- withCallingHandlers(
      run_task(task, data, cut),
      warning = function(w) {
        warned <<- c(warned, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    )
    if (!is.null(done)) done()
    c(result, list(warned = unique(warned)))
  })
}

# The same on a worker, one thread each.
run_on_worker <- function(tasks, data) {
  old <- options(landmarker.threads = getOption("landmarker.threads", 1L))
  on.exit(options(old))
  tryCatch(run_tasks(tasks, data), error = function(e) e)
}

cut_split <- function(data, task) {
  split <- data$splits[[task$seed]][[task$fold]]
  parts <- c(split, if (length(data$test)) list(test = data$test))
  list(
    at = c(task$seed, task$fold),
    x = lapply(parts, function(rows) data$x[rows, , drop = FALSE]),
    y = lapply(parts, function(rows) data$response$y[rows, , drop = FALSE])
  )
}

# A list of `rows`, results; and where the method failed `error`, the condition.
run_task <- function(task, data, cut) {
  tryCatch(
    list(rows = run_fit(task, task$n, data, cut)),
    landmarker_error_method = function(e) {
      # Where one fit serves all numbers, a smaller number may do.
      if (length(task$n) == 1) return(list(rows = failed_rows(task, task$n, data, cut, e), error = e))
      each <- lapply(task$n, function(n) run_task(utils::modifyList(task, list(n = n)), data, cut))
      list(rows = do.call(rbind, lapply(each, `[[`, "rows")), error = Find(Negate(is.null), lapply(each, `[[`, "error")))
    }
  )
}

# One fit of landmarks and the regressions on its features, for each of the numbers `sizes`.
run_fit <- function(task, sizes, data, cut) {
  clock <- proc.time()[["elapsed"]]
  lap <- function() {
    now <- proc.time()[["elapsed"]]
    spent <- now - clock
    clock <<- now
    spent
  }
  set_seed(task$stream)
  fit <- cv_learn(data$methods[[task$method]], cut$x$train, max(sizes), task$method, data$dots)
  learn <- lap()
  features <- lapply(cut$x, function(x) cv_features(fit, x, max(sizes), task$method))
  check_same_width(features, task$method)
  mapped <- lap()
  # One fit where the number of landmarks says nothing.
  if (inherits(fit, "raw_features")) sizes <- NA_integer_
  rows <- lapply(sizes, function(n) {
    lap()
    m <- min(n, ncol(features$train), na.rm = TRUE)
    path <- ridge_path(features$train, m, cut$y$train, data$lambda, data$model, data$engine)
    regress <- lap()
    measured <- cv_measures(path, features[-1], cut$y[-1], data)
    cbind(
      unit_key(task, n, data), features = m, measured, problem = NA_character_,
      seconds_learn = learn, seconds_map = mapped, seconds_regress = regress, seconds_measure = lap()
    )
  })
  do.call(rbind, rows)
}

# What says which unit a row of results belongs to.
unit_key <- function(task, n, data) {
  data.frame(seed = data$seeds[task$seed], fold = task$fold, method = task$method, n = n)
}

# The rows of a fit that failed: nothing was measured, and `problem` says why.
failed_rows <- function(task, n, data, cut, error) {
  if (identical(data$methods[[task$method]], raw_features)) n <- NA_integer_
  # A method's own error is the cause; ours only says which method it was.
  problem <- one_line(cli::ansi_strip(conditionMessage(error$parent %||% error)))
  names <- measure_names[[data$response$type]]
  nothing <- as.data.frame(as.list(stats::setNames(rep(NA_real_, length(names)), names)))
  measured <- expand.grid(lambda = data$lambda, part = names(cut$x)[-1], stringsAsFactors = FALSE)[2:1]
  cbind(
    unit_key(task, n, data), features = NA_integer_, measured, nothing, problem = problem,
    seconds_learn = NA_real_, seconds_map = NA_real_, seconds_regress = NA_real_, seconds_measure = NA_real_,
    row.names = NULL
  )
}

# A data frame with a row for each lambda and part, a column for each measure; NA
# where the regression did not converge.
cv_measures <- function(path, features, y, data) {
  rows <- list()
  for (part in names(features)) {
    for (l in seq_along(data$lambda)) {
      coefficients <- matrix(path$coefficients[, , l], dim(path$coefficients)[1])
      value <- if (all(path$converged[, l])) {
        predicted <- ridge_response(features[[part]], coefficients, path$link)
        measure_response(predicted, y[[part]], data$response$type, data$top)
      }
      names <- measure_names[[data$response$type]]
      if (is.null(value)) value <- stats::setNames(rep(NA_real_, length(names)), names)
      rows[[length(rows) + 1]] <- data.frame(part = part, lambda = data$lambda[l], t(value[names]))
    }
  }
  do.call(rbind, rows)
}

cv_learn <- function(method, x, n, name, dots) {
  tryCatch(
    if (inherits(method, "landmark_method")) do.call(landmarks, c(list(x, n, method), dots)) else method(x, n),
    error = function(e) {
      abort_input(c("Method {.val {name}} failed with {.arg n} = {n} on {nrow(x)} rows."),
        arg = "methods", kind = "method", call = NULL, parent = e
      )
    }
  )
}

# The features of one part of the data, checked: a user's own method may return anything.
cv_features <- function(fit, x, n, name) {
  w <- tryCatch(stats::predict(fit, x), error = function(e) {
    abort_input("{.fn predict} failed for what method {.val {name}} returned, {describe(fit)}.",
      arg = "methods", kind = "method", call = NULL, parent = e
    )
  })
  if (methods::is(w, "Matrix")) w <- as.matrix(w)
  if (!is.matrix(w) || !(is.numeric(w) || is.logical(w)) || nrow(w) != nrow(x) || !all(is.finite(w))) {
    abort_features(name, "a matrix of finite numbers with a row for each row of {.arg x}, {nrow(x)}.",
      "{describe(w)}{if (is.matrix(w) && nrow(w) == nrow(x)) ' with other values'}."
    )
  }
  # A fit of landmarks has said itself why it has fewer.
  if (ncol(w) < n && !inherits(fit, c("landmarks", "raw_features"))) {
    abort_features(name, "at least {n} feature{?s}, as many as {.arg n}.", "{ncol(w)}.")
  }
  storage.mode(w) <- "double"
  w
}

check_same_width <- function(features, name) {
  widths <- vapply(features, ncol, 0L)
  if (any(widths != widths[1])) {
    abort_features(name, "as many features for new rows as for those learned from.",
      "{widths[1]} and {widths[widths != widths[1]][1]}."
    )
  }
}

# `rule` and `given` may name what the caller has.
abort_features <- function(name, rule, given, .envir = parent.frame()) {
  abort_input(c(
    paste("{.fn predict} of what method {.val {name}} returns must give", rule),
    x = paste("It gave", given)
  ), arg = "methods", kind = "method", call = NULL, .envir = .envir)
}

# Workers look for packages where this session does, and have to find this one.
check_workers <- function(cl, call) {
  parallel::clusterCall(cl, eval, bquote(.libPaths(.(.libPaths()))))
  there <- unlist(parallel::clusterCall(cl, requireNamespace, "landmarker", quietly = TRUE))
  if (!all(there)) {
    abort_input(c(
      "Every worker of {.arg cl} must have the package {.pkg landmarker}.",
      x = "{sum(!there)} of {length(there)} cannot load it."
    ), arg = "cl", kind = "worker", call = call)
  }
}

# What parallel says of a worker that is gone is about connections.
with_workers <- function(call, code) {
  tryCatch(code, error = function(e) {
    if (inherits(e, "landmarker_error")) stop(e)
    abort_input("The workers of {.arg cl} must stay alive.", arg = "cl", kind = "worker", call = call, parent = e)
  })
}

# All tasks, here or on workers: the numbers are the same, since each task sets
# its own seed.
spread_tasks <- function(tasks, data, cl, call) {
  if (is.null(cl)) {
    bar <- progress_start("Cross-validating", length(tasks))
    return(run_tasks(tasks, data, function() progress_step(bar)))
  }
  workers <- if (inherits(cl, "cluster")) length(cl) else cl
  # Dealt in turn, so that each has of the quick and of the slow ones.
  turn <- (seq_along(tasks) - 1) %% workers + 1
  hands <- split(seq_along(tasks), turn)
  dealt <- lapply(hands, function(hand) tasks[hand])
  found <- if (inherits(cl, "cluster")) {
    with_workers(call, {
      check_workers(cl, call)
      parallel::clusterApply(cl, dealt, run_on_worker, data = data)
    })
  } else {
    parallel::mclapply(dealt, run_on_worker, data = data, mc.cores = workers, mc.preschedule = FALSE)
  }
  for (worker in found) if (inherits(worker, "condition")) rlang::cnd_signal(worker)
  lost <- !vapply(found, is.list, NA)
  if (any(lost)) {
    abort_input(c("A worker of {.arg cl} must stay alive.", x = "One ended before its work was done."),
      arg = "cl", kind = "worker", call = call
    )
  }
  out <- vector("list", length(tasks))
  out[unlist(hands)] <- unlist(found, recursive = FALSE)
  out
}
