# landmarks() and as_landmarks(): what a fit keeps of its call, points of one's own, and what is refused.

set.seed(1)
mark <- 0.123456789012345678
x <- matrix(rnorm(480), 120, 4, dimnames = list(NULL, letters[1:4]))
x[7, 2] <- mark
y <- x[, 1]^2 + x[, 3]
y[7] <- mark
kind <- factor(ifelse(y > 1, "hidden word", "b"), c("b", "hidden word"))
d <- data.frame(x, y = y)
fit <- landmarks(x, 3)
quick <- by_response(y, iterations = 5, held_out = 0)

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
    do.call(landmarks, list(x, 3, quick)), do.call(refine_landmarks, list(fit, x, 20, y = y)),
    rlang::inject(landmarks(x, 3, by_response(!!y, iterations = 5, held_out = 0.5)))
  )
  for (one in with_y) expect_false(keeps(one$call))
  expect_null(with_y[[1]]$method$y)
  # The response of a start goes too.
  both <- landmarks(x, 4, by_response(kind, start = by_class(y = kind), iterations = 5, held_out = 0))
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

# ---- data and points of one's own ---------------------------------------------------------

skip_slow_file()

x <- odd_matrix(150, 3)
eta <- 0.6
weights <- 0.05 + (seq_len(150) * 0.377) %% 2
frame <- data.frame(a = 1:5, b = c(2, 1, 4, 3, 5))

test_that("data frames that are put together wrongly are refused", {
  uneven <- structure(list(a = 1:3, b = 1:2), class = "data.frame", row.names = 1:3)
  for (f in list(
    function(x) landmarks(~ a + b, x, 2), hellinger, function(x) predict(landmarks(frame, 2), x),
    function(x) predict(landmarks(as.matrix(frame), 2), x)
  )) expect_error(f(uneven), class = "landmarker_error_columns")
  for (names in list(c("a", NA), c("a", ""), NULL)) {
    expect_error(landmarks(`names<-`(frame, names), 2), class = "landmarker_error_columns")
  }
  # Numbers in a matrix are columns; anything else in one is not.
  wide <- function(m) `[[<-`(frame, "m", value = m)
  expect_identical(ncol(coef(landmarks(wide(matrix(c(1, 3, 2, 5, 4, 1:5), 5)), 2, scale = TRUE))), 4L)
  expect_refused(
    landmarks(uneven, 2), landmarks(`names<-`(frame, c("a", "")), 2),
    predict(landmarks(frame, 2), cbind(frame, a = 1:5)), landmarks(wide(matrix(letters[1:10], 5)), 2)
  )
  for (m in list(array(1, c(5, 2, 2)), as.list(1:5), frame)) {
    expect_error(landmarks(wide(m), 2), class = "landmarker_error_data")
  }
})

test_that("a space whose numbers are fewer than its length is refused", {
  registerS3method("as.double", "few_numbers", function(x, ...) 1, asNamespace("base"))
  expect_refused(landmarks(x, 3, "random", space = function(t) structure(t, class = "few_numbers")))
})

test_that("as_landmarks brings a fit's own coordinates back", {
  for (w in list(NULL, weights)) {
    fit <- base_fit(weights = w)
    back <- as_landmarks(coef(fit), x, bandwidth = eta, weights = w)
    expect_identical(unname(coef(back)), unname(coef(fit)))
    for (part in c("variance", "explained", "log_det", "nearest", "nearest_distance", "bandwidth")) {
      expect_equal(back[[part]], fit[[part]], tolerance = 1e-12, info = part)
    }
    expect_identical(predict(back, x), predict(fit, x))
  }
  frame <- as_landmarks(as.data.frame(coef(fit)), as.data.frame(x), bandwidth = eta, weights = weights)
  expect_equal(frame$variance, fit$variance, tolerance = 1e-12)
  # The bandwidth's rule and the scale are those of landmarks().
  expect_equal(as_landmarks(x[1:2, ], x, scale = TRUE)$bandwidth, 3, tolerance = 1e-12)
})

test_that("as_landmarks keeps the order and a dependent point, with variance 0", {
  points <- x[c(5, 9, 5, 60, 9), ]
  fit <- as_landmarks(points, x, bandwidth = eta)
  expect_identical(unname(coef(fit)), points)
  # Not exactly 0 would be rounding error, and its logarithm noise.
  expect_identical(fit$variance[c(3, 5)], c(0, 0))
  keep <- c(1, 2, 4)
  less <- as_landmarks(points[keep, ], x, bandwidth = eta)
  expect_equal(fit$variance[keep], less$variance, tolerance = 1e-12)
  expect_identical(fit$explained[3], fit$explained[2])
  expect_equal(fit$explained[keep], naive_explained(x, points[keep, ], eta), tolerance = 1e-10)
  # The variance elsewhere is that given the others.
  expect_equal(
    predict(fit, x[70:80, ], "variance", x = x),
    naive_variance(x, points[keep, ], x[70:80, ], eta),
    tolerance = 1e-10
  )
})

test_that("as_landmarks() leaves rows with missing values out as landmarks() does", {
  gaps <- airquality[1:40, c("Ozone", "Temp")]
  whole <- stats::na.omit(gaps)
  weights <- as.double(1:40)
  points <- data.frame(Ozone = c(20, 30, 100), Temp = c(60, 70, 80))
  fit <- as_landmarks(points, gaps, weights = weights, scale = TRUE, na.action = na.omit)
  rest <- as_landmarks(points, whole, weights = weights[-attr(whole, "na.action")], scale = TRUE)
  expect_identical(fit$variance, rest$variance)
  expect_identical(fit$na.action, attr(whole, "na.action"))
  expect_identical(row.names(gaps)[fit$nearest], row.names(whole)[rest$nearest])
  expect_error(as_landmarks(points, gaps), class = "landmarker_error_missing")
})

test_that("as_landmarks() checks its arguments", {
  x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
  expect_refused(
    as_landmarks("a", x), as_landmarks(x[0, ], x), as_landmarks(x[1, ], x), as_landmarks(x[1:2, ], x[, 1:2]),
    as_landmarks(x[1:2, ] / 0, x), as_landmarks(x[1:2, ], x / 0),
    as_landmarks(x[2:3, ], x, space = "nonnegative")
  )
})
