# Data frames and formulas: what becomes of the columns, and what newdata may be.

people <- data.frame(
  height = c(1.5, 1.75, 2, 1.25, 1.5, 1.875),
  eyes = factor(c("blue", "brown", "blue", "green", "brown", "green")),
  town = c("Ulm", "Bern", "Ulm", "Ulm", "Bern", "Bern"),
  left = c(TRUE, FALSE, FALSE, TRUE, FALSE, FALSE),
  size = factor(c("S", "M", "L", "S", "M", "L"), levels = c("S", "M", "L"), ordered = TRUE)
)

# What people must become, by hand.
by_hand <- with(people, cbind(
  height = height,
  eyesblue = eyes == "blue", eyesbrown = eyes == "brown", eyesgreen = eyes == "green",
  townBern = town == "Bern", townUlm = town == "Ulm",
  leftTRUE = left, sizeS = size == "S", sizeM = size == "M", sizeL = size == "L"
))

fit_to <- function(...) {
  set.seed(1)
  landmarks(...)
}

test_that("factors, strings, logical and ordered columns become 0/1 columns", {
  fit <- fit_to(people, 3)
  expect_identical(colnames(coef(fit)), colnames(by_hand))
  expect_equal(coef(fit), coef(fit_to(by_hand, 3)))
  expect_equal(predict(fit, people), predict(fit_to(by_hand, 3), by_hand))
  # The distance between two levels does not depend on which ones.
  levels <- fit_to(data.frame(f = factor(rep(c("a", "b", "c"), 4))), 3, bandwidth = 1)
  expect_equal(
    as.vector(dist(round(coef(levels), 6))), rep(as.vector(dist(coef(levels)))[1], 3), tolerance = 1e-5
  )
})

test_that("a data frame of numbers is the matrix of them, as are tibbles", {
  d <- cbind(people["height"], whole = 6:1)
  expect_identical(coef(fit_to(d, 3)), coef(fit_to(as.matrix(d), 3)))
  expect_identical(coef(fit_to(~., d, 3)), coef(fit_to(d, 3)))
  tibble <- structure(people, class = c("tbl_df", "tbl", "data.frame"))
  fit <- fit_to(tibble, 3)
  expect_equal(coef(fit), coef(fit_to(people, 3)))
  expect_equal(predict(fit, tibble[2:3, ]), predict(fit, people)[2:3, ], ignore_attr = TRUE)
  on_matrix <- fit_to(as.matrix(people["height"]), 2)
  heights <- as.matrix(people["height"])
  expect_equal(predict(on_matrix, tibble), predict(on_matrix, heights), ignore_attr = TRUE)
})

test_that("levels are remembered, as strings or factors with any order of levels", {
  fit <- fit_to(people, 3)
  row <- people[2, ]
  row$eyes <- as.character(row$eyes)
  row$town <- factor(row$town, levels = c("Ulm", "Zug", "Bern"))
  row$size <- as.character(row$size)
  for (one in list(people[2, ], droplevels(people[2, ]), row)) {
    expect_equal(predict(fit, one), predict(fit, people)[2, , drop = FALSE], ignore_attr = TRUE)
  }
})

test_that("unused levels have a column of zeros, and a single level one of ones", {
  d <- data.frame(height = people$height, eyes = factor(people$eyes, c("blue", "brown", "green", "gray")))
  expect_identical(frame_blueprint(~., d)$x, cbind(by_hand[, 1:4], eyesgray = 0))
  new <- data.frame(height = 1.5, eyes = "gray")
  expect_gt(predict(fit_to(d, 3), new, "nearest")$distance, 0.9)
  d$eyes <- factor("only")
  expect_identical(frame_blueprint(~., d)$x, cbind(height = d$height, eyesonly = 1))
})

