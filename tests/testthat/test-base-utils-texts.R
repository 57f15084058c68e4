# Texts of users reach a message as they are: nothing in them is evaluated, wherever they come from.

skip_slow_file()

text <- "{stop('ran')}"
x <- unname(as.matrix(iris[1:4]))
named <- stats::setNames(iris[1:4], c(text, "b", "c", "d"))

# Errors of this kind that show the text, or a part of it. Where code ran, the error is another one.
expect_quoted <- function(kind, ..., shown = text) {
  env <- parent.frame()
  for (code in rlang::enexprs(...)) {
    error <- expect_error(eval(code, env), class = paste0("landmarker_error_", kind))
    said <- gsub("\\s+", " ", paste(conditionMessage(error), collapse = " "))
    if (!is.null(error$parent)) said <- paste(said, conditionMessage(error$parent))
    expect_match(said, shown, fixed = TRUE)
  }
}

fit <- landmarks(x, 5)
by_frame <- landmarks(named, 3)
graph <- landmark_graph(fit)
embedding <- embed_landmarks(graph)
species <- iris$Species

test_that("names of arguments are shown, and never evaluated", {
  place <- withr::local_tempfile()
  args <- stats::setNames(list(x, 2, 1), c("x", "n", sprintf("{file.create('%s')}", place)))
  expect_error(do.call(landmarks, args), class = "landmarker_error_dots")
  expect_false(file.exists(place))
  frame <- stats::setNames(iris[1:4], letters[1:4])
  calls <- list(
    list(landmarks, x, 2), list(landmarks, ~., frame, 2), list(predict, fit, x), list(augment, fit, x),
    list(tidy, fit), list(embed_landmarks, fit), list(embed_landmarks, graph), list(predict, embedding, x),
    list(plot, embedding), list(cv_landmarks, x, species, 3), list(update, fit)
  )
  for (call in calls) expect_quoted("dots", do.call(call[[1]], `[[<-`(call[-1], text, value = 1)))
})

test_that("strings in the place of arguments are shown", {
  chunks <- chunked(1:2, function(i) x)
  expect_quoted("input", landmarks(x, text), landmarks(x, 3, text), landmarks(x, 3, by_gp(criterion = text)),
    plot(fit, x, color = text), plot_images(fit, dim = c(2, 2), col = text)
  )
  expect_quoted("bandwidth", landmarks(x, 3, bandwidth = text))
  expect_quoted("space", landmarks(x, 3, space = text))
  expect_quoted("weights", landmarks(x, 3, weights = text))
  expect_quoted("na_action", landmarks(x, 3, na.action = text))
  expect_quoted("index", fit[text])
  expect_quoted("method", cv_landmarks(x, species, 3, methods = text))
  withr::local_options(landmarker.variant = text, landmarker.memory = text)
  expect_quoted("option", landmarks(x, 2), landmarks(chunks, 2))
})

test_that("names of columns and levels are shown", {
  gap <- replace(named, cbind(2, 1), NA)
  expect_quoted("missing", landmarks(gap, 3), landmarks(as.matrix(gap), 3))
  expect_quoted("columns", predict(by_frame, iris), predict(by_frame, cbind(named, named)),
    predict(landmarks(as.matrix(named), 3), iris), landmarks(cbind(named, named), 3),
    predict(by_frame, replace(named, 1, "a"))
  )
  expect_quoted("data", landmarks(stats::setNames(list2DF(list(as.list(1:3))), text), 3))
  expect_quoted("negative", hellinger(-as.matrix(named)))
  level <- data.frame(a = factor(rep(c("u", "v"), 75)), b = sin(1:150))
  expect_quoted("levels", predict(landmarks(level, 2), data.frame(a = text, b = 1)))
  many <- stats::setNames(data.frame(as.character(1:150), sin(1:150)), c(text, "b"))
  expect_warning(landmarks(many, 2, "random"), "stop('ran')", fixed = TRUE)
  expect_quoted("response", cv_landmarks(x, factor(rep(text, 150)), 3))
  expect_quoted("stratify", cv_landmarks(x, factor(c(text, rep("b", 149))), 3))
  expect_quoted("group", predict(codebook(x, 3), x, factor(rep("a", 150), c("a", text))))
  # Code in a level or a name of a row is data.
  level$a <- factor(rep(c(text, "v"), 75), c("v", text))
  expect_identical(colnames(coef(landmarks(level, 2))), c("av", paste0("a", text), "b"))
  expect_identical(rownames(predict(fit, `rownames<-`(x, paste0(text, 1:150))))[1], paste0(text, 1))
  # Units with such names are told of.
  apart <- transform(named, b = 1e5 * b)
  names(apart) <- c("a", text, "c", "d")
  withr::local_options(rlib_message_verbosity = "verbose", landmarker.verbose = TRUE)
  expect_message(landmarks(apart, 3, "random"), "stop('ran')", fixed = TRUE)
})

