# Landmarks that predict a response: where it comes from, each family, and what is refused.

skip_slow_file()

# Most claims need no tuning, which takes most of the time.
quick <- function(..., iterations = 200, held_out = 0) {
  by_response(..., iterations = iterations, held_out = held_out)
}
# With held-out rows, of a single model.
one_model <- function(..., trend = FALSE) {
  quick(..., iterations = 10, held_out = 0.5, penalty = 1, relevance = FALSE, trend = trend)
}
spiral <- withr::with_seed(15, two_arms())
seeded <- function(seed, ...) withr::with_seed(seed, landmarks(...))

test_that("the response may come from a formula, and cv_landmarks() gives each fold that of its rows", {
  a <- seeded(1, Species ~ ., data = iris, n = 4, method = quick(iterations = 5, held_out = 0.5))
  b <- seeded(1, iris[1:4], 4, quick(iris$Species, iterations = 5, held_out = 0.5))
  for (part in c("landmarks", "response")) expect_identical(a[[part]], b[[part]])
  fit <- seeded(1, log(mag) ~ lat + long, quakes, n = 5, method = quick(iterations = 5, held_out = 0.5))
  expect_equal(colnames(coef(fit)), c("lat", "long"))
  expect_equal(fit$response$held_out$observed, log(quakes$mag)[fit$response$held_out$index])
  seen <- list()
  spy <- new_landmark_method("by_spy", list(y = NULL), uses_response = TRUE)
  registerS3method("select_landmarks", "by_spy", function(method, source, n, kernel, held, call) {
    seen[[length(seen) + 1]] <<- method$y$y[, 1]
    landmark_selection(rows_as_points(source, 1:n))
  }, asNamespace("landmarker"))
  folds <- rep(1:3, 20)
  y <- sin(1:60)
  cv_landmarks(odd_matrix(60, 2), y, 3, methods = list(spy = spy), folds = folds, seeds = 1)
  expect_equal(seen, list(y[folds != 1], y[folds != 2], y[folds != 3], y))
})

test_that("landmarks that know the response predict it better than those that do not", {
  set.seed(1)
  methods <- list(gp = by_gp(), kmeans = by_kmeans(), response = quick(iterations = 1000))
  cv <- cv_landmarks(spiral$x, spiral$y, 8, methods, test = seq(1, 400, 4), folds = 2, seeds = 1)
  accuracy <- stats::setNames(cv$summary$test_accuracy, cv$summary$method)
  expect_gt(accuracy[["response"]], max(accuracy[c("gp", "kmeans")]) + 0.05)
})

test_that("landmarks stay in their space", {
  x <- hellinger(withr::with_seed(7, matrix(stats::rpois(300 * 12, 2), 300)))
  fit <- seeded(7, x, 6, quick(factor(max.col(x[, 1:3], "first"))), space = "nonnegative_sphere")
  expect_lt(naive_violation(coef(fit), "nonnegative_sphere"), 1e-10)
  fit <- seeded(7, spiral$x, 5, quick(spiral$y), space = function(t) c(0, t[-1]))
  expect_equal(unname(coef(fit)[, 1]), numeric(5))
})

test_that("landmarks are added to those that are held, and any fit can be moved toward a response", {
  set.seed(10)
  fit <- quiet(landmarks(spiral$x, 6))
  more <- quiet(add_landmarks(fit, spiral$x, 4, one_model(spiral$y)))
  expect_identical(coef(more)[1:6, ], coef(fit)[1:6, ])
  moved <- refine_landmarks(fit, spiral$x, 200, y = spiral$y)
  for (later in list(more, moved)) expect_equal(later$bandwidth, fit$bandwidth)
  expect_identical(c(nrow(more$response$coefficients), nrow(moved$response$coefficients)), c(11L, 7L))
  expect_gt(mean(predict(moved, spiral$x, "class") == spiral$y), 0.8)
  # The landmarks of a fit with a response have seen that of all rows.
  expect_gt(more$response$held_out$rows, 0)
  expect_null(add_landmarks(more, spiral$x, 2, one_model(spiral$y))$response$held_out)
  expect_null(refine_landmarks(more, spiral$x, 50, y = spiral$y)$response$held_out)
  # Without the response the regression no longer fits.
  expect_null(suppressWarnings(refine_landmarks(moved, spiral$x, 2))$response)
  expect_null(suppressWarnings(add_landmarks(moved, spiral$x, 2, "random"))$response)
})

