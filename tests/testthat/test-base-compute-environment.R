# What the environment says about threads: OMP_NUM_THREADS, OMP_THREAD_LIMIT, and R CMD check's limit.

threads_where <- function(..., option = NULL) {
  withr::local_envvar(list(
    OMP_NUM_THREADS = NA, OMP_THREAD_LIMIT = NA, `_R_CHECK_LIMIT_CORES_` = NA, ...
  ))
  withr::local_options(landmarker.threads = option)
  compute_with()$threads
}

# OpenMP has its own numbers from the start of the process.
usual <- .Call(C_threads)[1]
most <- .Call(C_threads)[2]

test_that("the default is at most two threads, and the option is at most what OpenMP allows", {
  expect_identical(threads_where(), min(2L, usual))
  expect_identical(threads_where(option = 1e6), min(64L, most))
})

test_that("R CMD check's limit is two threads", {
  skip_if(most < 3, "OpenMP allows fewer threads")
  for (limit in c("TRUE", "true", "warn", "error")) {
    expect_identical(threads_where(`_R_CHECK_LIMIT_CORES_` = limit, option = 3), 2L)
  }
  for (limit in c("", "FALSE", "false")) {
    expect_identical(threads_where(`_R_CHECK_LIMIT_CORES_` = limit, option = 3), 3L)
  }
})

test_that("a new R session has the threads that its variables say", {
  skip_on_cran()
  skip_if(usual < 2, "one processor")
  begun <- function(variables) {
    code <- "cat(landmarker:::compute_with()$threads, landmarker:::default_threads())"
    withr::local_envvar(c(OMP_NUM_THREADS = NA, OMP_THREAD_LIMIT = NA, `_R_CHECK_LIMIT_CORES_` = NA))
    withr::local_envvar(variables)
    code <- c(sprintf(".libPaths(%s)", deparse1(.libPaths())), code)
    file <- withr::local_tempfile(lines = code, fileext = ".R")
    system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", file), stdout = TRUE)
  }
  expect_identical(begun(c(OMP_NUM_THREADS = "1")), "1 1")
  expect_identical(begun(c(OMP_THREAD_LIMIT = "1")), "1 1")
  expect_identical(begun(c(OMP_NUM_THREADS = "4")), "2 2")
})

test_that("the number of threads of a child process is one, also after threads have run", {
  skip_on_os("windows")
  x <- sim_swiss_roll(300)
  landmarks(x, 5, threads = 2)
  child <- function(i) c(default_threads(), compute_with()$threads)
  withr::local_options(landmarker.threads = 2)
  before_fork()
  expect_identical(parallel::mclapply(1:2, child, mc.cores = 2), list(c(1L, 1L), c(1L, 1L)))
})
