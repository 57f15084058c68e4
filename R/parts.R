# Data in several parts, read one at a time: `read(i)` gives the rows of part i, a matrix or a sparse matrix,
# and `rows` says how many each part has. What stands in files or on other machines has a source of its own
# class, with methods for the generics of source.R.

parted_data <- function(read, rows, columns, names = NULL) {
  # Parts without rows are left out.
  some <- which(rows > 0)
  read_any <- read
  if (length(some) < length(rows)) read <- function(i) read_any(some[i])
  rows <- rows[some]
  first <- c(0L, cumsum(as.integer(rows)))
  columns <- as.integer(columns)
  structure(list(read = read, first = first, columns = columns, names = names), class = "parted_data")
}

#' @export
dim.parted_data <- function(x) c(x$first[length(x$first)], x$columns)

#' @export
dimnames.parted_data <- function(x) if (!is.null(x$names)) list(NULL, x$names)

# x[rows, ] is a matrix in memory, in the order of `rows`; x[, columns] is data in parts.
#' @export
`[.parted_data` <- function(x, i, j, ..., drop = FALSE) {
  columns <- stats::setNames(seq_len(ncol(x)), x$names)
  if (!missing(j)) columns <- columns[j]
  if (!missing(i)) return(gather_rows(x, seq_len(nrow(x))[i])[, unname(columns), drop = FALSE])
  read <- x$read
  x$read <- function(i) read(i)[, unname(columns), drop = FALSE]
  x$columns <- length(columns)
  x$names <- names(columns)
  x
}

is_parted <- function(x) inherits(x, "parted_data")
is_resident <- function(source) inherits(source, "resident_source")

#' @export
as_source.parted_data <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env()) {
  weights <- check_weights(weights, nrow(x), call)
  moments <- moments_of_parts(x$read, x$first, weights, arg, call)
  parts_of(x, weights, moments$mean, scale_factor(moments, nrow(x), scale, arg, call), arg, call, moments)
}

# Data in parts as a source with these coordinates. Without moments the data are new, and are checked here.
parts_of <- function(x, weights, center, factor, arg, call, moments = NULL) {
  if (is.null(moments)) check_finite(x, arg, call)
  sparse <- !is.matrix(x$read(1))
  structure(list(
    read = x$read, first = x$first, center = if (sparse) numeric(ncol(x)) else center, factor = factor,
    dim = dim(x), names = x$names, weights = weights, mean = moments$mean, variance = moments$variance,
    sparse = sparse
  ), class = "parted_source")
}

check_finite_parts <- function(x, arg, call) {
  for (i in seq_along(x$first)[-1] - 1) {
    check_finite(check_data(x$read(i), arg, call, empty = TRUE), arg, call)
  }
  x
}

part_of <- function(source, i) {
  x <- check_data(source$read(i), "x", rlang::current_env(), empty = TRUE)
  own <- source$first[i] + seq_len(nrow(x))
  part <- lay_out(
    x, source$weights[own], source$center, source$factor, source[c("mean", "variance")], source$first[i]
  )
  part$names <- source$names
  part
}

#' @export
over_parts.parted_source <- function(source, step, ..., combine = NULL, states = NULL) {
  together <- list()
  for (i in seq_along(source$first)[-1] - 1) {
    # The part is evaluated only where a step uses it. A step on the state alone reads no data.
    found <- if (is.null(states)) {
      step(part_of(source, i), ...)
    } else {
      step(part_of(source, i), states[[i]], ...)
    }
    together <- if (is.null(combine)) {
      c(together, list(found))
    } else if (i == 1) {
      found
    } else {
      combine(together, found)
    }
  }
  together
}

#' @export
part_states.parted_source <- function(source, make, ...) {
  over_parts(source, function(part) list2env(make(part, ...), parent = emptyenv()))
}

#' @export
rows_of.parted_source <- function(source, rows) {
  x <- gather_rows(source, rows)
  # Parts may be stored in both ways: the first one says how the rows of all are stored together.
  if (is.matrix(x) == source$sparse) x <- if (source$sparse) methods::as(x, "CsparseMatrix") else as.matrix(x)
  out <- lay_out(x, source$weights[rows], source$center, source$factor, source[c("mean", "variance")])
  out$names <- source$names
  out
}

