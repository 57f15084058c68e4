# Units of columns: a message where they seem to differ, and covariances in the units of the data or of the
# kernel.

# ---- columns with different units ----------------------------------------------------
# The column with the largest numbers would dominate the distances.

# The message comes where the largest standard deviation is this many times the smallest.
units_apart <- 30

# A message that columns have very different standard deviations, once in a session for the same columns. The
# caller asks for it where the user has not given `scale`. It is for dense data only: sparse data are mostly
# counts of words, which share a unit even where some words are rare.
tell_units <- function(source, space, call = rlang::caller_env()) {
  if (!identical(space, "euclidean") || source$sparse) return(invisible())
  sd <- sqrt(source$variance)
  if (!is_apart(sd[sd > 0])) return(invisible())
  measured <- which(sd > 0)
  some <- rows_of(source, even_rows(source, 200L))$x
  measured <- measured[measured_columns(some, measured)]
  if (!is_apart(sd[measured]) || are_pixels(some, source$names)) return(invisible())
  widest <- measured[which.max(sd[measured])]
  narrowest <- measured[which.min(sd[measured])]
  name <- function(column) if (is.null(source$names)) paste("column", column) else source$names[column]
  tell_user(c(
    paste(
      "Columns of {.arg x} have very different scales: their standard deviations go from",
      "{signif(sd[narrowest], 2)} ({.field {name(narrowest)}}) to {signif(sd[widest], 2)}",
      "({.field {name(widest)}})."
    ),
    i = paste(
      "Distances depend almost only on columns of large standard deviation.",
      "{.code scale = TRUE} divides each column by its standard deviation."
    ),
    i = "{.code scale = FALSE} states that all columns share a unit and turns this message off."
  ), kind = "units", once = list(source$dim[2], source$names), call = call)
}

is_apart <- function(sd) length(sd) > 1 && max(sd) / units_apart >= min(sd)

# Which columns have a standard deviation that reflects their unit. Indicators (columns of two values) have
# not. Columns with the same value in most rows, such as a pixel at the border or a rare word, have not
# either: a few rows determine their deviation.
measured_columns <- function(some, columns, most = 0.9) {
  vapply(columns, function(j) {
    v <- some[, j]
    count <- tabulate(match(v, unique(v)))
    length(count) > 2 && max(count) <= most * length(v)
  }, NA)
}

# Whether columns are like pixels, which share a unit though some vary little: many columns without names,
# half of which have at least a quarter of the range of all values.
are_pixels <- function(some, names) {
  if (!is.null(names) || ncol(some) < 16) return(FALSE)
  stats::median(apply(some, 2, function(v) diff(range(v)))) >= diff(range(some)) / 4
}

# ---- covariances ---------------------------------------------------------------------
# The local covariances of n landmarks say how the data lie around each. R and the core have them in one form:
# NULL (kind "none"), an n x d matrix of variances ("diagonal"), or a d x d x n array of covariances ("full").
# They are in kernel coordinates, except in a fit, which has them in the data's units for the user. Only
# in_data_units() and in_kernel_units() change the units.

covariance_kind <- function(covariance) {
  if (is.null(covariance)) "none" else if (length(dim(covariance)) == 3) "full" else "diagonal"
}

# The factors of the entries of covariances when columns are multiplied by `factor`.
squared_factor <- function(covariance, factor) {
  if (covariance_kind(covariance) == "diagonal") return(rep(factor^2, each = nrow(covariance)))
  as.vector(outer(factor, factor))
}

# Covariances of a fit in kernel coordinates.
in_kernel_units <- function(covariance, factor) covariance * squared_factor(covariance, factor)

# Covariances in kernel coordinates as a fit keeps them, with the names of the columns.
in_data_units <- function(covariance, source) {
  if (is.null(covariance)) return(NULL)
  by <- squared_factor(covariance, source$factor)
  covariance <- covariance / ifelse(by > 0, by, Inf)
  names <- source$names
  if (is.null(names)) return(covariance)
  dimnames(covariance) <- if (is.matrix(covariance)) list(NULL, names) else list(names, names, NULL)
  covariance
}

# The covariance of each set of rows, where a column of `near` has the row numbers of a set.
covariances_of <- function(source, near, full, how) {
  .Call(C_covariances, source, near, c(list(spread = if (full) "full" else "diagonal"), how))
}

# The memory of full covariances, with copies for a change of units or for adding to the diagonal.
check_covariance_memory <- function(n, d, call) {
  check_memory(24 * as.double(n) * d^2, "Full covariances of {n} landmark{?s} in {d} column{?s} need",
    "Use {.code covariance = \"diagonal\"}.", "covariance", call
  )
}

# Whether `v` has the form of the covariances of n landmarks. Whether each matrix is a covariance is checked
# by covariance_flaw(), which takes time, before a graph uses them.
are_fit_covariances <- function(v, n, d) {
  if (!is.numeric(v) || !all(is.finite(v))) return(FALSE)
  if (identical(dim(v), c(n, d))) return(all(v >= 0))
  identical(dim(v), c(d, d, n))
}
