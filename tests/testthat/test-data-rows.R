# Rows with missing values: left out as lm() does, and numbered as the user gave them.

air <- airquality[1:60, ]
whole <- which(stats::complete.cases(air))
gone <- setdiff(1:60, whole)

# A fit of all rows but some is the fit of the rows that are left, except for the numbers of rows.
expect_fit_of_rest <- function(fit, rest, kept = whole) {
  expect_identical(coef(fit), coef(rest))
  expect_identical(fit$variance, rest$variance)
  expect_identical(fit$nearest, kept[rest$nearest])
  expect_identical(fit$rows, kept[rest$rows])
  held_out <- rest$response$held_out$index
  if (!is.null(held_out)) expect_identical(fit$response$held_out$index, kept[held_out])
  expect_identical(fit$n_rows, length(kept))
}

test_that("rows are left out of data frames, matrices and sparse matrices", {
  x <- unname(as.matrix(air))
  for (data in list(air, x, methods::as(x, "CsparseMatrix"))) for (method in c("gp", "random")) {
    fit <- fit_to(data, 5, method, na.action = na.omit)
    expect_fit_of_rest(fit, fit_to(data[whole, ], 5, method))
    expect_identical(fit$sparse, isS4(data))
  }
})

test_that("na.action() is that of lm()", {
  for (action in list(na.omit, na.exclude)) {
    expect_identical(
      na.action(fit_to(air, 4, na.action = action)), na.action(lm(Ozone ~ Solar.R, air, na.action = action))
    )
  }
  named <- `rownames<-`(as.matrix(air), paste0("r", 1:60))
  expect_identical(names(na.action(fit_to(named, 4, na.action = "na.omit"))), paste0("r", gone))
})

test_that("only variables of the formula count, and so does what they become", {
  fit <- fit_to(~ Wind + Temp, air, 4, na.action = na.omit)
  expect_null(na.action(fit))
  d <- data.frame(a = c(-1, 1:9), b = c(1:9, NA))
  fit <- suppressWarnings(fit_to(~ log(a), d, 3, na.action = na.omit))
  expect_identical(as.integer(na.action(fit)), 1L)
  expect_identical(coef(fit), coef(fit_to(~ log(a), d[-1, ], 3)))
  # As without them, also where a transformation looks at all rows.
  fit <- fit_to(~ scale(Ozone) + Wind, air, 3, na.action = na.omit)
  expect_identical(coef(fit), coef(fit_to(~ scale(Ozone) + Wind, air[!is.na(air$Ozone), ], 3)))
  d <- data.frame(a = 1:8, f = addNA(factor(c("u", "v", NA, "u", "v", "u", "v", "u"))))
  expect_identical(as.integer(na.action(fit_to(d, 2, na.action = na.omit))), 3L)
})

test_that("weights and responses go along", {
  w <- seq(0.5, 2, length.out = 60)
  expect_fit_of_rest(
    fit_to(air, 5, weights = w, na.action = na.omit), fit_to(air[whole, ], 5, weights = w[whole])
  )
  method <- by_response(iterations = 5)
  fit <- fit_to(Ozone ~ Wind + Solar.R, air, 3, method, na.action = na.omit)
  expect_fit_of_rest(fit, fit_to(Ozone ~ Wind + Solar.R, air[whole, ], 3, method))
  # A row whose response alone is missing.
  kept <- which(!is.na(air$Ozone))
  fit <- fit_to(Ozone ~ Wind, air, 3, method, na.action = na.omit)
  expect_fit_of_rest(fit, fit_to(Ozone ~ Wind, air[kept, ], 3, method), kept)
  own <- by_response(air$Ozone, iterations = 5)
  x <- as.matrix(air[c("Wind", "Temp")])
  part <- by_response(air$Ozone[kept], iterations = 5)
  expect_fit_of_rest(fit_to(x, 3, own, na.action = na.omit), fit_to(x[kept, ], 3, part), kept)
  groups <- rep(c("a", "b"), 30)
  expect_fit_of_rest(
    fit_to(air, 4, by_class("kmeans", y = groups), na.action = na.omit),
    fit_to(air[whole, ], 4, by_class("kmeans", y = groups[whole]))
  )
})

