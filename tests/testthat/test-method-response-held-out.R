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
  validations_of <- getFromNamespace("validations_of", "landmarker")
  without <- getFromNamespace("validations_without", "landmarker")
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
      validations <- validations_of(design)
      for (part in seq_along(design$parts)) {
        some <- validations[without(validations, part), ]
        expect_gt(nrow(some), 0)
        expect_false(part %in% some$part)
        if (max(lengths(design$runs)) == 1) next
        expect_true(all(vapply(some$run, function(r) part %in% design$runs[[r]], NA)))
      }
    }
  }
})

# ---- groups ----------------------------------------------------------------------------

test_that("parts have whole groups, and every group of few is held out", {
  design_of <- getFromNamespace("held_out_design", "landmarker")
  for (count in c(2, 3, 7, 19, 20, 50, 150, 500)) for (size in c(3, 300)) {
    rows <- count * size + seq_len(count * size)
    groups <- c(rep(NA, count * size), rep_len(seq_len(count), count * size))
    design <- design_of(0.1, rows, groups)
    all <- unlist(design$parts)
    expect_identical(anyDuplicated(all), 0L)
    for (part in design$parts) {
      expect_setequal(part, rows[groups[rows] %in% groups[part]])
      expect_false(is.unsorted(part))
    }
    if (count < 20 && length(rows) <= 10000) expect_setequal(all, rows)
    # Some groups are left to learn from.
    for (run in design$runs) {
      left_out <- unlist(design$parts[run])
      expect_gt(length(setdiff(groups[rows], groups[left_out])), 0)
    }
    if (length(rows) > 10000 && count > 3) expect_length(design$runs, 1)
  }
})

# Subjects who differ in their response, and whose rows are near each other.
subjects <- function(count, each, seed) {
  set.seed(seed)
  of <- rep(seq_len(count), each = each)
  place <- matrix(stats::rnorm(3 * count), count)
  x <- place[of, ] + 0.1 * matrix(stats::rnorm(3 * count * each), count * each)
  level <- stats::rnorm(count)
  list(x = x, y = (0.5 * place[, 1] + level)[of] + 0.2 * stats::rnorm(count * each), of = of)
}

test_that("held-out figures and intervals with groups are those of new groups", {
  d <- subjects(20, 15, 1)
  new <- subjects(200, 5, 2)
  learned <- function(groups) {
    set.seed(3)
    method <- by_response(d$y, iterations = 200, groups = groups, relevance = FALSE)
    fit <- suppressWarnings(landmarks(d$x, 15, method, scale = TRUE))
    p <- suppressWarnings(predict(fit, new$x, interval = "prediction", level = 0.8))
    report <- fit$response$held_out
    list(
      report = report, fit = fit, covered = mean(new$y >= p[, "lwr"] & new$y <= p[, "upr"]),
      r2 = 1 - report$measure / report$baseline, new_r2 = 1 - mean((new$y - p[, "fit"])^2) / var(new$y)
    )
  }
  rows <- learned(NULL)
  groups <- learned(d$of)
  expect_gt(rows$r2, 0.8)
  expect_lt(rows$new_r2, 0.4)
  expect_lt(groups$r2, 0.4)
  expect_lt(rows$covered, 0.6)
  expect_gt(groups$covered, 0.65)
  expect_identical(groups$report$groups, length(unique(d$of[groups$report$index])))
  printed <- paste(capture.output(print(groups$fit)), collapse = " ")
  expect_match(printed, "rows of 20 groups, held out in turn")
  expect_null(groups$fit$method$groups)
})

test_that("groups go with rows that are left out, and are checked", {
  d <- data.frame(airquality[1:60, c("Ozone", "Wind", "Temp")], month = factor(airquality$Month[1:60]))
  quick <- function(...) by_response(iterations = 10, ...)
  set.seed(1)
  fit <- landmarks(Ozone ~ Wind + Temp, d, 3, quick(groups = d$month), na.action = na.omit, scale = TRUE)
  whole <- !is.na(d$Ozone)
  expect_setequal(fit$response$held_out$index, which(whole))
  set.seed(1)
  some <- landmarks(Ozone ~ Wind + Temp, d, 3, quick(groups = d$month), subset = whole, scale = TRUE)
  expect_identical(some$landmarks, fit$landmarks)
  x <- as.matrix(iris[1:4])
  y <- iris$Species
  expect_refused(
    landmarks(x, 3, by_response(y, groups = 1:3)),
    landmarks(x, 3, by_response(y, groups = replace(rep(1:5, 30), 8, NA))),
    landmarks(x, 3, by_response(y, groups = rep("a", 150))),
    landmarks(x, 3, by_response(y, groups = list(1)))
  )
})
