# Every error that a user can cause: its class, and by a snapshot what it says,
# which is the argument, the rule and what was given.

skip_slow_file()

# Exact in binary, so that messages show them in full.
x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))

with_bad <- function(value, row = 5, column = 2, at = x) {
  at[row, column] <- value
  at
}

fitted_once <- function(...) {
  set.seed(1)
  landmarks(x, 2, ...)
}

# ---- data --------------------------------------------------------------------

test_that("x must be a matrix of numbers or a data frame", {
  expect_refused(landmarks(n = 2))
  expect_refused(landmarks("a", 2), "data")
  expect_refused(landmarks(NULL, 2), "data")
  expect_refused(landmarks(list(1, 2), 2), "data")
  expect_refused(landmarks(mean, 2), "data")
  expect_refused(landmarks(matrix(letters[1:4], 2), 2), "data")
  expect_refused(landmarks(matrix(list(1, 2), 1), 1), "data")
  expect_refused(landmarks(matrix(1i, 2, 2), 2), "data")
  expect_refused(landmarks(array(1:24, 2:4), 2), "data")
  expect_refused(landmarks(c(1.5, 2), 1), "data")
  expect_refused(landmarks(1:5, 1), "data")
  expect_refused(landmarks(factor(1:3), 1), "data")
  expect_refused(landmarks(as.Date("2024-02-29"), 1), "data")
  expect_refused(landmarks(structure(x, class = "foreign"), 1), "data")
  expect_refused(landmarks(methods::as(c(1, 0), "sparseVector"), 1), "data")
})

test_that("x must have rows and columns", {
  expect_refused(landmarks(x[0, ], 2), "data")
  expect_refused(landmarks(x[, 0], 2), "data")
  expect_refused(landmarks(Matrix::Matrix(0, 0, 3, sparse = TRUE), 2), "data")
  expect_refused(landmarks(data.frame(), 2), "data")
})

test_that("x must not have missing or infinite values: dense", {
  expect_refused(landmarks(with_bad(NA), 2), "missing")
  expect_refused(landmarks(with_bad(NaN), 2), "missing")
  expect_refused(landmarks(with_bad(-Inf), 2), "missing")
  expect_refused(landmarks(unname(with_bad(Inf)), 2), "missing")
  expect_refused(landmarks(matrix(c(1:3, NA, 5:6), 3), 2), "missing")
  expect_refused(landmarks(matrix(c(TRUE, FALSE, NA, TRUE), 2), 2), "missing")
})

test_that("the first missing value is named, column by column", {
  twice <- with_bad(Inf, 6, 1, with_bad(NA, 1, 3))
  expect_error(landmarks(twice, 2), "The first is Inf, in row 6, column 1 (a)", fixed = TRUE)
  # Wide enough for more than one thread.
  wide <- matrix(0, 300, 500)
  wide[cbind(c(299, 7), c(499, 500))] <- c(NaN, NA)
  expect_error(landmarks(wide, 2), "The first is NaN, in row 299, column 499", fixed = TRUE)
})

test_that("x must not have missing or infinite values: sparse", {
  sparse <- methods::as(x, "CsparseMatrix")
  expect_refused(landmarks(with_bad(NA, at = sparse), 2), "missing")
  expect_refused(landmarks(with_bad(NaN, 4, 3, sparse), 2), "missing")
  expect_refused(landmarks(with_bad(Inf, 1, 1, sparse), 2), "missing")
  plain <- sparse
  dimnames(plain) <- list(NULL, NULL)
  expect_refused(landmarks(with_bad(-Inf, 6, 3, plain), 2), "missing")
  expect_refused(landmarks(methods::as(with_bad(NA, at = x > 0), "CsparseMatrix"), 2), "missing")
})

