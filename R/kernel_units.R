# Columns with different units: the column with the largest numbers would dominate the distances.

# Standard deviations this many times apart make a message.
units_apart <- 50

# A message, once in a session for the same columns, where `scale` is missing. It is for
# dense data only: counts of words share a unit, even where some words are rare.
tell_units <- function(source, space, call = rlang::caller_env()) {
  if (!identical(space, "euclidean") || source$sparse) return(invisible())
  sd <- sqrt(source$variance)
  if (!is_apart(sd[sd > 0])) return(invisible())
  measured <- which(sd > 0)
  measured <- measured[measured_columns(source, measured)]
  if (!is_apart(sd[measured])) return(invisible())
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
  ), kind = "units", once = list(source$dim[2], source$names, widest, narrowest), call = call)
}

is_apart <- function(sd) length(sd) > 1 && max(sd) / units_apart >= min(sd)

# Which columns have a standard deviation that reflects their unit. Indicators do not, and columns with one
# value in most rows (a pixel at the border, a rare word) do not: a few rows determine their deviation.
measured_columns <- function(source, columns, most = 0.9) {
  some <- rows_of(source, even_rows(source, 200L))$x
  vapply(columns, function(j) {
    v <- some[, j]
    count <- tabulate(match(v, unique(v)))
    length(count) > 2 && max(count) <= most * length(v)
  }, NA)
}

# ---- covariances ---------------------------------------------------------------------
# How the data lie around each landmark. From sampling to graph to extension this has one form: NULL (kind
# "none"), an n x d matrix of variances ("diagonal"), or a d x d x n array of covariances ("full"). The core's
# entry points read and give the same form. It is in kernel coordinates, in an embedding too. Only a fit keeps
# it in the data's units, for users. Units change in in_data_units() and in_kernel_units(), and nowhere else.

covariance_kind <- function(covariance) {
  if (is.null(covariance)) "none" else if (length(dim(covariance)) == 3) "full" else "diagonal"
}

# The factors of the entries of covariances when columns are multiplied by `factor`.
squared_factor <- function(covariance, factor) {
  if (covariance_kind(covariance) == "diagonal") return(rep(factor^2, each = nrow(covariance)))
  as.vector(outer(factor, factor))
}

in_kernel_units <- function(covariance, factor) covariance * squared_factor(covariance, factor)

in_data_units <- function(covariance, source) {
  if (is.null(covariance)) return(NULL)
  covariance <- covariance / squared_factor(covariance, source$factor)
  names <- source$names
  if (is.null(names)) return(covariance)
  dimnames(covariance) <- if (is.matrix(covariance)) list(NULL, names) else list(names, names, NULL)
  covariance
}

# Joins the covariances of several sets of landmarks into one object.
bind_covariances <- function(some) {
  if (length(some) == 0) return(NULL)
  if (covariance_kind(some[[1]]) == "diagonal") return(do.call(rbind, some))
  d <- dim(some[[1]])[1]
  array(unlist(some), c(d, d, sum(vapply(some, function(v) dim(v)[3], 0L))))
}

# The covariances of sets of rows, one set for each column of `near`. The core reads rows in memory in their
# place. Other rows are collected first, at most `at_a_time` doubles at once.
covariances_of <- function(source, near, full, how, at_a_time = 2^24) {
  settings <- c(list(spread = if (full) "full" else "diagonal"), how)
  if (in_memory(source)) return(.Call(C_covariances, source, near, settings))
  most <- max(1, at_a_time %/% (nrow(near) * source$dim[2]))
  bind_covariances(lapply(split(seq_len(ncol(near)), (seq_len(ncol(near)) - 1) %/% most), function(some) {
    rows <- sort(unique(as.vector(near[, some])))
    among <- matrix(match(near[, some], rows), nrow(near))
    .Call(C_covariances, rows_of(source, rows), among, settings)
  }))
}

# Where units change or a ridge is added there are copies.
check_covariance_memory <- function(n, d, call) {
  check_memory(24 * as.double(n) * d^2, "Full covariances of {n} landmark{?s} in {d} column{?s} need",
    "Use {.code covariance = \"diagonal\"}.", "covariance", call
  )
}

# Before a graph uses them, covariance_flaw() also looks at each matrix, which takes time.
are_fit_covariances <- function(v, n, d) {
  if (!is.numeric(v) || !all(is.finite(v))) return(FALSE)
  if (identical(dim(v), c(n, d))) return(all(v >= 0))
  identical(dim(v), c(d, d, n))
}
