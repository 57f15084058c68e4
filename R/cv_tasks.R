# The work of cv_landmarks(), cut into independent tasks:
# one method on one split with one seed, for one number of landmarks, or for all
# where the shorter fits are prefixes of the longest.

# `shared`: whether all numbers of landmarks have the same bandwidth.
cv_tasks <- function(methods, n, splits, seeds, shared = TRUE) {
  tasks <- list()
  for (s in seq_along(seeds)) {
    set_seed(seeds[s])
    # The same number for a method in any list of methods.
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

# Whether a fit for the largest n serves all numbers.
cv_prefixes <- function(method) {
  method <- bare_method(method)
  (inherits(method, "landmark_method") && method_can(method, "prefixes")) || identical(method, raw_features)
}

# `data`: list(x, response, weights, splits, test, methods, bandwidths, lambda, engine, model, top,
# dots, seeds, measure, nested, lambda_per_tag), the checked arguments of cv_landmarks().
# Returns a list for each task: its rows of results, seconds, and warnings. The
# rows of a split are cut out once for tasks that follow each other. `done` is told the share of a task
# that was done: each of its regressions is one.
run_tasks <- function(tasks, data, done = NULL) {
  # One bar for all: the fits show none of their own.
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
      run_task(task, data, cut),
      warning = function(w) {
        warned <<- c(warned, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    )
    cut$tick(left)
    c(result, list(warned = unique(warned)))
  })
}

# The same on a worker, one thread each.
run_on_worker <- function(tasks, data, key) {
  old <- options(landmarker.threads = getOption("landmarker.threads", 1L))
  on.exit(options(old))
  if (!is.null(data)) assign(key, data, worker_store)
  data <- worker_store[[key]]
  # Another worker has the data: some clusters hand calls to any worker that is idle.
  if (is.null(data)) return(NULL)
  tryCatch(run_tasks(tasks, data), error = function(e) e)
}

forget_on_worker <- function(key) suppressWarnings(rm(list = key, envir = worker_store))

cut_split <- function(data, task) {
  split <- data$splits[[task$seed]][[task$fold]]
  rows <- c(split, if (length(data$test)) list(test = data$test))
  list(
    at = c(task$seed, task$fold),
    rows = rows,
    x = lapply(rows, function(of) data$x[of, , drop = FALSE]),
    y = lapply(rows, function(of) data$response$y[of, , drop = FALSE]),
    weights = lapply(rows, function(of) data$weights[of]),
    inner = if (data$nested) draw_inner(split$train, data$response, data$seeds[task$seed], task$fold),
    ready = make_once(function() {
      ready_data(data$x[split$train, , drop = FALSE], isTRUE(data$dots$scale), data$weights[split$train])
    })
  )
}

# What `make` gives, made when it is first asked for.
make_once <- function(make) {
  made <- NULL
  function() {
    if (is.null(made)) made <<- make()
    made
  }
}

# A list of `rows`, results; and where the method failed `error`, the condition.
run_task <- function(task, data, cut) {
  method <- data$methods[[task$method]]
  if (inherits(method, "method_with_data")) {
    cut$x <- lapply(cut$rows, function(of) method$x[of, , drop = FALSE])
    data$dots <- utils::modifyList(data$dots, method$dots)
    cut$ready <- make_once(function() ready_data(cut$x$train, isTRUE(data$dots$scale), cut$weights$train))
    data$methods[[task$method]] <- method$method
  }
  # A function makes its own features, without a bandwidth.
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

run_bandwidth <- function(task, sizes, b, data, cut) {
  tryCatch(
    list(rows = run_fit(task, sizes, b, data, cut)),
    landmarker_error_method = function(e) {
      # Where one fit serves all numbers, a smaller number may do.
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
  fit <- cv_fit(task, max(sizes), b, data, cut)
  learn <- lap()
  features <- lapply(cut$x, function(x) cv_features(fit, x, max(sizes), task$method))
  check_same_width(features, task$method)
  mapped <- lap()
  # One fit where the number of landmarks is ignored.
  if (inherits(fit, "raw_features")) sizes <- NA_integer_
  v <- cut$weights
  rows <- lapply(sizes, function(n) {
    lap()
    m <- min(n, ncol(features$train), na.rm = TRUE)
    path <- ridge_path(features$train, m, cut$y$train, data$lambda, data$model, data$engine, v$train)
    inner <- if (data$nested) inner_predictions(features$train, m, cut$y$train, cut$inner, data, v$train)
    regress <- lap()
    lambda <- data$lambda
    if (data$lambda_per_tag) {
      path <- path_of_tags(path, lambda, tag_lambdas(inner, cut$y$train, data$measure, data, v$train))
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

# The fit of one bandwidth. The landmarks of k-means and random rows are the same for all: they are
# learned once, with the rule that draws no random numbers, and get each bandwidth afterwards.
cv_fit <- function(task, n, b, data, cut) {
  method <- data$methods[[task$method]]
  bandwidth <- if (!is.na(b)) data$bandwidths[[b]]
  if (!knows_no_bandwidth(method)) {
    method <- with_response(method, part_of_response(data$response, cut$rows$train), "cv_landmarks()", NULL)
    v <- cut$weights$train
    return(cv_learn(method, cut$x$train, n, task$method, bandwidth, data$dots, cut$ready, data$free, v))
  }
  key <- as.character(n)
  if (is.null(cut$kept[[key]])) {
    assign(key, cv_learn(method, cut$x$train, n, task$method, "variance", data$dots, cut$ready), cut$kept)
  }
  in_method(task$method, n, nrow(cut$x$train), with_bandwidth(cut$kept[[key]], bandwidth, cut$ready()$source))
}

# The columns that identify the unit of a row of results.
unit_key <- function(task, n, b, data) {
  labels <- bandwidth_labels(data$bandwidths)
  data.frame(
    seed = data$seeds[task$seed], fold = task$fold, method = task$method, n = n,
    bandwidth = if (is.na(b)) labels[NA_integer_] else labels[b]
  )
}

# The rows of a fit that failed: nothing was measured, and `problem` says why.
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

# A data frame with a row for each lambda and part, a column for each measure; NA
# where the regression did not converge.
cv_measures <- function(path, features, y, lambda, data, weights = NULL) {
  rows <- list()
  for (part in names(features)) {
    for (l in seq_along(lambda)) {
      coefficients <- matrix(path$coefficients[, , l], dim(path$coefficients)[1])
      value <- if (all(path$converged[, l])) {
        predicted <- ridge_response(features[[part]], coefficients, path$link)
        measure_response(predicted, y[[part]], data$response$type, data$top, weights[[part]])
      }
      names <- measure_names[[data$response$type]]
      if (is.null(value)) value <- stats::setNames(rep(NA_real_, length(names)), names)
      rows[[length(rows) + 1]] <- data.frame(part = part, lambda = lambda[l], t(value[names]))
    }
  }
  do.call(rbind, rows)
}

# What a method makes of the data: a fit of landmarks, or whatever a function returns. `ready`,
# a function that gives the data as ready_data() makes them, or NULL.
# `free`: whether the method may learn a bandwidth of its own. `weights`: of the rows, or NULL.
cv_learn <- function(method, x, n, name, bandwidth, dots, ready = NULL, free = FALSE, weights = NULL) {
  in_method(name, n, nrow(x), {
    if (!inherits(method, "landmark_method")) {
      learn_function(method, x, n, isTRUE(dots$scale), weights)
    } else if (is.null(ready)) {
      # A bandwidth that is not given may be learned.
      given <- c(if (!free) list(bandwidth = bandwidth), if (!is.null(weights)) list(weights = weights))
      do.call(landmarks, c(list(x, n, method), given, dots))
    } else {
      data <- ready()
      space <- check_space(dots$space %||% "euclidean", NULL)
      landmarks_of_source(data$source, n, method, bandwidth, space, data$scale, data$blueprint,
        quote(landmarks()), proc.time()[["elapsed"]], NULL, free
      )
    }
  })
}

# The result of a function(x, n). It gets the weights where it has an argument for them.
learn_function <- function(method, x, n, scale, weights) {
  if (identical(method, raw_features)) return(raw_features(x, n, scale, weights))
  if (identical(method, nmf_features)) return(nmf_features(x, n, scale = scale))
  takes <- !is.null(weights) && "weights" %in% names(formals(args(method)))
  if (takes) method(x, n, weights = weights) else method(x, n)
}

# Errors of a user's own code, with the name of their method.
in_method <- function(name, n, rows, code) {
  on_failure(code, function(e) {
    abort_input("Method {.val {name}} failed with {.arg n} = {n} on {rows} rows.",
      arg = "methods", kind = "method", call = NULL, parent = e
    )
  })
}

# The features of one part of the data, checked: a user's own method may return anything.
cv_features <- function(fit, x, n, name) {
  w <- on_failure(stats::predict(fit, x), function(e) {
    abort_input("{.fn predict} failed for the result of method {.val {name}}, {describe(fit)}.",
      arg = "methods", kind = "method", call = NULL, parent = e
    )
  })
  if (methods::is(w, "Matrix")) w <- as.matrix(w)
  if (!is.matrix(w) || !(is.numeric(w) || is.logical(w)) || nrow(w) != nrow(x) || !all(is.finite(w))) {
    abort_features(name, "a matrix of finite numbers with a row for each row of {.arg x}, {nrow(x)}.",
      "{describe(w)}{if (is.matrix(w) && nrow(w) == nrow(x)) ' with other values'}."
    )
  }
  # A fit with fewer landmarks has given its own warning.
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
    paste("{.fn predict} for the result of method {.val {name}} must return", rule),
    x = paste("It returned", given)
  ), arg = "methods", kind = "method", call = NULL, .envir = .envir)
}

# Workers use the library paths of this session, and must find this package there.
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

# parallel reports a lost worker as an error about connections.
with_workers <- function(call, code) {
  on_failure(code, function(e) {
    if (inherits(e, "landmarker_error")) stop(e)
    abort_input(
      c("The workers of {.arg cl} must keep running.", i = "Start another cluster."),
      arg = "cl", kind = "worker", call = call, parent = e
    )
  })
}

# What each worker finds of its chunk of the tasks. With a progress bar in ten rounds, else in one. The data
# travel in the first.
run_in_rounds <- function(tasks, data, chunks, cl) {
  bar <- progress_start("Cross-validating", length(tasks))
  key <- paste0("tasks-", Sys.getpid(), "-", as.numeric(Sys.time()))
  on.exit(try(parallel::clusterCall(cl, forget_on_worker, key), silent = TRUE))
  rounds <- if (is.null(bar)) 1 else 10
  cut <- lapply(chunks, function(chunk) split(chunk, ceiling(seq_along(chunk) * rounds / length(chunk))))
  found <- vector("list", length(chunks))
  for (r in seq_len(max(lengths(cut)))) {
    some <- which(lengths(cut) >= r)
    shares <- lapply(cut[some], function(parts) tasks[parts[[r]]])
    here <- parallel::clusterApply(cl, shares, run_on_worker, data = if (r == 1) data, key = key)
    absent <- which(vapply(here, is.null, NA))
    if (length(absent)) {
      here[absent] <- parallel::clusterApply(cl, shares[absent], run_on_worker, data = data, key = key)
    }
    for (k in seq_along(some)) {
      if (inherits(here[[k]], "condition")) return(list(here[[k]]))
      found[[some[k]]] <- c(found[[some[k]]], here[[k]])
    }
    progress_step(bar, sum(lengths(shares)))
  }
  found
}

# All tasks, here or on workers: the numbers are the same, since each task sets
# its own seed.
distribute_tasks <- function(tasks, data, cl, call) {
  if (is.null(cl)) {
    bar <- progress_start("Cross-validating", length(tasks))
    # The bar belongs to this call, whoever tells of its steps. Fits have no bars of their own.
    here <- environment()
    rlang::local_options(landmarker.progress = FALSE)
    return(run_tasks(tasks, data, function(share) progress_step(bar, share, here)))
  }
  workers <- if (inherits(cl, "cluster")) length(cl) else cl
  # Assigned in turn, so that each worker gets fast and slow tasks.
  turn <- (seq_along(tasks) - 1) %% workers + 1
  chunks <- split(seq_along(tasks), turn)
  found <- if (inherits(cl, "cluster")) {
    with_workers(call, {
      check_workers(cl, call)
      run_in_rounds(tasks, data, chunks, cl)
    })
  } else {
    shares <- lapply(chunks, function(chunk) tasks[chunk])
    key <- "forked"
    parallel::mclapply(
      shares, run_on_worker, data = data, key = key, mc.cores = workers, mc.preschedule = FALSE
    )
  }
  for (worker in found) if (inherits(worker, "condition")) rlang::cnd_signal(worker)
  lost <- !vapply(found, is.list, NA)
  if (any(lost)) {
    abort_input(c("The workers of {.arg cl} must keep running.", x = "One stopped before its work was done."),
      arg = "cl", kind = "worker", call = call
    )
  }
  out <- vector("list", length(tasks))
  out[unlist(chunks)] <- unlist(found, recursive = FALSE)
  out
}
