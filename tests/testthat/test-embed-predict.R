# Coordinates of new rows in an embedding, against loops from the formula.

skip_slow_file()

x <- sheet(300)
new <- sheet(60, 3)
fit <- as_landmarks(x[1:30, ], x, bandwidth = 1, scale = TRUE)

kinds <- embedding_kinds()
embed <- function(shape, weights, ..., on = fit, data = x) embed_by(shape, weights, ..., on = on, data = data)

test_that("the extension is the formula, row by row", {
  for (i in seq_len(nrow(kinds))) {
    shape <- kinds$shape[i]
    covariances <- if (shape != "none") with_ridge(naive_covariances(fit, x, 30, shape == "full"), 0.01)
    for (k in c(1, 5, 29)) {
      # Binary weights of all with all have no smooth coordinate.
      if (k == 29 && kinds$weights[i] == "binary") next
      how <- if (shape == "none") list() else list(ridge = 0.01)
      e <- rlang::inject(embed(shape, kinds$weights[i], dims = 2, neighbors = k, !!!how))
      far <- rbind(new, c(a = 1e3, b = -20, c = 40), c(-1e2, 1e4, 0))
      expect_equal(predict(e, far), naive_extension(e, far, covariances), tolerance = 1e-8)
    }
  }
})

test_that("at a landmark the extension is the landmark's own coordinates", {
  own <- function(e, on) {
    expect_equal(predict(e, unname(coef(on))), coef(e), tolerance = 1e-8, ignore_attr = TRUE)
  }
  for (method in list("random", by_dpp(covariance = "diagonal"), by_dpp(covariance = "full"))) {
    one <- withr::with_seed(1, landmarks(x, 25, method, scale = TRUE))
    for (i in seq_len(nrow(kinds))) for (k in c(2, 7)) {
      own(embed(kinds$shape[i], kinds$weights[i], neighbors = k, on = one), one)
    }
    # By the covariances of the fit.
    if (is.null(one$covariance)) next
    e <- quietly(embed_landmarks(one, neighbors = 5, distance = "bhattacharyya"))
    own(e, one)
    expect_identical(dim(e$graph$covariance), dim(one$covariance))
  }
  # Ties everywhere; a space; one column.
  grid <- as.matrix(expand.grid(1:6, 1:5))
  on_grid <- as_landmarks(grid, grid)
  for (k in c(1, 4, 6)) {
    own(quietly(embed_landmarks(on_grid, neighbors = k, edge_weights = "binary")), on_grid)
  }
  ball <- withr::with_seed(2, landmarks(odd_matrix(200, 3), 20, space = "sphere"))
  own(quietly(embed_landmarks(ball, neighbors = 6)), ball)
  line <- as_landmarks(x[1:20, 1, drop = FALSE], x[, 1, drop = FALSE])
  for (shape in c("none", "diagonal", "full")) {
    own(embed(shape, "heat", neighbors = 4, on = line, data = x[, 1, drop = FALSE]), line)
  }
})

test_that("order, number and company of rows, threads and blocks change no bit", {
  many <- sheet(700, 11)
  for (i in seq_len(nrow(kinds))) {
    e <- embed(kinds$shape[i], kinds$weights[i], neighbors = 5)
    y <- predict(e, many)
    back <- withr::with_seed(3, sample(700))
    expect_identical(predict(e, many[back, ]), y[back, ])
    for (some in list(1, 33, 3:70, seq(1, 700, 7))) {
      expect_identical(predict(e, many[some, , drop = FALSE]), y[some, , drop = FALSE])
    }
    for (threads in 1:2) {
      withr::local_options(landmarker.threads = threads)
      again <- embed(kinds$shape[i], kinds$weights[i], neighbors = 5)
      expect_identical(again[names(again) != "seconds"], e[names(e) != "seconds"])
      expect_identical(predict(e, many), y)
    }
  }
  expect_identical(predict(e, many[0, ]), y[0, ])
})
