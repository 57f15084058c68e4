# The conditions of the package and the page about them, and texts of users in messages.

skip_slow_file()

test_that("every kind of condition is in the table of ?landmarker-conditions", {
  kinds_of <- function(raiser) {
    found <- character()
    look <- function(e) {
      if (is.call(e)) {
        if (identical(e[[1]], as.name(raiser)) && !is.null(e$kind)) {
          kind <- if (is.call(e$kind)) as.list(e$kind) else list(e$kind)
          kind <- Filter(function(k) is.character(k) && grepl("^[a-z_]+$", k), kind)
          found <<- c(found, unlist(kind))
        }
        for (part in as.list(e)) if (!missing(part)) look(part)
      }
    }
    space <- asNamespace("landmarker")
    for (name in ls(space)) if (is.function(get(name, space))) look(body(get(name, space)))
    unique(found)
  }
  page <- tools::Rd_db("landmarker")[["landmarker-conditions.Rd"]]
  sections <- Filter(function(part) attr(part, "Rd_tag") == "\\section", page)
  titles <- vapply(sections, function(part) paste(unlist(part[[1]]), collapse = ""), "")
  raisers <- c(abort_input = "Errors", warn_user = "Warnings", inform_user = "Messages")
  for (raiser in names(raisers)) {
    table <- paste(unlist(sections[[match(raisers[[raiser]], titles)]][[2]]), collapse = "")
    kinds <- kinds_of(raiser)
    expect_gt(length(kinds), 4)
    is_there <- vapply(kinds, function(kind) grepl(sprintf("\\b%s\\b", kind), table), NA)
    expect_identical(kinds[!is_there], character())
  }
})

# ---- limits of time ------------------------------------------------------------------------------
# One that falls into the user's own code ends the call as itself: no function of the package tells it as a
# failure of that code, or goes on without its result.

test_that("a limit of time within the user's method, reader or formula ends the call", {
  # The user's code: it waits until the limit, which is set here, so that it falls nowhere else.
  wait <- function(...) {
    setTimeLimit(elapsed = 0.02, transient = TRUE)
    until <- proc.time()[["elapsed"]] + 20
    while (proc.time()[["elapsed"]] < until) NULL
    stop("nothing has ended the wait")
  }
  x <- odd_matrix(60, 3)
  y <- factor(rep(c("a", "b"), 30))
  frame <- data.frame(a = 1:9 + 0, b = sin(1:9))
  slow <- function(x, n) structure(list(), class = "slow_features")
  registerS3method("predict", "slow_features", wait, envir = asNamespace("stats"))
  works <- list(
    function() cv_landmarks(x, y, list(mine = wait), n = 2:3),
    function() cv_landmarks(x, y, list(mine = slow), n = 2:3), function() landmarks(chunked(1:2, wait), 3),
    function() cv_landmarks(wait(a) ~ b, data = frame, n = 3),
    function() cv_landmarks(a ~ b, data = frame, n = 3, weights = wait())
  )
  for (work in works) {
    said <- tryCatch(work(), error = conditionMessage, finally = setTimeLimit())
    expect_match(said, "^reached elapsed time limit")
  }
})

# ---- texts of users reach a message as they are: nothing in them is evaluated ----------------------

text <- "{stop('ran')}"
x <- unname(as.matrix(iris[1:4]))
named <- stats::setNames(iris[1:4], c(text, "b", "c", "d"))
fit <- landmarks(x, 5)
species <- iris$Species

# Errors of this kind that show the text, or a part of it. Where code ran, the error is another one.
expect_quoted <- function(kind, ...) {
  env <- parent.frame()
  for (code in rlang::enexprs(...)) {
    error <- expect_error(eval(code, env), class = paste0("landmarker_error_", kind))
    said <- gsub("\\s+", " ", paste(conditionMessage(error), collapse = " "))
    if (!is.null(error$parent)) said <- paste(said, conditionMessage(error$parent))
    expect_match(said, text, fixed = TRUE)
  }
}

test_that("names and values of arguments are shown, and never evaluated", {
  place <- withr::local_tempfile()
  args <- stats::setNames(list(x, 2, 1), c("x", "n", sprintf("{file.create('%s')}", place)))
  expect_error(do.call(landmarks, args), class = "landmarker_error_dots")
  expect_false(file.exists(place))
  for (call in list(list(landmarks, ~., iris, 2), list(predict, fit, x), list(tidy, fit))) {
    expect_quoted("dots", do.call(call[[1]], `[[<-`(call[-1], text, value = 1)))
  }
  expect_quoted("input", landmarks(x, text), landmarks(x, 3, text), landmarks(x, 3, by_gp(criterion = text)),
    plot(fit, x, color = text)
  )
  expect_quoted("bandwidth", landmarks(x, 3, bandwidth = text))
  expect_quoted("space", landmarks(x, 3, space = text))
  expect_quoted("weights", landmarks(x, 3, weights = text))
  expect_quoted("response", landmarks(x, 3, by_response(text)))
  expect_quoted("na_action", landmarks(x, 3, na.action = text))
  expect_quoted("index", fit[text])
  expect_quoted("method", cv_landmarks(x, species, 3, methods = text))
  withr::local_options(landmarker.variant = text, landmarker.memory = text)
  expect_quoted("option", landmarks(x, 2), landmarks(chunked(1:2, function(i) x), 2))
})

