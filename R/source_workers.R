# A source of data on the workers of a cluster, with methods for the generics of source.R. Each worker has a
# source of its own rows, in memory or in parts. A step runs on each worker, and this session joins the
# results.
#
# Fields beside those of every source:
#   data      the data on workers
#   handle    an environment with the `name` that the source has on each worker. Once R removes it, because
#             the source is no longer used, the workers are asked to remove theirs

#' @export
as_source.worker_data <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env(),
                                  ahead = NULL) {
  check_worker_data(x, arg, call)
  if (identical(scale, "ranks")) check_rankable(x, arg, call)
  weights <- check_weights(weights, nrow(x), call)
  # Rows that are in the workers' memory need not be kept.
  sets <- if (!is.null(ahead) && x$parted) ahead(list(dim = dim(x), weights = weights))
  share <- lapply(seq_along(x$rows), function(w) {
    own <- x$first[w] + seq_len(if (is.null(weights)) 0 else x$rows[w])
    list(
      first = x$first[w], weights = weights[own],
      ahead = lapply(sets, function(rows) split_rows(x, rows)[[w]])
    )
  })
  handle <- new_handle(x$workers)
  all <- ask_workers(x$workers, worker_moments, handle$name, arg, share = share)
  all <- Reduce(join_moments, all)
  moments <- moments_of_joined(all, nrow(x), weights)
  factor <- scale_factor(moments, nrow(x), scale, arg, call)
  coordinates_of_workers(x, handle, weights, moments$mean, factor, arg, moments)
}

#' @export
source_of.worker_data <- function(x, weights, center, factor, arg, call, moments = NULL) {
  handle <- new_handle(x$workers)
  share <- lapply(seq_along(x$rows), function(w) {
    list(first = x$first[w], weights = weights[x$first[w] + seq_len(x$rows[w])])
  })
  ask_workers(x$workers, worker_begin, handle$name, share = share)
  coordinates_of_workers(x, handle, weights, center, factor, arg, moments)
}

#' @export
with_relevance.worker_source <- function(source, relevance) {
  if (is.null(relevance)) return(source)
  factor <- source$factor * relevance
  moments <- source[c("mean", "variance")]
  moved <- source_of(source$data, source$weights, source$center, factor, "x", NULL, moments)
  source[c("handle", "factor")] <- unclass(moved)[c("handle", "factor")]
  source
}

coordinates_of_workers <- function(x, handle, weights, center, factor, arg, moments) {
  if (x$sparse) center <- sparse_center(center, factor)
  varied <- ask_workers(x$workers, worker_source, handle$name, center, factor, arg, moments)
  warn_varied(sort(unique(unlist(varied))), x$names, arg, NULL)
  structure(list(
    data = x, handle = handle, center = center, factor = factor, dim = dim(x), names = x$names,
    weights = weights, mean = moments$mean, variance = moments$variance, sparse = x$sparse
  ), class = c("worker_source", "landmark_source"))
}

# A handle: a new name for a source or for states that the workers keep. Once nothing uses the handle, the
# next call asks the workers to remove what has this name.
new_handle <- function(workers) {
  workers$names <- (workers$names %||% 0L) + 1L
  handle <- list2env(list(name = paste0("h", workers$names), workers = workers), parent = emptyenv())
  reg.finalizer(handle, function(h) h$workers$free <- c(h$workers$free, h$name))
  handle
}

#' @export
in_memory.worker_source <- function(x) FALSE

# The workers keep the states of their own rows, which take no memory here.
#' @export
runs_here.worker_source <- function(source) FALSE

#' @export
stored_columns.worker_source <- function(source) {
  if (source$sparse) max(1, 1.5 * source$data$stored) else source$dim[2]
}

#' @export
over_parts.worker_source <- function(source, step, ..., combine = NULL, states = NULL) {
  join <- if (!is.null(combine)) for_workers(combine)
  found <- ask_workers(
    source$data$workers, worker_step, source$handle$name, states$name, for_workers(step), join, list(...)
  )
  found <- found[source$data$rows > 0]
  if (is.null(combine)) unlist(found, recursive = FALSE) else Reduce(combine, found)
}

