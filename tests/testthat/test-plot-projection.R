# The plane of a picture: shares of variance, and a fit without data.

test_that("the shares of variance are those of prcomp()", {
  flowers <- as.matrix(iris[1:4])
  set.seed(1)
  wide <- matrix(rnorm(60 * 40), 60) %*% diag(c(6, 5.5, 40:3 / 20))
  wide[abs(wide) < 0.1] <- 0
  cases <- list(
    list(flowers, FALSE), list(flowers * rep(c(1, 100, 1, 0.01), each = 150), TRUE), list(wide, FALSE),
    list(digits$images[1:200, ] / 255, FALSE)
  )
  for (case in cases) {
    p <- stats::prcomp(case[[1]], scale. = case[[2]])
    factor <- if (case[[2]]) 1 / apply(case[[1]], 2, stats::sd) else rep(1, ncol(case[[1]]))
    expected <- unname((p$sdev^2 / sum(p$sdev^2))[1:2])
    found <- principal_axes(case[[1]], factor)
    expect_equal(found$share, expected, tolerance = 1e-6)
    expect_equal(abs(colSums(found$axes * p$rotation[, 1:2])), c(1, 1), tolerance = 1e-5, ignore_attr = TRUE)
    sparse <- principal_axes(methods::as(case[[1]], "CsparseMatrix"), factor)
    expect_equal(sparse, found, tolerance = 1e-8)
  }
  share <- summary(stats::prcomp(flowers))$importance[2, 1:2]
  plane <- to_plane(landmarks(flowers, 3), flowers)
  expect_identical(plane$names, c("PC1 (92% of variance)", "PC2 (5% of variance)"))
  expect_equal(round(unname(share), 2), c(0.92, 0.05))
})

test_that("rows without variance have axes without shares", {
  same <- principal_axes(matrix(c(0.1, 7, 1e6), 20, 3, byrow = TRUE), rep(1, 3))
  expect_identical(same$share, c(NA_real_, NA_real_))
  expect_identical(component_names(same$share), c("PC1", "PC2"))
  line <- principal_axes(outer(1:20, c(1, 2, 3)), rep(1, 3))
  expect_equal(line$share, c(1, 0))
  expect_identical(vapply(c(1, 0.5, 0.0995, 0.034, 0.0049, 1e-9), percent, ""),
    c("100%", "50%", "10%", "3%", "0.5%", "<0.1%")
  )
})

test_that("without data landmarks are drawn alone", {
  lost <- landmarks(as.matrix(iris[1:4]), 5)
  expect_match(ggplot2::autoplot(lost)$labels$title, "on their own components")
  plane <- to_plane(lost, NULL)
  expect_identical(nrow(plane$data), 0L)
  p <- stats::prcomp(lost$landmarks)
  expect_equal(abs(unname(plane$landmarks)), abs(unname(p$x[, 1:2])), tolerance = 1e-6)
  expect_equal(plane$share, (p$sdev^2 / sum(p$sdev^2))[1:2], tolerance = 1e-8)
  one <- to_plane(as_landmarks(lost$landmarks[1, , drop = FALSE], as.matrix(iris[1:4])), NULL)
  expect_equal(one$landmarks, cbind(0, 0), ignore_attr = TRUE)
})

test_that("data so large that squares overflow are refused", {
  fit <- withr::with_seed(1, landmarks(iris[1:4], 4))
  expect_error(on_device(plot(fit, as.matrix(iris[1:4]) * 1e160)), class = "landmarker_error_data")
})
