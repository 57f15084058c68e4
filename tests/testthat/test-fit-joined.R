# The graph that the rows of the data make, which a fit keeps.

skip_slow_file()

# The pixels within `width` of a spiral, and how far along it each is.
pixel_spiral <- function(width = 3.2) {
  at <- as.matrix(expand.grid(-50:50, -50:50))
  angle <- seq(pi, 6.5 * pi, length.out = 4000)
  curve <- 2.3 * angle * cbind(cos(angle), sin(angle))
  near <- .Call(C_nearest_landmark, as_source(at), curve, compute_with())
  some <- near$distance < width
  list(x = at[some, ], along = near$landmark[some])
}

test_that("pixels of a spiral unroll as jittered ones do", {
  spiral <- pixel_spiral()
  for (seed in if (full_run()) 1:5 else 1:2) {
    withr::local_seed(seed)
    fit <- landmarks(spiral$x, 100, by_dpp())
    expect_identical(fit$joined$different, nrow(spiral$x))
    e <- suppressWarnings(embed_landmarks(fit, dims = 1))
    expect_identical(e$graph$edge_weights, "rows")
    expect_gt(abs(stats::cor(predict(e, spiral$x), spiral$along, method = "spearman"))[1], 0.99)
  }
})

test_that("a grid has a graph through the data, whatever its landmarks are", {
  withr::local_seed(1)
  grid <- as.matrix(expand.grid(1:60, 1:60))
  for (method in list(by_dpp(), by_random(), by_active())) {
    fit <- landmarks(grid, 100, method)
    expect_identical(fit$joined$different, 3600L)
    expect_identical(landmark_graph(fit)$edge_weights, "rows")
  }
  # Copies are not different rows.
  fit <- as_landmarks(coef(fit), grid[c(1:3600, 1:1000), ])
  expect_identical(fit$joined$different, 3600L)
})
