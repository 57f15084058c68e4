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

# The probability of each sequence of rows (a matrix, a sequence in each row).
sequence_odds <- function(sequences, odds, x, m, update, sigma) {
  apply(sequences, 1, function(rows) {
    p <- 1
    for (k in seq_along(rows)) {
      before <- rows[seq_len(k - 1)]
      now <- odds_after(odds, x, x[before, , drop = FALSE], m, update, sigma, before)
      p <- p * now[rows[k]] / sum(now)
    }
    p
  })
}

draws <- function(count, x, n, m, update, sigma, weights = NULL, search = "auto",
                  fixed = x[0, , drop = FALSE]) {
  source <- as_source(x, weights)
  how <- compute_with()
  options <- list(neighbors = m, update = update, sigma = sigma, covariance = "none", search = search)
  replicate(count, draw_dpp(source, fixed, n, options, how)$rows)
}

expect_frequencies <- function(seen, p) {
  expect_identical(sum(seen[p < 1e-12]), 0L)
  rare <- p * sum(seen) < 6
  pool <- function(v) c(v[!rare], if (sum(p[rare]) * sum(seen) > 6) sum(v[rare]))
  expect_gt(stats::chisq.test(pool(seen), p = pool(p), rescale.p = TRUE)$p.value, 0.001)
}

# Of the landmark's m + 1 nearest rows, by sorting all distances.
expect_covariance <- function(fit, x, l, m, full = TRUE, rows = seq_len(nrow(x))) {
  x <- as.matrix(x)
  z <- t((t(x) - fit$center) * fit$factor)
  at <- (fit$landmarks[l, ] - fit$center) * fit$factor
  near <- rows[order(colSums((t(z[rows, , drop = FALSE]) - at)^2))][seq_len(m + 1)]
  want <- unname(stats::cov(x[near, , drop = FALSE]))
  got <- if (full) fit$covariance[, , l] else fit$covariance[l, ]
  expect_equal(as.vector(got), if (full) as.vector(want) else diag(want), tolerance = 1e-11)
}

# How many draws show the odds.
many <- if (full_run()) 4000 else 1500

# Distances that all differ, so that neighbors do not tie.
seven <- cbind(c(0, 0.9, 2.1, 3.2, 0.4, 1.7, 4.6), c(0.1, 1.3, 0.2, 1.1, 2.6, 3.5, 0.3))
mass <- c(2, 1, 0.5, 3, 0, 1, 1.5)

test_that("three rows one after another come as often as the odds say", {
  withr::local_seed(1)
  triples <- as.matrix(expand.grid(1:7, 1:7, 1:7))
  triples <- triples[apply(triples, 1, anyDuplicated) == 0, ]
  code <- triples %*% c(1, 10, 100)
  for (update in c("welsch", "sin2")) {
    sigma <- if (update == "welsch") 1.3 else 1.8
    for (weighted in c(FALSE, TRUE)) {
      w <- if (weighted) mass
      # Both searches draw the same rows, as a test below says.
      one <- if ((update == "sin2") == weighted) "tree" else "all"
      for (search in if (full_run()) c("tree", "all") else one) {
        found <- draws(many, seven, 3L, 3L, update, sigma, w, search)
        # Weights are scaled to mean 1, which changes no proportion.
        p <- sequence_odds(triples, if (weighted) mass else rep(1, 7), seven, 3, update, sigma)
        p[is.nan(p)] <- 0
        expect_equal(sum(p), 1, tolerance = 1e-12)
        expect_frequencies(tabulate(match(c(1, 10, 100) %*% found, code), length(code)), p)
      }
    }
  }
})

