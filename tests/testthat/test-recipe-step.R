# A step of recipes has the features of a direct fit, now and in another session.

skip_slow_file()

skip_if_not_installed("recipes", "1.0.4")

places <- quakes[c("lat", "long", "depth")]
of_quakes <- function(..., formula = mag ~ lat + long + depth, data = quakes) step_of(data, formula, ...)
of_iris <- function(formula = Species ~ ., data = iris, ...) step_of(data, formula, ...)

test_that("the features of a step are those of predict(), to the last bit", {
  x <- as.matrix(places[1:300, ])
  new <- `rownames<-`(as.matrix(places[301:320, ]), NULL)
  # The arguments of landmarks() beside `n`, and of them those that a step has among its options.
  cases <- list(
    list(scale = TRUE), list(method = "random", bandwidth = 900, scale = FALSE),
    list(method = by_kmeans(), bandwidth = "2 * variance", scale = TRUE),
    list(space = "nonnegative", scale = TRUE)
  )
  for (case in cases) {
    step <- case[setdiff(names(case), "space")]
    step$options <- case["space"][!is.null(case$space)]
    # Both warn of landmarks off the data.
    there <- quiet(trained(do.call(of_quakes, c(step, list(num_landmarks = 6, data = quakes[1:300, ])))))
    here <- withr::with_seed(1, quiet(do.call(landmarks, c(list(x, 6), case))))
    expect_identical(features_of(there, quakes[301:320, ]), predict(here, new, "nystrom"))
  }
})

test_that("by hand: the kernel of each row and each landmark that tidy() gives", {
  rec <- trained(of_quakes(num_landmarks = 4, bandwidth = 5e4, scale = FALSE, type = "features"))
  table <- tidy(rec, number = 1)
  expect_identical(table$component, rep(paste0("L", 1:4), each = 3))
  expect_identical(table$terms, rep(c("lat", "long", "depth"), 4))
  expect_identical(unique(table$id), rec$steps[[1]]$id)
  points <- matrix(table$value, 4, byrow = TRUE)
  x <- as.matrix(places[1:10, ])
  expect_equal(unname(features_of(rec, quakes[1:10, ])), naive_features(x, points, 5e4), tolerance = 1e-10)
})

test_that("columns are replaced or kept, with the prefix and the role that were given", {
  rec <- trained(of_quakes(num_landmarks = 3, scale = TRUE))
  expect_named(recipes::bake(rec, NULL), c("mag", "L1", "L2", "L3"))
  options <- list(keep_original_cols = TRUE, prefix = "near_", role = "place")
  kept <- trained(rlang::inject(of_quakes(num_landmarks = 2, scale = TRUE, !!!options)))
  expect_setequal(names(recipes::bake(kept, quakes[1:2, ])), c(names(places), "mag", "near_1", "near_2"))
  expect_named(recipes::bake(kept, NULL, recipes::has_role("place")), c("near_1", "near_2"))
  # No rows, one row, sparse output, no column at all.
  expect_identical(dim(recipes::bake(rec, quakes[0, ])), c(0L, 4L))
  expect_identical(features_of(rec, quakes[5, ]), features_of(rec, quakes)[5, , drop = FALSE])
  sparse <- recipes::bake(rec, quakes, recipes::all_predictors(), composition = "dgCMatrix")
  expect_identical(as.matrix(sparse), features_of(rec, quakes))
  empty <- recipes::recipe(mag ~ depth, quakes)
  empty <- trained(step_landmarks(empty, recipes::all_nominal_predictors()))
  expect_identical(recipes::bake(empty, quakes), recipes::bake(empty, NULL))
  expect_identical(nrow(tidy(empty, number = 1)), 0L)
})

test_that("the outcome is for methods that use one", {
  x <- as.matrix(iris[1:4])
  y <- iris$Species
  direct <- function(...) predict(withr::with_seed(1, landmarks(x, 3, ...)), x, "nystrom")
  quick <- function(...) by_response(..., iterations = 5)
  by_name <- trained(of_iris(num_landmarks = 3, method = quick(), outcome = "Species"))
  expect_identical(features_of(by_name, iris), direct(quick(y)))
  # The fit keeps neither the data nor the outcome.
  expect_lt(length(serialize(by_name$steps[[1]]$res, NULL)), 20000)
  bare <- of_iris(num_landmarks = 3, method = quick(), outcome = Species, bandwidth = "variance")
  expect_identical(features_of(trained(bare), iris), direct(quick(y), "variance"))
  selected <- of_iris(num_landmarks = 3, method = "class", outcome = recipes::all_outcomes())
  named <- of_iris(num_landmarks = 3, method = "class", outcome = Species)
  of_class <- direct(by_class("gp", y))
  for (one in list(selected, named)) expect_identical(features_of(trained(one), iris), of_class)
  # Several columns are tags.
  tags <- cbind(iris[1:4], setosa = +(y == "setosa"), long = +(iris$Petal.Length > 4))
  many <- step_of(tags, setosa + long ~ ., num_landmarks = 3, method = quick(), outcome = c(setosa, long))
  expect_identical(features_of(trained(many), tags), direct(quick(as.matrix(tags[5:6]))))
})

test_that("a message tells of units where neither scale nor a step before deals with them", {
  rlang::reset_message_verbosity("landmarker_units_none")
  apart <- data.frame(step_one = c(1, 2, 3, 4, 5) / 1000, step_two = c(3, 1, 2, 5, 4))
  expect_message(trained(step_of(apart, ~., num_landmarks = 2)), class = "landmarker_message_units")
  expect_message(trained(step_of(apart, ~., num_landmarks = 2, scale = FALSE)), NA)
})

