# Work that would need more memory than is allowed is refused before it begins, with the number and a remedy.

x <- sim_swiss_roll(3000)
fit <- landmarks(x, 12, bandwidth = 20)

test_that("fits and their uses are refused by their largest matrix", {
  # A fit of many landmarks, forged to save the work.
  again <- rep_len(1:12, 4000)
  many <- without(unclass(fit), "joined")
  many$landmarks <- many$landmarks[again, ]
  each <- c(
    "variance", "explained", "nearest", "nearest_distance", "on_data", "iterations", "moved", "rows", "trace"
  )
  many[each] <- lapply(many[each], function(part) part[again])
  class(many) <- "landmarks"
  rows <- matrix(sin(1:60000), 20000)
  long <- matrix(1, 1100000, 3)
  wide <- Matrix::sparseMatrix(1:9, 1:9, x = 1, dims = c(2000, 20000))
  withr::local_options(landmarker.memory = 1.01e8)
  expect_refused(
    landmarks(rows, 5000, bandwidth = 0.1), landmarks(rows, 3000, "random", bandwidth = 0.1),
    landmarks(rows, 1000, "active", bandwidth = 0.1), add_landmarks(fit, x, 2900),
    as_landmarks(rows[1:3000, ], rows, bandwidth = 0.1), landmark_graph(many), embed_landmarks(many),
    predict(fit, long), nearest_observations(fit, long, 1e6), sketch_rows(fit, long, 100),
    # Sparse rows that would become dense.
    predict(raw_features(wide[1:9, ]), wide), raw_features(wide)
  )
  # What needs the limit, or less, is not refused.
  expect_s3_class(landmarks(rows, 20, by_active(2000), bandwidth = 0.1), "landmarks")
  expect_null(check_memory(1.01e8 / 8, "A test needs", "Test less.", "x", NULL))
})

test_that("columns with many values are refused by name", {
  rows <- data.frame(a = sin(1:400), b = sprintf("s%03d", rep(1:200, 2)))
  by_level <- suppressWarnings(landmarks(rows, 3, "random"))
  withr::local_options(landmarker.memory = 1.01e8)
  n <- 4000
  people <- data.frame(age = sin(1:n), id = sprintf("p%04d", 1:n), town = rep(c("a", "b"), n / 2))
  expect_refused(
    landmarks(people, 5), landmarks(~ id:town, people, n = 5), cv_landmarks(people, people$age, n = 5),
    as_landmarks(people[1:3, ], people), predict(by_level, rows[rep(1:400, 60), ])
  )
  expect_s3_class(landmarks(~ age + town, people, n = 3, method = "random"), "landmarks")
})
