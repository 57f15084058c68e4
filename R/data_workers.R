#' Data on the workers of a cluster
#'
#' `on_workers()` describes data whose rows are spread over the workers of a cluster, on one machine or on
#' many. The result takes the place of a matrix in [landmarks()], `predict()`, [reconstruction_error()],
#' [nearest_observations()], [landmark_graph()], [embed_landmarks()] and [codebook()]. The rows stay where
#' they are: what travels is landmarks, sums of n x n and n x d numbers, and the random rows that landmarks
#' are learned from.
#'
#' @details
#' Every cluster of package \pkg{parallel} will do: `parallel::makeCluster()` (sockets, over ssh for other
#' machines; or MPI, with packages \pkg{snow} and \pkg{Rmpi}) and `mirai::make_cluster()`. Every worker needs
#' this package, in the same version. `vignette("scale")` has lines to copy for ssh, Slurm and MPI.
#'
#' Rows are numbered from the first worker to the last. The same seed and the same division of the rows give
#' the same landmarks to the last bit. Another division changes the last digits of sums, and so landmarks
#' after the fifth digit.
#'
#' Steps of the default method use random batches of rows, which travel to this session. With
#' `by_gp(batch_size = Inf)` each step uses all rows: every worker computes sums over its own rows, and
#' only these travel.
#'
#' The rows, and what algorithms keep about them, stay in the workers' memory until the cluster is
#' stopped. A worker that stops is an error of class `landmarker_error_worker`, which names it. The cluster is
#' then of no more use: its sockets are closed. Start another.
#'
#' After an interrupt or a time limit, workers on this machine are interrupted too, and mostly the cluster and
#' its data can be used at once. A worker that is still busy a second later, as one elsewhere may be, is a
#' warning of class `landmarker_warning_worker` that names it. The cluster is then closed, because it would
#' give old answers to your next calls. An interrupt or a limit of time may also cut a message, with the same
#' end. Then start another cluster, and call `on_workers()` again.
#'
#' Warnings of `read` come with the number of their worker. Messages are not shown.
#'
#' @param cl A cluster of package \pkg{parallel}, such as `parallel::makeCluster(2)`.
#' @param read A function(worker, workers) that is called on each worker with its number, 1, 2, ..., and the
#'   number of workers. It returns the worker's own rows: a matrix, a sparse matrix, a data frame of numbers,
#'   a DelayedMatrix, a `big.matrix`, or [data_parts()]. Objects that it uses travel with it if it is defined
#'   inside a function, and do not if it is defined at top level.
#' @return An object of class `worker_data`, with methods for `dim()`, `dimnames()` and `print()`. `x[i, ]`
#'   brings some rows here. It is of use only in this session, and as long as the cluster runs.
#' @section Errors:
#' `landmarker_error_worker`: a worker has stopped, cannot load this package, has another version of it, or
#' its `read` failed. `landmarker_error_parts`: the workers' rows differ in their columns, or some are dense
#' and others sparse. A missing value is an error that gives its row in all of the data.
#' @seealso [data_parts()] for data in files on one machine.
#' @examples
#' cl <- parallel::makeCluster(2)
#' x <- on_workers(cl, function(worker, workers) {
#'   set.seed(worker, kind = "Mersenne-Twister")
#'   landmarker::sim_swiss_roll(5000)
#' })
#' x
#' fit <- landmarks(x, 20, by_gp(batch_size = Inf))
#' fit
#' parallel::stopCluster(cl)
#' @export
on_workers <- function(cl, read) {
  call <- rlang::current_env()
  check_given(cl, "cl", call)
  check_given(read, "read", call)
  if (!inherits(cl, "cluster") || length(cl) == 0) {
    abort_input(c(
      "{.arg cl} must be a cluster, such as {.code parallel::makeCluster(2)}, of at least one worker.",
      x = "It is {describe(cl)}."
    ), arg = "cl", call = call)
  }
  if (any(vapply(cl, is.null, NA))) {
    abort_input(c("{.arg cl} must be a cluster of workers.", x = "One of its nodes is NULL."),
      arg = "cl", call = call
    )
  }
  if (!is.function(read)) {
    abort_input(c("{.arg read} must be a function(worker, workers).", x = "It is {describe(read)}."),
      arg = "read", call = call
    )
  }
  check_takes(read, 2, "read", "function(worker, workers)", call)
  workers <- open_workers(cl, call)
  facts <- ask_workers(workers, worker_read, for_workers(read), length(cl))
  check_alike(workers, facts, call)
  tell_latency(workers, call)
  rows <- vapply(facts, `[[`, 0L, "rows")
  structure(list(
    workers = workers, rows = rows, first = c(0L, cumsum(rows))[seq_along(rows)],
    columns = facts[[1]]$columns,
    names = facts[[1]]$names, sparse = facts[[1]]$sparse, parted = any(vapply(facts, `[[`, NA, "parted")),
    stored = max(vapply(facts, `[[`, 0, "stored"))
  ), class = "worker_data")
}

