# The arguments `threads` and `verbose`: they hold for one call, and change no result.

skip_slow_file()

x <- sim_swiss_roll(400)
learned <- function(...) {
  set.seed(3)
  fit <- landmarks(x, 12, bandwidth = 20, ...)
  unclass(fit)[setdiff(names(fit), c("call", "seconds"))]
}

# Every function that has the two arguments, on small data.
calls <- function(...) {
  fit <- landmarks(x, 12, bandwidth = 20, ...)
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

test_that("any number of threads gives the same bits, and the argument comes before the option", {
  expect_identical(learned(threads = 1), learned(threads = 2))
  for (bad in list(0, 1.5, c(1, 2), NA, "two")) {
    withr::local_options(landmarker.threads = bad)
    expect_error(learned(), "landmarker.threads", class = "landmarker_error_option")
  }
  expect_identical(learned(threads = 1), learned(threads = 2))
  # A function of the user's own sees what holds in the call.
  seen <- NULL
  within_call <- function(t) {
    seen <<- compute_with()$threads
    t
  }
  landmarks(x, 3, space = within_call, threads = 1)
  expect_identical(seen, 1L)
})

test_that("the options are what they were after a call, also one that fails", {
  withr::local_options(landmarker.threads = 1, landmarker.progress = NULL, landmarker.verbose = NULL)
  before <- options()
  set.seed(1)
  calls(threads = 2, verbose = FALSE)
  expect_error(landmarks(x, 1e6, threads = 2, verbose = TRUE), class = "landmarker_error_rank")
  expect_identical(options()[names(before)], before)
  expect_null(getOption("landmarker.progress"))
})

test_that("every function computes what it does without the arguments", {
  plain <- function(results) {
    lapply(results, function(result) {
      if (!is.list(result) || is.data.frame(result)) return(result)
      # Objects that have a time or a call of their own.
      result$units[grep("^seconds", names(result$units))] <- NULL
      unclass(result)[setdiff(names(result), c("call", "seconds", "fit", "graph", "summary", "best"))]
    })
  }
  set.seed(1)
  one <- plain(calls())
  set.seed(1)
  expect_identical(plain(calls(threads = 1, verbose = FALSE)), one)
})

test_that("verbose = FALSE hides the message on units, which is shown when it is asked for later", {
  rlang::reset_message_verbosity("landmarker_units")
  apart <- cbind(once = rnorm(30), again = 1000 * rnorm(30))
  expect_no_message(landmarks(apart, 3, verbose = FALSE))
  expect_message(landmarks(apart, 3), class = "landmarker_message_units")
  other <- cbind(first = rnorm(30), second = 1000 * rnorm(30))
  expect_no_message(cv_landmarks(other, rnorm(30), n = 3, folds = 2, seeds = 1, verbose = FALSE))
  # Warnings are always given.
  far <- as_landmarks(x[1:5, ], x, bandwidth = 20)
  expect_warning(as_landmarks(coef(far) + 1000, x, bandwidth = 20, verbose = FALSE), "on the data")
})

test_that("bars are for verbose = TRUE, and change no bit", {
  withr::local_options(landmarker.progress = NULL, landmarker.verbose = NULL)
  for (method in list("gp", by_gp("sequential"), by_active(), by_dpp(), by_kmeans())) {
    quiet <- learned(method = method)
    expect_identical(learned(method = method, verbose = FALSE), quiet)
    expect_gt(bars(loud <- learned(method = method, verbose = TRUE)), 0)
    expect_identical(loud, quiet)
    # Tests are no interactive session.
    expect_identical(bars(learned(method = method)), 0L)
    withr::with_options(list(landmarker.progress = TRUE), {
      expect_gt(bars(learned(method = method)), 0)
      expect_identical(bars(learned(method = method, verbose = FALSE)), 0L)
    })
  }
  fit <- landmarks(x, 12, bandwidth = 20)
  expect_identical(bars(finer <- refine_landmarks(fit, x, verbose = TRUE)), 1L)
  expect_identical(coef(finer), coef(refine_landmarks(fit, x)))
  compare <- function(...) cv_landmarks(x[, -1], x[, 1], n = 5, folds = 2, seeds = 1, methods = "gp", ...)
  expect_gt(bars(compare(verbose = TRUE)), 0)
})

test_that("passes over chunks have bars, and give the same", {
  chunks <- in_chunks(unclass(x), 4)
  fit <- landmarks(x, 12, bandwidth = 20)
  expect_gt(bars(there <- predict(fit, chunks, verbose = TRUE)), 0)
  expect_identical(there, predict(fit, chunks))
  expect_gt(bars(there <- reconstruction_error(fit, chunks, verbose = TRUE)), 0)
  expect_identical(there, reconstruction_error(fit, chunks))
})

test_that("what the two arguments must be is said with the argument's name", {
  fit <- landmarks(x, 5, bandwidth = 20)
  expect_snapshot(error = TRUE, {
    landmarks(x, 5, threads = 0)
    landmarks(x, 5, threads = c(1, 2))
    landmarks(x, 5, threads = 1.5)
    landmarks(x, 5, threads = NA)
    landmarks(x, 5, threads = "two")
    landmarks(x, 5, thread = 1)
    landmarks(as.data.frame(x), 5, verbose = NA)
    landmarks(~., as.data.frame(x), n = 5, verbose = "yes")
    add_landmarks(fit, x, 2, verbose = 1)
    refine_landmarks(fit, x, threads = -1)
    as_landmarks(coef(fit), x, threads = Inf)
    predict(fit, x, threads = 0)
    embed_landmarks(fit, x, verbose = c(TRUE, FALSE))
    reconstruction_error(fit, x, threads = list(1))
    nearest_observations(fit, x, threads = x)
    cv_landmarks(x, x[, 1], verbose = NULL, threads = 0)
  })
})
