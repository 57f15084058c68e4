# A source: the user's data after all checks, in the form that every algorithm and the core read. Its rows are
# in memory; of data in chunks they are a sample.
#
# Fields:
#   dim, names            rows and columns; column names or NULL
#   x                     of dense data: a numeric, integer or logical matrix, the user's own, no copy
#   start, column, value  of sparse data: compressed sparse rows
#   center, factor        kernel coordinates are (x - center) * factor
#   weights               one for each row, of mean 1, or NULL
#   mean, variance        of each column, in the data's units; NULL for new data
#   sparse                whether the rows are sparse
#   whole                 of a sample of chunks, see as_source.chunk_plan()

# The source of the user's data, with center, factor and moments computed from them.
as_source <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env()) {
  UseMethod("as_source")
}

#' @export
as_source.default <- function(x, weights = NULL, scale = FALSE, arg = "x", call = rlang::caller_env()) {
  weights <- check_weights(weights, nrow(x), call)
  if (identical(scale, "ranks")) {
    check_rankable(x, arg, call)
    ranks <- rank_knots(check_finite(x, arg, call), weights)
    source <- as_source(scores_of_ranks(x, ranks), weights, TRUE, arg, call)
    source$ranks <- ranks
    return(source)
  }
  moments <- column_moments(x, weights, arg, call)
  factor <- scale_factor(moments, nrow(x), scale, arg, call)
  # Rows of weight 0 do not count in the moments, whose check has therefore not seen how large they are.
  if (!is.null(weights)) check_reach(x, moments$mean, factor, arg, call, "Rescale the data.")
  lay_out(x, weights, moments$mean, factor, moments)
}

# The factors of the columns: with `scale` each is divided by its standard deviation, and constant columns are
# left out of all distances, in new data as well.
scale_factor <- function(moments, n, scale, arg, call) {
  check_size(moments$variance, n, arg, call)
  sd <- sqrt(moments$variance)
  if (scale) ifelse(sd > 0, 1 / sd, 0) else rep(1, length(sd))
}

# New data as a matrix, in the kernel coordinates of a fit or a codebook.
new_source <- function(x, center, factor, arg = "newdata", call = rlang::caller_env()) {
  check_reach(check_finite(x, arg, call), center, factor, arg, call)
  lay_out(x, NULL, center, factor)
}

# A matrix or a sparse matrix as a source.
lay_out <- function(x, weights, center, factor, moments = NULL) {
  source <- list(
    center = center, factor = factor, dim = dim(x), names = colnames(x), weights = weights,
    mean = moments$mean, variance = moments$variance, sparse = !is.matrix(x)
  )
  if (source$sparse) {
    # The values of sparse rows are multiplied by the factors here, and are never centered: a centered matrix
    # would have few zeros. Constant columns have the center that gives them their value.
    source$center <- ifelse(factor == 0, center, 0)
    source <- c(.Call(C_sparse_rows, sparse_columns(x), factor), source)
  } else {
    source$x <- x
  }
  structure(source, class = "landmark_source")
}

# Points in kernel coordinates, in the data's units. `at`: list(center, factor).
in_data_coordinates <- function(z, at) {
  divisor <- ifelse(at$factor > 0, at$factor, Inf)
  z / rep(divisor, each = nrow(z)) + rep(at$center, each = nrow(z))
}

# The source of the same data `x` with another center and factor.
in_coordinates <- function(source, x, center, factor) {
  if (identical(factor, source$factor) && (source$sparse || identical(center, source$center))) return(source)
  lay_out(x, source$weights, center, factor, source[c("mean", "variance")])
}

# An error where the data of a later step on a fit, or the fit's landmarks, are so far from the center that
# squared distances overflow.
check_source_reach <- function(source, landmarks, arg, call) {
  center <- if (source$sparse) 0 else source$center
  far <- (source$mean - center)^2 + source$variance
  check_size(far * source$factor^2, source$dim[1], arg, call)
  check_reach(landmarks, source$center, source$factor, arg, call)
}

# The same dense data in another metric: each factor times the column's relevance, or NULL for none.
with_relevance <- function(source, relevance) {
  if (!is.null(relevance)) source$factor <- source$factor * relevance
  source
}

# How many numbers of 8 bytes a row takes in memory.
stored_columns <- function(source) {
  if (source$sparse) max(1, 1.5 * length(source$value) / max(1, source$dim[1])) else source$dim[2]
}

# ---- rows of a source -----------------------------------------------------------------

# Some rows by number, in that order, as a source.
rows_of <- function(source, rows) {
  if (source$sparse) {
    lengths <- diff(source$start)[rows]
    entries <- sequence(lengths, source$start[rows] + 1L)
    source$start <- c(0L, as.integer(cumsum(lengths)))
    source$column <- source$column[entries]
    source$value <- source$value[entries]
  } else {
    source$x <- dense_rows(source, rows)
  }
  source$dim <- c(length(rows), source$dim[2])
  if (!is.null(source$weights)) source$weights <- source$weights[rows]
  source
}

