# Pictures: they are drawn without a warning, leave par() as it was, and show
# what they should.

skip_slow_file()

fits <- local({
  set.seed(1)
  blob <- matrix(rnorm(200), 50, 4) %*% diag(c(5, 3, 1, 0.5))
  blob[abs(blob) < 0.3] <- 0
  pixels <- digits$images[1:60, ] / 255
  lapply(list(blob[, 1, drop = FALSE], blob[, 1:2], blob[, 1:3], blob, pixels), function(x) {
    list(x = x, sparse = methods::as(x, "CsparseMatrix"), fit = landmarks(x, 5))
  })
})

test_that("landmarks are drawn for 1, 2, 3, 4 and 784 columns, dense and sparse", {
  for (case in fits) {
    n <- nrow(case$x)
    expect_identical(expect_drawn(plot(case$fit, case$x)), case$fit)
    expect_drawn(plot(case$fit, case$sparse))
    expect_drawn(plot(case$fit, case$x, color = rep_len(c("u", "v", "w"), n)))
    expect_drawn(
      plot(case$fit, case$sparse, color = factor(rep_len(1:12, n)), labels = FALSE, max_points = 20)
    )
    expect_drawn(plot(case$fit, case$x, main = "main", xlab = "x", ylab = "y", xlim = c(-1, 1), asp = 1))
    expect_drawn(plot(case$fit))
    expect_drawn(plot(case$fit, type = "variance", main = "main"))
  }
})

test_that("odd fits are drawn too", {
  set.seed(1)
  x <- fits[[2]]$x
  expect_drawn(plot(landmarks(x, 1)))
  expect_drawn(plot(landmarks(x, 1), x))
  expect_drawn(plot(landmarks(x[1, , drop = FALSE], 1, bandwidth = 1), x[1, , drop = FALSE]))
  # Some landmarks, or all, without any variance.
  expect_drawn(plot(as_landmarks(x[c(1, 1, 2), ], x)))
  expect_warning(far <- as_landmarks(x[1:3, ] + 1e4, x), class = "landmarker_warning_off_data")
  expect_drawn(plot(far))
  constant <- cbind(1, x, 2)
  expect_drawn(plot(landmarks(constant, 2), constant))
  frame <- data.frame(a = x[, 1], f = rep_len(c("u", "v"), 50))
  expect_drawn(plot(landmarks(frame, 3), frame, color = frame$f))
  flat <- cbind(rep(1:10, 5), 0, 0)
  expect_drawn(plot(landmarks(flat, 3), flat))
})

test_that("par() is left as it was after an error as well", {
  on_device({
    before <- graphics::par(par_settings)
    fit <- fits[[5]]$fit
    expect_error(plot(fit, fits[[1]]$x), class = "landmarker_error_columns")
    expect_error(plot(fit, type = "variance", main = stop("no")), "no")
    expect_error(plot_images(fit, c(28, 28), main = stop("no")), "no")
    expect_identical(graphics::par(par_settings), before)
  })
})

test_that("two columns are drawn as they are, one beside zero", {
  plane <- to_plane(fits[[2]]$fit, fits[[2]]$x)
  expect_identical(plane$data, fits[[2]]$x)
  expect_identical(plane$landmarks, fits[[2]]$fit$landmarks)
  line <- to_plane(fits[[1]]$fit, fits[[1]]$sparse)
  expect_equal(line$data, cbind(fits[[1]]$x, 0), ignore_attr = TRUE)
  expect_equal(line$landmarks, cbind(fits[[1]]$fit$landmarks, 0), ignore_attr = TRUE)
  expect_identical(to_plane(landmarks(as.matrix(iris[1:2]), 2), as.matrix(iris[1:2]))$names, names(iris)[1:2])
})

