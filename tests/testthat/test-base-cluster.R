# Clusters of the user after an interrupt, and clusters that are not those of the data.

skip_slow_file()

roll <- function(n = 3000) withr::with_seed(1, unclass(sim_swiss_roll(n)))

# Leaves `code` after so many seconds, by a limit of time; its warnings are returned.
left_after <- function(seconds, code) {
  told <- list()
  withr::defer(setTimeLimit())
  error <- withCallingHandlers(
    tryCatch({
      setTimeLimit(elapsed = seconds, transient = TRUE)
      code
    }, error = identity),
    warning = function(w) {
      told[[length(told) + 1]] <<- w
      invokeRestart("muffleWarning")
    }
  )
  setTimeLimit()
  expect_match(conditionMessage(error), "time limit")
  told
}

# Data on workers, of which the second waits at its `slow`-th reading for so many `seconds`: in R, or where R
# cannot be interrupted. `first` is called before it waits.
slow_parts <- function(cl, x, slow, seconds, deaf = FALSE, first = NULL) {
  on_workers(cl, function(worker, workers) {
    seen <- 0
    own <- x[(worker - 1) * 1500 + 1:1500, ]
    landmarker::data_parts(dim(own), function(i) {
      seen <<- seen + 1
      if (worker == 2 && seen == slow) {
        until <- proc.time()[["elapsed"]] + seconds
        wait <- function() {
          if (!is.null(first)) first()
          while (proc.time()[["elapsed"]] < until) NULL
        }
        if (deaf) suspendInterrupts(wait()) else wait()
      }
      own[(i - 1) * 500 + 1:500, ]
    }, 3)
  })
}

test_that("after a call that was left early the user's calls get their own answers", {
  cl <- two_workers()
  x <- slow_parts(cl, roll(), 6, 20)
  before <- proc.time()[["elapsed"]]
  told <- left_after(1, landmarks(x, 5, "kmeans"))
  expect_length(told, 0)
  expect_lt(proc.time()[["elapsed"]] - before, 10)
  expect_identical(parallel::parLapply(cl, 11:12, identity), list(11L, 12L))
  expect_identical(parallel::clusterApply(cl, 1:4, function(i) i^2), list(1, 4, 9, 16))
  # The data are still there.
  expect_s3_class(quiet(landmarks(x, 5, "kmeans")), "landmarks")
  expect_identical(parallel::parLapply(cl, 11:12, identity), list(11L, 12L))
})

test_that("a worker that cannot be interrupted loses the cluster, with a warning that names it", {
  skip_on_os("windows")
  cl <- two_workers()
  # The worker interrupts this process once it hears nothing itself, however slow the machine is.
  this <- Sys.getpid()
  interrupt <- eval(bquote(function() tools::pskill(.(this), tools::SIGINT)), baseenv())
  x <- slow_parts(cl, roll(), 6, 10, deaf = TRUE, first = interrupt)
  # Connections that nobody has closed go before they are counted.
  gc()
  open <- nrow(showConnections())
  told <- NULL
  left <- withCallingHandlers(
    tryCatch(landmarks(x, 5, "kmeans"), interrupt = identity),
    landmarker_warning_worker = function(w) {
      told <<- w
      invokeRestart("muffleWarning")
    }
  )
  expect_s3_class(left, "interrupt")
  expect_match(conditionMessage(told), "Worker 2 \\(process [0-9]+ on .*\\) was still at work")
  expect_identical(nrow(showConnections()), open - 2L)
  expect_error(parallel::clusterCall(cl, Sys.getpid))
  expect_error(landmarks(x, 5, "kmeans"), "was stopped", class = "landmarker_error_worker")
})

