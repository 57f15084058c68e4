# Pictures of embeddings, by embeddings made by hand.

embedding <- made_embedding()
points <- `colnames<-`(odd_matrix(300, 3), c("E1", "E2", "E3"))
known_or_not <- c(NA, 1:298, NA) / 7
groups <- factor(c(rep_len(letters[1:9], 299), NA))

test_that("landmarks and points are drawn with every kind of color, by glyphs and on a grid", {
  expect_identical(expect_drawn(plot(embedding, edges = TRUE, labels = FALSE)), embedding)
  colors <- list(NULL, known_or_not, groups, rep(NA, 300))
  for (color in colors) expect_drawn(plot(embedding, points = points, color = color))
  on_grid <- function(points, ...) expect_drawn(plot(embedding, points = points, max_points = 0, ...))
  for (color in colors[2:3]) on_grid(points, color = color, edges = TRUE)
  on_grid(points * 0, color = known_or_not)
  on_grid(points, dims = 2, color = groups)
  on_grid(points[0, ])
  # Landmarks have colors of their own where they are alone.
  for (own in list(factor(c(NA, 1:11)), c(NA, 1:11) + 0.5)) expect_drawn(plot(embedding, color = own))
  expect_drawn(plot(made_embedding(2, 1), points = points[, 1, drop = FALSE]))
  expect_drawn(plot(made_embedding(120, 2)))
  embedding$graph$weights@x[] <- 0
  expect_drawn(plot(embedding, edges = TRUE))
  # Edges on a line are arcs.
  picture <- ggplot2::autoplot(made_embedding(), dims = 1, edges = TRUE)
  expect_s3_class(picture$layers[[1]]$geom, "GeomCurve")
  expect_silent(on_device(print(picture)))
})

test_that("new data are drawn where predict() places them", {
  x <- withr::with_seed(1, sim_swiss_roll(60))
  map <- quietly(embed_landmarks(as_landmarks(x[1:12, ], x)))
  drawn <- ggplot2::layer_data(ggplot2::autoplot(map, x), 1)
  expect_equal(cbind(drawn$x, drawn$y), unname(predict(map, x)[, 1:2]))
  expect_drawn(plot(map, x, color = 1:60))
  # An error names the argument of plot().
  expect_identical(expect_error(plot(map, x[, 1]), class = "landmarker_error_data")$arg, "data")
})

test_that("the title says how many edges of the graph are shortcuts", {
  said <- c("", "\n1 edge of the graph is a shortcut", "\n2 edges of the graph are shortcuts")
  for (count in 0:2) {
    embedding$graph$shortcuts <- cbind(low = 1:2, high = 3:4)[seq_len(count), , drop = FALSE]
    title <- ggplot2::autoplot(embedding)$labels$title
    expect_identical(title, paste0("Embedding of 12 landmarks", said[count + 1]))
  }
})

test_that("each layer has its points, and cells their values", {
  built <- function(...) ggplot2::ggplot_build(ggplot2::autoplot(embedding, ...))$data
  expect_equal(built()[[1]]$x, unname(embedding$coordinates[, 1]))
  # Landmarks are the last but their numbers, and can be left out.
  layers <- function(...) length(built(points = points, ...))
  expect_identical(c(layers(), layers(labels = FALSE), layers(landmarks = FALSE)), 3:1)
  expect_length(built(landmarks = FALSE), 2)
  expect_equal(built(color = 1:12, edges = TRUE)[[2]]$y, unname(embedding$coordinates[, 2]))
  expect_equal(built(points = points, dims = c(3, 1))[[1]]$x, unname(points[, 3]))
  b <- built(points = points, color = groups, max_points = 0)[[1]]
  tiles <- counted_cells(points[, 1:2], groups, point_grid(
    apply(rbind(points[, 1:2], embedding$coordinates[, 1:2]), 2, range), 150, TRUE
  ))
  shades <- group_colors(9)[tiles$value]
  expect_identical(b$colour, ifelse(is.na(shades), unknown_color, shades))
})

test_that("an embedding of one component is drawn with its landmarks and points alone", {
  withr::local_seed(2)
  x <- rbind(matrix(stats::rnorm(300), 150), matrix(stats::rnorm(300, 20), 150))
  e2 <- quietly(embed_landmarks(landmarks(x, 20), component = 2))
  y <- predict(e2, x)
  picture <- ggplot2::autoplot(e2, x, color = rep(c("a", "b"), each = 150), edges = TRUE)
  kept <- which(!is.na(coef(e2)[, 1]))
  data <- lapply(picture$layers, function(layer) layer$data)
  expect_identical(data[[3]]$label, as.character(kept))
  expect_identical(nrow(data[[2]]), sum(!is.na(y[, 1])))
  expect_true(all(as.matrix(data[[1]][c("a", "a_end")]) %in% coef(e2)[kept, 1]))
  expect_match(picture$labels$title, paste0("Embedding of ", length(kept), " of 20 landmarks and"))
  expect_drawn(plot(e2, points = y, dims = 1, edges = TRUE, max_points = 10))
  expect_true(all(is.finite(unlist(summary(e2)[c("least", "largest")]))))
})

test_that("points, colors and options are checked", {
  embedding <- made_embedding(3, 2)
  points <- cbind(E1 = c(0.5, 0.25), E2 = c(1, 1.5))
  expect_refused(
    plot(embedding, points = points[, 1]), plot(embedding, points = as.data.frame(points)),
    plot(embedding, points = points[, 2:1]), plot(embedding, points = rbind(points, NaN)),
    plot(embedding, points = rbind(points, -Inf)), plot(embedding, points = points, color = 1:3),
    plot(embedding, points = points, color = "red"), plot(embedding, points = points, color = points),
    plot(embedding, points = points, color = 1i * 0:1), plot(embedding, points = points, color = c(1, Inf)),
    plot(embedding, dims = c(1, 3)), plot(embedding, dims = c(1, NA)), plot(embedding, dims = "E1"),
    plot(embedding, edges = 1), plot(embedding, labels = NA), plot(embedding, max_points = -1)
  )
})
