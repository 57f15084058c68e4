# Checks of arguments, and of what is given as an object of the package.

set.seed(3)
x <- unclass(sim_spiral(40))
y <- factor(rep(c("p", "q"), 20))
fit <- landmarks(x, 12)
graph <- landmark_graph(fit)
some <- list(random = by_random(), raw = raw_features)
cv <- cv_landmarks(x, y, n = 3, methods = some, folds = 2, seeds = 1, lambda = c(0.01, 1))
grDevices::pdf(NULL)
withr::defer(grDevices::dev.off())

# For each class an object, and functions that take it.
taken <- list(
  landmarks = list(fit, list(
    function(o) predict(o, x), function(o) add_landmarks(o, x, 1), function(o) refine_landmarks(o, x, 1),
    function(o) nearest_observations(o, x, 1), function(o) top_features(o, 1), print, summary, coef, tidy,
    glance, plot, landmark_graph
  )),
  landmark_graph = list(graph, list(print, embed_landmarks, tidy, plot)),
  landmark_embedding = list(quiet(embed_landmarks(graph), "novelty"), list(
    print, function(o) predict(o, x), tidy, plot
  )),
  cv_landmarks = list(cv, list(print, summary, function(o) predict(o, x), tidy, plot)),
  codebook = list(codebook(x, 4), list(print, function(o) predict(o, x, y), tidy)),
  tagging_scores = list(tagging_scores(cbind(a = 0.1 * 1:9, b = 0.5), cbind(a = 1:9 > 5, b = 1:9 > 3), 1),
    list(print, summary)
  ),
  raw_features = list(raw_features(x), list(function(o) predict(o, x))),
  chunked = list(in_chunks(x, 2), list(print, as_chunks, function(o) map_chunks(o, function(rows, k) k)))
)

test_that("an object without the part that all of its class have is refused by all that takes one", {
  for (class in names(taken)) {
    lacking <- without(taken[[class]][[1]], object_classes[[class]][3])
    for (use in taken[[class]][[2]]) {
      expect_error(use(lacking), "has no component", class = "landmarker_error_input", info = class)
      expect_error(use(structure(1, class = class)), class = "landmarker_error_input", info = class)
    }
  }
})

test_that("parts that do not belong together are found where a fit is made, and where it is used", {
  edits <- list(
    explained = fit$explained[-1], landmarks = replace(fit$landmarks, 2, NaN), bandwidth = NA, factor = 1,
    center = letters[1:4], kernel = "cubic", space = 3, method = "gp", response = list(),
    nearest = 0 * fit$nearest, sd = NULL, n_rows = NULL
  )
  for (part in names(edits)) {
    broken <- fit
    broken[part] <- edits[part]
    expect_error(validate_landmarks(broken), part)
    methods <- if (full_run() || part == "explained") taken$landmarks[[2]]
    for (use in c(methods, function(o) o[1:2], function(o) augment(o, x))) {
      expect_error(use(broken), paste0("`", part, "` was removed or changed"), class = "landmarker_error_fit")
    }
  }
})

test_that("indices of a graph that was edited reach neither Matrix nor the core", {
  embedding <- taken$landmark_embedding[[1]]
  for (edit in list(
    list("i", graph$weights@i + 1000000000L), list("p", graph$weights@p * 100000L), list("p", 0L),
    list("Dim", c(1000000L, 1000000L)), list("x", raw(1))
  )) {
    broken <- graph
    attr(broken$weights, edit[[1]]) <- edit[[2]]
    for (use in taken$landmark_graph[[2]]) expect_error(use(broken), class = "landmarker_error_graph")
    for (use in taken$landmark_embedding[[2]]) {
      expect_error(use(with_part(embedding, graph = broken)), class = "landmarker_error_embedding")
    }
  }
  wide <- with_part(embedding, coordinates = matrix(1, 12, 25), values = rep(0.5, 25))
  expect_error(predict(wide, x), "fewer columns than landmarks")
})

test_that("objects of another class, and arguments that are called otherwise here, are told the remedy", {
  expect_refused(
    predict(without(fit, "landmarks"), x), print(structure(1, class = "landmarks")),
    add_landmarks(list(), x, 1), top_features(), landmarks(x, k = 5), landmarks(x, 5, na.rm = TRUE),
    landmarks(x, 5, subset = 1:10), landmarks(x, 5, weights = "w"), plot(fit, x, color = "Species"),
    landmarks(~ Sepal.Length | Species, iris, 5), landmark_graph(fit, sigma = structure(1, class = "unit"))
  )
  expect_error(landmarks(x, 3, structure(list(), class = c("by_gp", "landmark_method"))))
  # Numbers of R's own classes become plain.
  expect_identical(suppressWarnings(landmark_graph(fit, sigma = I(1)))$sigma, 1)
})