test_that("an invalid sparse matrix does not reach the core", {
  short <- far <- unsorted <- starts <- methods::as(x, "CsparseMatrix")
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

test_that("values whose squares leave a computer's range are refused", {
  expect_refused(landmarks(x * 1e160, 2), "data")
  expect_refused(landmarks(methods::as(x * 1e160, "CsparseMatrix"), 2, bandwidth = 1), "data")
  expect_refused(landmarks(x * 1e-160, 2, scale = TRUE), "data")
  expect_error(landmarks(x * 1e-160, 2), class = "landmarker_error_bandwidth")
})

# ---- n -----------------------------------------------------------------------

test_that("n must be a whole number of at least 1", {
  expect_refused(landmarks(x))
  expect_refused(landmarks(as.data.frame(x)))
  expect_refused(landmarks(~a, as.data.frame(x)))
  expect_refused(landmarks(x, 0))
  expect_refused(landmarks(x, -1))
  expect_refused(landmarks(x, 1.5))
  expect_refused(landmarks(x, NA))
  expect_refused(landmarks(x, NaN))
  expect_refused(landmarks(x, Inf))
  expect_refused(landmarks(x, c(1, 2)))
  expect_refused(landmarks(x, "3"))
  expect_refused(landmarks(x, TRUE))
  expect_refused(landmarks(x, NULL))
  expect_refused(landmarks(x, list(2)))
  expect_refused(landmarks(x, 1e10))
})

test_that("n must not be larger than the number of rows that count", {
  expect_refused(landmarks(x, 7), "rank")
  expect_refused(landmarks(x, 7, "random"), "rank")
  expect_refused(landmarks(x, 3, weights = c(1, 0, 2, 0, 0, 0)), "rank")
  expect_error(add_landmarks(fitted_once(), x, 5), class = "landmarker_error_rank")
})

# ---- bandwidth ---------------------------------------------------------------

test_that("bandwidth must be a number above 0, or a rule", {
  expect_refused(landmarks(x, 2, bandwidth = 0), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = -1), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = NA), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = NaN), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = Inf), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = c(1, 2)), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = NULL), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = TRUE), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = "silverman"), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = NA_character_), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = c("variance", "median")), "bandwidth")
  expect_refused(landmarks(x, 2, bandwidth = 1e-310), "bandwidth")
})

test_that("identical rows give no bandwidth", {
  expect_refused(landmarks(x[c(1, 1, 1), ], 1), "bandwidth")
  expect_refused(landmarks(x[c(1, 1, 1), ], 1, bandwidth = "median"), "bandwidth")
  expect_refused(landmarks(x, 1, weights = c(1, 0, 0, 0, 0, 0)), "bandwidth")
  expect_refused(landmarks(x[1, , drop = FALSE], 1), "bandwidth")
  # More than half of the rows the same: the median is 0, the variance is not.
  expect_refused(landmarks(x[c(rep(1, 9), 2), ], 2, bandwidth = "median"), "bandwidth")
  # Values that binary fractions do not hold, so that means are rounded.
  for (n in c(3, 1001)) {
    same <- matrix(rep(c(0.1, 1e8 / 7), each = n), n, 2)
    for (y in list(same, methods::as(same, "CsparseMatrix"))) {
      expect_error(landmarks(y, 1), class = "landmarker_error_bandwidth")
      expect_error(landmarks(y, 1, scale = TRUE), class = "landmarker_error_bandwidth")
      expect_error(landmarks(y, 1, bandwidth = "median"), class = "landmarker_error_bandwidth")
    }
  }
})

test_that("sparse data must lie near the origin, compared to the bandwidth", {
  far <- methods::as(x + 1e8, "CsparseMatrix")
  expect_refused(landmarks(far, 2), "data")
  expect_refused(landmarks(methods::as(x, "CsparseMatrix"), 2, bandwidth = 1e-12), "data")
})

# ---- weights -----------------------------------------------------------------

test_that("weights must be numbers of at least 0, one for each row, not all 0", {
  expect_refused(landmarks(x, 2, weights = c(1, 1, -1, 1, 1, 1)), "weights")
  expect_refused(landmarks(x, 2, weights = c(1, NA, 1, 1, 1, 1)), "weights")
  expect_refused(landmarks(x, 2, weights = c(1, 1, 1, NaN, 1, 1)), "weights")
  expect_refused(landmarks(x, 2, weights = c(Inf, 1, 1, 1, 1, 1)), "weights")
  expect_refused(landmarks(x, 2, weights = numeric(6)), "weights")
  expect_refused(landmarks(x, 2, weights = 1), "weights")
  expect_refused(landmarks(x, 2, weights = 1:7), "weights")
  expect_refused(landmarks(x, 2, weights = numeric()), "weights")
  expect_refused(landmarks(x, 2, weights = letters[1:6]), "weights")
  expect_refused(landmarks(x, 2, weights = rep(TRUE, 6)), "weights")
  expect_refused(landmarks(x, 2, weights = factor(1:6)), "weights")
  expect_refused(landmarks(x, 2, weights = list(1)), "weights")
})

