# Which lambda, and which row of the table, is best.

# What breaks ties: how good the probabilities are, or for numbers the squared error.
tie_measure <- function(names) intersect(c("deviance", "mse"), names)[1]

# The lambda whose mean measure over `units` is best, among those with no unit missing. Ties
# are broken by the mean deviance (mse for numbers), then by the larger lambda; losses that
# differ by less than a thousandth tie; otherwise the smallest lambda would win among weak ones with the same
# effect. Where every lambda has a missing unit, the means are over the units that exist.
best_lambda <- function(units, measure) {
  if (all(is.na(units$lambda))) return(NA_real_)
  lambda <- sort(unique(units$lambda), decreasing = TRUE)
  at <- factor(units$lambda, lambda)
  mean_of <- function(name) {
    values <- split(if (is_loss(name)) -units[[name]] else units[[name]], at)
    whole <- vapply(values, mean, 0)
    if (all(is.na(whole))) vapply(values, mean, 0, na.rm = TRUE) else whole
  }
  tie <- tie_measure(names(units))
  best <- best_of(mean_of(measure), mean_of(tie), if (is_loss(measure)) 1e-3 else 1e-12, 1e-3)
  if (length(best) == 0) lambda[1] else lambda[best[1]]
}

# Where `values` is largest, and among these where `then` is; none where all are NA. What differs
# by less than the tolerance, relative to the largest, ties: sums in another order may differ in the
# last digits.
best_of <- function(values, then, tolerance = 1e-12, then_tolerance = 1e-12) {
  largest <- function(v, tolerance) which(v >= max(v) - tolerance * abs(max(v)))
  there <- which(!is.na(values))
  if (length(there) == 0) return(integer())
  tied <- there[largest(values[there], tolerance)]
  known <- tied[!is.na(then[tied])]
  if (length(known) == 0) tied else known[largest(then[known], then_tolerance)]
}