# The coordinates of prcomp(), each axis with the largest loading positive.
by_prcomp <- function(x, points, scale = FALSE) {
  p <- stats::prcomp(x, scale. = scale, rank. = 2)
  sign <- apply(p$rotation, 2, function(v) sign(v[which.max(abs(v))]))
  list(
    data = unname(p$x %*% diag(sign)), landmarks = unname(stats::predict(p, points) %*% diag(sign))
  )
}

test_that("more columns are drawn on the principal components of the data", {
  for (case in fits[3:5]) {
    expected <- by_prcomp(case$x, case$fit$landmarks)
    for (data in list(case$x, case$sparse)) {
      plane <- to_plane(case$fit, data)
      expect_equal(unname(plane$data), expected$data, tolerance = 1e-3)
      expect_equal(unname(plane$landmarks), expected$landmarks, tolerance = 1e-3)
    }
    same <- to_plane(case$fit, case$x)$data
    expect_equal(to_plane(case$fit, case$sparse)$data, same, tolerance = 1e-8, ignore_attr = TRUE)
  }
})

test_that("the components are those of scaled columns where the fit is scaled", {
  x <- as.matrix(iris[1:4]) * rep(c(1, 100, 1, 0.01), each = 150)
  set.seed(1)
  fit <- landmarks(x, 3, scale = TRUE)
  expected <- by_prcomp(x, fit$landmarks, scale = TRUE)
  plane <- to_plane(fit, x)
  expect_equal(unname(plane$data), expected$data, tolerance = 1e-3)
  expect_equal(unname(plane$landmarks), expected$landmarks, tolerance = 1e-3)
})

# ---- maps --------------------------------------------------------------------

# Three clusters far apart in five columns, with an order that mixes them.
clusters <- local({
  set.seed(1)
  group <- rep_len(1:3, 90)
  x <- matrix(rnorm(450), 90) + 20 * diag(5)[group, ]
  x[abs(x) < 0.3] <- 0
  list(x = x, group = group, fit = landmarks(x, 6, bandwidth = 20))
})

map_of <- function(fit, x, perplexity = NULL, seed = 1) {
  set.seed(seed)
  in_plane(fit, x, "map", perplexity)
}

test_that("on a map clusters stay apart, each landmark among its own", {
  skip_if_not_installed("Rtsne")
  # A landmark's own cluster is that of the nearest row in all five columns.
  own <- clusters$group[clusters$fit$nearest]
  expect_setequal(own, 1:3)
  sparse <- methods::as(clusters$x, "CsparseMatrix")
  fit <- clusters$fit
  for (map in list(map_of(fit, clusters$x), map_of(fit, sparse), map_of(fit, clusters$x, 5))) {
    expect_identical(dim(map$data), c(90L, 2L))
    expect_identical(dim(map$landmarks), c(6L, 2L))
    between <- as.matrix(dist(rbind(map$data, map$landmarks)))
    near <- apply(between[91:96, 1:90], 1, which.min)
    expect_identical(clusters$group[near], own)
    # Nobody's nearest neighbor is of another cluster.
    near <- apply(between[1:90, 1:90] + diag(Inf, 90), 1, which.min)
    expect_identical(clusters$group[near], clusters$group)
  }
})

test_that("the neighbors of a map are the nearest other rows in the kernel's coordinates", {
  x <- clusters$x * rep(c(1, 100, 1, 0.01, 1), each = 90)
  x[1:9, ] <- x[1, ]
  set.seed(1)
  fit <- landmarks(x, 4, scale = TRUE)
  near <- nearest_others(lay_out(x, NULL, fit$center, fit$factor), x, 6, NULL)
  expect_identical(dim(near$row), c(6L, 90L))
  expect_false(any(near$row == col(near$row)))
  expect_identical(apply(near$row, 2, anyDuplicated), integer(90))
  distance <- as.matrix(dist(scale(x, scale = apply(x, 2, sd))))
  diag(distance) <- Inf
  # Where nine rows are the same, which six of the other eight does not matter.
  expect_equal(near$distance, apply(distance, 1, function(d) sort(d)[1:6]), ignore_attr = TRUE)
  pairs <- cbind(as.vector(near$row), as.vector(col(near$row)))
  expect_equal(near$distance, matrix(distance[pairs], 6))
})

