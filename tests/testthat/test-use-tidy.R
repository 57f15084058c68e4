# Tables of fits with a response, of graphs and of codebooks; and tibbles with and without package tibble.

set.seed(1)
x <- cbind(a = cos(1:120), b = sin(1:120), c = 0.1 * rnorm(120))
quick <- function(...) by_response(..., iterations = 40)

test_that("tables are tibbles", {
  skip_if_not_installed("tibble")
  fit <- landmarks(x, 6)
  graph <- landmark_graph(fit)
  book <- codebook(x, 4)
  map <- embed_landmarks(graph)
  tables <- list(
    tidy(fit), glance(fit), augment(fit, x), tidy(graph), glance(graph), tidy(map), glance(map),
    augment(map, x), tidy(book), glance(book), augment(book, x)
  )
  for (table in tables) {
    expect_true(tibble::is_tibble(table))
    expect_identical(table, tibble::as_tibble(table))
    expect_identical(rownames(table), as.character(seq_len(nrow(table))))
  }
  for (one in list(glance(fit), glance(graph), glance(map), glance(book))) expect_identical(nrow(one), 1L)
  expect_identical(
    c(glance(fit)$nobs, glance(graph)$nobs, glance(map)$nobs, glance(book)$nobs), rep(120L, 4)
  )
  # A tibble with groups or other attributes is a plain tibble afterwards.
  expect_true(tibble::is_tibble(augment(fit, tibble::as_tibble(x))))
})

test_that("tables print and can be indexed where tibble is not installed", {
  skip_on_os("windows")
  skip_if(dir.exists(file.path(.Library, "tibble")))
  lib <- withr::local_tempdir()
  for (package in c("landmarker", "cli", "generics", "rlang")) {
    file.symlink(find.package(package), file.path(lib, package))
  }
  script <- withr::local_tempfile(lines = c(
    "stopifnot(!requireNamespace('tibble', quietly = TRUE), !requireNamespace('pillar', quietly = TRUE))",
    "library(landmarker)", "x <- cbind(a = c(1, 2, 4), b = c(0, 1, 0))",
    "out <- augment(as_landmarks(x[1:2, ], x, bandwidth = 1), x)",
    "print(out)", "print(out[out$.distance == 0, 'a', drop = FALSE])", "print(class(out))",
    "print(out[['b']])"
  ))
  # .libPaths() of the child: the site's own library is left out too.
  env <- c(
    paste0("R_LIBS=", lib), "R_LIBS_USER=none", "R_LIBS_SITE=none", "R_TESTS=", "R_PROFILE_USER=none"
  )
  rscript <- file.path(R.home("bin"), "Rscript")
  said <- suppressWarnings(
    system2(rscript, c("--vanilla", script), stdout = TRUE, stderr = TRUE, env = env)
  )
  expect_identical(said, c(
    "  a b .landmark .distance", "1 1 0         1  0.000000", "2 2 1         2  0.000000",
    "3 4 0         2  2.236068", "  a", "1 1", "2 2", "[1] \"tbl_df\"     \"tbl\"        \"data.frame\"",
    "[1] 0 1 0"
  ))
})

test_that("augment() gives the names of rows, and errors by the name that the data were given by", {
  fit <- landmarks(x, 6)
  named <- `rownames<-`(x, paste0("r", 1:120))
  expect_identical(names(augment(fit, named))[1], ".rownames")
  expect_identical(augment(fit, named)$.rownames, rownames(named))
  sparse <- methods::as(named, "CsparseMatrix")
  expect_named(augment(fit, sparse), c(".rownames", ".landmark", ".distance"))
  expect_identical(augment(fit, x[0, ])$.landmark, integer())
  expect_identical(nrow(augment(fit, newdata = as.data.frame(x)[0, ])), 0L)
  book <- codebook(x, 4)
  map <- embed_landmarks(fit)
  expect_refused(augment(fit, data = "a"), "data")
  expect_refused(augment(fit, newdata = "a"), "data")
  expect_refused(augment(fit, data = x[, 1:2]), "columns")
  expect_refused(augment(fit, newdata = x[, 1:2]), "columns")
  expect_refused(augment(map, newdata = x[, 1:2]), "columns")
  expect_refused(augment(map, data = x * 1e300), "data")
  expect_refused(augment(book, data = x[, 1:2]), "columns")
  expect_refused(augment(book, newdata = data.frame(a = "u", b = 1, c = 1)), "columns")
  expect_refused(augment(book), "data")
  expect_refused(augment(map, cut_data(x, 2)), "parts")
  expect_refused(augment(book, newdata = cut_data(x, 2)), "parts")
  bad <- x
  bad[3, 2] <- NA
  expect_refused(augment(fit, data = bad), "missing")
  expect_refused(augment(book, newdata = bad), "missing")
})

