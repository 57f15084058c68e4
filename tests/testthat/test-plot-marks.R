# Numbers of landmarks in pictures.

test_that("one landmark of one named column has its number", {
  fit <- landmarks(quakes["depth"], 1)
  plane <- in_plane(fit, as.matrix(quakes["depth"]), "landmarks")
  expect_identical(mark_numbers(plane$landmarks), "1")
})
