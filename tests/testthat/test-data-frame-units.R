# Columns with units of their own: when landmarks() speaks of `scale`, and when it does not.

# Whether it speaks, however often it did before.
speaks <- function(x, ...) {
  rlang::local_options(rlib_message_verbosity = "verbose")
  withr::local_seed(1)
  said <- FALSE
  withCallingHandlers(landmarks(x, n = 2, method = "random", ...), landmarker_message_units = function(m) {
    said <<- TRUE
    rlang::cnd_muffle(m)
  })
  said
}

test_that("tables of several units are told, as data frame, matrix or formula", {
  for (x in list(mtcars, na.omit(airquality), quakes, rock)) {
    for (same in list(x, as.matrix(x), unname(as.matrix(x)))) expect_true(speaks(same))
    for (scale in c(TRUE, FALSE)) expect_false(speaks(x, scale = scale))
    expect_false(speaks(as.data.frame(scale(x))))
  }
  expect_true(speaks(~ mpg + disp + wt, data = mtcars))
  expect_false(speaks(~ mpg + disp + hp, data = mtcars))
  for (space in list("nonnegative", function(t) t)) expect_false(speaks(quakes[3:5], space = space))
  # It names the columns and the cure. How often it is shown is said by rlang, in words of its own.
  rlang::local_options(rlib_message_verbosity = "verbose")
  withr::local_seed(1)
  expect_snapshot(transform = function(lines) lines[!grepl("once per session", lines)], {
    fit <- landmarks(quakes, 2, "random")
    fit <- landmarks(unname(as.matrix(quakes)), 2, "random")
  })
})

test_that("columns that share a unit are silent, however unlike their spreads are", {
  withr::local_seed(2)
  # Pixels at the border are hardly ever inked, and many words are rare.
  images <- digits$images[1:300, ]
  words <- newsgroups[1:500, ]
  silent <- list(
    iris, attitude, swiss, USArrests, trees, volcano, warpbreaks, sim_circles(200), sim_swiss_roll(200),
    sim_fish_bowl(200), sim_spiral(200), images, as.data.frame(images), words, as.matrix(words),
    as.matrix(hellinger(words))
  )
  for (x in silent) expect_false(speaks(x))
  # Pixels of a thing that fades, and columns of a table with as little in common.
  fading <- outer(stats::runif(100), 0.9^(1:60)) + matrix(stats::runif(6000), 100)
  fading[, 55:60] <- fading[, 55:60] / 100
  expect_false(speaks(fading))
  colnames(fading) <- paste0("v", 1:60)
  expect_true(speaks(fading))
  # Pictures of the shared data.
  for (name in if (full_run()) c("usps_16x16", "orl_64x64", "yale_64x64", "frey_28x20")) {
    path <- shared_data(name, paste0(name, "-images-idx3-ubyte.gz"))
    skip_without_shared(path)
    images <- read_idx(path)
    expect_false(speaks(images[seq(1, nrow(images), length.out = 150), ]))
  }
})

test_that("thirty times apart is apart, a little less is not", {
  x <- cbind(a = c(1, 2, 3, 4, 5, 0), b = c(2, 1, 5, 0, 3, 4))
  expect_true(speaks(x %*% diag(c(1, 30.001))))
  expect_false(speaks(x %*% diag(c(1, 29.999))))
  expect_true(speaks(x %*% diag(c(1e-9, 1e9))))
})

test_that("constant columns, indicators and rare values are no scale", {
  x <- cbind(1:40 * 100, 41:80 * 90)
  others <- list(7, rep(0:1, 20), c(numeric(37), 1:3), data.frame(f = rep(c("u", "v", "w", "z"), 10)))
  for (other in others) expect_false(speaks(cbind(x, other)))
  expect_true(speaks(cbind(x, c(numeric(35), 1:5))))
  # What rows of weight 0 hold does not count.
  weights <- rep(1:0, c(40, 2))
  expect_false(speaks(cbind(rbind(x, x[1:2, ]), c(rep(7, 40), 1:2)), weights = weights))
  expect_false(speaks(matrix(1:10, 10)))
})

test_that("it is said once for the same columns, also of parts of the rows, and draws no random numbers", {
  x <- cbind(once = c(1, 2, 3, 4, 5, 0), more = 1000 * c(2, 1, 5, 0, 3, 4))
  rlang::local_options(rlib_message_verbosity = "default")
  fit <- function(x, ...) {
    withr::local_seed(5)
    landmarks(x, 2, "random", ...)
  }
  expect_message(first <- fit(x), class = "landmarker_message_units")
  expect_message(again <- fit(x), NA)
  expect_message(fit(x[-1, ]), NA)
  expect_message(fit(x[, 2:1]), class = "landmarker_message_units")
  expect_identical(bare(again), bare(first))
  expect_identical(bare(fit(x, scale = FALSE)), bare(first))
})
