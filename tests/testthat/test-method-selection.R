# A selector that stands outside the package's namespace.

own <- function(chooses = FALSE) {
  new_method("every_other", list(first = 2), prefixes = FALSE, chooses_size = chooses)
}

register_own <- function(env = parent.frame()) {
  select <- function(method, source, n, kernel, held, call) {
    rows <- as.integer(seq(method$first, source$dim[1], length.out = if (is.null(n)) 4 else n))
    selection(rows_as_points(source, rows), rows = rows, used = list(step = diff(rows)[1]))
  }
  environment(select) <- globalenv()
  registerS3method("select_landmarks", "every_other", select)
  registerS3method("format", "every_other", function(x, ...) "rows at equal steps")
}

test_that("a selector of one's own works as the package's do", {
  register_own()
  x <- as.matrix(iris[1:4])
  fit <- landmarks(x, 10, own())
  wanted <- as.integer(seq(2, 150, length.out = 10))
  expect_setequal(fit$rows, wanted)
  expect_identical(unname(coef(fit)), unname(x[fit$rows, ]))
  expect_output(print(fit), "rows at equal steps, step")
  expect_error(landmarks(x, method = own()), class = "landmarker_error_input")
  expect_identical(nrow(coef(landmarks(x, method = own(TRUE)))), 4L)
  # On sparse data, and in chunks.
  sparse <- methods::as(x, "CsparseMatrix")
  expect_equal(unname(coef(landmarks(sparse, 10, own()))), unname(coef(fit)), tolerance = 1e-12)
  expect_setequal(landmarks(in_chunks(x), 10, own())$rows, wanted)
  added <- add_landmarks(landmarks(x, 3, "random"), x, 5, own())
  expect_identical(nrow(coef(added)), 8L)
  cv <- cv_landmarks(x, iris$Species, c(5, 10), list(own = own(), random = by_random()), folds = 3, seeds = 1)
  expect_false(anyNA(cv$summary$accuracy))
  expect_identical(dim(predict(fit, x)), c(150L, 10L))
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), x), predict(fit, x))
})

test_that("what a selector can do is said where it is made", {
  expect_true(method_can(by_random(), "prefixes"))
  expect_false(method_can(by_gp(), "prefixes"))
  expect_true(method_can(by_gp("sequential"), "prefixes"))
  expect_true(method_can(by_kmeans(max_iterations = 0), "prefixes"))
  expect_false(method_can(by_kmeans(), "knows_kernel"))
  expect_true(method_can(by_dpp_exact(), "chooses_size"))
  expect_error(new_method("mine", prefixes = NA), class = "landmarker_error_input")
})

test_that("a selector without a format() method has the name of its class", {
  registerS3method("select_landmarks", "by_first", function(method, source, n, kernel, held, call) {
    selection(rows_as_points(source, seq_len(n)))
  }, asNamespace("landmarker"))
  fit <- landmarks(as.matrix(iris[1:4]), 3, new_method("by_first", list(rows = 3, text = "a")))
  expect_output(print(fit), "by_first", fixed = TRUE)
  expect_output(print(fit$method), "<landmark method> by_first\n  rows: 3\n  text: a")
})

test_that("what selection() accepts is what a fit accepts", {
  x <- as.matrix(iris[1:4])
  by_part <- function(...) new_method("by_part", list(part = list(...)))
  registerS3method("format", "by_part", function(x, ...) "a part", baseenv())
  registerS3method("select_landmarks", "by_part", function(method, source, n, kernel, held, call) {
    given <- method$part
    given$landmarks <- given$landmarks %||% rows_as_points(source, seq_len(n))
    do.call(selection, given)
  }, asNamespace("landmarker"))
  fit_of <- function(...) landmarks(x, 3, by_part(...), bandwidth = 1)
  plain <- fit_of()
  same <- function(fit) {
    expect_equal(coef(fit), coef(plain))
    expect_identical(dim(predict(fit, x)), c(150L, 3L))
  }
  # Rows with their names, of any kind of number.
  same(fit_of(landmarks = as.matrix(iris[1:3, 1:4])))
  same(fit_of(landmarks = unname(x[1:3, ])))
  expect_identical(rownames(coef(fit_of(landmarks = as.matrix(iris[1:3, 1:4])))), c("L1", "L2", "L3"))
  whole <- matrix(c(5L, 3L, 1L, 0L, 6L, 3L, 5L, 2L), 2, byrow = TRUE)
  expect_type(coef(landmarks(x, 2, by_part(landmarks = whole), bandwidth = 1)), "double")
  same(fit_of(moved = rep(NA, 3)))
  expect_output(print(fit_of(used = list(steps = 3))), "steps 3")
  expect_warning(expect_output(print(by_part(1)), "a part"), NA)
  refused <- function(...) expect_error(fit_of(...), class = "landmarker_error_selection")
  refused(iterations = c(1, 2, -1))
  refused(moved = c(1, 2, -1))
  refused(trace = c(1, 2, Inf))
  refused(used = list(rule = "mine"))
  refused(iterations = c(1, 2, 1e12))
  refused(moved = c(1, 2, Inf))
  refused(covariance = matrix(1, 2, 4))
  refused(covariance = -matrix(1, 3, 4))
  # Not symmetric.
  refused(covariance = array(1:48 + 0, c(4, 4, 3)))
  expect_identical(dim(fit_of(covariance = matrix(1, 3, 4))$covariance), c(3L, 4L))
  # Also where the landmarks are the start of another method.
  y <- iris$Species
  within <- function(...) landmarks(x, 3, by_response(y, start = by_part(...), iterations = 5), bandwidth = 1)
  expect_error(within(landmarks = x[1:3, 1, drop = FALSE]), class = "landmarker_error_selection")
  expect_error(within(landmarks = x[0, ]), class = "landmarker_error_rank")
  inside <- function(...) landmarks(x, 3, by_class(by_part(...), y), bandwidth = 1)
  expect_error(inside(landmarks = x[1:3, 1, drop = FALSE]), class = "landmarker_error_selection")
})
