# Graphs that were cut or edited.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- as_landmarks(x[1:4, ], x)

by_shape <- function(..., on = fit, data = x) landmark_graph(on, data, ..., distance = "bhattacharyya")

test_that("a graph that was cut or edited is refused", {
  graph <- landmark_graph(fit, edges = "nearest")
  for (of in list(graph, by_shape(), by_shape(covariance = "full"))) {
    # A graph from before objects had a version is whole.
    for (part in setdiff(names(of), c("version", "joins"))) {
      cut <- of
      cut[part] <- NULL
      expect_error(embed_landmarks(cut), paste0("It has no `", part, "`"), class = "landmarker_error_graph")
      expect_error(print(cut), paste0("It has no `", part, "`"), class = "landmarker_error_graph")
    }
  }
  edited <- function(part, value, of = graph) {
    of[part] <- list(value)
    of
  }
  expect_refused(embed_landmarks(structure(list(), class = "landmark_graph")), "graph")
  expect_refused(embed_landmarks(structure(1, class = "landmark_graph")), "graph")
  expect_refused(embed_landmarks(edited("weights", as.matrix(graph$weights))), "graph")
  expect_refused(embed_landmarks(edited("weights", graph$weights[1:3, 1:3])), "graph")
  expect_refused(embed_landmarks(edited("weights", 2 * graph$weights / max(graph$weights))), "graph")
  expect_refused(embed_landmarks(edited("weights", -graph$weights)), "graph")
  expect_refused(embed_landmarks(edited("components", 1:3)), "graph")
  expect_refused(
    embed_landmarks(edited("shortcuts", matrix(9L, 1, 2, dimnames = list(NULL, c("low", "high"))))), "graph"
  )
  expect_refused(embed_landmarks(edited("distance", "bhattacharyya")), "graph")
  expect_refused(embed_landmarks(edited("distance", "far")), "graph")
  expect_refused(embed_landmarks(edited("edge_weights", "binary")), "graph")
  expect_refused(embed_landmarks(edited("sigma", -1)), "graph")
  expect_refused(embed_landmarks(edited("neighbors", 4L)), "graph")
  expect_refused(embed_landmarks(edited("reach", graph$reach[1:2])), "graph")
  expect_refused(embed_landmarks(edited("covariance", diag(3))), "graph")
  expect_refused(embed_landmarks(edited("covariance", NULL, by_shape())), "graph")
  expect_refused(embed_landmarks(edited("fit", NULL)), "graph")
  expect_refused(embed_landmarks(edited("fit", as_landmarks(x[1:3, ], x))), "graph")
})
