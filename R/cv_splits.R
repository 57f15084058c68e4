# The splits of a comparison: which rows are for training, which are held out to choose lambda and to measure,
# and which (`test`) are used for neither.

# list(splits, test, kind): for each seed a list of splits, each list(train, held_out) of row numbers; the
# test rows; and "folds" or "validation". `design`: list(folds, validation, test), as the user gave these
# arguments. `unused`: the rows of weight 0. Folds are drawn from R's stream.
cv_splits <- function(n, design, response, seeds, call, unused = integer()) {
  test <- check_rows(design$test, "test", n, unused, call)
  validation <- check_rows(design$validation, "validation", n, unused, call)
  both <- intersect(validation, test)
  if (length(both)) {
    abort_input(c(
      "{.arg validation} and {.arg test} must have no row in common.",
      x = "They share {length(both)}, the first {both[1]}."
    ), arg = "validation", kind = "rows", call = call)
  }
  rows <- setdiff(seq_len(n), c(test, unused))
  if (length(setdiff(rows, validation)) < if (is.null(design$validation)) 2 else 1) {
    abort_input("{.arg validation} and {.arg test} must leave some training rows.",
      arg = "test", kind = "rows", call = call
    )
  }
  in_folds <- length(validation) == 0
  if (!in_folds && !is.null(design$folds)) {
    abort_input("Only one of {.arg folds} and {.arg validation} may be given.", arg = "folds", call = call)
  }
  folds <- if (in_folds) check_folds(design$folds %||% 5, rows, n, response, call)
  splits <- lapply(seeds, function(seed) {
    if (!in_folds) return(list(list(train = setdiff(rows, validation), held_out = validation)))
    id <- if (length(folds) > 1) folds else draw_folds(folds, rows, response, seed)
    lapply(sort(unique(id)), function(k) list(train = rows[id != k], held_out = rows[id == k]))
  })
  for (of_seed in splits) check_splits(of_seed, rows, test, response, call)
  list(splits = splits, test = test, kind = if (in_folds) "folds" else "validation")
}

# Row numbers, without those of weight 0, from what the user gave: row numbers, or TRUE or FALSE for each row.
check_rows <- function(rows, arg, n, unused, call) {
  if (is.null(rows)) return(integer())
  if (is.logical(rows) && length(rows) == n && !anyNA(rows)) rows <- which(rows)
  # n + 1 numbers are enough to find a wrong one. A sequence such as 1:1e9 takes no memory until its values
  # are used.
  if (length(rows) > n) rows <- rows[seq_len(n + 1)]
  bad <- if (is.numeric(rows)) c(which(!rows %in% seq_len(n)), anyDuplicated(rows)[anyDuplicated(rows) > 0])
  if (!is.numeric(rows) || length(rows) == 0 || length(bad)) {
    abort_input(c(
      paste(
        "{.arg {arg}} must be distinct row indices of {.arg x}, from 1 to {n},",
        "or a logical vector with a value for each row."
      ),
      x = if (length(bad) == 0) {
        "It is {describe(rows)}."
      } else if (rows[bad[1]] %in% seq_len(n)) {
        "Row {rows[bad[1]]} occurs twice."
      } else {
        "{.code {arg}[{bad[1]}]} is {rows[bad[1]]}."
      }
    ), arg = arg, kind = "rows", call = call)
  }
  if (all(rows %in% unused)) {
    abort_input(c("{.arg {arg}} must have a row of weight above 0.", x = "All its rows have weight 0."),
      arg = arg, kind = "rows", call = call
    )
  }
  setdiff(as.integer(rows), unused)
}