test_that("a column of very many levels is warned of", {
  d <- data.frame(height = (1:240 * 0.37) %% 2, town = factor(rep(sprintf("t%03d", 1:120), 2)))
  expect_warning(fit <- fit_to(d, 3), class = "landmarker_warning_levels")
  expect_snapshot(invisible(fit_to(d, 3)))
  d$town <- factor(rep(sprintf("t%02d", 1:100), length.out = 240))
  expect_no_warning(fit <- fit_to(d, 3))
  # New data are not warned of again.
  expect_no_warning(predict(fit, d[1:30, ]))
  d <- data.frame(height = (1:20 * 0.37) %% 2, id = sprintf("i%d", 1:20))
  expect_snapshot(invisible(fit_to(d, 2)))
  expect_warning(fit_to(~ height + id, d, 2), class = "landmarker_warning_levels")
  expect_warning(as_landmarks(d[1:2, ], d), class = "landmarker_warning_levels")
  expect_no_warning(fit_to(~ . - id, d, 2))
  # In a small table, or where one level repeats, they may be meant.
  expect_no_warning(fit_to(d[1:19, ], 2))
  d$id[2] <- "i1"
  expect_no_warning(fit_to(d, 2))
})

test_that("landmarks that are rows have one level each, and those between rows have shares", {
  d <- data.frame(kind = factor(rep(c("a", "b", "c"), c(10, 6, 4))), height = rep(1:2, 10))
  whole <- coef(fit_to(d, 4, "random"))[, 1:3]
  expect_true(all(whole %in% 0:1))
  fit <- fit_to(d, 1)
  shares <- coef(fit)[, 1:3]
  expect_true(all(shares > 0 & shares < 1))
  expect_equal(sum(shares), 1, tolerance = 1e-6)
  expect_s3_class(d[fit$nearest, "kind"], "factor")
})

test_that("columns of newdata may come in any order, with others, and any number of rows", {
  fit <- fit_to(people, 3)
  more <- cbind(when = as.Date("2024-01-01"), people[5:1], list = I(as.list(1:6)))
  expect_identical(predict(fit, more), predict(fit, people))
  on_matrix <- fit_to(as.matrix(iris[c(1:5, 101:105), 1:4]), 3)
  expect_equal(
    predict(on_matrix, iris[1:3, ]), predict(on_matrix, as.matrix(iris[1:3, 4:1])), ignore_attr = TRUE
  )
  expect_identical(dim(predict(fit, people[c(1, 1, 6), ])), c(3L, 3L))
  expect_identical(dim(predict(fit, people[0, ])), c(0L, 3L))
  expect_identical(rownames(predict(fit, `rownames<-`(people, letters[1:6]))), letters[1:6])
  expect_null(rownames(predict(fit, people)))
})

test_that("names that are not R's survive as they are", {
  d <- data.frame(1:6 / 4, factor(c("a b", "c", "c", "a b", "c", "c")))
  names(d) <- c("in meters", "my type")
  fit <- fit_to(d, 2)
  expect_identical(colnames(coef(fit)), c("in meters", "my typea b", "my typec"))
  expect_identical(predict(fit, d[2:1]), predict(fit, d))
  formula <- fit_to(~ `in meters` + `my type`, d, 2)
  expect_identical(coef(formula), coef(fit))
})

