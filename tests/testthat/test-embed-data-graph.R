# The graph through the data against dense matrices straight from its equations.

skip_slow_file()

# list(k, witnesses, w): the whole kernel, before any edge is cut; `w` has the weights of the rows.
naive_rows_graph <- function(fit, x, s) {
  at <- function(m) t((t(m) - fit$center) * fit$factor)
  points <- at(fit$landmarks)
  squared <- naive_distances(at(x), points)^2
  w <- t(apply(squared, 1, function(d) {
    order <- order(d)
    out <- numeric(length(d))
    out[order[1:s]] <- 1.001 - d[order[1:s]] / d[order[s + 1]]
    out / sum(out)
  }))
  nearest <- function(k) factor(apply(squared, 1, order)[k, ], seq_len(ncol(w)))
  witnesses <- unclass(unname(table(nearest(1), nearest(2)))) + 0
  list(k = crossprod(w), witnesses = witnesses + t(witnesses), w = w)
}

# The whole kernel of a graph.
kernel_of <- function(graph) unname(as.matrix(graph$weights)) + diag(graph$own)

x <- unname(bent_rows(400))
fit <- as_landmarks(x[seq(1, 400, 16), ], x, bandwidth = 1)

test_that("weights and witnesses are those of the equations", {
  for (s in 2:4) {
    g <- quietly(landmark_graph(fit, x, neighbors = s, edges = "data"))
    naive <- naive_rows_graph(fit, x, s)
    # Rows of landmarks are theirs alone up to the next one's weight, and so is the sum of what was cut.
    k <- kernel_of(g)
    expect_equal(rowSums(k) / sum(k), rowSums(naive$k) / sum(naive$k), tolerance = 1e-12)
    joined <- as.matrix(g$weights) > 0
    scale <- sum(naive$k) / sum(k)
    expect_equal(unname(as.matrix(g$weights))[joined] * scale, naive$k[joined], tolerance = 1e-12)
    at <- Matrix::summary(g$weights)
    expect_equal(g$witnesses, naive$witnesses[cbind(at$i, at$j)])
    # What was cut are edges of the equations.
    all <- naive$k > 0 & row(naive$k) < col(naive$k)
    expect_identical(sum(all), nrow(at) + nrow(g$cut))
    expect_true(all(all[g$cut]))
    expect_identical(max(k), 1)
  }
})

test_that("embeddings solve the equation, and new rows get means of their landmarks", {
  g <- quietly(landmark_graph(fit, x, edges = "data"))
  k <- kernel_of(g)
  for (alpha in c(0, 0.6)) {
    e <- quietly(embed_landmarks(g, dims = 4, alpha = alpha))
    q <- rowSums(k)^-alpha
    m <- k * outer(q, q)
    d <- rowSums(m)
    y <- e$basis * rep(sqrt(1 - e$values), each = nrow(k))
    expect_lt(max(abs((diag(d) - m) %*% y - d * y %*% diag(e$values))), 1e-10 * max(d))
    new <- x[1:50, ] + 0.01
    w <- naive_rows_graph(fit, new, 3)$w
    # Only landmarks that are joined to the nearest one count.
    nearest <- max.col(w, "first")
    w[!(cbind(as.matrix(g$weights) > 0)[nearest, ] | col(w) == nearest)] <- 0
    expect_equal(predict(e, new), (w / rowSums(w)) %*% e$basis, tolerance = 1e-10, ignore_attr = TRUE)
    expect_lt(max(abs(predict(e, fit$landmarks) - coef(e))), 1e-12)
  }
})

test_that("chunks, sparse data and the order of rows change nothing", {
  g <- quietly(landmark_graph(fit, x, edges = "data"))
  parts <- c("weights", "own", "witnesses", "cut")
  for (same in list(in_chunks(x), methods::as(x, "CsparseMatrix"), x[400:1, ])) {
    expect_equal(quietly(landmark_graph(fit, same, edges = "data"))[parts], g[parts], tolerance = 1e-10)
  }
  e <- quietly(embed_landmarks(g))
  expect_equal(predict(e, in_chunks(x)), predict(e, x), tolerance = 1e-12)
})

