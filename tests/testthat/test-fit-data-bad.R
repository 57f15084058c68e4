# Bad input to what is done with a fit: a fit that was tampered with, newdata
# that do not belong to it, and arguments out of range. As in test-data-matrix-bad.R.

skip_slow_file()

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
set.seed(1)
fit <- landmarks(x, 2)

changed <- function(part, value, of = fit) {
  of[[part]] <- value
  of
}

# All that takes a fit.
uses <- list(
  predict = function(fit) predict(fit, x),
  nearest = function(fit) predict(fit, x, "nearest"),
  variance = function(fit) predict(fit, x, "variance", x = x),
  plot = function(fit) plot(fit),
  plane = function(fit) plot(fit, x),
  images = function(fit) plot_images(fit, c(1, 3)),
  add = function(fit) add_landmarks(fit, x, 1),
  refine = function(fit) refine_landmarks(fit, x, 1),
  summary = function(fit) summary(fit),
  coef = function(fit) coef(fit),
  print = function(fit) print(fit),
  tidy = function(fit) tidy(fit),
  glance = function(fit) glance(fit),
  augment = function(fit) augment(fit, x),
  observations = function(fit) nearest_observations(fit, x, 1),
  features = function(fit) top_features(fit, 1),
  graph = function(fit) landmark_graph(fit)
)

test_that("what is not a fit is refused", {
  expect_refused(add_landmarks(list(), x, 1), "fit")
  expect_refused(add_landmarks(NULL, x, 1), "fit")
  expect_refused(refine_landmarks(x, x), "fit")
  expect_refused(refine_landmarks(unclass(fit), x), "fit")
  expect_refused(nearest_observations("fit", x), "fit")
  expect_refused(top_features(stats::prcomp(x)), "fit")
  expect_refused(top_features())
  expect_refused(add_landmarks())
  expect_refused(print(structure(1, class = "landmarks")), "fit")
  expect_refused(plot_images(list(), c(1, 3)), "data")
})

test_that("an empty fit is refused by everything", {
  empty <- structure(list(), class = "landmarks")
  for (name in names(uses)) {
    error <- expect_error(uses[[name]](empty), class = "landmarker_error_fit", info = name)
    # By the name that the argument has there.
    expect_match(conditionMessage(error), "^`(fit|x|object)` must be a complete fit", info = name)
  }
  expect_refused(predict(empty, x), "fit")
})

test_that("a fit without one of its parts is refused", {
  optional <- c("bandwidth_rule", "blueprint", "call", "covariance", "version")
  for (part in setdiff(names(fit), optional)) {
    expect_error(
      summary(changed(part, NULL)), paste0("It has no `", part, "`"), class = "landmarker_error_fit"
    )
  }
  for (part in optional) expect_identical(predict(changed(part, NULL), x), predict(fit, x))
  expect_refused(predict(changed("factor", NULL), x), "fit")
})

test_that("parts that do not fit together are refused", {
  expect_refused(predict(changed("landmarks", fit$landmarks[1, , drop = FALSE]), x), "fit")
  expect_refused(predict(changed("landmarks", fit$landmarks[, 1:2]), x), "fit")
  expect_refused(predict(changed("landmarks", fit$landmarks * NA), x), "fit")
  expect_refused(predict(changed("landmarks", "a"), x), "fit")
  expect_refused(coef(changed("landmarks", fit$landmarks[0, ])), "fit")
  expect_refused(plot(changed("center", 1)), "fit")
  expect_refused(add_landmarks(changed("factor", c(1, 0, 1)), x, 1), "fit")
  expect_refused(refine_landmarks(changed("bandwidth", -1), x), "fit")
  expect_refused(predict(changed("bandwidth", Inf), x), "fit")
  expect_refused(predict(changed("bandwidth", "variance"), x), "fit")
  expect_refused(add_landmarks(changed("space", "torus"), x, 1), "fit")
  expect_refused(add_landmarks(changed("method", "gp"), x, 1), "fit")
  expect_refused(print(changed("iterations", c("one", "two"))), "fit")
  expect_refused(summary(changed("nearest", 1L)), "fit")
  expect_refused(plot(changed("variance", c(1, NA))), "fit")
  expect_refused(plot(changed("explained", 1)), "fit")
  expect_refused(glance(changed("log_det", "large")), "fit")
  expect_refused(print(changed("seconds", NULL)), "fit")
  expect_refused(print(changed("sparse", NA)), "fit")
  framed <- landmarks(as.data.frame(x), 2)
  expect_refused(predict(changed("blueprint", list(), framed), as.data.frame(x)), "fit")
  expect_refused(predict(changed("blueprint", 1, framed), as.data.frame(x)), "fit")
})

test_that("each part is checked by everything that takes a fit", {
  wrong <- changed("moved", c(0, 0, 0))
  for (name in names(uses)) expect_error(uses[[name]](wrong), class = "landmarker_error_fit", info = name)
})

