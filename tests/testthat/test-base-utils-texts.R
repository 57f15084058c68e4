# Texts of users reach a message as they are: nothing in them is evaluated, wherever they come from.

skip_slow_file()

text <- "{stop('ran')}"
x <- unname(as.matrix(iris[1:4]))
named <- stats::setNames(iris[1:4], c(text, "b", "c", "d"))

# A classed error that shows the text, or a part of it. Where code ran, the error is another one.
expect_quoted <- function(code, kind = "input", shown = text) {
  error <- expect_error(code, class = paste0("landmarker_error_", kind))
  said <- gsub("\\s+", " ", paste(conditionMessage(error), collapse = " "))
  if (!is.null(error$parent)) said <- paste(said, conditionMessage(error$parent))
  expect_match(said, shown, fixed = TRUE)
}

with_name <- function(f, ...) {
  args <- list(...)
  args[[text]] <- 1
  do.call(f, args)
}

fit <- landmarks(x, 5)
graph <- landmark_graph(fit)
embedding <- embed_landmarks(graph)

test_that("names of arguments are shown, and never evaluated", {
  place <- withr::local_tempfile()
  args <- stats::setNames(list(x, 2, 1), c("x", "n", sprintf("{file.create('%s')}", place)))
  expect_error(do.call(landmarks, args), class = "landmarker_error_dots")
  expect_false(file.exists(place))
  frame <- stats::setNames(iris[1:4], letters[1:4])
  calls <- list(
    list(landmarks, x, 2), list(landmarks, ~., frame, 2), list(predict, fit, x), list(augment, fit, x),
    list(tidy, fit), list(embed_landmarks, fit), list(embed_landmarks, graph), list(predict, embedding, x),
    list(plot, embedding), list(cv_landmarks, x, iris$Species, 3), list(update, fit)
  )
  for (call in calls) expect_quoted(do.call(with_name, call), "dots")
})

test_that("strings in the place of arguments are shown", {
  expect_quoted(landmarks(x, text))
  expect_quoted(landmarks(x, 3, text))
  expect_quoted(landmarks(x, 3, bandwidth = text), "bandwidth")
  expect_quoted(landmarks(x, 3, space = text), "space")
  expect_quoted(landmarks(x, 3, weights = text), "weights")
  expect_quoted(landmarks(x, 3, by_gp(criterion = text)))
  expect_quoted(landmarks(x, 3, na.action = text), "na_action")
  expect_quoted(fit[text], "index")
  expect_quoted(plot(fit, x, color = text))
  expect_quoted(cv_landmarks(x, iris$Species, 3, methods = text), "method")
  expect_quoted(plot_images(fit, dim = c(2, 2), col = text))
  withr::with_options(list(landmarker.variant = text), expect_quoted(landmarks(x, 2), "option"))
  chunks <- chunked(1:2, function(i) x)
  withr::with_options(list(landmarker.memory = text), expect_quoted(landmarks(chunks, 2), "option"))
})

test_that("names of columns and levels are shown", {
  gap <- named
  gap[2, 1] <- NA
  expect_quoted(landmarks(gap, 3), "missing")
  expect_quoted(landmarks(as.matrix(gap), 3), "missing")
  by_frame <- landmarks(named, 3)
  expect_quoted(predict(by_frame, iris), "columns")
  expect_quoted(predict(by_frame, cbind(named, named)), "columns")
  expect_quoted(predict(landmarks(as.matrix(named), 3), iris), "columns")
  expect_quoted(landmarks(cbind(named, named), 3), "columns")
  expect_quoted(landmarks(stats::setNames(list2DF(list(as.list(1:3))), text), 3), "data")
  expect_quoted(predict(by_frame, replace(named, 1, "a")), "columns")
  expect_quoted(hellinger(-as.matrix(named)), "negative")
  level <- data.frame(a = factor(rep(c("u", "v"), 75)), b = rnorm(150))
  with_levels <- landmarks(level, 2)
  expect_quoted(predict(with_levels, data.frame(a = text, b = 1)), "levels")
  many <- stats::setNames(data.frame(as.character(1:150), rnorm(150)), c(text, "b"))
  expect_warning(expect_warning(landmarks(many, 2, "random"), "stop('ran')", fixed = TRUE), NA)
  expect_quoted(cv_landmarks(x, factor(rep(text, 150)), 3), "response")
  expect_quoted(cv_landmarks(x, factor(c(text, rep("b", 149))), 3), "stratify")
  book <- codebook(x, 3)
  expect_quoted(predict(book, x, factor(rep("a", 150), c("a", text))), "group")
  # Code in a level or a name of a row is data.
  level$a <- factor(rep(c(text, "v"), 75), c("v", text))
  expect_identical(colnames(coef(landmarks(level, 2))), c("av", paste0("a", text), "b"))
  rows <- x
  rownames(rows) <- paste0(text, seq_len(150))
  expect_identical(rownames(predict(fit, rows))[1], paste0(text, 1))
})

