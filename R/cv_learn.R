# What a method learns from the data of a task, and the features that it gives.

# What a method learns with `n` landmarks or features: a fit, or whatever a user's function returns. `rows`:
# the rows to learn from, list(x, weights, ready): `weights` may be NULL; ready() returns the same rows as
# ready_data() makes them, so that all fits on them share the work, or `ready` is NULL. `dots`: `scale` and
# `space` of landmarks(), as far as they were given. `free`: whether the method may learn a bandwidth of its
# own.
cv_learn <- function(method, name, n, bandwidth, rows, dots, free = FALSE) {
  x <- rows$x
  in_method(name, n, nrow(x), {
    if (!inherits(method, "landmark_method")) {
      learn_function(method, x, n, !isFALSE(dots$scale %||% FALSE), rows$weights)
    } else if (is.null(rows$ready)) {
      # A bandwidth that is not given may be learned.
      weights <- rows$weights
      given <- c(if (!free) list(bandwidth = bandwidth), if (!is.null(weights)) list(weights = weights))
      do.call(landmarks, c(list(x, n, method), given, dots))
    } else {
      data <- rows$ready()
      space <- check_space(dots$space %||% "euclidean", NULL)
      task <- list(
        method = method, bandwidth = bandwidth, space = space, scale = data$scale,
        blueprint = data$blueprint, call = quote(landmarks()), started = proc.time()[["elapsed"]], free = free
      )
      landmarks_of_source(data$source, n, task, NULL)
    }
  })
}

# The result of a function(x, n) of the user. It gets the weights where it has an argument for them.
learn_function <- function(method, x, n, scale, weights) {
  if (identical(method, raw_features)) return(raw_features(x, n, scale, weights))
  if (identical(method, nmf_features)) return(nmf_features(x, n, scale = scale))
  takes <- !is.null(weights) && "weights" %in% names(formals(args(method)))
  if (takes) method(x, n, weights = weights) else method(x, n)
}

# Evaluates `code`; an error in it, which may be of a user's own code, names the method.
in_method <- function(name, n, rows, code) {
  on_failure(code, function(e) {
    abort_input("Method {.val {name}} failed with {.arg n} = {n} on {rows} rows.",
      arg = "methods", kind = "method", call = NULL, parent = e
    )
  })
}

# What predict() gives for a result of a method: of landmarks their features, also where they have a response.
features_of <- function(fit, x) {
  if (inherits(fit, "landmarks")) stats::predict(fit, x, "features") else stats::predict(fit, x)
}

# In a fold, constant columns and rows far from its landmarks are no news.
within_folds <- function(code) {
  suppressWarnings(code, classes = c("landmarker_warning_far", "landmarker_warning_constant"))
}

# What the regression of a fit's own predicts for the rows `x`: rows x responses.
own_predictions <- function(fit, x) as.matrix(stats::predict(fit, x, "response"))

# The features of the rows `x` by the result of a method, as a matrix. They are checked, because predict() may
# be a user's own.
cv_features <- function(fit, x, n, name) {
  w <- on_failure(within_folds(features_of(fit, x)), function(e) {
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

# `rule` and `given` are templates, in which names of the caller's variables may occur.
abort_features <- function(name, rule, given, .envir = parent.frame()) {
  abort_input(c(
    paste("{.fn predict} for the result of method {.val {name}} must return", rule),
    x = paste("It returned", given)
  ), arg = "methods", kind = "method", call = NULL, .envir = .envir)
}
