# cv_landmarks(): no leakage, the table from its units, methods of the
# user's own, and predictions of what was learned again.

skip_slow_file()

set.seed(3)
x <- few_digits()$x
labels <- few_digits()$y
cv <- few()

test_that("there is a row for each method and n, and units for each seed, fold and lambda", {
  expect_s3_class(cv, "cv_landmarks")
  expect_identical(cv$summary$method, c("gp", "gp", "random", "random"))
  expect_identical(cv$summary$n, c(5L, 10L, 5L, 10L))
  units <- as.data.frame(cv, type = "units")
  expect_identical(nrow(units), 2L * 2L * 3L * 2L)
  expect_false(anyNA(units$accuracy))
  expect_identical(as.data.frame(cv), cv$summary)
})

test_that("the table is what its units say: lambda, mean and standard error", {
  two <- few(seeds = 1:2)
  for (r in seq_len(nrow(two$summary))) {
    s <- two$summary[r, ]
    mine <- two$units[two$units$method == s$method & two$units$n == s$n, ]
    chosen <- lapply(1:2, function(seed) {
      of <- mine[mine$seed == seed, ]
      of_lambda <- sapply(
        split(of, of$lambda), function(u) c(mean(u$accuracy), mean(u$deviance), u$lambda[1])
      )
      best <- order(-round(of_lambda[1, ], 12), of_lambda[2, ], -of_lambda[3, ])[1]
      of$accuracy[of$lambda == of_lambda[3, best]]
    })
    v <- unlist(chosen)
    expect_length(v, 6)
    expect_equal(s$accuracy, mean(v))
    expect_equal(s$accuracy_se, stats::sd(v) / sqrt(6))
  }
  expect_identical(two$best$accuracy, max(two$summary$accuracy))
})

test_that("what is measured is what one would compute by hand", {
  one <- few(n = 6, methods = list(km = by_kmeans(max_iterations = 0)), folds = NULL, validation = 201:300,
    lambda = 0.5,
    classes = "one_vs_rest"
  )
  set_seed(1)
  base <- sample.int(.Machine$integer.max, 1)
  set_seed((base + 7919 + 104729 * 6) %% .Machine$integer.max)
  fit <- landmarks(x[1:200, ], 6, by_kmeans(max_iterations = 0))
  w <- predict(fit, x, "features")
  p <- sapply(levels(labels), function(level) {
    is <- as.numeric(labels[1:200] == level)
    objective <- function(b) {
      g <- b[1] + w[1:200, ] %*% b[-1]
      sum(log1p(exp(g)) - is * g) + 0.25 * sum(b[-1]^2)
    }
    slope <- function(b) {
      e <- stats::plogis(b[1] + w[1:200, ] %*% b[-1]) - is
      c(sum(e), crossprod(w[1:200, ], e) + 0.5 * b[-1])
    }
    b <- stats::optim(
      rep(0, 7), objective, slope, method = "BFGS", control = list(reltol = 1e-15, maxit = 2000)
    )$par
    stats::plogis(b[1] + w[201:300, ] %*% b[-1])
  })
  right <- levels(labels)[max.col(p)] == labels[201:300]
  expect_equal(one$summary$accuracy, mean(right))
  share <- (p / rowSums(p))[cbind(1:100, as.integer(labels[201:300]))]
  expect_equal(one$summary$deviance, -2 * mean(log(share)), tolerance = 1e-4)
})

test_that("classes one against the rest are the softmax's rival, and print says which it was", {
  rest <- few(classes = "one_vs_rest")
  expect_output(print(rest), "1 seed, one class against the rest,")
  expect_output(print(cv), "softmax,")
  expect_false(isTRUE(all.equal(rest$summary$deviance, cv$summary$deviance)))
  plain <- stats::plogis(cbind(1, predict(rest, x, "features")) %*% coef(rest))
  expect_equal(unname(predict(rest, x, "response")), unname(plain / rowSums(plain)))
  # For two classes, numbers and tags it is all the same.
  for (y in list(labels == "1", rowMeans(x), cbind(labels == "1", labels == "2"))) {
    both <- lapply(c("softmax", "one_vs_rest"), function(classes) {
      few(y = y, n = 5, methods = list(random = by_random()), classes = classes, folds = 2, refit = FALSE)
    })
    expect_identical(no_time(both[[1]]$units), no_time(both[[2]]$units))
  }
})

