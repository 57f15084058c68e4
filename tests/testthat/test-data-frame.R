# Data frames and formulas: what becomes of the columns, and what newdata may be.

people <- data.frame(
  height = c(1.5, 1.75, 2, 1.25, 1.5, 1.875),
  eyes = factor(c("blue", "brown", "blue", "green", "brown", "green")),
  town = c("Ulm", "Bern", "Ulm", "Ulm", "Bern", "Bern"), left = c(TRUE, FALSE, FALSE, TRUE, FALSE, FALSE),
  size = factor(c("S", "M", "L", "S", "M", "L"), levels = c("S", "M", "L"), ordered = TRUE)
)

# What people must become, by hand.
by_hand <- with(people, cbind(
  height = height, eyesblue = eyes == "blue", eyesbrown = eyes == "brown", eyesgreen = eyes == "green",
  townBern = town == "Bern", townUlm = town == "Ulm", leftTRUE = left, sizeS = size == "S",
  sizeM = size == "M", sizeL = size == "L"
))

test_that("factors, strings, logical and ordered columns become 0/1 columns", {
  fit <- fit_to(people, 3)
  on_hand <- fit_to(by_hand, 3)
  expect_identical(colnames(coef(fit)), colnames(by_hand))
  expect_equal(coef(fit), coef(on_hand))
  expect_equal(predict(fit, people), predict(on_hand, by_hand))
  # Unused levels have a column of zeros, and a single level one of ones.
  gray <- data.frame(height = people$height, eyes = factor(people$eyes, c("blue", "brown", "green", "gray")))
  expect_identical(columns_of(gray), cbind(by_hand[, 1:4], eyesgray = 0))
  expect_gt(predict(fit_to(gray, 3), data.frame(height = 1.5, eyes = "gray"), "nearest")$distance, 0.9)
  gray$eyes <- factor("only")
  expect_identical(columns_of(gray), cbind(height = gray$height, eyesonly = 1))
  # A landmark between rows has shares of levels, one that is a row has a level.
  expect_true(all(coef(fit_to(people, 3, "random"))[, 2:4] %in% 0:1))
  shares <- coef(fit_to(people, 1))[, 2:4]
  expect_true(all(shares > 0 & shares < 1))
  expect_equal(sum(shares), 1, tolerance = 1e-6)
})

test_that("a data frame of numbers is the matrix of them, a tibble a data frame, and a dot all columns", {
  d <- cbind(people["height"], whole = 6:1)
  expect_identical(coef(fit_to(d, 3)), coef(fit_to(as.matrix(d), 3)))
  expect_identical(coef(fit_to(~., d, 3)), coef(fit_to(d, 3)))
  tibble <- structure(people, class = c("tbl_df", "tbl", "data.frame"))
  fit <- fit_to(tibble, 3)
  expect_equal(coef(fit), coef(fit_to(people, 3)))
  expect_equal(predict(fit, tibble[2:3, ]), predict(fit, people)[2:3, ], ignore_attr = TRUE)
})

test_that("columns of newdata may come in any order, with others, of any number of rows", {
  fit <- fit_to(people, 3)
  values <- predict(fit, people)
  more <- cbind(when = as.Date("2024-01-01"), people[5:1], list = I(as.list(1:6)))
  expect_identical(predict(fit, more), values)
  row <- transform(people[2, ], eyes = "brown", town = factor("Bern", c("Ulm", "Zug", "Bern")), size = "M")
  for (one in list(people[2, ], droplevels(people[2, ]), row)) {
    expect_equal(predict(fit, one), values[2, , drop = FALSE], ignore_attr = TRUE)
  }
  expect_identical(dim(predict(fit, people[c(1, 1, 6), ])), c(3L, 3L))
  expect_identical(dim(predict(fit, people[0, ])), c(0L, 3L))
})

test_that("a column of very many levels is warned of", {
  d <- data.frame(height = (1:240 * 0.37) %% 2, town = factor(rep(sprintf("t%03d", 1:120), 2)))
  expect_snapshot(invisible(fit_to(d, 3)))
  d$town <- factor(rep(sprintf("t%02d", 1:100), length.out = 240))
  expect_no_warning(fit <- fit_to(d, 3))
  d <- data.frame(height = (1:20 * 0.37) %% 2, id = sprintf("i%d", 1:20))
  expect_snapshot(invisible(fit_to(d, 2)))
  expect_warning(as_landmarks(d[1:2, ], d), class = "landmarker_warning_levels")
  # New data are not warned of, nor small tables, nor where one level repeats: they may be meant.
  expect_no_warning(predict(fit, data.frame(height = 1:30 / 30, town = sprintf("t%02d", 1:30))))
  for (data in list(d[1:19, ], replace(d, cbind(2, 2), "i1"))) expect_no_warning(fit_to(data, 2))
})

