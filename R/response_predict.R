# Predictions of a response by a regression that a fit or a comparison has learned, and their intervals.

# Predictions in the form that users get them, from `p`, those of link_response(). `as`: "class" for a factor;
# "response" for a vector, or for several classes, numbers or tags a matrix with a column for each. `of`: what
# has the parts `type`, `levels` and `ordered` of as_response(), a comparison or the response of a fit.
predict_response <- function(p, of, as) {
  if (as == "class") {
    chosen <- if (of$type == "binary") 1L + (p[, 1] > 0.5) else max.col(p, "first")
    return(factor(of$levels[chosen], of$all_levels %||% of$levels, ordered = isTRUE(of$ordered)))
  }
  if (as == "prob" && of$type == "binary") {
    p <- cbind(1 - p, p)
    colnames(p) <- of$levels
    return(with_all_levels(p, of))
  }
  if (of$type == "classes") p <- with_all_levels(p / rowSums(p), of)
  if (of$type %in% c("binary", "number")) stats::setNames(p[, 1], rownames(p)) else p
}

# A matrix with a column for each class that has been seen, with columns of 0 (or FALSE) for other levels of
# the factor.
with_all_levels <- function(p, of) {
  if (is.null(of$all_levels) || ncol(p) == length(of$all_levels)) return(p)
  out <- array(vector(typeof(p), 1), c(nrow(p), length(of$all_levels)), list(rownames(p), of$all_levels))
  out[, of$levels] <- p
  out
}

# Predictions for new features by the coefficients of one penalty: M x responses, as
# probabilities for classes and tags.
ridge_response <- function(features, coefficients, link) {
  f <- features[, seq_len(nrow(coefficients) - 1), drop = FALSE] %*% coefficients[-1, , drop = FALSE]
  link_response(f + rep(coefficients[1, ], each = nrow(f)), link)
}

# The same for each penalty of a path of ridge_path(), a list.
predict_path <- function(path, features) {
  size <- dim(path$coefficients)
  lapply(seq_len(size[3]), function(l) {
    ridge_response(features, matrix(path$coefficients[, , l], size[1]), path$link)
  })
}

# Predictions from scores, the linear predictors.
link_response <- function(f, link) {
  switch(link,
    identity = f,
    log = exp(f),
    logistic = replace(f, seq_along(f), stats::plogis(f)),
    softmax = {
      e <- exp(f - f[cbind(seq_len(nrow(f)), max.col(f))])
      e / rowSums(e)
    }
  )
}

# ---- intervals and sets --------------------------------------------------------------
# Intervals and sets of predictions that cover what they say, by split-conformal prediction: held-out rows say
# how large the errors are, in units that a model of the error gives for each row.

# The model of the error of a regression of numbers. With F = (1, features, trend) over the rows, Lambda the
# penalties, s2 the mean squared residual and `left` the share of the process's variance that landmarks leave,
#
#   s(x)^2 = s2 (1 + F(x) (F'F + Lambda)^-1 F(x)') + c left(x).
#
# The first term is the regression's, the second grows with the distance from landmarks; c is the maximum
# likelihood of the residuals of held-out rows. The model is list(root, s2, share, errors, mass, unit): the
# Cholesky factor of F'F + Lambda; s2 and c for each output; for each output the sorted
# sizes of held-out residuals divided by s(x), and the weights of their rows; and the unit of these residuals.

# `rows`: list(f, weights, residuals) of the rows that were learned from; `out`: list(f, left, residuals,
# weights) of held-out rows, whose residuals are those of models without them.
interval_model <- function(rows, out, penalty) {
  gram <- crossprod(rows$f, rows$weights * rows$f)
  # The intercept has no penalty. A small one on all keeps the matrix regular.
  diag(gram) <- diag(gram) * (1 + 1e-10) + c(0, rep(penalty, ncol(gram) - 1)) + 1e-12 * max(diag(gram))
  root <- chol(gram)
  leverage <- leverage_of(root, out$f)
  v <- out$weights
  each <- lapply(seq_len(ncol(out$residuals)), function(k) {
    r <- out$residuals[, k]
    s2 <- max(sum(rows$weights * rows$residuals[, k]^2) / sum(rows$weights), 1e-3 * mean(v * r^2))
    if (!(s2 > 0)) s2 <- .Machine$double.xmin
    share <- error_share(r, s2 * (1 + leverage), out$left, s2, v)
    errors <- abs(r) / sqrt(s2 * (1 + leverage) + share * out$left)
    list(s2 = s2, share = share, errors = sort(errors), mass = v[order(errors)])
  })
  all <- function(part) do.call(cbind, lapply(each, `[[`, part))
  s2 <- drop(all("s2"))
  list(root = root, s2 = s2, share = drop(all("share")), errors = all("errors"), mass = all("mass"))
}

# F(x) (F'F + Lambda)^-1 F(x)' of some rows.
leverage_of <- function(root, f) colSums(backsolve(root, t(f), transpose = TRUE)^2)

# The share c of the variance that landmarks leave, by maximum likelihood of residuals with the variances
# `own` + c `left`, and the weights v.
error_share <- function(r, own, left, unit, v = 1) {
  deviance <- function(c) sum(v * (log(own + c * left) + r^2 / (own + c * left)))
  found <- stats::optimize(function(l) deviance(unit * exp(l)), c(-9, 9), tol = 1e-3)
  if (found$objective < deviance(0)) unit * exp(found$minimum) else 0
}

# Half the widths of the intervals of a level at some rows, rows x outputs: infinite where there are too few
# held-out rows for the level.
interval_widths <- function(model, f, left, level) {
  leverage <- leverage_of(model$root, f)
  each <- lapply(seq_along(model$s2), function(k) {
    size <- sqrt(model$s2[k] * (1 + leverage) + model$share[k] * left)
    covering_size(model$errors[, k], level, model$mass[, k]) * size * model$unit[k]
  })
  do.call(cbind, each)
}

# The model for landmarks in another order, `at`. The intercept comes before them, the trend after.
reordered_interval <- function(model, at) {
  order <- c(1, 1 + at, setdiff(seq_len(nrow(model$root)), seq_len(1 + length(at))))
  model$root <- chol(crossprod(model$root)[order, order])
  model
}

# The size that a share `level` of new errors does not exceed, from sorted errors of rows with the weights
# `mass`: the ceiling((m + 1) level)-th smallest of m where all weights are 1. Infinite where there are too
# few.
covering_size <- function(errors, level, mass = rep(1, length(errors))) {
  at <- which(cumsum(mass) >= level * (sum(mass) + mean(mass)) * (1 - 1e-9))
  if (length(at)) errors[at[1]] else Inf
}

# The classes that a set of the level has, by the probabilities `p`: those whose probability is at least what
# a share `level` of held-out rows gave to their own class. The most probable class is always in the set.
class_sets <- function(p, own, level, weights = rep(1, length(own))) {
  least <- 1 - covering_size(sort(1 - own), level, weights[order(1 - own)])
  p >= least - 1e-12 | col(p) == max.col(p, "first")
}