# The environment `workers` (see data_worker_calls.R) of a cluster whose workers have been numbered.
open_workers <- function(cl, call) {
  id <- paste(Sys.info()[["nodename"]], Sys.getpid(), as.numeric(Sys.time()), sep = "-")
  with_workers(call, {
    processes <- check_workers(cl, call)
    if (inherits(cl[[1]], tagged_nodes) && anyDuplicated(lapply(processes, `[`, c("pid", "host")))) {
      abort_input(c("{.arg cl} must have each worker once.", x = "Some of its nodes are the same process."),
        arg = "cl", call = call
      )
    }
    facts <- number_workers(cl, id, processes)
  })
  own <- as.character(utils::packageVersion("landmarker"))
  other <- Filter(function(worker) worker$version != own, facts)
  if (length(other)) {
    abort_input(c(
      "Every worker of {.arg cl} must have version {own} of {.pkg landmarker}, as this session has.",
      x = "{length(other)} {?has/have} another version, the first {other[[1]]$version}."
    ), arg = "cl", kind = "worker", call = call)
  }
  list2env(list(cl = cl, id = id, facts = facts, calls = 0L), parent = emptyenv())
}

# Gives each worker a number. Clusters that give a call to any idle worker may give two calls to one of them.
# A worker keeps the first number that it gets, so calls are repeated until every number is taken.
number_workers <- function(cl, id, processes) {
  facts <- vector("list", length(cl))
  for (attempt in 1:20) {
    free <- which(vapply(facts, is.null, NA))
    if (length(free) == 0) break
    # A call needs a number for each worker: the free numbers come first, then those that are taken.
    numbers <- c(free, setdiff(seq_along(cl), free))
    found <- call_nodes(cl, worker_open, numbers, id = id, facts = processes)
    for (worker in found) if (inherits(worker, "worker_facts")) facts[[worker$worker]] <- worker
  }
  if (any(vapply(facts, is.null, NA))) stop("a worker did not answer")
  facts
}

# On a worker: takes a number, once.
worker_open <- function(worker, id) {
  store <- worker_store[[id]]
  if (is.null(store)) {
    store <- list2env(list(worker = worker, kept = new.env(parent = emptyenv())), parent = emptyenv())
    assign(id, store, worker_store)
  }
  structure(list(
    worker = store$worker, pid = Sys.getpid(), host = Sys.info()[["nodename"]],
    version = as.character(utils::packageVersion("landmarker"))
  ), class = "worker_facts")
}

# On a worker: reads its rows into its store, and returns facts about them.
worker_read <- function(store, share, read, workers) {
  x <- in_parts(read(store$worker, workers), "read(worker)", NULL)
  if (in_memory(x)) x <- as_part(x, "read(worker)")
  store$data <- x
  few <- if (!in_memory(x)) read_part(x, filled_parts(x)[1]) else x
  sparse <- !is.matrix(few)
  list(
    rows = nrow(x), columns = ncol(x), names = colnames(x), sparse = sparse, parted = !in_memory(x),
    stored = if (sparse) length(few@x) / max(1, nrow(few)) else as.double(ncol(x))
  )
}

# A message where calls are slow. By default the system holds small messages of sockets back for some 40
# milliseconds.
tell_latency <- function(workers, call) {
  if (!inherits(workers$cl[[1]], socket_nodes)) return(invisible())
  seconds <- vapply(1:3, function(i) system.time(ask_workers(workers, worker_ping))[["elapsed"]], 0)
  if (min(seconds) < 0.03) return(invisible())
  option <- 'options(socketOptions = "no-delay")'
  tell_user(c(
    paste0(
      "A call to these workers takes {round(1000 * min(seconds))} milliseconds, ",
      "and a fit makes dozens of calls."
    ),
    i = paste(
      "Small messages are delayed by the sockets. {.code {option}} turns this off: set it before",
      paste0(
        "{.code cl <- makeCluster(2, rscript_args = c(\"-e\", shQuote('{option}')))}, ",
        "which gives it to the workers."
      )
    )
  ), kind = "latency", once = "latency", call = call)
}

worker_ping <- function(store, share) NULL

