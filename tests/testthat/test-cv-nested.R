# The default grid of lambda; lambda chosen inside training parts, and for each tag.

skip_slow_file()

x <- few_digits()$x
labels <- few_digits()$y
compare <- function(...) {
  usual <- list(
    x = x, y = labels, n = 8, methods = list(random = by_random()), folds = 3, seeds = 1, refit = FALSE
  )
  with_usual("cv_landmarks", usual, ...)
}

test_that("the grid is powers of ten around the trace of the features' Gram matrix", {
  cv <- compare()
  expect_equal(cv$lambda, 10^round(log10(cv$lambda)))
  expect_equal(diff(log10(cv$lambda)), rep(1, length(cv$lambda) - 1))
  # By hand: random rows of the first training part as landmarks.
  train <- cv_splits(300, list(folds = 3), as_response(labels, 300), 1, NULL)$splits[[1]][[1]]$train
  set_seed(5)
  trace <- sum(scale(predict(landmarks(x[train, ], 8, by_random()), x[train, ]), scale = FALSE)^2)
  expect_lt(abs(log10(max(cv$lambda) / (10 * trace))), 1.3)
  expect_lt(abs(log10(min(cv$lambda) / (1e-9 * trace))), 1.3)
  numbers <- compare(y = rowMeans(x))
  expect_identical(max(numbers$lambda), max(cv$lambda))
  expect_equal(min(numbers$lambda), 1e-4 * min(cv$lambda))
})

test_that("the grid follows the data's size where the features do, and is one for all methods", {
  # Few columns, as they are the features of the second method, and numbers, whose regressions are quick.
  x <- x[, seq(1, ncol(x), 16)]
  y <- rowMeans(x)
  grid <- function(x, ...) compare(x = x, y = y, ...)$lambda
  usual <- grid(x)
  expect_identical(grid(1000 * x), usual)
  # A row of weight 1000 counts as a thousand rows.
  expect_equal(grid(x, weights = rep(1000, nrow(x))), 1000 * usual)
  raw <- grid(1000 * x, methods = list(raw = raw_features))
  expect_gt(max(raw), 1e5 * max(usual))
  both <- grid(1000 * x, methods = list(random = by_random(), raw = raw_features))
  expect_identical(range(both), c(min(usual), max(raw)))
  expect_identical(grid(x, methods = list(raw = method_with_data(raw_features, 1000 * x))), raw)
  # What is given is used as it is.
  expect_identical(grid(x, lambda = c(3, 0.2)), c(0.2, 3))
  # Held-out rows have no say.
  held <- function(x) grid(x, folds = NULL, validation = 201:250, test = 251:300)
  expect_identical(held(rbind(x[1:200, ], 1e6 * x[201:300, ])), held(x))
})

test_that("on ordinary data the grid has its best inside", {
  for (case in list(
    list(x = iris[1:4], y = iris$Species, n = c(10, 50)),
    list(x = MASS::Boston[-14], y = MASS::Boston$medv, n = c(10, 60), scale = TRUE)
  )) {
    cv <- do.call("compare", case)
    expect_true(all(cv$summary$lambda > min(cv$lambda) & cv$summary$lambda < max(cv$lambda)))
  }
})

test_that("nested, what is measured is at the lambda that folds of the training part choose", {
  cv <- compare(nested = TRUE, lambda = 10^(-2:1))
  held <- cv$units[cv$units$part == "held_out", ]
  inner <- cv$units[cv$units$part == "inner", ]
  picked <- vapply(1:3, function(k) {
    of <- inner[inner$fold == k, ]
    best <- of[order(-of$accuracy, of$deviance), ][1, "lambda"]
    held$accuracy[held$fold == k & held$lambda == best]
  }, 0)
  expect_equal(cv$summary$accuracy, mean(picked))
  expect_equal(cv$summary$accuracy_se, stats::sd(picked) / sqrt(3))
  flat <- compare(lambda = 10^(-2:1))
  expect_equal(no_time(held), no_time(flat$units), ignore_attr = "row.names")
  expect_gte(flat$summary$accuracy, cv$summary$accuracy)
  expect_output(print(cv), "nested cross-validation")
  expect_match(cv_notes(flat), "slightly optimistic; `nested = TRUE` avoids this", all = FALSE)
  tested <- compare(test = 1:60, lambda = 10^(-2:1))
  expect_match(cv_notes(tested), "optimistic; the test rows were not used", all = FALSE)
})

