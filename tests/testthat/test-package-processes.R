# The same bits in forked processes as in this one, and with 1, 2 and 4 threads, for every kind of
# computation. OpenMP's threads do not survive a fork: a child that waited for them would hang.

x <- sim_swiss_roll(600)
y <- x[, 1] + sin(seq_len(600))
learned <- landmarks(x, 12, bandwidth = 20)

work <- golden_cases()
some <- "^select (?!exact)[^_]* (dense|weighted)$|^use .* sparse|^embed (full|through)$|^codebook"
work <- c(work[grepl(some, names(work), perl = TRUE)], list(
  exact = function() landmarks(x[1:200, ], 8, by_dpp_exact()),
  comparison = function() {
    no_time(cv_landmarks(x[, -1], x[, 1], n = 5, methods = "gp", folds = 2, seeds = 1)$units)
  },
  minibatch = function() landmarks(x, 8, by_kmeans(batch_size = 100)),
  response = function() landmarks(x, 6, by_response(y, iterations = 60), bandwidth = 20),
  class = function() landmarks(x, 8, by_class(y = factor(x[, 1] > 5)), bandwidth = 20),
  sketch = function() sketch_rows(learned, x, 20), hellinger = function() hellinger(round(abs(x))),
  graph = function() landmark_graph(learned, x, distance = "bhattacharyya", covariance = "full")$weights@x
))

run <- function(names, threads = 2) {
  withr::local_options(landmarker.threads = threads)
  lapply(work[names], function(code) {
    set.seed(4)
    golden_numbers(quietly(code()))
  })
}
here <- run(names(work))

test_that("1, 2 and 4 threads give the same bits", {
  for (threads in c(1, if (full_run()) 4)) expect_identical(run(names(work), threads), here)
})

# Ends the children where they hang, and fails.
within_seconds <- function(seconds, jobs, code) {
  before_fork()
  children <- lapply(jobs, function(job) parallel::mcparallel(code(job), mc.set.seed = FALSE))
  found <- parallel::mccollect(children, wait = FALSE, timeout = 0)
  done <- stats::setNames(vector("list", length(jobs)), vapply(children, function(child) child$pid, 0L))
  until <- Sys.time() + seconds
  repeat {
    for (pid in names(found)) if (!is.null(found[[pid]])) done[[pid]] <- found[[pid]]
    waiting <- Filter(function(child) is.null(done[[as.character(child$pid)]]), children)
    if (length(waiting) == 0 || Sys.time() > until) break
    found <- parallel::mccollect(waiting, wait = FALSE, timeout = 1)
  }
  for (child in waiting) tools::pskill(child$pid, tools::SIGKILL)
  unname(done)
}

test_that("forked processes compute the same, also after threads have run in this one", {
  skip_on_os("windows")
  skip_on_cran()
  # A fit that is large enough to start threads.
  landmarks(sim_swiss_roll(4000), 30, bandwidth = 20, threads = 2)
  halves <- split(names(work), seq_along(work) %% 2)
  there <- within_seconds(300, halves, run)
  # What a child says that failed.
  expect_identical(Filter(function(half) inherits(half, "try-error"), there), list())
  expect_identical(there, unname(lapply(halves, function(names) here[names])))
})
