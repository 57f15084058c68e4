# R's generics for a fit: length(), nobs(), as.data.frame(), formula(), fitted(), and what must not change
# because a fit has a length of its own.

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
  expect_identical(fit[["bandwidth"]], 20)
  expect_identical(names(lapply(fit, identity)), names(fit))
  expect_identical(names(vapply(fit, typeof, "")), names(fit))
  expect_identical(all.equal(fit, fit), TRUE)
  other <- fit
  other$bandwidth <- 40
  expect_match(all.equal(fit, other), "bandwidth")
  expect_output(str(fit, max.level = 1), "list of .*\\$ landmarks .*\\$ bandwidth .*\\$ seconds")
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(readRDS(file), fit)
  expect_identical(utils::modifyList(fit, list(bandwidth = 40)), other)
  expect_output(print(list(fit)), "7 landmarks of 300")
})

test_that("nobs() is the number of rows", {
  expect_identical(nobs(fit), 300L)
  expect_identical(nobs(add_landmarks(fit, x[1:100, ], 1)), 100L)
  graph <- landmark_graph(fit)
  for (object in list(graph, embed_landmarks(graph), codebook(x, 4))) {
    expect_identical(nobs(object), 300L)
    expect_error(nobs(structure(list(), class = class(object))), class = "landmarker_error_input")
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
})

test_that("fitted() and residuals() are those of held-out rows, or say where the values are", {
  set.seed(1)
  learned <- landmarks(flowers[1:2], 3, by_response(iris$Petal.Width, iterations = 20))
  out <- learned$response$held_out$index
  expect_length(fitted(learned), 150)
  expect_identical(which(!is.na(fitted(learned))), as.integer(out))
  expect_equal(fitted(learned) + residuals(learned), replace(rep(NA, 150), out, iris$Petal.Width[out]))
  classes <- landmarks(flowers[1:2], 3, by_response(iris$Species, iterations = 20))
  expect_identical(dim(fitted(classes)), c(150L, 3L))
  none <- landmarks(flowers[1:2], 3, by_response(iris$Species, iterations = 20, held_out = 0))
  expect_refused(fitted(fit), residuals(fit), residuals(classes), fitted(none))
})

test_that("formula() gives the variables, and the response", {
  of <- function(...) deparse1(formula(landmarks(...)))
  expect_identical(of(~., flowers, 3), "~`a b` + w + kind")
  expect_identical(of(flowers, 3), "~`a b` + w + kind")
  expect_identical(of(~ . - kind, flowers, 3), "~`a b` + w")
  expect_identical(of(~ poly(w, 2), flowers, 3), "~poly(w, 2)")
  by <- by_response(iterations = 20)
  expect_identical(of(log(w) ~ ., flowers, 3, method = by), "log(w) ~ `a b` + kind")
  # The formula stands in a variable.
  wanted <- kind ~ w
  expect_identical(of(wanted, flowers, 3, method = by), "kind ~ w")
  # It does what the fit's own formula does.
  set.seed(2)
  one <- landmarks(~ . - kind, flowers, 3)
  set.seed(2)
  two <- landmarks(formula(one), flowers, 3)
  expect_identical(coef(two), coef(one))
  expect_refused(formula(fit))
})
