# The splits of a comparison: which rows are for training, which are held out to choose lambda and to measure,
# and which (`test`) are used for neither.

# list(splits, test, kind): for each seed a list of splits, each list(train, held_out) of row numbers; the
# test rows; and "folds" or "validation". `design`: list(folds, validation, test), as the user gave these
# arguments. `unused`: the rows of weight 0. Folds are drawn from R's stream.
cv_splits <- function(n, design, response, seeds, call, unused = integer()) {
  test <- check_rows(design$test, "test", n, unused, call)
  validation <- check_rows(design$validation, "validation", n, unused, call)
  rows <- setdiff(seq_len(n), c(test, unused))
  in_folds <- is.null(design$validation)
  both <- intersect(validation, test)
  check_that(length(both) == 0, test, "test", "not have rows of {.arg validation}", "rows", call,
    found = "Both have row {both[1]}."
  )
  left <- length(setdiff(rows, validation))
  if (left <= in_folds) {
    abort_input(c("At least {1 + in_folds} row{?s} must be left for training.", x = "{left} {?is/are} left."),
      arg = "test", kind = "rows", call = call
    )
  }
  same <- function(a, b) identical(match(a, unique(a)), match(b, unique(b)))
  are_classes <- !is.null(response$groups) && same(response$groups[rows], response_classes(response)[rows])
  rule <- "not be the classes of {.arg y}: a class held out as a whole would have no training rows"
  check_that(!are_classes, NULL, "groups", rule, "group", call, found = NULL)
  only_one <- in_folds || is.null(design$folds)
  check_that(only_one, design$folds, "folds", "NULL if {.arg validation} is given", call = call)
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
  is_row <- function(rows) rows %in% seq_len(n) & !duplicated(rows)
  rule <- paste0("distinct row indices from 1 to ", n, ", or a logical vector with a value for each row")
  used <- setdiff(as.integer(check_each(rows, arg, is_row, rule, call, n, "rows")), unused)
  check_that(length(used) > 0, used, arg, "have a row of positive weight", "rows", call, found = NULL)
}

# An error where not all values of an argument, at most `most`, are numbers for which is_fine() holds.
check_each <- function(x, arg, is_fine, rule, call, most = 1e4, kind = "input") {
  check_few(x, arg, call, most)
  bad <- if (is.numeric(x)) which(!is_fine(x) %in% TRUE) else seq_along(x)
  again <- duplicated(x)[bad[1]] %in% TRUE
  one <- if (is.numeric(x) && length(x)) {
    "{.code {arg}[{bad[1]}]} is {x[bad[1]]}{if (again) ', which is repeated'}."
  }
  check_that(length(x) > 0 && length(bad) == 0, x, arg, rule, kind, call,
    found = one %||% "It is {describe(x)}."
  )
}

# The number of folds, or where the user gave the fold of each row, the fold of each of `rows`.
check_folds <- function(folds, rows, n, response, call) {
  if (length(folds) > 1) {
    check_that(
      is.atomic(folds) && length(folds) == n && !anyNA(folds) && length(unique(folds[rows])) > 1, folds,
      "folds", "an integer, or the fold of each of the {n} rows, without NA and with at least two folds",
      call = call, found = if (!is.atomic(folds) || length(folds) != n) "It is {describe(x)}." else
        if (anyNA(folds)) "Row {which(is.na(folds))[1]} has no fold." else "All rows are in one fold."
    )
    return(as.integer(as.factor(folds))[rows])
  }
  most <- length(unique(response$groups[rows] %||% rows))
  what <- if (is.null(response$groups)) "rows" else "groups"
  folds <- check_count(folds, "folds", 2, call = call)
  check_that(folds <= most, folds, "folds", "at most {most}, the number of {what}", call = call)
  classes <- response_classes(response)
  rare <- if (!is.null(classes)) which(tabulate(classes[rows], length(response$levels)) == 1)
  if (length(rare)) {
    abort_input(c(
      "Each class must have at least two rows, one for training and one for testing.",
      x = "Class {.val {response$levels[rare[1]]}} has one row.",
      i = "Merge rare classes, leave them out, or give {.arg validation} in place of {.arg folds}."
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
  groups <- response$groups
  for (split in c(splits, list(list(train = rows, held_out = test)))) {
    absent <- setdiff(classes, classes[split$train])
    if (length(absent)) {
      abort_input(c(
        "The training rows of each split must contain all classes.",
        x = "A split has no training row of class {.val {response$levels[absent[1]]}}.",
        i = "Merge rare classes, or hold out other rows."
      ), arg = "y", kind = "stratify", call = call)
    }
    if (is.null(groups)) next
    held <- match(TRUE, groups[split$held_out] %in% groups[split$train])
    if (is.na(held) && length(unique(groups[split$train])) > 1) next
    abort_input(c(
      "Each group must be held out as a whole, and at least two groups must be left for training.",
      x = if (is.na(held)) "A split has only one group for training.",
      x = if (!is.na(held)) "Row {split$held_out[held]} is held out, and other rows of its group are not.",
      i = "Give {.arg folds} as an integer, or hold out whole groups."
    ), arg = "groups", kind = "group", call = call)
  }
}