# Some rows by number, in that order, as a matrix, dense or sparse as the data are. `data`: data in parts, or
# a source of them.
gather_rows <- function(data, rows) {
  if (length(rows) == 0) return(data$read(1)[0, , drop = FALSE])
  part <- findInterval(rows - 1, data$first, rightmost.closed = TRUE)
  some <- lapply(unique(part), function(i) data$read(i)[rows[part == i] - data$first[i], , drop = FALSE])
  do.call(rbind, some)[order(unlist(lapply(unique(part), function(i) which(part == i)))), , drop = FALSE]
}

# list(source, rows): the rows for the core to collect. Data in memory are not copied.
batch_of <- function(source, rows) {
  if (is_resident(source)) {
    list(source = source, rows = rows)
  } else {
    list(source = rows_of(source, rows), rows = seq_along(rows))
  }
}

# ---- passes over all rows that several algorithms share -----------------------------

# Phi'D Phi of some landmarks, and each one's nearest row: list(gram, nearest, distance).
gram_over <- function(source, landmarks, bandwidth, how) {
  step <- function(part, landmarks, kernel, how) {
    pass <- .Call(C_gram, part, landmarks, kernel, how)
    pass$nearest <- pass$nearest + part$first
    pass
  }
  join <- function(a, b) {
    nearer <- nearest_digits(b$distance^2) < nearest_digits(a$distance^2)
    list(
      gram = a$gram + b$gram, nearest = ifelse(nearer, b$nearest, a$nearest),
      distance = ifelse(nearer, b$distance, a$distance)
    )
  }
  over_parts(source, step, landmarks, list(bandwidth = bandwidth), how, combine = join)
}

# The k rows nearest to each point, nearest first: list(observation, distance), matrices with a column for
# each point.
nearest_rows <- function(source, points, k, how) {
  step <- function(part, points, k, how) {
    k <- min(k, source_rows(part))
    if (k == 0) return(list(observation = matrix(0L, 0, nrow(points)), distance = matrix(0, 0, nrow(points))))
    near <- .Call(C_nearest_rows, part, points, c(list(neighbors = as.integer(k)), how))
    near$observation <- near$observation + part$first
    near
  }
  join <- function(a, b) {
    observation <- rbind(a$observation, b$observation)
    distance <- rbind(a$distance, b$distance)
    # The earlier part comes first, so that ties go to the lower row. Columns keep their order, and so do rows
    # in them.
    column <- as.vector(col(distance))
    sorted <- order(column, nearest_digits(distance^2))
    kept <- sorted[seq_len(nrow(distance)) <= k]
    list(
      observation = matrix(observation[kept], ncol = ncol(observation)),
      distance = matrix(distance[kept], ncol = ncol(distance))
    )
  }
  over_parts(source, step, points, k, how, combine = join)
}

# The features of all rows, a matrix with a row for each.
features_over <- function(source, landmarks, bandwidth, how) {
  step <- function(part, landmarks, kernel, settings) .Call(C_features, part, landmarks, kernel, settings)
  settings <- c(list(values = "features"), how)
  found <- over_parts(source, step, landmarks, list(bandwidth = bandwidth), settings, combine = collect)
  if (is.list(found)) do.call(rbind, found) else found
}

# Binds the results of all parts once, at the end. Binding two at a time would copy the first parts many
# times. The result of a single part is returned without a copy.
collect <- function(a, b) c(if (is.list(a)) a else list(a), list(b))

# The squared distances between the rows of one part and some points: a row for each row, a column for each
# point.
squared_distances <- function(part, points, how) {
  .Call(C_features, part, points, NULL, c(list(values = "squared distances"), how))
}

# The landmark nearest to each row: list(landmark, distance).
nearest_landmark <- function(source, landmarks, how) {
  step <- function(part, landmarks, how) .Call(C_nearest_landmark, part, landmarks, how)
  found <- over_parts(source, step, landmarks, how, combine = function(a, b) Map(collect, a, b))
  lapply(found, function(v) if (is.list(v)) unlist(v, use.names = FALSE) else v)
}

# Squared distances that agree in 30 bits tie, as in the core.
nearest_digits <- function(squared) {
  size <- 2^(29 - floor(log2(ifelse(squared > 0 & is.finite(squared), squared, 1))))
  ifelse(is.finite(squared), floor(squared * size + 0.5) / size, squared)
}

# An error for work that needs all rows in memory.
need_resident <- function(source, what, instead, call) {
  if (is_resident(source)) return(invisible())
  abort_input(c(
    "{what} needs all rows in memory.",
    x = "{.arg x} has its rows in several parts.",
    i = instead
  ), arg = "x", kind = "parts", call = call)
}
