# The fits and regressions of a comparison. A task is one method on one split, for one number of landmarks, or
# for all numbers if the landmarks of a smaller fit are the first ones of a larger.

# The results of all tasks, a row for each regression and part. They are the same with any number of daemons,
# because each task sets its own seed. `cv`: the checked arguments of cv_landmarks() and the splits.
cv_units <- function(cv, n, call) {
  one_fit <- vapply(cv$methods, function(m) cv_prefixes(m$method) && same_bandwidths(m, cv, n), NA)
  tasks <- cv_tasks(one_fit, n, length(cv$splits[[1]]), cv$seeds)
  remote <- has_daemons()
  # A daemon gets the tasks of a method on a split together, with one copy of the data.
  unit <- vapply(tasks, function(task) paste(task$seed, task$fold, task$method), "")
  groups <- if (remote) split(tasks, factor(unit, unique(unit))) else lapply(tasks, list)
  bar <- progress_start("Cross-validating", length(tasks))
  # cli ends a bar with the function that it belongs to.
  here <- environment()
  found <- list()
  started <- proc.time()[["elapsed"]]
  first_fold <- length(tasks) / (length(cv$splits[[1]]) * length(cv$seeds))
  work_on(groups, run_tasks, cv, remote, what = "Group of fits", call = call, take = function(results, k) {
    found <<- c(found, results)
    if (length(found) == first_fold) {
      announce_time(proc.time()[["elapsed"]] - started, first_fold / length(tasks),
        "Fewer {.arg methods}, {.arg n} or {.arg folds} are quicker.", call
      )
    }
    progress_step(bar, length(results), here)
  })
  units <- do.call(rbind, lapply(found, `[[`, "rows"))
  if (!anyNA(units$problem)) {
    abort_input("All methods failed. The first error was:",
      arg = "methods", kind = "method", call = call, parent = found[[1]]$error
    )
  }
  # Features of a method that ignores n may have been measured once for each n, with n missing in the table.
  units <- units[!duplicated(units[c("seed", "fold", "method", "n", "bandwidth", "part", "lambda")]), ]
  warn_fits(found, tasks, call)
  warn_failed(units, call)
  warn_unconverged(units, call)
  units
}

# A list of tasks, list(seed, fold, stream, method, n): the places of the seed and of the split, the seed of
# the task's draws, the name of the method, and one or several numbers of landmarks. `one_fit`: for each
# method whether one fit serves all numbers.
cv_tasks <- function(one_fit, n, folds, seeds) {
  fits <- lapply(names(one_fit), function(name) {
    lapply(if (one_fit[[name]]) list(n) else as.list(n), function(sizes) list(method = name, n = sizes))
  })
  fits <- do.call(c, fits)
  grid <- expand.grid(fit = seq_along(fits), fold = seq_len(folds), seed = seq_along(seeds))
  base <- vapply(seeds, function(seed) {
    set_seed(seed)
    sample.int(.Machine$integer.max, 1)
  }, 0L)
  Map(function(fit, fold, seed) {
    # The draws of a task do not depend on the other methods.
    stream <- (base[seed] + 7919 * fold + 104729 * max(fits[[fit]]$n)) %% .Machine$integer.max
    c(list(seed = seed, fold = fold, stream = stream), fits[[fit]])
  }, grid$fit, grid$fold, grid$seed)
}

# The results of tasks of one method on one split.
run_tasks <- function(tasks, cv, remote) {
  # There is one progress bar for all tasks, and none for each fit.
  rlang::local_options(landmarker.progress = FALSE)
  parts <- cut_rows(tasks[[1]], cv)
  lapply(tasks, function(task) {
    result <- fit_and_score(task, parts, cv)
    # The trace of an error holds the data.
    if (remote) result["error"] <- list(light_condition(result$error))
    result
  })
}

# The rows of the parts of a split, "train", "held_out" and "test" as in the column `part` of the results: for
# each a list(x, y, weights), of those to learn from also the `response`, and the `inner` folds.
cut_rows <- function(task, cv) {
  split <- cv$splits[[task$seed]][[task$fold]]
  rows <- list(train = split$train, held_out = split$held_out)
  if (length(cv$test)) rows$test <- cv$test
  parts <- lapply(rows, cv_part, cv$methods[[task$method]], cv)
  parts$train$response <- part_of_response(cv$response, split$train)
  if (cv$nested) parts$train$inner <- draw_inner(split$train, cv$response, cv$seeds[task$seed], task$fold)
  parts
}