test_that("a map follows the seed, whatever the threads and the unit", {
  skip_if_not_installed("Rtsne")
  map <- map_of(clusters$fit, clusters$x)
  expect_identical(map_of(clusters$fit, clusters$x), map)
  expect_false(identical(map_of(clusters$fit, clusters$x, seed = 2), map))
  old <- options(landmarker.threads = 1)
  on.exit(options(old))
  expect_identical(map_of(clusters$fit, clusters$x), map)
  # Exact in binary: not a bit is different.
  large <- clusters$fit
  for (part in c("landmarks", "center")) large[[part]] <- 2^30 * large[[part]]
  expect_identical(map_of(large, 2^30 * clusters$x), map)
})

test_that("maps are drawn, of repeated and of few rows too", {
  skip_if_not_installed("Rtsne")
  fit <- clusters$fit
  expect_identical(expect_drawn(plot(fit, clusters$x, type = "map")), fit)
  expect_drawn(
    plot(fit, clusters$x, type = "map", color = clusters$group, perplexity = 10.5, max_points = 40)
  )
  expect_drawn(plot(fit, clusters$x[rep(1, 80), ], type = "map", labels = FALSE))
  expect_drawn(plot(fit, clusters$x[1, , drop = FALSE], type = "map", main = "seven rows", xlim = c(-9, 9)))
  expect_drawn(plot(fits[[1]]$fit, fits[[1]]$x, type = "map"))
  frame <- data.frame(a = clusters$x[, 1], f = rep_len(c("u", "v"), 90))
  expect_drawn(plot(landmarks(frame, 3, scale = TRUE), frame, type = "map", color = frame$f))
  expect_identical(nrow(shown_data(fit, clusters$x[rep(1:90, 20), ], NULL, "map", NULL)$data), 1500L)
  expect_identical(nrow(shown_data(fit, clusters$x[rep(1:90, 60), ], NULL, "landmarks", NULL)$data), 5000L)
})

test_that("a map has landmarks where the picture draws them", {
  skip_if_not_installed("Rtsne")
  map <- map_of(clusters$fit, clusters$x)
  on_device({
    grDevices::dev.control("enable")
    set.seed(1)
    plot(clusters$fit, clusters$x, type = "map")
    calls <- grDevices::recordPlot()[[1]]
  })
  is_place <- function(argument) is.list(argument) && all(c("x", "y") %in% names(argument))
  drawn <- lapply(calls, function(call) Filter(is_place, as.list(call[[2]])))
  drawn <- lapply(Filter(length, drawn), function(found) cbind(found[[1]]$x, found[[1]]$y))
  skip_if(length(drawn) == 0, "R records points in another way")
  expect_true(any(vapply(drawn, function(at) isTRUE(all.equal(at, map$data)), NA)))
  for (i in 1:6) {
    at <- map$landmarks[i, , drop = FALSE]
    expect_true(any(vapply(drawn, function(d) isTRUE(all.equal(d, at)), NA)))
  }
})

test_that("what cannot be mapped is refused", {
  skip_if_not_installed("Rtsne")
  fit <- clusters$fit
  x <- clusters$x
  lost <- fit
  lost$call <- NULL
  expect_refused(plot(lost, type = "map"), "data")
  expect_refused(plot(as_landmarks(x[1:2, ], x), x[1:4, ], type = "map"), "data")
  expect_refused(plot(as_landmarks(x[1, , drop = FALSE], x), x, type = "map", max_points = 1), "data")
  expect_refused(plot(fit, x, type = "map", perplexity = 1.5))
  expect_refused(plot(fit, x, type = "map", perplexity = 32))
  expect_refused(plot(fit, x, type = "map", perplexity = "a"))
  expect_refused(plot(fit, x, type = "map", max_points = 0))
  expect_refused(plot(fit, x[, 1:2], type = "map"), "columns")
})