test_that("a comparison that was left early leaves the cluster in step", {
  cl <- two_workers()
  waits <- function(x, n) {
    Sys.sleep(20)
    landmarker::as_landmarks(x[1:n, ], x)
  }
  # A worker that loads the package cannot be interrupted.
  parallel::clusterCall(cl, function() loadNamespace("landmarker"))
  compare <- function(...) {
    cv_landmarks(iris[1:4], iris$Species, methods = list(slow = waits), n = 3, folds = 2, seeds = 1, cl = cl)
  }
  expect_length(left_after(3, compare()), 0)
  expect_identical(parallel::parLapply(cl, 11:12, identity), list(11L, 12L))
  expect_identical(unlist(parallel::clusterCall(cl, function() {
    length(ls(get("worker_store", asNamespace("landmarker"))))
  })), c(0L, 0L))
})

test_that("answers that a call of the user has left are not taken for those of the package", {
  cl <- two_workers()
  x <- roll()
  data <- spread(cl, x)
  fit <- withr::with_seed(1, quiet(landmarks(data, 5, "kmeans")))
  for (w in c(1, 1, 2)) {
    task <- list(fun = identity, args = list("old"), return = TRUE, tag = NULL)
    serialize(list(type = "EXEC", data = task, tag = NULL), cl[[w]]$con)
  }
  again <- withr::with_seed(1, quiet(landmarks(data, 5, "kmeans")))
  expect_identical(coef(again), coef(fit))
  expect_identical(parallel::parLapply(cl, 11:12, identity), list(11L, 12L))
  serialize(list(type = "EXEC", data = task, tag = NULL), cl[[1]]$con)
  cv <- cv_landmarks(iris[1:4], iris$Species, methods = "kmeans", n = 3, folds = 2, seeds = 1, cl = cl)
  alone <- cv_landmarks(iris[1:4], iris$Species, methods = "kmeans", n = 3, folds = 2, seeds = 1)
  expect_identical(coef(cv), coef(alone))
})

test_that("data of a stopped cluster are an error, and leave a new cluster alone", {
  skip_on_cran()
  # R numbers connections anew once nobody knows the old ones.
  gc()
  old <- parallel::makeCluster(2)
  x <- roll()
  data <- spread(old, x)
  parallel::stopCluster(old)
  new <- two_workers()
  # The workers of a cluster stand in the order in which they started.
  numbers <- function(cl) sort(vapply(cl, function(node) as.integer(node$con), 1L))
  expect_identical(numbers(new), numbers(old))
  parallel::clusterCall(new, function() assign("mine", 3, globalenv()))
  for (i in 1:2) expect_error(landmarks(data, 5), "was stopped", class = "landmarker_error_worker")
  expect_error(data[1, ], "was stopped", class = "landmarker_error_worker")
  expect_identical(unlist(parallel::clusterCall(new, function() get("mine", globalenv()))), c(3, 3))
  # The same for copies that were read from a file.
  of_new <- spread(new, x)
  copy <- unserialize(serialize(of_new, NULL))
  stale <- unserialize(serialize(data, NULL))
  stale$workers$lost <- NULL
  expect_error(stale[1, ], "of another session", class = "landmarker_error_worker")
  expect_identical(copy[1:2, ], unname(x[1:2, ]), ignore_attr = TRUE)
  expect_identical(of_new[3, ], copy[3, ])
  expect_identical(unlist(parallel::clusterCall(new, function() get("mine", globalenv()))), c(3, 3))
})

test_that("workers that have unloaded the package are an error, and are left alone", {
  for (kind in c("psock", "mirai")) {
    if (kind == "mirai" && !requireNamespace("mirai", quietly = TRUE)) next
    cl <- two_workers(kind)
    data <- spread(cl, roll())
    parallel::clusterCall(cl, function() {
      assign("mine", 3, globalenv())
      unloadNamespace("landmarker")
    })
    for (i in 1:2) {
      expect_error(data[1, ], "does not have them any more", class = "landmarker_error_worker")
    }
    expect_identical(unlist(parallel::clusterCall(cl, function() get("mine", globalenv()))), c(3, 3))
    expect_identical(dim(spread(cl, roll())[1:3, ]), c(3L, 3L))
  }
})
