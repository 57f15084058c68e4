# by_dpp(): rows drawn one after another by odds that fall around each, against the odds written out.

skip_slow_file()

weakening <- function(u, update, sigma) {
  if (update == "welsch") 1 - exp(-u^2 / (2 * sigma^2)) else ifelse(u < sigma * pi / 2, sin(u / sigma)^2, 1)
}

# The odds after rows (or points fixed, first) have been drawn: m neighbors beside the row itself.
odds_after <- function(odds, x, points, m, update, sigma, itself = rep(NA, nrow(points))) {
  able <- which(odds > 0)
  for (l in seq_len(nrow(points))) {
    u <- naive_distances(x, points[l, , drop = FALSE])
    near <- able[order(u[able])][seq_len(min(m + 1, length(able)))]
    odds[near] <- odds[near] * weakening(u[near], update, sigma)
    # Rows that equal a point are out, however many they are.
    odds[u < 1e-12] <- 0
    if (!is.na(itself[l])) odds[itself[l]] <- 0
  }
  odds
}

law <- function(size, odds, x, m, update, sigma) {
  sequence_law(size, function(before) {
    odds_after(odds, x, x[before, , drop = FALSE], m, update, sigma, before)
  })
}

draws <- function(count, x, n, m, update, sigma, weights = NULL, search = "auto",
                  fixed = x[0, , drop = FALSE]) {
  source <- as_source(x, weights)
  how <- compute_with()
  options <- list(neighbors = m, update = update, sigma = sigma, covariance = "none", search = search)
  replicate(count, draw_dpp(source, fixed, n, options, how)$rows)
}

# Of the landmark's m + 1 nearest rows, by sorting all distances.
expect_covariance <- function(fit, x, landmarks, m, rows = seq_len(nrow(x))) {
  x <- as.matrix(x)
  z <- t((t(x) - fit$center) * fit$factor)
  for (l in landmarks) {
    at <- (fit$landmarks[l, ] - fit$center) * fit$factor
    near <- rows[order(colSums((t(z[rows, , drop = FALSE]) - at)^2))][seq_len(m + 1)]
    want <- unname(stats::cov(x[near, , drop = FALSE]))
    full <- length(dim(fit$covariance)) == 3
    got <- if (full) fit$covariance[, , l] else fit$covariance[l, ]
    expect_equal(as.vector(got), if (full) as.vector(want) else diag(want), tolerance = 1e-11)
  }
}

# How many draws show the odds.
many <- if (full_run()) 4000 else 900

# Distances that all differ, so that neighbors do not tie.
seven <- cbind(c(0, 0.9, 2.1, 3.2, 0.4, 1.7, 4.6), c(0.1, 1.3, 0.2, 1.1, 2.6, 3.5, 0.3))
mass <- c(2, 1, 0.5, 3, 0, 1, 1.5)

test_that("three rows one after another come as often as the odds say", {
  withr::local_seed(1)
  # Both searches draw the same rows, as a test below says.
  cases <- list(
    list("welsch", 1.3, NULL, "all"), list("welsch", 1.3, mass, "tree"), list("sin2", 1.8, NULL, "tree"),
    list("sin2", 1.8, mass, "all")
  )
  for (case in cases) {
    found <- draws(many, seven, 3L, 3L, case[[1]], case[[2]], case[[3]], case[[4]])
    expect_chosen(sequence_names(found), law(3, case[[3]] %||% rep(1, 7), seven, 3, case[[1]], case[[2]]))
  }
})

test_that("so they do where most candidates are turned away, block after block", {
  withr::local_seed(16)
  exact <- law(5, mass, seven, 5, "welsch", 8)
  found <- draws(many, seven, 5L, 5L, "welsch", 8, mass)
  rows <- do.call(rbind, strsplit(names(exact), " "))
  for (k in 2:5) expect_chosen(found[k, ], tapply(exact, rows[, k], sum))
  # More rows than a sum of the tree has numbers.
  expect_chosen(draws(many, odd_matrix(40, 2), 1L, 3L, "welsch", 1, 1:40), 1:40)
})