test_that("the map of ggplot2 is the same map", {
  skip_if_not_installed("Rtsne")
  skip_if_not_installed("ggplot2", "3.4.0")
  map <- map_of(clusters$fit, clusters$x)
  set.seed(1)
  built <- ggplot2::ggplot_build(ggplot2::autoplot(clusters$fit, clusters$x, type = "map"))
  expect_equal(cbind(built$data[[1]]$x, built$data[[1]]$y), map$data)
  expect_equal(cbind(built$data[[2]]$x, built$data[[2]]$y), map$landmarks)
})

# ---- images ------------------------------------------------------------------

# The rasters that a call draws, with where they are drawn.
rasters_of <- function(code) {
  code <- rlang::enexpr(code)
  env <- parent.frame()
  on_device({
    grDevices::dev.control("enable")
    eval(code, env)
    calls <- grDevices::recordPlot()[[1]]
  })
  found <- lapply(calls, function(call) {
    arguments <- as.list(call[[2]])
    at <- which(vapply(arguments, inherits, NA, "raster"))
    if (length(at)) list(image = arguments[[at[1]]], box = unlist(arguments[at[1] + 1:4]))
  })
  Filter(Negate(is.null), found)
}

test_that("pixels are where they belong", {
  # Two rows of three pixels: black top left, white bottom right.
  image <- rbind(c(1, 0.5, 0), c(0.5, 0, 0))
  expected <- rbind(c("#000000", "#7F7F7F", "#FFFFFF"), c("#7F7F7F", "#FFFFFF", "#FFFFFF"))
  gray <- grDevices::gray(c(1, 127 / 255, 0))
  drawn <- rasters_of(plot_images(rbind(as.vector(t(image))), c(2, 3), col = gray))
  skip_if(length(drawn) == 0, "R records rasters in another way")
  expect_identical(as.matrix(drawn[[1]]$image), expected)
  by_column <- rasters_of(plot_images(rbind(as.vector(image)), c(2, 3), byrow = FALSE, col = gray))
  expect_identical(as.matrix(by_column[[1]]$image), expected)
  # Drawn upright: left to right, bottom to top, in the image's own proportions.
  box <- drawn[[1]]$box
  expect_gt(box[3], box[1])
  expect_gt(box[4], box[2])
  expect_equal((box[4] - box[2]) / (box[3] - box[1]), 2 / 3)
})

test_that("images come in order, row by row", {
  images <- diag(6)[, 1:4]
  drawn <- rasters_of(plot_images(images, c(2, 2), columns = 3, labels = TRUE))
  skip_if(length(drawn) == 0, "R records rasters in another way")
  expect_length(drawn, 6)
  boxes <- vapply(drawn, function(one) one$box, numeric(4))
  expect_equal(order(-round(boxes[2, ], 6), boxes[1, ]), 1:6)
  expect_equal(boxes[2, 1:3], rep(boxes[2, 1], 3))
  expect_lt(boxes[4, 4], boxes[2, 1])
  dark <- vapply(drawn[1:4], function(one) which(as.vector(t(as.matrix(one$image))) == "#000000"), 1L)
  expect_identical(dark, 1:4)
  some <- rasters_of(plot_images(images, c(2, 2), which = c(3, 1)))
  expect_identical(some[[1]]$image, drawn[[3]]$image)
  expect_identical(some[[2]]$image, drawn[[1]]$image)
})

test_that("values beyond the range have its ends' colors", {
  drawn <- rasters_of(
    plot_images(rbind(c(-5, 0, 1, 9)), c(1, 4), range = c(0, 1), col = c("#FF0000", "#0000FF"))
  )
  skip_if(length(drawn) == 0, "R records rasters in another way")
  expect_identical(as.vector(as.matrix(drawn[[1]]$image)), c("#FF0000", "#FF0000", "#0000FF", "#0000FF"))
})

