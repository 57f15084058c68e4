# R's generics for a fit: length(), nobs(), as.data.frame(), formula(), fitted(), update(), and what must not
# change because a fit has a length of its own.

set.seed(1)
x <- sim_swiss_roll(300)
fit <- landmarks(x, 7, bandwidth = 20)
# Columns whose names are not R's, a factor, and a number to predict.
flowers <- stats::setNames(iris[c(1, 2, 5)], c("a b", "w", "kind"))

test_that("a fit has the length of its landmarks, and is a list all the same", {
  expect_identical(length(fit), 7L)
  expect_identical(lengths(list(fit, fit[1:2])), c(7L, 2L))
  expect_identical(length(structure(list(), class = "landmarks")), 0L)
  expect_identical(length(structure(1:3, class = "landmarks")), 3L)
  parts <- names(fit)
  expect_identical(fit[["bandwidth"]], 20)
  expect_identical(names(lapply(fit, identity)), parts)
  expect_identical(names(vapply(fit, typeof, "")), parts)
  expect_identical(all.equal(fit, fit), TRUE)
  other <- fit
  other$bandwidth <- 40
  expect_match(all.equal(fit, other), "bandwidth")
  expect_false(identical(fit, other))
  expect_output(str(fit, max.level = 1), "list of .*\\$ landmarks .*\\$ bandwidth .*\\$ seconds")
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(readRDS(file), fit)
  expect_identical(unserialize(serialize(fit, NULL)), fit)
  expect_identical(utils::modifyList(fit, list(bandwidth = 40)), other)
  expect_output(print(list(fit)), "7 landmarks of 300")
})

test_that("nobs() is the number of rows", {
  expect_identical(nobs(fit), 300L)
  expect_identical(nobs(add_landmarks(fit, x[1:100, ], 1)), 100L)
  graph <- landmark_graph(fit)
  expect_identical(nobs(graph), 300L)
  expect_identical(nobs(embed_landmarks(graph)), 300L)
  expect_identical(nobs(codebook(x, 4)), 300L)
  expect_refused(nobs(structure(list(), class = "landmarks")), "fit")
  for (class in c("landmark_graph", "landmark_embedding", "codebook")) {
    expect_error(nobs(structure(list(), class = class)), class = "landmarker_error_input")
  }
})

test_that("as.data.frame() gives the coordinates", {
  frame <- as.data.frame(fit)
  expect_identical(class(frame), "data.frame")
  expect_identical(as.matrix(frame), coef(fit))
  expect_identical(rownames(frame), paste0("L", 1:7))
  expect_identical(names(as.data.frame(landmarks(unname(x), 2))), c("V1", "V2", "V3"))
  on_frame <- landmarks(flowers, 3)
  expect_identical(
    names(as.data.frame(on_frame, optional = TRUE)),
    c("a b", "w", "kindsetosa", "kindversicolor", "kindvirginica")
  )
  expect_identical(rownames(as.data.frame(on_frame, row.names = letters[1:3])), letters[1:3])
  expect_identical(data.frame(fit), frame)
  expect_refused(as.data.frame(structure(list(), class = "landmarks")), "fit")
})

test_that("fitted() says where the values are", {
  expect_refused(fitted(fit), "data")
  set.seed(1)
  learned <- landmarks(flowers[1:2], 3, by_response(iris$Species, iterations = 20))
  expect_refused(fitted(learned), "data")
})

test_that("formula() gives the variables, and the response", {
  plain <- function(formula) deparse1(formula)
  expect_identical(plain(formula(landmarks(~., flowers, 3))), "~`a b` + w + kind")
  expect_identical(plain(formula(landmarks(flowers, 3))), "~`a b` + w + kind")
  expect_identical(plain(formula(landmarks(~ . - kind, flowers, 3))), "~`a b` + w")
  expect_identical(plain(formula(landmarks(~ poly(w, 2), flowers, 3))), "~poly(w, 2)")
  set.seed(1)
  by <- by_response(iterations = 20)
  learned <- landmarks(log(w) ~ ., flowers, 3, method = by)
  expect_identical(plain(formula(learned)), "log(w) ~ `a b` + kind")
  # The formula stands in a variable.
  wanted <- kind ~ w
  expect_identical(plain(formula(landmarks(wanted, flowers, 3, method = by))), "kind ~ w")
  # It does what the fit's own formula does.
  set.seed(2)
  one <- landmarks(~ . - kind, flowers, 3)
  set.seed(2)
  two <- landmarks(formula(one), flowers, 3)
  expect_identical(coef(two), coef(one))
  expect_refused(formula(fit), "fit")
})

