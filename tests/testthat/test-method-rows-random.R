# by_random(): rows drawn by their weights.

skip_slow_file()

x <- odd_matrix(60, 2)
times <- rep(c(0, 1, 2, 5), 15)

drawn <- function(n, seed = 1, data = x, weights = NULL) {
  withr::local_seed(seed)
  landmarks(data, n, by_random(), bandwidth = 0.5, weights = weights)$rows
}

test_that("rows are told, and are the landmarks in the order they were drawn", {
  for (weights in list(NULL, times)) {
    fit <- withr::with_seed(2, landmarks(x, 9, by_random(), bandwidth = 0.5, weights = weights))
    expect_identical(unname(coef(fit)), x[fit$rows, ])
    expect_identical(fit$nearest, fit$rows)
    expect_true(all(is.na(fit$trace)))
    for (m in c(1, 4)) {
      short <- withr::with_seed(2, landmarks(x, m, by_random(), bandwidth = 0.5, weights = weights))
      expect_identical(short$rows, fit$rows[seq_len(m)])
    }
  }
  withr::local_seed(3)
  fit <- landmarks(x, 5, by_random(), bandwidth = 0.5, space = "nonnegative")
  expect_equal(unname(coef(fit)), naive_project(x[fit$rows, ], "nonnegative"), tolerance = 1e-15)
})

test_that("rows of weight 0 are never drawn, all others can be", {
  rows <- unlist(lapply(1:150, function(seed) drawn(8, seed, weights = times)))
  expect_setequal(rows, which(times > 0))
})

test_that("the first is drawn by its weight, the second by what is left", {
  withr::local_seed(4)
  p <- c(4, 0, 1, 3, 2)
  draw <- function(n, weights = NULL) {
    source <- as_source(odd_matrix(5, 2), weights)
    select_landmarks(by_random(), source, n, list(space = "euclidean"), source_no_points(source), NULL)$rows
  }
  pairs <- replicate(4000, draw(2, p))
  expected <- outer(p, p) / sum(p) / (sum(p) - p)
  diag(expected) <- 0
  seen <- table(factor(pairs[1, ], 1:5), factor(pairs[2, ], 1:5))
  some <- expected > 0
  expect_identical(sum(seen[!some]), 0L)
  expect_gt(stats::chisq.test(seen[some], p = expected[some])$p.value, 0.001)
  # Without weights, all the same.
  first <- replicate(3000, draw(1))
  expect_gt(stats::chisq.test(tabulate(first, 5))$p.value, 0.001)
})

test_that("a row of weight 2 is two rows", {
  withr::local_seed(5)
  times <- c(2, 1, 0, 3)
  four <- odd_matrix(4, 2)
  source <- as_source(four, times)
  kernel <- list(space = "euclidean")
  none <- source_no_points(source)
  draw <- function(n, method) select_landmarks(method, source, n, kernel, none, NULL)$rows
  # All orders of the copies are as likely; a row counts where its first copy comes.
  copies <- rep(1:4, times)
  orders <- as.matrix(expand.grid(rep(list(1:6), 6)))
  orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
  first <- apply(orders, 1, function(o) paste(unique(copies[o]), collapse = " "))
  law <- table(first) / length(first)
  methods <- list(by_random(), by_kmeans("uniform", 0))
  for (method in methods) {
    seen <- table(factor(replicate(4000, paste(draw(3, method), collapse = " ")), names(law)))
    expect_identical(sum(seen), 4000L)
    expect_gt(stats::chisq.test(seen, p = law)$p.value, 0.001)
  }
})

test_that("weights of any size: the heaviest come first", {
  source <- as_source(odd_matrix(5, 2), c(1e-300, 1e-150, 1, 1e-200, 1e-100))
  kernel <- list(space = "euclidean")
  withr::local_seed(1)
  rows <- select_landmarks(by_random(), source, 5, kernel, source_no_points(source), NULL)$rows
  expect_identical(rows, c(3L, 5L, 2L, 4L, 1L))
})

test_that("as many landmarks as there are rows to be drawn", {
  expect_setequal(drawn(45, weights = times), which(times > 0))
  # One row alone is that row, not a number of rows.
  expect_identical(drawn(1, weights = replace(numeric(60), 50, 1)), 50L)
})

test_that("rows that landmarks are held at are not drawn again", {
  six <- cbind(c(0, 1, 2, 4, 7, 11), c(3, 1, 4, 1, 5, 9))
  for (method in list(by_random(), by_kmeans("uniform", 0))) {
    for (seed in 1:20) {
      withr::local_seed(seed)
      four <- landmarks(six, 4, method, bandwidth = 3)
      expect_setequal(add_landmarks(four, six, 2)$rows, 1:6)
    }
  }
})

test_that("a row that equals an earlier one is left out, and the next row drawn takes its place", {
  withr::local_seed(6)
  four <- odd_matrix(4, 2)
  times <- c(5, 1, 3, 1)
  copies <- rep(1:4, times)
  repeated <- as_source(four[copies, ])
  kernel <- list(space = "euclidean")
  draw <- function(source, n, method = by_random()) {
    select_landmarks(method, source, n, kernel, source_no_points(source), NULL)$rows
  }
  # The probabilities are those of rows with these weights.
  orders <- as.matrix(expand.grid(1:4, 1:4, 1:4))
  orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
  p <- apply(orders, 1, function(rows) {
    prod(times[rows] / (sum(times) - c(0, cumsum(times[rows])[1:2])))
  })
  code <- c(1, 10, 100)
  for (method in list(by_random(), by_kmeans("uniform", 0))) {
    found <- replicate(1000, copies[draw(repeated, 3, method)])
    seen <- tabulate(match(code %*% found, orders %*% code), nrow(orders))
    expect_identical(sum(seen), 1000L)
    expect_gt(stats::chisq.test(seen, p = p, simulate.p.value = TRUE)$p.value, 0.001)
  }
  # The first landmarks do not depend on how many follow.
  many <- odd_matrix(30, 2)[c(rep(1, 300), 1:30), ]
  for (weights in list(NULL, rep(c(1, 2), 165))) {
    rows <- function(n, seed) drawn(n, seed, many, weights)
    for (seed in 1:5) expect_identical(rows(7, seed), rows(20, seed)[1:7])
  }
  expect_warning(drawn(40, data = many), "30 of 40", class = "landmarker_warning_rank")
})
