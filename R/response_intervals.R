# Intervals and sets of predictions that cover what they say, by split-conformal prediction: held-out rows say
# how large the errors are, in units that a model of the error gives for each row.

# The model of the error of a regression of numbers. With F = (1, features, trend) over the rows, Lambda the
# penalties, s2 the mean squared residual and `left` the share of the process's variance that landmarks leave,
#
#   s(x)^2 = s2 (1 + F(x) (F'F + Lambda)^-1 F(x)') + c left(x).
#
# The first term is the regression's, the second grows with the distance from landmarks; c is the maximum
# likelihood of the residuals of held-out rows. The model is list(root, s2, share, errors, mass, unit): the
# upper triangle of the Cholesky factor of F'F + Lambda; s2 and c for each output; for each output the sorted
# sizes of held-out residuals divided by s(x), and the weights of their rows; and the unit of these residuals.

# `rows`: list(f, weights, residuals) of the rows that were learned from; `told`: list(f, left, residuals,
# weights) of held-out rows, whose residuals are those of models without them.
interval_model <- function(rows, told, penalty) {
  gram <- crossprod(rows$f, rows$weights * rows$f)
  # The intercept has no penalty. A small one on all keeps the matrix regular.
  diag(gram) <- diag(gram) * (1 + 1e-10) + c(0, rep(penalty, ncol(gram) - 1)) + 1e-12 * max(diag(gram))
  root <- chol(gram)
  leverage <- leverage_of(root, told$f)
  each <- lapply(seq_len(ncol(told$residuals)), function(k) {
    r <- told$residuals[, k]
    v <- told$weights
    s2 <- max(sum(rows$weights * rows$residuals[, k]^2) / sum(rows$weights), 1e-3 * mean(v * r^2))
    if (!(s2 > 0)) s2 <- .Machine$double.xmin
    share <- error_share(r, s2 * (1 + leverage), told$left, s2, v)
    errors <- abs(r) / sqrt(s2 * (1 + leverage) + share * told$left)
    list(s2 = s2, share = share, errors = sort(errors), mass = v[order(errors)])
  })
  list(
    root = root[upper.tri(root, diag = TRUE)], s2 = vapply(each, `[[`, 0, "s2"),
    share = vapply(each, `[[`, 0, "share"), errors = do.call(cbind, lapply(each, `[[`, "errors")),
    mass = do.call(cbind, lapply(each, `[[`, "mass"))
  )
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
  leverage <- leverage_of(interval_root(model, ncol(f)), f)
  errors <- as.matrix(model$errors)
  mass <- as.matrix(model$mass)
  each <- vapply(seq_len(ncol(errors)), function(k) {
    size <- sqrt(model$s2[k] * (1 + leverage) + model$share[k] * left)
    covering_size(errors[, k], level, mass[, k]) * size * model$unit[k]
  }, numeric(nrow(f)))
  matrix(each, nrow(f), ncol(errors))
}

# The model for landmarks in another order, `at`. The intercept comes before them, the trend after.
reordered_interval <- function(model, at) {
  size <- (sqrt(8 * length(model$root) + 1) - 1) / 2
  order <- c(1, 1 + at, setdiff(seq_len(size), seq_len(1 + length(at))))
  root <- interval_root(model, size)
  root <- chol(crossprod(root)[order, order])
  model$root <- root[upper.tri(root, diag = TRUE)]
  model
}

# The Cholesky factor as a matrix.
interval_root <- function(model, size) {
  root <- matrix(0, size, size)
  root[upper.tri(root, diag = TRUE)] <- model$root
  root
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