test_that("formulas and names of files are shown", {
  of <- function(...) stats::as.formula(sprintf(..., text))
  expect_quoted("columns", landmarks(of("~ `%s`"), iris, 3))
  expect_quoted("response", cv_landmarks(of("~ `%s`"), named, n = 3))
  expect_quoted("data", landmarks(of("~ b | `%s`"), named, 3), landmarks(of("`%s` ~ b"), named, 3),
    cv_landmarks(of("b ~ c + offset(`%s`)"), named, n = 3)
  )
  file <- file.path(withr::local_tempdir(), text)
  expect_quoted("idx", read_idx(file))
  expect_quoted("chunks", as_chunks(file.path(file, "a.csv")))
  for (lines in list(character(), "no idx file, and more than a few bytes")) {
    writeLines(lines, file)
    expect_quoted("idx", read_idx(file))
  }
})

test_that("classes, and errors and warnings of a user's own code are shown", {
  own <- function(x, n) stop(text)
  short <- function(x, n) structure(list(), class = "short_features")
  registerS3method("predict", "short_features", function(object, newdata, ...) text, asNamespace("stats"))
  compare <- function(method) cv_landmarks(x, species, 3, methods = stats::setNames(list(method), text))
  expect_quoted("method", compare(own), compare(short), landmarks(x, 3, structure(list(), class = text)))
  expect_quoted("data", landmarks(structure(list(1), class = text), 3),
    landmarks(~ stop(b), data.frame(b = text))
  )
  expect_quoted("fit", predict(structure(list(), class = c("landmarks", text)), x), shown = "landmarks")
  expect_quoted("chunks", landmarks(chunked(1:2, function(i) stop(text)), 2))
  expect_quoted("missing", landmarks(chunked(1:2, function(i) named * (if (i == 2) NA else 1)), 2))
  failing <- list(own = by_random(), bad = own)
  expect_warning(cv_landmarks(x, species, 3, methods = failing), "stop('ran')", fixed = TRUE)
})

test_that("plots, tables and steps of recipes show texts, and parse none", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  group <- factor(rep(c(text, "b", "c"), 50))
  expect_no_error(print(ggplot2::autoplot(by_frame, named, color = group) + ggplot2::labs(color = text)))
  expect_no_error(plot(embedding, x, color = group))
  cv <- cv_landmarks(x, group, 3, methods = stats::setNames(list(by_random()), text), folds = 2)
  expect_no_error(plot(cv))
  expect_output(print(cv), text, fixed = TRUE)
  expect_output(print(by_frame), "landmarks")
  expect_output(print(summary(by_frame)), "variance")
  expect_true(text %in% names(augment(by_frame, named)))
  skip_if_not_installed("recipes", "1.0.4")
  recipe <- recipes::recipe(~., named)
  missing <- step_landmarks(recipe, getExportedValue("dplyr", "all_of")("{stop('other')}"))
  expect_quoted("select", recipes::prep(missing), shown = "{stop('other')}")
  options <- stats::setNames(list(1), text)
  expect_quoted("input", step_landmarks(recipe, recipes::all_predictors(), options = options))
  gap <- recipes::recipe(~., replace(named, cbind(1, 1), NA))
  expect_quoted("missing", recipes::prep(step_landmarks(gap, recipes::all_predictors())))
})
