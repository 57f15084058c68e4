# A step of recipes has the features of a direct fit, now and in another session.

skip_slow_file()

skip_if_not_installed("recipes", "1.0.4")

places <- quakes[c("lat", "long", "depth")]
with_magnitude <- mag ~ lat + long + depth

test_that("the features of a step are those of predict(), to the last bit", {
  x <- as.matrix(places[1:300, ])
  new <- as.matrix(places[301:320, ])
  rownames(new) <- NULL
  direct <- function(seed, ...) {
    set.seed(seed)
    predict(landmarks(x, ...), new, "nystrom")
  }
  in_recipe <- function(seed, ...) {
    features_of(trained(step_of(quakes[1:300, ], with_magnitude, ...), seed), quakes[301:320, ])
  }
  expect_identical(in_recipe(1, num_landmarks = 7, scale = TRUE), direct(1, n = 7, scale = TRUE))
  expect_identical(
    in_recipe(2, num_landmarks = 5, method = "random", bandwidth = 900, scale = FALSE),
    direct(2, n = 5, method = "random", bandwidth = 900, scale = FALSE)
  )
  expect_identical(
    in_recipe(3, num_landmarks = 6, method = by_kmeans(), bandwidth = "2 * variance", scale = TRUE),
    direct(3, n = 6, method = by_kmeans(), bandwidth = "2 * variance", scale = TRUE)
  )
  # The two warn of landmarks off the data.
  suppressWarnings(expect_identical(
    in_recipe(4, num_landmarks = 4, options = list(space = "nonnegative"), scale = TRUE),
    direct(4, n = 4, space = "nonnegative", scale = TRUE)
  ), "landmarker_warning_off_data")
})

test_that("by hand: the kernel of each row and each landmark that tidy() gives", {
  rec <- trained(step_of(quakes, with_magnitude,
    num_landmarks = 4, bandwidth = 5e4, scale = FALSE, type = "features"
  ))
  table <- tidy(rec, number = 1)
  expect_s3_class(table, "tbl_df")
  expect_identical(table$component, rep(paste0("L", 1:4), each = 3))
  expect_identical(table$terms, rep(c("lat", "long", "depth"), 4))
  expect_identical(unique(table$id), rec$steps[[1]]$id)
  points <- matrix(table$value, 4, byrow = TRUE)
  x <- as.matrix(places[1:10, ])
  squared <- apply(points, 1, function(t) colSums((t(x) - t)^2))
  expect_equal(unname(features_of(rec, quakes[1:10, ])), unname(exp(-squared / 5e4)), tolerance = 1e-10)
})

test_that("columns are replaced or kept, with the prefix and the role that were given", {
  rec <- trained(step_of(quakes, with_magnitude, num_landmarks = 2, scale = TRUE))
  expect_named(recipes::bake(rec, NULL), c("mag", "L1", "L2"))
  kept <- step_of(quakes, with_magnitude,
    num_landmarks = 2, scale = TRUE, keep_original_cols = TRUE, prefix = "near_", role = "place"
  )
  kept <- trained(kept)
  expect_named(recipes::bake(kept, quakes[1:2, ]), c("lat", "long", "depth", "mag", "near_1", "near_2"),
    ignore.order = TRUE
  )
  expect_named(recipes::bake(kept, NULL, recipes::has_role("place")), c("near_1", "near_2"))
})

test_that("zero rows, one row, one column, sparse output, no column at all", {
  rec <- trained(step_of(quakes, with_magnitude, num_landmarks = 3, scale = TRUE))
  none <- recipes::bake(rec, quakes[0, ])
  expect_identical(dim(none), c(0L, 4L))
  expect_identical(features_of(rec, quakes[5, ]), features_of(rec, quakes)[5, , drop = FALSE])
  sparse <- recipes::bake(rec, quakes, recipes::all_predictors(), composition = "dgCMatrix")
  expect_s4_class(sparse, "dgCMatrix")
  expect_identical(as.matrix(sparse), features_of(rec, quakes))
  one <- trained(step_of(quakes, mag ~ depth, num_landmarks = 3))
  set.seed(1)
  fit <- landmarks(as.matrix(quakes["depth"]), 3)
  expect_identical(features_of(one, quakes), predict(fit, as.matrix(quakes["depth"]), "nystrom"))
  empty <- recipes::recipe(mag ~ depth, quakes)
  empty <- trained(step_landmarks(empty, recipes::all_nominal_predictors()))
  expect_identical(recipes::bake(empty, quakes), recipes::bake(empty, NULL))
  expect_identical(nrow(tidy(empty, number = 1)), 0L)
})

