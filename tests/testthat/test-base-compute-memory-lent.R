# Large scratch memory of a climb is outside of R's heap. It comes back at once where the climb ends, and by
# the garbage collector where an error or an interrupt leaves it.

skip_slow_file()

# Megabytes of address space that this process has.
megabytes <- function() {
  as.numeric(strsplit(readLines("/proc/self/statm"), " ")[[1]][1]) * 4096 / 1e6
}

# A climb in a space that is given as a function. About 40 MB are lent for its 700 landmarks.
climb_in <- function(space) {
  x <- as_source(matrix(rep(1:1400 / 700, 2), 1400))
  settings <- list(
    over = "all", fixed = 0L, criterion = "trace", max_iterations = 2L, halvings = 1L, tolerance = 0
  )
  .Call(C_climb, x, x$x[1:700, ], list(bandwidth = 1e-5, space = space), c(settings, compute_with()))
}

# Address space in use beyond that at the start: while errors and interrupts leave climbs, after them, and
# after climbs that end.
lent_and_left <- function() {
  fails <- function() try(climb_in(function(point) stop("theirs")), silent = TRUE)
  interrupted <- function() {
    tryCatch(climb_in(function(point) rlang::interrupt()), interrupt = function(i) "interrupted")
  }
  stopifnot(inherits(fails(), "try-error"), identical(interrupted(), "interrupted"))
  gc()
  before <- megabytes()
  held <- numeric()
  for (k in 1:20) {
    if (k %% 2) fails() else interrupted()
    held[k] <- megabytes() - before
    gc()
  }
  left <- megabytes() - before
  for (k in 1:10) climb_in(identity)
  c(held = max(held), left = left, after = megabytes() - before)
}

# In an R of its own, whose memory nothing else has used.
test_that("memory is returned after errors, interrupts and plain ends", {
  skip_if_not(file.exists("/proc/self/statm"))
  script <- withr::local_tempfile(fileext = ".R")
  result <- withr::local_tempfile()
  dump(c("megabytes", "climb_in", "lent_and_left"), script, envir = environment(lent_and_left))
  code <- sprintf(
    "e <- new.env(parent = asNamespace('landmarker')); sys.source('%s', e); dput(e$lent_and_left(), '%s')",
    script, result
  )
  # The address sanitizer would keep memory that is freed for a while (tools/sanitize.sh).
  withr::local_envvar(ASAN_OPTIONS = paste0(
    Sys.getenv("ASAN_OPTIONS"), ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
  ))
  system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = FALSE, stderr = FALSE)
  found <- dget(result)
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
