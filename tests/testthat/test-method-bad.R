# Method objects that were edited or read from a file: an option is valid where the function takes it.

skip_slow_file()

methods <- list(
  by_gp(), by_gp("sequential"), by_gp("sgd"), by_gp("sgd", batch_size = 50, iterations = 10),
  by_gp(batch_size = c(100, 200)), by_gp(batch_size = Inf), by_gp(batches = 3),
  by_gp(start = matrix(0, 2, 2), step_size = function(s) 1 / s), by_active(), by_active(50, "random", 2),
  by_dpp(), by_dpp(5, "sin2", 1, "full", "tree"), by_dpp_exact(), by_dpp_exact(3, "geodesic", 1, 5),
  by_kmeans(), by_kmeans("uniform", 0), by_kmeans(batch_size = 10), by_random(), by_random(1:3), by_class(),
  by_class(by_kmeans(), factor(1:2), "left"), by_response(),
  by_response(1:3, "gaussian", by_class(), 10, 20, 0.2, 1), new_method("mine", list(a = 1))
)

test_that("a method object is valid as its function returns it, and after saving", {
  file <- withr::local_tempfile()
  for (method in methods) {
    expect_null(method_flaw(method))
    saveRDS(method, file)
    expect_null(method_flaw(readRDS(file)))
  }
})

test_that("every changed option is found, in a method and in a fit", {
  x <- sim_circles(30)
  fit <- landmarks(x, 3, bandwidth = 0.3)
  tried <- methods[-length(methods)]
  # One of each kind, or all.
  kind <- lapply(tried, function(method) list(class(method), names(method)))
  if (!full_run()) tried <- tried[!duplicated(kind)]
  for (method in tried) {
    for (option in setdiff(names(method), "y")) {
      changed <- method
      changed[option] <- list(quote(a))
      expect_error(landmarks(x, 3, changed, bandwidth = 0.3), class = "landmarker_error_method")
      fit$method <- changed
      expect_error(add_landmarks(fit, x, 2), class = "landmarker_error_fit")
    }
    # An option that is NULL by default may be absent: a saved method has no options of later versions.
    usual <- unclass(do.call(class(method)[1], list()))
    first <- which(!vapply(usual[names(method)], is.null, NA) & names(method) != "y")[1]
    if (!is.na(first)) {
      without <- structure(unclass(method)[-first], class = class(method), can = attr(method, "can"))
      expect_error(landmarks(x, 3, without), class = "landmarker_error_method")
    }
    attr(method, "can") <- list()
    expect_error(landmarks(x, 3, method), class = "landmarker_error_method")
  }
})

test_that("messages name the option", {
  x <- sim_circles(30)
  changed <- by_dpp()
  changed$neighbors <- -1L
  expect_snapshot(error = TRUE, landmarks(x, 3, changed))
  changed <- by_gp()
  changed$extra <- 1
  expect_snapshot(error = TRUE, landmarks(x, 3, changed))
  expect_snapshot(error = TRUE, new_method())
  expect_snapshot(error = TRUE, new_method(1))
  expect_snapshot(error = TRUE, new_method("mine", 1:3))
})

test_that("a method that is misspelled, or a response in its place, has a remedy", {
  x <- odd_matrix(20, 2)
  refused <- function(...) {
    e <- expect_error(landmarks(...), class = "landmarker_error")
    cli::ansi_strip(conditionMessage(e))
  }
  expect_match(refused(x, 3, "kmean"), "Did you mean \"kmeans\"", fixed = TRUE)
  expect_match(refused(x, 3, factor(rep(1:2, length.out = nrow(x)))), "by_response(y)", fixed = TRUE)
  expect_match(refused(x, 3, y = 1:3), "method = by_response(y)", fixed = TRUE)
  # No distance between strings of no encoding.
  expect_no_match(refused(x, 3, `Encoding<-`("\xff\xfe", "bytes")), "Did you mean")
})
