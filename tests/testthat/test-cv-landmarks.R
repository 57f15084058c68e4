# cv_landmarks(): no leakage, the table from its units, methods of the user's own, and predictions of what was
# learned again.

skip_slow_file()

set.seed(3)
x <- few_digits()$x
labels <- few_digits()$y
cv <- few()

test_that("the table is what its units say: lambda, mean and standard error", {
  for (measure in c("deviance", "accuracy")) {
    two <- few(seeds = 1:2, lambda = 10^(-2:0), lambda_measure = measure, refit = FALSE)
    expect_identical(two$summary$method, c("gp", "gp", "random", "random"))
    expect_identical(two$summary$n, c(5L, 10L, 5L, 10L))
    expect_identical(as.data.frame(two), two$summary)
    units <- as.data.frame(two, type = "units")
    expect_identical(nrow(units), 2L * 2L * 2L * 3L * 3L)
    for (r in 1:4) {
      s <- two$summary[r, ]
      # For each seed the lambda with the best mean over folds, of equal ones the one of the least deviance.
      values <- unlist(lapply(1:2, function(seed) {
        of <- units[units$method == s$method & units$n == s$n & units$seed == seed, ]
        means <- aggregate(of[c("accuracy", "deviance")], of["lambda"], mean)
        tied <- if (measure == "accuracy") -round(means$accuracy, 12) else means$deviance
        of$accuracy[of$lambda == means$lambda[order(tied, means$deviance, -means$lambda)[1]]]
      }))
      expect_length(values, 6)
      expect_equal(s$accuracy, mean(values))
      expect_equal(s$accuracy_se, stats::sd(values) / sqrt(6))
    }
    expect_identical(two$best$accuracy, max(two$summary$accuracy))
  }
})

test_that("what is measured is what one would compute by hand", {
  one <- few(n = 6, methods = list(km = by_kmeans(max_iterations = 0)), folds = NULL, validation = 201:300,
    lambda = 0.5, classes = "one_vs_rest"
  )
  set_seed((base_of(1) + 7919 + 104729 * 6) %% .Machine$integer.max)
  fit <- landmarks(x[1:200, ], 6, by_kmeans(max_iterations = 0))
  w <- cbind(1, predict(fit, x, "features"))
  p <- sapply(levels(labels), function(level) {
    is <- as.numeric(labels[1:200] == level)
    penalty <- c(0, rep(0.5, 6))
    objective <- function(b) {
      g <- w[1:200, ] %*% b
      sum(log1p(exp(g)) - is * g) + sum(penalty * b^2) / 2
    }
    slope <- function(b) as.vector(crossprod(w[1:200, ], stats::plogis(w[1:200, ] %*% b) - is)) + penalty * b
    b <- stats::optim(
      rep(0, 7), objective, slope, method = "BFGS", control = list(reltol = 1e-15, maxit = 2000)
    )$par
    stats::plogis(w[201:300, ] %*% b)
  })
  expect_equal(one$summary$accuracy, mean(levels(labels)[max.col(p)] == labels[201:300]))
  share <- (p / rowSums(p))[cbind(1:100, as.integer(labels[201:300]))]
  expect_equal(one$summary$deviance, -2 * mean(log(share)), tolerance = 1e-4)
})

