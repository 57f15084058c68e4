# update() of a fit: its arguments, its formula, and every step again.

set.seed(1)
x <- sim_swiss_roll(300)
fit <- landmarks(x, 7, bandwidth = 20)

# Columns whose names are not R's, a factor, and a number to predict.
flowers <- stats::setNames(iris[c(1, 2, 5)], c("a b", "w", "kind"))

test_that("update() changes arguments of the call", {
  again <- update(fit, n = 4, bandwidth = 30)
  expect_identical(bare(again), bare(landmarks(x, 4, bandwidth = 30)))
  expect_identical(update(fit, n = 4, evaluate = FALSE), quote(landmarks(x = x, n = 4, bandwidth = 20)))
  expect_identical(update(fit, bandwidth = NULL, evaluate = FALSE), quote(landmarks(x = x, n = 7)))
  local({
    k <- 3
    expect_identical(length(update(fit, n = k)), 3L)
  })
  own <- as_landmarks(x[1:3, ], x, bandwidth = 20)
  expect_identical(update(own, bandwidth = 5)$bandwidth, 5)
})

test_that("update() changes the formula", {
  on_formula <- landmarks(~., flowers, 3)
  fewer <- update(on_formula, ~ . - kind)
  expect_identical(bare(fewer), bare(landmarks(~ `a b` + w, flowers, 3)))
  # A fit to a data frame gets one.
  expect_identical(coef(update(landmarks(flowers, 3), ~ . - kind)), coef(fewer))
  set.seed(1)
  learned <- landmarks(kind ~ ., flowers, 3, method = by_response(iterations = 20))
  expect_identical(deparse1(formula(update(learned, log(w) ~ . - w))), "log(w) ~ `a b`")
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
  expect_identical(length(update(steps, n = 9)), 7L)
  expect_identical(update(fit[c(3, 1)], evaluate = FALSE)[[3]], c(3L, 1L))
  expect_identical(coef(update(fit[c(3, 1)])), coef(fit[c(3, 1)]))
  # Other data, in each step that has the same.
  z <- x[1:200, ]
  moved <- update(steps, x = z)
  expect_identical(moved$n_rows, 200L)
  expect_identical(all.vars(update(steps, x = z, evaluate = FALSE)), "z")
  framed <- refine_landmarks(landmarks(~w, flowers, 3), flowers, 1)
  expect_identical(all.vars(update(framed, data = iris, evaluate = FALSE)), c("w", "iris"))
  # A step with data of its own keeps them.
  expect_identical(all.vars(update(add_landmarks(fit, z, 1), x = y, evaluate = FALSE)), c("y", "z"))
})

test_that("update() finds the package's functions where it is not attached", {
  frame <- new.env(parent = baseenv())
  frame$fit <- fit
  frame$x <- x
  expect_identical(length(eval(quote(stats::update(fit[1:3], n = 4)), frame)), 3L)
})

test_that("update() refuses what it cannot change", {
  expect_refused(
    update(fit, 20),
    update(fit, ~., 20),
    update(fit, size = 20),
    update(fit, max_iterations = 20),
    update(fit, ~w),
    update(fit, evaluate = NA),
    update(fit, n = 0)
  )
  without <- fit
  without["call"] <- list(NULL)
  expect_refused(update(without, n = 3), update(structure(list(), class = "landmarks")))
})

test_that("update() takes arguments out by NULL, and calls this package's functions", {
  x <- sim_circles(60)
  fit <- landmarks(x, 4, bandwidth = 0.3)
  expect_length(update(fit, weights = NULL, n = 5), 5)
  expect_identical(update(fit, bandwidth = NULL, evaluate = FALSE), quote(landmarks(x = x, n = 4)))
  landmarks <- function(...) stop("ran")
  expect_length(update(fit, n = 3), 3)
})

test_that("an update that leaves too few landmarks for `[` is an error of the index", {
  fit <- landmarks(x, 6)
  expect_identical(length(update(fit[c(5, 2)], n = 7)), 2L)
  expect_refused(update(fit[c(5, 2)], n = 3))
})
