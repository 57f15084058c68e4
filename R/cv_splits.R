# Which rows are for training, which are held out to choose lambda and to measure, and which
# (`test`) are used for neither.

# For each seed a list of splits, each list(train, held); and `test`, row
# numbers. Draws folds from R's stream. `idle`: rows of weight 0, which have no part.
cv_splits <- function(n, folds, train, validation, test, response, seeds, call, idle = integer()) {
  test <- check_rows(test, "test", n, call)
  validation <- check_rows(validation, "validation", n, call)
  train <- check_rows(train, "train", n, call)
  check_apart(validation, test, "validation", "test", call)
  check_apart(train, test, "train", "test", call)
  check_apart(train, validation, "train", "validation", call)
  test <- without_idle(test, idle, "test", call)
  validation <- without_idle(validation, idle, "validation", call)
  train <- without_idle(train, idle, "train", call)
  if (length(validation) > 0) {
    if (!is.null(folds)) {
      abort_input("Give {.arg folds} or {.arg validation}: both are given.", arg = "folds", call = call)
    }
    if (length(train) == 0) train <- setdiff(seq_len(n), c(validation, test, idle))
    if (length(train) == 0) {
      abort_input(
        "{.arg validation} and {.arg test} must leave some rows to learn from.", arg = "validation",
        call = call
      )
    }
    one <- list(list(train = train, held = validation))
    check_train_classes(one, response, call)
    return(list(splits = rep(list(one), length(seeds)), test = test, kind = "validation"))
  }
  if (length(train) > 0) {
    abort_input("{.arg train} needs {.arg validation}, which is missing.", arg = "train", call = call)
  }
  rows <- setdiff(seq_len(n), c(test, idle))
  if (length(rows) < 2) {
    abort_input("{.arg test} must leave some rows to learn from.", arg = "test", kind = "rows", call = call)
  }
  folds <- check_folds(folds %||% 5, rows, n, response, call)
  splits <- lapply(seeds, function(seed) {
    id <- if (length(folds) > 1) folds else draw_folds(folds, rows, response, seed)
    splits <- lapply(sort(unique(id)), function(k) list(train = rows[id != k], held = rows[id == k]))
    check_train_classes(splits, response, call)
    splits
  })
  list(splits = splits, test = test, kind = "folds")
}

# Row numbers, or one TRUE or FALSE for each row.
check_rows <- function(rows, arg, n, call) {
  if (is.null(rows)) return(integer())
  if (is.logical(rows) && length(rows) == n && !anyNA(rows) && any(rows)) rows <- which(rows)
  # More numbers than rows: one of the first occurs twice or is none. The rest may be long.
  if (is.numeric(rows) && length(rows) > n) rows <- rows[seq_len(n + 1)]
  fine <- is.numeric(rows) && length(rows) > 0 && !anyNA(rows) &&
    all(rows == trunc(rows) & rows >= 1 & rows <= n)
  if (!fine || anyDuplicated(rows)) {
    bad <- if (is.numeric(rows)) which(is.na(rows) | rows != trunc(rows) | rows < 1 | rows > n)
    twice <- if (fine) rows[anyDuplicated(rows)]
    abort_input(c(
      paste0(
        "{.arg {arg}} must be different row numbers of {.arg x}, from 1 to {n}, ",
        "or a TRUE or FALSE for each row."
      ),
      x = if (fine) {
        "Row {twice} occurs twice."
      } else if (length(bad)) {
        "Number {bad[1]} is {rows[bad[1]]}."
      } else {
        "It is {describe(rows)}."
      }
    ), arg = arg, kind = "rows", call = call)
  }
  as.integer(rows)
}

# Of some rows those of weight above 0.
without_idle <- function(rows, idle, arg, call) {
  kept <- rows[!rows %in% idle]
  if (length(rows) && length(kept) == 0) {
    abort_input(c("{.arg {arg}} must have a row of weight above 0.", x = "All its rows have weight 0."),
      arg = arg, kind = "rows", call = call
    )
  }
  kept
}

check_apart <- function(a, b, name_a, name_b, call) {
  both <- intersect(a, b)
  if (length(both)) {
    abort_input(c(
      "{.arg {name_a}} and {.arg {name_b}} must have no row in common.",
      x = "They share {length(both)}, the first {both[1]}."
    ), arg = name_a, kind = "rows", call = call)
  }
}

# A number of folds, or the fold of each row.
check_folds <- function(folds, rows, n, response, call) {
  check_sound(folds, "folds", call)
  if (length(folds) > 1) {
    if (!is.atomic(folds) || length(folds) != n || anyNA(folds) || length(unique(folds[rows])) < 2) {
      abort_input(c(
        paste0(
          "{.arg folds} must be a number, or the fold of each row, ",
          "{n} values without NA in at least two folds."
        ),
        x = "It is {describe(folds)}."
      ), arg = "folds", call = call)
    }
    return(as.integer(as.factor(folds))[rows])
  }
  folds <- check_count(folds, "folds", min = 2, call = call)
  if (folds > length(rows)) {
    abort_input(c(
      "{.arg folds} must be at most the number of rows, {length(rows)}.",
      x = "It is {folds}."
    ), arg = "folds", call = call)
  }
  classes <- response_classes(response)[rows]
  if (!is.null(classes)) {
    counts <- tabulate(classes, length(response$levels))
    if (any(counts == 0)) {
      abort_input(c(
        "The training rows must contain each class.",
        x = "Class {.val {response$levels[counts == 0][1]}} is only among the {.arg test} rows."
      ), arg = "test", kind = "stratify", call = call)
    }
    few <- which(counts < folds)
    if (length(few)) {
      abort_input(c(
        "Each class must have at least as many rows as there are {.arg folds}.",
        x = paste0(
          "Class {.val {response$levels[few[1]]}} has {counts[few[1]]} row{?s}, ",
          "and {.arg folds} is {folds}."
        ),
        i = "Use fewer folds, merge or leave out rare classes, or give the fold of each row."
      ), arg = "folds", kind = "stratify", call = call)
    }
  }
  folds
}

# The fold of each of `rows`, as even as possible within each class.
draw_folds <- function(folds, rows, response, seed) {
  set_seed(seed)
  classes <- response_classes(response)[rows] %||% rep(1L, length(rows))
  # Rows sorted by class, shuffled within it, are assigned to the folds in turn: even in all and in each
  # class.
  shuffled <- order(classes, stats::runif(length(rows)))
  id <- integer(length(rows))
  id[shuffled] <- rep_len(sample.int(folds), length(rows))
  id
}

# Every training part must contain every class.
check_train_classes <- function(splits, response, call) {
  classes <- response_classes(response)
  if (is.null(classes)) return(invisible())
  for (k in seq_along(splits)) {
    absent <- which(tabulate(classes[splits[[k]]$train], length(response$levels)) == 0)
    if (length(absent)) {
      where <- if (length(splits) > 1) paste0(" where fold ", k, " is held out")
      abort_input(c(
        "The training rows must contain each class.",
        x = "Class {.val {response$levels[absent[1]]}} is missing{where}."
      ), arg = "y", kind = "stratify", call = call)
    }
  }
}