test_that("where all rows are neighbors, a row of weight 2 is two rows", {
  withr::local_seed(21)
  times <- c(2, 1, 3, 0, 1, 4, 1)
  of <- rep(1:7, times)
  weighted <- draws(many, seven, 3L, 5L, "welsch", 2, times)
  repeated <- draws(many, seven[of, ], 3L, 11L, "welsch", 2)
  repeated <- matrix(of[repeated], 3)
  code <- c(100, 10, 1)
  counts <- table(c(code %*% weighted, code %*% repeated), rep(1:2, each = many))
  expect_gt(stats::chisq.test(counts, simulate.p.value = TRUE)$p.value, 0.001)
  expect_identical(max(apply(repeated, 2, anyDuplicated)), 0L)
})

test_that("so they do where most candidates are turned away, block after block", {
  withr::local_seed(16)
  five <- as.matrix(expand.grid(rep(list(c(1:4, 6:7)), 5)))
  five <- five[apply(five, 1, anyDuplicated) == 0, ]
  p <- sequence_odds(five, mass, seven, 5, "welsch", 8)
  found <- draws(many, seven, 5L, 5L, "welsch", 8, mass)
  for (k in 2:5) {
    expected <- vapply(1:7, function(row) sum(p[five[, k] == row]), 0)
    expect_frequencies(tabulate(found[k, ], 7), expected)
  }
  code <- 10^(0:4)
  expect_frequencies(tabulate(match(code %*% found, five %*% code), nrow(five)), p)
  # More rows than a sum of the tree has numbers.
  some <- draws(many, odd_matrix(40, 2), 1L, 3L, "welsch", 1, 1:40)
  expect_frequencies(tabulate(some, 40), 1:40 / sum(1:40))
})

test_that("copies of a row that are more than its neighbors are not drawn again", {
  withr::local_seed(22)
  copied <- seven[c(2, 1, 2, 2, 3, 2, 6, 2, 2), ]
  triples <- as.matrix(expand.grid(1:9, 1:9, 1:9))
  code <- c(1, 10, 100)
  for (search in c("tree", "all")) {
    found <- draws(many / 3, copied, 3L, 2L, "welsch", 1.3, search = search)
    p <- sequence_odds(triples, rep(1, 9), copied, 2, "welsch", 1.3)
    expect_equal(sum(p), 1, tolerance = 1e-12)
    expect_frequencies(tabulate(match(code %*% found, triples %*% code), nrow(triples)), p)
  }
  fixed <- seven[2, , drop = FALSE]
  found <- draws(many / 3, copied, 1L, 2L, "welsch", 1.3, fixed = fixed)
  p <- odds_after(rep(1, 9), copied, fixed, 2, "welsch", 1.3)
  expect_frequencies(tabulate(found, 9), p / sum(p))
  # The first landmarks do not depend on how many follow.
  method <- by_dpp(neighbors = 3, sigma = 0.4)
  repeated <- odd_matrix(20, 2)[c(rep(1, 100), rep(2, 60), 1:20), ]
  rows <- function(n, seed) withr::with_seed(seed, landmarks(repeated, n, method))$rows
  for (seed in 1:10) expect_identical(rows(6, seed), rows(15, seed)[1:6])
})

test_that("landmarks that are held push new ones away, whether they are rows or not", {
  withr::local_seed(2)
  fixed <- rbind(seven[3, ], c(0.3, 0.5))
  for (update in c("welsch", "sin2")) {
    found <- draws(many, seven, 1L, 3L, update, 1.4, mass, fixed = fixed)
    p <- odds_after(mass, seven, fixed, 3, update, 1.4)
    expect_identical(p[3], 0)
    expect_frequencies(tabulate(found, 7), p / sum(p))
  }
})

