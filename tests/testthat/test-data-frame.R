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

test_that("a data frame of numbers is the matrix of them", {
  d <- people["height"]
  d$whole <- 6:1
  expect_identical(coef(fit_to(d, 3)), coef(fit_to(as.matrix(d), 3)))
  expect_identical(coef(fit_to(~., d, 3)), coef(fit_to(d, 3)))
})

test_that("a tibble and other children of data frames are data frames", {
  child <- structure(people, class = c("tbl_df", "tbl", "data.frame"))
  expect_equal(coef(fit_to(child, 3)), coef(fit_to(people, 3)))
  skip_if_not_installed("tibble")
  fit <- fit_to(tibble::as_tibble(people), 3)
  expect_equal(coef(fit), coef(fit_to(people, 3)))
  expect_equal(
    predict(fit, tibble::as_tibble(people)[2:3, ]), predict(fit, people)[2:3, ], ignore_attr = TRUE
  )
  on_matrix <- fit_to(as.matrix(people["height"]), 2)
  expect_equal(
    predict(on_matrix, tibble::as_tibble(people)), predict(on_matrix, as.matrix(people["height"])),
    ignore_attr = TRUE
  )
})

test_that("levels are remembered", {
  fit <- fit_to(people, 3)
  all <- predict(fit, people)
  # One row has one level of each; as strings or factors, in any order of levels.
  for (i in 1:6) {
    row <- people[i, ]
    expect_equal(predict(fit, row), all[i, , drop = FALSE], ignore_attr = TRUE)
    expect_equal(predict(fit, droplevels(row)), all[i, , drop = FALSE], ignore_attr = TRUE)
    row$eyes <- as.character(row$eyes)
    row$town <- factor(row$town, levels = c("Ulm", "Zug", "Bern"))
    row$size <- as.character(row$size)
    expect_equal(predict(fit, row), all[i, , drop = FALSE], ignore_attr = TRUE)
  }
})

