# Packages of Suggests that are missing or too old.

test_that("the versions that are asked for are those of DESCRIPTION", {
  fields <- utils::packageDescription("landmarker", fields = "Suggests")
  entries <- trimws(strsplit(gsub("\\s+", " ", fields), ",")[[1]])
  # testthat is used by the tests alone.
  entries <- grep("^testthat", grep(">=", entries, value = TRUE), value = TRUE, invert = TRUE)
  least <- stats::setNames(sub(".*>= (.*)\\)", "\\1", entries), sub(" .*", "", entries))
  expect_identical(least[order(names(least))], least_versions[order(names(least_versions))])
})

test_that("a package that is missing, or too old, is named with how to install it", {
  call <- quote(autoplot())
  expect_refused(need_package("notThere", "autoplot()", call))
  rule <- "autoplot() needs the package stats, version 1000000.1 or later.\nx Version "
  remedy <- "i Install it with `install.packages(\"stats\")`."
  said <- refusal(need_package("stats", "autoplot()", call, "1000000.1"))
  expect_identical(said, paste0(rule, getRversion(), " is installed.\n", remedy))
  expect_true(need_package("stats", "autoplot()", call, "1.0"))
})