test_that("a formula chooses, transforms and crosses columns", {
  columns_of <- function(formula, data = people) frame_blueprint(formula, data)$x
  expect_identical(columns_of(~ height + eyes), by_hand[, 1:4])
  # An intercept says nothing about distances.
  expect_identical(columns_of(~ height + eyes - 1), by_hand[, 1:4])
  expect_identical(columns_of(~ 0 + eyes + height), by_hand[, c(2:4, 1)])
  dated <- cbind(people["height"], when = as.Date("2024-01-01") + 1:6)
  height <- by_hand[, 1, drop = FALSE]
  for (formula in c(~ . - when, ~height)) expect_identical(columns_of(formula, dated), height)
  expect_equal(
    columns_of(~ log(height) + I(height^2) + left),
    with(people, cbind("log(height)" = log(height), "I(height^2)" = height^2, leftTRUE = left))
  )
  crossed <- people$height * by_hand[, 2:4]
  colnames(crossed) <- paste0("height:", colnames(crossed))
  expect_equal(columns_of(~ height:eyes), crossed)
  expect_equal(
    columns_of(~ height * left),
    with(people, cbind(height = height, leftTRUE = left, "height:leftTRUE" = height * left))
  )
  expect_identical(colnames(columns_of(~ as.numeric(when), dated)), "as.numeric(when)")
  # What is taken out need not be in newdata.
  without <- fit_to(~ . - eyes - town - size, people, 3)
  expect_identical(predict(without, people[c("left", "height")]), predict(without, people))
})

test_that("transformations that look at all data remember what they saw", {
  for (formula in list(~ scale(height) + left, ~ poly(height, 2), ~ splines::ns(height, 3))) {
    fit <- fit_to(formula, people, 3)
    expect_equal(predict(fit, people[3:2, ]), predict(fit, people)[3:2, ], ignore_attr = TRUE)
  }
})

test_that("weights, scale and the later steps work on data frames", {
  w <- c(1, 0, 2, 1, 1, 3)
  fit <- fit_to(people, 3, weights = w, scale = TRUE)
  expect_equal(coef(fit), coef(fit_to(by_hand, 3, weights = w, scale = TRUE)))
  expect_identical(nrow(coef(quiet(add_landmarks(fit, people, 1)))), 4L)
  left <- function(fit) reconstruction_error(fit, people, weights = w)
  expect_lte(left(refine_landmarks(fit, people, weights = w)), left(fit) + 1e-9)
  expect_identical(nrow(nearest_observations(fit, people, 2)), 6L)
  expect_length(quiet(predict(fit, people, "variance", x = people)), 6)
  expect_identical(names(augment(fit, people)), c(names(people), ".landmark", ".distance"))
})

# ---- refused -------------------------------------------------------------------

test_that("formulas and data that cannot be used are refused", {
  # A variable that is not a column would be lost for predict().
  outside <- 1:6
  d <- people["height"]
  expect_refused(
    landmarks(height ~ eyes, people, 2),
    landmarks(~weight, people, 2),
    landmarks(~1, people, 2),
    landmarks(~ height - height, people, 2),
    landmarks(~ height[1:3], people, 2),
    landmarks(~ height + outside, people, 2),
    landmarks(~height, n = 2),
    landmarks(~height, by_hand, 2),
    landmarks(~height, people[0, ], 2),
    landmarks(cbind(d, z = as.difftime(1:6, units = "days")), 2),
    landmarks(cbind(d, z = I(as.list(1:6))), 2),
    landmarks(~ height + z, cbind(d, z = 1i), 2),
    landmarks(cbind(d, d), 2)
  )
  expect_error(landmarks(~ no_such_function(height), people, 2), class = "landmarker_error_data")
  expect_error(landmarks(~ wt + offset(hp), mtcars, 3), "offset", class = "landmarker_error_data")
})

test_that("a response on the right-hand side is left out with a warning, as lm() does", {
  quick <- by_response(iterations = 5)
  warn <- "landmarker_warning_response"
  expect_warning(twice <- fit_to(mpg ~ wt + hp + mpg, mtcars, 3, quick, scale = TRUE),
    "mpg is on the right-hand side", class = warn
  )
  expect_identical(twice$landmarks, fit_to(mpg ~ wt + hp, mtcars, 3, quick, scale = TRUE)$landmarks)
  suppressWarnings(expect_refused(landmarks(mpg ~ mpg, mtcars, 3, quick)))
  expect_warning(cv_landmarks(mpg ~ mpg + wt, mtcars, n = 3, folds = 2, seeds = 1, scale = TRUE,
    methods = list(random = by_random()), refit = FALSE
  ), class = warn)
  # Another function of it is the user's wish.
  expect_no_warning(landmarks(log(mpg) ~ wt, mtcars, 3, quick, scale = TRUE), class = warn)
})