test_that("copies of a row that are more than its neighbors are not drawn again", {
  withr::local_seed(22)
  copied <- seven[c(2, 1, 2, 2, 3, 2, 6, 2, 2), ]
  for (search in c("tree", "all")) {
    found <- draws(many, copied, 3L, 2L, "welsch", 1.3, search = search)
    expect_chosen(sequence_names(found), law(3, rep(1, 9), copied, 2, "welsch", 1.3))
  }
  # The first landmarks do not depend on how many follow.
  repeated <- odd_matrix(20, 2)[c(rep(1, 100), rep(2, 60), 1:20), ]
  rows <- function(n, seed) withr::with_seed(seed, landmarks(repeated, n, by_dpp(3, sigma = 0.4)))$rows
  for (seed in 1:5) expect_identical(rows(6, seed), rows(15, seed)[1:6])
})

test_that("landmarks that are held push new ones away, whether they are rows or not", {
  withr::local_seed(2)
  fixed <- rbind(seven[3, ], c(0.3, 0.5))
  for (update in c("welsch", "sin2")) {
    found <- draws(many, seven, 1L, 3L, update, 1.4, mass, fixed = fixed)
    p <- odds_after(mass, seven, fixed, 3, update, 1.4)
    expect_identical(p[3], 0)
    expect_chosen(found, p)
  }
})

test_that("covariances are those of the neighbors, for any storage, scale and search", {
  x <- odd_matrix(150, 3) %*% rbind(c(1, 0.4, 0), c(0, 2, 0.3), c(0, 0, 30)) + rep(c(5, -100, 0), each = 150)
  colnames(x) <- c("a", "b", "c")
  for (search in c("tree", "all")) for (scale in c(FALSE, TRUE)) for (m in c(4, 149)) {
    fits <- lapply(c("full", "diagonal"), function(kind) {
      withr::with_seed(4, landmarks(x, 9, by_dpp(m, covariance = kind, search = search), scale = scale))
    })
    expect_identical(dimnames(fits[[1]]$covariance), list(colnames(x), colnames(x), NULL))
    expect_identical(dimnames(fits[[2]]$covariance), list(NULL, colnames(x)))
    for (fit in fits) expect_covariance(fit, x, 1:9, m)
  }
  expect_null(landmarks(x, 9, by_dpp(20))$covariance)
  # Whole numbers without column names, one column, rows of weight 0, sparse rows.
  whole <- matrix(as.integer(round(1e6 * odd_matrix(90, 2))), 90)
  fit <- landmarks(whole, 70, by_dpp(11, covariance = "full"))
  expect_covariance(fit, whole, c(1, 40, 70), 11)
  expect_null(dimnames(fit$covariance))
  line <- landmarks(x[, 3, drop = FALSE], 5, by_dpp(11, covariance = "full"))
  expect_identical(dim(line$covariance), c(1L, 1L, 5L))
  expect_covariance(line, x[, 3, drop = FALSE], 1:5, 11)
  weights <- rep(c(0, 1, 2), 50)
  fit <- landmarks(x, 40, by_dpp(8, covariance = "diagonal"), weights = weights)
  expect_covariance(fit, x, c(1, 40), 8, rows = which(weights > 0))
  case <- sparse_case(100, 12, 0.6)
  expect_covariance(landmarks(case$sparse, 6, by_dpp(25, covariance = "diagonal")), case$dense, 1:6, 25)
})

test_that("add_landmarks() goes on from a fit: rows that differ, with covariances of all", {
  withr::local_seed(3)
  x <- odd_matrix(80, 2)
  method <- by_dpp(neighbors = 12, sigma = 0.2, covariance = "full")
  # A fit by another method gets covariances too.
  for (ten in list(landmarks(x, 10, method), landmarks(x, 10, by_gp()))) {
    more <- add_landmarks(ten, x, 60, method)
    expect_identical(coef(more)[1:10, ], coef(ten))
    expect_identical(anyDuplicated(coef(more)), 0L)
    expect_identical(dim(more$covariance), c(2L, 2L, 70L))
    expect_covariance(more, x, c(1, 10, 11, 70), 12)
  }
})