check_alike <- function(workers, facts, call) {
  differ <- function(what) which(!vapply(facts, function(f) identical(f[[what]], facts[[1]][[what]]), NA))[1]
  rules <- c(
    columns = "must have the same number of columns", names = "must have the same column names",
    sparse = "must be dense, or all sparse"
  )
  for (what in names(rules)) {
    w <- differ(what)
    if (!is.na(w)) {
      apart <- if (what == "columns") sprintf(": %d and %d columns", facts[[w]]$columns, facts[[1]]$columns)
      abort_input(c(
        "The rows of all workers {rules[[what]]}.",
        x = "Those of {tolower_first(worker_words(workers, w))} differ from those of worker 1{apart}."
      ), arg = "read", kind = "parts", call = call)
    }
  }
  check_some_rows(matrix(0, min(1, sum(vapply(facts, `[[`, 0L, "rows"))), facts[[1]]$columns), "read", call)
}

#' @export
in_memory.worker_data <- function(x) FALSE

# The values are checked when rows come to this session.
#' @export
check_finite_rows.worker_data <- function(x, arg, call) x

#' @export
dim.worker_data <- function(x) {
  check_worker_data(x)
  c(sum(x$rows), x$columns)
}

#' @export
dimnames.worker_data <- function(x) {
  check_worker_data(x)
  if (!is.null(x$names)) list(NULL, x$names)
}

#' @export
print.worker_data <- function(x, ...) {
  check_worker_data(x)
  print_parted(x, c(worker = length(x$rows)), "on", x$sparse)
}

#' @export
`[.worker_data` <- function(x, i, j, ..., drop = FALSE) {
  check_worker_data(x)
  if (missing(i)) {
    abort_input(c(
      "Columns of data on workers cannot be chosen here.",
      i = "Choose them in {.arg read} of {.fn on_workers}, in the order that the landmarks have."
    ), arg = "x", kind = "columns", call = NULL)
  }
  rows <- check_subscript(i, nrow(x), NULL, "row")
  columns <- if (missing(j)) seq_len(ncol(x)) else check_subscript(j, ncol(x), x$names, "column")
  fetch_rows(x, rows)[, columns, drop = FALSE]
}

# Some rows by number, in that order, as a matrix.
fetch_rows <- function(x, rows, kept = NULL) {
  wanted <- sort(unique(rows))
  found <- ask_workers(x$workers, worker_rows, kept, share = split_rows(x, wanted))
  found <- do.call(rbind, found[x$rows > 0])
  if (identical(wanted, rows)) found else found[match(rows, wanted), , drop = FALSE]
}

# Row numbers of all data as row numbers of each worker.
split_rows <- function(x, rows) {
  lapply(seq_along(x$rows), function(w) own_rows(rows, x$first[w], x$rows[w]))
}

# On a worker: some of its rows. `kept`: the name of a source that may have them in memory, or NULL.
worker_rows <- function(store, rows, kept) {
  if (in_memory(store$data)) return(some_rows(store$data, rows))
  at <- if (!is.null(kept)) kept_places(store$kept[[kept]], rows)
  if (is.null(at)) gather_rows(store$data, rows) else some_rows(store$kept[[kept]]$kept$x, at)
}

check_worker_data <- function(x, arg = "x", call = rlang::caller_env()) {
  check_object(x, worker_rules, arg, call)
}

worker_rules <- list(
  class = "worker_data", kind = "worker", what = "worker_data object", maker = "on_workers",
  parts = list(
    workers = worded_rule(
      function(v, x) {
        is.environment(v) && inherits(v$cl, "cluster") && is.list(v$cl) && is_text(v$id, 1) &&
          is_whole(v$calls, 0)
      },
      "are not those of a cluster."
    ),
    rows = worded_rule(
      function(v, x) {
        is.integer(v) && length(v) == length(x$workers$cl) && !anyNA(v) && all(v >= 0) &&
          sum(as.double(v)) > 0
      },
      "are not numbers of rows, one for each worker."
    ),
    first = worded_rule(
      function(v, x) identical(as.double(v), as.double(c(0L, cumsum(x$rows))[seq_along(x$rows)])),
      "are not the numbers of rows before each worker's."
    ),
    columns = function(v, x) is_whole(v, 1) && is.integer(v),
    names = function(v, x) are_column_names(v, x$columns),
    sparse = function(v, x) is_flag(v),
    parted = function(v, x) is_flag(v),
    stored = function(v, x) is_number(v) && v >= 0
  )
)

#' @export
in_parts.worker_data <- function(x, arg, call) check_worker_data(x, arg, call)