test_that("names that are not R's survive, beside levels that would have the same", {
  d <- data.frame(1:6 / 4, factor(c("a b", "c", "c", "a b", "c", "c")))
  names(d) <- c("in meters", "my type")
  fit <- fit_to(d, 2)
  expect_identical(colnames(coef(fit)), c("in meters", "my typea b", "my typec"))
  expect_identical(predict(fit, d[2:1]), predict(fit, d))
  expect_identical(coef(fit_to(~ `in meters` + `my type`, d, 2)), coef(fit))
  d <- data.frame(V1 = factor(rep(0:1, 20)), V10 = withr::with_seed(1, rnorm(40, 5)))
  fit <- fit_to(d, 3)
  expect_identical(colnames(coef(fit)), c("V10.1", "V11", "V10"))
  expect_true(all(coef(fit)[, "V10"] > 2))
  expect_equal(predict(fit, d[1:5, ]), predict(fit, d)[1:5, ])
  for (name in c("b`c", "b\\c", "...", "..1", ".", "<U+00E4>", "b<U+110000>", strrep("x", 8200))) {
    d <- stats::setNames(data.frame(1:6 / 4), name)
    fit <- fit_to(d, 2)
    expect_identical(colnames(coef(fit)), name)
    expect_identical(dim(predict(fit, d)), c(6L, 2L))
  }
  levels <- data.frame(f = rep(c("z`w", "zw"), 3), fzw = 1:6 / 4)
  expect_identical(colnames(coef(fit_to(levels, 2))), c("fz`w", "fzw.1", "fzw"))
})

test_that("formulas and data that cannot be used are refused", {
  d <- people["height"]
  expect_refused(
    landmarks(height ~ eyes, people, 2), landmarks(~weight, people, 2), landmarks(~1, people, 2),
    landmarks(~ height[1:3], people, 2), landmarks(~height, n = 2), landmarks(~height, by_hand, 2),
    landmarks(~height, people[0, ], 2), landmarks(cbind(d, z = as.difftime(1:6, units = "days")), 2),
    landmarks(cbind(d, z = I(as.list(1:6))), 2), landmarks(~ height + z, cbind(d, z = 1i), 2),
    landmarks(cbind(d, d), 2), landmarks(~ wt + offset(hp), mtcars, 3)
  )
  expect_error(landmarks(~ no_such_function(height), people, 2), class = "landmarker_error_data")
})

test_that("a response on the right-hand side is left out with a warning, as lm() does", {
  quick <- by_response(iterations = 5)
  warn <- "landmarker_warning_response"
  expect_warning(twice <- fit_to(mpg ~ wt + hp + mpg, mtcars, 3, quick, scale = TRUE),
    "`mpg` is also on the right-hand side", class = warn
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
    where <- paste0("The first is NA, in row 4, column `", name, "`")
    expect_error(landmarks(d, 2), where, class = "landmarker_error_missing")
    expect_error(predict(fit, d), "`newdata` must not", class = "landmarker_error_missing")
  }
  gap <- transform(people, eyes = addNA(factor(c("blue", NA, "blue", "green", "brown", "green"))))
  suppressWarnings(expect_refused(
    landmarks(replace(people, cbind(2, 1), -Inf), 2), landmarks(gap, 2),
    landmarks(~ log(height - 1.5), people, 2)
  ))
})

test_that("newdata must have the columns, of their types and levels", {
  fit <- fit_to(people, 3)
  new <- people[1:2, ]
  on_matrix <- fit_to(by_hand[, 1:2], 2)
  towns <- transform(people, town = c("Zug", "Ulm", "Chur", "Zug", "Bern", "Bern"))
  expect_refused(
    predict(fit, new[1:3]), predict(fit, as.matrix(new["height"])),
    predict(fit, transform(new, height = left)), predict(fit, transform(new, eyes = 1)),
    predict(fit, transform(new, left = "TRUE")), predict(fit, towns),
    predict(fit_to(~ log(height), people, 2), data.frame(height = "tall")),
    predict(on_matrix, data.frame(height = factor(1), eyesblue = 0)),
    predict(on_matrix, data.frame(height = 1))
  )
  expect_identical(dim(predict(on_matrix, data.frame(eyesblue = TRUE, note = "x", height = 1L))), c(1L, 2L))
})

test_that("a column that may number the rows is told, once", {
  numbered <- data.frame(id = 1:30, a = sin(1:30), b = cos(1:30))
  told <- function(x) {
    rlang::reset_message_verbosity(paste0("landmarker_identifier_", rlang::hash(names(x)[1])))
    said <- NULL
    withCallingHandlers(landmarks(x, 2, "random", scale = TRUE), message = function(m) {
      if (inherits(m, "landmarker_message_identifier")) said <<- conditionMessage(m)
      invokeRestart("muffleMessage")
    })
    said
  }
  expect_snapshot(cat(told(numbered)))
  # Rows that were left out leave gaps.
  expect_match(told(transform(numbered, id = 3 * id - 7)), "^Column `id` has integers")
  others <- list(
    numbered[c(2, 1, 3:30), ], transform(numbered, id = c(id[-30], 29)), transform(numbered, id = id + 0.5),
    numbered[1:19, ], as.matrix(numbered)
  )
  for (other in others) expect_null(told(other))
  expect_match(told(numbered), "^Column `id`")
  # The formula parses.
  expect_match(told(stats::setNames(numbered, c("my id", "a", "b"))), "`` ~ . - `my id` ``", fixed = TRUE)
  expect_no_message(landmarks(numbered, 2, "random", scale = TRUE))
  expect_error(landmarks(replace(numbered, cbind(3, 1), NA), 2), class = "landmarker_error_missing")
})
