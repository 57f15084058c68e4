# A source of data on the workers of a cluster, with methods for the generics of source.R. Each worker has a
# source of its own rows, in memory or in parts, under the same name. It does there what this session would do
# with a part.
#
# Its own fields: `data`, the data on workers; `handle`, the name of the workers' sources, an environment that
# lets the workers forget them once it is no longer used.

#' @export
as_source.worker_data <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env(),
                                  ahead = NULL) {
  check_worker_data(x, arg, call)
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
  moments <- list(mean = all$mean, variance = all$square / variance_divisor(nrow(x), weights))
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

coordinates_of_workers <- function(x, handle, weights, center, factor, arg, moments) {
  if (x$sparse) center <- numeric(x$columns)
  ask_workers(x$workers, worker_source, handle$name, center, factor, arg, moments)
  structure(list(
    data = x, handle = handle, center = center, factor = factor, dim = dim(x), names = x$names,
    weights = weights, mean = moments$mean, variance = moments$variance, sparse = x$sparse
  ), class = c("worker_source", "landmark_source"))
}

# A name for what workers keep. When the handle is no longer used, the next call tells them to forget it.
new_handle <- function(workers) {
  workers$names <- (workers$names %||% 0L) + 1L
  handle <- list2env(list(name = paste0("h", workers$names), workers = workers), parent = emptyenv())
  reg.finalizer(handle, function(h) h$workers$free <- c(h$workers$free, h$name))
  handle
}

#' @export
in_memory.worker_source <- function(x) FALSE

# The workers keep the states of their own rows.
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

# The workers compute the values of their parts in turn, one part of each at a time.
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
# `held` has the worker's `data`, and in `kept` its sources and states by name.

# The moments of its rows, to be joined with those of the others.
worker_moments <- function(held, share, name, arg) {
  x <- held$data
  keeper <- row_keeper(if (!in_memory(x)) function(data) share$ahead, NULL)
  begun <- list(first = share$first, weights = share$weights)
  if (!in_memory(x)) {
    all <- join_parts(x, share$weights, arg, NULL, keeper$visit, share$first)
    begun["rows_kept"] <- list(keeper$kept())
  } else {
    all <- part_moments(x, share$weights, arg, NULL, share$first)
  }
  assign(name, begun, held$kept)
  all
}

worker_begin <- function(held, share, name) {
  assign(name, share, held$kept)
  NULL
}

# Its own source, in coordinates that all workers share.
worker_source <- function(held, share, name, center, factor, arg, moments) {
  begun <- held$kept[[name]]
  x <- held$data
  if (!in_memory(x)) {
    source <- source_of(x, begun$weights, center, factor, arg, NULL, moments)
    source$offset <- begun$first
    source <- keep_rows(source, begun$rows_kept)
  } else {
    if (is.null(moments)) check_new_values(x, center, factor, arg, NULL, begun$first)
    source <- lay_out(x, begun$weights, center, factor, moments, begun$first)
  }
  assign(name, source, held$kept)
  NULL
}

worker_step <- function(held, share, name, states, step, combine, args) {
  source <- held$kept[[name]]
  if (source$dim[1] == 0) return(NULL)
  states <- if (!is.null(states)) held$kept[[states]]
  do.call(over_parts, c(list(source, step), args, list(combine = combine, states = states)), quote = TRUE)
}

worker_states <- function(held, share, name, states, make, args) {
  source <- held$kept[[name]]
  found <- if (source$dim[1] > 0) do.call(part_states, c(list(source, make), args), quote = TRUE)
  assign(states, found, held$kept)
  NULL
}

# list(value, first) of its part i; NULL where it has fewer parts.
worker_part <- function(held, share, name, values, i) {
  source <- held$kept[[name]]
  if (in_memory(source)) {
    if (i > 1 || source$dim[1] == 0) return(NULL)
    return(list(value = values(source), first = source$first))
  }
  some <- filled_parts(source$data)
  if (i > length(some)) return(NULL)
  part <- part_of(source, some[i])
  list(value = if (part$dim[1] > 0) values(part), first = part$first)
}
