# The first pass over data in chunks: moments of all rows, and a sample of them as a source.

# How the rows of a chunk become a matrix, a response and weights: list(chunks, form, prepare, response,
# weights, own, width). `prepare`: a function that makes a matrix of the rows. `response`: column_code(), or
# NULL. `weights`: a one-sided formula, such as ~ w, of which the plan has column_code(); or a number for each
# row of all chunks, of which it has those of each chunk, `own`; or NULL. `width`: the bytes of a row in
# memory. Data of this class have a method for as_source().
chunk_plan <- function(chunks, first, prepare, response = NULL, weights = NULL,
                       call = rlang::caller_env()) {
  x <- prepare(first)
  plan <- list(
    chunks = chunks, form = chunk_form(first), prepare = prepare, response = response,
    width = if (is.matrix(x)) 8 * ncol(x) else 12 * length(x@x) / nrow(x) + 8, first_rows = nrow(x)
  )
  if (inherits(weights, "formula")) {
    plan$weights <- column_code(weights[[length(weights)]], environment(weights), first, "weights", call)
  } else if (!is.null(weights)) {
    plan$own <- weights_by_chunk(weights, chunks, call)
  }
  structure(plan, class = "chunk_plan")
}

# Code that is evaluated on the columns of each chunk: list(code, constants, like, arg, kind). `constants`:
# values of names that are no columns. `like`: the value for no rows, whose type and levels all chunks have.
# `kind`: of errors.
column_code <- function(code, env, first, arg, call) {
  column <- list(
    code = code, constants = constants_in(setdiff(all.vars(code), names(first)), env), arg = arg,
    kind = if (arg == "weights") "weights" else "response"
  )
  y <- with_call(column_value(column, first), call)
  column$like <- if (is.null(dim(y))) y[0] else y[0, , drop = FALSE]
  column
}

column_value <- function(column, rows) {
  if (nrow(rows) == 0 && !is.null(column$like)) return(column$like)
  data <- if (is.data.frame(rows)) as.list(rows)
  on_failure(eval_columns(column$code, c(data, column$constants), globalenv()), function(e) {
    abort_input(c(
      "The {column$kind} must be computed from the columns of the chunks.",
      x = "R reports: {conditionMessage(e)}.",
      i = "What it calls must be in the workspace, not in a function."
    ), arg = column$arg, kind = column$kind, call = NULL)
  })
}

# Weights given as a vector, a list with those of each chunk.
weights_by_chunk <- function(weights, chunks, call) {
  if (is.null(chunks$rows)) {
    abort_input(c(
      "{.arg weights} of data in chunks must be a column of them.", x = "They are {describe(weights)}.",
      i = "Write {.code weights = ~ w} for a column {.field w}, or give {.arg rows} to {.fn chunked}."
    ), arg = "weights", kind = "weights", call = call)
  }
  weights <- check_weights(weights, sum(as.double(chunks$rows)), call)
  if (is.null(weights)) return(NULL)
  unname(split(weights, factor(rep(seq_along(chunks$rows), chunks$rows), seq_along(chunks$rows))))
}

# list(x, y, w) of the rows of a chunk. `work`: the plan without what the session alone needs.
rows_of_chunk <- function(rows, item, work) {
  x <- work$prepare(rows)
  if (!is.null(item$own) && length(item$own) != nrow(x)) abort_chunk_count(item$k, nrow(x), length(item$own))
  list(
    x = x, y = if (!is.null(work$response)) response_of_chunk(work$response, rows),
    w = if (is.null(work$weights)) item$own else weights_of_chunk(work$weights, rows)
  )
}

response_of_chunk <- function(column, rows) {
  y <- column_value(column, rows)
  kind <- function(v) list(if (is.numeric(v)) "numeric" else class(v)[1], NCOL(v), levels(v))
  if (NROW(y) != nrow(rows) || !identical(kind(y), kind(column$like))) {
    abort_input(c(
      "The response of data in chunks must be a column of them, of one type and the same levels.",
      x = "It has {NROW(y)} value{?s} of class {.cls {class(y)[1]}} for {nrow(rows)} row{?s}.",
      x = "In the first chunk it is of class {.cls {class(column$like)[1]}}.",
      i = if (is.factor(y)) "Declare the levels by {.code chunked(levels = )}."
    ), arg = "y", kind = "response", call = NULL)
  }
  missing <- which(is_missing(y))[1]
  if (is.na(missing)) return(y)
  abort_input(c("The response must not have missing values.", x = "The first is in row {missing}."),
    arg = "y", kind = "missing", call = NULL
  )
}

weights_of_chunk <- function(column, rows) {
  w <- column_value(column, rows)
  # ~ 1 is equal weights.
  if (length(w) == 1) w <- rep(w, nrow(rows))
  # All rows of a chunk may have weight 0.
  if (nrow(rows) > 0 && !isTRUE(all(w == 0) && length(w) == nrow(rows))) check_weights(w, nrow(rows), NULL)
  as.double(w)
}

# What daemons need of a plan.
plan_work <- function(plan) plan[c("prepare", "response", "weights")]