# The rows that have a weight above 0. Rows of weight 0 are not part of the kernel, and are never drawn.
able_rows <- function(source) {
  if (is.null(source$weights)) seq_len(source$dim[1]) else which(source$weights > 0)
}

source_rows <- function(source) length(able_rows(source))

# The sum of the weights of all rows.
total_weight <- function(source) if (is.null(source$weights)) source$dim[1] else sum(source$weights)

# The weights of some rows, all 1 where the source has no weights.
weights_at <- function(source, rows) {
  if (is.null(source$weights)) rep(1, length(rows)) else source$weights[rows]
}

# `size` random rows, in ascending order; all rows where there are at most `size`.
draw_rows <- function(source, size) {
  rows <- able_rows(source)
  n <- length(rows)
  if (n <= size) return(rows)
  drawn <- if (is.null(source$weights)) sample.int(n, size, useHash = n > 4 * size) else sample.int(n, size)
  rows[sort(drawn)]
}

# Up to `size` rows of weight above 0, evenly spaced in the data: no random numbers are drawn.
even_rows <- function(source, size) evenly_spaced(able_rows(source), size)

# Up to `size` of some rows, evenly spaced. The places are multiples of the golden ratio modulo 1, as equal
# steps could always meet the same kind of row where kinds of rows take turns in the data.
evenly_spaced <- function(rows, size) {
  n <- length(rows)
  if (n <= size) return(rows)
  rows[unique(sort(floor(n * weyl_sequence(seq_len(size))) + 1))]
}

weyl_sequence <- function(k) (k * (sqrt(5) - 1) / 2) %% 1

# About a `share` of `count` rows, evenly spaced: those whose own weyl_sequence() are below the share.
thinned_rows <- function(count, share) which(weyl_sequence(as.double(seq_len(count))) < share)

# Evenly spaced rows as a source; the source itself where all rows are taken.
sample_evenly <- function(source, size) {
  rows <- even_rows(source, size)
  if (length(rows) == source$dim[1]) source else rows_of(source, rows)
}

#' @rdname new_landmark_method
#' @export
rows_as_points <- function(source, rows) {
  check_given(source, "source")
  check_given(rows, "rows")
  check_that(inherits(source, "landmark_source"), source, "source",
    "the source that {.fn select_landmarks} is given", "selection"
  )
  count <- source$dim[1]
  # A long sequence takes no memory for these.
  valid <- rlang::is_bare_numeric(rows) && !anyNA(rows) &&
    (length(rows) == 0 || (min(rows) >= 1 && max(rows) <= count))
  check_that(valid, rows, "rows", paste("row indices from 1 to", count), "selection")
  if (source$sparse) {
    part <- rows_of(source, rows)
    column <- part$column + 1L
    stored <- cbind(rep.int(seq_along(rows), diff(part$start)), column)
    # The center is 0 but for constant columns, whose stored values are 0.
    out <- rep(source$center, each = length(rows))
    dim(out) <- c(length(rows), source$dim[2])
    out[stored] <- out[stored] + part$value / ifelse(source$factor > 0, source$factor, 1)[column]
  } else {
    out <- dense_rows(source, rows)
    storage.mode(out) <- "double"
  }
  dimnames(out) <- if (!is.null(source$names)) list(NULL, source$names)
  out
}

# ---- data in chunks: moments of all rows, and a sample of them as a source --------------

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
    plan$own <- weights_by_chunk(weights, chunks$rows, call)
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
  data <- c(if (is.data.frame(rows)) as.list(rows), column$constants)
  rule <- paste("The", column$kind, "could not be computed from the columns of the chunks.")
  try_or_abort(eval_columns(column$code, data, globalenv()), rule, column$arg, column$kind, NULL,
    "Only functions of packages and of the global environment can be called."
  )
}

# Weights given as a vector, a list with those of each chunk. `rows`: how many rows each chunk has.
weights_by_chunk <- function(weights, rows, call) {
  rule <- "a column of the data in chunks, such as {.code weights = ~ w}"
  check_that(!is.null(rows), weights, "weights", rule, "weights", call,
    "For a vector, give {.arg rows} to {.fn chunked}."
  )
  weights <- check_weights(weights, sum(as.double(rows)), call)
  if (!is.null(weights)) unname(split(weights, rep(factor(seq_along(rows)), rows)))
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
      "The response must have class {.cls {class(column$like)[1]}} and the same levels in all chunks.",
      x = "It has class {.cls {class(y)[1]}}, and {NROW(y)} value{?s} for {nrow(rows)} row{?s}.",
      i = if (is.factor(y)) "Declare the levels by {.code chunked(levels = )}."
    ), arg = "y", kind = "response", call = NULL)
  }
  missing <- which(is_missing(y))
  if (length(missing) == 0) return(y)
  abort_input(c("The response must not have missing values.", x = "The first is in row {missing[1]}."),
    arg = "y", kind = "missing", call = NULL
  )
}

