# Pictures of embeddings, by embeddings made by hand: they are drawn without a warning, and
# what a grid shows is what a table says.

made_embedding <- function(n = 12, dims = 3) {
  x <- odd_matrix(n, 2)
  weights <- as.matrix(stats::dist(x))
  weights <- exp(-weights^2) * (weights < 1)
  diag(weights) <- 0
  angle <- 2 * pi * seq_len(n) / n
  coordinates <- cbind(cos(angle), sin(angle), cos(2 * angle))[, seq_len(dims), drop = FALSE]
  dimnames(coordinates) <- list(paste0("L", seq_len(n)), paste0("E", seq_len(dims)))
  weights <- methods::as(Matrix::forceSymmetric(methods::as(weights, "CsparseMatrix")), "CsparseMatrix")
  whole_embedding(coordinates, seq_len(dims) / 10, weights, as_landmarks(x, x, bandwidth = 1))
}

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

test_that("other coordinates, one of them, and what plot() takes are drawn", {
  for (most in c(0, 1000)) {
    expect_drawn(
      plot(embedding, points = points, dims = c(3, 1), max_points = most, main = "m", xlab = "x", ylab = "y")
    )
    expect_drawn(plot(embedding, points = points, dims = 2, max_points = most, color = groups))
    expect_drawn(
      plot(
        embedding, points = points, max_points = most, xlim = c(0, 0.2), ylim = c(-0.1, 0.1), color = groups
      )
    )
    expect_drawn(
      plot(embedding, points = points, max_points = most, asp = NA, resolution = 7, color = known_or_not)
    )
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
  graph <- suppressWarnings(landmark_graph(landmarks(sim_swiss_roll(1500), 40)))
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

# ---- binning -----------------------------------------------------------------

# The cells by a loop over points: names are "row column" from the top left.
naive_cells <- function(points, grid) {
  vapply(seq_len(nrow(points)), function(i) {
    column <- 1 + floor((points[i, 1] - grid$box[1]) / grid$cell[1])
    up <- 1 + floor((points[i, 2] - grid$box[3]) / grid$cell[2])
    outside <- column < 1 || column > grid$columns || up < 1 || up > grid$rows
    if (outside) NA_character_ else paste(grid$rows + 1 - up, column)
  }, "")
}

by_naive <- function(points, grid, value) {
  cells <- naive_cells(points, grid)
  out <- matrix(NA_real_, grid$rows, grid$columns)
  for (cell in unique(cells[!is.na(cells)])) {
    at <- as.integer(strsplit(cell, " ")[[1]])
    out[at[1], at[2]] <- value(which(cells == cell))
  }
  out
}

test_that("the grid covers its box, by square cells where axes are alike", {
  grid <- point_grid(c(0, 10, -1, 1), 50)
  expect_identical(c(grid$columns, grid$rows), c(50L, 10L))
  expect_equal(grid$box, c(0, 10, -1, 1))
  expect_equal(grid$cell, c(0.2, 0.2))
  expect_identical(unlist(point_grid(c(0, 1, 0, 10), 30)[1:2]), c(columns = 3L, rows = 30L))
  expect_identical(unlist(point_grid(c(0, 1, 0, 10), 30, square = FALSE)[1:2]), c(columns = 30L, rows = 30L))
  # Nothing to spread: one cell.
  expect_identical(unlist(point_grid(c(2, 2, 3, 3), 30)[1:2]), c(columns = 1L, rows = 1L))
  expect_identical(unlist(point_grid(c(2, 2, 0, 3), 30)[1:2]), c(columns = 1L, rows = 30L))
  # All points are inside, those on the edges too.
  for (resolution in c(1, 7, 100, 333)) {
    for (scale in c(1e-6, 1 / 3, 1e5)) {
      p <- points * scale
      grid <- point_grid(c(range(p[, 1]), range(p[, 2])), resolution)
      cells <- point_cells(p, 1:2, grid)
      expect_true(all(cells >= 1 & cells <= grid$columns * grid$rows))
      expect_identical(max(grid$columns, grid$rows), as.integer(resolution))
    }
  }
})

test_that("counts, means and majorities are those of a table", {
  p <- points[, 2:3]
  # Some are outside of the second box.
  for (box in list(c(range(p[, 1]), range(p[, 2])), c(-0.5, 0.4, -0.9, 0.3))) {
    grid <- point_grid(box, 8)
    size <- grid$columns * grid$rows
    cells <- point_cells(points, 2:3, grid)
    shape <- function(v) matrix(as.double(v), grid$rows, grid$columns)
    counts <- by_naive(p, grid, length)
    expect_equal(shape(cell_counts(cells, size)), ifelse(is.na(counts), 0, counts))
    means <- by_naive(p, grid, function(i) mean(known_or_not[i], na.rm = TRUE))
    expect_equal(shape(cell_means(cells, size, known_or_not)), ifelse(is.na(means), NaN, means))
    most <- by_naive(p, grid, function(i) {
      count <- table(groups[i])
      if (sum(count)) which.max(count) else NA
    })
    expect_equal(shape(cell_majority(cells, size, groups)), most)
    shown <- cell_values(cells, size, list(kind = "none"))
    expect_equal(exp(shown$values), counts[!is.na(counts)])
    expect_identical(shown$there, which(!is.na(counts)))
  }
  expect_identical(cell_means(c(1L, 1L), 2, c(.Machine$integer.max, .Machine$integer.max))[1], 2147483647)
  expect_identical(cell_means(integer(), 2, numeric()), c(NaN, NaN))
})

test_that("a grid is drawn the right way up", {
  # One point in each corner, and the colors of 1 to 4 from the top left, down the columns.
  corners <- cbind(E1 = c(0, 0, 1, 1), E2 = c(1, 0, 1, 0))
  shown <- shown_embedding(made_embedding(1, 2), NULL, 1:4, corners, list(
    dims = 1:2, edges = FALSE, resolution = 2, max_points = 0
  ))
  shown$box <- c(0, 1, 0, 1)
  cells <- shown_cells(shown, list(asp = 1))
  expect_identical(cells$there, 1:4)
  expect_equal(cells$values, 1:4)
})

test_that("scales run from end to end, and what is unknown is gray", {
  colors <- sequential_colors()
  expect_identical(on_scale(c(0, 10, -5, 50, NA), c(0, 10), colors), c(colors[c(1, 256, 1, 256)], "gray70"))
  expect_identical(c("#440154", "#FDE725"), colors[c(1, 256)])
  numbers <- check_color(c(3, NA, 9), 3, "point", NULL)
  expect_identical(numbers$range, c(3, 9))
  expect_identical(check_color(c(3, 3), 2, "point", NULL)$range, c(1.5, 4.5))
  expect_identical(means_range(c(1:1000, NaN)), unname(stats::quantile(1:1000, c(0.005, 0.995))))
  expect_identical(means_range(NaN), c(0, 1))
  expect_null(means_range(numeric()))
  ten <- factor(letters[1:25])
  expect_identical(group_shades(ten)[1:7], okabe_ito)
  expect_identical(anyDuplicated(group_shades(ten)[1:21]), 0L)
})

test_that("edges are those of the graph, each once, the heaviest last", {
  e <- graph_edges(embedding$graph$weights, embedding$coordinates[, 1:2])
  dense <- as.matrix(embedding$graph$weights)
  expect_identical(nrow(e), sum(dense[upper.tri(dense)] > 0))
  expect_false(is.unsorted(e$share))
  expect_equal(sort(e$share * max(dense)), sort(dense[upper.tri(dense) & dense > 0]))
  i <- match(e$a[1], embedding$coordinates[, 1])
  j <- match(e$a_end[1], embedding$coordinates[, 1])
  expect_equal(dense[i, j], e$share[1] * max(dense))
})

test_that("ggplot2 draws the same", {
  skip_if_not_installed("ggplot2", "3.4.0")
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
    expect_lt(nrow(built(points = points, color = color, max_points = 0, resolution = 8)$data[[1]]), 65)
  }
  built(points = points, dims = 2, max_points = 0)
  b <- built(points = points, color = groups, max_points = 0, resolution = 8)$data[[1]]
  shown <- shown_embedding(embedding, NULL, groups, points, list(
    dims = 1:2, edges = FALSE, resolution = 8, max_points = 0
  ))
  cells <- shown_cells(shown, list(asp = 1))
  expect_identical(b$fill, cell_colors(cells$values, shown$color))
})
