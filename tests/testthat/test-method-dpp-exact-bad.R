# Bad input to by_dpp_exact().

# Exact in binary, so that messages show them in full.
x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))

test_that("options of by_dpp_exact() are checked where they are given", {
  expect_refused(
    by_dpp_exact(distance = "manhattan"),
    by_dpp_exact(distance = NULL),
    by_dpp_exact(sigma = 0),
    by_dpp_exact(sigma = -1),
    by_dpp_exact(sigma = Inf),
    by_dpp_exact(sigma = c(1, 2)),
    by_dpp_exact(neighbors = 0),
    by_dpp_exact(neighbors = NULL)
  )
  expect_error(by_dpp_exact(nearest = 3), "unused argument")
})

test_that("other methods must be told how many", {
  expect_refused(
    landmarks(x, method = by_random()),
    landmarks(x, NULL, by_dpp_exact())
  )
})

test_that("no more landmarks than the kernel has rank", {
  same <- x[c(1, 1, 2, 2, 3, 3), ]
  expect_refused(
    landmarks(same, 4, by_dpp_exact(sigma = 1)),
    landmarks(x, 6, by_dpp_exact(sigma = 1e4)),
    landmarks(x, 5, by_dpp_exact(sigma = 1), weights = c(1, 0, 1, 1, 0, 1)),
    add_landmarks(as_landmarks(x[1:4, ], x), x, 2, by_dpp_exact(sigma = 1e10))
  )
})

test_that("a kernel that would not fit into memory is refused before it is made", {
  many <- matrix(0, 2000, 2)
  many[, 1] <- seq_len(2000)
  withr::local_options(landmarker.memory = 1e6)
  expect_refused(
    landmarks(many, 5, by_dpp_exact()),
    landmarks(many, method = by_dpp_exact(distance = "geodesic"))
  )
  # Rows of weight 0 need no room.
  expect_length(landmarks(many, 5, by_dpp_exact(), weights = rep(0:1, c(1900, 100)))$rows, 5)
  withr::local_options(landmarker.memory = Inf)
  expect_length(landmarks(many[1:50, ], 5, by_dpp_exact())$rows, 5)
  withr::local_options(landmarker.memory = "4 GB")
  expect_refused(landmarks(many, 5, by_dpp_exact()))
  withr::local_options(landmarker.memory = 0)
  expect_refused(landmarks(many, 5, by_dpp_exact()))
})

test_that("geodesic distances have no place for held landmarks", {
  fit <- landmarks(x, 2)
  expect_refused(add_landmarks(fit, x, 2, by_dpp_exact(distance = "geodesic")))
})

test_that("geodesic distances need igraph", {
  skip_if(requireNamespace("igraph", quietly = TRUE), "igraph is there")
  expect_error(landmarks(x, 2, by_dpp_exact(distance = "geodesic")), class = "landmarker_error_package")
})
