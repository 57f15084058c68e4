# The picture of the variances of a fit.

test_that("breaks of the variance panels are labelled by kind", {
  expect_identical(variance_labels(variance_breaks(c(-0.05, 1.05), TRUE), TRUE),
    c("0%", "25%", "50%", "75%", "100%")
  )
  at <- variance_breaks(c(-4.2, 0.1), TRUE)
  expect_equal(as.numeric(variance_labels(at, TRUE)), 10^at)
})