test_that("rows that are held out leave the landmarks alone", {
  seen <- list()
  spy <- function(x, n) {
    fit <- landmarks(x, n, by_gp())
    seen[[length(seen) + 1]] <<- list(x = x, points = coef(fit))
    fit
  }
  run <- function(x, ...) {
    few(x = x, methods = spy, n = 5, folds = NULL, validation = 201:280, test = 281:300, ...)
  }
  run(x)
  run(rbind(x[1:200, ], x[300:201, ] + 5), refit = FALSE)
  expect_identical(seen[[1]], seen[[3]])
  expect_identical(seen[[1]]$x, x[1:200, ])
  # What is learned again for predict() sees all but the test rows.
  expect_identical(seen[[2]]$x, x[1:280, ])
})

test_that("the random stream moves on by one draw, or with seeds not at all, and is not begun", {
  run <- function(seeds) few(n = 5, folds = 2, methods = by_random(), seeds = seeds, refit = FALSE)
  next_number <- function(code) {
    withr::local_seed(1)
    force(code)
    stats::runif(1)
  }
  expect_identical(next_number(run(1)), next_number(NULL))
  expect_identical(next_number(run(NULL)), next_number(sample.int(.Machine$integer.max, 1)))
  drawn <- lapply(c(1, 1, 2), function(seed) withr::with_seed(seed, no_time(run(NULL)$units)))
  expect_identical(drawn[[2]], drawn[[1]])
  expect_false(identical(drawn[[3]], drawn[[1]]))
  withr::local_preserve_seed()
  rm(".Random.seed", envir = globalenv())
  run(1)
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
})

test_that("every kind of y is predicted, and predict() and coef() are of one mind", {
  tags <- cbind(round = labels %in% c(0, 6, 8, 9), straight = labels %in% c(1, 7), never = 0)
  softmax <- function(f) exp(f) / rowSums(exp(f))
  cases <- list(
    classes = list(y = labels, link = softmax, levels = levels(labels)),
    strings = list(y = as.character(labels), link = softmax, levels = levels(labels)),
    binary = list(y = labels == "1", link = stats::plogis, levels = c("FALSE", "TRUE"), least = c(auc = 0.9)),
    zero_one = list(y = as.numeric(labels == "1"), link = stats::plogis, levels = 0:1, least = c(auc = 0.9)),
    number = list(y = rowMeans(x), link = identity, least = c(r_squared = 0.5)),
    tags = list(y = tags, link = stats::plogis, least = c(auc = 0.7))
  )
  for (name in names(cases)) {
    case <- cases[[name]]
    top <- if (name == "tags") 1 else 10
    fit <- few(y = case$y, methods = list(gp = by_gp()), folds = 2, n = 10, top = top)
    p <- predict(fit, x, type = "response")
    by_hand <- case$link(cbind(1, predict(fit, x, type = "features")) %*% coef(fit))
    expect_equal(as.vector(p), as.vector(by_hand), info = name)
    for (measure in names(case$least)) expect_gt(fit$best[[measure]], case$least[[measure]])
    if (!is.null(case$levels)) expect_identical(levels(predict(fit, x)), as.character(case$levels))
    if (is.matrix(p)) expect_identical(colnames(p), case$levels %||% colnames(tags))
    if (length(case$levels) == 10) {
      expect_equal(unname(rowSums(coef(fit))), rep(0, 11))
      expect_identical(as.character(predict(fit, x)), levels(labels)[max.col(p)])
      expect_gt(mean(predict(fit, x) == labels), 0.6)
    }
  }
})

test_that("baselines and users' own methods stand beside the landmarks", {
  pca <- function(x, n) structure(list(p = stats::prcomp(x, rank. = n)), class = "pca_test")
  registerS3method("predict", "pca_test", function(object, newdata, ...) stats::predict(object$p, newdata))
  raw <- function(x, n) raw_features(x)
  both <- few(methods = list(pca = pca, raw = raw_features, random = "random", own = raw), folds = 2)
  # Features without a number of landmarks count once.
  expect_identical(both$summary$n, c(5L, 10L, NA, 5L, 10L, NA))
  expect_equal(no_time(both$summary[6, -1]), no_time(both$summary[3, -1]), ignore_attr = "row.names")
  expect_output(print(both), "raw")
})

