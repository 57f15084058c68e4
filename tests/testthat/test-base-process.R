# Foreign code in a child process: as in this one, and an end to it leaves nothing.

skip_on_os("windows")

test_that("a child gives the value and the random numbers of a call in this process", {
  set.seed(3)
  want <- list(stats::rnorm(3), stats::runif(2))
  set.seed(3)
  expect_identical(list(in_child(function() stats::rnorm(3)), stats::runif(2)), want)
  expect_null(in_child(function() NULL))
  expect_identical(in_child(function() list(1, "a")), list(1, "a"))
})

test_that("errors and warnings of a child arrive with their classes", {
  expect_error(in_child(function() rlang::abort("no", class = "of_a_child")), class = "of_a_child")
  expect_warning(expect_identical(in_child(function() {
    rlang::warn("odd", class = "of_a_child")
    5
  }), 5), class = "of_a_child")
})

test_that("a time limit ends a child", {
  skip_on_cran()
  gone <- function() length(parallel:::children()) == 0
  set.seed(3)
  before <- .Random.seed
  start <- proc.time()[["elapsed"]]
  expect_error({
    setTimeLimit(elapsed = 0.3, transient = TRUE)
    in_child(function() Sys.sleep(60))
  }, "time limit")
  setTimeLimit()
  expect_lt(proc.time()[["elapsed"]] - start, 30)
  expect_true(gone())
  expect_identical(.Random.seed, before)
})

test_that("a child that was killed is replaced by a call in this process", {
  mark <- tempfile()
  # The first call of this function, which is in the child, ends it.
  killed <- function() {
    if (!file.exists(mark)) {
      file.create(mark)
      tools::pskill(Sys.getpid(), tools::SIGKILL)
    }
    8
  }
  # parallel warns of a job without a result.
  value <- suppressWarnings(in_child(killed))
  expect_identical(value, 8)
})

test_that("where mirai is at work, what is garbage is finalized in this process, not in its child", {
  skip_if_not_installed("mirai")
  loadNamespace("mirai")
  finalized <- NULL
  local(reg.finalizer(new.env(), function(e) finalized <<- c(finalized, Sys.getpid())))
  there <- in_child(function() {
    gc()
    Sys.getpid()
  })
  expect_identical(finalized, Sys.getpid())
  expect_false(there == Sys.getpid())
})

test_that("a child of a session that had daemons gives its value", {
  gone <- function() {
    two_daemons()
    mirai::mirai(Sys.getpid())[]
  }
  gone()
  there <- in_child(function() {
    # More than once: R remembers some of a call for a while.
    for (k in 1:3) gc()
    Sys.getpid()
  })
  expect_false(there == Sys.getpid())
  expect_true(dir.exists(tempdir()))
})

test_that("after a child that crashed the session has a folder of temporary files", {
  found <- in_fresh_r(function() {
    here <- Sys.getpid()
    # As R does in a child that crashes, but without a report.
    crashes <- function() {
      if (Sys.getpid() == here) return(8)
      unlink(tempdir(), recursive = TRUE)
      tools::pskill(Sys.getpid(), tools::SIGKILL)
    }
    value <- suppressWarnings(getFromNamespace("in_child", "landmarker")(crashes))
    list(value, dir.exists(tempdir()))
  })
  expect_identical(found, list(8, TRUE))
})
