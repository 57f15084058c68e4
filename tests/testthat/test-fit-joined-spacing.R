# How landmarks lie: on the data is no farther from the nearest row than rows are from each other.

# From the definition: the fifth nearest of the rows that differ, for every row, and the least
# value that has 95 % of the weight at or below it.
naive_spacing <- function(x, weights = rep(1, nrow(x))) {
  x <- as.matrix(x)[weights > 0, , drop = FALSE]
  weights <- weights[weights > 0]
  between <- as.matrix(stats::dist(x))
  between <- between[, !duplicated(x), drop = FALSE]
  # The first is the row itself.
  fifth <- apply(between, 1, function(d) sort(d)[min(6, length(d))])
  order <- order(fifth)
  fifth[order][which(cumsum(weights[order]) >= 0.95 * sum(weights) - 1e-9)[1]]
}

x <- odd_matrix(120, 3)
weights <- (seq_len(120) * 7) %% 4

spacing_of <- function(x, ...) as_landmarks(as.matrix(x[1:2, ]), x, ...)$spacing

test_that("the limit is the definition's, for data of every kind", {
  expect_equal(spacing_of(x, weights = weights), unname(naive_spacing(x, weights)), tolerance = 1e-12)
  units <- x %*% diag(c(1, 20, 0.1)) + 3
  expect_equal(spacing_of(units), unname(naive_spacing(units)), tolerance = 1e-12)
  expect_equal(spacing_of(units, scale = TRUE), unname(naive_spacing(scale(units))), tolerance = 1e-12)
  both <- sparse_case(150, 20)
  expect_equal(spacing_of(both$sparse), unname(naive_spacing(both$dense)), tolerance = 1e-9)
})

test_that("numbers on a line, by hand", {
  # The fifth nearest other number of 1, ..., 20: 5 for the ends, 4 beside them, 3 for all others.
  # 19 of 20 numbers are 95 %, and the 19th value is 5.
  line <- matrix(1:20, ncol = 1)
  fit <- as_landmarks(matrix(c(10, 10.5, 25, 25.01, -4, -4.01), ncol = 1), line, bandwidth = 4)
  expect_equal(fit$spacing, 5)
  expect_identical(fit$on_data, c(TRUE, TRUE, TRUE, FALSE, TRUE, FALSE))
})

test_that("copies of a row are one row, and a weight of 2 is two rows", {
  small <- x[1:40, ]
  expect_equal(spacing_of(small[rep(1:40, each = 7), ]), spacing_of(small), tolerance = 1e-12)
  counts <- 1 + (1:40 %% 3)
  expect_equal(spacing_of(small[rep(1:40, counts), ]), spacing_of(small, weights = counts), tolerance = 1e-12)
  # Three values: their farthest others are 4, 3 and 4 away.
  expect_equal(spacing_of(matrix(rep(c(0, 1, 4), each = 90), ncol = 1)), 4)
  expect_equal(spacing_of(matrix(rep(0:1, each = 90), ncol = 1)), 1)
  # A row of weight 0 is no row: neither near to a landmark nor to other rows.
  far <- rbind(x, c(50, 50, 50))
  fit <- as_landmarks(far[c(3, 121), ], far, bandwidth = 1, weights = c(rep(1, 120), 0))
  expect_equal(fit$spacing, spacing_of(x), tolerance = 1e-12)
  expect_identical(fit$on_data, c(TRUE, FALSE))
  # Few rows, or one row many times.
  expect_true(as_landmarks(x[1, , drop = FALSE], x[1, , drop = FALSE], bandwidth = 1)$on_data)
  expect_equal(spacing_of(x[1:3, ]), max(dist(x[1:3, ])), tolerance = 1e-12)
  same <- landmarks(x[rep(1, 30), ], 1, bandwidth = 1)
  expect_true(same$on_data)
  expect_gt(same$spacing, 0)
  # All in one column, and a column that is constant.
  expect_true(all(as_landmarks(cbind(1:3, 5), cbind(1:30, 5))$on_data))
})

test_that("the rule is no stricter for more rows", {
  withr::local_seed(1)
  many <- cbind(stats::runif(40000), stats::runif(40000))
  few <- many[sample(40000, 5000), ]
  expect_equal(spacing_of(many), spacing_of(few), tolerance = 0.1)
  # All rows are about sqrt(8) times as close.
  near <- nearest_observations(as_landmarks(many[1:200, ], many), many, 6)
  expect_lt(stats::quantile(near$distance[near$rank == 6], 0.95), 0.5 * spacing_of(many))
})

