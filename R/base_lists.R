# Small tools for lists, tables and blocks of rows.

# A tibble without a hard dependency: the class is set here, and package tibble, where it is installed,
# prints it.
as_tibble_frame <- function(frame) {
  rownames(frame) <- NULL
  class(frame) <- c("tbl_df", "tbl", "data.frame")
  has_package("tibble")
  frame
}

# A function that returns what make() returns. make() is called once, when the value is first asked for.
make_once <- function(make) {
  made <- NULL
  function() {
    if (is.null(made)) made <<- make()
    made
  }
}

# Adds two lists of sums, entry by entry.
add <- function(a, b) Map(`+`, a, b)

# 1, ..., n in blocks of rows that take about 8 MB as points.
point_blocks <- function(n, dimension) {
  block <- min(max(1e6 %/% dimension, 8), 1024)
  split(seq_len(n), (seq_len(n) - 1) %/% block)
}

# The function `f` of a whole number, which keeps its results and computes each only once.
once_each <- function(f) {
  kept <- list()
  function(k) {
    name <- as.character(k)
    if (is.null(kept[[name]])) kept[[name]] <<- f(k)
    kept[[name]]
  }
}

# The smallest whole number k in (low, high] with holds(k), by bisection: holds(high) is TRUE, holds(low) is
# not, and the values between change once.
bisect <- function(low, high, holds) {
  while (high - low > 1L) {
    middle <- low + (high - low) %/% 2L
    if (holds(middle)) high <- middle else low <- middle
  }
  high
}

# Names of rows, NULL for a data frame without names of its own.
row_names <- function(data) {
  if (is.data.frame(data) && is.integer(attr(data, "row.names"))) NULL else rownames(data)
}

# Points as a data frame with a column for each coordinate. Those without names are V1, V2, ...
coordinate_frame <- function(points) {
  if (is.null(colnames(points))) colnames(points) <- paste0("V", seq_len(ncol(points)))
  as.data.frame(points, optional = TRUE)
}

# Two data frames side by side; names of the second that would come twice get a number.
beside <- function(data, new) {
  all <- c(names(data), names(new))
  unique <- make.unique(all, sep = "_")
  names(new) <- unique[length(data) + seq_along(new)]
  cbind(data, new)
}
