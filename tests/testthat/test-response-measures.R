# Measures of tagging against other packages and naive loops.

table_of <- function(prob, truth, top) as.data.frame(tagging_scores(prob, truth, top))

test_that("the area under the curve is that of pROC and of ROCR", {
  set.seed(1)
  for (digits in c(1, 8)) {
    case <- draw_tied(60, 5, digits)
    auc <- table_of(case$prob, case$truth, 2)$auc
    if (digits == 1) expect_true(all(apply(case$prob, 2, anyDuplicated) > 0))
    midranks <- vapply(1:5, function(j) {
      yes <- case$truth[, j] == 1
      (sum(rank(case$prob[, j])[yes]) - sum(yes) * (sum(yes) + 1) / 2) / (sum(yes) * sum(!yes))
    }, 0)
    expect_equal(auc, midranks)
    if (requireNamespace("pROC", quietly = TRUE)) {
      expect_equal(auc, vapply(1:5, function(j) {
        as.numeric(pROC::auc(case$truth[, j], case$prob[, j], direction = "<", levels = c(0, 1)))
      }, 0))
    }
    if (requireNamespace("ROCR", quietly = TRUE)) {
      expect_equal(auc, vapply(1:5, function(j) {
        ROCR::performance(ROCR::prediction(case$prob[, j], case$truth[, j]), "auc")@y.values[[1]]
      }, 0))
    }
  }
})

test_that("average precision is that of a loop over the thresholds", {
  naive <- function(prob, truth) {
    sum <- 0
    before <- 0
    for (threshold in sort(unique(prob), decreasing = TRUE)) {
      recall <- sum(truth[prob >= threshold]) / sum(truth)
      sum <- sum + (recall - before) * mean(truth[prob >= threshold])
      before <- recall
    }
    sum
  }
  set.seed(2)
  for (digits in c(1, 8)) {
    case <- draw_tied(40, 6, digits)
    by_loop <- vapply(1:6, function(j) naive(case$prob[, j], case$truth[, j]), 0)
    expect_equal(table_of(case$prob, case$truth, 2)$ap, by_loop)
  }
})

# Every order of 1, ..., n.
orders_of <- function(n) {
  if (n == 1) return(list(1))
  longer <- function(o) lapply(0:(n - 1), function(k) append(o, n, k))
  unlist(lapply(orders_of(n - 1), longer), recursive = FALSE)
}

test_that("annotation ties count as they do on average when they are broken at random", {
  set.seed(3)
  case <- draw_tied(30, 4)
  case$prob <- round(case$prob * 3) / 3
  orders <- orders_of(4)
  expect_length(unique(orders), 24)
  for (top in 1:4) {
    # All the orders of the tags in which ties may be broken, each as likely as any other.
    mean <- Reduce(`+`, lapply(orders, function(o) {
      t(apply(case$prob, 1, function(p) as.numeric(rank(order(order(-p, o))) <= top)))
    })) / length(orders)
    if (top < 4) expect_true(any(mean > 0 & mean < 1))
    found <- table_of(case$prob, case$truth, top)
    expect_equal(found$predicted, colSums(mean))
    expect_equal(found$recall, colSums(mean * case$truth) / colSums(case$truth))
    expect_equal(found$precision, colSums(mean * case$truth) / colSums(mean))
    expect_equal(sum(found$predicted), 30 * top)
  }
})
