# A limit of time that falls into the user's own code ends the call as itself: no function of the package
# tells it as a failure of that code, or goes on without its result.

# The user's code: it waits until the limit, which is set here, so that it falls nowhere else.
wait <- function(...) {
  setTimeLimit(elapsed = 0.02, transient = TRUE)
  until <- proc.time()[["elapsed"]] + 20
  while (proc.time()[["elapsed"]] < until) NULL
  stop("nothing has ended the wait")
}

# What a call ends in.
limited <- function(work) {
  on.exit(setTimeLimit())
  tryCatch(
    {
      work()
      "no error"
    },
    error = conditionMessage
  )
}

expect_limit <- function(work) expect_match(limited(work), "^reached elapsed time limit")

x <- odd_matrix(60, 3)
y <- factor(rep(c("a", "b"), 30))

test_that("a limit within a method of cv_landmarks() ends the comparison", {
  expect_limit(function() cv_landmarks(x, y, list(mine = wait), n = 2:3))
  learned <- function(x, n) structure(list(), class = "slow_features")
  registerS3method("predict", "slow_features", wait, envir = asNamespace("stats"))
  expect_limit(function() cv_landmarks(x, y, list(mine = learned), n = 2:3))
})

test_that("a limit within the user's reader or formula ends the fit", {
  frame <- data.frame(a = 1:9 + 0, b = sin(1:9))
  expect_limit(function() landmarks(chunked(1:2, wait), 3))
  expect_limit(function() cv_landmarks(wait(a) ~ b, data = frame, n = 3))
  expect_limit(function() cv_landmarks(a ~ b, data = frame, n = 3, weights = wait()))
})

test_that("other errors are told as those of the user's code", {
  expect_error(
    cv_landmarks(x, y, list(mine = function(x, n) stop("mine")), n = 2), class = "landmarker_error_method"
  )
  broken <- function(i) stop("mine")
  expect_error(landmarks(chunked(1:2, broken), 3), class = "landmarker_error_chunks")
})
