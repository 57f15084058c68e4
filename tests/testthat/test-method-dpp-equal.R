# by_dpp() and by_random() where rows of the data are equal.

skip_slow_file()

test_that("rows that are the same are not drawn twice, nor are those of weight 0", {
  withr::local_seed(11)
  forty <- odd_matrix(40, 3, 5)
  repeated <- forty[rep(1:40, 5), ]
  for (search in c("tree", "all")) {
    for (update in c("welsch", "sin2")) {
      expect_warning(
        fit <- landmarks(repeated, 60, by_dpp(30, update, search = search)), "40 of 60 landmarks",
        class = "landmarker_warning_rank"
      )
      expect_identical(anyDuplicated(coef(fit)), 0L)
      expect_identical(nrow(coef(fit)), 40L)
    }
  }
  # Also where rows are kept as scaled: a candidate has the very numbers of the rows that repeat it.
  sparse <- methods::as(repeated * (forty > -0.3)[rep(1:40, 5), ], "CsparseMatrix")
  kinds <- nrow(unique(as.matrix(sparse)))
  expect_warning(
    fit <- landmarks(sparse, 60, by_dpp(30), scale = TRUE), paste(kinds, "of 60 landmarks"),
    class = "landmarker_warning_rank"
  )
  expect_identical(nrow(unique(coef(fit))), kinds)
  weights <- rep(c(1, 0, 3, 0), 50)
  for (i in 1:5) expect_true(all(weights[landmarks(repeated, 15, by_dpp(), weights = weights)$rows] > 0))
  # Few neighbors do not reach all that are the same.
  heap <- rbind(matrix(0, 30, 2), odd_matrix(10, 2))
  for (search in c("tree", "all")) {
    expect_warning(
      fit <- landmarks(heap, 12, by_dpp(2, search = search)), "11 of 12 landmarks",
      class = "landmarker_warning_rank"
    )
    expect_identical(nrow(unique(coef(fit))), 11L)
  }
})

test_that("data with many equal rows of each kind have different landmarks, which can be embedded", {
  withr::local_seed(23)
  # Nine of ten rows are the same.
  mostly <- rbind(matrix(1, 900, 3), odd_matrix(100, 3))
  likert <- matrix(sample(1:3, 2000 * 3, replace = TRUE), 2000)
  counts <- methods::as(matrix(stats::rpois(2000 * 30, 0.03), 2000), "CsparseMatrix")
  # Rows that are equal but for rounding
  rotated <- likert %*% qr.Q(qr(odd_matrix(3, 3))) * 0.1
  for (x in list(mostly, likert, counts, rotated)) {
    for (method in list(by_dpp(), by_dpp(4), by_random())) {
      fit <- landmarks(x, 20, method)
      expect_identical(nrow(unique(round(coef(fit), 9))), 20L)
      more <- suppressWarnings(add_landmarks(fit, x, 7))
      expect_identical(nrow(unique(round(coef(more), 9))), 27L)
    }
    expect_s3_class(suppressWarnings(embed_landmarks(fit, dims = 1)), "landmark_embedding")
  }
  for (method in list(by_dpp(), by_random())) {
    expect_warning(fit <- landmarks(likert, 40, method), "27 of 40", class = "landmarker_warning_rank")
    expect_identical(nrow(unique(coef(fit))), 27L)
    expect_warning(all <- add_landmarks(fit, likert, 2), "27 of 29", class = "landmarker_warning_rank")
    expect_identical(coef(all), coef(fit))
  }
})
