# The folds of a comparison.

skip_slow_file()

labels <- few_digits()$y

test_that("folds are even, in every class, and each row is held out once", {
  splits <- cv_splits(300, list(folds = 4, test = 1:20), as_response(labels, 300), c(1, 2), NULL)
  expect_identical(splits$test, 1:20)
  for (of_seed in splits$splits) {
    held_out <- lapply(of_seed, `[[`, "held_out")
    expect_identical(sort(unlist(held_out)), 21:300)
    expect_lte(diff(range(lengths(held_out))), 1)
    counts <- sapply(held_out, function(rows) tabulate(labels[rows], 10))
    expect_lte(max(apply(counts, 1, function(v) diff(range(v)))), 1)
    for (s in of_seed) expect_identical(sort(c(s$train, s$held_out)), 21:300)
  }
  expect_false(identical(splits$splits[[1]], splits$splits[[2]]))
  given <- rep(c("b", "a"), 150)
  splits <- cv_splits(300, list(folds = given), as_response(labels, 300), 1, NULL)$splits[[1]]
  expect_identical(splits[[1]]$held_out, seq(2L, 300L, 2L))
})

test_that("folds have whole groups, evenly in rows and classes", {
  set.seed(5)
  for (folds in c(2, 5, 10)) {
    groups <- sample(rep(letters[1:20], times = 5 + (1:20) %% 7))
    fold <- draw_group_folds(folds, groups, rep(1L, length(groups)))
    expect_true(all(tapply(fold, groups, function(f) length(unique(f))) == 1))
    expect_setequal(fold, seq_len(folds))
    # The largest first: no fold is ahead of another by more than the largest group.
    expect_lte(diff(range(table(fold))), max(table(groups)))
  }
  groups <- rep(1:40, each = 5)
  classes <- c(rep(1L, 160), rep(2L, 40))
  expect_true(all(table(draw_group_folds(4, groups, classes), classes) == rep(c(40, 10), each = 4)))
  # A rare class counts as much as a frequent one, whose rows differ from group to group.
  common <- 20 + (1:24 * 7) %% 11
  rare <- rep(c(6, 0, 0), 8)
  groups <- c(rep(1:24, common), rep(1:24, rare))
  for (draws in 1:3) {
    fold <- draw_group_folds(4, groups, rep(1:2, c(sum(common), sum(rare))))
    expect_identical(tabulate(fold[-seq_len(sum(common))], 4), rep(12L, 4))
  }
})

test_that("a comparison holds out whole groups, inside the training rows too", {
  set.seed(1)
  d <- data.frame(matrix(rnorm(360), 120), who = rep(1:12, each = 10))
  d$y <- rnorm(12)[d$who]
  seen <- list()
  # A method that keeps the rows it learns from.
  spy <- function(x, n) {
    seen[[length(seen) + 1]] <<- rownames(x)
    as_landmarks(x[seq_len(n), ], x)
  }
  methods <- list(spy = spy, own = by_response(iterations = 5))
  cv <- suppressWarnings(cv_landmarks(y ~ X1 + X2 + X3, d,
    n = 3, methods = methods, folds = 4, groups = who, nested = TRUE, seeds = 1, scale = FALSE, refit = FALSE
  ))
  expect_identical(cv$folds, 4L)
  of_rows <- lapply(seen, function(rows) table(d$who[as.integer(rows)]))
  expect_true(all(unlist(of_rows) == 10))
  expect_identical(sort(lengths(of_rows)), rep(9L, length(of_rows)))
  inner <- draw_inner(1:90, list(type = "number", groups = d$who), 1L, 1L)
  expect_true(all(table(inner, d$who[1:90]) %in% c(0, 10)))
  x <- as.matrix(d[1:3])
  expect_refused(
    cv_landmarks(x, d$y, n = 3, folds = 13, groups = d$who),
    cv_landmarks(x, d$y, n = 3, folds = rep(1:2, 60), groups = d$who),
    cv_landmarks(x, d$y, n = 3, test = 1:5, groups = d$who),
    cv_landmarks(x, d$y, n = 3, validation = 11:120, groups = d$who),
    cv_landmarks(x, d$y, n = 3, methods = by_response(groups = d$who)),
    cv_landmarks(y ~ X1, d, n = 3, groups = whom),
    cv_landmarks(iris[1:4], iris$Species, n = 3, groups = as.integer(iris$Species))
  )
})