test_that("add_landmarks() goes on from a fit: rows that differ, with covariances of all", {
  withr::local_seed(3)
  x <- odd_matrix(80, 2)
  method <- by_dpp(neighbors = 12, sigma = 0.2, covariance = "full")
  ten <- landmarks(x, 10, method)
  more <- add_landmarks(ten, x, 60)
  expect_identical(more$rows[1:10], ten$rows)
  expect_identical(anyDuplicated(more$rows), 0L)
  expect_identical(dim(more$covariance), c(2L, 2L, 70L))
  # The tree is for many points: distances round differently.
  expect_equal(more$covariance[, , 1:10], ten$covariance, tolerance = 1e-12)
  for (l in c(1, 10, 11, 70)) expect_covariance(more, x, l, 12)
  # A fit by another method gets them too.
  other <- landmarks(x, 5, by_gp())
  joined <- add_landmarks(other, x, 5, method = method)
  expect_identical(coef(joined)[1:5, ], coef(other))
  expect_identical(dim(joined$covariance), c(2L, 2L, 10L))
  for (l in c(2, 8)) expect_covariance(joined, x, l, 12)
})

test_that("covariances are those of the neighbors", {
  x <- odd_matrix(150, 3) %*% rbind(c(1, 0.4, 0), c(0, 2, 0.3), c(0, 0, 30)) + rep(c(5, -100, 0), each = 150)
  colnames(x) <- c("a", "b", "c")
  for (search in c("tree", "all")) {
    for (scale in c(FALSE, TRUE)) {
      for (m in c(4, 30, 149)) {
        withr::local_seed(4)
        full <- landmarks(x, 9, by_dpp(m, covariance = "full", search = search), scale = scale)
        expect_identical(dimnames(full$covariance), list(colnames(x), colnames(x), NULL))
        withr::local_seed(4)
        some <- landmarks(x, 9, by_dpp(m, covariance = "diagonal", search = search), scale = scale)
        expect_identical(dimnames(some$covariance), list(NULL, colnames(x)))
        expect_identical(full$rows, some$rows)
        for (l in 1:9) {
          expect_covariance(full, x, l, m)
          expect_covariance(some, x, l, m, full = FALSE)
        }
      }
    }
  }
  expect_null(landmarks(x, 9, by_dpp(20))$covariance)
  # Without column names, whole numbers, one column, rows of weight 0.
  whole <- matrix(as.integer(round(1e6 * odd_matrix(90, 2))), 90)
  fit <- landmarks(whole, 70, by_dpp(11, covariance = "full"))
  for (l in c(1, 40, 70)) expect_covariance(fit, whole, l, 11)
  expect_null(dimnames(fit$covariance))
  line <- landmarks(x[, 3, drop = FALSE], 5, by_dpp(11, covariance = "full"))
  expect_identical(dim(line$covariance), c(1L, 1L, 5L))
  for (l in 1:5) expect_covariance(line, x[, 3, drop = FALSE], l, 11)
  weights <- rep(c(0, 1, 2), 50)
  fit <- landmarks(x, 40, by_dpp(8, covariance = "diagonal"), weights = weights)
  for (l in c(1, 40)) expect_covariance(fit, x, l, 8, full = FALSE, rows = which(weights > 0))
  # Sparse ones.
  case <- sparse_case(100, 12, 0.6)
  fit <- landmarks(case$sparse, 6, by_dpp(25, covariance = "diagonal"))
  for (l in 1:6) expect_covariance(fit, case$dense, l, 25, full = FALSE)
})

test_that("both searches draw the same landmarks, by one thread and by two", {
  x <- odd_matrix(3000, 3)
  for (update in c("welsch", "sin2")) {
    for (n in if (full_run()) c(5, 100) else 40) {
      fits <- lapply(list(c("tree", 1), c("all", 1), c("tree", 2), c("all", 2), c("auto", 2)), function(how) {
        withr::local_seed(5)
        withr::local_options(landmarker.threads = as.numeric(how[2]))
        landmarks(x, n, by_dpp(update = update, covariance = "full", search = how[1]))
      })
      for (fit in fits[-1]) expect_identical(fit$rows, fits[[1]]$rows)
      expect_identical(fits[[3]]$covariance, fits[[1]]$covariance)
      expect_identical(fits[[4]]$covariance, fits[[2]]$covariance)
      expect_equal(fits[[2]]$covariance, fits[[1]]$covariance, tolerance = 1e-12)
    }
  }
})

