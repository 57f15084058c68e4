# Scores of tagging: a table worked by hand, naive loops, properties.

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

# Probabilities of which many are tied, of tags that some items have and some have not.
draw_tied <- function(n, tags) {
  truth <- rbind(1, 0, matrix(stats::rbinom((n - 2) * tags, 1, 0.3), n - 2, tags))
  list(prob = round(stats::plogis(truth + matrix(stats::rnorm(n * tags), n)), 1), truth = truth)
}

test_that("a table worked by hand comes out", {
  expect_equal(table_of(small$prob, small$truth, 2), data.frame(
    tag = c("rock", "jazz", "loud"), positives = c(2, 2, 3), predicted = c(2.5, 2, 3.5),
    # Given to items that have it: 1.5, 2 and 3.
    precision = c(1.5 / 2.5, 1, 3 / 3.5), recall = c(1.5 / 2, 1, 1), f = c(2 / 3, 1, 12 / 13),
    # Of loud's three pairs, item 1 against 2, 3 against 2 and 4 against 2, the first is in order.
    auc = c(1, 1, 1 / 3),
    # Down the ranking of loud: items 1, 2, 3, 4, precision 1, 1/2, 2/3, 3/4.
    ap = c(1, 1, (1 + 2 / 3 + 3 / 4) / 3)
  ))
})

test_that("the area under the curve is that of midranks, average precision that of a loop over thresholds", {
  naive_ap <- function(prob, truth) {
    sum <- before <- 0
    for (threshold in sort(unique(prob), decreasing = TRUE)) {
      recall <- sum(truth[prob >= threshold]) / sum(truth)
      sum <- sum + (recall - before) * mean(truth[prob >= threshold])
      before <- recall
    }
    sum
  }
  set.seed(1)
  case <- draw_tied(60, 5)
  found <- table_of(case$prob, case$truth, 2)
  for (j in 1:5) {
    yes <- case$truth[, j] == 1
    above <- sum(rank(case$prob[, j])[yes]) - sum(yes) * (sum(yes) + 1) / 2
    expect_equal(found$auc[j], above / (sum(yes) * sum(!yes)))
    expect_equal(found$ap[j], naive_ap(case$prob[, j], case$truth[, j]))
  }
})

test_that("annotation ties count as they do on average when they are broken at random", {
  set.seed(3)
  case <- draw_tied(30, 3)
  case$prob <- round(case$prob * 2) / 2
  orders <- list(1:3, c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), 3:1)
  for (top in 1:3) {
    # All the orders of the tags in which ties may be broken, each as likely as any other.
    mean <- Reduce(`+`, lapply(orders, function(o) {
      t(apply(case$prob, 1, function(p) as.numeric(rank(order(order(-p, o))) <= top)))
    })) / length(orders)
    found <- table_of(case$prob, case$truth, top)
    expect_equal(found$predicted, colSums(mean))
    expect_equal(found$recall, colSums(mean * case$truth) / colSums(case$truth))
    expect_equal(found$precision, colSums(mean * case$truth) / colSums(mean))
  }
})

test_that("columns are matched by name where both have names", {
  found <- table_of(small$prob, small$truth, 2)
  expect_identical(table_of(small$prob, small$truth[, c(3, 1, 2)], 2), found)
  expect_identical(table_of(small$prob, unname(small$truth), 2), found)
  expect_identical(table_of(unname(small$prob), small$truth == 1, 2), found)
  expect_identical(table_of(unname(small$prob), unname(small$truth), 2)$tag, 1:3)
})

test_that("a tag that is never given has its share as precision, and recall and F 0", {
  # Tag c is never among the first two; three of the four items have it.
  prob <- cbind(a = c(0.9, 0.8, 0.7, 0.6), b = c(0.5, 0.6, 0.7, 0.8), c = c(0.1, 0.2, 0.3, 0.4))
  truth <- cbind(a = c(1, 0, 1, 0), b = c(1, 1, 0, 0), c = c(1, 1, 0, 1))
  scores <- tagging_scores(prob, truth, top = 2)
  expected <- c(predicted = 0, precision = 0.75, recall = 0, f = 0, auc = 1 / 3, ap = 29 / 36)
  expect_equal(unlist(as.data.frame(scores)[3, -(1:2)]), expected)
  expect_identical(summary(scores)$never, "c")
  # Given, but never to an item that has it.
  wrong <- table_of(cbind(c(0.9, 0.1), c(0.1, 0.9)), cbind(c(0, 1), c(1, 0)), 1)
  expect_true(all(wrong[c("precision", "recall", "f", "auc")] == 0))
})

test_that("tags that cannot be scored are named and left out of the means, but compete for places", {
  scores <- tagging_scores(small$prob, small$truth, 2)
  prob <- cbind(small$prob, none = 1, all = 1)
  truth <- cbind(small$truth, none = 0, all = 1)
  more <- tagging_scores(prob, truth, 4)
  expect_equal(more$tags[1:3, ], scores$tags)
  expect_identical(as.list(more$tags[4:5, c("predicted", "positives")]), list(
    predicted = c(4, 4), positives = c(0, 4)
  ))
  expect_true(all(is.na(more$tags[4:5, c("precision", "recall", "f", "auc", "ap")])))
  expect_identical(summary(more)$left_out, c("none", "all"))
  expect_equal(summary(more)$means, summary(scores)$means)
  # No place is left for the others.
  more <- tagging_scores(prob, truth, 2)
  expect_snapshot(print(more, digits = 2))
})

test_that("means and their standard errors are over the tags", {
  means <- summary(tagging_scores(small$prob, small$truth, 2))$means
  expect_identical(means$measure, c("precision", "recall", "f", "auc", "map"))
  expect_equal(means$mean[c(2, 4)], c(11 / 12, 7 / 9))
  # The recalls 3/4, 1, 1 and the areas 1, 1, 1/3: a deviation d from two equal ones has variance d^2 / 3.
  expect_equal(means$se[c(2, 4)], c(1 / 4, 2 / 3) / 3)
  expect_equal(tagging_means(small$prob, small$truth, 2), stats::setNames(means$mean, means$measure))
})

test_that("bad input is refused", {
  prob <- small$prob
  truth <- small$truth
  expect_refused(
    tagging_scores(), tagging_scores(prob), tagging_scores(prob[, 1], truth),
    tagging_scores(prob, as.data.frame(truth)), tagging_scores(prob[0, ], truth[0, ]),
    tagging_scores(prob[1:3, ], truth), tagging_scores(prob, truth[, 1:2]),
    tagging_scores(prob, cbind(truth[, 1:2], quiet = 1)),
    tagging_scores(prob[, c(2, 1, 1)], truth[, c(1, 1, 2)]), tagging_scores(replace(prob, 7, 1.5), truth, 2),
    tagging_scores(unname(prob) - 0.3, unname(truth), 2), tagging_scores(prob, replace(truth, 7, NaN), 2),
    tagging_scores(prob, truth * 2, 2), tagging_scores(prob, truth), tagging_scores(prob, truth * 0, 2)
  )
})
