# Scores of tagging: tables worked by hand, other packages, naive loops, properties.

table_of <- function(prob, truth, top) as.data.frame(tagging_scores(prob, truth, top))

# Four items, three tags, two for each item. Item 2 has rock and loud tied for one
# place: half each.
#
#           prob               truth           given
#       rock jazz loud    rock jazz loud   rock jazz loud
#   1   0.9  0.2  0.8       1    0    1      1    0    1
#   2   0.6  0.7  0.6       1    1    0     1/2   1   1/2
#   3   0.1  0.5  0.5       0    1    1      0    1    1
#   4   0.3  0.1  0.3       0    0    1      1    0    1
small <- list(
  prob = cbind(rock = c(0.9, 0.6, 0.1, 0.3), jazz = c(0.2, 0.7, 0.5, 0.1), loud = c(0.8, 0.6, 0.5, 0.3)),
  truth = cbind(rock = c(1, 1, 0, 0), jazz = c(0, 1, 1, 0), loud = c(1, 0, 1, 1))
)

test_that("a table worked by hand comes out", {
  found <- table_of(small$prob, small$truth, 2)
  expect_identical(names(found), c("tag", "positives", "predicted", "precision", "recall", "f", "auc", "ap"))
  expect_identical(found$tag, c("rock", "jazz", "loud"))
  expect_equal(found$positives, c(2, 2, 3))
  expect_equal(found$predicted, c(2.5, 2, 3.5))
  # Given to items that have it: 1.5, 2 and 3.
  expect_equal(found$precision, c(1.5 / 2.5, 1, 3 / 3.5))
  expect_equal(found$recall, c(1.5 / 2, 1, 1))
  expect_equal(found$f, c(2 / 3, 1, 12 / 13))
  # Of loud's three pairs, item 1 against 2, 3 against 2 and 4 against 2, the first is in order.
  expect_equal(found$auc, c(1, 1, 1 / 3))
  # Down the ranking of loud: items 1, 2, 3, 4, precision 1, 1/2, 2/3, 3/4.
  expect_equal(found$ap, c(1, 1, (1 + 2 / 3 + 3 / 4) / 3))
})

test_that("tied items pass a threshold together", {
  # Of four pairs: one tied, two in order, one not. Thresholds 0.5, 0.2, 0.1 with
  # precision 1/2, 2/3, 2/4 and recall 1/2, 1, 1.
  found <- table_of(cbind(c(0.5, 0.5, 0.2, 0.1)), cbind(c(1, 0, 1, 0)), 1)
  expect_equal(found$auc, (0.5 + 2) / 4)
  expect_equal(found$ap, 0.5 * 1 / 2 + 0.5 * 2 / 3)
  # Nothing is known: the share of items, and a half.
  flat <- table_of(matrix(0.5, 10, 1), cbind(rep(1:0, c(3, 7))), 1)
  expect_equal(flat$auc, 0.5)
  expect_equal(flat$ap, 0.3)
})

test_that("scikit-learn's published example comes out", {
  found <- table_of(cbind(c(0.1, 0.4, 0.35, 0.8)), cbind(c(0, 0, 1, 1)), 1)
  expect_equal(found$ap, 0.8333, tolerance = 1e-4)
  expect_equal(found$auc, 0.75)
})

test_that("neither the order of items nor that of tags changes anything", {
  set.seed(4)
  case <- draw_tied(50, 6)
  found <- table_of(case$prob, case$truth, 3)
  items <- sample(50)
  expect_equal(table_of(case$prob[items, ], case$truth[items, ], 3), found)
  tags <- sample(6)
  turned <- table_of(case$prob[, tags], case$truth[, tags], 3)
  expect_equal(turned[-1], found[tags, -1], ignore_attr = "row.names")
})

test_that("columns are matched by name where both have names", {
  found <- table_of(small$prob, small$truth, 2)
  expect_identical(table_of(small$prob, small$truth[, c(3, 1, 2)], 2), found)
  expect_identical(table_of(small$prob, unname(small$truth), 2), found)
  expect_identical(table_of(unname(small$prob), small$truth, 2), found)
  expect_identical(table_of(unname(small$prob), unname(small$truth), 2)$tag, 1:3)
  expect_identical(table_of(small$prob, small$truth == 1, 2), found)
})