test_that("they do so also where rows tie without end", {
  # Whole numbers on a small grid, far from 0: neighbors tie at every distance.
  x <- 1000 / 3 + cbind(a = seq_len(2000) %% 7, b = seq_len(2000) %/% 7 %% 9, c = seq_len(2000) %/% 63 %% 5)
  fits <- lapply(c("tree", "all"), function(search) {
    withr::local_seed(5)
    landmarks(x, 40, by_dpp(50, sigma = 1.5, covariance = "diagonal", search = search))
  })
  expect_identical(fits[[1]]$rows, fits[[2]]$rows)
  expect_equal(fits[[1]]$covariance, fits[[2]]$covariance, tolerance = 1e-12)
})

test_that("the first m of n landmarks are those that m gives, where neighbors and sigma are given", {
  x <- odd_matrix(400, 2)
  method <- by_dpp(neighbors = 20, sigma = 0.1)
  all <- withr::with_seed(6, landmarks(x, 150, method))
  expect_true(method_can(method, "prefixes"))
  for (m in c(1, 63, 64, 65, 149)) {
    expect_identical(withr::with_seed(6, landmarks(x, m, method))$rows, all$rows[seq_len(m)])
  }
  expect_false(method_can(by_dpp(neighbors = 20), "prefixes"))
  expect_false(method_can(by_dpp(sigma = 1), "prefixes"))
})

test_that("landmarks are rows, in the order drawn", {
  x <- odd_matrix(200, 4)
  fit <- withr::with_seed(7, landmarks(x, 30, by_dpp()))
  expect_identical(unname(coef(fit)), x[fit$rows, ])
  expect_identical(fit$nearest, fit$rows)
  expect_true(all(fit$iterations == 0))
  # Variances and shares are those of the landmarks in this order.
  expect_equal(fit$variance[2:4], vapply(2:4, function(k) {
    naive_variance(x, coef(fit)[seq_len(k - 1), , drop = FALSE], coef(fit)[k, , drop = FALSE], fit$bandwidth)
  }, 0), tolerance = 1e-9)
  # On a sphere they are projected.
  ball <- withr::with_seed(7, landmarks(x, 30, by_dpp(), space = "sphere"))
  expect_identical(ball$rows, fit$rows)
  expect_equal(unname(coef(ball)), naive_project(x[ball$rows, ], "sphere"), tolerance = 1e-14)
})

test_that("sigma goes by the median reach of neighborhoods, twice of it", {
  # The rows of a ring all reach equally far: whatever is proposed first.
  angle <- 2 * pi * seq_len(60) / 60
  ring <- as_source(cbind(cos(angle), sin(angle)))
  for (m in c(4L, 10L, 59L)) {
    reach <- 2 * sin(if (m == 59) pi / 2 else pi * m / 120)
    for (search in c("tree", "all")) {
      scale <- function(update) {
        options <- list(neighbors = m, update = update, covariance = "none", search = search)
        draw_dpp(ring, matrix(0, 0, 2), 5L, options, compute_with())$sigma
      }
      expect_equal(scale("welsch"), 2 * reach, tolerance = 1e-12)
      expect_equal(scale("sin2"), 2 * reach, tolerance = 1e-12)
    }
  }
  # Three quarters of the rows in a heap that is a thousand times as dense: the heap's.
  withr::local_seed(8)
  x <- rbind(odd_matrix(300, 2) / 1000, odd_matrix(100, 2))
  options <- list(neighbors = 20L, update = "welsch", covariance = "none", search = "auto")
  sigma <- draw_dpp(as_source(x), matrix(0, 0, 2), 5L, options, compute_with())$sigma
  reach <- apply(naive_distances(x, x), 1, function(u) sort(u)[21])
  # The median of 64 rows.
  expect_gt(sigma, 2 * stats::quantile(reach, 0.3))
  expect_lt(sigma, 2 * stats::quantile(reach, 0.7))
  # What is given is what is used: a wide one thins out, a narrow one does not.
  sparse <- function(sigma) {
    withr::local_seed(9)
    mean(replicate(20, min(stats::dist(coef(landmarks(x[301:400, ], 10, by_dpp(40, sigma = sigma)))))))
  }
  expect_gt(sparse(0.3), 2 * sparse(0.01))
})