# ---- space -------------------------------------------------------------------

test_that("space must be a name that is known, or a function", {
  expect_refused(landmarks(x, 2, space = "torus"), "space")
  expect_refused(landmarks(x, 2, space = NULL), "space")
  expect_refused(landmarks(x, 2, space = NA), "space")
  expect_refused(landmarks(x, 2, space = 1), "space")
  expect_refused(landmarks(x, 2, space = c("sphere", "nonnegative")), "space")
  expect_refused(landmarks(x, 2, space = "sphere", scale = TRUE), "space")
})

test_that("a projection must return as many finite numbers", {
  expect_refused(landmarks(x, 2, space = function(t) 0.5), "space")
  expect_refused(landmarks(x, 2, space = function(t) c(t, 1)), "space")
  expect_refused(landmarks(x, 2, space = function(t) t * NA), "space")
  expect_refused(landmarks(x, 2, space = function(t) t / 0), "space")
  expect_refused(landmarks(x, 2, space = function(t) as.list(t)), "space")
  expect_refused(landmarks(x, 2, space = function(t) NULL), "space")
  expect_refused(landmarks(x, 2, space = function(t) "a"), "space")
  expect_refused(landmarks(x, 2, space = function(t) t > 0), "space")
})

test_that("a projection that breaks on the way is refused too, by every solver", {
  for (method in list(by_gp(), by_gp("sequential"), by_gp("sgd"), by_random())) {
    for (good in 0:3) {
      calls <- 0
      breaks <- function(t) {
        calls <<- calls + 1
        if (calls > good) t[1] else t
      }
      if (good > 1 && inherits(method, "by_random")) next
      expect_error(landmarks(x, 2, method, space = breaks), class = "landmarker_error_space")
    }
  }
})

test_that("a projection's own error comes through as it is", {
  of_theirs <- function(t) stop("the projection is out of order")
  classed <- function(t) rlang::abort("no", class = "their_error")
  for (method in list(by_gp(), by_gp("sequential"), by_gp("sgd"), by_random())) {
    expect_error(landmarks(x, 2, method, space = of_theirs), "the projection is out of order", fixed = TRUE)
    expect_error(landmarks(x, 2, method, space = classed), class = "their_error")
  }
  calls <- 0
  late <- function(t) {
    calls <<- calls + 1
    if (calls > 3) classed(t)
    t
  }
  expect_error(landmarks(x, 2, space = late), class = "their_error")
  expect_error(refine_landmarks(fitted_once(space = identity), x, max_iterations = 0), NA)
  # A warning of theirs is not an error.
  warns <- function(t) {
    warning("careful")
    t
  }
  suppressWarnings(expect_identical(coef(fitted_once(space = warns)), coef(fitted_once(space = identity))))
})

# ---- method ------------------------------------------------------------------

test_that("method must be a name that is known, or a method object", {
  expect_refused(landmarks(x, 2, "lasso"), "method")
  expect_refused(landmarks(x, 2, NULL), "method")
  expect_refused(landmarks(x, 2, NA), "method")
  expect_refused(landmarks(x, 2, 1), "method")
  expect_refused(landmarks(x, 2, c("gp", "random")), "method")
  expect_refused(landmarks(x, 2, by_gp), "method")
  expect_refused(landmarks(x, 2, list(solver = "joint")), "method")
  expect_refused(landmarks(x, 2, structure(list("binomial", "logit"), class = "family")), "method")
  expect_refused(add_landmarks(fitted_once(), x, 1, method = "lasso"), "method")
})

