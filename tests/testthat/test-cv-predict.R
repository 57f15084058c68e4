# Predictions by the best row of a comparison, its tables (tidy(), glance(), augment(), summary()), its bar.

skip_slow_file()

cvs <- flower_comparisons()
compare <- function(..., n = 4, methods = list(response = by_response(iterations = 30)), folds = 3) {
  withr::with_seed(1, cv_landmarks(..., n = n, methods = methods, folds = folds, seeds = 1, scale = TRUE))
}

test_that("the best row of by_response() predicts as its fit does", {
  cv <- compare(iris[1:4], iris$Species)
  for (type in c("class", "prob", "set", "variance", "nearest")) {
    expect_equal(predict(cv, iris[1:4], type), predict(cv$fit, iris[1:4], type))
  }
  expect_identical(coef(cv), coef(cv$fit, "response"))
  expect_identical(glance(cv)$bandwidth, "learned")
  expect_identical(colnames(predict(cv, iris[1:4], "features")), paste0("L", 1:4))
  expect_output(print(cv), "no lambda")
  numbers <- compare(mpg ~ wt + hp, mtcars, folds = 8)
  bounds <- predict(numbers, mtcars, interval = "prediction")
  expect_equal(bounds, predict(numbers$fit, mtcars, interval = "prediction"))
  expect_equal(augment(numbers, mtcars)$.pred, unname(predict(numbers$fit, mtcars)))
  # The share of the variance of all rows, not of four.
  spread <- mean((mtcars$mpg - mean(mtcars$mpg))^2)
  expect_equal(numbers$best$r_squared, 1 - numbers$best$mse / spread, tolerance = 1e-10)
})

test_that("tidy() has each mean and standard error of the table, glance() a row for the best", {
  for (cv in cvs) {
    table <- tidy(cv)
    expect_s3_class(table, "tbl_df")
    measures <- measure_names[[cv$type]]
    expect_identical(nrow(table), nrow(cv$summary) * length(measures) * (1L + (cv$n_test > 0)))
    for (r in seq_len(nrow(cv$summary))) {
      s <- cv$summary[r, ]
      mine <- paste(table$method, table$n, table$bandwidth) == paste(s$method, s$n, s$bandwidth)
      for (m in measures) {
        row <- table[mine & table$part == "held_out" & table$measure == m, ]
        expect_identical(unlist(row[c("estimate", "std.error", "lambda")], use.names = FALSE),
          unlist(s[c(m, paste0(m, "_se"), "lambda")], use.names = FALSE)
        )
        # Two seeds and three folds.
        expect_identical(row$parts, 6L)
      }
    }
    best <- unique(as.data.frame(table)[table$best, c("method", "n", "bandwidth")])
    expect_identical(unlist(best, use.names = FALSE), unlist(cv$best[names(best)], use.names = FALSE))
    row <- glance(cv)
    expect_identical(nrow(row), 1L)
    expect_identical(row$estimate, cv$best[[cv$measure]])
    expect_identical(c(row$nobs, nobs(cv)), rep(150L - cv$n_test, 2))
    expect_identical(c(row$compared, row$folds, row$seeds), c(nrow(cv$summary), 3L, 2L))
  }
})

test_that("augment() is predict() beside the data", {
  new <- iris[c(1, 60, 140), 1:4]
  for (cv in cvs) {
    both <- augment(cv, newdata = new)
    expect_s3_class(both, "tbl_df")
    expect_equal(as.data.frame(both[1:4]), new, ignore_attr = TRUE)
    p <- predict(cv, new, "response")
    of_all <- switch(cv$type, binary = cbind(1 - p, p), p)
    columns <- setdiff(names(both)[-(1:4)], ".pred_class")
    expect_equal(as.matrix(both[columns]), as.matrix(of_all), ignore_attr = TRUE)
    if (cv$type %in% c("classes", "binary")) expect_identical(both$.pred_class, predict(cv, new))
  }
  expect_identical(names(augment(cvs$classes, iris))[6:9],
    c(".pred_class", ".pred_setosa", ".pred_versicolor", ".pred_virginica")
  )
  expect_identical(names(augment(cvs$number, iris))[6], ".pred")
  # A sparse matrix stays away.
  sparse <- Matrix::Matrix(as.matrix(iris[1:4]), sparse = TRUE)
  expect_identical(names(augment(cvs$tags, sparse)), paste0(".pred_", c("a", "b", "c")))
})

test_that("summary() marks the best row and those within one standard error, by hand", {
  for (cv in cvs) {
    s <- summary(cv)
    value <- cv$summary[[cv$measure]] * if (cv$measure == "mse") -1 else 1
    expect_identical(which(s$table$best), s$best)
    expect_identical(max(value), value[s$best])
    expect_identical(s$table$within, value >= value[s$best] - cv$summary[[paste0(cv$measure, "_se")]][s$best])
    size <- ifelse(is.na(cv$summary$n), 4, cv$summary$n)
    smallest <- which(s$table$within & size == min(size[s$table$within]))
    expect_identical(s$smallest, smallest[which.max(value[smallest])])
  }
  for (said in c("km +k-means", "raw +raw data", "best mse: ")) {
    expect_output(print(summary(cvs$number)), said)
  }
})

test_that("tables need their object and their data, intervals and sets a regression by landmarks", {
  ridge <- compare(mpg ~ wt + hp, mtcars, methods = "gp")
  expect_refused(
    tidy(cvs$number, n = 1), augment(cvs$number), augment(cvs$number, iris, iris),
    augment(cvs$number, iris[1:2]), augment(of_flowers(iris$Species, refit = FALSE), iris),
    predict(ridge, mtcars, interval = "prediction"), predict(ridge, mtcars, "set")
  )
})

test_that("the bar moves with the fits of each method, and reaches its end", {
  withr::local_options(landmarker.progress = TRUE, cv_steps = NULL)
  space <- asNamespace("landmarker")
  watch <- quote(if (!is.null(bar)) options(cv_steps = c(getOption("cv_steps"), by)))
  suppressMessages(trace("progress_step", watch, print = FALSE, where = space))
  withr::defer(suppressMessages(untrace("progress_step", where = space)))
  of_flowers(iris$Species, bandwidth = c(1, 2))
  # 3 folds and 2 seeds; k-means has a fit for each n, random rows and the data serve all.
  expect_equal(getOption("cv_steps"), rep(c(2, 1, 1), 6))
})
