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

test_that("the exact point process listens", {
  kernel <- list(bandwidth = 0.5)
  settings <- c(list(rows = 1:900, distance = "euclidean", size = "given", wanted = 5L), compute_with())
  source <- as_source(x)
  one <- c(settings, list(power = 1, steps = 0))
  expect_true(listens(function() .Call(C_exact_dpp, source, x[0, ], kernel, one)))
  settings$rows <- 1:100
  settings$wanted <- 30L
  chain <- c(settings, list(power = 0.1, steps = 1e7))
  expect_true(listens(function() .Call(C_exact_dpp, source, x[0, ], kernel, chain)))
})

test_that("orders listen", {
  n <- 4500L
  g <- diag(n) + 0.1
  settings <- c(list(fixed = 0L, wanted = n, floor = 1e-12), compute_with())
  expect_true(listens(function() .Call(C_order, g, settings)))
  expect_identical(.Call(C_order, g[1:4, 1:4], replace(settings, "wanted", 4L))$order, 1:4)
})

test_that("the reconstruction error listens, and is right afterwards", {
  source <- as_source(x)
  kernel <- list(bandwidth = 0.5)
  error <- function(rows) left_by_first(x[rows, ], source, kernel, compute_with())
  before <- error(1:50)
  # Several, because one may take no longer than a few polls.
  expect_true(listens(function() for (k in 1:4) error(1:1500)))
  expect_identical(error(1:50), before)
})

test_that("shortest paths listen", {
  skip_on_os("windows")
  skip_unless_full()
  ring <- function(n) rbind(seq_len(n), c(seq_len(n)[-1], 1))
  if (requireNamespace("igraph", quietly = TRUE)) {
    paths <- function(n) path_lengths(ring(n), rep(1, n), n)
    apart <- abs(outer(1:9, 1:9, "-"))
    expect_identical(paths(9), pmin(apart, 9 - apart))
    expect_true(listens(function() paths(4000)))
  }
})
