# Landmarks that were learned from a sample of data in chunks: what belongs to its rows, and the measures of
# all rows.

# A method whose response and other values for each row are those of the sampled rows of a source.
method_of_sample <- function(method, source, call) {
  whole <- source$whole
  if (is.null(whole)) return(method)
  if (!is.null(whole$y)) method <- with_response(method, whole$y, "the formula", call)
  own <- vapply(method, inherits, NA, "landmark_method")
  method[own] <- lapply(method[own], method_of_sample, source, call)
  for (name in intersect(c(if (is.null(whole$y)) "y", "groups"), names(method))) {
    v <- method[[name]]
    if (is.null(v)) next
    if (NROW(v) != whole$rows) {
      abort_input(c(
        "{.arg {name}} must have a value for each of the {whole$rows} rows of the chunks.",
        x = "It has {NROW(v)}.",
        i = if (name == "y") "A formula takes it from a column: {.code landmarks(y ~ ., x, n, ...)}."
      ), arg = name, kind = "response", call = call)
    }
    method[[name]] <- if (is.null(dim(v))) v[whole$numbers] else v[whole$numbers, , drop = FALSE]
    if (name == "y") warn_response_column(whole$x, method$y, call)
  }
  method
}

# A description of landmarks that were learned from a sample, measured over all rows that it stands for. A
# sample of all rows needs no second pass.
measured_in_all <- function(described, source, kernel, call) {
  if (!is_sample(source)) return(described)
  whole <- source$whole
  n <- nrow(described$landmarks)
  sums <- function(source, landmarks, kernel, settings) {
    share <- min(1, gram_rows(n) / whole$rows)
    nystrom_of_chunks(whole$plan, landmarks, source, kernel, settings, call, share)
  }
  found <- c(unclass(described), criterion = "trace")
  # The first pass has warned of columns that vary.
  again <- suppressWarnings(
    order_and_measure(found, source, kernel, n, n, call, sums), classes = "landmarker_warning_constant"
  )
  described[names(again)] <- again
  held_out <- described$response$held_out$index
  if (!is.null(held_out)) described$response$held_out$index <- as_row_numbers(whole$numbers[held_out])
  described
}

# What a fit's history adds where its landmarks were learned from a sample.
sampled_in_words <- function(source) {
  if (!is_sample(source)) return("")
  paste0(", from a sample of ", format(source$dim[1], big.mark = big_mark()), " rows")
}