test_that("later steps leave out rows as the fit did", {
  fit <- fit_to(air, 4, na.action = na.omit)
  rest <- fit_to(air[whole, ], 4)
  again <- function(fit, step, ...) withr::with_seed(2, step(fit, ...))
  expect_fit_of_rest(
    again(fit, add_landmarks, air, 3, "active"), again(rest, add_landmarks, air[whole, ], 3, "active")
  )
  rows <- fit_to(air, 4, "active", na.action = na.omit)
  more <- again(rows, add_landmarks, air, 3)
  expect_true(all(rows$rows %in% more$rows))
  expect_equal(unname(as.matrix(air[more$rows, ])), unname(coef(more)))
  y <- air$Wind
  expect_fit_of_rest(
    again(fit, refine_landmarks, air, 5, y = y), again(rest, refine_landmarks, air[whole, ], 5, y = y[whole])
  )
  w <- seq(0.5, 2, length.out = 60)
  error <- reconstruction_error(fit, air, weights = w)
  expect_identical(error, reconstruction_error(rest, air[whole, ], weights = w[whole]))
  near <- nearest_observations(rest, air[whole, ], 2)
  near$observation <- whole[near$observation]
  expect_identical(nearest_observations(fit, air, 2), near)
  expect_identical(sketch_rows(fit, air, 9), whole[sketch_rows(rest, air[whole, ], 9)])
})

test_that("predict() is that of lm(): missing values, or no rows", {
  fit <- fit_to(air, 4, na.action = na.omit)
  all <- predict(fit, air[whole, ])
  for (action in list(na.pass, na.exclude, "na.pass")) {
    w <- predict(fit, air, na.action = action)
    expect_identical(unname(w[whole, ]), unname(all))
    expect_true(all(is.na(w[gone, ])))
  }
  # The rows that are left have their numbers, and names that they have in a part of the data.
  left <- predict(fit, air, na.action = na.omit)
  expect_identical(left, all, ignore_attr = TRUE)
  expect_identical(rownames(left), as.character(whole))
  part <- predict(fit, air[60:1, ], na.action = na.omit)
  expect_identical(rownames(part), as.character(rev(whole)))
  expect_identical(part, left[rev(seq_along(whole)), ])
  near <- predict(fit, air, "nearest", na.action = na.pass)
  expect_identical(near$landmark[whole], predict(fit, air[whole, ], "nearest")$landmark)
  expect_identical(which(is.na(near$distance)), gone)
  left <- predict(fit, air, "variance", x = air, na.action = na.pass)
  expect_identical(left[whole], unname(predict(fit, air[whole, ], "variance", x = air[whole, ])))
  expect_identical(predict(fit, air[5, ], na.action = na.pass), matrix(NA_real_, 1, 4), ignore_attr = TRUE)
  # A matrix with names of rows, and columns that the fit does not use.
  x <- `rownames<-`(cbind(as.matrix(air), other = NA), paste0("r", 1:60))
  x[3, "Wind"] <- NA
  on_matrix <- fit_to(as.matrix(air[c("Wind", "Temp")]), 3)
  expect_identical(which(is.na(predict(on_matrix, x, na.action = na.exclude)[, 1])), c(r3 = 3L))
  expect_identical(rownames(predict(on_matrix, x, na.action = na.omit)), rownames(x)[-3])
})

test_that("embeddings take rows with missing values too", {
  x <- cbind(cos(1:100), sin(1:100))
  embedding <- embed_landmarks(fit_to(x, 12, bandwidth = 0.3), dims = 2, neighbors = 4)
  y <- predict(embedding, x)
  x[4, 1] <- NA
  left <- predict(embedding, x, na.action = na.omit)
  expect_identical(dimnames(left)[[1]], as.character(setdiff(1:100, 4)))
  expect_identical(unname(left), unname(y[-4, ]))
  expect_identical(predict(embedding, x, na.action = na.pass), replace(y, cbind(4, 1:2), NA))
})

