# Pieces of work on the daemons of package mirai.

skip_slow_file()
skip_if_not_installed("mirai", "2.3.0")

# The values of f() for the items, in their order. `f` goes to daemons without the tests.
values_of <- function(items, f, ...) {
  environment(f) <- globalenv()
  values <- list()
  f <- utils::removeSource(f)
  work_on(items, f, ..., what = "Chunk {k}", call = quote(values_of()), take = function(value, k) {
    expect_length(values, k - 1)
    values[k] <<- list(value)
  })
  values
}

seconds_of <- function(code) system.time(code)[["elapsed"]]

# Within five seconds the code ends in an error of a daemon with this text. The daemons have loaded the
# package before, which takes long on a busy machine.
expect_daemon_error <- function(code, text) {
  expect_lt(seconds_of(expect_error(code, text, class = "landmarker_error_daemon")), 5)
}

uneven <- function(item, times) {
  Sys.sleep(if (item %% 5 == 1) 0.1 else 0)
  if (item == 4) NULL else item * times
}

test_that("each warning is given once, and before the value", {
  noisy <- function(item) {
    warning("as always")
    warning(paste("item", item %% 2))
    item
  }
  told <- c("as always", "item 1", "item 0")
  expect_identical(capture_warnings(values_of(1:6, noisy)), told)
  shared_daemons()
  expect_identical(capture_warnings(values_of(1:6, noisy)), told)
})

test_that("values come in order, the same with daemons of any kind and without", {
  alone <- lapply(1:20, uneven, pi)
  for (given in if (full_run()) list(list(1), list(3), list(2, dispatcher = FALSE))) {
    do.call(two_daemons, given)
    expect_identical(values_of(as.list(1:20), uneven, pi), alone)
  }
  shared_daemons()
  expect_identical(values_of(as.list(1:20), uneven, pi), alone)
  expect_identical(values_of(list(), uneven, pi), list())
})

test_that("an error of a daemon keeps its class and parts, without the data", {
  fails <- function(item, x) {
    inner <- tryCatch(stop("the reason"), error = identity)
    landmarker:::abort_input("Item {item} is bad.", arg = "x", kind = "data", call = NULL, parent = inner)
  }
  shared_daemons()
  x <- stats::rnorm(1e5)
  error <- expect_error(values_of(1:3, fails, x), class = "landmarker_error_data")
  expect_s3_class(error, "landmarker_error")
  expect_identical(error$arg, "x")
  expect_identical(error$call, quote(values_of()))
  expect_identical(error$parent, simpleError("the reason"))
  expect_identical(conditionMessage(error), "Item 1 is bad.\nCaused by error:\n! the reason")
  expect_lt(length(serialize(error$parent, NULL)), 1000)
  # The error is that of the first item that fails, as without daemons.
  late <- function(item) {
    Sys.sleep(if (item == 2) 0.5 else 0)
    if (item > 1) stop("item ", item)
  }
  expect_error(values_of(1:4, late), "^item 2$")
})

test_that("a call that is left early leaves the daemons ready", {
  shared_daemons()
  slow <- function(item) Sys.sleep(30)
  values_of(1:2, function(item) Sys.sleep(0.5))
  left <- tryCatch({
    setTimeLimit(elapsed = 1, transient = TRUE)
    values_of(1:10, slow)
  }, error = conditionMessage)
  setTimeLimit()
  expect_match(left, "time limit")
  took <- seconds_of(found <- values_of(1:4, function(item) item))
  expect_lt(took, 5)
  expect_identical(found, as.list(1:4))
  expect_identical(mirai::mirai(7)[], 7)
})

test_that("a daemon with another version of this package is refused", {
  shared_daemons()
  values_of(2:3, uneven, 1)
  # The daemons' own R says so, to the end of these daemons.
  mirai::everywhere({
    unlockBinding("getNamespaceVersion", baseenv())
    assign("getNamespaceVersion", function(...) "0.0.1", baseenv())
  })
  expect_daemon_error(values_of(1:3, uneven, 1), "It has version 0.0.1 of landmarker, and this session")
})

test_that("daemons use one thread, the options of the session, and keep their random numbers", {
  two_daemons(1)
  seed <- mirai::mirai(.Random.seed)[]
  names <- c("threads", "progress", "variant", "memory")
  look <- function(item, names) {
    set.seed(item)
    lapply(paste0("landmarker.", names), getOption)
  }
  withr::local_options(landmarker.threads = 2, landmarker.progress = TRUE)
  expect_identical(values_of(1, look, names), list(list(1L, FALSE, NULL, NULL)))
  withr::local_options(landmarker.variant = "plain", landmarker.memory = 1e9)
  mirai::everywhere(options(landmarker.threads = 2, landmarker.memory = 7))
  expect_identical(values_of(1, look, names), list(list(2, FALSE, "plain", 1e9)))
  expect_identical(mirai::mirai(.Random.seed)[], seed)
})

test_that("a daemon that dies is an error within seconds, and the others go on", {
  skip_unless_full()
  dies <- function(item) {
    if (item == 2) tools::pskill(Sys.getpid(), tools::SIGKILL)
    Sys.sleep(0.1)
    Sys.getpid()
  }
  two_daemons()
  values_of(3:4, dies)
  expect_daemon_error(values_of(1:6, dies), "Chunk 2 failed.*has stopped")
  took <- seconds_of(found <- values_of(3:8, dies))
  expect_lt(took, 5)
  expect_length(unique(found), 1)
  # What package mirai says in place of a value is an error too.
  expect_daemon_error(values_of(1:3, function(item) rlang::interrupt()), "miraiInterrupt")
  for (dispatcher in c(TRUE, FALSE)) {
    mirai::daemons(1, dispatcher = dispatcher)
    values_of(3:4, dies)
    expect_daemon_error(values_of(2:6, dies), "has stopped|must keep running")
    # None is left.
    expect_daemon_error(values_of(3:6, dies), "must keep running|has stopped")
  }
})
