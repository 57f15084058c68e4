# The folds of a comparison.

skip_slow_file()

labels <- digits$labels[1:300]

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
  expect_identical(
    cv_splits(300, list(folds = given), as_response(labels, 300), 1, NULL)$splits[[1]][[1]]$held_out,
    seq(2L, 300L, 2L)
  )
})