test_that("print() says how many were left out", {
  shown <- function(...) print(with_part(fit_to(..., na.action = na.omit), seconds = 1))
  expect_snapshot({
    shown(air, 4, scale = TRUE)
    shown(air[4:9, 3:5], 2)
    shown(air[4:6, 1:3], 1, bandwidth = 9)
  })
})

test_that("a bad na.action, missing values without one, and what else is wrong are refused", {
  fit <- fit_to(air[whole, ], 3)
  # Rows have the numbers of the user's.
  d <- replace(air, cbind(20, 3), Inf)
  expect_refused(
    landmarks(air, 3, na.action = na.pass), landmarks(~Wind, air, 3, na.action = mean), landmarks(air, 3),
    landmarks(in_chunks(air[1:20, 3:4]), 3, na.action = na.omit), predict(fit, air),
    add_landmarks(fit, air, 1), landmarks(d, 3, na.action = na.omit),
    landmarks(air[gone, ], 1, na.action = na.omit), landmarks(air, 3, weights = 1:5, na.action = na.omit),
    landmarks(air, 3, weights = c(NA, 1:59), na.action = na.omit),
    landmarks(air, length(whole) + 1, na.action = na.omit)
  )
})

# ---- `subset` of a formula: the rows that are used ------------------------------------------

flowers <- iris[51:150, ]

test_that("a subset is the fit of its rows, and update() finds them again", {
  rest <- fit_to(~ . - Species, flowers, 4)
  fits <- list(
    fit_to(~ . - Species, iris, 4, subset = Species != "setosa"),
    fit_to(~ . - Species, iris, 4, subset = 51:150), fit_to(~ . - Species, iris, 4, subset = -(1:50))
  )
  for (fit in fits) {
    expect_identical(coef(fit), coef(rest))
    expect_identical(fit$nearest, rest$nearest)
    expect_equal(nobs(fit), 100)
  }
  fit <- landmarks(~ . - Species, iris, 4, subset = Species != "setosa")
  expect_equal(nobs(update(fit, n = 2)), 100)
  expect_equal(nobs(update(fit, subset = NULL)), 150)
  # A comparison that is NA keeps no row, as in lm().
  gap <- replace(iris, cbind(60, 5), NA)
  expect_equal(nobs(fit_to(~Sepal.Length, gap, 2, subset = Species == "versicolor")), 49)
})

test_that("weights go with the rows of a subset, from a column or beside the data, and in comparisons", {
  heavy <- transform(iris, w = Petal.Width)
  formula <- ~ Sepal.Length + Sepal.Width
  by_hand <- fit_to(formula, heavy[heavy$w > 1, ], 3, weights = w)
  expect_identical(coef(fit_to(formula, heavy, 3, weights = w, subset = w > 1)), coef(by_hand))
  beside <- fit_to(formula, iris, 3, weights = iris$Petal.Width, subset = Petal.Width > 1)
  expect_identical(coef(beside), coef(by_hand))
  compare <- function(...) {
    cv_landmarks(Species ~ ., ..., n = 3, methods = "random", folds = 2, seeds = 1)$summary$accuracy
  }
  expect_equal(compare(iris, subset = Species != "setosa"), compare(droplevels(flowers)))
})

test_that("what is no subset is refused", {
  fit <- function(...) fit_to(~Sepal.Length, iris, 2, ...)
  expect_refused(
    fit(subset = there_is_none > 1), fit(subset = c(TRUE, FALSE)), fit(subset = 151), fit(subset = c(-1, 2)),
    fit(subset = c(2, 2)), fit(subset = "1"), fit(subset = Sepal.Length > 100), fit(subset = c(TRUE, NA)),
    fit(subset = length > 5)
  )
})