test_that("options of by_gp() are checked where they are given", {
  expect_refused(by_gp("newton"))
  expect_refused(by_gp(solver = NULL))
  expect_refused(by_gp(solver = c("joint", "sgd")))
  expect_refused(by_gp(start = "middle"))
  expect_refused(by_gp(start = NULL))
  expect_refused(by_gp(start = matrix(NA_real_, 2, 2)))
  expect_refused(by_gp(start = matrix(TRUE, 2, 2)))
  expect_refused(by_gp(start = data.frame(a = "b")))
  expect_refused(by_gp(batch_size = 0))
  expect_refused(by_gp(batch_size = -Inf))
  expect_refused(by_gp(batches = 1.5))
  expect_refused(by_gp(iterations = "ten"))
  expect_refused(by_gp(batches = c(1, 2, 3), iterations = c(1, 2)))
  expect_refused(by_gp(average = 2))
  expect_refused(by_gp(tolerance = -1))
  expect_refused(by_gp(tolerance = NA))
  expect_refused(by_gp(max_iterations = 1.5))
  expect_refused(by_gp(candidates = 0))
  expect_refused(by_gp(gradient = "steep"))
  expect_refused(by_gp(step_size = 1))
  expect_error(landmarks(x, 2, by_gp("sgd", step_size = function(s) NA)), class = "landmarker_error_input")
  expect_error(landmarks(x, 2, by_gp("sgd", step_size = function(s) Inf)), class = "landmarker_error_input")
})

test_that("start must be n points of the space", {
  expect_refused(landmarks(x, 2, by_gp(start = x[1:3, ])))
  expect_refused(landmarks(x, 2, by_gp(start = x[1:2, 1:2])))
  expect_refused(landmarks(x, 2, by_gp(start = x[c(2, 3), ]), space = "nonnegative"), "space")
  expect_refused(landmarks(x / 3, 2, by_gp(start = x[c(1, 3), ]), space = "sphere"), "space")
  expect_refused(landmarks(x, 1, by_gp(start = x[3, , drop = FALSE]), space = function(t) t * 0), "space")
})

# ---- the rest of landmarks() ---------------------------------------------------

test_that("scale must be one of its values", {
  expect_refused(landmarks(x, 2, scale = NA))
  expect_refused(landmarks(x, 2, scale = 1))
  expect_refused(landmarks(x, 2, scale = "yes"))
  expect_refused(landmarks(x, 2, scale = c(TRUE, TRUE)))
})

test_that("an argument that is not there does not vanish in the dots", {
  expect_error(
    landmarks(x, 2, bandwith = 3), "Unknown argument .bandwith.*Did you mean .bandwidth",
    class = "rlang_error"
  )
  expect_error(landmarks(as.data.frame(x), 2, bandwith = 3), class = "rlang_error")
  expect_error(landmarks(~a, as.data.frame(x), 2, bandwith = 3), class = "rlang_error")
  fit <- fitted_once()
  expect_refused(predict(fit, x, kind = "nearest"), "dots")
  expect_refused(predict(fit, x, "variance", x, NULL, NULL, na.fail, 2), "dots")
  # Not even worked out.
  expect_refused(predict(fit, x, kind = stop("evaluated")), "dots")
})

test_that("options must be what they say", {
  fit <- fitted_once()
  local({
    old <- options(landmarker.threads = "two")
    on.exit(options(old))
    expect_refused(landmarks(x, 2), "option")
    expect_refused(predict(fit, x), "option")
    options(landmarker.threads = 0)
    expect_refused(landmarks(x, 2), "option")
    options(landmarker.threads = 1.5)
    expect_refused(add_landmarks(fit, x, 1), "option")
    options(landmarker.threads = c(1, 2))
    expect_refused(refine_landmarks(fit, x), "option")
    options(landmarker.threads = NA)
    expect_refused(nearest_observations(fit, x, 1), "option")
  })
  expect_identical(coef(fitted_once()), coef(fit))
})

# ---- afterwards ----------------------------------------------------------------

test_that("after many errors a good fit still gives the same", {
  before <- fitted_once()
  bad <- list(
    quote(landmarks(with_bad(NA), 2)), quote(landmarks(x, 7)), quote(landmarks(x, 2, bandwidth = -1)),
    quote(landmarks(x, 2, weights = numeric(6))), quote(landmarks(x, 2, space = function(t) t[1])),
    quote(landmarks(x, 2, space = function(t) stop("no"))), quote(landmarks(x, 2, "lasso")),
    quote(landmarks(x, 2, by_gp(start = x))), quote(predict(before, x[, 1:2])),
    quote(predict(before, x, "what"))
  )
  for (round in 1:3) {
    for (code in bad) expect_error(eval(code))
  }
  after <- fitted_once()
  after$seconds <- before$seconds
  expect_identical(after, before)
  expect_identical(predict(after, x), predict(before, x))
})