test_that("both searches draw the same landmarks, by one thread and by two, also where rows tie", {
  # Whole numbers on a small grid, far from 0: neighbors tie at every distance.
  grid <- 1000 / 3 + cbind(seq_len(2000) %% 7, seq_len(2000) %/% 7 %% 9, seq_len(2000) %/% 63 %% 5)
  cases <- list(
    list(odd_matrix(3000, 3), NULL, "welsch", NULL), list(odd_matrix(3000, 3), NULL, "sin2", NULL),
    list(grid, 50, "welsch", 1.5)
  )
  for (case in cases) {
    fits <- lapply(list(c("tree", 1), c("all", 1), c("tree", 2), c("all", 2), c("auto", 2)), function(how) {
      withr::local_seed(5)
      withr::local_options(landmarker.threads = as.numeric(how[2]))
      landmarks(case[[1]], 40, by_dpp(case[[2]], case[[3]], case[[4]], "full", how[1]))
    })
    for (fit in fits[-1]) expect_identical(fit$rows, fits[[1]]$rows)
    expect_identical(fits[[3]]$covariance, fits[[1]]$covariance)
    expect_identical(fits[[4]]$covariance, fits[[2]]$covariance)
    expect_equal(fits[[2]]$covariance, fits[[1]]$covariance, tolerance = 1e-12)
  }
})

test_that("the options that are given are used", {
  x <- odd_matrix(400, 2)
  given <- withr::with_seed(9, landmarks(x, 30, by_dpp(40, "sin2", 0.2), bandwidth = 1))$rows
  expect_identical(given, withr::with_seed(9, draws(1, x, 30L, 40L, "sin2", 0.2))[, 1])
})

test_that("as many landmarks as rows, as many neighbors as there are others, and one row", {
  x <- odd_matrix(50, 2)
  withr::local_seed(12)
  for (search in c("tree", "all")) {
    expect_setequal(landmarks(x, 50, by_dpp(49, "sin2", search = search))$rows, 1:50)
  }
  expect_setequal(landmarks(x, 25, by_dpp(24), weights = rep(0:1, 25))$rows, 2 * 1:25)
  lone <- landmarks(x[1, , drop = FALSE], 1, by_dpp(covariance = "full"), bandwidth = 1)
  expect_identical(lone$rows, 1L)
  expect_identical(lone$covariance, array(0, c(2, 2, 1)))
})

test_that("options that are wrong, or do not fit the data, are refused", {
  x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
  sparse <- methods::as(x, "CsparseMatrix")
  expect_refused(
    by_dpp(neighbors = 0), by_dpp(update = "cosine"), by_dpp(sigma = 0), by_dpp(covariance = "round"),
    by_dpp(search = "kd"), landmarks(x, 2, by_dpp(neighbors = 6)),
    landmarks(x, 2, by_dpp(neighbors = 4), weights = c(1, 1, 1, 1, 0, 0)),
    landmarks(x[1, , drop = FALSE], 1, by_dpp(neighbors = 1), bandwidth = 1),
    landmarks(sparse, 2, by_dpp(search = "tree"))
  )
  expect_s3_class(landmarks(sparse, 2, by_dpp(search = "all")), "landmarks")
  # Full covariances: 3 landmarks x 40^2 x 8 bytes x 3 copies.
  x <- matrix(sin(1:240), 6)
  full <- by_dpp(covariance = "full")
  fit <- landmarks(x, 1, full)
  withr::local_options(landmarker.memory = 115199)
  expect_refused(landmarks(x, 3, full), add_landmarks(fit, x, 2, full))
  withr::local_options(landmarker.memory = 115200)
  expect_s3_class(landmarks(x, 3, full), "landmarks")
})
