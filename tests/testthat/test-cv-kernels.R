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

test_that("a kernel of a comparison must be known", {
  expect_error(cv_landmarks(iris[1:4], iris$Species, kernel = "cubic"), class = "landmarker_error_input")
})

test_that("functions have one row for all scales, as they get none", {
  cv <- cv_landmarks(iris[1:4], iris$Species, n = 5, folds = 2, seeds = 1, scale = c("sd", "ranks"),
    methods = list(raw = raw_features, own = function(x, n) as_landmarks(x[1:n, ], x), gp = by_random()),
    refit = FALSE
  )
  expect_identical(cv$summary$method, c("raw", "own", "gp", "gp"))
  expect_identical(cv$summary$scale, c("sd", NA, "sd", "ranks"))
})

test_that("landmarks that do not depend on the bandwidth get the one that suits their kernel", {
  x <- withr::with_seed(1, unclass(sim_circles(300)))
  spec <- list(method = by_random(), space = "euclidean", scale = FALSE, kernel = "matern32")
  found <- fit_at_bandwidth(spec, "random", 60, 1, list(x = x), list(bandwidth = list("variance")))$bandwidth
  expect_equal(found, landmarks(x, 60, "random", kernel = "matern32")$bandwidth)
})
