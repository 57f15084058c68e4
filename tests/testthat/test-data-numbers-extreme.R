# Numbers near the ends of a computer's range: a result is finite, or an error of this package says which
# argument is too large or too small.

skip_slow_file()

x <- unname(as.matrix(iris[c(1:20, 51:70, 101:120), 1:4]))
kinds <- rep(c("a", "b", "c"), each = 20)

# Whether every number of a result is finite. A log det of -Inf is that of landmarks that add nothing.
is_sound <- function(value) {
  if (is.numeric(value)) return(!any(is.nan(value) | is.infinite(value)))
  if (methods::is(value, "dgCMatrix")) return(is_sound(value@x))
  if (!is.list(value)) return(TRUE)
  value <- unclass(value)
  if (identical(value$log_det, -Inf)) value$log_det <- NULL
  all(vapply(value, is_sound, NA))
}

expect_sound <- function(...) {
  env <- parent.frame()
  for (code in rlang::enexprs(...)) {
    value <- tryCatch(
      suppressMessages(suppressWarnings(eval(code, env), "landmarker_warning")),
      landmarker_error = function(e) NULL
    )
    expect_true(is_sound(value), info = deparse1(code))
  }
}

sizes <- c(1e-308, 1e-160, 1e150, 1e160, 1.7e307)

test_that("data of any size give finite fits, or are refused", {
  methods <- list(
    by_gp(), by_gp(criterion = "volume"), by_gp(solver = "sequential"), by_active(), by_dpp(),
    by_dpp_exact(), by_kmeans(), by_random(), by_response(x[, 1], iterations = 5), by_class(y = kinds)
  )
  for (size in sizes) {
    for (method in methods) expect_sound(landmarks(x * size, 5, method))
    expect_sound(
      landmarks(x * size, 5, scale = TRUE), landmarks(x * size, 5, by_class(y = kinds), scale = TRUE),
      landmarks(x * size, 5, bandwidth = 1), landmarks(x * size, 5, bandwidth = 1e308),
      landmarks(x, 5, bandwidth = size), landmarks(methods::as(x * size, "CsparseMatrix"), 5)
    )
  }
})

test_that("data of another size than the fit's give finite results, or are refused", {
  fit <- landmarks(x, 5)
  embedding <- embed_landmarks(fit)
  for (size in if (full_run()) c(1e-300, sizes) else c(1e-300, 1e150, 1.7e307)) {
    new <- x * size
    for (rows in list(new, methods::as(new, "CsparseMatrix"))) {
      expect_sound(predict(fit, rows), predict(fit, rows, "nearest"), predict(embedding, rows))
    }
    expect_sound(
      predict(fit, new, "variance", x = x), predict(fit, x, "variance", x = new),
      refine_landmarks(fit, new, 1), add_landmarks(fit, new, 2, "random"), nearest_observations(fit, new, 2),
      reconstruction_error(fit, new), sketch_rows(fit, new), augment(fit, new), as_landmarks(new[1:3, ], x),
      landmark_graph(fit, new, distance = "bhattacharyya"), landmarks(x, 3, by_gp(start = new[1:3, ]))
    )
  }
})

test_that("weights of any size give finite fits", {
  for (size in c(1e-300, 1e290, 1.7e308)) expect_sound(landmarks(x, 5, weights = c(size, rep(1, 59))))
  # A row of weight 0 is not part of the moments, and its distances overflow all the same.
  far <- replace(x, 1, 1e300)
  for (data in list(far, in_chunks(far, rows = c(20, 0, 20, 20)))) {
    expect_error(landmarks(data, 5, weights = rep(0:1, c(1, 59))), class = "landmarker_error_data")
  }
})

test_that("the messages say what is too large or too small", {
  fit <- landmarks(x, 5)
  expect_refused(
    predict(fit, rbind(rep(1.7e308, 4))), landmarks(x * 1e-300, 5),
    landmarks(x * 1e-300, 5, bandwidth = "median"), landmarks(x * 0 + 1e-300, 5), landmarks(x * 1e300, 5),
    landmarks(~ ., as.data.frame(x * 1e300), 5),
    as_landmarks(x[1:3, ] * 1e300, x, space = "nonnegative"), cv_landmarks(x[, 1:3], x[, 4] * 1e307, 3),
    cv_landmarks(x[, 1:3], x[, 4] * 1e-300, 3), add_landmarks(fit, x, .Machine$integer.max),
    predict(fit, chunked(c(1, 1e200), function(size) x * size)), sim_spiral(turns = 1e308),
    sim_swiss_roll(50, noise = 1e200)
  )
  expect_true(all(is.finite(sim_spiral(50, turns = 1e50, noise = 1e50))))
  expect_true(all(is.finite(sim_swiss_roll(50, height = 1e50, noise = 1e50, size = 1e50))))
})

test_that("comparisons, codebooks and pictures take numbers of any size, or refuse them", {
  fit <- landmarks(x, 5)
  for (size in c(1e-308, 1e150, 1.7e307)) {
    new <- x * size
    expect_sound(
      cv_landmarks(new, kinds, 3, list(by_random()), folds = 2)$summary[["accuracy"]],
      cv_landmarks(x, x[, 1] * size, 3, list(by_random()), folds = 2)$summary[["mse"]],
      codebook(new, 3)$centers, hellinger(new)
    )
    types <- if (full_run() || size == 1e150) c("data", "map", "variance") else "map"
    for (type in types) on_device(expect_sound(plot(fit, new, type = type)))
  }
})

test_that("sequences of more numbers than anything has are refused without being looked at", {
  # R does not store these. A copy of one takes 8 GB and more, as the negative numbers do.
  expect_error(by_gp(batch_size = seq_len(2^33)), class = "landmarker_error")
  expect_error(in_chunks(odd_matrix(30, 3), rows = 1:(2^31 - 1)), class = "landmarker_error_chunks")
  skip_unless_full()
  expect_error(rows_as_points(as_source(x), 1:(2^31 - 1)), class = "landmarker_error_selection")
})