test_that("the outcome is for methods that use one", {
  direct <- function(...) {
    set.seed(1)
    predict(landmarks(...), as.matrix(iris[1:4]), "nystrom")
  }
  x <- as.matrix(iris[1:4])
  quick <- function(...) by_response(..., iterations = 20)
  y <- iris$Species
  by_name <- trained(step_of(iris, Species ~ ., num_landmarks = 3, method = quick(), outcome = "Species"))
  expect_identical(features_of(by_name, iris), direct(x, 3, quick(y)))
  bare <- step_of(iris, Species ~ .,
    num_landmarks = 3, method = quick(), outcome = Species, bandwidth = "variance"
  )
  expect_identical(features_of(trained(bare), iris), direct(x, 3, quick(y), "variance"))
  older <- step_of(iris, Species ~ ., num_landmarks = 3, method = "class", outcome = recipes::all_outcomes())
  expect_identical(features_of(trained(older), iris), direct(x, 3, by_class("gp", y)))
  vars <- recipes::recipe(Species ~ ., iris)
  vars <- step_landmarks(vars, recipes::all_predictors(),
    num_landmarks = 3, method = "class", outcome = vars(Species)
  )
  expect_identical(features_of(trained(vars), iris), direct(x, 3, by_class("gp", y)))
  # Several columns are tags.
  tags <- cbind(iris[1:4], setosa = +(y == "setosa"), long = +(iris$Petal.Length > 4))
  many <- step_of(tags, setosa + long ~ ., num_landmarks = 3, method = quick(), outcome = c(setosa, long))
  expect_identical(features_of(trained(many), tags), direct(x, 3, quick(as.matrix(tags[5:6]))))
  # The fit keeps neither the data nor the outcome.
  expect_lt(length(serialize(by_name$steps[[1]]$res, NULL)), 20000)
})

test_that("a message tells of units where neither scale nor a step before deals with them", {
  rlang::reset_message_verbosity("landmarker_units_none")
  apart <- data.frame(step_one = c(1, 2, 3, 4, 5) / 1000, step_two = c(3, 1, 2, 5, 4))
  expect_message(trained(step_of(apart, ~., num_landmarks = 2)), class = "landmarker_message_units")
  expect_message(trained(step_of(apart, ~., num_landmarks = 2, scale = FALSE)), NA)
})

test_that("steps are printed, and tell what they need", {
  shown <- function(x) {
    all <- evaluate_promise(print(x))
    paste(c(all$output, all$messages), collapse = "\n")
  }
  rec <- step_of(quakes, with_magnitude, num_landmarks = 3, scale = TRUE)
  expect_match(shown(rec), "Features of 3 landmarks of:? .*all_predictors")
  expect_match(shown(trained(rec)), "Features of 3 landmarks of:? lat, long, depth")
  to_tune <- step_of(quakes, with_magnitude, num_landmarks = quote(tune()), bandwidth = quote(tune("width")))
  expect_match(shown(to_tune), "Features of landmarks of:? .*all_predictors")
  expect_identical(tidy(rec, number = 1)[["value"]], NA_real_)
  expect_identical(tidy(rec, number = 1)$terms, "recipes::all_predictors()")
  expect_identical(setdiff(generics::required_pkgs(rec), "recipes"), "landmarker")
  table <- generics::tunable(to_tune)
  expect_identical(table$name, c("num_landmarks", "bandwidth", "method"))
  for (info in table$call_info) {
    expect_true(info$fun %in% getNamespaceExports(info$pkg))
  }
})

test_that("a trained recipe that was saved gives the same features in another session", {
  rec <- recipes::step_normalize(recipes::recipe(with_magnitude, quakes), recipes::all_predictors())
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
  skip_if_not_installed("recipes", "1.0.4")
  gaps <- airquality[1:40, 1:4]
  whole <- stats::na.omit(gaps)
  step <- function(data) {
    made <- recipes::recipe(Temp ~ ., data)
    made <- step_landmarks(made, recipes::all_numeric_predictors(),
      num_landmarks = 3, method = "active", scale = TRUE, options = list(na.action = na.omit)
    )
    recipes::prep(made, data)
  }
  # Also where the training data had none.
  for (one in list(step(gaps), step(whole))) {
    out <- recipes::bake(one, gaps)
    expect_identical(nrow(out), 40L)
    expect_identical(which(is.na(out$L1)), as.integer(attr(whole, "na.action")))
  }
  set.seed(1)
  of_gaps <- recipes::bake(step(gaps), whole)
  set.seed(1)
  expect_equal(of_gaps, recipes::bake(step(whole), whole))
})