test_that("few landmarks do not stop on a plateau of the loss", {
  set.seed(1)
  x <- matrix(runif(5000), 500)
  y <- 10 * sin(pi * x[, 1] * x[, 2]) + 20 * (x[, 3] - 0.5)^2 + 10 * x[, 4] + 5 * x[, 5] + rnorm(500)
  fit <- landmarks(x, 12, by_response(y), scale = TRUE)
  expect_gt(1 - fit$response$held_out$measure / fit$response$held_out$baseline, 0.9)
})

test_that("the unit of the columns does not matter, however large", {
  set.seed(1)
  x <- matrix(rnorm(240), 120)
  y <- sin(2 * x[, 1]) + x[, 2]^2
  predicted <- function(unit) {
    set.seed(1)
    predict(landmarks(unit * x, 8, by_response(y)), unit * x)
  }
  expect_equal(predicted(2^300), predicted(1), tolerance = 1e-5)
  expect_equal(predicted(2^-300), predicted(1), tolerance = 1e-5)
})

test_that("without relevances a rotation of the data rotates the landmarks", {
  set.seed(1)
  x <- matrix(rnorm(300), 100)
  rotation <- qr.Q(qr(matrix(rnorm(9), 3)))
  y <- sin(2 * x[, 1]) + x[, 2]^2
  of <- function(x, ...) {
    set.seed(2)
    method <- by_response(y, relevance = FALSE, trend = FALSE, held_out = 0, iterations = 20, ...)
    method$start <- by_gp(max_iterations = 0)
    coef(landmarks(x, 6, method))
  }
  expect_equal(of(x %*% rotation), of(x) %*% rotation, tolerance = 1e-6)
  expect_equal(of(x %*% rotation, batch_size = 100), of(x, batch_size = 100) %*% rotation, tolerance = 1e-6)
})

test_that("a line is predicted far from all rows", {
  set.seed(2)
  x <- matrix(runif(400, -1, 1), 200)
  y <- as.vector(3 + x %*% c(2, -1) + rnorm(200) / 100)
  far <- 1e3 * rbind(c(5, 5), c(-8, 3))
  fit <- landmarks(x, 5, quick(y, trend = TRUE))
  # Relevances may vanish, so that no row is far.
  expect_equal(suppressWarnings(predict(fit, far)), as.vector(3 + far %*% c(2, -1)), tolerance = 0.01)
  expect_identical(tidy(fit, "coefficients")$term[7:8], c("V1", "V2"))
  none <- landmarks(x, 5, quick(y, trend = FALSE))
  expect_warning(p <- predict(none, far), class = "landmarker_warning_far")
  expect_equal(p, rep(none$response$coefficients[1], 2))
})

test_that("counts have a mean of their own, and outliers count little with a robust loss", {
  set.seed(3)
  x <- matrix(runif(300, -3, 3))
  mean <- exp(1 + sin(x[, 1]))
  fit <- landmarks(x, 8, quick(stats::rpois(300, 50 * mean), "poisson", iterations = 300))
  expect_equal(predict(fit, x) / (50 * mean), rep(1, 300), tolerance = 0.05)
  expect_output(print(fit), "Poisson regression")
  y <- replace(sin(x[, 1]) + rnorm(300) / 10, 1:20, 50)
  off <- vapply(c("huber", "gaussian"), function(family) {
    # Squares of these outliers are hardly predicted better than by the mean, with a warning.
    fit <- suppressWarnings(landmarks(x, 8, quick(y, family, iterations = 300)), "landmarker_warning")
    mean(abs(predict(fit, x) - sin(x[, 1])))
  }, 0)
  expect_lt(off[["huber"]], 0.15)
  expect_gt(off[["gaussian"]], 1)
})