test_that("fifty landmarks unroll a noisy roll, and false edges are cut", {
  roll <- suppressWarnings(rolled(12, 50, "gp", noise = 0.3))
  e <- suppressWarnings(embed_landmarks(roll$fit))
  along <- roll$at[, "length"]
  expect_gt(follows(predict(e, roll$x)[, 1], along), 0.98)
  # Each edge that was cut joins landmarks that are far apart along the roll, and none that is left does.
  at <- along[roll$fit$nearest]
  far <- function(pairs) abs(at[pairs[, 1]] - at[pairs[, 2]])
  kept <- Matrix::summary(e$graph$weights)
  expect_gt(stats::median(far(e$graph$cut)), 3 * stats::median(far(cbind(kept$i, kept$j))))
  expect_lt(mean(far(cbind(kept$i, kept$j)) > 25), 0.02)
  expect_gt(nrow(e$graph$cut), 5)
})

test_that("a fit keeps its graph, which is that of its data", {
  methods <- list("gp", "kmeans", "dpp", "active", by_dpp_exact())
  of <- withr::with_seed(1, lapply(methods, landmarks, x = x, n = 12))
  later <- list(suppressWarnings(add_landmarks(of[[5]], x, 4)), refine_landmarks(of[[5]], x, 2))
  for (one in c(list(fit), of, later)) {
    expect_identical(quietly(landmark_graph(one)), quietly(landmark_graph(one, x)))
  }
  # Weights of rows count as repeated rows.
  times <- rep(c(1, 2, 3, 0), 100)
  weighted <- as_landmarks(fit$landmarks, x, 1, weights = times)
  repeated <- as_landmarks(fit$landmarks, x[rep(1:400, times), ], 1)
  same <- c("weights", "own", "cut")
  expect_equal(landmark_graph(weighted)[same], landmark_graph(repeated)[same], tolerance = 1e-10)
  # Some landmarks of a fit, those that predict, and few rows for each have none.
  expect_null(fit[1:9]$joined)
  expect_identical(landmark_graph(fit[1:9])$edge_weights, "heat")
  expect_null(as_landmarks(x[1:25, ], x[1:100, ])$joined)
  response <- landmarks(x, 5, by_response(x[, 3] > 0, iterations = 20), verbose = FALSE)
  expect_null(response$joined)
  expect_identical(quietly(landmark_graph(response, x))$edge_weights, "rows")
  # Of many rows an even sample makes the graph.
  many <- withr::with_seed(2, sim_swiss_roll(7000))
  of <- as_landmarks(many[1:40, ], many)
  rows <- even_rows(list(dim = dim(many)), 5000)
  expect_equal(landmark_graph(of)$own, landmark_graph(of, many[rows, ])$own, tolerance = 1e-12)
})

test_that("rows after the first block are weighed and told as others are", {
  many <- x[rep_len(1:400, 8600), ]
  settings <- c(list(nearest = 3L), compute_with())
  found <- .Call(C_anchor_weights, as_source(many), unname(fit$landmarks), settings)
  for (v in found) expect_equal(v[, 8401:8600], v[, 1:200], tolerance = 1e-12)
  e <- quietly(embed_landmarks(fit, x, edges = "data"))
  many[8500, ] <- 100
  expect_warning(predict(e, many), "the first is row 8500", class = "landmarker_warning_far")
})

test_that("components are embedded one at a time, or joined by their shortest gaps", {
  withr::local_seed(1)
  three <- rbind(sim_circles(400, 1), sim_circles(400, 1) + 6, sim_circles(400, 1) + 20)
  of <- landmarks(three, 45)
  new <- rbind(three[, ], matrix(seq(0, 20, 0.5), 41, 2))
  for (edges in c("data", "nearest")) {
    expect_warning(whole <- landmark_graph(of, edges = edges), class = "landmarker_warning_components")
    near <- whole$components[predict(of, new, "nearest")$landmark]
    for (k in 1:3) {
      expect_no_warning(
        e <- embed_landmarks(of, component = k, edges = edges), class = "landmarker_warning_graph"
      )
      expect_identical(unname(is.finite(coef(e)[, 1])), whole$components == k)
      # Rows between two components belong to the nearer one.
      expect_identical(is.na(quiet(predict(e, new), "far")[, 1]), near != k)
      expect_equal(predict(e, of$landmarks), coef(e), tolerance = 1e-8, ignore_attr = TRUE)
    }
    expect_no_warning(joined <- landmark_graph(of, edges = edges, join = TRUE))
    expect_identical(joined$components, rep(1L, 45))
    expect_identical(nrow(joined$joins), 2L)
    far <- as.matrix(stats::dist(of$landmarks))
    # The shortest of all gaps between two components is one of them.
    expect_true(min(far[outer(whole$components, whole$components, "!=")]) %in% far[joined$joins])
    expect_equal(joined$weights[joined$joins], rep(stats::median(whole$weights@x), 2))
    expect_identical(sum(joined$weights > 0), sum(whole$weights > 0) + 4L)
  }
  expect_refused(
    embed_landmarks(of, component = 4), embed_landmarks(of, component = 1, dims = 30),
    embed_landmarks(of, component = 1, layout = "tsne"), landmark_graph(of, join = NA)
  )
})

