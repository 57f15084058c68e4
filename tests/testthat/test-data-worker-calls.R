# Calls to workers: what they keep, what travels to them, and those that stop.

roll <- function(n = 9000) withr::with_seed(1, unclass(sim_swiss_roll(n)))

test_that("what workers keep is forgotten once it is no longer used", {
  cl <- two_workers()
  x <- spread(cl, roll(3000))
  for (i in 1:5) quiet(landmarks(x, 5, "kmeans"))
  gc()
  x[1, ]
  kept <- ask_workers(x$workers, function(held, share) length(ls(held$kept)))
  expect_lte(max(unlist(kept)), 2)
})

test_that("functions travel with the values that they use, and without their frames", {
  f <- local({
    large <- rnorm(1e6)
    k <- 3
    inner <- function(x) x + k
    function(x) inner(x) * k
  })
  light <- for_workers(f)
  expect_identical(light(2), 15)
  expect_lt(length(serialize(light, NULL)), 1e4)
  expect_identical(for_workers(max), max)
})

test_that("a worker that stops is named, and nothing hangs", {
  for (kind in c("psock", "mirai")) {
    for (k in if (full_run()) c(3, 6, 9, 14) else if (kind == "psock") c(3, 14) else 9) {
      cl <- two_workers(kind)
      x <- roll(3000)
      parts <- on_workers(cl, function(worker, workers) {
        seen <- 0
        own <- x[(worker - 1) * 1500 + 1:1500, ]
        landmarker::data_parts(dim(own), function(i) {
          seen <<- seen + 1
          if (worker == 2 && seen == k) tools::pskill(Sys.getpid(), 9)
          own[(i - 1) * 500 + 1:500, ]
        }, 3)
      })
      expect_error(landmarks(parts, 8, "kmeans"), "Worker 2 \\(process [0-9]+ on .*\\) has stopped",
        class = "landmarker_error_worker"
      )
      expect_error(landmarks(parts, 8), "has stopped", class = "landmarker_error_worker")
      expect_error(predict(quiet(landmarks(x, 3)), parts), "has stopped", class = "landmarker_error_worker")
    }
  }
  stopped <- parallel::makeCluster(1)
  parallel::stopCluster(stopped)
  expect_error(on_workers(stopped, function(worker, workers) 1), class = "landmarker_error_worker")
})

test_that("warnings on workers come with the worker's name", {
  cl <- two_workers()
  told <- character()
  data <- withCallingHandlers(
    on_workers(cl, function(worker, workers) {
      if (worker == 2) for (i in 1:3) warning("rows were lost")
      matrix(stats::rnorm(20), 10)
    }),
    warning = function(w) {
      told <<- c(told, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  expect_length(told, 1)
  expect_match(told, "^Worker 2 \\(process [0-9]+ on .*\\): rows were lost$")
  expect_identical(dim(data), c(20L, 2L))
})