test_that("names of columns, levels and files are shown", {
  gap <- replace(named, cbind(2, 1), NA)
  by_frame <- landmarks(named, 3)
  of <- function(...) stats::as.formula(sprintf(..., text))
  expect_quoted("missing", landmarks(gap, 3), landmarks(as.matrix(gap), 3))
  expect_quoted("columns", predict(by_frame, iris), predict(landmarks(as.matrix(named), 3), iris),
    predict(by_frame, replace(named, 1, "a")), landmarks(of("~ `%s`"), iris, 3)
  )
  expect_quoted("data", landmarks(stats::setNames(list2DF(list(as.list(1:3))), text), 3),
    landmarks(of("~ b | `%s`"), named, 3), cv_landmarks(of("b ~ c + offset(`%s`)"), named, n = 3)
  )
  expect_quoted("negative", hellinger(-as.matrix(named)))
  level <- data.frame(a = factor(rep(c("u", "v"), 75)), b = sin(1:150))
  expect_quoted("levels", predict(landmarks(level, 2), data.frame(a = text, b = 1)))
  many <- stats::setNames(data.frame(as.character(1:150), sin(1:150)), c(text, "b"))
  expect_warning(landmarks(many, 2, "random"), "stop('ran')", fixed = TRUE)
  expect_quoted("response", cv_landmarks(x, factor(rep(text, 150)), 3))
  expect_quoted("stratify", cv_landmarks(x, factor(c(text, rep("b", 149))), 3))
  expect_quoted("group", predict(codebook(x, 3), x, factor(rep("a", 150), c("a", text))))
  # Units with such names are told of.
  apart <- `names<-`(transform(named, b = 1e5 * b), c("a", text, "c", "d"))
  withr::local_options(rlib_message_verbosity = "verbose", landmarker.verbose = TRUE)
  expect_message(landmarks(apart, 3, "random"), "stop('ran')", fixed = TRUE)
  file <- file.path(withr::local_tempdir(), text)
  expect_quoted("chunks", as_chunks(file.path(file, "a.csv")))
  writeLines("no idx file, and more than a few bytes", file)
  expect_quoted("idx", read_idx(file))
})

test_that("classes, and errors of a user's own code, are shown, and printed tables and plots parse no text", {
  own <- function(x, n) stop(text)
  compare <- function(...) cv_landmarks(x, species, 3, methods = stats::setNames(list(...), c(text, "b")))
  expect_quoted("method", compare(own, own), landmarks(x, 3, structure(list(), class = text)))
  expect_quoted("data", landmarks(structure(list(1), class = text), 3))
  expect_quoted("chunks", landmarks(chunked(1:2, function(i) stop(text)), 2))
  expect_quoted("missing", landmarks(chunked(1:2, function(i) named * (if (i == 2) NA else 1)), 2))
  expect_warning(cv <- compare(by_random(), own), "stop('ran')", fixed = TRUE)
  expect_output(print(cv), text, fixed = TRUE)
  on_device({
    expect_no_error(print(plot(cv)))
    expect_no_error(print(plot(landmarks(named, 3), named, color = factor(rep(c(text, "b", "c"), 50)))))
  })
  skip_if_not_installed("recipes", "1.0.4")
  expect_quoted("input", step_landmarks(recipes::recipe(~., named), options = stats::setNames(list(1), text)))
})

# ---- packages of Suggests that are missing or too old -----------------------------------------

test_that("the versions that are asked for are those of DESCRIPTION", {
  fields <- utils::packageDescription("landmarker", fields = "Suggests")
  entries <- trimws(strsplit(gsub("\\s+", " ", fields), ",")[[1]])
  # testthat is used by the tests alone.
  entries <- grep("^testthat", grep(">=", entries, value = TRUE), value = TRUE, invert = TRUE)
  least <- stats::setNames(sub(".*>= (.*)\\)", "\\1", entries), sub(" .*", "", entries))
  expect_identical(least[order(names(least))], least_versions[order(names(least_versions))])
})

test_that("a package that is missing, or too old, is named with how to install it", {
  call <- quote(autoplot())
  expect_refused(need_package("notThere", "autoplot()", call))
  expect_refused(need_package("stats", "autoplot()", call, "1000000.1"))
  expect_no_error(need_package("stats", "autoplot()", call, "1.0"))
})
