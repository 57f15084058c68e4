# Comparisons on the daemons of package mirai, beside those of this process, which come first.

skip_slow_file()

test_that("other methods in the comparison change nothing, nor does another generator", {
  methods <- list(active = by_active(), km = by_kmeans())
  alone <- few(methods = methods, refit = FALSE)
  suppressWarnings(RNGkind("Wichmann-Hill", "Box-Muller", "Rounding"))
  withr::defer(RNGkind("default", "default", "default"))
  less <- few(methods = methods["km"], refit = FALSE)
  expect_identical(RNGkind(), c("Wichmann-Hill", "Box-Muller", "Rounding"))
  same <- alone$units$method == "km"
  expect_equal(no_time(less$units), no_time(alone$units[same, ]), ignore_attr = "row.names")
})

# Methods of the user, without the tests' own objects.
of_user <- function(f) {
  environment(f) <- globalenv()
  utils::removeSource(f)
}

by_three <- function(...) {
  few(seeds = c(7, 2), n = 5, methods = list(gp = by_gp(), active = by_active(), km = by_kmeans()), ...)
}

use <- local({
  rows <- 3
  function(x, n) structure(list(points = x[seq_len(n) * rows, ]), class = "cv_of_user")
}, new.env(parent = globalenv()))
predict_of_user <- of_user(function(object, newdata, ...) {
  newdata <- as.matrix(newdata)
  apply(object$points, 1, function(p) exp(-colMeans((t(newdata) - p)^2)))
})
registerS3method("predict", "cv_of_user", predict_of_user)
by_use <- function() few(methods = list(own = use))

alone <- list(three = by_three(), use = by_use())

test_that("methods that fail are told as in one process", {
  half <- of_user(function(x, n) {
    if (n > 5) stop("too many")
    landmarker::as_landmarks(x[seq_len(n), ], x)
  })
  broken <- of_user(function(x, n) stop("there is no luck today"))
  run <- function() {
    told <- capture_warnings(found <- few(methods = list(half = half, random = by_random())))
    error <- expect_error(few(methods = list(broken = broken)), class = "landmarker_error_method")
    list(told, no_time(found$units), error$parent$message, error$call[[1]])
  }
  alone <- run()
  expect_match(alone[[1]], "Method \"half\" failed in 3 of 6 fits.*too many", all = FALSE)
  shared_daemons()
  expect_identical(run(), alone)
})

test_that("the number of daemons changes nothing, nor does a progress bar or a fork", {
  shared_daemons()
  there <- by_three()
  expect_identical(no_time(there$units), no_time(alone$three$units))
  expect_identical(coef(there), coef(alone$three))
  withr::local_options(cli.progress_show_after = 0, cli.progress_handlers_only = "logger")
  log <- utils::capture.output(shown <- by_three(verbose = TRUE, refit = FALSE))
  expect_identical(no_time(shown$units), no_time(alone$three$units))
  expect_identical(sum(grepl(" created", log)), 1L)
  expect_match(log, " ([0-9]+)/\\1 terminated", all = FALSE)
  skip_on_os("windows")
  before_fork()
  forked <- parallel::mclapply(1:2, function(k) by_three(refit = FALSE)$units, mc.cores = 2)
  for (one in forked) expect_identical(no_time(one), no_time(alone$three$units))
})

test_that("a function of the user brings what it uses, and its class has a method on the daemons", {
  shared_daemons()
  # The last test of the file ends them.
  withr::defer(mirai::daemons(0))
  expect_error(by_use(), "no applicable method", class = "landmarker_error_method")
  mirai::everywhere(registerS3method("predict", "cv_of_user", method), method = predict_of_user)
  there <- by_use()
  expect_identical(no_time(there$units), no_time(alone$use$units))
  expect_identical(coef(there), coef(alone$use))
})