test_that("several numbers are predicted at once, under names of their own", {
  fit <- seeded(4, cbind(mpg, hp) ~ wt + disp + cyl, mtcars, 5, quick(held_out = 0.5), scale = TRUE)
  p <- predict(fit, mtcars)
  expect_identical(colnames(p), c("mpg", "hp"))
  expect_gt(min(diag(stats::cor(p, mtcars[c("mpg", "hp")]))), 0.8)
  intervals <- predict(fit, mtcars, interval = "prediction", level = 0.8)
  expect_identical(colnames(intervals), c("mpg.fit", "mpg.lwr", "mpg.upr", "hp.fit", "hp.lwr", "hp.upr"))
  expect_true(all(c(".pred_mpg", ".pred_hp") %in% names(augment(fit, mtcars))))
  d <- data.frame(x = 1:30 / 30, a = sin(1:30), b = 2:31)
  named <- function(y) {
    fit <- suppressMessages(suppressWarnings(landmarks(d["x"], 3, quick(y, iterations = 10))))
    colnames(predict(fit, d))
  }
  expect_identical(named(cbind(a = d$a, log(d$b), log(d$b + 1))), c("a", "y2", "y3"))
  expect_identical(named(cbind(a = d$a > 0.5, a = d$b > 9)), c("a", "a.1"))
})

test_that("a bandwidth is learned where none is given, and kept where one is", {
  learn <- function(...) seeded(8, spiral$x, 8, quick(spiral$y, iterations = 20), ...)
  variance <- sum(apply(spiral$x, 2, stats::var))
  expect_identical(learn()$bandwidth_rule, "learned with the response")
  expect_false(learn()$bandwidth == variance)
  expect_identical(learn(bandwidth = 0.7)$bandwidth, 0.7)
  expect_equal(learn(bandwidth = "variance")$bandwidth, variance)
  methods <- list(r = quick(iterations = 20))
  cv <- cv_landmarks(spiral$x, spiral$y, 8, methods, bandwidth = c(0.7, 1), folds = 2, seeds = 1)
  expect_true(cv$fit$bandwidth %in% c(0.7, 1))
})

test_that("chunks give the relevances, trend, intervals and predictions of the data in memory", {
  x <- as.matrix(quakes[c("lat", "long", "mag")])
  fits <- lapply(list(x, in_chunks(x)), function(x) {
    seeded(5, x, 6, quick(quakes$depth, iterations = 20, held_out = 0.5, relevance = TRUE, trend = TRUE))
  })
  for (part in list("landmarks", "relevance", c("response", "trend"), c("response", "interval"))) {
    expect_equal(fits[[2]][[part]], fits[[1]][[part]], tolerance = 1e-5)
  }
  for (given in list(list("response"), list("variance"), list("response", interval = "prediction"))) {
    found <- lapply(list(x, in_chunks(x)), function(x) do.call(predict, c(list(fits[[1]], x), given)))
    expect_equal(found[[2]], found[[1]], ignore_attr = TRUE)
  }
})

test_that("rows of weight 0 are no rows, whatever their response", {
  y <- 50 + 10 * spiral$x[, 1]
  cases <- list(
    binomial = list(spiral$y, rev(spiral$y)), gaussian = list(y, y + 1e200), huber = list(y, y + 1e200)
  )
  v <- rep(c(0, 1, 2, 1), 100)
  for (family in names(cases)) {
    fits <- lapply(cases[[family]], function(other) {
      y <- replace(cases[[family]][[1]], v == 0, other[v == 0])
      seeded(9, spiral$x, 4, one_model(y, family), weights = v)
    })
    expect_equal(fits[[2]]$landmarks, fits[[1]]$landmarks)
    expect_equal(predict(fits[[2]], spiral$x), predict(fits[[1]], spiral$x), info = family)
  }
  # The same rows are held out as without them, and as in chunks, whose sample has no rows of weight 0.
  d <- data.frame(spiral$x, y = spiral$y, w = v)
  fits <- lapply(list(d, d[v > 0, ], in_chunks(d, 4)), function(d) {
    seeded(9, y ~ X1 + X2, d, 6, one_model(start = "random"), weights = w)
  })
  held_out <- lapply(fits, function(fit) fit$response$held_out$index)
  for (k in 2:3) expect_equal(fits[[1]]$landmarks, fits[[k]]$landmarks)
  expect_identical(held_out[c(1, 1)], list(which(v > 0)[held_out[[2]]], held_out[[3]]))
})

