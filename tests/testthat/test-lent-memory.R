# Large scratch memory of a climb is outside of R's heap. It comes back at once where the climb ends, and by
# the garbage collector where an error or an interrupt leaves it.

skip_slow_file()

# Megabytes of address space that this process has.
megabytes <- function() {
  as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][1]) * 4096 / 1e6
}

# A climb over parts whose function `gram` is given. About 40 MB are lent for its 700 landmarks.
climb_over_parts <- function(gram) {
  x <- as_source(matrix(rep(1:1400 / 700, 2), 1400))
  settings <- list(
    over = "parts", gram = gram, sums = function(landmarks, inverse) matrix(0, 2, 700), held = 0L,
    criterion = "trace", max_iterations = 2L, halvings = 1L, tolerance = 0
  )
  kernel <- list(bandwidth = 1, space = "euclidean")
  .Call(C_climb, x, x$x[1:700, ], kernel, c(settings, compute_with()))
}

test_that("memory is returned after errors, interrupts and plain ends", {
  skip_if_not(file.exists("/proc/self/statm"))
  fails <- function(landmarks) stop("theirs")
  late <- function(landmarks) rlang::interrupt()
  expect_error(climb_over_parts(fails), "theirs")
  interrupted <- function() tryCatch(climb_over_parts(late), interrupt = function(i) "interrupted")
  expect_identical(interrupted(), "interrupted")
  gc()
  before <- megabytes()
  held <- numeric()
  for (k in 1:20) {
    if (k %% 2) try(climb_over_parts(fails), silent = TRUE) else interrupted()
    held[k] <- megabytes() - before
    gc()
  }
  expect_gt(max(held), 20)
  expect_lt(megabytes() - before, 60)

  for (k in 1:10) climb_over_parts(function(landmarks) diag(700))
  expect_lt(megabytes() - before, 100)
})

test_that("an error inside a callback leaves R's stack of protected values as it was", {
  said <- capture.output(type = "message", {
    for (k in 1:3) {
      eval(quote(try(climb_over_parts(function(landmarks) stop("theirs")), silent = TRUE)))
      eval(quote(try(climb_over_parts(function(landmarks) diag(3)), silent = TRUE)))
    }
  })
  expect_identical(said, character())
})