test_that("update() changes arguments of the call", {
  again <- update(fit, n = 4, bandwidth = 30)
  expect_identical(bare(again), bare(landmarks(x, 4, bandwidth = 30)))
  expect_identical(update(fit, n = 4, evaluate = FALSE), quote(landmarks(x = x, n = 4, bandwidth = 20)))
  expect_identical(
    update(fit, bandwidth = NULL, evaluate = FALSE), quote(landmarks(x = x, n = 7))
  )
  local({
    k <- 3
    expect_identical(length(update(fit, n = k)), 3L)
  })
  own <- as_landmarks(x[1:3, ], x, bandwidth = 20)
  expect_identical(update(own, bandwidth = 5)$bandwidth, 5)
})

test_that("update() changes the formula", {
  on_formula <- landmarks(~., flowers, 3)
  fewer <- update(on_formula, ~ . - kind)
  expect_identical(bare(fewer), bare(landmarks(~ `a b` + w, flowers, 3)))
  # A fit to a data frame gets one.
  expect_identical(coef(update(landmarks(flowers, 3), ~ . - kind)), coef(fewer))
  set.seed(1)
  learned <- landmarks(kind ~ ., flowers, 3, method = by_response(iterations = 20))
  expect_identical(deparse1(formula(update(learned, log(w) ~ . - w))), "log(w) ~ `a b`")
})

test_that("update() repeats every step", {
  steps <- refine_landmarks(add_landmarks(fit[1:5], x, 2, "random"), x, 2)
  call <- update(steps, n = 9, max_iterations = 3, evaluate = FALSE)
  expect_identical(call, quote(
    refine_landmarks(
      fit = add_landmarks(
        fit = landmarks(x = x, n = 9, bandwidth = 20)[1:5], x = x, n = 2, method = "random"
      ),
      x = x, max_iterations = 3
    )
  ), ignore_attr = TRUE)
  expect_identical(length(update(steps, n = 9)), 7L)
  expect_identical(update(fit[c(3, 1)], evaluate = FALSE)[[3]], c(3L, 1L))
  expect_identical(coef(update(fit[c(3, 1)])), coef(fit[c(3, 1)]))
  # Other data, in each step that has the same.
  z <- x[1:200, ]
  moved <- update(steps, x = z)
  expect_identical(moved$n_rows, 200L)
  expect_identical(all.vars(update(steps, x = z, evaluate = FALSE)), "z")
  framed <- refine_landmarks(landmarks(~w, flowers, 3), flowers, 1)
  expect_identical(all.vars(update(framed, data = iris, evaluate = FALSE)), c("w", "iris"))
  # A step with data of its own keeps them.
  expect_identical(all.vars(update(add_landmarks(fit, z, 1), x = y, evaluate = FALSE)), c("y", "z"))
})

test_that("update() finds the package's functions where it is not attached", {
  frame <- new.env(parent = baseenv())
  frame$fit <- fit
  frame$x <- x
  expect_identical(length(eval(quote(stats::update(fit[1:3], n = 4)), frame)), 3L)
})

test_that("update() refuses what it cannot change", {
  expect_refused(update(fit, 20))
  expect_refused(update(fit, ~., 20), "dots")
  expect_refused(update(fit, size = 20), "dots")
  expect_refused(update(fit, max_iterations = 20), "dots")
  expect_refused(update(fit, ~w), "fit")
  expect_refused(update(fit, evaluate = NA))
  expect_refused(update(fit, n = 0))
  without <- fit
  without["call"] <- list(NULL)
  expect_refused(update(without, n = 3), "fit")
  expect_refused(update(structure(list(), class = "landmarks")), "fit")
})

test_that("update() takes arguments out by NULL, and calls this package's functions", {
  x <- sim_circles(60)
  fit <- landmarks(x, 4, bandwidth = 0.3)
  expect_length(update(fit, weights = NULL, n = 5), 5)
  expect_identical(update(fit, bandwidth = NULL, evaluate = FALSE), quote(landmarks(x = x, n = 4)))
  landmarks <- function(...) stop("ran")
  expect_length(update(fit, n = 3), 3)
})
