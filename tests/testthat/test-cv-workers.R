# Comparisons on workers.

skip_slow_file()

test_that("the number of workers, and the caller's random numbers, change nothing", {
  skip_on_os("windows")
  three <- list(gp = by_gp(), active = by_active(), km = by_kmeans())
  alone <- few(seeds = c(7, 2), methods = three)
  forked <- few(seeds = c(7, 2), methods = three, cl = 2)
  expect_identical(no_time(forked$units), no_time(alone$units))
  expect_identical(no_time(forked$summary), no_time(alone$summary))
  expect_identical(forked$coefficients, alone$coefficients)
  for (kind in c("psock", if (requireNamespace("mirai", quietly = TRUE)) "mirai")) {
    cluster <- two_workers(kind)
    # With a progress bar the tasks go out in rounds.
    for (progress in if (full_run() || kind == "psock") c(FALSE, TRUE) else TRUE) {
      run <- function(...) withr::with_options(list(landmarker.progress = progress), few(..., cl = cluster))
      there <- run(seeds = c(7, 2), methods = three)
      expect_identical(no_time(there$units), no_time(alone$units))
      failing <- list(km = by_kmeans(), bad = function(x, n) stop("no such thing"))
      expect_warning(run(methods = failing), "Method \"bad\" failed in 6 of 6 fits")
    }
  }
  # Nor do other methods beside it, or another generator.
  suppressWarnings(RNGkind("Wichmann-Hill", "Box-Muller", "Rounding"))
  withr::defer(RNGkind("default", "default", "default"))
  less <- few(seeds = c(7, 2), methods = three["km"])
  expect_identical(RNGkind(), c("Wichmann-Hill", "Box-Muller", "Rounding"))
  same <- alone$units$method == "km"
  expect_equal(no_time(less$units), no_time(alone$units[same, ]), ignore_attr = "row.names")
})