test_that("of more rows than are looked at, each has its own weight", {
  two <- rbind(odd_matrix(450, 2), 100 * odd_matrix(450, 2, 5))
  near <- spacing_of(two, weights = rep(c(1, 1e-3), each = 450))
  expect_equal(near, spacing_of(two[1:450, ]), tolerance = 0.1)
})

test_that("nothing is drawn, and rows that repeat in turn are all looked at", {
  withr::local_seed(1)
  before <- .Random.seed
  source <- as_source(odd_matrix(7000, 2))
  one <- row_spacing(source, new_kernel(1), compute_with())
  expect_identical(.Random.seed, before)
  expect_identical(row_spacing(source, new_kernel(1), compute_with()), one)
  for (period in c(2, 3, 5, 7, 10, 24, 60)) {
    taken <- evenly_spaced(1:12000, 300)
    share <- tabulate(taken %% period + 1, period) * period / 300
    expect_gt(min(share), 0.5)
    expect_lt(max(share), 1.6)
  }
  expect_identical(evenly_spaced(5:9, 5), 5:9)
  expect_identical(anyDuplicated(evenly_spaced(1:1000, 900)), 0L)
  # Sorted data: every tenth of the rows is looked at.
  expect_true(all(abs(tabulate(ceiling(evenly_spaced(1:6000, 300) / 600), 10) - 30) <= 3))
})

test_that("there is a warning where fewer than half are on the data, and only there", {
  off <- "landmarker_warning_off_data"
  by_volume <- function() {
    withr::local_seed(1)
    landmarks(iris[1:4], 20, by_gp(criterion = "volume"))
  }
  expect_warning(fit <- by_volume(), class = off)
  expect_lt(2 * sum(fit$on_data), 20)
  expect_snapshot(invisible(by_volume()))
  expect_warning(add_landmarks(fit, iris[1:4], 1, "random"), "Try more landmarks.", class = off)
  expect_warning(refine_landmarks(fit, iris[1:4], 1), "criterion = \"trace\"", class = off)
  withr::local_seed(1)
  expect_no_warning(fit <- landmarks(iris[1:4], 20, by_gp(criterion = "trace")))
  expect_true(all(fit$on_data))
  # Half is enough.
  half <- function(on) utils::modifyList(fit, list(on_data = rep(c(TRUE, FALSE), c(on, 20 - on))))
  expect_no_warning(warn_off_data(half(10), NULL))
  expect_warning(warn_off_data(half(9), NULL), "Only 9 of 20 landmarks are on the data", class = off)
  expect_warning(warn_off_data(half(1), NULL), "Only 1 of 20 landmarks is on the data", class = off)
  expect_warning(warn_off_data(half(0), NULL), "None of the landmarks is on the data", class = off)
  # Points of one's own may lie where they like, unless all are elsewhere.
  expect_no_warning(as_landmarks(rbind(x[1, ], x[1, ] + 100, x[1, ] + 200), x))
  expect_snapshot(invisible(as_landmarks(x[1:3, ] + 1000, x)))
})

test_that("digits and posts: averages of few rows are on the data", {
  withr::local_seed(1)
  expect_true(all(landmarks(digits$images[1:400, ] / 255, 10, space = "nonnegative")$on_data))
  expect_true(all(landmarks(hellinger(newsgroups[1:1500, ]), 6, space = "nonnegative_sphere")$on_data))
})

test_that("after every step a fit says which landmarks are on the data", {
  withr::local_seed(1)
  flowers <- as.matrix(iris[1:4])
  check <- function(fit) {
    away <- apply(naive_distances(flowers, coef(fit)), 2, min)
    expect_equal(fit$spacing, unname(naive_spacing(flowers)), tolerance = 1e-12)
    expect_identical(fit$on_data, unname(away <= fit$spacing))
    expect_identical(tidy(fit)$on_data, fit$on_data)
    expect_identical(glance(fit)$on_data, sum(fit$on_data))
    expect_output(print(fit), sprintf("on the data %d of %d\n", sum(fit$on_data), nrow(fit$landmarks)))
  }
  fit <- landmarks(flowers, 10, by_gp(criterion = "volume"))
  expect_false(all(fit$on_data))
  check(fit)
  check(add_landmarks(fit, flowers, 3, "random"))
  check(refine_landmarks(landmarks(flowers, 6, "random"), flowers))
  check(as_landmarks(rbind(flowers[c(1, 70), ], flowers[1, ] + 3), flowers))
})