test_that("missing and infinite values of data frames are refused", {
  fit <- fit_to(people, 2)
  for (name in names(people)) {
    d <- people
    d[[name]][4] <- NA
    where <- paste0("The first is NA, in row 4, column ", name)
    expect_error(landmarks(d, 2), where, class = "landmarker_error_missing")
    expect_error(predict(fit, d), "`newdata` must not", class = "landmarker_error_missing")
  }
  gap <- transform(people, eyes = addNA(factor(c("blue", NA, "blue", "green", "brown", "green"))))
  suppressWarnings(expect_refused(
    landmarks(replace(people, cbind(2, 1), -Inf), 2),
    landmarks(gap, 2),
    landmarks(~ log(height - 1.5), people, 2)
  ))
})

test_that("newdata must have the columns, of their types and levels", {
  fit <- fit_to(people, 3)
  new <- people[1:2, ]
  on_matrix <- fit_to(by_hand[, 1:2], 2)
  expect_refused(
    predict(fit, new[1:3]),
    predict(fit, as.matrix(new["height"])),
    predict(fit, 1:3),
    predict(fit, methods::as(by_hand, "CsparseMatrix")),
    predict(fit, transform(new, height = left)),
    predict(fit, transform(new, eyes = 1)),
    predict(fit, transform(new, left = "TRUE")),
    predict(fit_to(~ log(height), people, 2), data.frame(height = "tall")),
    predict(fit, transform(people, town = c("Zug", "Ulm", "Chur", "Zug", "Bern", "Bern"))),
    add_landmarks(fit, transform(people, eyes = "gray"), 1),
    predict(on_matrix, data.frame(height = factor(1), eyesblue = 0)),
    predict(on_matrix, data.frame(height = 1))
  )
  expect_identical(dim(predict(on_matrix, data.frame(eyesblue = TRUE, note = "x", height = 1L))), c(1L, 2L))
})

test_that("a column that may number the rows is told, once", {
  numbered <- data.frame(id = 1:30, a = sin(1:30), b = cos(1:30))
  told <- function(x) {
    rlang::reset_message_verbosity(paste0("landmarker_identifier_", rlang::hash("id")))
    said <- NULL
    withCallingHandlers(landmarks(x, 2, "random", scale = TRUE), message = function(m) {
      if (inherits(m, "landmarker_message_identifier")) said <<- conditionMessage(m)
      invokeRestart("muffleMessage")
    })
    said
  }
  expect_snapshot(cat(told(numbered)))
  # Rows that were left out leave gaps.
  expect_match(told(transform(numbered, id = 3 * id - 7)), "^Column id has integers")
  expect_null(told(numbered[c(2, 1, 3:30), ]))
  expect_null(told(transform(numbered, id = c(id[-30], 29))))
  expect_null(told(transform(numbered, id = id + 0.5)))
  expect_null(told(numbered[1:19, ]))
  expect_null(told(as.matrix(numbered)))
  expect_match(told(numbered), "^Column id")
  expect_no_message(landmarks(numbered, 2, "random", scale = TRUE))
  expect_error(landmarks(replace(numbered, cbind(3, 1), NA), 2), class = "landmarker_error_missing")
})

test_that("columns of the data keep their names beside levels that would have the same", {
  d <- data.frame(V1 = factor(rep(0:1, 20)), V10 = withr::with_seed(1, rnorm(40, 5)))
  fit <- withr::with_seed(1, landmarks(d, 3))
  expect_true(all(coef(fit)[, "V10"] > 2))
  expect_identical(colnames(coef(fit)), c("V10.1", "V11", "V10"))
  # The same columns of new data.
  expect_equal(predict(fit, d[1:5, ]), predict(fit, d)[1:5, ])
})
