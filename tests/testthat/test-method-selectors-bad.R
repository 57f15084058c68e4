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
    by_active(pivot = NA_character_)
  )
  expect_error(by_active(tolerence = 1), "unused argument")
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
    by_active(), by_kmeans(), by_kmeans("uniform", 0), by_random(), by_gp(criterion = "trace")
  )
  for (method in methods) {
    expect_error(landmarks(x, 7, method), class = "landmarker_error_rank")
  }
})
