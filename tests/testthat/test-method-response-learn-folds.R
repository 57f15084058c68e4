# Which rows by_response() holds out.

skip_slow_file()

test_that("parts are disjoint, and choices are by rows that others have left out too", {
  expect_null(held_out_design(0, 1:50))
  expect_null(held_out_design(0.1, 1:3))
  for (n in c(4, 19, 20, 99, 100, 399, 400, 10001)) for (share in c(0.05, 0.5)) {
    rows <- n + seq_len(n)
    design <- held_out_design(share, rows)
    all <- unlist(design$parts)
    expect_identical(anyDuplicated(all), 0L)
    expect_true(all(all %in% rows))
    expect_gte(length(all), min(floor(share * n), 5000))
    expect_setequal(unlist(design$runs), seq_along(design$parts))
    left <- vapply(design$runs, function(parts) length(unlist(design$parts[parts])), 0L)
    expect_lte(max(left), max(5, 0.44 * n, share * n + 1))
    validations <- validations_of(design)
    for (part in seq_along(design$parts)) {
      some <- validations[validations_without(validations, part), ]
      expect_gt(nrow(some), 0)
      expect_false(part %in% some$part)
      if (max(lengths(design$runs)) == 1) next
      expect_true(all(vapply(some$run, function(r) part %in% design$runs[[r]], NA)))
    }
  }
})

test_that("parts have whole groups, and every group of few is held out", {
  for (count in c(2, 7, 19, 20, 150)) for (size in c(3, 1000)) {
    rows <- count * size + seq_len(count * size)
    groups <- c(rep(NA, count * size), rep_len(seq_len(count), count * size))
    design <- held_out_design(0.1, rows, groups)
    all <- unlist(design$parts)
    expect_identical(anyDuplicated(all), 0L)
    for (part in design$parts) expect_identical(part, rows[groups[rows] %in% groups[part]])
    if (count < 20 && length(rows) <= 10000) expect_setequal(all, rows)
    # Some groups are left to learn from.
    for (run in design$runs) expect_lt(length(unique(groups[unlist(design$parts[run])])), count)
    if (length(rows) > 10000 && count > 3) expect_length(design$runs, 1)
  }
})