# The number of folds, or where the user gave the fold of each row, the fold of each of `rows`.
check_folds <- function(folds, rows, n, response, call) {
  if (length(folds) > 1) {
    if (!is.atomic(folds) || length(folds) != n || anyNA(folds) || length(unique(folds[rows])) < 2) {
      abort_input(c(
        paste(
          "{.arg folds} must be an integer, or the fold of each row,",
          "{n} values without NA in at least two folds."
        ),
        x = "It is {describe(folds)}."
      ), arg = "folds", call = call)
    }
    return(as.integer(as.factor(folds))[rows])
  }
  folds <- check_count(folds, "folds", min = 2, call = call)
  groups <- response$groups[rows]
  most <- length(unique(groups %||% rows))
  if (folds > most) {
    abort_input(c(
      "{.arg folds} must be at most the number of {if (is.null(groups)) 'rows' else 'groups'}, {most}.",
      x = "It is {folds}."
    ), arg = "folds", call = call)
  }
  classes <- response_classes(response)
  rare <- if (!is.null(classes)) which(tabulate(classes[rows], length(response$levels)) == 1)
  if (length(rare)) {
    abort_input(c(
      "Each class must have at least two rows, for training and for testing.",
      x = "Class {.val {response$levels[rare[1]]}} has one row.",
      i = "Merge rare classes, leave them out, or give the fold of each row."
    ), arg = "y", kind = "stratify", call = call)
  }
  folds
}

# The fold of each of `rows`, as even as possible within each class.
draw_folds <- function(folds, rows, response, seed) {
  set_seed(seed)
  classes <- response_classes(response)[rows] %||% rep(1L, length(rows))
  if (!is.null(response$groups)) return(draw_group_folds(folds, response$groups[rows], classes))
  # Rows are sorted by class, in random order within each, and are assigned to the folds in turn. So the folds
  # are of one size, up to a row, and so are the parts of each class in them.
  shuffled <- order(classes, stats::runif(length(rows)))
  id <- integer(length(rows))
  id[shuffled] <- rep_len(sample.int(folds), length(rows))
  id
}

# The same for whole groups. They are assigned one after another, the largest first and in random order
# otherwise, each to the fold that has the fewest rows of the group's classes.
draw_group_folds <- function(folds, groups, classes) {
  groups <- match(groups, unique(groups))
  counts <- unclass(table(groups, classes))
  share <- rep(1 / colSums(counts), each = folds)
  filled <- matrix(0, folds, ncol(counts))
  fold <- integer(nrow(counts))
  for (g in order(-rowSums(counts), stats::runif(nrow(counts)))) {
    overlap <- (filled * share) %*% counts[g, ]
    fold[g] <- order(overlap, rowSums(filled), stats::runif(folds))[1]
    filled[fold[g], ] <- filled[fold[g], ] + counts[g, ]
  }
  fold[groups]
}

# Every training part must contain every class, and no group with rows that are held out for it, or for the
# test.
check_splits <- function(splits, rows, test, response, call) {
  classes <- response_classes(response)
  for (k in if (!is.null(classes)) seq_along(splits)) {
    absent <- which(tabulate(classes[splits[[k]]$train], length(response$levels)) == 0)
    if (length(absent) == 0) next
    where <- if (!absent[1] %in% classes[rows]) {
      ": it is only in the {.arg test} rows"
    } else if (length(splits) > 1) {
      " if fold {k} is held out"
    }
    abort_input(c(
      "The training rows must contain all classes.",
      x = paste0("Class {.val {response$levels[absent[1]]}} is missing", where, ".")
    ), arg = "y", kind = "stratify", call = call)
  }
  groups <- response$groups
  if (is.null(groups)) return(invisible())
  for (split in c(splits, list(list(train = rows, held_out = test)))) {
    if (length(unique(groups[split$train])) == 1) {
      abort_input("{.arg groups} must leave at least two training groups.",
        arg = "groups", kind = "group", call = call
      )
    }
    both <- intersect(groups[split$train], groups[split$held_out])
    if (length(both) == 0) next
    row_in <- function(rows) rows[match(both[1], groups[rows])]
    abort_input(c(
      "Rows of the same group must be held out together.",
      x = "Row {row_in(split$held_out)} is held out, and row {row_in(split$train)} of its group is not.",
      i = "Give {.arg folds} as an integer, or hold out whole groups."
    ), arg = "groups", kind = "group", call = call)
  }
}
