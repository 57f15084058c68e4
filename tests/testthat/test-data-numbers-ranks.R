skewed <- function(n = 60) {
  withr::with_seed(4, cbind(
    a = exp(2 * stats::rnorm(n)), b = rep(0:1, length.out = n), c = stats::rpois(n, 2), d = stats::rnorm(n)
  ))
}
scores_by_hand <- function(x) apply(x, 2, function(v) qnorm((rank(v) - 0.5) / length(v)))
with_seed_fit <- function(x, n = 6, ...) withr::with_seed(1, landmarks(x, n, ...))

test_that("scores are qnorm() of mid-ranks, for ties, two values and constants too", {
  x <- cbind(skewed(), k = 3)
  scores <- scores_of_ranks(x, rank_knots(x))
  expect_equal(scores, scores_by_hand(x), tolerance = 1e-12)
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
  by_hand <- scores_by_hand(x)
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
  fit <- with_seed_fit(x, scale = "ranks")
  plain <- with_seed_fit(scores, scale = TRUE)
  expect_identical(fit$landmarks, plain$landmarks)
  expect_identical(predict(fit, x), predict(plain, scores))
  cubed <- cbind(x[, 1]^3, x[, -1])
  expect_equal(predict(with_seed_fit(cubed, scale = "ranks"), cubed), predict(fit, x), tolerance = 1e-10)
  expect_output(print(fit), "columns as normal scores")
  expect_identical(unname(coef(fit)), unname(values_of_ranks(fit$landmarks, fit$ranks)))
  expect_identical(unname(as.matrix(as.data.frame(fit))), unname(coef(fit)))
  expect_equal(tidy(fit)$a, unname(coef(fit)[, "a"]))
  # Rows that were drawn are landmarks, in the data's units.
  drawn <- with_seed_fit(x, 6, "random", scale = "ranks")
  expect_equal(unname(coef(drawn)), unname(x[drawn$rows, ]), tolerance = 1e-12)
  again <- as_landmarks(unname(coef(drawn)), x, scale = "ranks")
  expect_equal(sort(again$landmarks[, 4]), sort(drawn$landmarks[, 4]))
})

test_that("later steps, new data and frames go by ranks too", {
  x <- as.data.frame(skewed())
  fit <- with_seed_fit(x, 5, scale = "ranks")
  expect_identical(add_landmarks(fit, x, 2)$ranks, fit$ranks)
  expect_identical(refine_landmarks(fit, x, 1)$ranks, fit$ranks)
  expect_identical(fit[1:2]$ranks, fit$ranks)
  expect_identical(nearest_observations(fit, x, 1)$observation, fit$nearest)
  expect_equal(dim(predict(fit, x[1:3, ])), c(3, 5))
  expect_true(all(is.na(predict(fit, transform(x[1:2, ], a = NA_real_), na.action = na.pass))))
  expect_identical(fit$scaled, TRUE)
  method <- by_response(x$d + x$b, iterations = 20, trend = TRUE)
  model <- suppressWarnings(landmarks(x[1:3], 5, method, scale = "ranks"))
  expect_length(predict(model, x), 60)
  expect_identical(rownames(coef(model, "response"))[7:9], c("ranks(a)", "ranks(b)", "ranks(c)"))
})

test_that("scale is refused where there can be no ranks", {
  x <- skewed()
  y <- x[, "d"]
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  fit <- landmarks(x, 3, scale = "ranks")
  expect_refused(
    landmarks(x, 3, scale = "rank"), landmarks(sparse, 3, scale = "ranks"),
    landmarks(in_chunks(x), 3, scale = "ranks"), landmarks(abs(x), 3, scale = "ranks", space = "nonnegative"),
    predict(fit, sparse), predict(fit, replace(x, 7, Inf)),
    cv_landmarks(x, y, 6, "kmeans", scale = c("sd", "root"))
  )
  # Of several scales by_response() chooses one by rows that are held out.
  both <- c("sd", "ranks")
  expect_refused(
    landmarks(x, 3, scale = both), landmarks(x, 3, by_response(y, held_out = 0), scale = both),
    landmarks(x, 3, by_class(y = y > 0), scale = both),
    landmarks(x, 3, by_response(y), scale = both, space = "nonnegative"),
    landmarks(x, 3, by_response(y), scale = c("sd", "rank"))
  )
})

test_that("a comparison has a row for each scale, and functions one for all, as they get none", {
  x <- skewed(90)
  y <- x[, "d"] + log(x[, "a"])
  compare <- function(...) cv_landmarks(x, y, 6, folds = 3, seeds = 1, ...)
  own <- function(x, n) as_landmarks(x[1:n, ], x)
  cv <- compare(list(km = by_kmeans(), raw = raw_features, own = own), scale = c("sd", "ranks"))
  expect_identical(cv$summary$method, c("km", "km", "raw", "own"))
  expect_identical(cv$summary$scale, c("sd", "ranks", "sd", NA))
  alone <- compare(list(km = by_kmeans()), scale = "ranks", lambda = cv$lambda)
  ours <- cv$units[cv$units$method == "km" & cv$units$scale == "ranks", ]
  expect_equal(without(no_time(ours), "scale"), no_time(alone$units), ignore_attr = TRUE)
  expect_length(predict(cv, x[1:4, ]), 4)
  expect_snapshot(cat(cv$compared, sep = "\n"))
})

test_that("of several scales by_response() keeps the one that held-out rows prefer", {
  x <- skewed()
  alone <- function(y, scale) {
    # Of a table, so that names go along.
    set.seed(5)
    suppressWarnings(landmarks(as.data.frame(x), 4, by_response(y, iterations = 5), scale = scale))
  }
  kept <- integer()
  # The logarithm of a skewed column is close to its scores; the product of all columns' numbers is not.
  for (y in list(log(x[, "a"]), x[, "d"] + x[, "a"])) {
    each <- lapply(c("sd", "ranks"), alone, y = y)
    loss <- vapply(each, function(fit) fit$response$held_out$loss, 0)
    expect_identical(bare(fit <- alone(y, c("ranks", "sd"))), bare(each[[which.min(loss)]]))
    expect_length(predict(fit, as.data.frame(x)), 60)
    kept <- c(kept, which.min(loss))
  }
  expect_setequal(kept, 1:2)
})
