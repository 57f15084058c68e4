# A fit that was tampered with is refused by all that takes one. As in test-data-matrix-bad.R.

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
  optional <- c("bandwidth_rule", "between", "blueprint", "call", "covariance", "gain", "version")
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
  expect_refused(add_landmarks(changed("factor", c(1, -1, 1)), x, 1), "fit")
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