test_that("unused levels have a column of zeros", {
  d <- people["height"]
  d$eyes <- factor(people$eyes, levels = c("blue", "brown", "green", "gray"))
  fit <- fit_to(d, 3)
  expect_identical(colnames(coef(fit)), c("height", "eyesblue", "eyesbrown", "eyesgreen", "eyesgray"))
  expect_equal(unname(coef(fit)[, "eyesgray"]), numeric(3))
  new <- data.frame(height = 1.5, eyes = "gray")
  expect_gt(predict(fit, new, "nearest")$distance, 0.9)
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

test_that("a factor of one level is a constant column", {
  d <- data.frame(height = people$height, kind = factor("only"))
  fit <- fit_to(d, 2)
  expect_identical(colnames(coef(fit)), c("height", "kindonly"))
  expect_equal(unname(coef(fit)[, "kindonly"]), c(1, 1))
  expect_equal(coef(fit)[, "height", drop = FALSE], coef(fit_to(as.matrix(d["height"]), 2)))
})

test_that("columns of newdata may come in any order, and with others", {
  fit <- fit_to(people, 3)
  expect_identical(predict(fit, people[5:1]), predict(fit, people))
  more <- cbind(when = as.Date("2024-01-01"), people, list = I(as.list(1:6)))
  expect_identical(predict(fit, more), predict(fit, people))
  on_matrix <- fit_to(as.matrix(iris[c(1:5, 101:105), 1:4]), 3)
  expect_equal(
    predict(on_matrix, iris[1:3, ]), predict(on_matrix, as.matrix(iris[1:3, 4:1])), ignore_attr = TRUE
  )
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

test_that("a formula chooses columns", {
  expect_equal(coef(fit_to(~ height + eyes, people, 3)), coef(fit_to(by_hand[, 1:4], 3)))
  without <- fit_to(~ . - eyes - town - size, people, 3)
  expect_equal(coef(without), coef(fit_to(by_hand[, c("height", "leftTRUE")], 3)))
  # What is taken out need not be in newdata, nor be of a type that could be used.
  expect_identical(predict(without, people[c("left", "height")]), predict(without, people))
  dated <- cbind(people["height"], when = as.Date("2024-01-01") + 1:6)
  expect_equal(coef(fit_to(~ . - when, dated, 2)), coef(fit_to(by_hand[, "height", drop = FALSE], 2)))
  expect_equal(coef(fit_to(~height, dated, 2)), coef(fit_to(~ . - when, dated, 2)))
  # An intercept says nothing about distances.
  expect_identical(coef(fit_to(~ height + eyes - 1, people, 3)), coef(fit_to(~ height + eyes, people, 3)))
  expect_identical(coef(fit_to(~ 0 + eyes + height, people, 3)), coef(fit_to(~ eyes + height, people, 3)))
})

test_that("a formula transforms and crosses columns", {
  fit <- fit_to(~ log(height) + I(height^2) + left, people, 3)
  hand <- with(people, cbind("log(height)" = log(height), "I(height^2)" = height^2, leftTRUE = left))
  expect_equal(coef(fit), coef(fit_to(hand, 3)))
  fit <- fit_to(~ height:eyes, people, 3)
  hand <- people$height * by_hand[, 2:4]
  colnames(hand) <- paste0("height:", colnames(hand))
  expect_equal(coef(fit), coef(fit_to(hand, 3)))
  fit <- fit_to(~ height * left, people, 3)
  hand <- with(people, cbind(height = height, leftTRUE = left, "height:leftTRUE" = height * left))
  expect_equal(coef(fit), coef(fit_to(hand, 3)))
  date <- data.frame(when = as.Date("2024-01-01") + 1:6)
  expect_identical(colnames(coef(fit_to(~ as.numeric(when), date, 2))), "as.numeric(when)")
})

test_that("transformations that look at all data remember what they saw", {
  for (formula in list(~ scale(height) + left, ~ poly(height, 2), ~ splines::ns(height, 3))) {
    fit <- fit_to(formula, people, 3)
    all <- predict(fit, people)
    for (rows in list(1, 2:3, 6:1)) {
      expect_equal(predict(fit, people[rows, ]), all[rows, , drop = FALSE], ignore_attr = TRUE)
    }
  }
})

test_that("a formula's environment is not kept", {
  local_formula <- function() {
    ballast <- numeric(1e6)
    ~ height + eyes
  }
  fit <- fit_to(local_formula(), people, 3)
  expect_lt(length(serialize(fit, NULL)), 30000)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), people), predict(fit, people))
})

test_that("all rows are kept, in order", {
  fit <- fit_to(people, 3)
  expect_identical(fit$n_rows, 6L)
  expect_identical(dim(predict(fit, people[c(1, 1, 6), ])), c(3L, 3L))
  expect_identical(dim(predict(fit, people[0, ])), c(0L, 3L))
  named <- people
  rownames(named) <- letters[1:6]
  expect_identical(rownames(predict(fit, named)), letters[1:6])
  expect_null(rownames(predict(fit, people)))
})

test_that("weights, scale and the later steps work on data frames", {
  w <- c(1, 0, 2, 1, 1, 3)
  set.seed(2)
  fit <- landmarks(people, 3, weights = w, scale = TRUE)
  expect_equal(coef(fit), coef({
    set.seed(2)
    landmarks(by_hand, 3, weights = w, scale = TRUE)
  }))
  expect_identical(nrow(coef(quiet(add_landmarks(fit, people, 1)))), 4L)
  left <- function(fit) reconstruction_error(fit, people, weights = w)
  expect_lte(left(refine_landmarks(fit, people, weights = w)), left(fit) + 1e-9)
  expect_identical(nrow(nearest_observations(fit, people, 2)), 6L)
  expect_length(quiet(predict(fit, people, "variance", x = people)), 6)
  expect_identical(names(augment(fit, people)), c(names(people), ".landmark", ".distance"))
})

# ---- refused -------------------------------------------------------------------

test_that("formulas that cannot be used are refused", {
  expect_refused(
    landmarks(height ~ eyes, people, 2),
    landmarks(~weight, people, 2),
    landmarks(~1, people, 2),
    landmarks(~ height - height, people, 2),
    landmarks(~ height[1:3], people, 2)
  )
  expect_error(landmarks(~ no_such_function(height), people, 2), class = "landmarker_error_data")
  # A variable that is not a column would be lost for predict().
  outside <- 1:6
  expect_refused(landmarks(~ height + outside, people, 2))
})

test_that("a response on the right-hand side is left out with a warning, as lm() does", {
  quick <- by_response(iterations = 5)
  warn <- "landmarker_warning_response"
  for (f in list(mpg ~ mpg + wt + hp, mpg ~ wt + hp + mpg)) {
    expect_warning(
      {
        set.seed(1)
        twice <- landmarks(f, mtcars, 3, quick, scale = TRUE)
      },
      "mpg is on the right-hand side",
      class = warn
    )
    set.seed(1)
    once <- landmarks(mpg ~ wt + hp, mtcars, 3, quick, scale = TRUE)
    expect_identical(twice$landmarks, once$landmarks)
  }
  suppressWarnings(expect_refused(landmarks(mpg ~ mpg, mtcars, 3, quick)))
  expect_warning(cv_landmarks(mpg ~ mpg + wt, mtcars, n = 3, folds = 2, seeds = 1, scale = TRUE,
    methods = list(random = by_random()), refit = FALSE
  ), class = warn)
  # Another function of it is the user's wish.
  expect_no_warning(landmarks(log(mpg) ~ wt, mtcars, 3, quick, scale = TRUE), class = warn)
})

test_that("data of a formula must be a data frame", {
  expect_refused(
    landmarks(~height, n = 2),
    landmarks(~height, by_hand, 2),
    landmarks(~height, NULL, 2),
    landmarks(~height, people[0, ], 2)
  )
})

test_that("columns that are not numbers, factors or strings are refused", {
  d <- people["height"]
  expect_refused(
    landmarks(cbind(d, z = as.difftime(1:6, units = "days")), 2),
    landmarks(cbind(d, z = 1i), 2),
    landmarks(cbind(d, z = I(as.list(1:6))), 2),
    landmarks(~ height + z, cbind(d, z = 1i), 2),
    landmarks(cbind(d, d), 2)
  )
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
  d <- people
  d$height[2] <- NaN
  expect_refused(landmarks(d, 2))
  d$height[2] <- -Inf
  expect_refused(landmarks(d, 2))
  d <- people
  d$eyes <- addNA(factor(c("blue", NA, "blue", "green", "brown", "green")))
  expect_refused(landmarks(d, 2))
  suppressWarnings(expect_refused(landmarks(~ log(height - 1.5), people, 2)))
})

test_that("newdata must have the columns, of their types", {
  fit <- fit_to(people, 3)
  new <- people[1:2, ]
  expect_refused(
    predict(fit, new[1:3]),
    predict(fit, new["height"]),
    predict(fit, as.matrix(new["height"])),
    predict(fit, 1:3),
    predict(fit, methods::as(by_hand, "CsparseMatrix")),
    predict(fit, transform(new, height = c("tall", "small"))),
    predict(fit, transform(new, height = left)),
    predict(fit, transform(new, eyes = 1)),
    predict(fit, transform(new, left = 1)),
    predict(fit, transform(new, left = "TRUE")),
    predict(fit_to(~ log(height), people, 2), data.frame(height = "tall"))
  )
})

test_that("unseen levels are refused", {
  fit <- fit_to(people, 3)
  expect_refused(
    predict(fit, transform(people, eyes = "gray")),
    predict(fit, transform(people, eyes = factor("gray"))),
    predict(fit, transform(people, town = c("Zug", "Ulm", "Chur", "Zug", "Bern", "Bern")))
  )
  expect_error(add_landmarks(fit, transform(people, eyes = "gray"), 1), class = "landmarker_error_levels")
})

test_that("a data frame for landmarks of a matrix must be of numbers", {
  fit <- fit_to(by_hand[, 1:2], 2)
  expect_refused(
    predict(fit, data.frame(height = 1, eyesblue = "yes")),
    predict(fit, data.frame(height = factor(1), eyesblue = 0)),
    predict(fit, data.frame(height = 1))
  )
  expect_identical(dim(predict(fit, data.frame(eyesblue = TRUE, note = "x", height = 1L))), c(1L, 2L))
})

test_that("an offset is refused", {
  expect_error(landmarks(~ wt + offset(hp), data = mtcars, n = 3, scale = TRUE), "offset",
    class = "landmarker_error_data"
  )
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
