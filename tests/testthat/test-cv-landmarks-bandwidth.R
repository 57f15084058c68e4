# Several bandwidths in one comparison, and methods on data of their own.

skip_slow_file()

x <- digits$images[1:200, seq(1, 784, 5)] / 255
labels <- digits$labels[1:200]
compare <- function(...) {
  given <- list(...)
  usual <- list(x = x, y = labels, n = c(4, 8),
    methods = list(gp = by_gp(), km = by_kmeans(), random = by_random()),
    lambda = c(0.001, 0.1, 10), folds = 2, seeds = 1
  )
  usual[names(given)] <- given
  do.call("cv_landmarks", usual)
}

test_that("there is a row for each bandwidth, and each is what it is alone", {
  rules <- c("variance", "3 * variance")
  both <- compare(bandwidth = rules)
  expect_identical(nrow(both$summary), 12L)
  expect_identical(unique(both$summary$bandwidth), rules)
  for (rule in rules) {
    alone <- compare(bandwidth = rule, refit = FALSE)
    expect_equal(
      no_time(both$summary[both$summary$bandwidth == rule, ]), no_time(alone$summary),
      ignore_attr = "row.names"
    )
  }
  expect_equal(anyDuplicated(no_time(both$summary)[c("method", "n", "accuracy", "deviance")]), 0)
  # The best is learned again with its own.
  expect_identical(both$fit$bandwidth_rule, both$best$bandwidth)
  expect_output(print(both), "method +n +bandwidth +lambda")
  best <- paste0(
    "best accuracy: ", both$best$method, ", n = ", both$best$n, ", bandwidth = ", both$best$bandwidth
  )
  expect_output(print(both), best, fixed = TRUE)
  png <- withr::local_tempfile(fileext = ".png")
  grDevices::png(png)
  expect_silent(plot(both))
  grDevices::dev.off()
  lines <- plot_lines(both)
  expect_identical(lines$label[1:2], c("gp, variance", "gp, 3 * variance"))
  expect_length(unique(lines$color), 3)
  expect_length(unique(lines$shape), 2)
})

test_that("numbers stay numbers, and mixed ones are text", {
  numbers <- compare(bandwidth = c(5, 50), n = 4, refit = FALSE)
  expect_identical(unique(numbers$summary$bandwidth), c(5, 50))
  mixed <- compare(bandwidth = list(50, "median"), n = 4, refit = FALSE)
  expect_identical(unique(mixed$summary$bandwidth), c("50", "median"))
  same <- c("accuracy", "deviance")
  expect_equal(
    mixed$summary[mixed$summary$bandwidth == "50", same],
    numbers$summary[numbers$summary$bandwidth == 50, same], ignore_attr = TRUE
  )
  # One bandwidth needs no column in print.
  expect_no_match(utils::capture.output(print(compare(n = 4))), "bandwidth")
})

test_that("functions make features of their own, without a bandwidth", {
  cv <- compare(methods = list(raw = raw_features, random = by_random()), bandwidth = c(5, 50), n = 4)
  expect_identical(cv$summary$bandwidth, c(NA, 5, 50))
  expect_identical(sum(is.na(cv$units$bandwidth)), 6L)
})

test_that("daemons and the number of threads change nothing", {
  alone <- compare(bandwidth = c(5, 50), threads = 2)
  two_daemons()
  there <- compare(bandwidth = c(5, 50))
  expect_identical(no_time(there$units), no_time(alone$units))
  expect_identical(coef(there), coef(alone))
})

test_that("data frames and sparse data are made ready once, and mean the same", {
  sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
  methods <- list(random = by_random(), active = by_active())
  expect_equal(
    no_time(compare(x = sparse, methods = methods, bandwidth = c(5, 50), refit = FALSE)$summary),
    no_time(compare(methods = methods, bandwidth = c(5, 50), refit = FALSE)$summary), tolerance = 1e-6
  )
  frame <- data.frame(a = x[, 50], b = x[, 60], c = x[, 70], d = factor(seq_len(200) %% 3))
  by_hand <- stats::model.matrix(
    ~ a + b + c + d - 1, frame, contrasts.arg = list(d = stats::contrasts(frame$d, FALSE))
  )
  expect_equal(
    no_time(compare(x = frame, methods = methods, scale = TRUE, refit = FALSE)$summary),
    no_time(compare(x = unname(by_hand), methods = methods, scale = TRUE, refit = FALSE)$summary),
    tolerance = 1e-6
  )
})

