# Bad input to the selectors beside by_gp(), and to its criterion.

# Exact in binary, so that messages show them in full.
x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
sparse <- methods::as(x, "CsparseMatrix")

test_that("options of by_active() are checked where they are given", {
  expect_refused(
    by_active(subset = 0),
    by_active(subset = 1.5),
    by_active(subset = NA),
    by_active(subset = c(5, 6)),
    by_active(subset = "all"),
    by_active(subset = Inf),
    by_active(pivot = "smallest"),
    by_active(pivot = NULL),
    by_active(pivot = c("largest", "random")),
    by_active(pivot = NA_character_),
    by_active(bandwidth_ratio = 0),
    by_active(bandwidth_ratio = -1),
    by_active(bandwidth_ratio = NA),
    by_active(bandwidth_ratio = Inf),
    by_active(bandwidth_ratio = TRUE),
    by_active(tolerance = -1)
  )
  # It would end before the first row.
  expect_refused(
    by_active(tolerance = 1),
    by_active(tolerance = NaN)
  )
  expect_error(by_active(tolerence = 1), "unused argument")
  expect_error(by_active(5000, "random", 1, 0, 1), "unused argument")
})

test_that("a subset must not be smaller than the number of landmarks", {
  expect_refused(
    landmarks(x, 3, by_active(subset = 2)),
    add_landmarks(landmarks(x, 1, "active"), x, 4, by_active(subset = 3))
  )
  expect_error(landmarks(x, 3, by_active(subset = 3)), NA)
})

test_that("options of by_kmeans() are checked where they are given", {
  expect_refused(
    by_kmeans("plus"),
    by_kmeans(start = NULL),
    by_kmeans(start = x),
    by_kmeans(start = c("++", "uniform")),
    by_kmeans(max_iterations = -1),
    by_kmeans(max_iterations = 0.5),
    by_kmeans(max_iterations = NA),
    by_kmeans(max_iterations = NULL),
    by_kmeans(max_iterations = "ten"),
    by_kmeans(max_iterations = TRUE)
  )
  expect_error(by_kmeans(nstart = 5), "unused argument")
})

test_that("k-means takes sparse data, weights and held landmarks", {
  expect_error(landmarks(sparse, 2, by_kmeans(), weights = 1:6), NA)
  fit <- landmarks(sparse, 2, by_kmeans())
  expect_error(add_landmarks(fit, sparse, 1), NA)
})

test_that("prob must be numbers of at least 0, not all 0", {
  expect_refused(
    by_random(prob = -1),
    by_random(prob = c(1, NA, 2)),
    by_random(prob = c(1, 2, NaN)),
    by_random(prob = c(Inf, 1)),
    by_random(prob = "a"),
    by_random(prob = TRUE),
    by_random(prob = numeric(6)),
    by_random(prob = numeric()),
    by_random(prob = list(1, 2)),
    by_random(prob = mean),
    by_random(prob = factor(1:6))
  )
  expect_error(by_random(1:6, TRUE), "unused argument")
})

test_that("prob must fit the data", {
  expect_refused(
    landmarks(x, 2, by_random(prob = 1:5)),
    landmarks(x, 2, by_random(prob = 1)),
    landmarks(x, 3, by_random(prob = c(0, 1, 0, 0, 2, 0)))
  )
  first <- c(1, 1, 0, 0, 0, 0)
  expect_refused(landmarks(x, 2, by_random(prob = first), weights = 0:5))
})

test_that("a criterion must be one that is known", {
  expect_refused(
    by_gp(criterion = "x"),
    by_gp(criterion = NA),
    by_gp(criterion = c("volume", "trace")),
    by_gp("sgd", criterion = "trace")
  )
  expect_error(by_gp("sgd", criterion = "volume"), NA)
})

test_that("a projection that breaks is refused by every selector", {
  methods <- list(
    by_active(), by_kmeans(), by_kmeans(max_iterations = 0), by_random(), by_gp(criterion = "trace")
  )
  for (method in methods) {
    expect_error(landmarks(x, 2, method, space = function(t) t[1]), class = "landmarker_error_space")
    expect_error(landmarks(x, 2, method, space = function(t) stop("of theirs")), "of theirs", fixed = TRUE)
  }
})

test_that("more landmarks than rows are refused by every selector", {
  methods <- list(
    by_active(), by_kmeans(), by_kmeans("uniform", 0), by_random(prob = 1:6), by_gp(criterion = "trace")
  )
  for (method in methods) {
    expect_error(landmarks(x, 7, method), class = "landmarker_error_rank")
  }
})
