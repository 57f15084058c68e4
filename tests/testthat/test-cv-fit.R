# Methods that fail, and values that only held-out rows have.

x <- digits$images[1:120, seq(1, 784, 9)] / 255
labels <- digits$labels[1:120]
compare <- function(methods, n = c(3, 6)) {
  cv_landmarks(x, labels, n = n, methods = methods, lambda = c(0.01, 1), folds = 2, seeds = 1)
}

test_that("a method that fails leaves a row with its message, and the others are compared", {
  broken <- function(x, n) stop("there is no luck today")
  expect_warning(
    cv <- compare(list(broken = broken, random = by_random())),
    "\"broken\" failed in 4 of 4 fits", class = "landmarker_warning_method"
  )
  expect_identical(cv$summary$method, c("broken", "broken", "random", "random"))
  expect_identical(cv$summary$problem, c(rep("there is no luck today", 2), NA, NA))
  measured <- c("accuracy", "accuracy_se", "deviance", "lambda", "features", "seconds")
  expect_true(all(is.na(cv$summary[1:2, measured])))
  alone <- compare(list(random = by_random()))
  expect_equal(no_time(cv$summary[3:4, ]), no_time(alone$summary), ignore_attr = "row.names")
  expect_identical(coef(cv), coef(alone))
  expect_snapshot(cat(cv_notes(cv), sep = "\n"))
  expect_output(print(cv), "Failed: broken, n = 3; broken, n = 6. Error: there is no luck today")
})

test_that("one number that fails, or one fold, spoils that row alone", {
  picky <- function(x, n) if (n > 5) stop("too many") else landmarks(x, n, by_random())
  expect_warning(cv <- compare(list(picky = picky, random = by_random())), "failed in 2 of 4 fits")
  expect_identical(is.na(cv$summary$accuracy), c(FALSE, TRUE, FALSE, FALSE))
  expect_identical(cv$summary$problem[2], "too many")
  # The rows learned from where the first fold is held out.
  first <- x[cv_splits(120, list(folds = 2), as_response(labels, 120), 1, NULL)$splits[[1]][[1]]$train, ]
  shy <- function(x, n) if (identical(x, first)) stop("not these rows") else landmarks(x, n, by_random())
  expect_warning(cv <- compare(list(shy = shy, random = by_random()), 3), "failed in 1 of 2 fits")
  expect_identical(cv$summary$problem, c("in 1 of 2 fits: not these rows", NA))
  expect_identical(is.na(cv$summary$accuracy), c(TRUE, FALSE))
  expect_false(is.na(cv$units$accuracy[cv$units$method == "shy" & cv$units$fold == 2][1]))
  # Where one fit serves all numbers, the smaller number is learned by itself.
  expect_warning(
    cv <- compare(list(random = by_random(), raw = raw_features), c(3, 61)),
    "\"random\" failed in 2 of 4 fits"
  )
  expect_identical(is.na(cv$summary$accuracy), c(FALSE, TRUE, FALSE))
})

test_that("a value that only held-out rows have does no harm", {
  frame <- data.frame(a = rep(c(0, 1, 3), 20), s = c("rare", rep(c("u", "v"), length.out = 59)))
  found <- cv_landmarks(frame, frame$a + (1:60) %% 2, 1, list(random = by_random()),
    folds = rep(1:3, each = 20), seeds = 1
  )
  expect_false(anyNA(found$units$mse))
  expect_length(predict(found, frame[1:4, ]), 4)
})

test_that("a fit with a regression of its own is measured by that, and predicts by it", {
  x <- as.matrix(mtcars[c("wt", "hp", "qsec")])
  fold <- rep(1:2, 16)
  cv <- suppressWarnings(cv_landmarks(x, mtcars$mpg, c(4, 5),
    list(response = by_response(iterations = 60), random = by_random()),
    folds = fold, seeds = 1, lambda = c(0.1, 1), scale = TRUE, nested = TRUE
  ), "landmarker_warning_fit")
  own <- cv$units[cv$units$method == "response", ]
  expect_identical(own$lambda, rep(NA_real_, 4))
  tasks <- cv_tasks(c(response = FALSE, random = TRUE), c(4, 5), 2, 1L)
  by_hand <- vapply(1:2, function(f) {
    train <- fold != f
    # A comparison holds out one part of the training rows.
    method <- by_response(mtcars$mpg[train], iterations = 60)
    method$once <- TRUE
    mse <- numeric()
    for (task in Filter(function(t) t$method == "response" && t$fold == f, tasks)) {
      set_seed(task$stream)
      fit <- suppressWarnings(
        landmarks(x[train, ], task$n, method, scale = TRUE), "landmarker_warning_response"
      )
      mse <- c(mse, mean((predict(fit, x[!train, ]) - mtcars$mpg[!train])^2))
      # The configuration is chosen with the first number of landmarks.
      method$penalty <- fit$response$penalty
      method$relevance <- !is.null(fit$relevance)
      method$trend <- !is.null(fit$response$trend)
    }
    mse
  }, c(0, 0))
  expect_equal(own$mse[order(own$fold, own$n)], as.vector(by_hand))
  expect_output(print(cv), "none")
})

test_that("a class with fewer rows than folds is in different folds", {
  y <- factor(c(rep(c("a", "b"), 10), "rare", "rare"))
  x <- cbind(seq_along(y), as.integer(y))
  cv <- cv_landmarks(x, y, 3, list(random = by_random()), folds = 5, seeds = 1, lambda = 1)
  expect_identical(levels(predict(cv, x)), c("a", "b", "rare"))
  expect_false(anyNA(cv$summary$accuracy))
})
