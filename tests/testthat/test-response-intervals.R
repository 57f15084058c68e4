
test_that("intervals do not depend on the order of landmarks", {
  set.seed(1)
  method <- by_response(quakes$mag, iterations = 30)
  fit <- suppressWarnings(landmarks(quakes[c("lat", "long")], 6, method, scale = TRUE))
  of <- function(fit) predict(fit, quakes[1:20, ], interval = "prediction", level = 0.8)
  expect_equal(of(fit[c(4, 2, 6, 1, 3, 5)]), of(fit), tolerance = 1e-8)
})