test_that("steps are printed, and tell what they need", {
  shown <- function(x) paste(unlist(evaluate_promise(print(x))[c("output", "messages")]), collapse = "\n")
  rec <- of_quakes(num_landmarks = 3, scale = TRUE)
  expect_match(shown(rec), "Features of 3 landmarks of:? .*all_predictors")
  expect_match(shown(trained(rec)), "Features of 3 landmarks of:? lat, long, depth")
  to_tune <- of_quakes(num_landmarks = quote(tune()), bandwidth = quote(tune("width")))
  expect_match(shown(to_tune), "Features of landmarks of:? .*all_predictors")
  untrained <- as.list(tidy(rec, number = 1)[c("terms", "value")])
  expect_identical(untrained, list(terms = "recipes::all_predictors()", value = NA_real_))
  expect_identical(setdiff(generics::required_pkgs(rec), "recipes"), "landmarker")
  table <- generics::tunable(to_tune)
  expect_identical(table$name, c("num_landmarks", "bandwidth", "method"))
  for (info in table$call_info) expect_true(info$fun %in% getNamespaceExports(info$pkg))
})

test_that("a trained recipe that was saved gives the same features in another session", {
  rec <- recipes::step_normalize(recipes::recipe(mag ~ lat + long + depth, quakes), recipes::all_predictors())
  rec <- trained(step_landmarks(rec, recipes::all_predictors(), num_landmarks = 6))
  here <- recipes::bake(rec, quakes[1:50, ])
  saved <- withr::local_tempfile(fileext = ".rds")
  there <- withr::local_tempfile(fileext = ".rds")
  saveRDS(rec, saved)
  # landmarker is not attached there.
  code <- sprintf(
    "loadNamespace('landmarker'); saveRDS(recipes::bake(readRDS('%s'), quakes[1:50, ]), '%s')", saved, there
  )
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = FALSE, stderr = FALSE)
  expect_identical(readRDS(there), here)
})

test_that("a step leaves rows with missing values out, and gives them missing features", {
  gaps <- airquality[1:40, 1:4]
  whole <- stats::na.omit(gaps)
  options <- list(na.action = na.omit)
  step <- function(data) {
    trained(step_of(data, Temp ~ ., num_landmarks = 3, method = "active", scale = TRUE, options = options))
  }
  # Also where the training data had none.
  for (one in list(step(gaps), step(whole))) {
    out <- recipes::bake(one, gaps)
    expect_identical(nrow(out), 40L)
    expect_identical(which(is.na(out$L1)), as.integer(attr(whole, "na.action")))
  }
  expect_equal(recipes::bake(step(gaps), whole), recipes::bake(step(whole), whole))
})

test_that("arguments, training data and new data are checked", {
  expect_match(refusal(step_landmarks(recipes::recipe(~., iris), n = 3)), "num_landmarks")
  # The message lists the arguments of landmarks() that are left, and these may become more.
  for (options in list(list(n = 5), list(5), "threads")) {
    expect_error(of_iris(options = options), "named list of further", class = "landmarker_error_input")
  }
  warnings <- capture_warnings(trained(of_iris(num_landmarks = 151, scale = FALSE)))
  expect_match(warnings, "exceeds the number of training rows: 150 landmarks", all = FALSE)
  expect_error(own_error(trained(of_iris(data = iris[0, ]))), class = "landmarker_error_data")
  y <- iris$Species
  gap <- replace(iris, cbind(7, 5), NA)
  named <- stats::setNames(iris[1:4], paste0("L", 1:4))
  rec <- trained(of_iris(num_landmarks = 3))
  step <- rec$steps[[1]]
  expect_s3_class(recipes::bake(rec, cbind(iris, L2 = 1)), "tbl_df")
  # Settings that were changed after the step was made are checked in prep().
  change <- function(...) {
    changed <- of_iris(num_landmarks = 3)
    changed$steps[[1]] <- utils::modifyList(changed$steps[[1]], list(...))
    trained(changed)
  }
  expect_refused(
    step_landmarks(), step_landmarks(iris), of_iris(role = 1:2), of_iris(num_landmarks = 0),
    of_iris(bandwidth = -1), of_iris(method = "nearest"), of_iris(scale = NA),
    of_iris(options = list(space = "ball")), of_iris(options = list(space = "sphere"), scale = TRUE),
    of_iris(prefix = ""), of_iris(keep_original_cols = "no"), of_iris(skip = NA),
    of_iris(method = "response"), of_iris(method = by_class()), of_iris(outcome = Species),
    own_error(trained(of_iris(method = "response", outcome = recipes::all_nominal_predictors()))),
    own_error(trained(of_iris(method = "response", outcome = nothing))),
    own_error(trained(of_iris(method = by_response(y), outcome = Species))),
    own_error(trained(of_iris(data = gap, method = "response", outcome = Species))),
    own_error(trained(of_iris(data = replace(iris, cbind(3, 4), Inf)))), own_error(trained(of_iris(~.))),
    own_error(trained(of_iris(~., data.frame(day = as.Date("2020-01-01") + 0:20)))),
    own_error(trained(of_iris(~., named, num_landmarks = 3))),
    own_error(trained(step_landmarks(recipes::recipe(Species ~ ., iris), Petal.Color))),
    own_error(change(method = "response")), own_error(change(bandwidth = "wide")),
    own_error(recipes::bake(rec, replace(iris, cbind(150, 2), NA))),
    own_error(recipes::bake(step, iris[c(1, 5)])),
    own_error(recipes::bake(step, transform(iris, Sepal.Length = "long"))),
    own_error(recipes::bake(step, cbind(iris, L2 = 1)))
  )
})
