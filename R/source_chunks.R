# The first pass over data in chunks: moments of all rows, and a sample of them as a source.

# How the rows of a chunk become a matrix, a response and weights: list(chunks, form, prepare, response,
# weights, width). `prepare`: a function that makes a matrix of the rows. `response`: the code of the
# response, or NULL. `weights`: the code of the weights, or a number for each row of all chunks, or NULL.
# `width`: the bytes of a row in memory. Data of this class have a method for as_source().
chunk_plan <- function(chunks, first, prepare, response = NULL, weights = NULL,
                       call = rlang::caller_env()) {
  x <- prepare(first)
  plan <- list(
    chunks = chunks, form = chunk_form(first), prepare = prepare, response = response, weights = NULL,
    width = if (is.matrix(x)) 8 * ncol(x) else 12 * length(x@x) / nrow(x) + 8, first_rows = nrow(x)
  )
  if (is.language(weights)) {
    plan$weights <- weights
  } else if (!is.null(weights)) {
    plan$own <- weights_by_chunk(weights, chunks, call)
  }
  structure(plan, class = "chunk_plan")
}

# Weights given as a vector, a list with those of each chunk.
weights_by_chunk <- function(weights, chunks, call) {
  if (is.null(chunks$rows)) {
    abort_input(c(
      "{.arg weights} of data in chunks must be a column of them.", x = "They are {describe(weights)}.",
      i = "Write {.code landmarks(~ ., x, n, weights = w)}, or give {.arg rows} to {.fn chunked}."
    ), arg = "weights", kind = "weights", call = call)
  }
  weights <- check_weights(weights, sum(chunks$rows), call)
  if (is.null(weights)) return(NULL)
  unname(split(weights, factor(rep(seq_along(chunks$rows), chunks$rows), seq_along(chunks$rows))))
}

# list(x, y, w) of the rows of a chunk. `work`: the plan without what the session alone needs.
rows_of_chunk <- function(rows, item, work) {
  x <- work$prepare(rows)
  data <- if (is.data.frame(rows)) as.list(rows)
  list(
    x = x,
    y = if (!is.null(work$response)) response_of_chunk(work$response, data, nrow(x)),
    w = if (is.null(work$weights)) item$own else weights_of_chunk(work$weights, data, nrow(x))
  )
}

response_of_chunk <- function(code, data, rows) {
  y <- eval_columns(code, data, globalenv())
  if (NROW(y) != rows) {
    abort_input(c(
      "The response of data in chunks must be a column of them.",
      x = "It has {NROW(y)} value{?s}, and the chunk {rows} row{?s}."
    ), arg = "y", kind = "response", call = NULL)
  }
  missing <- which(is_missing(y))
  if (length(missing)) {
    abort_input(c("The response must not have missing values.", x = "The first is in row {missing[1]}."),
      arg = "y", kind = "missing", call = NULL
    )
  }
  y
}

weights_of_chunk <- function(code, data, rows) {
  w <- eval_columns(code, data, globalenv())
  if (!is.numeric(w) || length(w) != rows || !all(is.finite(w)) || any(w < 0)) {
    abort_input(c("{.arg weights} must be finite numbers of at least 0, one for each row.",
      x = if (is.numeric(w) && length(w) == rows) "Number {which(!(is.finite(w) & w >= 0))[1]} is not." else
        "They are {describe(w)}."
    ), arg = "weights", kind = "weights", call = NULL)
  }
  as.double(w)
}

# What daemons need of a plan.
plan_work <- function(plan) plan[c("prepare", "response", "weights")]

# The sample of the rows as a source whose center, factor and moments are those of all rows. Its element
# `whole` says what it stands for: list(plan, marks, rows, used, numbers, y, x): how many rows there
# are, how many of weight above 0, and of the sampled rows the numbers, the response and the matrix.
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
    plan = x, marks = all$marks, rows = rows, used = all$used,
    numbers = first[all$chunk] + all$at, y = all$y, x = all$x
  )
  source
}

# The sums of the first pass, and the sample: x, y, w, and of each of its rows the chunk and its number there.
# `expected`: about how many rows of weight above 0 there are.
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
  all <- list(rows = integer(count), used = 0, marks = character(count))
  sample <- smallest_keys(size, expected)
  over_chunks(chunks, survey_chunk, plan_work(plan), draw,
    call = call, own = plan$own, form = plan$form, take = function(value, k) {
      all$rows[k] <<- value$rows
      all$used <<- all$used + value$used
      all$marks[k] <<- value$mark
      all$moments <<- join_moments(all$moments, value$moments)
      sample$add(value$sample, k)
    }
  )
  check_chunk_count(chunks, all$rows, call)
  # Fewer rows than expected, because chunks have other sizes or weights are 0.
  if (sample$count() < min(size, all$used)) return(survey_chunks(plan, call, min(all$used, expected / 4)))
  c(all, sample$all(call))
}

# What one chunk adds.
survey_chunk <- function(rows, item, work, draw) {
  given <- rows_of_chunk(rows, item, work)
  n <- nrow(given$x)
  able <- if (is.null(given$w)) rep(TRUE, n) else given$w > 0
  moments <- part_moments(given$x, given$w, "x", NULL, 0L)
  # Each chunk has a stream of its own, whoever reads it.
  key <- keep_seed({
    set_seed((draw$seed + 104729 * item$k) %% .Machine$integer.max)
    stats::runif(n)
  })
  taken <- which(able & key <= draw$share)
  if (length(taken) > draw$size) taken <- sort(taken[order(key[taken])[seq_len(draw$size)]])
  list(
    rows = n, used = sum(able), mark = chunk_mark(rows), moments = moments,
    sample = part_rows(c(list(key = key, at = seq_len(n)), given), taken)
  )
}

abort_weightless <- function(rows, arg, call) {
  abort_input(c("The chunks must have rows of weight above 0.", x = "They have {rows} rows in all."),
    arg = arg, kind = "data", call = call
  )
}

check_chunk_count <- function(chunks, rows, call) {
  wrong <- which(rows != chunks$rows)
  if (length(wrong) == 0) return(invisible())
  abort_input(c(
    "{.arg rows} must be the numbers of rows of the chunks.",
    x = "Chunk {wrong[1]} has {rows[wrong[1]]} row{?s}, not {chunks$rows[wrong[1]]}."
  ), arg = "rows", kind = "chunks", call = call)
}

# Whether the rows of a source are some of more rows in chunks.
is_sample <- function(source) source$dim[1] < rows_in_all(source)

# How many rows of all data a source stands for.
rows_in_all <- function(source) source$whole$rows %||% source$dim[1]
