# What cv_landmarks() and its baselines refuse, and in which words.

x <- cbind(a = c(0, 1, 2, 3, 4, 5, 6, 7), b = c(0, 2, 1, -1, 0.5, 3, 2, 2))
y <- factor(c("u", "v", "u", "v", "u", "v", "u", "v"))
cv <- function(...) {
  usual <- list(x = x, y = y, n = 2, methods = list(random = by_random()), lambda = 1, folds = 2, seeds = 1)
  with_usual("cv_landmarks", usual, ...)
}

test_that("y must be given, and one for each row, and every class in every fold", {
  expect_refused(
    cv_landmarks(x), cv(y = y[1:7]), cv(y = cbind(1:8, 0)),
    cv(y = factor(c("u", "v", "u", "v", "u", "v", "u", "w"))),
    cv(y = factor(c("u", "v", "u", "v", "u", "v", "w", "w")), folds = rep(1:2, c(6, 2))),
    cv(y = factor(rep(c("u", "v"), each = 4)), folds = NULL, validation = 5:8)
  )
})

test_that("folds and rows that are held out must be rows, and apart from those that are not", {
  held <- function(...) cv(folds = NULL, ...)
  expect_refused(
    cv(folds = 1), cv(folds = 9), cv(folds = c(1, 2)), cv(folds = rep(1, 8)), cv(folds = c(1:7, NA)),
    cv(folds = 2, validation = 1:2), held(validation = 7:9), held(validation = c(1, 2, 1)),
    held(validation = c(TRUE, NA)), held(validation = "a"), held(validation = 1:3, test = 3:4),
    held(validation = 1:4, test = 5:8), cv(test = 9)
  )
})

test_that("other arguments must be what they are, and methods told apart by their names, on data that fit", {
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  # By its name: do.call() would write it out.
  long <- seq_len(2^31 + 5)
  expect_refused(
    cv(x = x[, 0]), cv(lambda = c(1, -1)), cv(lambda = numeric()), cv(n = 0), cv(n = 5), cv(seeds = c(1, 1)),
    cv(measure = "mse"), cv(y = cbind(0, rep(0:1, 4)), top = 3), cv(classes = "pairs"), cv(refit = NA),
    cv(nested = 5), cv(lambda_per_tag = TRUE), cv(bandwidth = c(1, -2)), cv(kernel = "cubic"),
    cv(bandwith = 2), cv_landmarks(x, y, n = long), cv_landmarks(x, y, 2, validation = long),
    cv_landmarks(x, y, 2, by_random(), 1, "variance", 2, NULL, 1, NULL, FALSE, NULL, NULL, 3)
  )
  expect_refused(
    cv(methods = list()), cv(methods = list(a = 3)), cv(methods = "best"),
    cv(methods = list(by_random(), by_random())), method_with_data(by_gp()), method_with_data(3, x),
    method_with_data(by_gp(), 1:8), method_with_data(by_gp(), x, bandwidth = 2),
    cv(methods = list(own = method_with_data(by_gp(), x[1:5, ]))),
    cv(methods = list(own = method_with_data(by_gp(), cbind(x, z = y == "v")))),
    cv(x = x[, 2, drop = FALSE], y = x[, 1], methods = list(own = method_with_data(by_gp(), sparse))),
    cv_landmarks(iris[1:4], iris$Species, 2, list(own = method_with_data(by_gp(), iris)))
  )
})

test_that("a user's own method must give features, and its own errors come through", {
  registerS3method("predict", "test_features", function(object, newdata, ...) object$w(newdata))
  own <- function(w, ...) {
    cv(methods = list(mine = function(x, n) structure(list(w = w), class = "test_features")), ...)
  }
  expect_refused(
    own(function(z) matrix(1, nrow(z), 1)), own(function(z) matrix(1, 3, 2)), own(function(z) "a"),
    own(function(z) matrix(NaN, nrow(z), 2)),
    own(function(z) matrix(1, nrow(z), if (z[1, 1] == 0) 2 else 3), folds = NULL, validation = 1:2),
    cv(methods = list(mine = function(x, n) stop("no luck")))
  )
})

test_that("what was not learned again does not predict, and methods take what they know", {
  done <- cv(refit = FALSE)
  whole <- cv()
  expect_refused(
    predict(done, x), coef(done), predict(whole), predict(whole, x, type = "terms"),
    predict(whole, x[, 1, drop = FALSE]), plot(whole, measure = "mse"), plot(whole, measure = character()),
    plot(whole, part = "test"), as.data.frame(whole, type = "all"), as.data.frame(whole, what = "units")
  )
})

test_that("baselines refuse what they cannot use", {
  skip_if_not_installed("NMF")
  parts <- nmf_features(abs(x), 2, iterations = 2)
  expect_refused(
    nmf_features(x, 1), nmf_features(abs(x), 3), nmf_features(abs(x), 2, iterations = 0), raw_features("a"),
    predict(raw_features(x)), predict(raw_features(x), x[, 1, drop = FALSE]), predict(parts, x)
  )
})
