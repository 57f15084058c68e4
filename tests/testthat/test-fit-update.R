# update() of a fit: its arguments, its formula, and every step again.

set.seed(1)
x <- sim_swiss_roll(300)
fit <- landmarks(x, 7, bandwidth = 20)

# Columns whose names are not R's, a factor, and a number to predict.
flowers <- stats::setNames(iris[c(1, 2, 5)], c("a b", "w", "kind"))

test_that("update() changes arguments of the call", {
  expect_identical(bare(update(fit, n = 4, bandwidth = 30)), bare(landmarks(x, 4, bandwidth = 30)))
  expect_identical(update(fit, n = 4, evaluate = FALSE), quote(landmarks(x = x, n = 4, bandwidth = 20)))
  expect_identical(update(fit, bandwidth = NULL, evaluate = FALSE), quote(landmarks(x = x, n = 7)))
  local({
    k <- 3
    expect_length(update(fit, n = k), 3)
  })
  expect_identical(update(as_landmarks(x[1:3, ], x, bandwidth = 20), bandwidth = 5)$bandwidth, 5)
  # A fit to a data frame gets a formula.
  fewer <- update(landmarks(flowers, 3), ~ . - kind)
  expect_identical(bare(fewer), bare(landmarks(~ `a b` + w, flowers, 3)))
  # A function of the user with the name of ours is not called.
  landmarks <- function(...) stop("ran")
  expect_length(update(fit, n = 3, weights = NULL), 3)
})

test_that("update() repeats every step", {
  steps <- refine_landmarks(add_landmarks(fit[1:5], x, 2, "random"), x, 2)
  call <- update(steps, n = 9, max_iterations = 3, evaluate = FALSE)
  expect_identical(call, quote(
    refine_landmarks(
      fit = add_landmarks(
        fit = landmarks(x = x, n = 9, bandwidth = 20)[1:5], x = x, n = 2, method = "random"
      ),
      x = x, max_iterations = 3
    )
  ), ignore_attr = TRUE)
  expect_identical(coef(update(fit[c(3, 1)])), coef(fit[c(3, 1)]))
  # Other data, in each step that has the same.
  z <- x[1:200, ]
  expect_identical(update(steps, x = z)$n_rows, 200L)
  expect_identical(all.vars(update(steps, x = z, evaluate = FALSE)), "z")
  framed <- refine_landmarks(landmarks(~w, flowers, 3), flowers, 1)
  expect_identical(all.vars(update(framed, data = iris, evaluate = FALSE)), c("w", "iris"))
  # A step with data of its own keeps them.
  expect_identical(all.vars(update(add_landmarks(fit, z, 1), x = y, evaluate = FALSE)), c("y", "z"))
})

test_that("update() finds the package's functions where it is not attached", {
  frame <- list2env(list(fit = fit, x = x), parent = baseenv())
  expect_length(eval(quote(stats::update(fit[1:3], n = 4)), frame), 3)
})

test_that("all steps again give what the steps by hand give", {
  x <- odd_matrix(150, 3)
  by_hand <- function() add_landmarks(landmarks(x, 6, "random", bandwidth = 0.6), x, 4, "random")
  more <- withr::with_seed(1, by_hand())
  expect_identical(bare(withr::with_seed(2, update(more))), bare(withr::with_seed(2, by_hand())))
  both <- refine_landmarks(more, x, criterion = "volume", max_iterations = 2)
  expect_identical(update(both, bandwidth = 2)$bandwidth, 2)
  # Of several steps that have an argument the last is changed.
  last <- refine_landmarks(both, x, max_iterations = 1)
  expect_identical(update(last, max_iterations = 5, evaluate = FALSE)$fit, both$call)
  expect_length(update(add_landmarks(as_landmarks(x[1:3, ], x, bandwidth = 0.6), x, 2, "random")), 5)
  # New weights are those of all steps that had the old ones.
  v <- rep(1:2, 75)
  fit <- refine_landmarks(landmarks(x, 4, "kmeans", weights = v), x, 1, weights = v)
  expect_identical(update(fit, weights = 3 - v, evaluate = FALSE), quote(
    refine_landmarks(
      fit = landmarks(x = x, n = 4, method = "kmeans", weights = 3 - v), x = x, max_iterations = 1,
      weights = 3 - v
    )
  ))
})

test_that("update() takes the values that a call has lost, and refuses what it cannot change", {
  options <- by_kmeans(max_iterations = 5)
  by_value <- do.call(landmarks, list(x, 3, options))
  again <- withr::with_seed(2, update(by_value, x = x, method = by_kmeans(max_iterations = 5)))
  expect_identical(coef(again), coef(withr::with_seed(2, landmarks(x, 3, options))))
  d <- data.frame(a = x[, 1], b = x[, 2])
  more <- do.call(add_landmarks, list(do.call(landmarks, list(~ a + b, d, 3)), d, 2))
  expect_identical(update(more, data = d, evaluate = FALSE), quote(
    add_landmarks(fit = landmarks(x = ~ a + b, data = d, n = 3), x = d, n = 2)
  ))
  expect_length(update(more, data = d), 5)
  without_call <- with_part(fit, call = NULL)
  # The index of five landmarks of seven.
  pair <- landmarks(x, 6)[c(5, 2)]
  expect_length(update(pair, n = 7), 2)
  expect_refused(
    update(by_value, n = 4), update(by_value, x = x), update(more, n = 2), update(pair, n = 3),
    update(fit, 20), update(fit, ~., 20), update(fit, size = 20), update(fit, max_iterations = 20),
    update(fit, ~w), update(fit, evaluate = NA), update(fit, n = 0), update(without_call, n = 3)
  )
})