#' @export
part_states.worker_source <- function(source, make, ...) {
  handle <- new_handle(source$data$workers)
  ask_workers(
    source$data$workers, worker_states, source$handle$name, handle$name, for_workers(make), list(...)
  )
  handle
}

#' @export
rows_of.worker_source <- function(source, rows) {
  lay_out_rows(source, fetch_rows(source$data, rows, source$handle$name), rows)
}

# First the values of every worker's first part are fetched and used, then those of every second part, and so
# on.
#' @export
each_part.worker_source <- function(source, values, use) {
  values <- for_workers(values)
  i <- 0L
  repeat {
    i <- i + 1L
    found <- ask_workers(source$data$workers, worker_part, source$handle$name, values, i)
    if (all(vapply(found, is.null, NA))) return(invisible())
    for (one in found) if (!is.null(one$value)) use(one$value, one$first)
  }
}

# ---- on a worker ----------------------------------------------------------------
# Functions that ask_workers() calls on a worker. `store` has the worker's `data`, and in `kept` its sources
# and states by name; `share` is the worker's own part of the message (data_worker_calls.R).

# The moments of the worker's rows, which the session joins with those of the other workers.
worker_moments <- function(store, share, name, arg) {
  x <- store$data
  keeper <- row_keeper(if (!in_memory(x)) function(data) share$ahead, NULL)
  begun <- list(first = share$first, weights = share$weights)
  if (!in_memory(x)) {
    all <- join_parts(x, share$weights, arg, NULL, keeper$visit, share$first)
    begun["rows_kept"] <- list(keeper$kept())
  } else {
    all <- part_moments(x, share$weights, arg, NULL, share$first)
  }
  assign(name, begun, store$kept)
  all
}

# Keeps the worker's share: its weights, and how many rows of other workers stand before its own.
worker_begin <- function(store, share, name) {
  assign(name, share, store$kept)
  NULL
}

# Keeps a source of the worker's rows under this `name`. All workers have the same center and factor. Returns
# the columns that vary in new data and were constant.
worker_source <- function(store, share, name, center, factor, arg, moments) {
  begun <- store$kept[[name]]
  x <- store$data
  if (!in_memory(x)) {
    source <- source_of(x, begun$weights, center, factor, arg, NULL, moments)
    source$offset <- begun$first
    source <- keep_rows(source, begun$rows_kept)
  } else {
    if (is.null(moments)) check_new_values(x, center, factor, arg, NULL, begun$first)
    source <- lay_out(x, begun$weights, center, factor, moments, begun$first)
  }
  assign(name, source, store$kept)
  if (is.null(moments) && in_memory(x)) varied_columns(x, center, factor)
}

# over_parts() and part_states() of the worker's own source. `name`, `states`: names in the store.
worker_step <- function(store, share, name, states, step, combine, args) {
  source <- store$kept[[name]]
  if (source$dim[1] == 0) return(NULL)
  states <- if (!is.null(states)) store$kept[[states]]
  do.call(over_parts, c(list(source, step), args, list(combine = combine, states = states)), quote = TRUE)
}

worker_states <- function(store, share, name, states, make, args) {
  source <- store$kept[[name]]
  found <- if (source$dim[1] > 0) do.call(part_states, c(list(source, make), args), quote = TRUE)
  assign(states, found, store$kept)
  NULL
}

# list(value, first) of the worker's part i; NULL where it has fewer parts.
worker_part <- function(store, share, name, values, i) {
  source <- store$kept[[name]]
  if (in_memory(source)) {
    if (i > 1 || source$dim[1] == 0) return(NULL)
    return(list(value = values(source), first = source$first))
  }
  some <- filled_parts(source$data)
  if (i > length(some)) return(NULL)
  part <- part_of(source, some[i])
  list(value = if (part$dim[1] > 0) values(part), first = part$first)
}