# ---- input that is wrong, and input that is hard ---------------------------------------

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3))
y <- factor(c("u", "v", "u", "v", "u", "v"))
learn <- function(...) suppressWarnings(landmarks(x, 2, by_response(...)))

test_that("options, responses and predictions that do not fit are refused", {
  data <- data.frame(x, y)
  setosa <- iris$Species == "setosa"
  number <- learn(1:6 / 7, iterations = 5, held_out = 0.5)
  classes <- learn(y, iterations = 5, held_out = 0)
  tags <- learn(cbind(c(0, 1, 0, 1, 1, 1), 0), iterations = 5, held_out = 0)
  expect_refused(
    by_response(y, family = "gamma"), by_response(y, start = by_gp), by_response(y, iterations = 0),
    by_response(y, batch_size = 0), by_response(y, held_out = 0.6), by_response(y, penalty = -1),
    by_response(y, relevance = -1), by_response(y, trend = 1), by_class(y), by_class(by_response(), y),
    learn(), learn(y[-1]), learn(replace(y, 2, NA)), learn(c(1, 2, Inf, 4, 5, 6)), learn(factor(rep("u", 6))),
    learn(rep(3, 6)), learn(list(1, 2, 3, 4, 5, 6)), learn(matrix(1, 6, 2)), learn(cbind(0, rep(1, 6))),
    learn(cbind(1:6, 3)),
    learn(-(1:6), family = "poisson"), learn(1:6 / 7, family = "multinomial"),
    learn(factor(c(1:3, 1:3)), family = "binomial"),
    learn(cbind(c(0, 1, 0, 1, 1, 1), 1), family = "multinomial"),
    landmarks(iris[1:4], 4, by_response(setosa), weights = as.numeric(setosa)),
    landmarks(y ~ a, data, 2, by_response(y)), landmarks(z ~ a, data, 2, by_response()),
    landmarks(y ~ a, data, 2), cv_landmarks(x, y, 2, list(r = by_response(y)), folds = 2, seeds = 1),
    refine_landmarks(landmarks(x, 2), x, y = y[-1]), refine_landmarks(landmarks(x, 2), x, 1.5, y = y),
    landmarks(x, 2, by_class()), landmarks(x, 2, by_class(y = 1:6 / 7)), landmarks(x, 1, by_class(y = y)),
    predict(landmarks(x, 2), x, "response"), predict(number, x, "class"),
    predict(number, x, "nearest", interval = "prediction"), predict(number, x, interval = "confidence"),
    predict(number, x, interval = "prediction", level = 90),
    predict(classes, x, "response", interval = "prediction"), predict(tags, x, "set"),
    predict(learn(y, iterations = 5, held_out = 0), x, "set"),
    predict(learn(1:6 / 7, iterations = 5, held_out = 0), x, interval = "prediction"),
    # The name of a column, a file or a table in a wrong place has a remedy.
    cv_landmarks(iris[1:4], "Species", 3), landmarks("a.csv", 3), embed_landmarks(iris[1:4])
  )
  # Tens of thousands of classes are refused before anything is computed.
  expect_error(
    landmarks(matrix(1:40000, 20000), 5, by_response(as.character(1:20000))),
    "20000 classes in 20000 rows needs about 38.4 GB", class = "landmarker_error_memory"
  )
})