test_that("inner measures are those of predictions by regressions that did not see the rows", {
  response <- as_response(labels, 300)
  y <- response$y
  cv <- list(lambda = c(0.1, 10), model = "classes", type = "classes")
  w <- cbind(x[, 100:104], 1 - x[, 120])
  folds <- draw_inner(1:300, response, 1, 2)
  expect_identical(sort(unique(folds)), 1:5)
  expect_identical(folds, draw_inner(1:300, response, 1, 2))
  expect_false(identical(folds, draw_inner(1:300, response, 1, 3)))
  train <- list(y = y, inner = folds)
  # A row of weight 2 counts as two rows.
  for (times in list(rep(1L, 300), rep(1:2, 150))) {
    found <- inner_predictions(w, 6, c(train, list(weights = times)), cv)$p
    rows <- rep(which(folds != 4), times[folds != 4])
    own <- ridge_path(w[rows, ], 6, y[rows, ], 10, "classes")$coefficients[, , 1]
    by_hand <- ridge_response(w[folds == 4, ], own, "softmax")
    expect_equal(found[[2]][folds == 4, ], by_hand, tolerance = 1e-5)
  }
  rows <- score_rows("inner", cv$lambda, found, c(TRUE, TRUE), train, cv)
  expect_identical(rows$part, c("inner", "inner"))
  expect_equal(rows$accuracy[2], mean(max.col(found[[2]]) == max.col(y)))
})

test_that("rows of the held-out part have no part in the nested choice", {
  found <- lapply(list(labels, c(labels[1:200], rev(labels[201:300]))), function(y) {
    compare(y = y, folds = NULL, validation = 201:300, nested = TRUE, lambda = 10^(-2:1))
  })
  inner <- lapply(found, function(cv) no_time(cv$units[cv$units$part == "inner", ]))
  expect_equal(inner[[2]], inner[[1]])
  expect_identical(found[[2]]$summary$lambda, found[[1]]$summary$lambda)
  expect_false(found[[2]]$summary$accuracy == found[[1]]$summary$accuracy)
})

tags <- cbind(round = labels %in% c(0, 6, 8, 9), straight = labels %in% c(1, 7), low = labels %in% 0:4) + 0

test_that("each tag may have a lambda of its own, by folds of the training part", {
  cv <- compare(y = tags, lambda_per_tag = TRUE, lambda = c(0.001, 0.1, 1, 10), top = 1, refit = TRUE)
  expect_true(cv$nested)
  expect_true(is.na(cv$summary$lambda))
  expect_identical(nrow(cv$units), 3L)
  expect_named(cv$tag_lambda, colnames(tags))
  expect_true(all(cv$tag_lambda %in% cv$lambda))
  expect_output(print(cv), "lambda chosen for each label")
  # The coefficients of each tag are those of a comparison at its lambda.
  for (tag in colnames(tags)) {
    alone <- compare(y = tags, lambda = cv$tag_lambda[[tag]], top = 1, refit = TRUE)
    expect_equal(coef(cv)[, tag], coef(alone)[, tag], tolerance = 1e-5)
  }
})

test_that("a tag's lambda is the best of its own measure, where a row of weight 3 counts as three", {
  cv <- list(lambda = c(0.01, 1, 100), model = "tags")
  likelihood <- function(p, y) sum(log(ifelse(y == 1, p, 1 - p)))
  measures <- list(
    auc = function(p, y) mean(outer(p[y == 1], p[y == 0], ">") + outer(p[y == 1], p[y == 0], "==") / 2),
    # Neither has F: the deviance decides.
    f = likelihood, deviance = likelihood
  )
  for (times in list(rep(1, 300), rep(c(1, 1, 30), 100))) {
    train <- list(y = tags, inner = draw_inner(1:300, as_response(tags, 300), 1, 1), weights = times)
    inner <- inner_predictions(x[, 100:107], 8, train, cv)
    rows <- rep(1:300, times)
    for (measure in names(measures)) {
      value <- vapply(inner$p, function(p) {
        vapply(1:3, function(j) measures[[measure]](p[rows, j], tags[rows, j]), 0)
      }, numeric(3))
      chosen <- tag_lambdas(inner, train, c(cv, lambda_measure = measure))
      expect_identical(chosen, cv$lambda[apply(value, 1, which.max)], info = measure)
    }
  }
})
