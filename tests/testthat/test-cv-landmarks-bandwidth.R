# Several bandwidths and kernels in one comparison, and methods on data of their own.

skip_slow_file()

x <- few_digits()$x[1:200, ]
random <- list(random = by_random())
compare <- function(...) {
  usual <- list(x = x, y = few_digits()$y[1:200], n = c(4, 8), methods = random,
    lambda = c(0.001, 0.1, 10), folds = 2, seeds = 1
  )
  with_usual("cv_landmarks", usual, ...)
}
expect_same_rows <- function(some, all) {
  expect_equal(no_time(some), no_time(all$summary), ignore_attr = "row.names")
}

test_that("there is a row for each bandwidth, and each is what it is alone", {
  three <- list(gp = by_gp(), km = by_kmeans(), random = by_random())
  rules <- c("variance", "3 * variance")
  both <- compare(bandwidth = rules, methods = three)
  expect_identical(nrow(both$summary), 12L)
  expect_identical(unique(both$summary$bandwidth), rules)
  for (rule in rules) {
    alone <- compare(bandwidth = rule, methods = three, refit = FALSE)
    expect_same_rows(both$summary[both$summary$bandwidth == rule, ], alone)
  }
  expect_equal(anyDuplicated(no_time(both$summary)[c("method", "n", "accuracy", "deviance")]), 0)
  # The best is learned again with its own bandwidth.
  expect_identical(both$fit$bandwidth_rule, both$best$bandwidth)
  expect_output(print(both), "method +n +bandwidth +lambda")
  expect_output(print(both), paste0("best accuracy: .*, bandwidth = ", both$best$bandwidth))
  lines <- plot_lines(both)
  expect_identical(lines$label[1:2], c("gp, variance", "gp, 3 * variance"))
  expect_length(unique(lines$color), 3)
  expect_length(unique(lines$shape), 2)
})

test_that("numbers stay numbers, mixed ones are text, and functions have none", {
  methods <- c(list(raw = raw_features), random)
  numbers <- compare(methods = methods, bandwidth = c(5, 50), n = 4, refit = FALSE)
  expect_identical(numbers$summary$bandwidth, c(NA, 5, 50))
  expect_identical(sum(is.na(numbers$units$bandwidth)), 6L)
  mixed <- compare(bandwidth = list(50, "median"), n = 4, refit = FALSE)
  expect_identical(mixed$summary$bandwidth, c("50", "median"))
  same <- c("accuracy", "deviance")
  expect_equal(mixed$summary[1, same], numbers$summary[3, same], ignore_attr = TRUE)
  # One bandwidth needs no column in print.
  expect_no_match(utils::capture.output(print(compare(n = 4))), "bandwidth")
})

test_that("a method may have data and arguments of its own on the same rows, and raw features a scale", {
  squares <- x^2
  colnames(squares) <- paste0("s", seq_len(ncol(x)))
  own <- method_with_data(by_random(), squares)
  both <- compare(methods = list(random = by_random(), own = own))
  alone <- compare(x = squares, methods = list(own = by_random()))
  expect_same_rows(both$summary[3:4, ], alone)
  best <- compare(methods = list(own = own))
  expect_identical(colnames(coef(best$fit)), colnames(squares))
  expect_identical(predict(best, squares), predict(alone, squares))
  sphere <- method_with_data(by_random(), squares, space = "nonnegative")
  expect_equal(compare(methods = sphere, space = "nonnegative_sphere")$fit$space, "nonnegative")
  expect_output(print(sphere), "random rows, on separate data, 200 x 262")
  deviance <- function(scale) compare(methods = list(raw = raw_features), scale = scale)$summary$deviance
  expect_false(identical(deviance(TRUE), deviance(FALSE)))
})

test_that("a number of landmarks is measured at its own bandwidth, whatever other numbers there are", {
  withr::local_seed(1)
  x <- matrix(stats::rnorm(400), 200, 2)
  y <- factor(rowSums(x^2) > 1.4)
  deviance <- function(n) {
    s <- compare(x = x, y = y, n = n, methods = list(active = by_active(), random = by_random()))$summary
    s$deviance[s$n == 8]
  }
  # 120 landmarks need a narrower bandwidth than 8.
  expect_lt(landmarks(x, 120, "random")$bandwidth, landmarks(x, 8, "random")$bandwidth)
  expect_equal(suppressWarnings(deviance(c(8, 120))), deviance(8), tolerance = 1e-12)
})

test_that("kernels of a comparison have rows of their own, equal to those of one kernel alone", {
  compare <- function(kernel, ...) {
    cv_landmarks(medv ~ lstat + rm, MASS::Boston[1:120, ], n = 8, folds = 2, seeds = 3, kernel = kernel,
      methods = list(gp = by_gp(), kmeans = by_kmeans(), ...), scale = TRUE, lambda = 0.01
    )
  }
  both <- compare(c("laplace", "matern32"), raw = raw_features)
  alone <- compare("matern32")
  expect_identical(both$summary$method, c("gp", "gp", "kmeans", "kmeans", "raw"))
  expect_identical(both$summary$kernel, c("laplace", "matern32", "laplace", "matern32", NA))
  expect_identical(tidy(both)$kernel, rep(both$summary$kernel, each = 2))
  expect_output(print(both), "gp matern32 8 .*raw +0.01 ")
  expect_identical(unique(plot_lines(both)$label)[c(4, 5)], c("kmeans, matern32", "raw"))
  expect_equal(both$summary$mse[c(2, 4)], alone$summary$mse)
  expect_false(isTRUE(all.equal(both$summary$mse[1], both$summary$mse[2])))
  expect_identical(alone$fit$kernel, "matern32")
  expect_null(alone$summary$kernel)
})

test_that("landmarks that do not depend on the bandwidth get the one that suits their kernel", {
  x <- withr::with_seed(1, unclass(sim_circles(300)))
  spec <- list(method = by_random(), space = "euclidean", scale = FALSE, kernel = "matern32")
  found <- cv_learner(spec, "random", list(x = x), list(bandwidth = list("variance")))(60, 1)$bandwidth
  expect_equal(found, landmarks(x, 60, "random", kernel = "matern32")$bandwidth)
})

test_that("landmarks that do not depend on the bandwidth are learned once for all bandwidths", {
  learned <- 0
  by_count <- function() new_landmark_method("by_count", list(), uses_bandwidth = FALSE)
  registerS3method("select_landmarks", "by_count", function(method, source, n, kernel, held, call) {
    learned <<- learned + 1
    landmark_selection(rows_as_points(source, seq_len(n)))
  }, asNamespace("landmarker"))
  cv_landmarks(iris[1:4], iris$Species, c(3, 5), list(own = by_count()),
    bandwidth = c(1, 2, 4), folds = 2, seeds = 1, refit = FALSE
  )
  expect_identical(learned, 4)
})