# The sample of the rows as a source whose center, factor and moments are those of all rows. Its element
# `whole` says what it stands for: list(plan, rows, used, numbers, y, x): how many rows there are,
# how many of weight above 0, and of the sampled rows the numbers, the response and the matrix.
#' @export
as_source.chunk_plan <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env()) {
  if (identical(scale, "ranks")) check_rankable(x$chunks, arg, call)
  all <- survey_chunks(x, call)
  rows <- sum(all$rows)
  if (is.null(all$moments)) abort_weightless(rows, arg, call)
  square <- all$moments$square * (rows / all$moments$weight)
  moments <- settled_moments(all$moments$mean, square / variance_divisor(rows, used = all$used))
  factor <- scale_factor(moments, rows, scale, arg, call)
  first <- cumsum(c(0, all$rows))[seq_along(all$rows)]
  source <- lay_out(all$x, check_weights(all$w, nrow(all$x), call), moments$mean, factor, moments)
  source$whole <- list(
    plan = x, rows = rows, used = all$used, numbers = first[all$chunk] + all$at, y = all$y, x = all$x
  )
  source
}

# The sums of the first pass, and the sample: x, y, w, and of each of its rows the chunk and its number there,
# `at`. The sample has the rows with the smallest of independent random keys. `expected`: about how many rows
# of weight above 0 there are.
survey_chunks <- function(plan, call, expected = NULL) {
  chunks <- plan$chunks
  count <- length(chunks$x)
  size <- chunks$sample %||% as.integer(max(1000, min(200000, chunk_bytes() %/% plan$width)))
  if (is.null(expected)) {
    expected <- if (is.null(chunks$rows)) plan$first_rows * as.double(count) else sum(as.double(chunks$rows))
  }
  # Later draws are the same as with data in memory.
  seed <- keep_seed(sample.int(.Machine$integer.max, 1))
  # A few rows more than are wanted, of which those with the smallest keys are kept.
  share <- size * (1.2 + 6 / sqrt(size)) / expected
  draw <- list(seed = seed, size = size, share = if (expected <= size) 1 else share)
  all <- list(rows = numeric(count), used = 0)
  sample <- list()
  over_chunks(chunks, survey_chunk, plan_work(plan), draw,
    call = call, own = plan$own, form = plan$form, take = function(value, k) {
      all$rows[k] <<- value$rows
      all$used <<- all$used + value$used
      all$moments <<- join_moments(all$moments, value$moments)
      if (length(value$sample$key)) sample <<- c(sample, list(value$sample))
      if (sampled_rows(sample) > 1.5 * size) sample <<- with_smallest_keys(sample, size)
    }
  )
  check_chunk_count(chunks, all$rows, call)
  if (all$used == 0) return(all)
  # Fewer rows than expected, because chunks have other sizes or weights are 0.
  if (sampled_rows(sample) < min(size, all$used)) {
    return(survey_chunks(plan, call, min(all$used, expected / 4)))
  }
  sample <- with_smallest_keys(sample, size)
  joined <- lapply(stats::setNames(nm = c("x", "y", "w", "at", "chunk")), function(name) {
    bind_rows_of(lapply(sample, `[[`, name))
  })
  if (is.matrix(joined$x)) dimnames(joined$x) <- list(NULL, colnames(joined$x))
  c(all, joined)
}

sampled_rows <- function(sample) sum(lengths(lapply(sample, `[[`, "key")))

with_smallest_keys <- function(sample, size) {
  keys <- unlist(lapply(sample, `[[`, "key"))
  if (length(keys) <= size) return(sample)
  last <- sort(keys, partial = size)[size]
  lapply(sample, function(part) part_rows(part, which(part$key <= last)))
}

# Some rows of list(key, at, x, y, w, chunk), of which some may be NULL.
part_rows <- function(part, rows) {
  if (length(rows) == length(part$key)) return(part)
  lapply(part, function(v) if (is.null(dim(v))) v[rows] else some_rows(v, rows))
}

# What one chunk adds.
survey_chunk <- function(rows, item, work, draw) {
  input <- rows_of_chunk(rows, item, work)
  n <- nrow(input$x)
  able <- if (is.null(input$w)) rep(TRUE, n) else input$w > 0
  moments <- part_moments(input$x, input$w, "x", NULL)
  # Each chunk has a stream of its own, whoever reads it.
  key <- keep_seed({
    set_seed((draw$seed + 104729 * item$k) %% .Machine$integer.max)
    stats::runif(n)
  })
  taken <- which(able & key <= draw$share)
  if (length(taken) > draw$size) taken <- sort(taken[order(key[taken])[seq_len(draw$size)]])
  list(
    rows = n, used = sum(able), moments = moments,
    sample = part_rows(c(list(key = key, at = seq_len(n), chunk = rep(item$k, n)), input), taken)
  )
}

abort_weightless <- function(rows, arg, call) {
  abort_input(c("The chunks must have rows of weight above 0.", x = "They have {rows} rows in total."),
    arg = arg, kind = "data", call = call
  )
}

check_chunk_count <- function(chunks, rows, call) {
  wrong <- which(rows != chunks$rows)[1]
  if (!is.na(wrong)) abort_chunk_count(wrong, rows[wrong], chunks$rows[wrong], call)
}

abort_chunk_count <- function(k, rows, said, call = NULL) {
  abort_input(c(
    "{.arg rows} must be the row counts of the chunks.",
    x = "Chunk {k} has {rows} row{?s}, not {said}."
  ), arg = "rows", kind = "chunks", call = call)
}

# Whether the rows of a source are some of more rows in chunks.
is_sample <- function(source) source$dim[1] < rows_in_all(source)

# How many rows of all data a source stands for.
rows_in_all <- function(source) source$whole$rows %||% source$dim[1]