# ---- newdata -------------------------------------------------------------------

test_that("newdata must be data", {
  expect_refused(predict(fit))
  expect_refused(predict(fit, NULL), "data")
  expect_refused(predict(fit, "a"), "data")
  expect_refused(predict(fit, 1:3), "data")
  expect_refused(predict(fit, list(a = 1, b = 2, c = 3)), "data")
  expect_refused(predict(fit, matrix(letters[1:3], 1)), "data")
})

test_that("newdata must have the columns of the fit", {
  expect_refused(predict(fit, x[, 1:2]), "columns")
  expect_refused(predict(fit, unname(x[, 1:2])), "columns")
  expect_refused(predict(fit, unname(cbind(x, 1))), "columns")
  expect_refused(predict(fit, `colnames<-`(x, c("a", "b", "z"))), "columns")
  expect_refused(predict(fit, cbind(x, a = 1)), "columns")
  expect_refused(predict(fit, methods::as(x[, 2:3], "CsparseMatrix")), "columns")
  expect_refused(add_landmarks(fit, x[, 1:2], 1), "columns")
  expect_refused(refine_landmarks(fit, x[, 1:2]), "columns")
  expect_refused(nearest_observations(fit, x[, 1:2], 1), "columns")
  expect_refused(plot(fit, x[, 1:2]), "columns")
  wide <- matrix(0, 2, 9, dimnames = list(NULL, letters[1:9]))
  wide[1, ] <- 1
  expect_refused(predict(landmarks(wide, 1), wide[, 8:9]), "columns")
  # Names that cannot be told apart must be as they were.
  twice <- `colnames<-`(x, c("a", "a", "b"))
  on_twice <- landmarks(twice, 2)
  expect_identical(dim(predict(on_twice, twice)), c(6L, 2L))
  expect_refused(predict(on_twice, twice[, c(1, 3, 2)]), "columns")
})

test_that("columns are matched by name where both have names", {
  expect_identical(predict(fit, x[, 3:1]), predict(fit, x))
  expect_identical(predict(fit, cbind(z = 1, x[, c(2, 3, 1)])), predict(fit, x))
  expect_identical(
    predict(fit, methods::as(x[, 3:1], "CsparseMatrix")), predict(fit, methods::as(x, "CsparseMatrix"))
  )
  expect_identical(predict(fit, unname(x)), predict(fit, x))
  set.seed(1)
  expect_identical(predict(landmarks(unname(x), 2), x[, 3:1]), predict(fit, unname(x[, 3:1])))
})

test_that("newdata must not have missing or infinite values", {
  bad <- x
  bad[2, 3] <- NA
  expect_refused(predict(fit, bad), "missing")
  expect_refused(predict(fit, methods::as(bad, "CsparseMatrix"), "nearest"), "missing")
  expect_refused(predict(fit, x, "variance", x = bad), "missing")
  expect_refused(add_landmarks(fit, bad, 1), "missing")
  expect_refused(refine_landmarks(fit, bad), "missing")
  expect_refused(nearest_observations(fit, bad, 1), "missing")
  expect_refused(plot(fit, bad), "missing")
  expect_error(augment(fit, bad), class = "landmarker_error_missing")
})

test_that("newdata far away have features of 0, and are refused where squares overflow", {
  for (far in c(1e160, 1e300, 1.7e308)) {
    new <- rbind(x[1, ], far, -far)
    for (type in c("features", "nearest")) {
      expect_error(predict(fit, new, type), class = "landmarker_error_data")
      expect_error(predict(fit, methods::as(new, "CsparseMatrix"), type), class = "landmarker_error_data")
    }
  }
  for (far in c(1e20, 1e150)) {
    for (new in list(x * far, methods::as(x * far, "CsparseMatrix"))) {
      w <- predict(fit, new)
      expect_false(anyNA(w))
      expect_true(all(w[2:6, ] == 0))
      expect_true(all(is.finite(predict(fit, new, "nearest")$distance)))
    }
  }
})

test_that("type must be one that is known, and variance needs x", {
  expect_refused(predict(fit, x, "class"))
  expect_refused(predict(fit, x, NULL))
  expect_refused(predict(fit, x, c("features", "nearest")))
  expect_refused(predict(fit, x, "variance"), "data")
  expect_refused(predict(fit, x, "variance", x = x[0, ]), "data")
  expect_refused(predict(fit, x, "variance", x = x[, 1:2]), "columns")
  expect_refused(predict(fit, x, "variance", x = x, weights = 1), "weights")
})

# ---- arguments of the rest -------------------------------------------------------

