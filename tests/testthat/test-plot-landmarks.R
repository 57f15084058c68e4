# Pictures of fits: they are drawn without a warning and leave par() as it was.

skip_slow_file()

fits <- picture_fits()

test_that("landmarks are drawn for 1, 2, 3, 4 and 784 columns, dense and sparse", {
  for (case in fits) {
    n <- nrow(case$x)
    expect_identical(expect_drawn(plot(case$fit, case$x)), case$fit)
    expect_drawn(plot(case$fit, case$sparse))
    expect_drawn(plot(case$fit, case$x, color = rep_len(c("u", "v", "w"), n)))
    expect_drawn(
      plot(case$fit, case$sparse, color = factor(rep_len(1:12, n)), labels = FALSE, max_points = 20)
    )
    expect_drawn(plot(case$fit, case$x, main = "main", xlab = "x", ylab = "y", xlim = c(-1, 1), asp = 1))
    expect_drawn(plot(case$fit))
    expect_drawn(plot(case$fit, type = "variance", main = "main"))
  }
})

test_that("odd fits are drawn too", {
  set.seed(1)
  x <- fits[[2]]$x
  expect_drawn(plot(landmarks(x, 1)))
  expect_drawn(plot(landmarks(x, 1), x))
  expect_drawn(plot(landmarks(x[1, , drop = FALSE], 1, bandwidth = 1), x[1, , drop = FALSE]))
  # Some landmarks, or all, without any variance.
  expect_drawn(plot(as_landmarks(x[c(1, 1, 2), ], x)))
  expect_warning(far <- as_landmarks(x[1:3, ] + 1e4, x), class = "landmarker_warning_off_data")
  expect_drawn(plot(far))
  constant <- cbind(1, x, 2)
  expect_drawn(plot(landmarks(constant, 2), constant))
  frame <- data.frame(a = x[, 1], f = rep_len(c("u", "v"), 50))
  expect_drawn(plot(landmarks(frame, 3), frame, color = frame$f))
  flat <- cbind(rep(1:10, 5), 0, 0)
  expect_drawn(plot(landmarks(flat, 3), flat))
})

test_that("par() is left as it was after an error as well", {
  on_device({
    before <- graphics::par(par_settings)
    fit <- fits[[5]]$fit
    expect_error(plot(fit, fits[[1]]$x), class = "landmarker_error_columns")
    expect_error(plot(fit, type = "variance", main = stop("no")), "no")
    expect_error(plot_images(fit, c(28, 28), main = stop("no")), "no")
    expect_identical(graphics::par(par_settings), before)
  })
})

# ---- images ------------------------------------------------------------------

test_that("colour is another spelling of color", {
  x <- fits[[2]]$x
  fit <- fits[[2]]$fit
  embedding <- whole_embedding(
    cbind(E1 = c(L1 = 1, L2 = 0, L3 = -1), E2 = c(0, 1, 2)), c(0.25, 0.5),
    Matrix::sparseMatrix(c(1, 1, 2), c(2, 3, 3), x = 1, dims = c(3, 3), symmetric = TRUE),
    as_landmarks(x[1:3, ], x)
  )
  group <- rep_len(c("u", "v", "w"), 50)
  # What is drawn, in the device's own commands.
  drawn <- function(code) {
    file <- withr::local_tempfile(fileext = ".ps")
    grDevices::postscript(file)
    # PostScript has no transparent colors.
    suppressWarnings(force(code))
    grDevices::dev.off()
    readLines(file)
  }
  one_color <- drawn(plot(fit, x))
  expect_identical(drawn(plot(fit, x, colour = group)), drawn(plot(fit, x, color = group)))
  expect_false(identical(drawn(plot(fit, x, colour = group)), one_color))
  expect_identical(drawn(plot(embedding, colour = 1:3)), drawn(plot(embedding, color = 1:3)))
  expect_false(identical(drawn(plot(embedding, colour = 1:3)), drawn(plot(embedding))))
  skip_if_not_installed("ggplot2", "3.4.0")
  layer <- function(...) ggplot2::layer_data(ggplot2::autoplot(...))
  expect_identical(layer(fit, x, colour = group), layer(fit, x, color = group))
  expect_length(unique(layer(fit, x, colour = group)$colour), 3)
  expect_identical(layer(embedding, colour = 1:3), layer(embedding, color = 1:3))
  expect_length(unique(layer(embedding, colour = 1:3)$fill), 3)
})
