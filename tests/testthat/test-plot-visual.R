# Every kind of picture as it was when it was looked at, by vdiffr. Landmarks are given, so that the pictures
# depend on no computation that may round otherwise on another processor.

skip_if_not_installed("vdiffr")

# Other versions of ggplot2 draw a little otherwise.
looks <- function(title, plot) {
  skip_if(utils::packageVersion("ggplot2") != "3.4.1", "snapshots of ggplot2 3.4.1")
  vdiffr::expect_doppelganger(title, plot)
}

x <- `colnames<-`(odd_matrix(80, 2), c("length", "width"))
wide <- cbind(a = x[, 1] * 3, b = x[, 2], c = x[, 1] - x[, 2]^2, d = odd_matrix(80, 1, 3)[, 1])
few <- as_landmarks(x[c(1, 20, 33, 47, 60), ], x, bandwidth = 1)
many <- as_landmarks(odd_matrix(40, 2, 7) / 2, x, bandwidth = 1)
most <- as_landmarks(odd_matrix(120, 2, 5), x, bandwidth = 1)
four <- as_landmarks(wide[c(1, 20, 33, 47), ], wide, bandwidth = 1)
three <- factor(rep_len(c("red fox", "hare", "owl"), 80))
twelve <- factor(paste("kind", LETTERS[1 + (atan2(x[, 2], x[, 1]) / pi + 1) * 5.999]))
image_fit <- as_landmarks(odd_matrix(6, 12) > 0, odd_matrix(20, 12), bandwidth = 3)
auto <- ggplot2::autoplot

test_that("landmarks among data look as they did", {
  looks("alone", auto(four))
  column <- x[, 1, drop = FALSE]
  looks("one column", auto(as_landmarks(column[1:3, , drop = FALSE], column, bandwidth = 1), column))
  map <- list(data = x * 20, landmarks = few$landmarks * 20, names = c("t-SNE 1", "t-SNE 2"), equal = TRUE)
  looks("two columns", auto(few, x))
  looks("more columns", auto(four, wide, color = three))
  looks("numbers beside", auto(many, x))
  looks("more than 100", auto(most, x))
  looks("twelve groups", auto(few, x, color = twelve))
  looks("map", landmarks_picture(map, list(color = three, title = "5 landmarks"), TRUE, "animal"))
  looks("variance", auto(few, type = "variance"))
  looks("words", auto(four, type = "words"))
  looks("images", auto(image_fit, type = "images", dim = c(3, 4), labels = TRUE))
})

test_that("graphs and embeddings look as they did", {
  graph <- landmark_graph(many, neighbors = 4)
  graph$shortcuts <- cbind(low = 1L, high = 9L)
  graph$components <- rep(1:2, c(35, 5))
  looks("graph", auto(graph, x))
  angle <- 2 * pi * 1:40 / 40
  coordinates <- cbind(E1 = cos(angle), E2 = sin(angle) + 0.3 * cos(2 * angle))
  rownames(coordinates) <- paste0("L", 1:40)
  embedding <- whole_embedding(coordinates, c(0.2, 0.1), graph$weights, many)
  embedding$graph <- graph
  points <- `colnames<-`(x, c("E1", "E2"))
  height <- x[, 2]
  looks("embedding", auto(embedding, edges = TRUE))
  looks("embedding of points", auto(embedding, points = points, color = height))
  looks("embedding of groups", auto(embedding, points = points, color = twelve, labels = FALSE))
  looks("embedding on a grid", auto(embedding, points = points, color = three, max_points = 0))
})

test_that("comparisons look as they did", {
  methods <- list(gp = by_gp(), random = by_random(), all = raw_features)
  cv <- suppressWarnings(
    cv_landmarks(wide, three, n = 2:3, methods = methods, folds = 2, seeds = 1, refit = FALSE)
  )
  # Numbers of our own, so that no rounding shows: of two folds, a standard error below and above the mean.
  rows <- nrow(cv$summary)
  error <- rep_len(c(0.02, 0.05), rows)
  of <- function(table) paste(table$method, table$n, table$bandwidth)
  row <- match(of(cv$units), of(cv$summary))
  away <- c(-1, 1)[cv$units$fold] * error[row]
  cv$units$accuracy <- seq(0.5, 0.9, length.out = rows)[row] + away
  cv$units$deviance <- seq(2, 0.5, length.out = rows)[row] + away
  looks("comparison", auto(summarised_again(cv)))
})
