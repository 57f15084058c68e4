# Covariances of the rows around landmarks, for the graph of Bhattacharyya distances.

# The covariance of the rows nearest to each landmark. Rows of weight 0 are left out, and all others count
# the same, because a covariance describes the shape of a neighborhood and not its density.
local_covariances <- function(fit, source, covariance_rows, kind, call) {
  rows <- source_rows(source)
  if (rows < 2) {
    abort_input(c(
      "{.arg x} must have at least two rows for a covariance.",
      x = "It has {rows}."
    ), arg = "x", kind = "data", call = call)
  }
  m <- covariance_rows %||% default_covariance_rows(rows, dim(fit$landmarks), kind)
  m <- check_count(m, "covariance_rows", min = 2, max = rows, call = call)
  if (kind == "full") check_covariance_memory(nrow(fit$landmarks), source$dim[2], call)
  how <- compute_with(call)
  near <- nearest_rows(source, fit$landmarks, m, how)$observation
  covariances_of(source, near, kind == "full", how)
}

# Three times a landmark's share of the rows, so that each row belongs to about three neighborhoods, which
# overlap. At least ten rows, because fewer give noisy variances, and for full covariances at least d + 1,
# because fewer give a singular matrix for any data.
default_covariance_rows <- function(rows, size, kind) {
  least <- if (kind == "full") max(10, size[2] + 1) else 10
  min(max(ceiling(3 * rows / size[1]), least), rows)
}

# The covariances of the fit, in kernel units.
fit_covariance <- function(fit, call) {
  n <- nrow(fit$landmarks)
  d <- ncol(fit$landmarks)
  covariance <- fit$covariance
  flaw <- covariance_flaw(covariance, n, d)
  if (!is.null(flaw)) {
    abort_input(c(
      "The fit's {.field covariance} must be {n} x {d} variances of at least 0, or {d} x {d} x {n}
       covariances, each symmetric and positive semidefinite, and not all 0.",
      x = "{flaw}"
    ), arg = "fit", kind = "covariance", call = call)
  }
  dimnames(covariance) <- NULL
  storage.mode(covariance) <- "double"
  in_kernel_units(covariance, fit$factor)
}

# The first thing that is wrong with covariances, in words, or NULL.
covariance_flaw <- function(covariance, n, d) {
  full <- covariance_kind(covariance) == "full"
  if (!is.numeric(covariance) || !identical(dim(covariance), if (full) c(d, d, n) else c(n, d))) {
    return(paste0("It is ", describe(covariance), "."))
  }
  if (!all(is.finite(covariance))) return("It has missing or infinite values.")
  if (all(covariance == 0)) return("All its numbers are 0.")
  if (!full) return(if (any(covariance < 0)) "It has a variance below 0.")
  for (i in seq_len(n)) {
    one <- matrix(covariance[, , i], d)
    if (max(abs(one - t(one))) > 1e-8 * max(abs(one))) return(sprintf("Number %d is not symmetric.", i))
    values <- eigen(one, symmetric = TRUE, only.values = TRUE)$values
    if (values[d] < -1e-8 * max(abs(values))) {
      return(sprintf("Number %d has the eigenvalue %s.", i, format(signif(values[d], 4))))
    }
  }
  NULL
}

# Adds the ridge. Without it the covariance of a flat neighborhood (repeated rows, a constant column, points
# in a plane) has no inverse.
add_ridge <- function(covariance, ridge, call) {
  full <- covariance_kind(covariance) == "full"
  d <- dim(covariance)[if (full) 1 else 2]
  diagonal <- if (full) seq(1, d^2, by = d + 1) + rep(d^2 * (seq_len(dim(covariance)[3]) - 1), each = d)
  variances <- if (full) covariance[diagonal] else covariance
  if (all(variances == 0)) {
    abort_input(c(
      "At least one landmark must have a local covariance that is not 0.",
      x = "All are 0: each row occurs {.arg covariance_rows} times or more.",
      i = "Give a larger {.arg covariance_rows}, or {.code distance = \"euclidean\"}."
    ), kind = "covariance", call = call)
  }
  by <- ridge * mean(variances)
  if (!full) return(covariance + by)
  covariance[diagonal] <- variances + by
  covariance
}

# The covariances of a graph, of the fit or computed from `source` (the data, or NULL).
graph_covariance <- function(fit, source, kind, covariance_rows, call) {
  if (is.null(source) && !is.null(fit$covariance)) return(fit_covariance(fit, call))
  if (is.null(source)) {
    abort_input(c(
      "{.code distance = \"bhattacharyya\"} needs {.arg x}, or a fit by {.code by_dpp(covariance = )}.",
      i = "Give the data that the landmarks were learned from."
    ), arg = "x", kind = "data", call = call)
  }
  local_covariances(fit, source, covariance_rows, kind, call)
}
