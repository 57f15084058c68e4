# Fits of data in chunks: the landmarks are learned from a sample of the rows and measured over all rows.

# What fit_landmarks() is given of chunks, list(x, method, blueprint), where x is a chunk_plan(). `formula`:
# of the user, or NULL. `weights`: see chunk_plan().
chunks_given <- function(x, formula, method, weights, na.action, arg, call) {
  if (check_na_action(na.action, call) != "na.fail") abort_chunk_na(arg, call)
  chunks <- user_chunks(x, call)
  first <- first_chunk(chunks, call)
  blueprint <- response <- NULL
  prepare <- identity
  if (is.data.frame(first)) {
    frame <- frame_blueprint(
      formula %||% ~., first, call, arg, response = method_can(method, "uses_response")
    )
    blueprint <- frame$blueprint
    prepare <- frame_preparer(blueprint)
    if (length(formula) == 3) response <- formula[[2]]
  } else if (!is.null(formula)) {
    abort_input(c(
      "The chunks must be data frames where a formula is given.", x = "The first is {describe(first)}.",
      i = "Give them without a formula, as {.arg x}."
    ), arg = arg, kind = "data", call = call)
  }
  plan <- chunk_plan(chunks, first, prepare, response, weights, call)
  list(x = plan, method = method, blueprint = blueprint)
}

abort_chunk_na <- function(arg, call) {
  abort_input(c(
    "{.arg na.action} must be {.code na.fail} for data in chunks.",
    x = "Rows of {.arg {arg}} are read in chunks, and cannot be left out by their numbers.",
    i = "Leave out rows with missing values where the chunks are read, or impute the values."
  ), arg = "na.action", kind = "na_action", call = call)
}

abort_chunk_subset <- function(call) {
  abort_input(c(
    "{.arg subset} is not for data in chunks.", x = "{.arg data} is read in chunks.",
    i = "Choose rows where the chunks are read."
  ), arg = "subset", kind = "rows", call = call)
}

# Functions that make a matrix of the rows of a chunk. Daemons get them with what they need, and no more.
frame_preparer <- function(blueprint) {
  force(blueprint)
  function(rows) frame_matrix(blueprint, rows, NULL, "x")
}

fit_preparer <- function(fit) {
  fit <- fit[intersect(c("landmarks", "blueprint", "ranks", "center", "factor", "experiment"), names(fit))]
  function(rows) fit_data(fit, rows, "x", NULL, new = TRUE)
}

# The plan of chunks for a later step on a fit.
plan_of_fit <- function(fit, x, call, weights = NULL) {
  chunks <- user_chunks(x, call)
  chunk_plan(chunks, first_chunk(chunks, call), fit_preparer(unclass(fit)), weights = weights, call = call)
}

# A method whose response and other values for each row are those of the sampled rows of a source.
method_of_sample <- function(method, source, call) {
  whole <- source$whole
  if (is.null(whole)) return(method)
  if (!is.null(whole$y)) method <- with_response(method, whole$y, "the formula", call)
  own <- vapply(method, inherits, NA, "landmark_method")
  method[own] <- lapply(method[own], method_of_sample, source, call)
  for (name in intersect(c(if (is.null(whole$y)) "y", "groups", "prob"), names(method))) {
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
  }
  method
}

# A description of landmarks that were learned from a sample, measured over all rows that it stands for.
measured_in_all <- function(described, source, kernel, call) {
  whole <- source$whole
  if (is.null(whole)) return(described)
  n <- nrow(described$landmarks)
  sums <- function(source, landmarks, kernel, settings) {
    share <- min(1, gram_rows(n) / whole$rows)
    nystrom_of_chunks(whole$plan, landmarks, source, kernel, settings, call, whole$marks, share)
  }
  found <- c(unclass(described), criterion = "trace")
  # The first pass has warned of columns that vary.
  again <- suppressWarnings(
    order_and_measure(found, source, kernel, n, n, call, sums), classes = "landmarker_warning_constant"
  )
  described[names(again)] <- again
  described$rows <- as.integer(whole$numbers[described$rows])
  held_out <- described$response$held_out$index
  if (!is.null(held_out)) described$response$held_out$index <- as.integer(whole$numbers[held_out])
  described
}

# What a fit's history adds where its landmarks were learned from a sample.
sampled_in_words <- function(source) {
  if (rows_in_all(source) == source$dim[1]) return("")
  paste0(", from a sample of ", format(source$dim[1], big.mark = big_mark()), " rows")
}