test_that("neighbors are twice a landmark's share of the rows, by default", {
  x <- odd_matrix(200, 2)
  for (n in c(3, 7, 50)) {
    own <- withr::with_seed(10, landmarks(x, n, by_dpp(covariance = "diagonal")))
    m <- min(ceiling(2 * 200 / n), 199)
    same <- withr::with_seed(10, landmarks(x, n, by_dpp(m, covariance = "diagonal")))
    expect_identical(own$rows, same$rows)
    expect_identical(own$covariance, same$covariance)
    for (l in seq_len(n)) expect_covariance(own, x, l, m, full = FALSE)
  }
})

test_that("as many landmarks as rows, as many neighbors as there are others, and one row", {
  x <- odd_matrix(50, 2)
  for (search in c("tree", "all")) {
    withr::local_seed(12)
    expect_setequal(landmarks(x, 50, by_dpp(search = search))$rows, 1:50)
    expect_setequal(landmarks(x, 50, by_dpp(49, search = search))$rows, 1:50)
    expect_setequal(landmarks(x, 50, by_dpp(49, "sin2", search = search))$rows, 1:50)
  }
  weights <- rep(0:1, 25)
  expect_setequal(landmarks(x, 25, by_dpp(24), weights = weights)$rows, which(weights > 0))
  expect_identical(landmarks(x[1, , drop = FALSE], 1, by_dpp(), bandwidth = 1)$rows, 1L)
  lone <- landmarks(x[1, , drop = FALSE], 1, by_dpp(covariance = "full"), bandwidth = 1)
  expect_identical(lone$covariance, array(0, c(2, 2, 1)))
})

test_that("sparse data give what dense ones do", {
  case <- sparse_case(200, 20)
  for (update in c("welsch", "sin2")) {
    method <- by_dpp(update = update, covariance = "diagonal")
    sparse <- withr::with_seed(13, landmarks(case$sparse, 25, method))
    dense <- withr::with_seed(13, landmarks(case$dense, 25, method))
    expect_identical(sparse$rows, dense$rows)
    expect_equal(sparse$covariance, dense$covariance, tolerance = 1e-10)
    expect_identical(colnames(sparse$covariance), colnames(case$dense))
  }
})

test_that("data frames with factors have the columns that they have elsewhere", {
  frame <- data.frame(a = odd_matrix(60, 1)[, 1], g = factor(rep(c("u", "v", "w"), 20)))
  fit <- withr::with_seed(14, landmarks(frame, 8, by_dpp(covariance = "diagonal")))
  x <- stats::model.matrix(~ a + g, frame, contrasts.arg = list(g = stats::contrasts(frame$g, FALSE)))[, -1]
  expect_identical(colnames(fit$covariance), colnames(coef(fit)))
  expect_equal(unname(coef(fit)), unname(x[fit$rows, ]), tolerance = 1e-14)
  m <- ceiling(2 * 60 / 8)
  for (l in 1:8) expect_covariance(fit, x, l, m, full = FALSE)
})

test_that("a fit with covariances outlives its file, and its method says what it is", {
  fit <- withr::with_seed(15, landmarks(odd_matrix(60, 2), 8, by_dpp(covariance = "full")))
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(readRDS(file), fit)
  expect_identical(format(by_dpp()), "approximate determinantal point process")
  full <- "approximate determinantal point process, full covariances"
  expect_identical(format(by_dpp(covariance = "full")), full)
  expect_identical(landmarks(odd_matrix(60, 2), 3, "dpp")$method, by_dpp())
})
