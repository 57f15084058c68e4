# Long work in C listens to the user: a time limit ends it well before its own end. `make interrupts` leaves
# every kind of work by signals at many moments.

skip_slow_file()

seconds <- function(code) {
  start <- proc.time()[["elapsed"]]
  force(code)
  proc.time()[["elapsed"]] - start
}

# Whether a limit of a tenth of what the work takes ends it before half of that. The machine may be busy with
# other work meanwhile: one of six times is enough. Work of a child process must take many seconds, as a fork
# takes up to one in a session with many packages, and five in one that has run many tests (before_fork()).
listens <- function(work, takes = seconds(work())) {
  # Else the work would be timed under its own limit.
  force(takes)
  for (time in 1:6) {
    left <- FALSE
    until <- seconds(tryCatch({
      setTimeLimit(elapsed = 0.1 * takes, transient = TRUE)
      work()
    }, error = function(e) left <<- grepl("time limit", conditionMessage(e))))
    setTimeLimit()
    if (left && until < 0.5 * takes) return(TRUE)
  }
  FALSE
}

x <- odd_matrix(1500, 4)

test_that("the exact point process listens", {
  kernel <- list(bandwidth = 0.5)
  settings <- c(list(rows = 1:900, distance = "euclidean", size = "given", wanted = 5L), compute_with())
  source <- as_source(x)
  one <- c(settings, list(power = 1, steps = 0))
  expect_true(listens(function() .Call(C_exact_dpp, source, x[0, ], kernel, one)))
  settings$rows <- 1:100
  settings$wanted <- 30L
  chain <- c(settings, list(power = 0.1, steps = 1e7))
  expect_true(listens(function() .Call(C_exact_dpp, source, x[0, ], kernel, chain)))
})

test_that("orders listen", {
  n <- 4500L
  g <- diag(n) + 0.1
  settings <- c(list(held = 0L, wanted = n, floor = 1e-12), compute_with())
  expect_true(listens(function() .Call(C_order, g, settings)))
  expect_identical(.Call(C_order, g[1:4, 1:4], replace(settings, "wanted", 4L))$order, 1:4)
})

test_that("the reconstruction error listens, and is right afterwards", {
  source <- as_source(x)
  kernel <- list(bandwidth = 0.5)
  error <- function(rows) left_by_first(x[rows, ], source, kernel, compute_with())
  before <- error(1:50)
  # Several, because one may take no longer than a few polls.
  expect_true(listens(function() for (k in 1:4) error(1:1500)))
  expect_identical(error(1:50), before)
})

test_that("t-SNE listens", {
  skip_if_not_installed("Rtsne")
  skip_on_os("windows")
  x <- odd_matrix(2500, 4)
  fit <- landmarks(x, 2000, by_random(), bandwidth = 1)
  graph <- quiet(landmark_graph(fit, x), "graph")
  expect_true(listens(function() embed_landmarks(graph, layout = "tsne")))
})

test_that("regressions that R's own products and its eigenvectors compute listen, and give the same", {
  skip_on_os("windows")
  skip_unless_full()
  wide <- odd_matrix(1300, 1500)
  axes <- function() path_in_span(wide, 1500, wide[, 1:2], 1, "number", "newton", NULL)
  takes <- seconds(axes())
  skip_if(takes < 3, "the BLAS is too fast for this work")
  expect_true(listens(axes, takes))
  span <- row_span(wide, 1500)
  # By hand, without a child: the slopes lie in the span of the rows and solve the normal equations there.
  slopes <- axes()$coefficients[-1, 1, 1]
  left <- crossprod(span$on_axes, wide[, 1] - mean(wide[, 1]) - sweep(wide, 2, span$middle) %*% slopes)
  size <- max(abs(crossprod(span$on_axes, wide[, 1])))
  expect_lt(max(abs(left - crossprod(span$axes, slopes))), 1e-6 * size)
})

test_that("regressions that glmnet computes listen, and give the same", {
  skip_unless_full()
  skip_on_os("windows")
  skip_if_not_installed("glmnet")
  x <- odd_matrix(9000, 400)
  descent <- function() ridge_glmnet(x, 400, cbind(x[, 1] > 0) + 0, 10^(2:-2), "binary")
  expect_true(listens(descent))
  alone <- descend(x, 400, cbind(x[, 1] > 0) + 0, 10^(2:-2), "binary", NULL, 1e-7)
  expect_identical(descent(), alone)
})

test_that("the Cholesky decomposition of a graph in many dimensions listens, and is that of this process", {
  skip_on_os("windows")
  skip_unless_full()
  # Each vertex is joined with four that are anywhere: the factor is nearly dense.
  joined_anywhere <- function(n) {
    from <- rep(seq_len(n), 4)
    set.seed(2)
    to <- sample.int(n, 4 * n, TRUE)
    joined <- unique(cbind(pmin(from, to), pmax(from, to))[from != to, ])
    weights <- Matrix::sparseMatrix(joined[, 1], joined[, 2], x = 1, dims = c(n, n), symmetric = TRUE)
    sparse_problem(list(weights = weights, components = rep(1, n)), 0)
  }
  # 9,000 vertices take 17 seconds with R's own BLAS, and not less than 5 with a fast one.
  large <- joined_anywhere(9000)
  expect_true(listens(function() solving_operator(large, FALSE), takes = 8))
  small <- joined_anywhere(2000)
  x <- sin(seq_len(2000))
  none <- small$root[, 0, drop = FALSE]
  expect_identical(
    solving_operator(small, FALSE)$apply(x, none), solving_operator(small, TRUE)$apply(x, none)
  )
})

test_that("shortest paths, updates of NMF and eigenvalues of all rows listen, and give the same", {
  skip_on_os("windows")
  skip_unless_full()
  ring <- function(n) rbind(seq_len(n), c(seq_len(n)[-1], 1))
  if (requireNamespace("igraph", quietly = TRUE)) {
    paths <- function(n) path_lengths(ring(n), rep(1, n), n)
    apart <- abs(outer(1:9, 1:9, "-"))
    expect_identical(paths(9), pmin(apart, 9 - apart))
    expect_true(listens(function() paths(4000)))
  }
  if (requireNamespace("NMF", quietly = TRUE)) {
    counts <- abs(odd_matrix(2000, 300))
    expect_true(listens(function() nmf_features(counts, 20, iterations = 60)))
  }
  rows <- odd_matrix(2500, 3)
  fit <- landmarks(rows, 5, by_random(), bandwidth = 1)
  expect_true(listens(function() reconstruction_error(fit, rows, bounds = TRUE)))
})