test_that("classes one against the rest are the softmax's rival, and print says which it was", {
  rest <- few(n = 5, methods = "gp", classes = "one_vs_rest")
  expect_output(print(rest), "1 seed, one-vs-rest,")
  expect_output(print(cv), "softmax,")
  expect_false(isTRUE(all.equal(rest$summary$deviance, cv$summary$deviance[1])))
  plain <- stats::plogis(cbind(1, predict(rest, x, "features")) %*% coef(rest))
  expect_equal(unname(predict(rest, x, "response")), unname(plain / rowSums(plain)))
  # For two classes, numbers and tags it is all the same.
  for (y in list(labels == "1", rowMeans(x), cbind(labels == "1", labels == "2"))) {
    both <- lapply(c("softmax", "one_vs_rest"), function(classes) {
      few(y = y, n = 5, methods = "random", classes = classes, folds = 2, refit = FALSE)
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
    # No rows have no predictions, one row has one.
    for (rows in 0:1) {
      some <- x[seq_len(rows), , drop = FALSE]
      expect_identical(NROW(predict(fit, some)), rows)
      expect_identical(NROW(predict(fit, some, "response")), rows)
    }
  }
})

test_that("baselines and users' own methods stand beside the landmarks, with as many features as they have", {
  pca <- function(x, n) structure(list(p = stats::prcomp(x, rank. = n)), class = "pca_test")
  registerS3method("predict", "pca_test", function(object, newdata, ...) stats::predict(object$p, newdata))
  raw <- function(x, n) raw_features(x)
  both <- few(methods = list(pca = pca, raw = raw_features, random = "random", own = raw), folds = 2)
  # Features without a number of landmarks count once.
  expect_identical(both$summary$n, c(5L, 10L, NA, 5L, 10L, NA))
  expect_equal(no_time(both$summary[6, -1]), no_time(both$summary[3, -1]), ignore_attr = "row.names")
  expect_output(print(both), "raw")
  # Features that depend on the columns of the new data: as many as were learned from.
  registerS3method("predict", "more_test", function(object, newdata, ...) cbind(newdata, newdata^2)[, 1:9])
  more <- few(methods = list(more = function(x, n) structure(list(), class = "more_test")), n = 4)
  expect_equal(predict(more, x, "response"), predict(more, x[, 1:30], "response"))
})

test_that("sparse data are dense data", {
  accuracy <- function(x) few(x = x, methods = list(a = by_active()), refit = FALSE)$summary$accuracy
  expect_equal(accuracy(methods::as(x, "CsparseMatrix")), accuracy(x))
})

test_that("what fits warn of is said once, with the method, and fewer landmarks are told by features", {
  narrow <- x[rep(1:4, 75), ]
  methods <- list(active = by_active())
  expect_warning(
    found <- few(x = narrow, y = rep(letters[1:4], 75), n = c(3, 10), methods = methods, refit = FALSE),
    "In 3 of 3 fits .*active", class = "landmarker_warning_fit"
  )
  expect_identical(found$summary$features, c(3, 4))
  expect_output(print(found), "features")
})

test_that("regressions that did not converge are named in a warning", {
  units <- cv$units
  units[units$method == "gp" & units$n == 5 & units$lambda == 0.01 & units$fold == 2, "deviance"] <- NA
  expect_warning(
    warn_unconverged(units, NULL), "1 of 24 regressions", class = "landmarker_warning_convergence"
  )
  expect_silent(warn_unconverged(cv$units, NULL))
})

test_that("without a word each row is annotated with as many tags as it has, where there are few", {
  tags <- cbind(a = labels %in% 0:4, b = labels %in% 2:6, c = labels %in% c(1, 9))
  units <- function(...) no_time(few(y = tags, methods = list(random = by_random()), n = 5, ...)$units)
  expect_identical(units(), units(top = round(mean(rowSums(tags)))))
  expect_identical(check_top(NULL, matrix(0, 5, 11), NULL), 10L)
  expect_identical(check_top(NULL, matrix(0, 5, 3), NULL), 1L)
})

test_that("the usual numbers of landmarks suit the number of rows", {
  expect_identical(usual_sizes(10000), c(50, 75, 100))
  expect_identical(usual_sizes(7), 1)
  set.seed(1)
  cv <- cv_landmarks(iris[1:4], iris$Species, methods = by_random(), folds = 2, seeds = 1, scale = TRUE)
  expect_identical(sort(unique(cv$summary$n)), c(15L, 22L, 30L))
})

test_that("a method whose prefixes are its shorter fits learns once, others once for each n", {
  once <- list(by_active(), by_random(), by_kmeans(max_iterations = 0), by_gp("sequential"), raw_features)
  each <- list(by_gp(), by_kmeans(), by_gp(criterion = "trace"), function(x, n) NULL)
  serves_all <- vapply(c(once, each), function(m) serves_all_sizes(list(method = m), list(), 5), NA)
  expect_identical(serves_all, rep(c(TRUE, FALSE), c(5, 4)))
  tasks <- cv_tasks(c(a = TRUE, g = FALSE), c(5L, 10L), 2, 1)
  expect_identical(lapply(tasks, `[[`, "n"), rep(list(c(5L, 10L), 5L, 10L), 2))
})