test_that("raw features and NMF obey scale, by the training part's standard deviations", {
  units <- cbind(x[, 50:60], 1000 * x[, 61:70])
  scaled <- compare(x = units, methods = list(raw = raw_features), scale = TRUE, refit = FALSE)
  own <- function(x, n) {
    s <- apply(x, 2, stats::sd)
    structure(list(s = ifelse(s > 0, s, 1)), class = "scaled_test")
  }
  registerS3method(
    "predict", "scaled_test", function(object, newdata, ...) newdata / rep(object$s, each = nrow(newdata))
  )
  by_hand <- compare(x = units, methods = list(own = own), n = 4, refit = FALSE)
  # The hand-made one gives all its features as well, of which only the first n are used.
  all <- predict(raw_features(units, scale = TRUE), units)
  varies <- apply(units, 2, stats::sd) > 0
  expect_equal(unname(apply(all, 2, stats::sd)), as.numeric(varies))
  expect_equal(all, predict(own(units), units))
  plain <- compare(x = units, methods = list(raw = raw_features), refit = FALSE)
  expect_false(identical(plain$summary$deviance, scaled$summary$deviance))
  expect_identical(by_hand$summary$n, 4L)
  skip_if_not_installed("NMF")
  withr::local_seed(1)
  a <- nmf_features(units, 3, 20, scale = TRUE)
  withr::local_seed(1)
  b <- nmf_features(all, 3, 20)
  expect_equal(a$basis, b$basis, tolerance = 1e-4)
  expect_equal(predict(a, units), predict(b, all), tolerance = 1e-4)
})

test_that("a method may have data of its own on the same rows", {
  squares <- x^2
  colnames(squares) <- paste0("s", seq_len(ncol(x)))
  both <- compare(methods = list(random = by_random(), own = with_data(by_random(), squares)))
  alone <- compare(x = squares, methods = list(own = by_random()), refit = FALSE)
  expect_equal(no_time(both$summary[3:4, ]), no_time(alone$summary), ignore_attr = "row.names")
  best <- compare(methods = list(own = with_data("random", squares)))
  expect_identical(colnames(coef(best$fit)), colnames(squares))
  expect_identical(
    predict(best, squares), predict(compare(x = squares, methods = list(own = by_random())), squares)
  )
  expect_true(cv_prefixes(with_data(by_random, squares)$method))
  # Its own arguments replace the comparison's.
  sphere <- with_data(by_random(), squares, space = "nonnegative")
  expect_equal(compare(methods = sphere, space = "nonnegative_sphere")$fit$space, "nonnegative")
  expect_output(print(sphere), "random rows, with data of its own, 200 x 157")
})

test_that("a number of landmarks is measured at its own bandwidth, whatever other numbers there are", {
  withr::local_seed(1)
  x <- matrix(stats::rnorm(400), 200, 2)
  y <- factor(rowSums(x^2) > 1.4)
  row <- function(n) {
    cv <- cv_landmarks(x, y, n = n, methods = list(active = by_active(), random = by_random()), folds = 2,
      seeds = 1,
      lambda = c(0.01, 1), refit = FALSE)
    s <- as.data.frame(cv)
    s[s$n == 8, c("method", "accuracy", "deviance")]
  }
  # 120 landmarks need a narrower bandwidth than 8.
  expect_lt(landmarks(x, 120, "random")$bandwidth, landmarks(x, 8, "random")$bandwidth)
  with_more <- suppressWarnings(row(c(8, 120)))
  expect_equal(with_more$deviance, row(8)$deviance, tolerance = 1e-12, ignore_attr = TRUE)
})
