# Large scratch memory of a climb is outside of R's heap. It comes back at once where the climb ends, and by
# the garbage collector where an error or an interrupt leaves it.

skip_slow_file()

# A climb in a space that is given as a function. About 40 MB are lent for its 700 landmarks.
climb_in <- function(space) {
  x <- landmarker:::as_source(matrix(rep(1:1400 / 700, 2), 1400))
  settings <- list(
    over = "all", fixed = 0L, criterion = "trace", max_iterations = 2L, halvings = 1L, tolerance = 0
  )
  kernel <- list(bandwidth = 1e-5, space = space)
  .Call(landmarker:::C_climb, x, x$x[1:700, ], kernel, c(settings, landmarker:::compute_with()))
}

# In an R of its own, whose memory nothing else has used: the address space that two climbs take, which an
# error and an interrupt leave, and how much more is in use after many of these, and after climbs that end.
lent_and_left <- function(climb_in) {
  megabytes <- function() as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][1]) * 4096 / 1e6
  fails <- function() try(climb_in(function(point) stop("theirs")), silent = TRUE)
  interrupted <- function() {
    tryCatch(climb_in(function(point) rlang::interrupt()), interrupt = function(i) "interrupted")
  }
  start <- megabytes()
  stopifnot(inherits(fails(), "try-error"), identical(interrupted(), "interrupted"))
  held <- megabytes() - start
  gc()
  before <- megabytes()
  for (k in 1:6) {
    if (k %% 2) fails() else interrupted()
    gc()
  }
  left <- megabytes() - before
  for (k in 1:4) climb_in(identity)
  c(held = held, left = left, after = megabytes() - before)
}

test_that("memory is returned after errors, interrupts and plain ends", {
  skip_if_not(file.exists("/proc/self/statm"))
  # The address sanitizer would keep memory that is freed for a while (tools/sanitize.sh).
  withr::local_envvar(ASAN_OPTIONS = paste0(
    Sys.getenv("ASAN_OPTIONS"), ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
  ))
  environment(climb_in) <- globalenv()
  found <- in_fresh_r(lent_and_left, utils::removeSource(climb_in))
  expect_gt(found[["held"]], 20)
  expect_lt(found[["left"]], 60)
  expect_lt(found[["after"]], 100)
})

test_that("an error inside a callback leaves R's stack of protected values as it was", {
  said <- capture.output(type = "message", {
    for (k in 1:3) {
      eval(quote(try(climb_in(function(point) stop("theirs")), silent = TRUE)))
      eval(quote(try(climb_in(function(point) 1), silent = TRUE)))
    }
  })
  expect_identical(said, character())
})