test_that("rows far from all landmarks are told, and have the coordinates of the nearest", {
  e <- quietly(embed_landmarks(fit, dims = 3))
  reach <- max(predict(fit, x, "nearest")$distance)
  expect_equal(e$graph$span, reach)
  expect_no_warning(predict(e, x))
  off <- x[1:4, ]
  off[3, 1] <- off[3, 1] + 100 * reach
  told <- "1 of 4 rows of `newdata` is far from all landmarks: the first is row 3"
  expect_warning(y <- predict(e, off), told, class = "landmarker_warning_far")
  expect_true(all(is.finite(y)))
  expect_warning(with <- augment(e, off), class = "landmarker_warning_far")
  expect_gt(with$.novelty[3], 1 - 1e-8)
  expect_warning(there <- predict(e, in_chunks(off, 2)), class = "landmarker_warning_far")
  expect_equal(there, y, ignore_attr = TRUE, tolerance = 1e-12)
})

test_that("a coordinate that is a function of others is told", {
  withr::local_seed(1)
  of <- suppressMessages(landmarks(cbind(stats::runif(1000, 0, 10), 0), 40))
  expect_warning(embed_landmarks(of), "^`E2` is nearly a function", class = "landmarker_warning_novelty")
  expect_no_warning(embed_landmarks(of, dims = 1))
  expect_no_warning(embed_landmarks(of, independent = FALSE))
})

test_that("a bridge is not cut, and parts that no rows join are told", {
  # Two heaps with a thin line of rows between them.
  set.seed(3)
  heap <- function(at) cbind(stats::rnorm(400, at, 0.5), stats::rnorm(400, 0, 0.5))
  bridge <- rbind(heap(0), heap(8), cbind(seq(1.5, 6.5, length.out = 12), 0))
  fit <- suppressWarnings(landmarks(bridge, 24))
  expect_identical(max(landmark_graph(fit, bridge, edges = "data")$components), 1L)
  # Landmarks at 0, 1, 2 and 10, 11, 12: each row lies between two of them.
  rows <- cbind(rep(c(0.4, 1.4, 10.4, 11.4), c(2, 3, 4, 5)))
  fit <- suppressMessages(as_landmarks(cbind(c(0, 1, 2, 10, 11, 12)), rows, bandwidth = 1))
  expect_warning(
    g <- landmark_graph(fit, rows, neighbors = 2, edges = "data"),
    "has 2 disconnected components, of 3 and 3", class = "landmarker_warning_graph"
  )
  expect_identical(as.vector(g$witnesses), c(2, 3, 4, 5))
  # A landmark without rows is joined as a row in its place.
  rows <- cbind(rep(c(0.2, 0.7, 1.2, 1.6), 5), 0)
  fit <- suppressWarnings(suppressMessages(as_landmarks(cbind(c(0:3, 9), 0), rows, bandwidth = 1)))
  g <- landmark_graph(fit, rows, edges = "data")
  expect_identical(max(g$components), 1L)
  expect_true(all(is.finite(coef(embed_landmarks(g)))))
})

test_that("graphs through the data are printed, tidied and drawn", {
  g <- quietly(landmark_graph(fit, x, edges = "data"))
  expect_snapshot(print(g))
  expect_identical(glance(g)$edge_weights, "rows")
  # By the number of the first landmark of an edge, then of the second.
  edges <- tidy(g)
  expect_identical(edges$witnesses, naive_rows_graph(fit, x, 3)$witnesses[cbind(edges$from, edges$to)])
  expect_drawn(plot(g))
  expect_drawn(plot(quietly(embed_landmarks(g)), data = x))
})

test_that("what a graph through the data cannot have is refused", {
  expect_refused(
    landmark_graph(fit, edges = "data", neighbors = 2), landmark_graph(fit[1:9], edges = "data"),
    landmark_graph(fit, x, edges = "rows"), landmark_graph(fit, x, edges = "data", sigma = 1),
    landmark_graph(fit, x, edges = "data", neighbors = 1), landmark_graph(fit[1:2], x, edges = "data")
  )
})
