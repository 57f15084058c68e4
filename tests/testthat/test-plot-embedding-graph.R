# Pictures of graphs of landmarks.

test_that("graphs are drawn, with and without data, shortcuts and components", {
  x <- odd_matrix(100, 3)
  fit <- as_landmarks(odd_matrix(12, 3, 5), x, bandwidth = 1)
  graph <- landmark_graph(fit, neighbors = 3)
  expect_identical(expect_drawn(plot(graph, x)), graph)
  expect_drawn(plot(graph, labels = FALSE))
  graph$shortcuts <- cbind(low = 1L, high = 4L)
  graph$components <- rep(1:2, 6)
  expect_drawn(plot(graph, x, max_points = 20))
  graph$components <- 1:12
  expect_drawn(plot(graph, x))
  expect_refused(plot(graph, x[, 1:2]), plot(graph, x, labels = 3))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(graph, x))$data
  expect_identical(nrow(built[[2]]), sum(Matrix::triu(graph$weights) > 0))
  # Data, edges and the shortcut are below.
  expect_equal(cbind(built[[4]]$x, built[[4]]$y), unname(to_plane(fit, x)$landmarks))
})

test_that("edges are those of the graph, each once, the heaviest last", {
  embedding <- made_embedding()
  dense <- as.matrix(embedding$graph$weights)
  numbers <- seq_len(nrow(dense))
  e <- edges_layer(embedding$graph$weights, cbind(numbers, numbers))$data
  share <- (e$alpha - 0.3) / 0.5
  expect_false(is.unsorted(share))
  expect_equal(sort(share * max(dense)), sort(dense[upper.tri(dense) & dense > 0]))
  expect_equal(dense[cbind(e$a, e$a_end)], share * max(dense))
})
