# What pictures promise: shares of variance, labels that do not collide, the fit's own data, titles of
# legends, the same panels by ggplot2.

plot_in_pdf <- function(...) on_device(plot(...))

overlaps <- function(rects) {
  n <- nrow(rects)
  pairs <- if (n > 1) utils::combn(n, 2) else matrix(0, 2, 0)
  meet <- function(i, j) {
    all(pmin(rects[i, c(2, 4)], rects[j, c(2, 4)]) > pmax(rects[i, c(1, 3)], rects[j, c(1, 3)]) + 1e-9)
  }
  sum(vapply(seq_len(ncol(pairs)), function(k) meet(pairs[1, k], pairs[2, k]), NA))
}

# ---- shares of variance ------------------------------------------------------

test_that("the shares of variance are those of prcomp()", {
  flowers <- as.matrix(iris[1:4])
  set.seed(1)
  wide <- matrix(rnorm(60 * 40), 60) %*% diag(c(6, 5.5, 40:3 / 20))
  wide[abs(wide) < 0.1] <- 0
  cases <- list(
    list(flowers, FALSE), list(flowers * rep(c(1, 100, 1, 0.01), each = 150), TRUE), list(wide, FALSE),
    list(digits$images[1:200, ] / 255, FALSE)
  )
  for (case in cases) {
    p <- stats::prcomp(case[[1]], scale. = case[[2]])
    factor <- if (case[[2]]) 1 / apply(case[[1]], 2, stats::sd) else rep(1, ncol(case[[1]]))
    expected <- unname((p$sdev^2 / sum(p$sdev^2))[1:2])
    found <- principal_axes(case[[1]], factor)
    expect_equal(found$share, expected, tolerance = 1e-6)
    expect_equal(abs(colSums(found$axes * p$rotation[, 1:2])), c(1, 1), tolerance = 1e-5, ignore_attr = TRUE)
    sparse <- principal_axes(methods::as(case[[1]], "CsparseMatrix"), factor)
    expect_equal(sparse, found, tolerance = 1e-8)
  }
  share <- summary(stats::prcomp(flowers))$importance[2, 1:2]
  plane <- to_plane(landmarks(flowers, 3), flowers)
  expect_identical(plane$names, c("PC1 (92% of variance)", "PC2 (5% of variance)"))
  expect_equal(round(unname(share), 2), c(0.92, 0.05))
})

test_that("rows without variance have axes without shares", {
  same <- principal_axes(matrix(c(0.1, 7, 1e6), 20, 3, byrow = TRUE), rep(1, 3))
  expect_identical(same$share, c(NA_real_, NA_real_))
  expect_identical(component_names(same$share), c("PC1", "PC2"))
  line <- principal_axes(outer(1:20, c(1, 2, 3)), rep(1, 3))
  expect_equal(line$share, c(1, 0))
  expect_identical(vapply(c(1, 0.5, 0.0995, 0.034, 0.0049, 1e-9), percent, ""),
    c("100%", "50%", "10%", "3%", "0.5%", "<0.1%")
  )
})

# ---- labels ------------------------------------------------------------------

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