test_that("data frames and sparse data are taken as landmarks() takes them", {
  flowers <- cv_landmarks(iris[1:4], iris$Species, 8, "random", folds = 3, seeds = 1, scale = TRUE)
  expect_gt(flowers$best$accuracy, 0.9)
  expect_identical(as.character(predict(flowers, iris[1:3, ])), rep("setosa", 3))
  sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
  accuracy <- function(x) few(x = x, methods = list(a = by_active()), refit = FALSE)$summary$accuracy
  expect_equal(accuracy(sparse), accuracy(x))
})

test_that("regressions that did not converge are left out of the means and named in a warning", {
  units <- cv$units
  lost <- units$method == "gp" & units$n == 5 & units$lambda == 0.01 & units$fold == 2
  units[lost, c("accuracy", "deviance")] <- NA
  by_accuracy <- list(best = "accuracy", lambda = "accuracy")
  s <- cv_summary(units, by_accuracy, c("gp", "random"), "variance", NULL)$summary
  # A lambda with a unit missing is not picked.
  expect_identical(s$lambda[1], 1)
  expect_warning(
    warn_unconverged(units, NULL), "1 of 24 regressions", class = "landmarker_warning_convergence"
  )
  expect_silent(warn_unconverged(cv$units, NULL))
})

test_that("what fits warn of is said once, with the method", {
  same <- x[rep(1:4, 75), ]
  expect_warning(
    few(x = same, y = rep(letters[1:4], 75), n = 10, methods = list(active = by_active()), refit = FALSE),
    "In 3 of 3 fits .*active", class = "landmarker_warning_fit"
  )
})

test_that("fits with fewer landmarks than n are told by their number of features", {
  narrow <- x[rep(1:12, 25), ]
  found <- suppressWarnings(
    few(x = narrow, y = rep(labels[1:12], 25), n = c(5, 20), methods = list(active = by_active()))
  )
  expect_identical(found$summary$features[1] <= 5, TRUE)
  expect_lte(found$summary$features[2], 12)
  expect_output(print(found), "features")
})

test_that("without a word each row is annotated with as many tags as it has, where there are few", {
  tags <- cbind(a = labels %in% 0:4, b = labels %in% 2:6, c = labels %in% c(1, 9))
  one <- few(y = tags, methods = list(random = by_random()), n = 5)
  same <- few(y = tags, methods = list(random = by_random()), n = 5, top = round(mean(rowSums(tags))))
  expect_identical(no_time(one$units), no_time(same$units))
  expect_identical(check_top(NULL, tags + 0, NULL), as.integer(round(mean(rowSums(tags)))))
  expect_identical(check_top(NULL, matrix(0, 5, 11), NULL), 10L)
  expect_identical(check_top(NULL, matrix(0, 5, 3), NULL), 1L)
})

test_that("what is learned again has as many features as what was compared", {
  registerS3method("predict", "more_test", function(object, newdata, ...) cbind(newdata, newdata^2)[, 1:9])
  more <- few(methods = list(more = function(x, n) structure(list(), class = "more_test")), n = 4)
  expect_identical(nrow(coef(more)), 5L)
  expect_equal(predict(more, x, "response"), predict(more, x[, 1:30], "response"))
})

test_that("no rows have no predictions, one row has one", {
  for (y in list(labels, labels == "1", rowMeans(x))) {
    fit <- few(y = y, methods = list(random = by_random()), n = 5, folds = 2)
    for (rows in 0:1) {
      some <- x[seq_len(rows), , drop = FALSE]
      expect_length(predict(fit, some), rows)
      expect_identical(NROW(predict(fit, some, "response")), rows)
    }
  }
})

test_that("the usual numbers of landmarks suit the number of rows", {
  expect_identical(usual_sizes(10000), c(50, 75, 100))
  expect_identical(usual_sizes(150), c(15, 22, 30))
  expect_identical(usual_sizes(7), 1)
  set.seed(1)
  cv <- cv_landmarks(iris[1:4], iris$Species, methods = by_random(), folds = 2, seeds = 1, scale = TRUE)
  expect_identical(sort(unique(cv$summary$n)), c(15L, 22L, 30L))
})
