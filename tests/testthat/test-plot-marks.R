# Numbers of landmarks in pictures.

test_that("numbers of landmarks do not collide in a window of 400 pixels", {
  x <- odd_matrix(200, 2)
  for (n in c(10, 60, 100)) {
    fit <- as_landmarks(odd_matrix(n, 2, 3)^3, x, bandwidth = 1)
    grDevices::pdf(NULL, 400 / 72, 400 / 72)
    plot(fit, x)
    marks <- marks_of(fit$landmarks, TRUE)
    rects <- mark_landmarks(marks, "black")
    grDevices::dev.off()
    expect_identical(overlaps(rects), 0L)
    if (marks$style == "dots") expect_gt(nrow(rects), n / 2) else expect_lt(n, 60)
  }
})

test_that("one landmark of one named column has its number", {
  fit <- landmarks(quakes["depth"], 1)
  plane <- in_plane(fit, as.matrix(quakes["depth"]), "landmarks")
  expect_identical(mark_numbers(plane$landmarks), "1")
})
