# Objects that this version and earlier ones have saved are read, give their numbers again, and go on.
# tools/fixtures.R makes them; a folder stays when the next version has one of its own.

saved <- list.files(test_path("fixtures"), pattern = "[.]rds$", recursive = TRUE, full.names = TRUE)
quietly <- function(code) suppressMessages(suppressWarnings(code))

test_that("there are saved objects of each class", {
  classes <- vapply(saved, function(file) class(readRDS(file)$object)[1], "")
  expect_setequal(classes, c(
    "landmarks", "landmark_graph", "landmark_embedding", "cv_landmarks", "codebook", "tagging_scores",
    "raw_features"
  ))
  expect_true(all(file.size(saved) < 10000))
})

test_that("a saved object says which version made it, and gives its numbers again", {
  for (file in saved) {
    kept <- readRDS(file)
    expect_identical(kept$object$version, basename(dirname(file)), info = file)
    # Not identical: another machine may have another LAPACK.
    expect_equal(saved_numbers(kept$object, kept$data), kept$numbers, tolerance = 1e-8, info = file)
  }
})

test_that("the features of a saved fit are those of its formula", {
  kept <- readRDS(grep("fit_gp.rds", saved, value = TRUE)[1])
  fit <- kept$object
  squares <- outer(rowSums(kept$data^2), rowSums(fit$landmarks^2), "+") - 2 * kept$data %*% t(fit$landmarks)
  expect_equal(kept$numbers$features, as.vector(exp(-squares / fit$bandwidth)), tolerance = 1e-8)
})

test_that("a saved object is printed, summed up and drawn", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (file in saved) {
    object <- readRDS(file)$object
    if (!inherits(object, "raw_features")) expect_output(print(object), info = file)
    if (inherits(object, c("landmarks", "landmark_graph", "landmark_embedding", "cv_landmarks"))) {
      expect_no_error(quietly(plot(object)))
    }
    if (inherits(object, c("landmarks", "landmark_embedding", "cv_landmarks", "codebook"))) {
      expect_gt(nrow(tidy(object)), 0)
      expect_identical(nrow(glance(object)), 1L)
    }
  }
})

test_that("a saved fit goes on", {
  for (file in grep("fit_", saved, value = TRUE)) {
    kept <- readRDS(file)
    set.seed(1)
    more <- quietly(add_landmarks(kept$object, kept$data, 1, by_random()))
    n <- length(kept$object)
    expect_identical(length(more), n + 1L, info = file)
    expect_equal(more$landmarks[seq_len(n), ], kept$object$landmarks, ignore_attr = TRUE, info = file)
    refined <- quietly(refine_landmarks(kept$object, kept$data, 1))
    expect_no_error(validate_landmarks(refined))
    expect_identical(refined$version, as.character(packageVersion("landmarker")))
  }
})

test_that("a saved graph is embedded, and an embedding has the places of its landmarks", {
  for (file in grep("graph", saved, value = TRUE)) {
    expect_no_error(quietly(embed_landmarks(readRDS(file)$object, dims = 1)))
  }
  for (file in grep("embedding", saved, value = TRUE)) {
    e <- readRDS(file)$object
    at_landmarks <- predict(e, e$graph$fit$landmarks)
    expect_equal(at_landmarks, coef(e), tolerance = 1e-8, ignore_attr = TRUE, info = file)
  }
})
