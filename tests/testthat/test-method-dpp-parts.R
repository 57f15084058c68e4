# by_dpp() and local covariances of data in one part or in several. The random numbers are the same. So are
# the rows, unless a number falls just where sums of odds differ by rounding, about once in 1e13 draws.

skip_slow_file()

roll <- function() {
  withr::local_seed(1)
  cbind(unclass(sim_swiss_roll(600)), level = 3)
}
counts <- function() {
  withr::local_seed(2)
  methods::as(matrix(stats::rpois(600 * 15, 0.4), 600, dimnames = list(NULL, letters[1:15])), "CsparseMatrix")
}
none <- function(x) matrix(0, 0, ncol(x))

# What the method chooses, and the random number that comes after it.
choose <- function(x, method, n = 40, weights = NULL, scale = FALSE, held = none(x)) {
  withr::local_seed(3)
  kernel <- list(bandwidth = 20, space = "euclidean")
  found <- select_landmarks(method, as_source(x, weights, scale), n, kernel, held, environment())
  c(found[c("landmarks", "rows", "covariance", "used")], after = stats::runif(1))
}

expect_same_choice <- function(cut, whole) {
  expect_identical(cut$rows, whole$rows)
  expect_identical(cut$after, whole$after)
  expect_equal(cut[c("landmarks", "covariance", "used")], whole[c("landmarks", "covariance", "used")],
    tolerance = 1e-8
  )
}

test_that("rows and covariances do not depend on how many parts there are", {
  weights <- rep(c(0, 1, 2.5, 1), 150)
  methods <- list(
    by_dpp(covariance = "diagonal"), by_dpp(7, "sin2", covariance = "full"),
    by_dpp(200, sigma = 4, search = "all")
  )
  for (x in list(roll(), counts())) for (method in methods) for (w in list(NULL, weights)) {
    for (scale in c(FALSE, TRUE)) {
      whole <- choose(x, method, weights = w, scale = scale)
      expect_length(whole$rows, 40)
      for (k in c(1, 2, 3, 7)) {
        expect_same_choice(choose(cut_data(x, k), method, weights = w, scale = scale), whole)
      }
    }
  }
})

test_that("nor do they where parts search by products and not by trees", {
  x <- roll()
  method <- by_dpp(30, covariance = "diagonal")
  whole <- choose(x, method)
  withr::local_options(landmarker.memory = 1e4)
  expect_same_choice(choose(cut_data(x, 3), method), whole)
})

test_that("landmarks that are held push away rows of every part", {
  x <- roll()
  held <- x[c(1, 200, 399, 400, 600), ] + 0.01
  for (method in list(by_dpp(25, covariance = "full"), by_dpp(25, sigma = 3))) {
    whole <- choose(x, method, held = held)
    if (method$covariance == "full") expect_identical(dim(whole$covariance), c(4L, 4L, 45L))
    for (k in c(2, 7)) expect_same_choice(choose(cut_data(x, k), method, held = held), whole)
  }
})

test_that("parts that are small, empty or of no weight, and rows that repeat across parts", {
  x <- roll()[1:60, ]
  # Fewer rows in a part than a row has neighbors; all rows drawn.
  method <- by_dpp(50)
  whole <- choose(x, method, 60)
  expect_setequal(whole$rows, 1:60)
  for (k in c(2, 7, 60)) expect_same_choice(choose(cut_data(x, k), method, 60), whole)
  at <- c(0, 0, 20, 20, 60, 60)
  read <- function(i) x[seq_len(60) > at[i] & seq_len(60) <= at[i + 1], , drop = FALSE]
  parts <- parted_data(read, diff(at), 4)
  expect_same_choice(choose(parts, method, 60), choose(unname(x), method, 60))
  weights <- rep(c(1, 0, 2), each = 20)
  expect_same_choice(
    choose(cut_data(x, 3), by_dpp(30), 40, weights = weights), choose(x, by_dpp(30), 40, weights = weights)
  )
  # Of three copies one is drawn.
  copies <- x[rep(1:20, 3), ]
  whole <- choose(copies, by_dpp(59), 60)
  expect_identical(sort((whole$rows - 1) %% 20), as.numeric(0:19))
  expect_same_choice(choose(cut_data(copies, 3), by_dpp(59), 60), whole)
})

test_that("odds of parts are compared at one scale, however small they have become", {
  # Sums 3, 4 and 0 with powers of two: 3 / 2^40, 4 / 2^39, and nothing.
  left <- rbind(c(3, 0, 4), c(-2040, 5, -2039), c(1, 11, 21))
  found <- dpp_parts(left, c(0, 0.27, 0.28, 0.999))
  expect_identical(found$first, c(1, 1, 21, 21))
  expect_equal(found$wanted, c(0, 0.27 * 11, (0.28 * 11 - 3) / 2, (0.999 * 11 - 3) / 2), tolerance = 1e-12)
  # One part is taken as it is, to the last bit.
  u <- withr::with_seed(1, stats::runif(100))
  expect_identical(dpp_parts(rbind(0.3, -7, 1), u)$wanted, u * 0.3)
})

test_that("local covariances are those of the data in memory", {
  weights <- rep(c(1, 0, 2), each = 200)
  for (x in list(roll(), counts())) for (w in list(NULL, weights)) for (kind in c("diagonal", "full")) {
    source <- as_source(x, w)
    fit <- list(landmarks = rows_as_points(source, c(10, 300, 590)) + 0.01)
    whole <- local_covariances(fit, source, 33, kind, environment())
    for (k in c(2, 3, 7)) {
      cut <- as_source(cut_data(x, k), w)
      expect_equal(local_covariances(fit, cut, 33, kind, environment()), whole, tolerance = 1e-10)
      near <- nearest_rows(cut, fit$landmarks, 33, compute_with())$observation
      some <- covariances_of(cut, near, kind == "full", compute_with(), at_a_time = 1)
      expect_equal(some, whole, tolerance = 1e-10)
    }
  }
  # By the definition.
  x <- roll()
  fit <- list(landmarks = x[c(10, 590), ])
  got <- local_covariances(fit, as_source(cut_data(x, 3)), 12, "full", environment())
  for (l in 1:2) {
    near <- order(colSums((t(x) - fit$landmarks[l, ])^2))[1:12]
    expect_equal(got[, , l], unname(stats::cov(x[near, ])), tolerance = 1e-12)
  }
})

test_that("what needs all rows in one place says what to do instead", {
  x <- cut_data(roll(), 3)
  expect_error(choose(x, by_dpp(search = "tree")), "all rows in memory", class = "landmarker_error_parts")
  expect_error(choose(x, by_dpp_exact()), "all rows in memory", class = "landmarker_error_parts")
  expect_error(choose(x, by_dpp_exact(distance = "geodesic")), class = "landmarker_error_parts")
})
