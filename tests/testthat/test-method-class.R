# Landmarks within each class.

skip_slow_file()

test_that("by_class() gives every class landmarks of its own, in proportion to its rows", {
  rare <- c(which(iris$Species != "setosa"), which(iris$Species == "setosa")[1:5])
  x <- as.matrix(iris[rare, 1:4])
  y <- iris$Species[rare]
  set.seed(1)
  fit <- landmarks(x, 9, by_class("kmeans", y))
  expect_setequal(as.character(y[fit$nearest]), levels(y))
  fit <- landmarks(x, 12, by_class("random", y))
  expect_identical(as.vector(table(y[fit$rows])), c(1L, 6L, 5L))
  expect_identical(unname(coef(fit)), unname(x[fit$rows, ]))
  expect_equal(share_by_weight(10, c(50, 40, 10), c(50, 40, 10)), c(5, 4, 1))
  expect_equal(share_by_weight(5, c(1000, 1, 1), c(1000, 1, 1)), c(3, 1, 1))
  expect_equal(share_by_weight(6, c(1000, 1, 1), c(3, 1, 5)), c(3, 1, 2))
})

test_that("within each class it is the method itself", {
  x <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  both <- coef(landmarks(x, 8, by_class(by_gp(), y), bandwidth = 1))
  for (level in levels(y)) {
    own <- coef(landmarks(x[y == level, ], 4, by_gp(), bandwidth = 1))
    expect_lt(max(apply(naive_distances(own, both), 1, min)), 1e-8)
  }
})

test_that("a row that classes have in common is a landmark once", {
  withr::local_seed(1)
  different <- function(...) expect_identical(nrow(unique(unname(coef(landmarks(...))))), 12L)
  x <- as.matrix(expand.grid(1:4, 1:4))[sample(16, 400, TRUE), ]
  for (method in list(by_dpp(), by_random(), by_active(), by_kmeans(), by_gp())) {
    different(x, 12, by_class(method, rep(c("a", "b"), 200)))
  }
  # Classes of the same few rows, and one that has no row of its own.
  x <- as.matrix(expand.grid(1:3, 1:4))[rep(1:12, each = 3), ]
  different(x, 12, by_class("gp", rep(c("a", "b", "c"), 12)), bandwidth = 2)
  y <- rep(c("a", "b", "c"), c(10, 10, 3))
  expect_length(landmarks(cbind(c(1:10, 1:10, 1:3), 1), 10, by_class("random", y), bandwidth = 2), 10)
})
