# The response of a fit in tables.

set.seed(1)
x <- cbind(a = cos(1:120), b = sin(1:120), c = 0.1 * rnorm(120))
quick <- function(...) by_response(..., iterations = 40)

test_that("a fit with a response has coefficients, a held-out measure and predictions", {
  set.seed(2)
  classes <- landmarks(Species ~ ., data = iris, n = 4, method = quick())
  terms <- tidy(classes, "coefficients")
  expect_named(terms, c("y.level", "term", "estimate"))
  # The scores of a row, by hand: the slopes of a trend are by the columns as they are.
  columns <- c(1, predict(classes, iris[51, ], "features"), unlist(iris[51, 1:4]))
  w <- matrix(terms$estimate, ncol = 3)
  scores <- columns[seq_len(nrow(w))] %*% w
  expect_equal(c(scores), c(scores_by_hand(classes, iris[51, 1:4])), tolerance = 1e-8)
  with <- augment(classes, iris)
  names <- paste0(".pred_", levels(iris$Species))
  expect_named(with, c(names(iris), ".landmark", ".distance", ".pred_class", names, ".novelty"))
  expect_identical(with$.novelty, unname(predict(classes, iris, "variance")))
  by_hand <- c(exp(scores) / sum(exp(scores)))
  expect_equal(unlist(with[51, names], use.names = FALSE), by_hand, tolerance = 1e-10)
  expect_identical(with$.pred_class, predict(classes, iris, "class"))
  one <- glance(classes)
  expect_identical(one$measure, "accuracy")
  expect_identical(one$value, classes$response$held_out$measure)
  expect_identical(one$held_out, as.integer(classes$response$held_out$rows))
  expect_identical(one$steps, classes$response$iterations)

  long <- factor(iris$Petal.Length > 4, labels = c("short", "long"))
  two <- landmarks(iris[1:2], 4, quick(long))
  expect_named(tidy(two, "coefficients"), c("term", "estimate"))
  with <- augment(two, iris)
  expect_identical(with$.pred_long, unname(predict(two, iris, "response")))
  expect_identical(with$.pred_short, 1 - with$.pred_long)
  expect_identical(levels(with$.pred_class), c("short", "long"))

  number <- landmarks(iris[1:2], 4, quick(iris$Petal.Length))
  expect_identical(augment(number, iris)$.pred, unname(predict(number, iris, "response")))
  expect_identical(glance(number)$measure, "mean squared error")
  tags <- cbind(wide = iris$Sepal.Width > 3, tall = iris$Petal.Length > 4)
  tagged <- landmarks(iris[3:4], 4, quick(tags))
  expect_named(augment(tagged, iris[3:4])[5:6], c(".pred_wide", ".pred_tall"))
  expect_identical(unique(tidy(tagged, "coefficients")$y.level), c("wide", "tall"))
  again <- refine_landmarks(number, iris[1:2], 10, y = iris$Petal.Length)
  expect_identical(glance(again)$held_out, 0L)
  expect_identical(glance(again)$value, NA_real_)
  expect_identical(glance(again)$measure, NA_character_)

  expect_refused(
    tidy(landmarks(x, 3), "coefficients"),
    tidy(number, "edges"),
    tidy(number, matrix = "u"),
    glance(number, TRUE)
  )
})