test_that("a graph has a row for each edge", {
  points <- rbind(c(0, 0), c(3, 4), c(3, 0))
  fit <- as_landmarks(points, rbind(points, points + 1), bandwidth = 9)
  graph <- landmark_graph(fit, neighbors = 1, sigma = 2)
  # The nearest of 1 is 3 (3 away), of 2 is 3 (4 away), of 3 is 1.
  edges <- tidy(graph)
  expect_named(edges, c("from", "to", "weight", "distance", "shortcut"))
  expect_identical(edges$from, 1:2)
  expect_identical(edges$to, c(3L, 3L))
  expect_equal(edges$distance, c(3, 4), tolerance = 1e-12)
  expect_equal(edges$weight, exp(-c(9, 16) / 8), tolerance = 1e-12)
  expect_identical(edges$shortcut, c(FALSE, FALSE))
  one <- glance(graph)
  expect_identical(one$edges, 2L)
  expect_identical(one$components, 1L)
  expect_identical(one$sigma, 2)

  roll <- sim_swiss_roll(400)
  for (distance in c("euclidean", "bhattacharyya")) {
    graph <- suppressWarnings(landmark_graph(landmarks(roll, 25), roll, 6, distance))
    edges <- tidy(graph)
    whole <- as.matrix(graph$weights)
    expect_identical(edges$weight, whole[cbind(edges$from, edges$to)])
    expect_identical(nrow(edges), sum(whole[upper.tri(whole)] > 0))
    expect_true(all(edges$from < edges$to))
    expect_equal(edges$weight, exp(-edges$distance^2 / (2 * graph$sigma^2)), tolerance = 1e-12)
    found <- edges[edges$shortcut, c("from", "to")]
    expect_setequal(paste(found$from, found$to), paste(graph$shortcuts[, 1], graph$shortcuts[, 2]))
    expect_identical(glance(graph)$shortcuts, sum(edges$shortcut))
  }
  binary <- landmark_graph(fit, neighbors = 1, edge_weights = "binary")
  expect_identical(tidy(binary)$weight, c(1, 1))
  expect_identical(glance(binary)$sigma, NA_real_)
  expect_refused(tidy(graph, type = "edges"), "dots")
  expect_refused(tidy(structure(list(), class = "landmark_graph")), "graph")
  expect_refused(glance(structure(list(), class = "landmark_graph")), "graph")
})

test_that("a codebook has a row for each codeword", {
  book <- codebook(x, 4, scale = TRUE)
  rows <- tidy(book)
  expect_identical(rows$codeword, 1:4)
  expect_identical(unname(as.matrix(rows[-1])), unname(coef(book)))
  expect_named(tidy(codebook(unname(x), 2)), c("codeword", "V1", "V2", "V3"))
  with <- augment(book, x)
  expect_equal(sum(with$.distance^2), glance(book)$within, tolerance = 1e-10)
  scaled <- sweep(x, 2, book$factor, "*")
  away <- naive_distances(scaled, sweep(coef(book), 2, book$factor, "*"))
  expect_identical(with$.codeword, unname(apply(away, 1, which.min)))
  expect_identical(glance(book)$codewords, 4L)
  expect_refused(tidy(structure(list(), class = "codebook")), "codebook")
  expect_refused(glance(book, 1), "dots")
})

test_that("a fit with a response has coefficients, a held-out measure and predictions", {
  set.seed(2)
  classes <- landmarks(Species ~ ., data = iris, n = 4, method = quick())
  terms <- tidy(classes, "coefficients")
  expect_named(terms, c("y.level", "term", "estimate"))
  w <- classes$response$coefficients
  expect_identical(terms$estimate, w[cbind(terms$term, terms$y.level)])
  # The scores of a row, by hand.
  scores <- c(1, predict(classes, iris[51, ])) %*% matrix(terms$estimate, 5)
  with <- augment(classes, iris)
  names <- paste0(".pred_", levels(iris$Species))
  expect_named(with, c(names(iris), ".landmark", ".distance", ".pred_class", names))
  by_hand <- c(exp(scores) / sum(exp(scores)))
  expect_equal(unlist(with[51, names], use.names = FALSE), by_hand, tolerance = 1e-10)
  expect_identical(with$.pred_class, predict(classes, iris, "class"))
  one <- glance(classes)
  expect_identical(one$measure, "accuracy")
  expect_identical(one$value, classes$response$held_out$measure)
  expect_identical(one$held_out, as.integer(classes$response$held_out$rows))
  expect_identical(one$steps, classes$response$iterations)

  long <- factor(iris$Petal.Length > 4, labels = c("short", "long"))
  two <- landmarks(iris[1:2], 4, quick(long))
  expect_named(tidy(two, "coefficients"), c("term", "estimate"))
  with <- augment(two, iris)
  expect_identical(with$.pred_long, unname(predict(two, iris, "response")))
  expect_identical(with$.pred_short, 1 - with$.pred_long)
  expect_identical(levels(with$.pred_class), c("short", "long"))

  number <- landmarks(iris[1:2], 4, quick(iris$Petal.Length))
  expect_identical(augment(number, iris)$.pred, unname(predict(number, iris, "response")))
  expect_identical(glance(number)$measure, "mean squared error")
  tags <- cbind(wide = iris$Sepal.Width > 3, tall = iris$Petal.Length > 4)
  tagged <- landmarks(iris[3:4], 4, quick(tags))
  expect_named(augment(tagged, iris[3:4])[5:6], c(".pred_wide", ".pred_tall"))
  expect_identical(unique(tidy(tagged, "coefficients")$y.level), c("wide", "tall"))
  again <- refine_landmarks(number, iris[1:2], 10, y = iris$Petal.Length)
  expect_identical(glance(again)$held_out, 0L)
  expect_identical(glance(again)$value, NA_real_)
  expect_identical(glance(again)$measure, NA_character_)

  expect_refused(tidy(landmarks(x, 3), "coefficients"), "fit")
  expect_refused(tidy(number, "edges"))
  expect_refused(tidy(number, matrix = "u"), "dots")
  expect_refused(glance(number, TRUE), "dots")
})
