# Tables where package tibble is missing, what is computed once, and numbers in words.

test_that("tables print and can be indexed where tibble is not installed", {
  skip_on_os("windows")
  skip_if(dir.exists(file.path(.Library, "tibble")))
  lib <- withr::local_tempdir()
  for (package in c("landmarker", "cli", "generics", "rlang")) {
    file.symlink(find.package(package), file.path(lib, package))
  }
  script <- withr::local_tempfile(lines = c(
    "stopifnot(!requireNamespace('tibble', quietly = TRUE), !requireNamespace('pillar', quietly = TRUE))",
    "library(landmarker)", "x <- cbind(a = c(1, 2, 4), b = c(0, 1, 0))",
    "out <- augment(as_landmarks(x[1:2, ], x, bandwidth = 1), x)", "print(out)",
    "print(out[out$.distance == 0, 'a', drop = FALSE])", "print(class(out))", "print(out[['b']])"
  ))
  # .libPaths() of the child: the site's own library is left out too.
  env <- c(paste0("R_LIBS=", lib), "R_LIBS_USER=none", "R_LIBS_SITE=none", "R_TESTS=", "R_PROFILE_USER=none")
  rscript <- file.path(R.home("bin"), "Rscript")
  said <- suppressWarnings(system2(rscript, c("--vanilla", script), stdout = TRUE, stderr = TRUE, env = env))
  expect_identical(said, c(
    "  a b .landmark .distance", "1 1 0         1  0.000000", "2 2 1         2  0.000000",
    "3 4 0         2  2.236068", "  a", "1 1", "2 2", "[1] \"tbl_df\"     \"tbl\"        \"data.frame\"",
    "[1] 0 1 0"
  ))
})

test_that("what is asked for twice is computed once", {
  asked <- integer()
  square <- landmarker:::once_each(function(k) {
    asked <<- c(asked, k)
    k^2
  })
  expect_identical(c(square(3L), square(10L), square(3L), square(1L), square(10L)), c(9, 100, 9, 1, 100))
  expect_identical(asked, c(3L, 10L, 1L))
})

test_that("numbers are printed where the mark of decimals is a comma", {
  fit <- landmarks(odd_matrix(1200, 2), 3)
  rlang::local_options(OutDec = ",")
  expect_no_warning(said <- utils::capture.output(print(fit)))
  expect_match(said[1], "1.200 observations", fixed = TRUE)
})

test_that("messages show what was given as R would", {
  x <- as.matrix(iris[1:4])
  expect_refused(
    landmarks(x, 100 * 1.1), landmarks(x, c(a = 1, b = NA)), landmarks(x, 4, c("{1 + 1}", "b")),
    landmarks(x, 4, quote(f(x))),
    landmarks(iris, 4, Species ~ .), landmarks(x, 4, rep(strrep("a", 30), 2))
  )
})

test_that("an array of one dimension is a vector", {
  fit <- withr::with_seed(1, landmarks(iris[1:4], 4))
  means <- tapply(iris$Sepal.Width, predict(fit, iris[1:4], "nearest")$landmark, mean)
  expect_identical(predict(fit, iris[1:4], values = means), predict(fit, iris[1:4], values = c(means)))
  expect_identical(coef(fit[array(2:1)]), coef(fit[2:1]))
})
