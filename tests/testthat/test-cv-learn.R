# Methods that fail, and values that only held-out rows have.

x <- digits$images[1:120, seq(1, 784, 9)] / 255
labels <- digits$labels[1:120]
compare <- function(methods, n = c(3, 6), ...) {
  given <- list(...)
  usual <- list(x = x, y = labels, n = n, methods = methods, lambda = c(0.01, 1), folds = 2, seeds = 1)
  usual[names(given)] <- given
  do.call("cv_landmarks", usual)
}

# The rows learned from where fold k is held out.
fold_rows <- function(k) {
  cv_splits(120, list(folds = 2), as_response(labels, 120), 1, NULL)$splits[[1]][[k]]$train
}

test_that("a method that fails leaves a row with its message, and the others are compared", {
  broken <- function(x, n) stop("there is no luck today")
  expect_warning(
    cv <- compare(list(broken = broken, random = by_random())),
    "\"broken\" failed in 4 of 4 fits", class = "landmarker_warning_method"
  )
  expect_identical(cv$summary$method, c("broken", "broken", "random", "random"))
  expect_identical(cv$summary$problem, c(rep("there is no luck today", 2), NA, NA))
  expect_true(
    all(is.na(cv$summary[1:2, c("accuracy", "accuracy_se", "deviance", "lambda", "features", "seconds")]))
  )
  alone <- compare(list(random = by_random()))
  same <- setdiff(names(alone$summary), "seconds")
  expect_equal(cv$summary[3:4, same], alone$summary[, same], ignore_attr = "row.names")
  expect_identical(coef(cv), coef(alone))
  expect_snapshot(cat(cv_notes(cv), sep = "\n"))
  expect_output(
    print(cv), "Not measured: broken, n = 3; broken, n = 6. The error was: there is no luck today"
  )
  png <- withr::local_tempfile(fileext = ".png")
  grDevices::png(png)
  expect_silent(plot(cv))
  grDevices::dev.off()
})

test_that("one number that fails, or one fold, spoils that row alone", {
  picky <- function(x, n) {
    if (n > 5) stop("too many") else landmarks(x, n, by_random())
  }
  expect_warning(cv <- compare(list(picky = picky, random = by_random())), "failed in 2 of 4 fits")
  expect_identical(is.na(cv$summary$accuracy), c(FALSE, TRUE, FALSE, FALSE))
  expect_identical(cv$summary$problem[2], "too many")
  first <- x[fold_rows(1), ]
  shy <- function(x, n) {
    if (identical(x, first)) stop("not these rows") else landmarks(x, n, by_random())
  }
  expect_warning(cv <- compare(list(shy = shy, random = by_random()), 3), "failed in 1 of 2 fits")
  expect_identical(cv$summary$problem, c("in 1 of 2 fits: not these rows", NA))
  expect_identical(is.na(cv$summary$accuracy), c(TRUE, FALSE))
  expect_false(is.na(cv$units$accuracy[cv$units$method == "shy" & cv$units$fold == 2][1]))
  # Where one fit serves all numbers, the smaller number is learned by itself.
  expect_warning(
    cv <- compare(list(random = by_random(), raw = raw_features), c(3, 61)),
    "\"random\" failed in 2 of 4 fits"
  )
  expect_identical(is.na(cv$summary$accuracy), c(FALSE, TRUE, FALSE))
})

test_that("methods that fail are told the same by workers", {
  skip_on_os("windows")
  broken <- function(x, n) stop("there is no luck today")
  found <- lapply(list(NULL, 2), function(cl) {
    suppressWarnings(compare(list(broken = broken, random = by_random()), cl = cl))$summary
  })
  same <- setdiff(names(found[[1]]), "seconds")
  expect_identical(found[[1]][same], found[[2]][same])
})

test_that("a value that only held-out rows have does no harm", {
  frame <- data.frame(a = rep(c(0, 1, 3), 20), s = c("rare", rep(c("u", "v"), length.out = 59)))
  found <- cv_landmarks(frame, frame$a, 1, list(random = by_random()), folds = rep(1:3, each = 20), seeds = 1)
  expect_false(anyNA(found$units$mse))
  expect_length(predict(found, frame[1:4, ]), 4)
})
