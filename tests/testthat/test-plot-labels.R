# Texts in pictures.

test_that("names of groups stand on them", {
  angle <- 1:240 %% 12 * pi / 6
  at <- odd_matrix(240, 2) + 6 * cbind(cos(angle), sin(angle))
  groups <- factor(paste("group", LETTERS[1 + 1:240 %% 12]))
  centers <- group_centers(at, groups)
  expect_identical(as.character(centers$group), levels(groups))
  own <- match(centers$x, at[, 1])
  expect_identical(as.character(groups[own]), levels(groups))
  # Groups without rows have no name.
  expect_identical(nrow(group_centers(at, factor(groups, c(levels(groups), "none")))), 12L)
})

test_that("long names lose their middle", {
  expect_identical(cut_middle(c("short", "a very long name of a column"), 12), c("short", "a ver..olumn"))
})

test_that("numbers and names are drawn with package ggrepel and without it", {
  marks <- data.frame(a = odd_matrix(80, 1)[, 1], b = odd_matrix(80, 1, 3)[, 1], label = 1:80)
  groups <- factor(rep_len(letters[1:12], 80))
  named <- list(at = as.matrix(marks[1:2]), groups = groups, colors = group_colors(groups))
  for (repel in c(FALSE, has_package("ggrepel"))) {
    plot <- ggplot2::ggplot(marks, ggplot2::aes(a, b)) + numbers_layer(marks, FALSE, "black", repel) +
      names_layer(named, repel)
    expect_silent(on_device(print(plot)))
    expect_identical(as.character(ggplot2::layer_data(plot, 2)$label), levels(groups))
  }
})