test_that("plot_images() draws fits and matrices without a warning", {
  fit <- fits[[5]]$fit
  expect_identical(expect_drawn(plot_images(fit, dim = c(28, 28))), fit)
  expect_drawn(
    plot_images(digits$images[1:7, ], dim = c(28, 28), labels = digits$labels[1:7], main = "digits")
  )
  expect_drawn(plot_images(fit, dim = c(7, 112), columns = 1, labels = TRUE))
  expect_drawn(plot_images(fit, dim = c(784, 1), columns = 99))
  expect_drawn(plot_images(matrix(TRUE, 1, 4), dim = c(2, 2)))
  expect_drawn(plot_images(matrix(0, 2, 4), dim = c(2, 2)))
  expect_drawn(plot_images(fit, dim = c(28, 28), which = 2, range = c(0, 1), col = heat.colors(5)))
})

test_that("colour is another spelling of color", {
  x <- fits[[2]]$x
  fit <- fits[[2]]$fit
  embedding <- whole_embedding(
    cbind(E1 = c(L1 = 1, L2 = 0, L3 = -1), E2 = c(0, 1, 2)), c(0.25, 0.5),
    Matrix::sparseMatrix(c(1, 1, 2), c(2, 3, 3), x = 1, dims = c(3, 3), symmetric = TRUE),
    as_landmarks(x[1:3, ], x)
  )
  group <- rep_len(c("u", "v", "w"), 50)
  # What is drawn, in the device's own commands.
  drawn <- function(code) {
    file <- withr::local_tempfile(fileext = ".ps")
    grDevices::postscript(file)
    # PostScript has no transparent colors.
    suppressWarnings(force(code))
    grDevices::dev.off()
    readLines(file)
  }
  one_color <- drawn(plot(fit, x))
  expect_identical(drawn(plot(fit, x, colour = group)), drawn(plot(fit, x, color = group)))
  expect_false(identical(drawn(plot(fit, x, colour = group)), one_color))
  expect_identical(drawn(plot(embedding, colour = 1:3)), drawn(plot(embedding, color = 1:3)))
  expect_false(identical(drawn(plot(embedding, colour = 1:3)), drawn(plot(embedding))))
  skip_if_not_installed("ggplot2", "3.4.0")
  layer <- function(...) ggplot2::layer_data(ggplot2::autoplot(...))
  expect_identical(layer(fit, x, colour = group), layer(fit, x, color = group))
  expect_length(unique(layer(fit, x, colour = group)$colour), 3)
  expect_identical(layer(embedding, colour = 1:3), layer(embedding, color = 1:3))
  expect_length(unique(layer(embedding, colour = 1:3)$fill), 3)
})

test_that("numbers of many values are cut into intervals, and labels stay labels", {
  fit <- landmarks(iris[1:4], 3)
  groups <- check_groups(iris$Sepal.Width + seq_len(150) / 1e6, 150)
  expect_identical(nlevels(groups), 5L)
  expect_true(all(abs(table(groups) - 30) <= 1))
  # Each interval lies above the one before it.
  ends <- vapply(split(iris$Sepal.Width + seq_len(150) / 1e6, groups), range, c(0, 0))
  expect_true(all(ends[2, -5] < ends[1, -1]))
  labels <- rep(0:9, 15)
  expect_identical(check_groups(labels, 150), factor(labels))
  expect_identical(check_groups(labels / 2 + 0, 150), number_groups(labels / 2))
  expect_identical(nlevels(check_groups(c(NA, Inf, labels[-(1:2)] * 1.5), 150)), 5L)
  # Nearly all are equal.
  expect_identical(nlevels(check_groups(c(1:9 / 7, rep(0, 141)), 150)), 5L)
  expect_silent(on_device(plot(fit, iris[1:4], color = iris$Petal.Length)))
})
