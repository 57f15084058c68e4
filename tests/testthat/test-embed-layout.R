# Landmarks arranged in a plane by t-SNE or UMAP, and points among them.

clusters <- function(rows, shift = 0) {
  group <- rep(1:3, length.out = rows)
  at <- rbind(c(0, 0, 0, 0), c(8, 0, 3, 0), c(0, 8, 0, 3))
  list(x = at[group, ] + odd_matrix(rows, 4, shift), group = group)
}
learned <- clusters(90)
new <- clusters(60, 3)
fit <- as_landmarks(learned$x, learned$x)

check_arranged <- function(layout, letter) {
  arrange <- function() withr::with_seed(1, quietly(embed_landmarks(fit, layout = layout)))
  e <- arrange()
  again <- arrange()
  expect_identical(again[names(again) != "seconds"], e[names(e) != "seconds"])
  expect_identical(colnames(coef(e)), paste0(letter, 1:2))
  expect_equal(predict(e, learned$x), coef(e), tolerance = 1e-8, ignore_attr = TRUE)
  # New points lie among the landmarks of their own cluster.
  y <- predict(e, new$x)
  home <- apply(naive_distances(y, coef(e)), 1, which.min)
  expect_identical(learned$group[home], new$group)
  expect_output(print(e), "layout")
  expect_identical(names(tidy(e)), c("landmark", paste0(letter, 1:2)))
}

test_that("t-SNE arranges clusters, and points go to theirs", {
  skip_if_not_installed("Rtsne")
  check_arranged("tsne", "T")
})

test_that("UMAP arranges clusters, and points go to theirs", {
  skip_if_not_installed("uwot")
  check_arranged("umap", "U")
})

test_that("what a layout cannot have is refused", {
  expect_refused(embed_landmarks(fit, layout = "circle"))
  expect_refused(embed_landmarks(fit, layout = "tsne", dims = 3))
  expect_refused(embed_landmarks(fit, layout = "tsne", alpha = 1))
  expect_refused(embed_landmarks(fit, perplexity = 5))
  skip_if_not_installed("Rtsne")
  expect_refused(embed_landmarks(fit, neighbors = 40, layout = "tsne", perplexity = 50))
  expect_refused(embed_landmarks(fit, neighbors = 40, layout = "tsne", perplexity = "few"))
  few <- as_landmarks(learned$x[1:5, ], learned$x)
  expect_refused(embed_landmarks(few, layout = "tsne"), "graph")
})

test_that("alpha and independent are checked", {
  expect_refused(embed_landmarks(fit, alpha = 2))
  expect_refused(embed_landmarks(fit, alpha = NA))
  expect_refused(embed_landmarks(fit, independent = "yes"))
})