test_that("units with such names are told of", {
  apart <- named
  apart[[1]] <- 1e5 * apart[[1]]
  withr::local_options(rlib_message_verbosity = "verbose", landmarker.verbose = TRUE)
  expect_message(landmarks(apart, 3, "random"), "stop('ran')", fixed = TRUE)
})

test_that("formulas are shown", {
  expect_quoted(landmarks(stats::as.formula(paste0("~ `", text, "`")), iris, 3), "columns")
  expect_quoted(landmarks(stats::as.formula(paste0("~ b | `", text, "`")), named, 3), "data")
  expect_quoted(landmarks(stats::as.formula(paste0("`", text, "` ~ b")), named, 3), "data")
  expect_quoted(cv_landmarks(stats::as.formula(paste0("~ `", text, "`")), named, n = 3), "response")
  expect_quoted(cv_landmarks(stats::as.formula(paste0("b ~ c + offset(`", text, "`)")), named, n = 3), "data")
})

test_that("names of files are shown", {
  folder <- withr::local_tempdir()
  file <- file.path(folder, text)
  expect_quoted(read_idx(file), "idx")
  file.create(file)
  expect_quoted(read_idx(file), "idx")
  writeLines("no idx file, and more than a few bytes", file)
  expect_quoted(read_idx(file), "idx")
  expect_quoted(as_chunks(file.path(file, "a.csv")), "chunks")
})

test_that("classes, and errors and warnings of a user's own code are shown", {
  expect_quoted(landmarks(structure(list(1), class = text), 3), "data")
  expect_quoted(landmarks(x, 3, structure(list(), class = text)), "method")
  expect_quoted(predict(structure(list(), class = c("landmarks", text)), x), "fit", "landmarks")
  expect_quoted(landmarks(~ stop(b), data.frame(b = text)), "data")
  own <- function(x, n) stop(text)
  expect_quoted(cv_landmarks(x, iris$Species, 3, methods = stats::setNames(list(own), text)), "method")
  short <- stats::setNames(list(function(x, n) structure(list(), class = "short_features")), text)
  registerS3method("predict", "short_features", function(object, newdata, ...) text, asNamespace("stats"))
  expect_quoted(cv_landmarks(x, iris$Species, 3, methods = short), "method")
  expect_quoted(landmarks(chunked(1:2, function(i) stop(text)), 2), "chunks")
  chunks <- chunked(1:2, function(i) named * (if (i == 2) NA else 1))
  expect_quoted(landmarks(chunks, 2), "missing")
  failing <- list(own = by_random(), bad = function(x, n) stop(text))
  expect_warning(cv_landmarks(x, iris$Species, 3, methods = failing), "stop('ran')", fixed = TRUE)
})

test_that("plots and tables show texts, and parse none", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  by_frame <- landmarks(named, 3)
  group <- factor(rep(c(text, "b", "c"), 50))
  expect_no_error(print(ggplot2::autoplot(by_frame, named, color = group) + ggplot2::labs(color = text)))
  expect_no_error(plot(embedding, x, color = group))
  cv <- cv_landmarks(x, group, 3, methods = stats::setNames(list(by_random()), text), folds = 2)
  expect_no_error(plot(cv))
  expect_output(print(cv), text, fixed = TRUE)
  expect_output(print(by_frame), "landmarks")
  expect_output(print(summary(by_frame)), "variance")
  expect_true(text %in% names(augment(by_frame, named)))
})

test_that("a step of a recipe shows texts", {
  skip_if_not_installed("recipes", "1.0.4")
  recipe <- recipes::recipe(~., named)
  missing <- step_landmarks(recipe, getExportedValue("dplyr", "all_of")("{stop('other')}"))
  expect_quoted(recipes::prep(missing), "select", "{stop('other')}")
  expect_quoted(step_landmarks(recipe, recipes::all_predictors(), options = stats::setNames(list(1), text)))
  gap <- named
  gap[1, 1] <- NA
  expect_quoted(recipes::prep(step_landmarks(recipes::recipe(~., gap), recipes::all_predictors())), "missing")
})