test_that("a response that is a column of the data too is told, by name or number", {
  frame <- iris[c(1:20, 51:70, 101:120), ]
  compare <- function(x, y) {
    cv_landmarks(x, y, n = 2, folds = 2, methods = "random", seeds = 1, scale = FALSE, refit = FALSE)
  }
  learn <- function(x, y, ...) landmarks(x, 2, quick(y, iterations = 10), scale = FALSE, ...)
  told <- "landmarker_warning_response"
  for (y in list(frame$Species, as.character(frame$Species))) {
    expect_warning(compare(frame, y), 'Column "Species" of the data', class = told)
  }
  bare <- unname(as.matrix(frame[1:4]))
  expect_warning(compare(bare, frame$Petal.Width), "Column 4 of the data", class = told)
  holes <- replace(frame, cbind(3, 1), NA)
  suppressWarnings(
    expect_warning(learn(holes, frame$Species, na.action = na.omit), 'Column "Species" of', class = told)
  )
  # Numbers that agree in the first rows alone.
  expect_no_warning(compare(frame[1:4], replace(frame$Petal.Width, 60, 0)), class = told)
  expect_no_warning(learn(frame[1:4], frame$Species), class = told)
})

test_that("few rows, few steps, a kernel of rank 1 and tiny weights are no errors", {
  finite <- function(...) expect_true(all(is.finite(suppressWarnings(landmarks(...))$response$coefficients)))
  one <- factor(c("u", "v", "v", "u", "w", "v"))
  expect_identical(levels(predict(learn(one, iterations = 5), x, "class")), levels(one))
  finite(x, 6, quick(y, iterations = 20))
  for (k in c(1, 2, 21)) finite(iris[1:4], 3, quick(iris$Species, iterations = k, held_out = 0.5))
  finite(iris[1:4], 3, quick(iris$Sepal.Width, iterations = 60), bandwidth = 1e40)
  z <- odd_matrix(100, 3)
  finite(z, 5, quick(z[, 1] > 0, iterations = 50), weights = c(1, rep(1e-200, 99)))
  said <- "fewer than two rows per class on average.*as.numeric\\(as.character\\(y\\)\\)"
  suppressWarnings(expect_warning(landmarks(x, 2, by_response(letters[1:6], iterations = 5)), said))
})

test_that("a fit does not keep its response, and its summary has no columns of NA", {
  fit <- suppressWarnings(landmarks(z <- odd_matrix(40, 3), 3, quick(z[, 1], iterations = 5)))
  expect_match(refusal(add_landmarks(fit, z, 1)), "method = by_response(y = y)", fixed = TRUE)
  expect_false(anyNA(summary(fit)))
  expect_identical(names(tidy(fit))[1:3], c("landmark", "iterations", "nearest"))
})

test_that("fewer landmarks are learned if there are fewer distinct rows, each with a coefficient", {
  for (method in list(by_response(iterations = 20), by_response(held_out = 0, iterations = 20))) {
    expect_warning(
      fit <- seeded(1, mpg ~ cyl + gear, data = mtcars, n = 10, method = method, scale = TRUE),
      class = "landmarker_warning_rank"
    )
    expect_lte(length(fit), nrow(unique(mtcars[c("cyl", "gear")])))
    expect_identical(nrow(coef(fit, "response")), length(fit) + 1L + 2L)
    expect_true(all(is.finite(predict(fit, mtcars))))
  }
})

test_that("responses of any size are predicted, and an outlier of any size leaves a fit whole", {
  predicted <- function(y, family = NULL) {
    # The response as it is, but for its last bits, is a column of the data too.
    method <- one_model(y, family, trend = TRUE)
    predict(suppressWarnings(seeded(1, iris[1:4], 3, method, bandwidth = 2)), iris)
  }
  y <- iris$Sepal.Width * (1 + 1e-15)
  p <- predicted(y)
  for (unit in c(1e-300, 1e-170, 1e160, 1e300)) expect_equal(predicted(y * unit) / unit, p, tolerance = 1e-4)
  for (size in c(1e10, 1e155, 1e300)) for (family in c("gaussian", "huber")) {
    expect_true(all(is.finite(predicted(replace(y, 3, size), family))))
  }
})
