# Embeddings that were cut or edited.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- as_landmarks(x, x, bandwidth = 4)
e <- embed_landmarks(fit, neighbors = 3)
by_shape <- function(...) embed_landmarks(fit, x, ..., neighbors = 3, distance = "bhattacharyya")

changed <- function(part, value, of = e) {
  of[[part]] <- value
  of
}

test_that("an embedding that was cut or edited is refused before the core sees it", {
  expect_refused(predict.landmark_embedding(fit, x), "embedding")
  expect_refused(predict(structure(list(), class = "landmark_embedding"), x), "embedding")
  expect_refused(print(structure(list(), class = "landmark_embedding")), "embedding")
  shapes <- list(e, by_shape(), by_shape(covariance = "full"))
  for (o in shapes) {
    for (part in setdiff(names(o), "version")) {
      cut <- o
      cut[part] <- NULL
      expect_error(predict(cut, x), paste0("It has no `", part, "`"), class = "landmarker_error_embedding")
    }
  }
  expect_refused(predict(changed("coordinates", coef(e)[1:4, ]), x), "embedding")
  expect_refused(predict(changed("values", c(0.5, 1)), x), "embedding")
  expect_refused(predict(changed("graph", e$graph$weights), x), "embedding")
  with_graph <- function(part, value, of = e) {
    of$graph[part] <- list(value)
    of
  }
  expect_refused(predict(with_graph("weights", e$graph$weights[1:4, 1:4]), x), "embedding")
  broken <- e
  broken$graph$weights@i[1] <- 99L
  expect_refused(predict(broken, x), "embedding")
  expect_refused(predict(with_graph("fit", NULL), x), "embedding")
  expect_refused(predict(with_graph("fit", changed("landmarks", x[1:4, ], fit)), x), "embedding")
  expect_refused(predict(with_graph("distance", "far"), x), "embedding")
  expect_refused(predict(with_graph("distance", "bhattacharyya"), x), "embedding")
  expect_refused(predict(with_graph("edge_weights", 1), x), "embedding")
  expect_refused(predict(with_graph("sigma", 0), x), "embedding")
  expect_refused(predict(with_graph("sigma", 1e-200), x), "embedding")
  expect_refused(predict(with_graph("neighbors", 6L), x), "embedding")
  expect_refused(predict(with_graph("neighbors", NA), x), "embedding")
  expect_refused(predict(with_graph("reach", e$graph$reach[1:4]), x), "embedding")
  expect_refused(predict(with_graph("reach", e$graph$reach * NaN), x), "embedding")
  expect_refused(predict(with_graph("reach", as.character(e$graph$reach)), x), "embedding")
  diagonal <- by_shape()
  expect_refused(
    predict(with_graph("covariance", diagonal$graph$covariance[, 1:2], diagonal), x), "embedding"
  )
  expect_refused(predict(with_graph("covariance", -diagonal$graph$covariance, diagonal), x), "embedding")
  expect_refused(predict(with_graph("covariance", diagonal$graph$covariance * NA, diagonal), x), "embedding")
  flat <- array(1, c(3, 3, 6))
  expect_refused(predict(with_graph("covariance", flat, diagonal), x), "embedding")
})
