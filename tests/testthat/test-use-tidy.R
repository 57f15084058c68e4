# Tables of graphs and of codebooks, as tibbles.

set.seed(1)
x <- cbind(a = cos(1:120), b = sin(1:120), c = 0.1 * rnorm(120))

test_that("tables are tibbles, and glance() has one row with the number of observations", {
  skip_if_not_installed("tibble")
  fit <- landmarks(x, 6)
  for (object in list(fit, landmark_graph(fit), embed_landmarks(fit), codebook(x, 4))) {
    expect_identical(nrow(glance(object)), 1L)
    expect_identical(glance(object)$nobs, 120L)
    tables <- list(tidy(object), glance(object), if (!inherits(object, "landmark_graph")) augment(object, x))
    for (table in Filter(length, tables)) expect_identical(table, tibble::as_tibble(table))
  }
  # A tibble with groups or other attributes is a plain tibble afterwards.
  expect_true(tibble::is_tibble(augment(fit, tibble::as_tibble(x))))
})

test_that("augment() gives names of rows, and errors by the name of the argument", {
  fit <- landmarks(x, 6)
  named <- `rownames<-`(x, paste0("r", 1:120))
  expect_identical(augment(fit, named)[[".rownames"]], rownames(named))
  sparse <- methods::as(named, "CsparseMatrix")
  expect_named(augment(fit, sparse), c(".rownames", ".landmark", ".distance"))
  expect_identical(augment(fit, newdata = as.data.frame(x)[0, ])$.landmark, integer())
  book <- codebook(x, 4)
  map <- embed_landmarks(fit)
  expect_refused(
    augment(fit, data = "a"), augment(map, newdata = x[, 1:2]),
    augment(book, newdata = data.frame(a = "u", b = 1, c = 1)), augment(map, in_chunks(x))
  )
})

test_that("a graph has a row for each edge", {
  points <- rbind(c(0, 0), c(3, 4), c(3, 0))
  fit <- as_landmarks(points, rbind(points, points + 1), bandwidth = 9)
  graph <- landmark_graph(fit, neighbors = 1, sigma = 2)
  # The nearest of 1 is 3 (3 away), of 2 is 3 (4 away), of 3 is 1.
  edges <- tidy(graph)
  expect_named(edges, c("from", "to", "weight", "distance", "shortcut"))
  by_hand <- list(1:2, c(3L, 3L), exp(-c(9, 16) / 8), c(3, 4), c(FALSE, FALSE))
  expect_equal(unname(as.list(edges)), by_hand, tolerance = 1e-12)
  one <- as.list(glance(graph)[c("edges", "components", "sigma")])
  expect_identical(one, list(edges = 2L, components = 1L, sigma = 2))
  roll <- sim_swiss_roll(400)
  for (distance in c("euclidean", "bhattacharyya")) {
    graph <- suppressWarnings(landmark_graph(landmarks(roll, 25), roll, 6, distance))
    edges <- tidy(graph)
    expect_equal(edges$weight, exp(-edges$distance^2 / (2 * graph$sigma^2)), tolerance = 1e-12)
    found <- edges[edges$shortcut, c("from", "to")]
    expect_setequal(paste(found$from, found$to), paste(graph$shortcuts[, 1], graph$shortcuts[, 2]))
    expect_identical(glance(graph)$shortcuts, sum(edges$shortcut))
  }
  binary <- landmark_graph(fit, neighbors = 1, edge_weights = "binary")
  expect_identical(tidy(binary)$weight, c(1, 1))
  expect_identical(glance(binary)$sigma, NA_real_)
  expect_refused(tidy(graph, type = "edges"))
})

test_that("a codebook has a row for each codeword", {
  book <- codebook(x, 4, scale = TRUE)
  rows <- tidy(book)
  expect_identical(rows$codeword, 1:4)
  expect_identical(unname(as.matrix(rows[-1])), unname(coef(book)))
  expect_named(tidy(codebook(unname(x), 2)), c("codeword", "V1", "V2", "V3"))
  with <- augment(book, x)
  expect_equal(sum(with$.distance^2), glance(book)$within, tolerance = 1e-10)
  away <- naive_distances(x %*% diag(book$factor), coef(book) %*% diag(book$factor))
  expect_identical(with$.codeword, apply(away, 1, which.min))
  expect_identical(glance(book)$codewords, 4L)
})