test_that("numbers of landmarks do not collide in a window of 400 pixels", {
  x <- odd_matrix(200, 2)
  for (n in c(10, 60, 100)) {
    fit <- as_landmarks(odd_matrix(n, 2, 3)^3, x, bandwidth = 1)
    grDevices::pdf(NULL, 400 / 72, 400 / 72)
    plot(fit, x)
    marks <- marks_of(fit$landmarks, TRUE)
    rects <- mark_landmarks(marks, "black")
    grDevices::dev.off()
    expect_identical(overlaps(rects), 0L)
    if (marks$style == "dots") expect_gt(nrow(rects), n / 2) else expect_lt(n, 60)
  }
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

test_that("titles are not clipped", {
  grDevices::pdf(NULL, 400 / 72, 400 / 72)
  withr::defer(grDevices::dev.off())
  graphics::plot.new()
  room <- grDevices::dev.size()[1]
  for (n in c(1, 10, 30, 60, 200)) {
    title <- fitted_title(strtrim(paste(rep("landmarks", 30), collapse = " "), n))
    expect_lt(max(graphics::strwidth(title$main, "inches", cex = title$size, font = 2)), room)
    expect_gt(title$size, 0.7)
  }
  expect_null(fitted_title(NULL)$main)
})

# ---- data --------------------------------------------------------------------

test_that("a plot finds the fit's own data, and no other", {
  here <- as.matrix(iris[1:4])
  fit <- landmarks(here, 4)
  env <- environment()
  expect_identical(own_data(fit, env), here)
  expect_identical(own_data(landmarks(iris[1:100, 1:4], 4), env), iris[1:100, 1:4])
  expect_identical(own_data(landmarks(~ Sepal.Length + Species, iris, n = 4, scale = TRUE), env), iris)
  sparse <- methods::as(here, "CsparseMatrix")
  expect_identical(own_data(landmarks(sparse, 4), env), sparse)
  weights <- rep(c(0, 1, 2), 50)
  expect_identical(own_data(landmarks(here, 4, weights = weights, scale = TRUE), env), here)
  shown <- rlang::catch_cnd(on_device(plot(fit)), "landmarker_message_no_data")
  expect_null(shown)
  # Others of the same name, and none.
  here <- here[150:1, ]
  expect_null(own_data(fit, env))
  here <- here[1:10, ]
  expect_null(own_data(fit, env))
  here <- "text"
  expect_null(own_data(fit, env))
  rm(here)
  expect_null(own_data(fit, env))
  # What draws numbers or reads files is not evaluated.
  expect_null(own_data(landmarks(matrix(rnorm(80), 20), 3), env))
  expect_true(is_plain_expr(quote(data$x[rows, -1])))
  expect_true(is_plain_expr(quote(as.matrix(iris[1:4]) / 2)))
  for (expr in expression(f(x), read.csv("a"), x[sample(3)], function(x) x, (function() 1)())) {
    expect_false(is_plain_expr(expr))
  }
})

test_that("without data landmarks are drawn alone, with a message", {
  lost <- landmarks(as.matrix(iris[1:4]), 5)
  lost$call <- NULL
  lost$landmarks[1] <- lost$landmarks[1] + 1e-9 * stats::runif(1)
  expect_message(plot_in_pdf(lost), class = "landmarker_message_no_data")
  plane <- to_plane(lost, NULL)
  expect_identical(nrow(plane$data), 0L)
  p <- stats::prcomp(lost$landmarks)
  expect_equal(abs(unname(plane$landmarks)), abs(unname(p$x[, 1:2])), tolerance = 1e-6)
  expect_equal(plane$share, (p$sdev^2 / sum(p$sdev^2))[1:2], tolerance = 1e-8)
  one <- to_plane(as_landmarks(lost$landmarks[1, , drop = FALSE], as.matrix(iris[1:4])), NULL)
  expect_equal(one$landmarks, cbind(0, 0), ignore_attr = TRUE)
})

# ---- legends -----------------------------------------------------------------

test_that("legends have the name of what was given", {
  expect_identical(color_name(quote(species)), "species")
  expect_identical(color_name(quote(iris$Species)), "Species")
  expect_identical(color_name(quote(iris[["Species"]])), "Species")
  expect_identical(color_name(quote(attr(x, "position")[, "length"])), "length")
  expect_identical(color_name(quote(factor(iris$Species[rows]))), "Species")
  expect_identical(color_name(quote(x > 3)), "x > 3")
  expect_identical(color_name(c(1, 2)), "group")
  expect_identical(color_name(quote(paste("a very long expression", of, several, names))), "group")
  skip_if_not_installed("ggplot2", "3.4.0")
  fit <- landmarks(iris[1:4], 3)
  name <- function(...) ggplot2::autoplot(fit, iris[1:4], ...)$scales$get_scales("colour")$name
  expect_identical(name(color = iris$Species), "Species")
  expect_identical(name(colour = iris$Species), "Species")
  expect_identical(name(color = iris$Species, legend = "kind"), "kind")
  expect_null(name(color = iris$Species, legend = ""))
})

# ---- ggplot2 -----------------------------------------------------------------

test_that("ggplot2 has the panels of plot()", {
  skip_if_not_installed("ggplot2", "3.4.0")
  x <- odd_matrix(60, 5)
  colnames(x) <- letters[1:5]
  fit <- as_landmarks(x[1:7, ], x, bandwidth = 1)
  panels <- function(plot) nrow(ggplot2::ggplot_build(plot)$layout$layout)
  variance <- ggplot2::autoplot(fit, type = "variance")
  expect_identical(panels(variance), 2L)
  drawn <- ggplot2::layer_data(variance, 3)
  expect_equal(10^drawn$y[1:7], fit$variance)
  expect_equal(drawn$y[8:14], fit$explained)
  words <- ggplot2::autoplot(fit, type = "words", k = 2, which = c(3, 1))
  expect_identical(panels(words), 2L)
  top <- top_features(fit, 2)
  bars <- ggplot2::layer_data(words, 1)
  expect_equal(sort(bars$xmin + bars$xmax), sort(top$deviation[top$landmark %in% c(1, 3)]))
  images <- ggplot2::autoplot(fit, type = "images", dim = c(1, 5))
  expect_identical(panels(images), 7L)
  expect_error(ggplot2::autoplot(fit, type = "images"), class = "landmarker_error")
  expect_error(ggplot2::autoplot(fit, type = "words", words = 2), class = "landmarker_error_dots")
  axes <- ggplot2::autoplot(fit, x)$labels[c("x", "y")]
  expect_identical(unlist(axes, use.names = FALSE), to_plane(fit, x)$names)
})

test_that("pixels of ggplot2's images are where plot_images() has them", {
  skip_if_not_installed("ggplot2", "3.4.0")
  image <- rbind(1:6)
  for (byrow in c(TRUE, FALSE)) {
    at <- autoplot_images(image, c(2, 3), byrow = byrow)$data
    picture <- matrix(NA, 2, 3)
    picture[cbind(3 - at$y, at$x)] <- at$level
    expect_equal(picture, matrix(as.double(1:6), 2, 3, byrow = byrow))
  }
})

test_that("breaks of the variance panels are labelled by kind", {
  expect_identical(variance_labels(variance_breaks(c(-0.05, 1.05), TRUE), TRUE),
    c("0%", "25%", "50%", "75%", "100%")
  )
  at <- variance_breaks(c(-4.2, 0.1), TRUE)
  expect_equal(as.numeric(variance_labels(at, TRUE)), 10^at)
})

test_that("graphs are drawn, with and without data, shortcuts and components", {
  x <- odd_matrix(100, 3)
  fit <- as_landmarks(odd_matrix(12, 3, 5), x, bandwidth = 1)
  graph <- landmark_graph(fit, neighbors = 3)
  expect_identical(expect_drawn(plot(graph, x)), graph)
  expect_drawn(plot(graph, labels = FALSE, main = "m", xlim = c(0, 1)))
  graph$shortcuts <- cbind(low = 1L, high = 4L)
  graph$components <- rep(1:2, 6)
  expect_drawn(plot(graph, x, max_points = 20))
  graph$components <- 1:12
  expect_drawn(plot(graph, x))
  expect_refused(plot(graph, x[, 1:2]), "columns")
  expect_refused(plot(graph, x, labels = 3))
  expect_refused(plot(structure(list(), class = "landmark_graph")), "graph")
  skip_if_not_installed("ggplot2", "3.4.0")
  built <- ggplot2::ggplot_build(ggplot2::autoplot(graph, x))$data
  expect_identical(nrow(built[[2]]), sum(Matrix::triu(graph$weights) > 0))
  expect_equal(cbind(built[[4]]$x, built[[4]]$y), unname(to_plane(fit, x)$landmarks))
})

test_that("theme_landmarks() checks its argument", {
  skip_if_not_installed("ggplot2", "3.4.0")
  expect_s3_class(theme_landmarks(8), "theme")
  expect_refused(theme_landmarks(0))
  expect_refused(theme_landmarks("big"))
})

test_that("data that changed since the fit are not its own, and functions of the user are not run", {
  here <- as.matrix(iris[1:4])
  env <- environment()
  fit <- landmarks(here, 4)
  expect_identical(own_data(fit, env), here)
  here[setdiff(1:150, fit$nearest), ] <- 0
  expect_null(own_data(fit, env))
  # A function of the user with the name of R's.
  scale <- function(...) stop("ran")
  there <- as.matrix(iris[1:4])
  fit <- landmarks(base::scale(there), 4)
  fit$call$x <- quote(scale(there))
  expect_equal(own_data(fit, env), base::scale(there))
})
