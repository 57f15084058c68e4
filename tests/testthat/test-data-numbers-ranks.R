skewed <- function(n = 60) {
  set.seed(4)
  cbind(
    a = exp(2 * stats::rnorm(n)), b = rep(0:1, length.out = n), c = stats::rpois(n, 2), d = stats::rnorm(n)
  )
}

test_that("scores are qnorm() of mid-ranks, for ties, two values and constants too", {
  x <- cbind(skewed(), k = 3)
  scores <- scores_of_ranks(x, rank_knots(x))
  by_hand <- apply(x, 2, function(v) qnorm((rank(v) - 0.5) / length(v)))
  expect_equal(scores, by_hand, tolerance = 1e-12)
  expect_identical(dimnames(scores), dimnames(x))
  expect_equal(unname(scores[, "k"]), rep(qnorm(0.5), 60))
  expect_equal(values_of_ranks(scores, rank_knots(x)), x, tolerance = 1e-12)
})

test_that("a row of weight 2 counts as two rows, one of weight 0 as none", {
  x <- skewed(20)
  times <- rep(c(1, 2, 0, 3), 5)
  knots <- rank_knots(x, times)
  again <- rank_knots(x[rep(1:20, times), ])
  expect_equal(knots, again, tolerance = 1e-12)
  expect_equal(rank_knots(x, times * 1e300), again, tolerance = 1e-10)
})

test_that("few knots of many values are close to all of them, and keep values that fill many rows", {
  set.seed(5)
  x <- matrix(c(ifelse(runif(5000) < 0.7, 0, rexp(5000)), rnorm(5000)), ncol = 2)
  knots <- rank_knots(x)
  expect_true(all(lengths(lapply(knots, `[[`, "value")) <= 200))
  expect_true(all(vapply(1:2, function(j) all(range(x[, j]) %in% knots[[j]]$value), NA)))
  by_hand <- apply(x, 2, function(v) qnorm((rank(v) - 0.5) / length(v)))
  expect_lt(max(abs(scores_of_ranks(x, knots) - by_hand)), 0.06)
  expect_lt(mean(abs(scores_of_ranks(x, knots) - by_hand)), 0.004)
  # Outside of the range a value has the score of the nearest end, between knots one on the line.
  ends <- scores_of_ranks(matrix(c(-9, 99, -99, 99), 2), knots)
  expect_equal(ends, apply(by_hand, 2, range), tolerance = 1e-10)
  few <- list(list(value = c(1, 3), score = c(-1, 1)))
  expect_equal(scores_of_ranks(matrix(c(1, 1.5, 3)), few)[, 1], c(-1, -0.5, 1))
})

test_that("a fit by ranks is the fit of the scores, whatever increasing function columns went through", {
  x <- skewed()
  scores <- scores_of_ranks(x, rank_knots(x))
  learn <- function(x, ...) {
    set.seed(1)
    landmarks(x, 6, ...)
  }
  fit <- learn(x, scale = "ranks")
  plain <- learn(scores, scale = TRUE)
  expect_identical(fit$landmarks, plain$landmarks)
  expect_identical(predict(fit, x), predict(plain, scores))
  cubed <- cbind(x[, 1]^3, x[, -1])
  expect_equal(predict(learn(cubed, scale = "ranks"), cubed), predict(fit, x), tolerance = 1e-10)
  expect_output(print(fit), "columns as normal scores")
  expect_identical(unname(coef(fit)), unname(values_of_ranks(fit$landmarks, fit$ranks)))
  expect_identical(unname(as.matrix(as.data.frame(fit))), unname(coef(fit)))
  expect_equal(tidy(fit)$a, unname(coef(fit)[, "a"]))
  # Rows that were drawn are landmarks, in the data's units.
  drawn <- learn(x, "random", scale = "ranks")
  expect_equal(unname(coef(drawn)), unname(x[drawn$rows, ]), tolerance = 1e-12)
  again <- as_landmarks(unname(coef(drawn)), x, scale = "ranks")
  expect_equal(sort(again$landmarks[, 4]), sort(drawn$landmarks[, 4]))
})

