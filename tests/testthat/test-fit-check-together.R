# The parts of a fit must belong together.

skip_slow_file()

set.seed(3)
x <- sim_spiral(40)
y <- factor(rep(c("p", "q"), 20))

test_that("the parts of a fit must belong together", {
  fit <- landmarks(data.frame(a = x[, 1], f = y), 4, scale = TRUE)
  expect_refused(print(with_part(fit, nearest = c(1L, 2L, 3L, 41L))), "fit")
  expect_refused(predict(with_part(fit, center = stats::setNames(fit$center, c("b", "c", "d"))), x), "fit")
  expect_refused(summary(with_part(fit, explained = c(NA, 1, 1, 1))), "fit")
  expect_refused(coef(with_part(fit, gaps = cbind(low = 2L, high = 1L))), "fit")
  expect_refused(print(with_part(fit, na.action = 3L)), "fit")
  expect_refused(print(with_part(fit, experiment = "counts")), "fit")
  expect_refused(print(with_part(fit, call = "landmarks(x, 4)")), "fit")
  blueprint <- fit$blueprint
  blueprint$levels$f <- c("p", "p")
  expect_refused(predict(with_part(fit, blueprint = blueprint), data.frame(a = 1, f = "p")), "fit")
  blueprint <- fit$blueprint
  blueprint$factors <- matrix(1L, 2, 2)
  expect_refused(predict(with_part(fit, blueprint = blueprint), data.frame(a = 1, f = "p")), "fit")
})
