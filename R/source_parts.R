# A source of data in parts (data_parts.R): the parts are read one at a time. It has methods for the generics
# of source.R.
#
# Fields beside those of every source:
#   data      the data in parts
#   kept      list(rows, x, source): rows that stay in memory because the fit will ask for them; or NULL
#   offset    how many rows of other workers stand before the first row
#   varied    of new data: an environment with the numbers of constant `columns` that have other values in the
#             parts that were read, and whether a warning has named them

#' @export
in_memory.parted_source <- function(x) FALSE

#' @export
with_relevance.parted_source <- function(source, relevance) {
  if (is.null(relevance)) return(source)
  source$factor <- source$factor * relevance
  if (!is.null(source$kept)) source$kept$source <- with_relevance(source$kept$source, relevance)
  source
}

#' @export
stored_columns.parted_source <- function(source) {
  if (source$sparse) stored_columns(part_of(source, 1)) else source$dim[2]
}

# The pass that computes the moments also keeps the rows that `ahead` names (see as_source()).
#' @export
as_source.data_parts <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env(),
                                 ahead = NULL) {
  check_parts(x, arg, call)
  check_some_rows(x, arg, call)
  if (identical(scale, "ranks")) check_rankable(x, arg, call)
  weights <- check_weights(weights, nrow(x), call)
  keeper <- row_keeper(ahead, list(dim = dim(x), weights = weights))
  moments <- moments_of_parts(x, weights, arg, call, keeper$visit)
  source <- source_of(
    x, weights, moments$mean, scale_factor(moments, nrow(x), scale, arg, call), arg, call, moments
  )
  keep_rows(source, keeper$kept())
}

# The values are not checked here, but whenever a part is read: see part_of().
#' @export
source_of.data_parts <- function(x, weights, center, factor, arg, call, moments = NULL) {
  sparse <- is_sparse_parts(x)
  x$arg <- arg
  structure(list(
    data = x, center = if (sparse) sparse_center(center, factor) else center, factor = factor,
    dim = dim(x), names = x$names, weights = weights, mean = moments$mean, variance = moments$variance,
    sparse = sparse, offset = 0L,
    varied = if (is.null(moments)) list2env(list(columns = integer(), named = FALSE), parent = emptyenv())
  ), class = c("parted_source", "landmark_source"))
}

part_of <- function(source, i) {
  first <- first_of(source$data, i)
  x <- read_part(source$data, i)
  # Values are checked at each reading: the user's function may return others than before.
  check_new_values(x, source$center, source$factor, source$data$arg, NULL, source$offset + first)
  if (!is.null(source$varied)) {
    found <- varied_columns(x, source$center, source$factor)
    source$varied$columns <- union_sorted(source$varied$columns, found)
  }
  lay_out_rows(source, x, first + seq_len(nrow(x)), source$offset + first)
}

# Rows of the data, `x`, as a source in memory with the coordinates of this one. `rows`: their numbers.
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
    # The part is read only if the step uses it: a step that needs the state alone reads no data.
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
  if (length(source$varied$columns) && !source$varied$named) {
    source$varied$named <- TRUE
    warn_varied(source$varied$columns, source$names, source$data$arg, NULL)
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

# The source with the rows that a row_keeper() has collected: as they are, and as a source in memory.
keep_rows <- function(source, kept) {
  if (!is.null(kept)) kept$source <- lay_out_rows(source, kept$x, kept$rows)
  source["kept"] <- list(kept)
  source
}

# Two functions that collect rows during a pass over all parts: the pass calls visit(x, first) for each part,
# and after it kept() returns list(rows, x), or NULL. `ahead`: see as_source(); the most important rows come
# first in its list. As many of its elements are kept as fit into chunk_bytes().
row_keeper <- function(ahead, data) {
  if (is.null(ahead)) return(list(visit = NULL, kept = function() NULL))
  rows <- NULL
  found <- list()
  visit <- function(x, first) {
    if (is.null(rows)) {
      most <- chunk_bytes() / (as.double(utils::object.size(x)) / max(1, nrow(x)))
      sets <- ahead(data)
      rows <<- sort(unique(unlist(sets[cumsum(lengths(sets)) <= most])))
    }
    found[[length(found) + 1]] <<- some_rows(x, own_rows(rows, first, nrow(x)))
  }
  list(visit = visit, kept = function() list(rows = rows, x = do.call(rbind, found)))
}
