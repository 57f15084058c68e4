# Errors that a user of landmarks() can cause: their class, and by a snapshot what they say, which is the
# argument, the rule and what was given.

skip_slow_file()

# Exact in binary, so that messages show them in full.
x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
sparse <- methods::as(x, "CsparseMatrix")

with_bad <- function(value, row = 5, column = 2, at = x) replace(at, cbind(row, column), value)
fitted_once <- function(...) withr::with_seed(1, landmarks(x, 2, ...))

test_that("x must be a matrix of numbers or a data frame, with rows and columns, n and scale what they are", {
  no_name <- `colnames<-`(x, c(NA, "a", "b"))
  expect_refused(
    landmarks(n = 2), landmarks("a", 2), landmarks(matrix(letters[1:4], 2), 2),
    landmarks(array(1:24, 2:4), 2), landmarks(1:5, 1), landmarks(as.Date("2024-02-29"), 1),
    landmarks(structure(x, class = "foreign"), 1), landmarks(methods::as(c(1, 0), "sparseVector"), 1),
    landmarks(x[, 0], 2), landmarks(Matrix::Matrix(0, 0, 3, sparse = TRUE), 2), landmarks(no_name, 2)
  )
  expect_refused(
    landmarks(x), landmarks(~a, as.data.frame(x)), landmarks(x, 0), landmarks(x, 1.5), landmarks(x, TRUE),
    landmarks(x, 1e10), landmarks(x, 7), landmarks(x, 3, weights = c(1, 0, 2, 0, 0, 0)),
    landmarks(x, 2, bandwith = 3), predict(fitted_once(), x, kind = stop("evaluated")),
    predict(fitted_once(), x, "variance", x, NULL, NULL, na.fail, 2)
  )
  expect_length(landmarks(x, table(rep(1, 3))[1]), 3)
  expect_refused(
    landmarks(x, 2, weights = c(1, 1, -1, 1, 1, 1)), landmarks(x, 2, weights = c(1, NA, 1, 1, 1, 1)),
    landmarks(x, 2, weights = numeric(6)), landmarks(x, 2, weights = 1:7),
    landmarks(x, 2, weights = factor(1:6)), landmarks(x, 2, space = "torus"),
    landmarks(x, 2, space = "sphere", scale = TRUE), landmarks(x, 2, NULL), landmarks(x, 2, scale = NA),
    landmarks(x, 2, structure(list("binomial", "logit"), class = "family"))
  )
})

test_that("x must not have missing or infinite values, and the first by columns is named", {
  expect_refused(
    landmarks(with_bad(NaN), 2), landmarks(unname(with_bad(-Inf)), 2),
    landmarks(matrix(c(TRUE, FALSE, NA, TRUE), 2), 2), landmarks(with_bad(NaN, 4, 3, sparse), 2),
    landmarks(methods::as(with_bad(NA, at = x > 0), "CsparseMatrix"), 2),
    landmarks(with_bad(Inf, 6, 1, with_bad(NA, 1, 3)), 2)
  )
  # Large enough for more than one thread, and for several blocks of rows.
  large <- matrix(0, 1500, 100)
  large[cbind(c(1499, 7), c(40, 90))] <- c(NaN, NA)
  expect_error(landmarks(large, 2), "The first is NaN, in row 1499, column 40", fixed = TRUE)
})

test_that("an invalid sparse matrix does not reach the core", {
  short <- far <- unsorted <- starts <- sparse
  short@x <- short@x[1:3]
  far@i[1] <- 99L
  unsorted@i <- rev(unsorted@i)
  starts@p[2] <- 999L
  for (broken in list(short, far, unsorted, starts)) {
    # What is wrong with it are the words of Matrix.
    expect_error(landmarks(broken, 2), "must be a valid object of its class", class = "landmarker_error_data")
    expect_error(predict(fitted_once(), broken), class = "landmarker_error_data")
  }
})

test_that("bandwidth is a number above 0, or a rule, and equal rows give none", {
  expect_refused(
    landmarks(x, 2, bandwidth = 0), landmarks(x, 2, bandwidth = Inf), landmarks(x, 2, bandwidth = c(1, 2)),
    landmarks(x, 2, bandwidth = "silverman"), landmarks(x, 2, bandwidth = 1e-310),
    landmarks(x, 2, bandwidth = structure(3, class = "integer64")),
    landmarks(x * 1e160, 2), landmarks(sparse, 2, bandwidth = 1e-12),
    landmarks(x, 1, weights = c(1, 0, 0, 0, 0, 0)),
    # More than half of the rows are the same: the median is 0, the variance is not.
    landmarks(x[c(rep(1, 9), 2), ], 2, bandwidth = "median")
  )
  # Values that binary fractions do not hold, so that means are rounded.
  for (n in c(3, 1001)) {
    same <- matrix(rep(c(0.1, 1e8 / 7), each = n), n, 2)
    for (y in list(same, methods::as(same, "CsparseMatrix"))) {
      for (more in list(list(), list(scale = TRUE), list(bandwidth = "median"))) {
        expect_error(do.call(landmarks, c(list(y, 1), more)), class = "landmarker_error_bandwidth")
      }
    }
  }
})

test_that("a projection returns as many finite numbers, at its first call and later, in every solver", {
  expect_refused(
    landmarks(x, 2, space = function(t) c(t, 1)), landmarks(x, 2, space = function(t) t / 0),
    landmarks(x, 2, space = function(t) as.list(t)), landmarks(x, 2, space = function(t) t > 0)
  )
  for (method in list(by_gp(), by_gp("sequential"), by_gp("sgd"), by_random(), by_kmeans())) {
    for (good in if (inherits(method, c("by_random", "by_kmeans"))) 0:1 else 0:3) {
      later <- function(breaks) {
        calls <- 0
        function(t) {
          calls <<- calls + 1
          if (calls > good) breaks(t) else t
        }
      }
      expect_error(landmarks(x, 2, method, space = later(function(t) t[1])), class = "landmarker_error_space")
      # Its own error comes through as it is.
      theirs <- function(t) rlang::abort("no", class = "their_error")
      expect_error(landmarks(x, 2, method, space = later(theirs)), class = "their_error")
    }
  }
  # A warning of theirs is not an error.
  warns <- function(t) {
    warning("careful")
    t
  }
  suppressWarnings(expect_identical(coef(fitted_once(space = warns)), coef(fitted_once(space = identity))))
})

test_that("options of by_gp() are checked where they are given, and start is n points of the space", {
  expect_refused(
    by_gp("newton"), by_gp(start = "middle"), by_gp(start = matrix(NA_real_, 2, 2)),
    by_gp(start = data.frame(a = "b")), by_gp(batch_size = -Inf), by_gp(batches = 1.5),
    by_gp(batches = c(1, 2, 3), iterations = c(1, 2)), by_gp(average = 2), by_gp(tolerance = -1),
    by_gp(max_iterations = 1.5), by_gp(candidates = 0), by_gp(gradient = "steep"), by_gp(step_size = 1),
    landmarks(x, 2, by_gp("sgd", step_size = function(s) Inf)), landmarks(x, 2, by_gp(start = x[1:3, ])),
    landmarks(x, 2, by_gp(start = x[1:2, 1:2])),
    landmarks(x, 2, by_gp(start = x[c(2, 3), ]), space = "nonnegative"),
    landmarks(x / 3, 2, by_gp(start = x[c(1, 3), ]), space = "sphere"),
    landmarks(x, 1, by_gp(start = x[3, , drop = FALSE]), space = function(t) t * 0)
  )
})