test_that("later steps, new data and frames go by ranks too", {
  x <- as.data.frame(skewed())
  set.seed(1)
  fit <- landmarks(~ ., data = x, n = 5, scale = "ranks")
  more <- add_landmarks(fit, x, 2)
  expect_identical(more$ranks, fit$ranks)
  expect_identical(refine_landmarks(fit, x, 1)$ranks, fit$ranks)
  expect_identical(fit[1:2]$ranks, fit$ranks)
  expect_identical(nearest_observations(fit, x, 1)$observation, fit$nearest)
  expect_equal(dim(predict(fit, x[1:3, ])), c(3, 5))
  expect_true(all(is.na(predict(fit, transform(x[1:2, ], a = NA_real_), na.action = na.pass))))
  expect_identical(fit$scaled, TRUE)
  y <- x$d + x$b
  model <- suppressWarnings(
    landmarks(x[1:3], 5, by_response(y, iterations = 20, trend = TRUE), scale = "ranks")
  )
  expect_length(predict(model, x), 60)
  expect_identical(rownames(coef(model, "response"))[7:9], c("ranks(a)", "ranks(b)", "ranks(c)"))
})

test_that("scale is refused where there can be no ranks", {
  x <- skewed()
  expect_refused(
    landmarks(x, 3, scale = "rank"),
    landmarks(Matrix::Matrix(x, sparse = TRUE), 3, scale = "ranks"),
    landmarks(in_chunks(x), 3, scale = "ranks"),
    landmarks(abs(x), 3, scale = "ranks", space = "nonnegative")
  )
  fit <- landmarks(x, 3, scale = "ranks")
  expect_refused(
    predict(fit, Matrix::Matrix(x, sparse = TRUE)),
    predict(fit, replace(x, 7, Inf))
  )
})

test_that("a comparison has a row for each scale", {
  x <- skewed(90)
  y <- x[, "d"] + log(x[, "a"])
  cv <- cv_landmarks(x, y, 6, list(km = by_kmeans(), raw = raw_features),
    scale = c("sd", "ranks"), folds = 3, seeds = 1
  )
  expect_identical(cv$summary$method, c("km, sd", "km, ranks", "raw, sd", "raw, ranks"))
  alone <- cv_landmarks(x, y, 6, list(km = by_kmeans()),
    scale = "ranks", folds = 3, seeds = 1, lambda = cv$lambda
  )
  same <- setdiff(names(cv$units)[!startsWith(names(cv$units), "seconds")], "method")
  expect_equal(cv$units[cv$units$method == "km, ranks", same], alone$units[same], ignore_attr = TRUE)
  expect_length(predict(cv, x[1:4, ]), 4)
  expect_snapshot(cat(cv$compared, sep = "\n"))
  frame <- as.data.frame(cbind(x, y))
  by_formula <- cv_landmarks(y ~ ., frame,
    n = 6, methods = "kmeans", scale = list("sd", "ranks"), folds = 3, seeds = 1
  )
  expect_length(predict(by_formula, frame[1:4, ]), 4)
  expect_refused(
    cv_landmarks(x, y, 6, "kmeans", scale = c("sd", "sd")),
    cv_landmarks(x, y, 6, "kmeans", scale = c("sd", "root"))
  )
})

test_that("of several scales by_response() keeps the one that held-out rows prefer", {
  x <- skewed(90)
  without_time <- function(fit) unclass(fit)[setdiff(names(fit), c("seconds", "call"))]
  alone <- function(y, scale) {
    set.seed(5)
    suppressWarnings(landmarks(x, 4, by_response(y, iterations = 60), scale = scale))
  }
  # The logarithm of a skewed column is close to its scores; the product of all columns' numbers is not.
  for (y in list(log(x[, "a"]), x[, "d"] + x[, "a"])) {
    each <- lapply(c("sd", "ranks"), alone, y = y)
    loss <- vapply(each, function(fit) fit$response$held_out$loss, 0)
    expect_identical(without_time(alone(y, c("sd", "ranks"))), without_time(each[[which.min(loss)]]))
    expect_identical(without_time(alone(y, c("ranks", "sd"))), without_time(each[[which.min(loss)]]))
  }
  # Names of tables go along.
  set.seed(2)
  noise <- as.data.frame(matrix(stats::rnorm(400), 100))
  fit <- suppressWarnings(
    landmarks(noise, 3, by_response(stats::rnorm(100), iterations = 30), scale = c("sd", "ranks"))
  )
  expect_length(predict(fit, noise), 100)
})

test_that("several scales are refused where no rows are held out", {
  x <- skewed()
  y <- x[, "d"]
  expect_refused(
    landmarks(x, 3, scale = c("sd", "ranks")),
    landmarks(x, 3, by_response(y, held_out = 0), scale = c("sd", "ranks")),
    landmarks(x, 3, by_class(y = y > 0), scale = c("sd", "ranks")),
    landmarks(x, 3, by_response(y), scale = c("sd", "ranks"), space = "nonnegative"),
    landmarks(x, 3, by_response(y), scale = c("sd", "rank"))
  )
})
