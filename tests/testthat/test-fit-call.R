# What a fit keeps of its call: no data, whatever way it was called.

set.seed(1)
mark <- 0.123456789012345678
x <- matrix(rnorm(480), 120, 4, dimnames = list(NULL, letters[1:4]))
x[7, 2] <- mark
y <- x[, 1]^2 + x[, 3]
y[7] <- mark
kind <- factor(ifelse(y > 1, "hidden word", "b"), c("b", "hidden word"))
d <- data.frame(x, y = y)
fit <- landmarks(x, 3)
quick <- by_response(y, iterations = 20)

# Whether the bytes of a number or of a string are in an object as saveRDS() would write it.
keeps <- function(object, value = mark) {
  bytes <- if (is.character(value)) charToRaw(value) else writeBin(value, raw())
  length(grepRaw(bytes, serialize(object, NULL, xdr = FALSE), fixed = TRUE)) > 0
}

test_that("a fit keeps no data, whichever way it was called", {
  expect_true(keeps(x))
  expect_true(keeps(quote(f(a = "hidden word")), "hidden word"))
  own_formula <- local({
    near <- x
    ~ a + b + c
  })
  tables <- list(x = x, frame = d[1:4], sparse = Matrix::Matrix(x, sparse = TRUE))
  fits <- c(
    lapply(tables, function(data) do.call(landmarks, list(data, 3))),
    lapply(tables, function(data) rlang::inject(landmarks(!!data, 3))),
    list(
      formula = do.call("landmarks", list(own_formula, d, 3)),
      nested = rlang::inject(landmarks((!!x)[, 1:2], 3)),
      typed = eval(str2lang(sprintf("landmarks(matrix(%s, 60), 3)", deparse1(as.vector(x[1:60, 1:2]))))),
      few = do.call(landmarks, list(x[5:9, 2, drop = FALSE], 2)),
      start = landmarks(x, 3, by_gp(start = x[5:7, ])),
      weights = do.call(landmarks, list(x, 3, weights = replace(rep(1, 120), 7, mark))),
      points = do.call(as_landmarks, list(x[1:3, ], x)),
      added = do.call(add_landmarks, list(fit, x, 1)),
      refined = do.call(refine_landmarks, list(fit, x, 1)),
      updated = do.call(update, list(fit, x = x)),
      some = do.call(landmarks, list(x, 3))[1:2],
      compared = do.call(cv_landmarks, list(x, y, n = 3, methods = by_kmeans(), folds = 2)),
      codebook = do.call(codebook, list(x, 3)),
      embedding = do.call(embed_landmarks, list(do.call(landmarks, list(x, 8)), dims = 1)),
      scores = do.call(tagging_scores, list(prob = pmin(abs(x), 1), truth = x > 0, top = 2))
    )
  )
  expect_identical(names(Filter(keeps, fits)), character())
})

test_that("a fit keeps no response beside that of held-out rows", {
  with_y <- list(
    do.call(landmarks, list(x, 3, quick)),
    rlang::inject(landmarks(x, 3, by_response(!!y, iterations = 20))),
    do.call(refine_landmarks, list(fit, x, 20, y = y)),
    do.call(cv_landmarks, list(x, y, n = 3, methods = by_kmeans(), folds = 2))
  )
  for (one in with_y) expect_false(keeps(one$call))
  expect_null(with_y[[1]]$method$y)
  # The response of a start goes too.
  both <- landmarks(x, 4, by_response(kind, start = by_class(y = kind), iterations = 20))
  expect_null(both$method$start$y)
  expect_false(keeps(both$method, "hidden word"))
})

test_that("steps of recipes and models for parsnip keep no data", {
  skip_if_not_installed("recipes")
  expect_false(keeps(trained(step_of(d[1:4], ~., num_landmarks = 3))$steps[[1]]$res))
  model <- fit_landmark_net(d[1:4], y, n = 3, iterations = 20)
  model$response$held_out <- NULL
  expect_false(keeps(model))
})

test_that("calls have names and short constants", {
  expect_identical(do.call(landmarks, list(x, 3, scale = TRUE))$call, quote(
    landmarks(x = `<x>`, n = 3, scale = TRUE)
  ))
  call <- rlang::inject(landmarks(!!x, 3, by_kmeans(max_iterations = 5)))$call
  expect_identical(call$method, quote(by_kmeans(max_iterations = 5)))
  expect_identical(landmarks(~ a + b, data = d[1:4], 3)$call$x, quote(~ a + b))
  # The source text of a function would have the whole script.
  code <- parse(
    text = "landmarks(x[, 1:3], 3, space = function(t, low = -9) pmax(t, low))", keep.source = TRUE
  )
  call <- eval(code)$call
  expect_false(keeps(call, "keep.source") || keeps(call, "landmarks(x[, 1:3]"))
  expect_identical(call, quote(landmarks(x = x[, 1:3], n = 3, space = function(t, low = -9) pmax(t, low))),
    ignore_srcref = TRUE
  )
})
