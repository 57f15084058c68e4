# Which rows a fit will ask for, so that the pass for the moments of data in files can keep them. This is a
# hint: rows that are not kept are read when they are wanted. It draws what the method will draw, and leaves
# R's random stream as it was.

# A list of row numbers. `data`: list(dim, weights).
rows_ahead <- function(method, data, n, bandwidth) {
  even <- list(even_rows(data, even_ahead(n)))
  # Without a stream the draws to come are not known.
  if (!exists(".Random.seed", globalenv(), inherits = FALSE)) return(even)
  restore <- keep_stream()
  on.exit(restore())
  rule <- if (is.character(bandwidth)) bandwidth_rule(bandwidth)
  c(
    even,
    if (identical(rule$name, "median")) list(draw_rows(data, median_rows)),
    draws_ahead(method, data, n %||% 0L)
  )
}

# The most rows that are taken evenly from the data.
even_ahead <- function(n) max(gap_limits$rows, 4L * (n %||% 0L))

draws_ahead <- function(method, data, n) UseMethod("draws_ahead")

#' @export
draws_ahead.default <- function(method, data, n) NULL

#' @export
draws_ahead.by_gp <- function(method, data, n) {
  if (method$solver != "joint") return(NULL)
  start <- if (identical(method$start, "pivot")) {
    c(list(draw_rows(data, start_rows(method, n)$sample)),
      if (method$criterion == "trace") list(draw_rows(data, start_rows(method, n)$batch)))
  } else if (identical(method$start, "random")) {
    rows <- draw_rows(data, 2L * n)
    sample.int(length(rows))
    list(rows, draw_rows(data, 4L * length(rows)))
  }
  plan <- climb_plan(method, source_rows(data), n)
  batches <- lapply(plan$sizes, function(size) draw_rows(data, size))
  if (data$dim[1] > gram_rows(n)) draw_rows(data, gram_rows(n))
  c(start, batches, list(draw_rows(data, explained_rows(n))))
}

#' @export
draws_ahead.by_random <- function(method, data, n) {
  if (!is.null(method$prob)) return(NULL)
  rows <- draw_some(draw_rows(data, data$dim[1]), n, data$weights)
  list(rows, draw_rows(data, explained_rows(n)))
}

#' @export
draws_ahead.by_active <- function(method, data, n) {
  if (!is.null(method$subset)) list(draw_rows(data, method$subset))
}
