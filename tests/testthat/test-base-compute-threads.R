# How many threads, by the environment and the option; and the arguments `threads` and `verbose`, which hold
# for one call and change no result.

skip_slow_file()

threads_where <- function(..., option = NULL) {
  withr::local_envvar(list(OMP_NUM_THREADS = NA, OMP_THREAD_LIMIT = NA, `_R_CHECK_LIMIT_CORES_` = NA, ...))
  withr::local_options(landmarker.threads = option)
  compute_with()$threads
}

# OpenMP has its own numbers from the start of the process.
usual <- .Call(C_threads)[1]
most <- .Call(C_threads)[2]

test_that("the default is at most two threads, and R CMD check's limit is two", {
  expect_identical(threads_where(), min(2L, usual))
  expect_identical(threads_where(option = 1e6), min(64L, most))
  skip_if(most < 3, "OpenMP allows fewer threads")
  limits <- c("TRUE" = 2L, true = 2L, warn = 2L, error = 2L, "FALSE" = 3L, 3L)
  found <- lapply(names(limits), function(limit) threads_where(`_R_CHECK_LIMIT_CORES_` = limit, option = 3))
  expect_identical(unlist(found), unname(limits))
})

test_that("a new R session has the threads that its variables say, a forked one has one", {
  skip_on_cran()
  skip_if(parallel::detectCores() < 2, "one processor")
  look <- function() landmarker:::compute_with()$threads
  begun <- function(variable) {
    none <- c("-u OMP_NUM_THREADS", "-u OMP_THREAD_LIMIT", "-u _R_CHECK_LIMIT_CORES_")
    in_fresh_r(look, env = c(none, variable))
  }
  expect_identical(begun("OMP_NUM_THREADS=1"), 1L)
  expect_identical(begun("OMP_THREAD_LIMIT=1"), 1L)
  expect_identical(begun("OMP_NUM_THREADS=4"), 2L)
  skip_on_os("windows")
  landmarks(sim_swiss_roll(300), 5, threads = 2)
  withr::local_options(landmarker.threads = 2)
  before_fork()
  expect_identical(parallel::mclapply(1:2, function(i) look(), mc.cores = 2), list(1L, 1L))
})

# ---- the arguments ------------------------------------------------------------------------------

x <- sim_swiss_roll(400)
fit <- landmarks(x, 12, bandwidth = 20)
learned <- function(...) bare(withr::with_seed(3, landmarks(x, 12, bandwidth = 20, ...)))

# Every function that has the two arguments, on small data.
calls <- function(...) {
  set.seed(1)
  graph <- landmark_graph(fit, x)
  embedding <- embed_landmarks(graph, ...)
  list(
    landmarks(x, 12, ...), landmarks(as.data.frame(x), 12, ...), landmarks(~., as.data.frame(x), 12, ...),
    add_landmarks(fit, x, 2, ...), refine_landmarks(fit, x, 2, ...), as_landmarks(coef(fit), x, ...),
    predict(fit, x, ...), embed_landmarks(fit, x, ...), embedding, predict(embedding, x, ...),
    reconstruction_error(fit, x, ...), nearest_observations(fit, x, ...), sketch_rows(fit, x, 20, ...),
    landmark_graph(fit, x, distance = "bhattacharyya", ...), codebook(x, 5, ...),
    cv_landmarks(x[, -1], x[, 1], n = 5, folds = 2, seeds = 1, methods = "gp", ...)
  )
}

# How many bars `code` makes: cli's own log of them has a line for each. None is left on the screen.
bars <- function(code) {
  withr::local_options(cli.progress_show_after = 0, cli.progress_handlers_only = "logger")
  before <- cli::cli_progress_num()
  log <- utils::capture.output(force(code))
  expect_identical(cli::cli_progress_num(), before)
  sum(grepl(" created", log))
}

test_that("every function takes the arguments, and leaves the options", {
  withr::local_options(landmarker.threads = 1, landmarker.progress = NULL, landmarker.verbose = NULL)
  before <- options()
  quiet(calls(threads = 2, verbose = FALSE), "novelty")
  expect_error(landmarks(x, 1e6, threads = 2, verbose = TRUE), class = "landmarker_error_rank")
  expect_identical(options()[names(before)], before)
})

test_that("the argument comes before the option, also for a function of the user's own", {
  withr::local_options(landmarker.threads = 1.5)
  expect_error(learned(), "landmarker.threads", class = "landmarker_error_option")
  seen <- NULL
  within_call <- function(t) {
    seen <<- compute_with()$threads
    t
  }
  landmarks(x, 3, space = within_call, threads = 1)
  expect_identical(seen, 1L)
})

test_that("verbose = FALSE hides the message on units, which is shown when it is asked for later", {
  rlang::reset_message_verbosity("landmarker_units")
  apart <- cbind(once = sin(1:30), again = 1000 * cos(1:30))
  expect_no_message(landmarks(apart, 3, verbose = FALSE))
  expect_message(landmarks(apart, 3), class = "landmarker_message_units")
  other <- `colnames<-`(apart, c("first", "second"))
  compare <- function() {
    cv_landmarks(other, 1:30 %% 7, n = 3, methods = "random", folds = 2, seeds = 1, verbose = FALSE)
  }
  expect_no_message(compare())
  # Warnings are always given.
  expect_warning(as_landmarks(coef(fit) + 1000, x, bandwidth = 20, verbose = FALSE), "on the data")
})

test_that("bars are for verbose = TRUE, and change no bit", {
  withr::local_options(landmarker.progress = NULL, landmarker.verbose = NULL)
  for (method in list("gp", by_gp("sequential"), by_active(), by_dpp(), by_kmeans())) {
    # Tests are no interactive session.
    expect_identical(bars(silent <- learned(method = method)), 0L)
    expect_gt(bars(loud <- learned(method = method, verbose = TRUE)), 0)
    expect_identical(loud, silent)
    withr::with_options(list(landmarker.progress = TRUE), {
      expect_gt(bars(learned(method = method)), 0)
      expect_identical(bars(learned(method = method, verbose = FALSE)), 0L)
    })
  }
  chunks <- in_chunks(unclass(x), 4)
  uses <- list(
    function(...) coef(refine_landmarks(fit, x, ...)), function(...) predict(fit, chunks, ...),
    function(...) reconstruction_error(fit, chunks, ...)
  )
  for (use in uses) {
    expect_gt(bars(loud <- use(verbose = TRUE)), 0)
    expect_identical(loud, use())
  }
})

test_that("what the two arguments must be is said with the argument's name", {
  expect_refused(
    landmarks(x, 5, threads = 0), landmarks(x, 5, threads = 1.5),
    landmarks(as.data.frame(x), 5, verbose = NA), landmarks(~., as.data.frame(x), n = 5, verbose = "yes"),
    refine_landmarks(fit, x, threads = -1), predict(fit, x, threads = list(1)),
    cv_landmarks(x, x[, 1], verbose = NULL, threads = 0)
  )
})

test_that("long calls announce their time, comparisons once for all their fits", {
  withr::local_options(landmarker.announce = 0, landmarker.progress = NULL)
  expect_message(
    landmarks(mpg ~ wt, mtcars, 3, by_response(iterations = 20)), class = "landmarker_message_time"
  )
  compare <- function(...) {
    cv_landmarks(mpg ~ wt, mtcars, n = 3, methods = by_response(iterations = 20), folds = 2, ...)
  }
  said <- testthat::capture_messages(compare())
  expect_length(said, 1)
  expect_match(said, "will take about")
  expect_no_message(compare(verbose = FALSE))
})
