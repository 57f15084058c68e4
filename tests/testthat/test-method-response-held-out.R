# Which rows by_response() holds out, and which of them choose.

skip_slow_file()

test_that("with few rows, what a row is told does not depend on what was observed of it", {
  set.seed(8)
  x <- matrix(stats::rnorm(180), 60)
  y <- factor(sample(c("a", "b"), 60, TRUE))
  # So few steps that no run ends early: all fits draw the same random numbers.
  told <- function(y) {
    set.seed(4)
    method <- by_response(y, iterations = 5, relevance = FALSE, trend = FALSE)
    fit <- suppressMessages(suppressWarnings(landmarks(x, 5, method)))
    fit$response$held_out
  }
  first <- told(y)
  expect_equal(first$index, 1:60)
  for (i in c(1, 17, 60)) {
    other <- y
    other[i] <- setdiff(levels(y), y[i])
    found <- told(other)
    expect_identical(found$fitted[i, ], first$fitted[i, ])
    expect_gt(sum(found$fitted[-i, ] != first$fitted[-i, ]), 20)
  }
})

test_that("parts are disjoint, and choices are by rows that others have left out too", {
  design_of <- getFromNamespace("held_out_design", "landmarker")
  looks_of <- getFromNamespace("looks_of", "landmarker")
  without <- getFromNamespace("looks_without", "landmarker")
  expect_null(design_of(0, 1:50))
  expect_null(design_of(0.1, 1:3))
  for (n in c(4, 19, 20, 47, 99, 100, 399, 400, 1000, 2500, 9999, 10001)) {
    rows <- n + seq_len(n)
    for (share in c(0.05, 0.1, 0.25, 0.5)) {
      design <- design_of(share, rows)
      all <- unlist(design$parts)
      expect_identical(anyDuplicated(all), 0L)
      expect_true(all(all %in% rows))
      expect_setequal(unlist(design$runs), seq_along(design$parts))
      left <- vapply(design$runs, function(parts) length(unlist(design$parts[parts])), 0L)
      expect_lte(max(left), max(5, 0.44 * n, share * n + 1))
      looks <- looks_of(design)
      for (part in seq_along(design$parts)) {
        some <- looks[without(looks, part), ]
        expect_gt(nrow(some), 0)
        expect_false(part %in% some$part)
        if (max(lengths(design$runs)) == 1) next
        expect_true(all(vapply(some$run, function(r) part %in% design$runs[[r]], NA)))
      }
    }
  }
})
