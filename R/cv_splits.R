# The splits of a comparison: which rows are for training, which are held out to choose lambda and to measure,
# and which (`test`) are used for neither.

# list(splits, test, kind): for each seed a list of splits, each list(train, held_out) of row numbers; the
# test rows; and "folds" or "validation". `design`: list(folds, train, validation, test), as the user gave
# these arguments. `idle`: the rows of weight 0, which have no part in anything. Folds are drawn from R's
# stream.
cv_splits <- function(n, design, response, seeds, call, idle = integer()) {
  design <- check_design(design, n, idle, call)
  test <- design$test
  if (length(design$validation) > 0) {
    train <- design$train
    if (length(train) == 0) train <- setdiff(seq_len(n), c(design$validation, test, idle))
    if (length(train) == 0) {
      abort_input(
        "{.arg validation} and {.arg test} must leave some rows to learn from.", arg = "validation",
        call = call
      )
    }
    one <- list(list(train = train, held_out = design$validation))
    check_train_classes(one, response, call)
    apart <- c(one, list(list(train = c(train, design$validation), held_out = test)))
    check_apart_groups(apart, response, call)
    return(list(splits = rep(list(one), length(seeds)), test = test, kind = "validation"))
  }
  rows <- setdiff(seq_len(n), c(test, idle))
  if (length(rows) < 2) {
    abort_input("{.arg test} must leave some rows to learn from.", arg = "test", kind = "rows", call = call)
  }
  folds <- check_folds(design$folds %||% 5, rows, n, response, call)
  splits <- lapply(seeds, function(seed) {
    id <- if (length(folds) > 1) folds else draw_folds(folds, rows, response, seed)
    splits <- lapply(sort(unique(id)), function(k) list(train = rows[id != k], held_out = rows[id == k]))
    check_train_classes(splits, response, call)
    check_apart_groups(c(splits, list(list(train = rows, held_out = test))), response, call)
    splits
  })
  list(splits = splits, test = test, kind = "folds")
}

# The design with row numbers in the place of logical vectors, without rows of weight 0, and `folds` as given.
check_design <- function(design, n, idle, call) {
  kinds <- c("test", "validation", "train")
  rows <- lapply(stats::setNames(kinds, kinds), function(arg) check_rows(design[[arg]], arg, n, call))
  check_apart(rows$validation, rows$test, "validation", "test", call)
  check_apart(rows$train, rows$test, "train", "test", call)
  check_apart(rows$train, rows$validation, "train", "validation", call)
  for (arg in kinds) rows[[arg]] <- without_idle(rows[[arg]], idle, arg, call)
  if (length(rows$validation) > 0 && !is.null(design$folds)) {
    abort_input("Give {.arg folds} or {.arg validation}: both are given.", arg = "folds", call = call)
  }
  if (length(rows$validation) == 0 && length(rows$train) > 0) {
    abort_input("{.arg train} needs {.arg validation}, which is missing.", arg = "train", call = call)
  }
  c(rows, list(folds = design$folds))
}

# Row numbers from what the user gave: row numbers, or one TRUE or FALSE for each row.
check_rows <- function(rows, arg, n, call) {
  if (is.null(rows)) return(integer())
  if (is.logical(rows) && length(rows) == n && !anyNA(rows) && any(rows)) rows <- which(rows)
  # Of more numbers than there are rows, the first n + 1 are enough to find a wrong one: one of them is no row
  # number, or one occurs twice. A sequence such as 1:1e9 takes no memory as long as R does not need its
  # values.
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

# The rows whose weight is above 0.
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

# The number of folds, or where the user gave the fold of each row, the fold of each of `rows`.
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
  groups <- response$groups[rows]
  most <- length(unique(groups %||% rows))
  if (folds > most) {
    abort_input(c(
      "{.arg folds} must be at most the number of {if (is.null(groups)) 'rows' else 'groups'}, {most}.",
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
    single <- which(counts == 1)
    if (length(single)) {
      abort_input(c(
        "Each class must have two rows: one to learn from while the other is held out.",
        x = "Class {.val {response$levels[single[1]]}} has one row.",
        i = "Merge rare classes, leave them out, or give the fold of each row."
      ), arg = "y", kind = "stratify", call = call)
    }
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

# No group may be in a training part and in what is held out for it, and each training part has several.
check_apart_groups <- function(splits, response, call) {
  groups <- response$groups
  for (split in splits) {
    if (length(unique(groups[split$train])) == 1) {
      abort_input("{.arg groups} must leave at least two groups to learn from.",
        arg = "groups", kind = "group", call = call
      )
    }
    both <- intersect(groups[split$train], groups[split$held_out])
    if (length(both) == 0) next
    row_in <- function(rows) rows[match(both[1], groups[rows])]
    abort_input(c(
      "Rows of one of {.arg groups} must be held out together.",
      x = "Row {row_in(split$held_out)} is held out, and row {row_in(split$train)} of its group is not.",
      i = "Give a number of {.arg folds}, or rows that hold out whole groups."
    ), arg = "groups", kind = "group", call = call)
  }
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
