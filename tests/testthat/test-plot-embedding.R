# Pictures of embeddings, by embeddings made by hand: they are drawn without a warning.

embedding <- made_embedding()
points <- odd_matrix(300, 3)
colnames(points) <- c("E1", "E2", "E3")
known_or_not <- c(NA, 1:298, NA) / 7
groups <- factor(c(rep_len(letters[1:9], 299), NA))

test_that("landmarks are drawn alone and among points, by glyphs and on a grid", {
  expect_identical(expect_drawn(plot(embedding)), embedding)
  for (edges in c(FALSE, TRUE)) {
    expect_drawn(plot(embedding, edges = edges, labels = FALSE))
    for (most in c(0, 1000)) {
      for (color in list(
        NULL, known_or_not, groups, as.character(groups), points[, 1] > 0, 1:300, rep(NA, 300),
        rep(NA_real_, 300)
      )) {
        expect_drawn(plot(embedding, points = points, color = color, edges = edges, max_points = most))
      }
    }
  }
})

test_that("landmarks have colors of their own where they are alone", {
  for (color in list(1:12, rep_len(c("u", "v"), 12), factor(c(NA, 1:11)), c(NA, 1:11) + 0.5, rep(3, 12))) {
    expect_drawn(plot(embedding, color = color))
  }
  expect_identical(ink_on(c("black", "#440154", "#FDE725", "white")), c("white", "white", "black", "black"))
})

test_that("other coordinates, and one of them, are drawn", {
  for (most in c(0, 1000)) {
    expect_drawn(plot(embedding, points = points, dims = c(3, 1), max_points = most))
    expect_drawn(plot(embedding, points = points, dims = 2, max_points = most, color = groups))
    expect_drawn(plot(embedding, points = points[1, , drop = FALSE], max_points = most))
    expect_drawn(plot(embedding, points = points[0, ], max_points = most))
    expect_drawn(plot(embedding, points = points * 0, max_points = most, color = known_or_not))
  }
  expect_drawn(plot(made_embedding(5, 1)))
  expect_drawn(plot(made_embedding(2, 2)))
  expect_drawn(plot(made_embedding(2, 1), points = points[, 1, drop = FALSE]))
  expect_drawn(plot(made_embedding(120, 2), edges = TRUE))
  without <- embedding
  without$graph$weights@x[] <- 0
  expect_drawn(plot(without, edges = TRUE))
})

test_that("new data are drawn where predict() places them", {
  set.seed(1)
  x <- sim_swiss_roll(60)
  fit <- landmarks(x, 12, "random")
  map <- embed_landmarks(suppressWarnings(landmark_graph(fit)))
  shown <- function(...) {
    shown_embedding(map, ..., NULL, list(dims = 1:2, edges = FALSE, max_points = 100))
  }
  expect_identical(shown(x, NULL)$points, predict(map, x))
  expect_drawn(plot(map, x, color = 1:60))
  # An error names the argument of plot().
  e <- expect_error(plot(map, x[, 1]), class = "landmarker_error_data")
  expect_identical(e$arg, "data")
})

test_that("the title says how many edges of the graph are shortcuts", {
  set.seed(1)
  graph <- suppressWarnings(landmark_graph(landmarks(sim_swiss_roll(1500), 40), neighbors = 4))
  expect_gt(nrow(graph$shortcuts), 1)
  title <- function(graph) {
    shown_embedding(
      embed_landmarks(graph), NULL, NULL, NULL, list(dims = 1, edges = FALSE, max_points = 9)
    )$title
  }
  words <- paste0("Embedding of 40 landmarks\n", nrow(graph$shortcuts), " edges of the graph are shortcuts")
  expect_identical(title(graph), words)
  graph$shortcuts <- graph$shortcuts[1, , drop = FALSE]
  expect_identical(title(graph), "Embedding of 40 landmarks\n1 edge of the graph is a shortcut")
  graph$shortcuts <- graph$shortcuts[0, , drop = FALSE]
  expect_identical(title(graph), "Embedding of 40 landmarks")
})

test_that("a grid is drawn the right way up", {
  # One point in each corner, and the colors of 1 to 4 from the top left, down the columns.
  corners <- cbind(E1 = c(0, 0, 1, 1), E2 = c(1, 0, 1, 0))
  shown <- shown_embedding(made_embedding(1, 2), NULL, 1:4 / 2, corners, list(
    dims = 1:2, edges = FALSE, max_points = 0
  ))
  shown[c("box", "resolution")] <- list(c(0, 1, 0, 1), 2)
  cells <- shown_cells(shown, TRUE)
  expect_identical(cells$there, 1:4)
  expect_equal(cells$values, 1:4 / 2)
})

