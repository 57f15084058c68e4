# Long work in C listens to the user: a time limit ends it well before its own end. The script
# `tests/interrupts/run.R` leaves every kind of work by signals at many moments.

skip_slow_file()

seconds <- function(code) system.time(code)[["elapsed"]]

# Whether a limit of a tenth of what the work takes ends it before half of that. The machine may be busy with
# other work meanwhile: one of six times is enough.
listens <- function(work, takes = seconds(work())) {
  # Else the work would be timed under its own limit.
  force(takes)
  for (time in 1:6) {
    left <- FALSE
    until <- seconds(tryCatch({
      setTimeLimit(elapsed = 0.1 * takes, transient = TRUE)
      work()
    }, error = function(e) left <<- grepl("time limit", conditionMessage(e))))
    setTimeLimit()
    if (left && until < 0.5 * takes) return(TRUE)
  }
  FALSE
}

x <- odd_matrix(1500, 4)

test_that("the reconstruction error listens, and is right afterwards", {
  source <- as_source(x)
  kernel <- list(bandwidth = 0.5)
  error <- function(rows) left_by_first(x[rows, ], source, kernel, compute_with())
  before <- error(1:50)
  expect_true(listens(function() error(1:1400)))
  expect_identical(error(1:50), before)
})

test_that("shortest paths listen", {
  skip_on_os("windows")
  skip_unless_full()
  skip_if_not_installed("igraph")
  ring <- function(n) rbind(seq_len(n), c(seq_len(n)[-1], 1))
  expect_true(listens(function() path_lengths(ring(4000), rep(1, 4000), 4000)))
})
