# Small tools: lists, tables, blocks of rows, paths in graphs, and words of messages.

# A tibble without a hard dependency: the class is set here, and package tibble, where it is installed,
# prints it.
as_tibble_frame <- function(frame) {
  rownames(frame) <- NULL
  class(frame) <- c("tbl_df", "tbl", "data.frame")
  has_package("tibble")
  frame
}

# 1, ..., n in blocks of rows that take about 8 MB as points.
point_blocks <- function(n, dimension) {
  split(seq_len(n), (seq_len(n) - 1) %/% min(max(1e6 %/% dimension, 8), 1024))
}

# The function `f` of an integer, which keeps its results and computes each only once.
once_each <- function(f) {
  kept <- list()
  function(k) {
    name <- as.character(k)
    if (is.null(kept[[name]])) kept[[name]] <<- f(k)
    kept[[name]]
  }
}

# An array of one dimension, such as that of tapply(), as a vector.
plain_vector <- function(x) if (length(dim(x)) == 1) as.vector(x) else x

# Names of rows, NULL for a data frame whose rows are only numbered: a part of such a frame has names.
row_names <- function(data) {
  names <- attr(data, "row.names")
  numbered <- is.data.frame(data) && is.integer(names) && identical(names, seq_along(names))
  if (numbered) NULL else rownames(data)
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

# The lengths of the shortest paths of an undirected graph, n x n, Inf if there is no path. `ends`: the two
# ends of each edge (2 x edges).
path_lengths <- function(ends, lengths, n) {
  graph <- igraph::make_graph(as.vector(ends), n = n, directed = FALSE)
  paths <- matrix(0, n, n)
  # igraph computes without a look at interrupts and time limits. R looks at both when it sleeps.
  for (from in split(seq_len(n), (seq_len(n) - 1) %/% max(1, 1e6 %/% (n + length(lengths))))) {
    paths[from, ] <- igraph::distances(graph, from, weights = lengths, algorithm = "dijkstra")
    Sys.sleep(0)
  }
  paths
}

# ---- words of messages: what was given, counts, sizes, shares ------------------------

# What was given, in a few words, for an error message.
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.function(x)) return("a function")
  size <- format(try_default(length(x), length(unclass(x))), scientific = FALSE)
  shape <- paste(dim(x), collapse = " x ")
  article <- if (grepl("^[aeiou]", typeof(x))) "an" else "a"
  if (is.data.frame(x)) return(paste0("a data frame, ", shape))
  if (methods::is(x, "Matrix")) return(paste0("a matrix of class ", class(x)[1], ", ", shape))
  if (is.array(x)) {
    of <- if (is.object(x)) paste(" of class", class(x)[1])
    return(paste0(article, " ", typeof(x), if (is.matrix(x)) " matrix" else " array", of, ", ", shape))
  }
  if (is.factor(x)) return(paste("a factor of length", size))
  if (inherits(x, "landmarks")) return(paste("a fit of", how_many(length(x), "landmark")))
  if (is.object(x)) return(sprintf("an object of class %s, of length %s", class(x)[1], size))
  if (is.character(x) && length(x) == 1) return(encodeString(x, quote = "\""))
  if (is.atomic(x) && length(x) == 1) return(format(x, digits = 15))
  if (is.atomic(x) && length(x) %in% 2:5) {
    values <- deparse1(unname(x))
    if (nchar(values) <= 50) return(values)
  }
  paste0(article, " ", typeof(x), if (is.atomic(x)) " vector", " of length ", size)
}

# What to do, in words, if the user gave a string that may be the name of a column.
column_words <- function(x) {
  sprintf("To use a column of the data, give its values, `data[[%s]]`.", describe(x))
}

# A message of several lines, with indents, as one line.
one_line <- function(text) gsub("\\s+", " ", gsub("\n[^ ] ", " ", text))

name_column <- function(column, names) {
  named <- length(names) && nzchar(names[column])
  paste("column", if (named) paste0("`", names[column], "`") else column)
}

# The mark between the thousands of a number. R would warn if it were the mark of decimals, which is a user's
# choice.
big_mark <- function() if (getOption("OutDec") == ",") "." else ","

how_many <- function(count, of) {
  paste0(format(count, big.mark = big_mark(), scientific = FALSE), " ", of, if (count != 1) "s")
}

# A share of nearly all is not rounded to 100%.
format_share <- function(share) {
  if (is.na(share)) return("unknown")
  if (share > 1 - 1e-12) return("100%")
  text <- if (share > 0.9995) format(floor(1e5 * share) / 1000, nsmall = 3) else sprintf("%.1f", 100 * share)
  paste0(text, "%")
}

format_seconds <- function(seconds) {
  if (seconds < 60) return(paste0(signif(seconds, 3), " s"))
  sprintf("%d min %d s", seconds %/% 60, round(seconds %% 60))
}

# Landmarks in words: the first of them, and how many more.
first_of_landmarks <- function(some) {
  paste0("L", some[1], if (length(some) > 1) paste(" and", length(some) - 1, "more"))
}