test_that("scales run from end to end, and what is unknown is gray", {
  colors <- sequential_colors()
  expect_identical(on_scale(c(0, 10, -5, 50, NA), c(0, 10), colors), c(colors[c(1, 256, 1, 256)], "gray70"))
  expect_identical(c("#440154", "#FDE725"), colors[c(1, 256)])
  numbers <- check_color(c(3.5, NA, 9), 3, "point", NULL)
  expect_identical(numbers$range, c(3.5, 9))
  expect_identical(check_color(c(3.5, 3.5), 2, "point", NULL)$range, c(1.75, 5.25))
  expect_identical(means_range(c(1:1000, NaN)), unname(stats::quantile(1:1000, c(0.005, 0.995))))
  expect_identical(means_range(NaN), c(0, 1))
  expect_null(means_range(numeric()))
  ten <- factor(letters[1:25])
  expect_identical(group_shades(ten)[1:7], okabe_ito)
  expect_identical(anyDuplicated(group_shades(ten)[1:21]), 0L)
})

test_that("each layer has its points, and cells their values", {
  built <- function(...) {
    expect_warning(b <- ggplot2::ggplot_build(ggplot2::autoplot(embedding, ...)), NA)
    b
  }
  expect_equal(built()$data[[1]]$x, unname(embedding$coordinates[, 1]))
  # Landmarks are the last but their numbers, and can be left out.
  layers <- function(...) length(built(points = points, ...)$data)
  expect_identical(layers(), 3L)
  expect_identical(layers(labels = FALSE), 2L)
  expect_identical(layers(landmarks = FALSE), 1L)
  expect_identical(length(built(landmarks = FALSE)$data), 2L)
  expect_error(ggplot2::autoplot(embedding, groups = 1:12), class = "landmarker_error")
  expect_equal(built(color = 1:12, edges = TRUE)$data[[2]]$y, unname(embedding$coordinates[, 2]))
  for (color in list(NULL, known_or_not, groups, points[, 1] > 0)) {
    expect_equal(built(points = points, color = color, dims = c(3, 1))$data[[1]]$x, unname(points[, 3]))
    expect_lt(nrow(built(points = points, color = color, max_points = 0)$data[[1]]), 301)
  }
  built(points = points, dims = 2, max_points = 0)
  b <- built(points = points, color = groups, max_points = 0)$data[[1]]
  shown <- shown_embedding(embedding, NULL, groups, points, list(
    dims = 1:2, edges = FALSE, max_points = 0
  ))
  cells <- shown_cells(shown, TRUE)
  shades <- group_shades(groups)[cells$values]
  expect_identical(b$fill, ifelse(is.na(shades), unknown_color, shades))
})

test_that("an embedding of one component is drawn with its landmarks and points alone", {
  withr::local_seed(2)
  x <- rbind(matrix(stats::rnorm(300), 150), matrix(stats::rnorm(300, 20), 150))
  e <- quietly(embed_landmarks(landmarks(x, 20), component = 1, dims = 1))
  e2 <- quietly(embed_landmarks(landmarks(x, 20), component = 2))
  group <- rep(c("a", "b"), each = 150)
  y <- predict(e2, x)
  shown <- shown_embedding(e2, x, group, NULL, list(
    dims = 1:2, edges = TRUE, labels = NULL, max_points = 1000
  ))
  kept <- which(!is.na(coef(e2)[, 1]))
  expect_identical(rownames(shown$marks), as.character(kept))
  expect_identical(nrow(shown$points), sum(!is.na(y[, 1])))
  expect_identical(length(shown$color$values), nrow(shown$points))
  expect_identical(dim(shown$edges), rep(length(kept), 2))
  expect_match(shown$title, paste0("Embedding of ", length(kept), " of 20 landmarks and"))
  expect_true(all(is.finite(shown$box)))
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_warning(plot(e))
  expect_no_warning(plot(e2, x, color = group))
  expect_no_warning(plot(e2, points = y, edges = TRUE, max_points = 10))
  expect_true(all(is.finite(unlist(summary(e2)[c("least", "largest")]))))
})
