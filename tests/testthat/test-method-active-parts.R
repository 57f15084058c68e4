# by_active() of data in parts: the rows of the data in memory.

test_that("the rows are those of the data in memory", {
  methods <- list(by_active(), by_active(pivot = "random"), by_active(120, bandwidth_ratio = 0.5))
  for (case in parts_cases()) {
    for (method in methods) do.call(expect_same_in_parts, c(case, list(method = method)))
  }
})

test_that("landmarks that are held are conditioned on in every part", {
  for (case in parts_cases()[c("dense", "weighted", "sparse")]) {
    held <- as.matrix(case$x[c(3, 90, 399), ]) + 0.01
    for (method in list(by_active(), by_active(pivot = "random"))) {
      do.call(expect_same_in_parts, c(case, list(method = method, held = held)))
    }
  }
})

test_that("rows that tie in different parts are drawn as if they stood in one", {
  # Every row comes four times, one and two hundred rows apart: copies tie to the last bit.
  x <- unclass(odd_matrix(50, 3))[rep(1:50, 4), ]
  for (weights in list(NULL, rep(c(1, 3, 0, 2), each = 50))) {
    expect_same_in_parts(x, by_active(), n = 30, bandwidth = 0.8, weights = weights)
    expect_same_in_parts(x, by_active(pivot = "random"), n = 30, bandwidth = 0.8, weights = weights)
  }
})

test_that("it ends where no part has anything left", {
  x <- odd_matrix(6, 2)[rep(1:6, 10), ]
  how <- compute_with()
  for (k in c(1, 2, 3, 7)) {
    withr::local_seed(2)
    source <- as_source(cut_data(x, k))
    found <- active_rows(source, x[0, ], 20L, new_kernel(0.5), FALSE, c(1e-8, rank_floor), how)
    expect_setequal((found$rows - 1) %% 6, 0:5)
    expect_length(found$rows, 6)
  }
})

test_that("choices leave parts unread: the data are read once for a row", {
  x <- odd_matrix(60, 3)
  source <- counting_source(x, 2)
  found <- active_rows(source, x[0, ], 5L, new_kernel(0.8), FALSE, c(1e-8, rank_floor), compute_with())
  expect_length(found$rows, 5)
  # Two parts for the start and for each row, and the part that has the row.
  expect_lte(source$count(), 2 + 5 * 3)
})
