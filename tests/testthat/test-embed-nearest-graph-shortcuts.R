# Edges that lead to another sheet of the data, and embeddings that unroll.

skip_slow_file()

# Which edges lead to another turn of the roll: those whose ends are farther along it than they are apart.
crossing <- function(roll, edges) {
  own <- roll$at[nearest_observations(roll$fit, roll$x, 1)$observation, "length"]
  size <- sqrt(rowSums((coef(roll$fit)[edges$i, ] - coef(roll$fit)[edges$j, ])^2))
  unname(abs(own[edges$i] - own[edges$j]) > 3 * size)
}

test_that("edges between the sheets of a roll are told, and how to be rid of them", {
  roll <- rolled(1, 1000)
  told <- function(edges, source) {
    landmarker:::shortcut_finder(roll$fit, source, landmarker:::compute_with())(edges$i, edges$j)
  }
  for (k in c(7, 20, 30)) {
    graph <- quietly(landmark_graph(roll$fit, neighbors = k))
    edges <- Matrix::summary(graph$weights)
    crosses <- crossing(roll, edges)
    expect_identical(told(edges, landmarker:::as_source(roll$x)), crosses)
    if (k <= 20) {
      expect_identical(told(edges, NULL), crosses)
      expect_identical(nrow(graph$shortcuts), sum(crosses))
    }
    expect_identical(any(crosses), k > 7)
  }
  warning <- expect_warning(
    graph <- landmark_graph(roll$fit, neighbors = 30), class = "landmarker_warning_shortcuts"
  )
  expect_output(print(graph), paste("shortcuts  ", nrow(graph$shortcuts), "short-circuit edge"))
  # Warnings come with the graph, and not with its embedding.
  expect_no_warning(embed_landmarks(graph))
  best <- as.integer(sub(".*neighbors = ([0-9]+).*", "\\1", conditionMessage(warning)))
  expect_warning(landmark_graph(roll$fit, neighbors = best), NA)
  expect_warning(landmark_graph(roll$fit, neighbors = best + 1), class = "landmarker_warning_shortcuts")
})

test_that("there is a warning where a roll stays folded, and none without an edge between sheets", {
  seen <- character()
  for (n in c(50, 100, 200)) {
    for (method in if (full_run()) c("gp", "dpp", "kmeans") else c("dpp", "kmeans")) {
      roll <- rolled(1, n, method)
      warned <- FALSE
      e <- withCallingHandlers(
        embed_landmarks(roll$fit, edges = "nearest"),
        landmarker_warning_shortcuts = function(w) {
          warned <<- TRUE
          invokeRestart("muffleWarning")
        }
      )
      unrolled <- follows(predict(e, roll$x)[, 1], roll$at[, "length"]) > 0.95
      # One such edge of many may do no harm.
      crosses <- any(crossing(roll, Matrix::summary(e$graph$weights)))
      expect_true(if (unrolled) crosses || !warned else warned)
      seen <- c(seen, unrolled)
    }
  }
  expect_setequal(seen, c("TRUE", "FALSE"))
})

test_that("there is no alarm where nothing is folded", {
  withr::local_seed(1)
  for (x in list(sim_circles(1000, 1), digits$images / 255, as.matrix(iris[1:4]), sim_fish_bowl(1000))) {
    fit <- landmarks(x, 40, "kmeans")
    for (k in c(3, 12)) {
      expect_warning(quiet(landmark_graph(fit, neighbors = k), "graph"), NA)
    }
  }
})
