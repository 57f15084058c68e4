# Labels of pictures: they collide neither with each other nor with what is drawn.

test_that("placed labels cover neither each other nor what is taken, and stay inside", {
  withr::local_seed(1)
  for (n in c(1, 5, 40, 150)) {
    x <- runif(n, 0, 5)
    y <- runif(n, 0, 4)
    marks <- rects_around(x, y, 0.1)
    width <- runif(n, 0.1, 0.8)
    height <- rep(0.15, n)
    p <- place_labels(list(x = x, y = y, width = width, height = height), c(0, 5, 0, 4), marks, first = 0.06)
    rects <- rects_around(p$x, p$y, width, height)[p$placed, , drop = FALSE]
    expect_identical(overlaps(rects), 0L)
    expect_false(any(apply(rects, 1, function(r) any(rects_meet(r, marks)))))
    expect_true(all(rects[, 1] >= 0 & rects[, 2] <= 5 & rects[, 3] >= 0 & rects[, 4] <= 4))
    expect_true(p$placed[1] || n > 1)
  }
  # What has no place is left out.
  same <- list(x = rep(1, 9), y = rep(1, 9), width = rep(0.9, 9), height = rep(0.9, 9))
  crowd <- place_labels(same, c(0, 2, 0, 2))
  expect_identical(crowd$placed, rep(c(TRUE, FALSE), c(1, 8)))
})

test_that("names of groups stand on them and do not collide", {
  angle <- 1:240 %% 12 * pi / 6
  at <- odd_matrix(240, 2) + 6 * cbind(cos(angle), sin(angle))
  groups <- factor(paste("group", LETTERS[1 + 1:240 %% 12]))
  centers <- group_centers(at, groups)
  expect_identical(as.character(centers$group), levels(groups))
  own <- match(centers$x, at[, 1])
  expect_identical(as.character(groups[own]), levels(groups))
  grDevices::pdf(NULL, 400 / 72, 400 / 72)
  plot(at, asp = 1)
  rects <- draw_group_names(list(at = at, groups = groups, colors = group_colors(groups)))
  grDevices::dev.off()
  expect_identical(nrow(rects), 12L)
  expect_identical(overlaps(rects), 0L)
  places <- group_name_places(at, groups)
  away <- sqrt((places$at_x - places$x)^2 + (places$at_y - places$y)^2)
  expect_lt(max(away), 3)
  # Groups without rows have no name.
  expect_identical(nrow(group_centers(at, factor(groups, c(levels(groups), "none")))), 12L)
})