weights_of_chunk <- function(column, rows) {
  w <- column_value(column, rows)
  # ~ 1 is equal weights.
  if (length(w) == 1) w <- rep(w, nrow(rows))
  # All rows of a chunk may have weight 0.
  if (length(w) != nrow(rows) || !isTRUE(all(w == 0))) check_weights(w, nrow(rows), NULL)
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
  if (is.null(all$moments)) abort_weightless(arg, call)
  mean <- all$moments$mean
  variance <- all$moments$square * (rows / all$moments$weight) / variance_divisor(rows, used = all$used)
  # Chunks that are constant may differ by rounding.
  variance <- ifelse(sqrt(variance) > rounding_share * abs(mean), variance, 0)
  moments <- list(mean = mean, variance = variance)
  factor <- scale_factor(moments, rows, scale, arg, call)
  source <- lay_out(all$x, check_weights(all$w, nrow(all$x), call), mean, factor, moments)
  source$whole <- list(plan = x, rows = rows, used = all$used, numbers = all$numbers, y = all$y, x = all$x)
  source
}

# The sums of the first pass, and the sample: x, y, w, and the numbers of its rows among all. The sample has
# the rows with the smallest of independent random keys. `expected`: about how many rows of weight above 0
# there are.
survey_chunks <- function(plan, call, expected = NULL) {
  chunks <- plan$chunks
  count <- length(chunks$x)
  size <- chunks$sample %||% as.integer(max(1000, min(200000, memory_limit() %/% (16 * plan$width))))
  if (is.null(expected)) expected <- sum(as.double(chunks$rows %||% rep(plan$first_rows, count)))
  # Later draws are the same as with data in memory.
  seed <- keep_seed(sample.int(.Machine$integer.max, 1))
  # A few rows more than are wanted, of which those with the smallest keys are kept.
  share <- if (expected <= size) 1 else size * (1.2 + 6 / sqrt(size)) / expected
  all <- list(rows = numeric(count), used = 0)
  sample <- list()
  over_chunks(chunks, survey_chunk, plan_work(plan), list(seed = seed, size = size, share = share),
    call = call, own = plan$own, form = plan$form, take = function(value, k) {
      all$rows[k] <<- value$rows
      all$used <<- all$used + value$used
      all$moments <<- join_moments(all$moments, value$moments)
      sample[[k]] <<- value$sample
      if (sampled_rows(sample) > 1.5 * size) sample <<- with_smallest_keys(sample, size)
    }
  )
  wrong <- which(all$rows != chunks$rows)[1]
  if (!is.na(wrong)) abort_chunk_count(wrong, all$rows[wrong], chunks$rows[wrong], call)
  if (all$used == 0) return(all)
  # Fewer rows than expected, because chunks have other sizes or weights are 0.
  if (sampled_rows(sample) < min(size, all$used)) {
    return(survey_chunks(plan, call, min(all$used, expected / 4)))
  }
  sample <- with_smallest_keys(sample, size)
  before <- cumsum(c(0, all$rows))[seq_len(count)]
  all$numbers <- unlist(Map(function(part, before) before + part$at, sample, before))
  for (name in c("x", "y", "w")) all[[name]] <- bind_rows_of(lapply(sample, `[[`, name))
  rownames(all$x) <- NULL
  all
}

sampled_rows <- function(sample) sum(lengths(lapply(sample, `[[`, "key")))

with_smallest_keys <- function(sample, size) {
  keys <- unlist(lapply(sample, `[[`, "key"))
  if (length(keys) <= size) return(sample)
  last <- sort(keys, partial = size)[size]
  lapply(sample, function(part) part_rows(part, which(part$key <= last)))
}

# Some rows of list(key, at, x, y, w), of which some may be NULL.
part_rows <- function(part, rows) {
  lapply(part, function(v) if (is.null(dim(v))) v[rows] else v[rows, , drop = FALSE])
}

# What one chunk adds.
survey_chunk <- function(rows, item, work, draw) {
  input <- rows_of_chunk(rows, item, work)
  n <- nrow(input$x)
  able <- if (is.null(input$w)) rep(TRUE, n) else input$w > 0
  # Each chunk has a stream of its own, whoever reads it.
  key <- keep_seed({
    set_seed((draw$seed + 104729 * item$k) %% .Machine$integer.max)
    stats::runif(n)
  })
  taken <- which(able & key <= draw$share)
  if (length(taken) > draw$size) taken <- sort(taken[order(key[taken])[seq_len(draw$size)]])
  list(
    rows = n, used = sum(able), moments = part_moments(input$x, input$w, "x", NULL),
    sample = part_rows(c(list(key = key, at = seq_len(n)), input), taken)
  )
}

abort_weightless <- function(arg, call) {
  abort_input("The chunks must have rows with positive weight.", arg = arg, kind = "data", call = call)
}

abort_chunk_count <- function(k, rows, said, call = NULL) {
  check_that(FALSE, said, "rows", "the row counts of the chunks", "chunks", call,
    found = "Chunk {k} has {rows} row{?s}, not {said}."
  )
}

# Whether the rows of a source are some of more rows in chunks.
is_sample <- function(source) source$dim[1] < rows_in_all(source)

# How many rows of all data a source stands for.
rows_in_all <- function(source) source$whole$rows %||% source$dim[1]
