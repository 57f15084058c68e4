# The fits and regressions of a comparison. A task is one method on one split, for one number of landmarks, or
# for all numbers if the landmarks of a smaller fit are the first ones of a larger.

# The results of all tasks, a row for each regression and part. They are the same with any number of daemons,
# because each task sets its own seed. `cv`: the checked arguments of cv_landmarks() and the splits.
cv_units <- function(cv, n, call) {
  one_fit <- vapply(cv$methods, serves_all_sizes, NA, cv, n)
  tasks <- cv_tasks(one_fit, n, length(cv$splits[[1]]), cv$seeds)
  # The tasks of a method on a split come together: a daemon gets one copy of the data.
  unit <- vapply(tasks, function(task) paste(task$seed, task$fold, task$method), "")
  groups <- split(tasks, factor(unit, unique(unit)))
  bar <- progress_start("Cross-validating", length(tasks))
  # cli ends a bar with the function that it belongs to.
  here <- environment()
  found <- list()
  started <- proc.time()[["elapsed"]]
  first_fold <- length(tasks) / (length(cv$splits[[1]]) * length(cv$seeds))
  work_on(groups, run_tasks, cv, what = "A group of fits", call = call, take = function(results, k) {
    found <<- c(found, results)
    if (length(found) == first_fold) {
      announce_time(proc.time()[["elapsed"]] - started, first_fold / length(tasks),
        "To save time, use fewer {.arg methods}, values of {.arg n}, or {.arg folds}.", call
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
  units <- units[!duplicated(cbind(row_key(units), units[c("seed", "fold", "part", "lambda")])), ]
  warn_fits(found, tasks, call)
  warn_failed(units, call)
  warn_unconverged(units, call)
  units
}

# A list of tasks, list(seed, fold, stream, method, n): the places of the seed and of the split, the seed of
# the task's draws, the name of the method, and one or several numbers of landmarks. `one_fit`: for each
# method whether one fit serves all numbers.
cv_tasks <- function(one_fit, n, folds, seeds) {
  fits <- do.call(c, lapply(names(one_fit), function(name) {
    lapply(if (one_fit[[name]]) list(n) else as.list(n), function(sizes) list(method = name, n = sizes))
  }))
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

# The results of tasks of one method on one split, from the parts of this: "train", "held_out" and "test".
run_tasks <- function(tasks, cv) {
  # There is one progress bar for all tasks, and none for each fit.
  rlang::local_options(landmarker.progress = FALSE)
  task <- tasks[[1]]
  rows <- cv$splits[[task$seed]][[task$fold]]
  if (length(cv$test)) rows$test <- cv$test
  parts <- lapply(rows, cv_part, cv$methods[[task$method]], cv)
  if (cv$nested) parts$train$inner <- draw_inner(rows$train, cv$response, cv$seeds[task$seed], task$fold)
  results <- list()
  for (task in tasks) {
    result <- fit_and_score(task, parts, cv)
    cv$methods[[task$method]]$method <- result$method
    results <- c(results, list(result))
  }
  results
}

# Some rows of the data of a method, list(x, y, weights, response).
cv_part <- function(rows, spec, cv) {
  x <- spec$x %||% cv$x
  response <- part_of_response(cv$response, rows)
  list(
    x = if (length(rows) < nrow(x)) x[rows, , drop = FALSE] else x, y = response$y,
    weights = cv$weights[rows], response = response
  )
}

# The results of a task, list(rows, error, warnings): a row for each bandwidth, number of landmarks, part and
# lambda, the error of a method that failed, and the texts of warnings.
fit_and_score <- function(task, parts, cv) {
  spec <- cv$methods[[task$method]]
  tuned <- cv$tune_bandwidth && inherits(spec$method, "by_response")
  # The comparison measures on rows of its own, so one part that chooses is enough.
  if (inherits(spec$method, "by_response")) spec$method$once <- TRUE
  learn <- cv_learner(spec, task$method, parts$train, cv)
  error <- NULL
  warnings <- character()
  # The results of the numbers of landmarks `n` at the b-th bandwidth.
  at_bandwidth <- function(b, n) {
    # The same draws for every bandwidth, so that results do not depend on the other bandwidths.
    set_seed(task$stream)
    seconds <- NA_real_
    problem <- NA_character_
    started <- proc.time()[["elapsed"]]
    scores <- tryCatch({
      fit <- learn(max(n), b)
      seconds <- proc.time()[["elapsed"]] - started
      if (inherits(spec$method, "by_response")) spec$method <<- with_choices(spec$method, fit)
      score_fit(fit, n, task$method, parts, cv)
    }, landmarker_error_method = identity)
    if (inherits(scores, "landmarker_error_method")) {
      # Fits with fewer landmarks may succeed.
      if (length(n) > 1) return(do.call(rbind, lapply(n, at_bandwidth, b = b)))
      error <<- error %||% light_condition(scores)
      seconds <- NA_real_
      # A method's own error is the cause; ours only says which method it was.
      problem <- one_line(cli::ansi_strip(conditionMessage(scores$parent %||% scores)))
      scores <- score_failure(if (!identical(spec$method, raw_features)) n else NA_integer_, parts, cv)
    }
    data.frame(
      seed = cv$seeds[task$seed], fold = task$fold, spec$row, n = scores$n,
      bandwidth = if (tuned) "learned" else cv$bandwidths[b], scores[-1], problem = problem,
      seconds_learn = seconds, row.names = NULL
    )
  }
  # A function of the user makes features without a bandwidth.
  places <- if (is.function(spec$method)) NA_integer_ else seq_along(cv$bandwidths)
  rows <- withCallingHandlers(lapply(places, at_bandwidth, n = task$n), warning = function(w) {
    warnings <<- union(warnings, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  list(rows = do.call(rbind, rows), error = error, warnings = warnings, method = spec$method)
}

# by_response() with the configuration that a fit has chosen, for other numbers of landmarks on the same rows.
with_choices <- function(method, fit) {
  method[c("penalty", "relevance", "trend")] <- list(
    fit$response$penalty, !is.null(fit$relevance), !is.null(fit$response$trend)
  )
  method
}

# ---- landmarks -----------------------------------------------------------------------

# A function(n, b) that learns n landmarks in a fold at the b-th bandwidth. Landmarks that do not depend on
# the bandwidth, such as those of k-means, are learned once, with the rule "variance".
cv_learner <- function(spec, name, train, cv) {
  if (is.function(spec$method) || method_can(spec$method, "uses_bandwidth")) {
    return(function(n, b) cv_learn(spec, name, n, cv$bandwidth[[b]], train, cv$tune_bandwidth))
  }
  once <- once_each(function(n) {
    fit <- cv_learn(spec, name, n, "variance", train)
    list(fit = fit, source = as_source(train$x, train$weights, spec$scale))
  })
  function(n, b) {
    learned <- once(n)
    fit <- learned$fit
    # Only its features are used: its variances are those of the other bandwidth.
    kernel <- in_method(name, n, nrow(train$x),
      find_kernel(cv$bandwidth[[b]], learned$source, nrow(fit$landmarks), call = NULL, profile = spec$kernel)
    )
    fit$bandwidth <- kernel$bandwidth
    fit
  }
}

# What a method learns from the rows `train`, list(x, weights, response), with `n` landmarks or features: a
# fit, or whatever a function of the user returns. `tune`: whether a method may learn its own bandwidth.
cv_learn <- function(spec, name, n, bandwidth, train, tune = FALSE) {
  method <- spec$method
  x <- train$x
  weights <- train$weights
  in_method(name, n, nrow(x), {
    if (is.function(method)) {
      scaled <- method_name(method) != "own"
      options <- c(list(weights = weights)[!is.null(weights)], list(scale = spec$scale)[scaled])
      rlang::inject(method(x, n, !!!options[names(options) %in% names(formals(args(method)))]))
    } else {
      method <- with_response(method, train$response, "cv_landmarks()", NULL)
      rlang::inject(landmarks(x, n, method,
        space = spec$space, scale = spec$scale, kernel = spec$kernel, weights = weights,
        !!!if (!tune) list(bandwidth = bandwidth)
      ))
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

# Whether one fit for the largest of the numbers of landmarks `n` serves all: its first landmarks are those of
# a fit with fewer. A rule that is given without a factor, as "variance", is narrowed where it is too wide for
# so many landmarks. Then each number has a bandwidth, and so a fit, of its own.
serves_all_sizes <- function(spec, cv, n) {
  if (is.function(spec$method)) return(identical(spec$method, raw_features))
  if (!method_can(spec$method, "prefixes")) return(FALSE)
  rules <- Filter(function(rule) isTRUE(rule$bare), lapply(cv$bandwidth, bandwidth_rule))
  if (length(n) == 1 || length(rules) == 0) return(TRUE)
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
  if (has_own_regression(fit)) {
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

# Whether a method's result predicts the response by itself.
has_own_regression <- function(fit) inherits(fit, "landmarks") && !is.null(fit$response)

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
  # A fit with fewer landmarks has given its own warning.
  least <- if (inherits(fit, c("landmarks", "raw_features"))) 0 else n
  width <- NULL
  lapply(x, function(x) {
    w <- on_failure(within_folds(features_of(fit, x)), function(e) {
      abort_input("{.fn predict} failed for method {.val {name}}, whose result is {describe(fit)}.",
        arg = "methods", kind = "method", call = NULL, parent = e
      )
    })
    if (methods::is(w, "Matrix")) w <- as.matrix(w)
    width <<- width %||% max(ncol(w), least)
    numbers <- is.matrix(w) && (is.numeric(w) || is.logical(w))
    if (!numbers || nrow(w) != nrow(x) || ncol(w) != width || !all(is.finite(w))) {
      abort_input(c(
        "For method {.val {name}}, {.fn predict} must return a {nrow(x)} x {width} matrix of finite numbers.",
        x = "It returned {describe(w)}{if (numbers && !all(is.finite(w))) ', not all finite'}."
      ), arg = "methods", kind = "method", call = NULL)
    }
    storage.mode(w) <- "double"
    w
  })
}

# The default grid of penalties: powers of ten from 10 T down to 1e-9 T, or 1e-13 T for numbers. T is N
# times the sum of the features' variances, the trace of their centered Gram matrix: a penalty above it
# shrinks all slopes to nearly 0. The features are those of random rows as landmarks, as many as the largest
# n, so that the grid is the same for all methods and numbers. With several bandwidths it goes from the
# largest T to the smallest. Only the first training part is used. `options`: those of cv_landmarks().
lambda_grid <- function(cv, n, options) {
  random <- list(
    method = by_random(), space = options$space, scale = options$scales[[1]], kernel = options$kernels[1]
  )
  train <- cv$splits[[1]][[1]]$train
  set_seed(cv$seeds[1])
  rows <- if (length(train) > 1000) sample(train, 1000) else train
  variance_of <- function(spec, bandwidth = NULL) {
    part <- cv_part(rows, spec, cv)
    learn <- function() cv_learn(spec, "grid", min(max(n), length(rows)), bandwidth, part)
    try_default(suppressWarnings(total_variance(features_of(learn(), part$x), part$weights)), NULL)
  }
  raw <- Filter(function(spec) identical(spec$method, raw_features), cv$methods)
  total <- c(unlist(lapply(cv$bandwidth, variance_of, spec = random)), unlist(lapply(raw, variance_of)))
  count <- if (is.null(cv$weights)) length(train) else sum(cv$weights[train])
  total <- count * total[is.finite(total) & total > 0]
  # No landmarks can be learned from these data. The error comes later, with the fits.
  if (length(total) == 0) total <- count
  reach <- if (cv$type == "number") -13 else -9
  10^(seq(floor(log10(min(total))) + reach, ceiling(log10(max(total))) + 1))
}

total_variance <- function(w, weights = NULL) {
  means <- function(v) if (is.null(weights)) colMeans(v) else colSums(v * weights) / sum(weights)
  sum(means(w^2) - means(w)^2)
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
  fits <- units[!duplicated(cbind(row_key(units), units[c("seed", "fold")])), ]
  methods <- method_labels(fits)
  for (method in unique(methods[!is.na(fits$problem)])) {
    problems <- fits$problem[methods == method]
    failed <- problems[!is.na(problems)]
    warn_user(c(
      "Method {.val {method}} failed in {length(failed)} of {length(problems)} fits.",
      x = "{failed[1]}", i = "In the table, combinations with a failed fit have no measures."
    ), kind = "method", call = call)
  }
}

warn_unconverged <- function(units, call) {
  units <- units[is.na(units$problem) & units$part == "held_out", ]
  # This measure is missing only where a regression did not converge.
  lost <- units[is.na(units[[tie_measure(names(units))]]), ]
  if (nrow(lost) == 0) return(invisible())
  where <- sprintf("%s, n = %s, lambda = %s", method_labels(lost), lost$n, format_lambda(lost$lambda))
  warn_user(c(
    "{nrow(lost)} of {nrow(units)} regressions did not converge and {cli::qty(nrow(lost))}{?is/are} excluded
     from all means.",
    x = "For example {where[1]}."
  ), kind = "convergence", call = call)
}