# Some rows of the data of a method, list(x, y, weights).
cv_part <- function(rows, spec, cv) {
  x <- spec$x %||% cv$x
  list(
    x = if (length(rows) < nrow(x)) x[rows, , drop = FALSE] else x, y = cv$response$y[rows, , drop = FALSE],
    weights = cv$weights[rows]
  )
}

# The results of a task, list(rows, error, warnings): a row for each bandwidth, number of landmarks, part and
# lambda, the error of a method that failed, and the texts of warnings.
fit_and_score <- function(task, parts, cv) {
  spec <- cv$methods[[task$method]]
  tuned <- cv$tune_bandwidth && inherits(spec$method, "by_response")
  learn <- cv_learner(spec, task$method, parts$train, cv)
  error <- NULL
  warnings <- character()
  # The results of the numbers of landmarks `n` at the b-th bandwidth.
  at_bandwidth <- function(b, n) {
    # The same draws for every bandwidth, so that results do not depend on the other bandwidths.
    set_seed(task$stream)
    seconds <- NA_real_
    problem <- NA_character_
    scores <- tryCatch(
      {
        learned <- learn(b, max(n))
        seconds <- learned$seconds
        score_fit(learned$fit, n, task$method, parts, cv)
      },
      landmarker_error_method = function(e) e
    )
    if (inherits(scores, "landmarker_error_method")) {
      # Fits with fewer landmarks may succeed.
      if (length(n) > 1) return(do.call(rbind, lapply(n, at_bandwidth, b = b)))
      error <<- error %||% scores
      seconds <- NA_real_
      # A method's own error is the cause; ours only says which method it was.
      problem <- one_line(cli::ansi_strip(conditionMessage(scores$parent %||% scores)))
      scores <- score_failure(if (!identical(spec$method, raw_features)) n else NA_integer_, parts, cv)
    }
    data.frame(
      seed = cv$seeds[task$seed], fold = task$fold, method = task$method, n = scores$n,
      bandwidth = if (tuned) "learned" else cv$bandwidths[b], scores[-1], problem = problem,
      seconds_learn = seconds, row.names = NULL
    )
  }
  # A function of the user makes features without a bandwidth.
  places <- if (is.function(spec$method)) NA_integer_ else seq_along(cv$bandwidths)
  rows <- withCallingHandlers(
    lapply(places, at_bandwidth, n = task$n),
    warning = function(w) {
      warnings <<- union(warnings, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  list(rows = do.call(rbind, rows), error = error, warnings = warnings)
}

# ---- landmarks -----------------------------------------------------------------------

# A function(b, n) that learns n landmarks at the b-th bandwidth: list(fit, seconds). Landmarks that do not
# depend on the bandwidth, such as those of k-means, are learned once, with the rule "variance".
cv_learner <- function(spec, name, train, cv) {
  # The comparison measures on rows of its own, so one part that chooses is enough.
  if (inherits(spec$method, "by_response")) spec$method$once <- TRUE
  shared <- once_each(function(n) cv_learn(spec, name, n, "variance", train))
  source <- make_once(function() as_source(train$x, train$weights, spec$scale))
  function(b, n) {
    started <- proc.time()[["elapsed"]]
    bandwidth <- cv$bandwidth[[b]]
    if (is.function(spec$method) || method_can(spec$method, "uses_bandwidth")) {
      fit <- cv_learn(spec, name, n, bandwidth, train, cv$tune_bandwidth)
      return(list(fit = fit, seconds = proc.time()[["elapsed"]] - started))
    }
    fit <- shared(n)
    # Only its features are used: its variances are those of the other bandwidth.
    fit$bandwidth <- in_method(name, n, nrow(train$x),
      find_kernel(bandwidth, source(), nrow(fit$landmarks), call = NULL, profile = spec$kernel)$bandwidth
    )
    list(fit = fit, seconds = fit$seconds)
  }
}

# What a method learns from the rows `train`, list(x, weights, response), with `n` landmarks or features: a
# fit, or whatever a function of the user returns. `tune`: whether a method may learn its own bandwidth.
cv_learn <- function(spec, name, n, bandwidth, train, tune = FALSE) {
  method <- spec$method
  x <- train$x
  weights <- train$weights
  in_method(name, n, nrow(x), {
    if (identical(method, raw_features)) {
      raw_features(x, n, !isFALSE(spec$scale), weights)
    } else if (identical(method, nmf_features)) {
      nmf_features(x, n, scale = !isFALSE(spec$scale))
    } else if (is.function(method)) {
      takes_weights <- !is.null(weights) && "weights" %in% names(formals(args(method)))
      if (takes_weights) method(x, n, weights = weights) else method(x, n)
    } else {
      method <- with_response(method, train$response, "cv_landmarks()", NULL)
      arguments <- list(x, n, method, space = spec$space, scale = spec$scale, kernel = spec$kernel)
      if (!tune) arguments$bandwidth <- bandwidth
      if (!is.null(weights)) arguments$weights <- weights
      do.call(landmarks, arguments)
    }
  })
}

# Evaluates `code`; an error in it, which may be of a user's own code, names the method.
in_method <- function(name, n, rows, code) {
  on_failure(code, function(e) {
    abort_input("Method {.val {name}} failed with {.arg n} = {n} on {rows} rows.",
      arg = "methods", kind = "method", call = NULL, parent = e
    )
  })
}

# Whether one fit for the largest n serves all numbers: its first landmarks are those of a fit with fewer.
cv_prefixes <- function(method) {
  if (is.function(method)) identical(method, raw_features) else method_can(method, "prefixes")
}

# Whether all the numbers of landmarks `n` have the same bandwidths. A rule that is given without a factor, as
# "variance", is narrowed where it is too wide for so many landmarks. Then each number has a bandwidth, and so
# a fit, of its own.
same_bandwidths <- function(spec, cv, n) {
  rules <- Filter(function(rule) isTRUE(rule$bare), lapply(cv$bandwidth, bandwidth_rule))
  if (length(n) == 1 || length(rules) == 0 || is.function(spec$method)) return(TRUE)
  source <- as_source(spec$x %||% cv$x, cv$weights, spec$scale)
  most <- min(max(n), source$dim[1])
  all(vapply(rules, function(rule) {
    widest <- rule_value(rule$name, source)
    narrow_bandwidth(widest, source, most, compute_with(), spec$kernel) == widest
  }, NA))
}

# ---- features and regressions --------------------------------------------------------

# The results of a fit for the numbers of landmarks `n`: a data frame of n, features, part, lambda, the
# measures and seconds_regress.
score_fit <- function(fit, n, name, parts, cv) {
  if (inherits(fit, "landmarks") && !is.null(fit$response)) {
    # Its own regression has chosen its penalty.
    scores <- lapply(names(parts)[-1], function(part) {
      p <- within_folds(as.matrix(stats::predict(fit, parts[[part]]$x, "response")))
      score_rows(part, NA_real_, list(p), TRUE, parts[[part]], cv)
    })
    scores <- do.call(rbind, scores)
    return(data.frame(n = max(n), features = nrow(fit$landmarks), scores, seconds_regress = 0))
  }
  features <- cv_features(fit, lapply(parts, `[[`, "x"), max(n), name)
  # Raw features ignore the number of landmarks: one row of results, without a number, is enough.
  if (inherits(fit, "raw_features")) n <- NA_integer_
  do.call(rbind, lapply(n, function(n) score_features(features, n, parts, cv)))
}

score_features <- function(features, n, parts, cv) {
  started <- proc.time()[["elapsed"]]
  train <- parts$train
  m <- min(n, ncol(features$train), na.rm = TRUE)
  path <- ridge_path(features$train, m, train$y, cv$lambda, cv$model, train$weights)
  inner <- if (cv$nested) inner_predictions(features$train, m, train, cv)
  seconds <- proc.time()[["elapsed"]] - started
  lambda <- cv$lambda
  scores <- list()
  if (cv$lambda_per_tag) {
    path <- path_of_tags(path, lambda, tag_lambdas(inner, train, cv))
    lambda <- NA_real_
  } else if (cv$nested) {
    scores <- list(score_rows("inner", lambda, inner$p, colSums(!inner$converged) == 0, train, cv))
  }
  converged <- colSums(!path$converged) == 0
  held_out <- lapply(names(parts)[-1], function(part) {
    score_rows(part, lambda, predict_path(path, features[[part]]), converged, parts[[part]], cv)
  })
  data.frame(n = n, features = m, do.call(rbind, c(scores, held_out)), seconds_regress = seconds)
}

# The measures of predictions of a part: a row for each lambda, NA where the regression did not converge.
# `p`: a list of the predictions at each lambda; `rows`: list(y, weights).
score_rows <- function(part, lambda, p, converged, rows, cv) {
  names <- measure_names[[cv$type]]
  values <- vapply(seq_along(lambda), function(l) {
    if (!converged[l]) return(rep(NA_real_, length(names)))
    measure_response(p[[l]], rows$y, cv$type, cv$top, rows$weights, cv$variance)[names]
  }, numeric(length(names)))
  values <- matrix(values, ncol = length(names), byrow = TRUE, dimnames = list(NULL, names))
  data.frame(part = part, lambda = lambda, values)
}

# The same for a fit that failed.
score_failure <- function(n, parts, cv) {
  lambda <- if (cv$lambda_per_tag) NA_real_ else cv$lambda
  scores <- lapply(names(parts)[-1], score_rows, lambda, NULL, logical(length(lambda)), NULL, cv)
  data.frame(n = n, features = NA_integer_, do.call(rbind, scores), seconds_regress = NA_real_)
}

# What predict() gives for a result of a method: of landmarks their features, also where they have a response.
features_of <- function(fit, x) {
  if (inherits(fit, "landmarks")) stats::predict(fit, x, "features") else stats::predict(fit, x)
}

# In a fold, constant columns and rows far from its landmarks are no news.
within_folds <- function(code) {
  suppressWarnings(code, classes = c("landmarker_warning_far", "landmarker_warning_constant"))
}

# The features of each of the data sets `x`, a list of matrices with at least n columns. They are checked,
# because predict() may be a user's own.
cv_features <- function(fit, x, n, name) {
  refuse <- function(rule, found) {
    abort_input(c(
      "{.fn predict} must return {rule} for method {.val {name}}.", x = "It returned {found}."
    ), arg = "methods", kind = "method", call = NULL)
  }
  features <- lapply(x, function(x) {
    w <- on_failure(within_folds(features_of(fit, x)), function(e) {
      abort_input("{.fn predict} failed for method {.val {name}}, whose result is {describe(fit)}.",
        arg = "methods", kind = "method", call = NULL, parent = e
      )
    })
    if (methods::is(w, "Matrix")) w <- as.matrix(w)
    numbers <- is.matrix(w) && (is.numeric(w) || is.logical(w)) && nrow(w) == nrow(x)
    if (!numbers || !all(is.finite(w))) {
      rule <- paste("a matrix of finite numbers with", how_many(nrow(x), "row"))
      refuse(rule, paste0(describe(w), if (numbers) " with missing or infinite values"))
    }
    # A fit with fewer landmarks has given its own warning.
    if (ncol(w) < n && !inherits(fit, c("landmarks", "raw_features"))) {
      refuse(paste0("at least ", how_many(n, "feature"), ", as many as `n`"), ncol(w))
    }
    storage.mode(w) <- "double"
    w
  })
  width <- unique(vapply(features, ncol, 0L))
  if (length(width) > 1) {
    refuse("as many features for new rows as for the training rows", paste(width[1], "and", width[2]))
  }
  features
}

# ---- warnings, after all is done ---------------------------------------------------------

# Warnings of the fits. Those whose texts differ in numbers alone come once, with how often they occurred.
warn_fits <- function(found, tasks, call) {
  texts <- lapply(found, `[[`, "warnings")
  kinds <- lapply(texts, gsub, pattern = "[0-9]+", replacement = "#")
  for (kind in unique(unlist(kinds))) {
    of <- vapply(kinds, function(k) kind %in% k, NA)
    names <- unique(vapply(tasks[of], `[[`, "", "method"))
    text <- one_line(unlist(texts)[match(kind, unlist(kinds))])
    warn_user("In {sum(of)} of {length(found)} fits ({.val {names}}): {text}", kind = "fit", call = call)
  }
}

# A warning for each method that failed in some of its fits.
warn_failed <- function(units, call) {
  fits <- units[!duplicated(units[c("seed", "fold", "method", "n", "bandwidth")]), ]
  for (method in unique(fits$method[!is.na(fits$problem)])) {
    problems <- fits$problem[fits$method == method]
    failed <- problems[!is.na(problems)]
    warn_user(c(
      "Method {.val {method}} failed in {length(failed)} of {length(problems)} fits.",
      x = "{failed[1]}", i = "Rows of the table with failed fits have no measures."
    ), kind = "method", call = call)
  }
}

warn_unconverged <- function(units, call) {
  units <- units[is.na(units$problem) & units$part == "held_out", ]
  # This measure is missing only where a regression did not converge.
  lost <- units[is.na(units[[tie_measure(names(units))]]), ]
  if (nrow(lost) == 0) return(invisible())
  where <- unique(sprintf("%s, n = %s, lambda = %s", lost$method, lost$n, format_lambda(lost$lambda)))
  warn_user(c(
    "{nrow(lost)} of {nrow(units)} regressions did not converge and are excluded from all means.",
    x = "{utils::head(where, 3)}{if (length(where) > 3) ', ...'}."
  ), kind = "convergence", call = call)
}
