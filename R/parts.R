# A source of data in parts (data_parts.R): the parts are read one at a time. What stands on other machines
# has a source of its own class, with methods for the generics of source.R.
#
# Its own fields: `data`, the data in parts; `kept`, list(rows, x, source): rows that are held in memory,
# because the fit will ask for them; `check`: whether the values of each part are still to be checked;
# `offset`: how many rows of other workers stand before the first.

#' @export
in_memory.parted_source <- function(x) FALSE

#' @export
stored_columns.parted_source <- function(source) {
  if (source$sparse) stored_columns(part_of(source, 1)) else source$dim[2]
}

# `ahead`: see as_source(). The rows that it gives are kept from the pass for the moments.
#' @export
as_source.data_parts <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env(),
                                 ahead = NULL) {
  check_parts(x, arg, call)
  check_some_rows(x, arg, call)
  weights <- check_weights(weights, nrow(x), call)
  keeper <- row_keeper(ahead, list(dim = dim(x), weights = weights))
  moments <- moments_of_parts(x, weights, arg, call, keeper$look)
  source <- source_of(
    x, weights, moments$mean, scale_factor(moments, nrow(x), scale, arg, call), arg, call, moments
  )
  keep_rows(source, keeper$kept())
}

# The values of each part are checked when it is read.
#' @export
source_of.data_parts <- function(x, weights, center, factor, arg, call, moments = NULL) {
  sparse <- is_sparse_parts(x)
  x$arg <- arg
  structure(list(
    data = x, center = if (sparse) numeric(ncol(x)) else center, factor = factor,
    dim = dim(x), names = x$names, weights = weights, mean = moments$mean, variance = moments$variance,
    sparse = sparse, offset = 0L
  ), class = c("parted_source", "landmark_source"))
}

part_of <- function(source, i) {
  first <- first_of(source$data, i)
  x <- read_part(source$data, i)
  # Each time: a reader may give other values than before.
  check_new_values(x, source$center, source$factor, source$data$arg, NULL, source$offset + first)
  lay_out_rows(source, x, first + seq_len(nrow(x)), source$offset + first)
}

# Some rows of the data in the source's coordinates.
lay_out_rows <- function(source, x, rows, first = 0L) {
  out <- lay_out(x, source$weights[rows], source$center, source$factor, source[c("mean", "variance")], first)
  out$names <- source$names
  out
}

#' @export
over_parts.parted_source <- function(source, step, ..., combine = NULL, states = NULL) {
  together <- list()
  count <- 0L
  bar <- progress_start("Reading rows", source$dim[1])
  for (i in filled_parts(source$data)) {
    # The part is evaluated only where a step uses it. A step on the state alone reads no data.
    delayedAssign("part", part_of(source, i))
    if (is.null(states) && part$dim[1] == 0) next
    count <- count + 1L
    found <- if (is.null(states)) step(part, ...) else step(part, states[[count]], ...)
    together <- if (is.null(combine)) {
      c(together, list(found))
    } else if (count == 1) {
      found
    } else {
      combine(together, found)
    }
    progress_step(bar, rows_in(source$data, i))
  }
  together
}

#' @export
part_states.parted_source <- function(source, make, ...) {
  over_parts(source, function(part) list2env(make(part, ...), parent = emptyenv()))
}

#' @export
each_part.parted_source <- function(source, values, use) {
  over_parts(source, function(part) {
    use(values(part), part$first)
    NULL
  })
  invisible()
}

#' @export
rows_of.parted_source <- function(source, rows) {
  at <- kept_places(source, rows)
  if (!is.null(at)) return(rows_of(source$kept$source, at))
  x <- gather_rows(source$data, rows)
  check_new_values(x, source$center, source$factor, source$data$arg, NULL)
  lay_out_rows(source, x, rows)
}

# The source with rows that a keeper has found, as a source in memory too.
keep_rows <- function(source, kept) {
  if (!is.null(kept)) kept$source <- lay_out_rows(source, kept$x, kept$rows)
  source["kept"] <- list(kept)
  source
}

# The places of some rows among those that are kept; NULL where one is not.
kept_places <- function(source, rows) {
  if (is.null(source$kept)) return(NULL)
  at <- match(rows, source$kept$rows)
  if (!anyNA(at)) at
}

# How many bytes of rows are in memory at a time.
chunk_bytes <- function() memory_limit() / 16

# Collects rows from a pass over all parts: look(x, first) sees each part, and kept() is list(rows, x) in the
# end, or NULL. `ahead` gives a list of row numbers of the data, the most important ones first. As many are
# kept as fit into a chunk.
row_keeper <- function(ahead, data) {
  if (is.null(ahead)) return(list(look = NULL, kept = function() NULL))
  rows <- NULL
  found <- list()
  look <- function(x, first) {
    if (is.null(rows)) {
      most <- chunk_bytes() / (as.double(utils::object.size(x)) / max(1, nrow(x)))
      sets <- ahead(data)
      rows <<- sort(unique(unlist(sets[cumsum(lengths(sets)) <= most])))
    }
    found[[length(found) + 1]] <<- some_rows(x, own_rows(rows, first, nrow(x)))
  }
  list(look = look, kept = function() list(rows = rows, x = do.call(rbind, found)))
}

# list(source, rows): the rows for the core to collect. Data in memory are not copied.
batch_of <- function(source, rows) {
  batch_in_memory(source, rows) %||% list(source = rows_of(source, rows), rows = seq_along(rows))
}

# The same where all rows are in memory, else NULL.
batch_in_memory <- function(source, rows) {
  if (in_memory(source)) return(list(source = source, rows = rows))
  at <- kept_places(source, rows)
  if (!is.null(at)) list(source = source$kept$source, rows = at)
}

# ---- passes over all rows that several algorithms share -----------------------------

# Phi'D Phi of some landmarks, and each one's nearest row: list(gram, nearest, distance). `some`: row numbers,
# from which Phi'D Phi is computed; NULL for all rows.
gram_over <- function(source, landmarks, bandwidth, how, some = NULL) {
  step <- function(part, landmarks, kernel, how, some) {
    pass <- .Call(C_gram, part, landmarks, kernel, how)
    if (!is.null(some)) {
      own <- own_rows(some, part$first, part$dim[1])
      pass$gram <- .Call(C_gram, rows_of(part, own), landmarks, kernel, how)$gram
    }
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
  over_parts(source, step, landmarks, list(bandwidth = bandwidth), how, some, combine = join)
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
collect <- function(a, b) c(if (is.list(a)) a else list(a), if (is.list(b)) b else list(b))

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
  if (in_memory(source)) return(invisible())
  abort_input(c(
    "{what} needs all rows in memory.",
    x = "{.arg x} has its rows in several parts.",
    i = instead
  ), arg = "x", kind = "parts", call = call)
}