test_that("add_landmarks() and refine_landmarks() check their arguments", {
  expect_refused(add_landmarks(fit, x))
  expect_refused(add_landmarks(fit, x, 0))
  expect_refused(add_landmarks(fit, n = 1))
  expect_refused(add_landmarks(fit, NULL, 1), "data")
  expect_refused(add_landmarks(fit, x, 1, weights = numeric(6)), "weights")
  expect_refused(refine_landmarks(fit))
  expect_refused(refine_landmarks(fit, x, -1))
  expect_refused(refine_landmarks(fit, x, tolerance = NA))
  expect_refused(refine_landmarks(fit, x, halvings = 61))
  expect_refused(refine_landmarks(fit, x, weights = 1:5), "weights")
})

test_that("as_landmarks() checks its arguments", {
  expect_refused(as_landmarks("a", x), "data")
  expect_refused(as_landmarks(x[0, ], x), "data")
  expect_refused(as_landmarks(x[1, ], x), "data")
  expect_refused(as_landmarks(x[1:2, ], x[, 1:2]), "columns")
  expect_refused(as_landmarks(x[1:2, ] / 0, x), "missing")
  expect_refused(as_landmarks(x[1:2, ], x / 0), "missing")
  expect_refused(as_landmarks(x[2:3, ], x, space = "nonnegative"), "space")
  expect_refused(as_landmarks(x, x, bandwidth = 0), "bandwidth")
  expect_refused(as_landmarks(x, x, scale = "yes"))
  expect_refused(as_landmarks(x, x, weights = -1), "weights")
})

test_that("k must be at most what there is", {
  expect_refused(nearest_observations(fit, x, 7))
  expect_refused(nearest_observations(fit, x, 0))
  expect_refused(nearest_observations(fit, x[0, ], 1), "data")
  expect_refused(nearest_observations(fit))
  expect_refused(top_features(fit, 4))
  expect_refused(top_features(fit, 1.5))
  expect_refused(top_features(fit, "all"))
})

test_that("plot() checks its arguments", {
  lost <- changed("call", NULL)
  expect_refused(plot(lost, color = 1:3), "data")
  expect_refused(plot(fit, x, legend = 1:2))
  expect_refused(plot(fit, type = "words", k = 0))
  expect_refused(plot(fit, type = "words", which = c(1, 1)))
  expect_refused(plot(fit, type = "words", by = "name"))
  expect_refused(plot(fit, type = "words", words = 3), "dots")
  expect_refused(plot(fit, type = "images"))
  expect_refused(plot(fit, type = "images", dim = c(2, 2)))
  expect_refused(plot(fit, x, type = "scree"))
  expect_refused(plot(fit, "a"), "data")
  expect_refused(plot(fit, x, color = 1:3))
  expect_refused(plot(fit, x, color = list(1)))
  expect_refused(plot(fit, x, max_points = 0))
  expect_refused(plot(fit, x, labels = NA))
})

test_that("plot_images() checks its arguments", {
  expect_refused(plot_images())
  expect_refused(plot_images("a", c(1, 1)), "data")
  expect_refused(plot_images(as.data.frame(x), c(1, 3)), "data")
  expect_refused(plot_images(fit))
  expect_refused(plot_images(fit, dim = c(2, 2)))
  expect_refused(plot_images(fit, dim = 3))
  expect_refused(plot_images(fit, dim = c(1.5, 2)))
  expect_refused(plot_images(fit, dim = c(NA, 3)))
  expect_refused(plot_images(fit, dim = c(-1, -3)))
  expect_refused(plot_images(fit, dim = "1 x 3"))
  expect_refused(plot_images(x / 0, dim = c(1, 3)), "missing")
  expect_refused(plot_images(fit, c(1, 3), which = 3))
  expect_refused(plot_images(fit, c(1, 3), which = 1.5))
  expect_refused(plot_images(fit, c(1, 3), byrow = NA))
  expect_refused(plot_images(fit, c(1, 3), columns = 0))
  expect_refused(plot_images(fit, c(1, 3), labels = 1:3))
  expect_refused(plot_images(fit, c(1, 3), range = 1))
  expect_refused(plot_images(fit, c(1, 3), range = c(1, 0)))
  expect_refused(plot_images(fit, c(1, 3), col = "no such color"))
})

test_that("images that may be square are told how", {
  error <- expect_error(plot_images(matrix(0, 2, 9)), class = "landmarker_error_input")
  expect_match(conditionMessage(error), "For square images it is `dim = c(3, 3)`.", fixed = TRUE)
})

test_that("a matrix of any class takes the place of a data frame, or is refused for its columns", {
  fit <- landmarks(iris[1:4], 2)
  rows <- as.matrix(iris[1:3, 1:4])
  for (class in c("mine", "table")) {
    classed <- structure(rows, class = class)
    expect_equal(predict(fit, classed), predict(fit, iris[1:3, ]), ignore_attr = TRUE)
    expect_equal(predict(fit, classed, na.action = na.exclude), predict(fit, classed), ignore_attr = TRUE)
    expect_error(predict(fit, unname(classed)), class = "landmarker_error_columns")
  }
})