test_that("a tag that is never given has its share as precision, and recall and F 0", {
  # Tag c is never among the first two; three of the four items have it.
  prob <- cbind(a = c(0.9, 0.8, 0.7, 0.6), b = c(0.5, 0.6, 0.7, 0.8), c = c(0.1, 0.2, 0.3, 0.4))
  truth <- cbind(a = c(1, 0, 1, 0), b = c(1, 1, 0, 0), c = c(1, 1, 0, 1))
  scores <- tagging_scores(prob, truth, top = 2)
  found <- as.data.frame(scores)[3, ]
  expected <- c(predicted = 0, precision = 0.75, recall = 0, f = 0, auc = 1 / 3, ap = 29 / 36)
  expect_equal(unlist(found[-(1:2)]), expected)
  expect_identical(summary(scores)$never, "c")
  # Given, but never to an item that has it.
  wrong <- table_of(cbind(c(0.9, 0.1), c(0.1, 0.9)), cbind(c(0, 1), c(1, 0)), 1)
  nothing <- data.frame(precision = c(0, 0), recall = 0, f = 0, auc = 0)
  expect_equal(wrong[names(nothing)], nothing)
})

test_that("tags that cannot be scored are named and left out of the means, but compete for places", {
  scores <- tagging_scores(small$prob, small$truth, 2)
  prob <- cbind(small$prob, none = 1, all = 1)
  truth <- cbind(small$truth, none = 0, all = 1)
  more <- tagging_scores(prob, truth, 4)
  expect_equal(more$tags[1:3, ], scores$tags)
  expect_identical(more$tags$predicted[4:5], c(4, 4))
  expect_identical(more$tags$positives[4:5], c(0, 4))
  expect_true(all(is.na(more$tags[4:5, c("precision", "recall", "f", "auc", "ap")])))
  expect_identical(summary(more)$left_out, c("none", "all"))
  expect_equal(summary(more)$means, summary(scores)$means)
  expect_equal(tagging_means(prob, truth, 4), tagging_means(small$prob, small$truth, 2))
  # No place is left for the others.
  expect_identical(summary(tagging_scores(prob, truth, 2))$never, c("rock", "jazz", "loud"))
})

test_that("means and their standard errors are over the tags", {
  means <- summary(tagging_scores(small$prob, small$truth, 2))$means
  expect_identical(means$measure, c("precision", "recall", "f", "auc", "map"))
  expect_equal(means$mean[c(2, 4)], c(11 / 12, 7 / 9))
  # The recalls 3/4, 1, 1 and the areas 1, 1, 1/3: a deviation d from two equal ones has variance d^2 / 3.
  expect_equal(means$se[c(2, 4)], c(1 / 4, 2 / 3) / 3)
  expect_equal(tagging_means(small$prob, small$truth, 2), stats::setNames(means$mean, means$measure))
  one <- summary(tagging_scores(small$prob[, 1, drop = FALSE], small$truth[, 1, drop = FALSE], 1))
  expect_equal(one$means$mean, c(0.5, 1, 2 / 3, 1, 1))
  expect_true(all(is.na(one$means$se)))
})

test_that("scores say what they are", {
  expect_snapshot(tagging_scores(small$prob, small$truth, 2))
  prob <- cbind(small$prob, none = 1, all = 1)
  truth <- cbind(small$truth, none = 0, all = 1)
  expect_snapshot(print(tagging_scores(prob, truth, 2), digits = 2))
  scores <- tagging_scores(prob, truth, 2)
  utils::capture.output(back <- withVisible(print(scores)))
  expect_identical(back, list(value = scores, visible = FALSE))
})

# ---- bad input ---------------------------------------------------------------

test_that("bad input is refused", {
  with_value <- function(x, value) {
    x[3, 2] <- value
    x
  }
  prob <- small$prob
  truth <- small$truth
  expect_refused(
    tagging_scores(),
    tagging_scores(prob),
    tagging_scores(prob[, 1], truth),
    tagging_scores(prob, as.data.frame(truth)),
    tagging_scores(prob, methods::as(truth, "CsparseMatrix")),
    tagging_scores(prob, matrix("1", 4, 3)),
    tagging_scores(prob[0, ], truth[0, ]),
    tagging_scores(prob[1:3, ], truth),
    tagging_scores(prob, truth[, 1:2]),
    tagging_scores(prob, cbind(truth[, 1:2], quiet = 1)),
    tagging_scores(prob, truth[, c(1, 1, 2)]),
    tagging_scores(prob[, c(2, 1, 1)], truth[, c(1, 1, 2)]),
    tagging_scores(with_value(prob, 1.5), truth, 2),
    tagging_scores(unname(with_value(prob, -0.25)), unname(truth), 2),
    tagging_scores(with_value(prob, NA), truth, 2),
    tagging_scores(prob, with_value(truth, NaN), 2),
    tagging_scores(prob, with_value(truth, 2), 2),
    tagging_scores(prob, truth),
    tagging_scores(prob, truth, 0),
    tagging_scores(prob, truth, 1.5),
    tagging_scores(prob, truth, NA),
    tagging_scores(prob, truth * 0, 2),
    tagging_scores(prob[1, , drop = FALSE], truth[1, , drop = FALSE], 2)
  )
})
