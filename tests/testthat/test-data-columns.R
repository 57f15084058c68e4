# The columns of new data for a fit: by name, by number, or refused; and columns of every class.

x <- cbind(a = c(0, 1, 2, 3, 4, 5), b = c(0, 2, 1, -1, 0.5, 3), c = c(1, 0, -2, 0, 1, 4))
fit <- withr::with_seed(1, landmarks(x, 2))
d <- withr::with_seed(1, data.frame(a = rnorm(30), b = rnorm(30)))
with_column <- function(v) `[[<-`(d, "v", value = v)

test_that("newdata must have the columns of the fit", {
  wide <- matrix(rep(0:1, 9), 2, 9, dimnames = list(NULL, letters[1:9]))
  # Names that cannot be told apart must be as they were.
  twice <- `colnames<-`(x, c("a", "a", "b"))
  on_twice <- landmarks(twice, 2)
  expect_identical(dim(predict(on_twice, twice)), c(6L, 2L))
  meant <- `names<-`(iris, sub("[.]W", "_W", names(iris)))
  expect_refused(
    predict(fit, x[, 1:2]), predict(fit, unname(x[, 1:2])), predict(fit, cbind(x, a = 1)),
    predict(landmarks(wide, 1), wide[, 8:9]), predict(on_twice, twice[, c(1, 3, 2)]),
    predict(landmarks(iris[1:4], 3), meant), add_landmarks(fit, x[, 1:2], 1)
  )
})

test_that("columns are matched by name where both have names", {
  expect_identical(predict(fit, cbind(z = 1, x[, c(2, 3, 1)])), predict(fit, x))
  expect_identical(predict(fit, as_sparse(x[, 3:1])), predict(fit, as_sparse(x)))
  expect_identical(predict(fit, unname(x)), predict(fit, x))
  of_unnamed <- withr::with_seed(1, landmarks(unname(x), 2))
  expect_identical(predict(of_unnamed, x[, 3:1]), predict(fit, unname(x[, 3:1])))
  # A matrix of any class takes the place of a data frame.
  flowers <- landmarks(iris[1:4], 2)
  for (class in c("mine", "table")) {
    classed <- structure(as.matrix(iris[1:3, 1:4]), class = class)
    expect_equal(predict(flowers, classed), predict(flowers, iris[1:3, ]), ignore_attr = TRUE)
    expect_error(predict(flowers, unname(classed)), class = "landmarker_error_columns")
  }
})

test_that("columns of classes that only label numbers or strings are columns of these", {
  v <- withr::with_seed(2, round(rnorm(30), 2))
  s <- rep(c("p", "q", "r"), 10)
  labelled <- function(v, type) {
    structure(v, labels = c(x = v[1]), class = c("haven_labelled", "vctrs_vctr", type))
  }
  plain <- cbind(d, v = v)
  on_matrix <- landmarks(as.matrix(plain), 4)
  for (other in list(ts(v), array(v, 30), labelled(v, "double"), structure(v, class = "units"), I(v))) {
    expect_identical(columns_of(with_column(other)), as.matrix(plain), ignore_attr = "dimnames")
    expect_equal(predict(on_matrix, with_column(other)), predict(on_matrix, plain), ignore_attr = TRUE)
  }
  for (other in list(array(s, 30), labelled(s, "character"), factor(s), I(s))) {
    by_hand <- outer(s, c(vp = "p", vq = "q", vr = "r"), "==") + 0
    expect_identical(columns_of(with_column(other))[, 3:5], by_hand)
  }
})

test_that("a matrix of TRUE and FALSE is columns of 0 and 1", {
  d$m <- cbind(d$a > 0, d$a > 1)
  expect_equal(columns_of(d), cbind(a = d$a, b = d$b, m1 = d$m[, 1], m2 = d$m[, 2]), ignore_attr = TRUE)
  fit <- landmarks(d, 4)
  expect_identical(colnames(coef(fit)), c("a", "b", "m1", "m2"))
  expect_equal(unname(predict(fit, d[3:1, ])), unname(predict(fit, d)[3:1, ]))
  d$m <- d$m[, 1, drop = FALSE]
  wanted <- "`m` must be a numeric matrix with 2 columns"
  expect_error(predict(fit, d), wanted, class = "landmarker_error_columns")
})

test_that("columns that cannot be used are refused with the function that converts them", {
  whole <- structure(as.double(1:30), class = "integer64")
  late <- as.POSIXlt(as.POSIXlt("2024-01-01", tz = "UTC") + 86400 * 1:30)
  expect_refused(
    landmarks(with_column(late), 2), landmarks(with_column(whole), 2), landmarks(~a, d, 2, weights = whole),
    landmarks(~ a + v, with_column(matrix(0, 30, 0)), 2), landmarks(~ pi * a, d, 2)
  )
})

# ---- dates and times: numbers of days ----------------------------------------------------

log <- data.frame(
  when = as.Date("2024-03-28") + c(0, 3, 9, 10, 40, 41, 42, 43), level = c(1, 3, 2, 5, 4, 1, 2, 3)
)
days <- cbind(when = as.double(log$when), level = log$level)

test_that("dates and times count in days, in any time zone", {
  expect_identical(columns_of(log), days)
  hours <- c(0, 6, 30, 31, 60, 61, 90, 99)
  # Daylight saving begins within them in Berlin: an hour is an hour.
  for (zone in c("UTC", "America/New_York", "Europe/Berlin")) {
    times <- data.frame(when = as.POSIXct("2024-03-30 12:00", tz = zone) + 3600 * hours)
    found <- columns_of(times)
    expect_equal(found, cbind(when = as.numeric(times$when) / 86400), tolerance = 1e-12)
    expect_equal(found[, 1] - found[1, 1], hours / 24, tolerance = 1e-8)
  }
  fit <- landmarks(log, 3, bandwidth = 50)
  expect_equal(features(fit, log[3:2, ]), naive_features(days[3:2, ], coef(fit), 50), ignore_attr = TRUE)
  times <- transform(log, when = as.POSIXct(format(when), tz = "UTC"))
  expect_equal(predict(fit, times), predict(fit, log))
  # Terms see the dates themselves.
  since <- columns_of(log, ~ as.numeric(when - as.Date("2024-01-01")) + level)
  expect_equal(since, cbind(days[, 1] - 19723, log$level), ignore_attr = TRUE)
})

test_that("a missing date is a missing value, and a column of dates is not one of numbers", {
  fit <- landmarks(log, 3)
  gap <- log
  gap$when[2] <- NA
  expect_refused(
    landmarks(gap, 3), predict(fit, transform(log, level = when)), predict(fit, transform(log, when = level))
  )
})

# ---- levels of factors that a fit has not seen ----------------------------------------------

people <- data.frame(height = c(1.5, 1.75, 2, 1.25, 1.5, 1.875), eyes = rep(c("blue", "brown", "green"), 2))
new <- data.frame(height = c(1, 2, 1.5), eyes = c("blue", "red", "green"))

test_that("new levels are an error, or missing values where these are taken, with a warning", {
  fit <- withr::with_seed(1, landmarks(people, 3))
  expect_refused(predict(fit, new), nearest_observations(fit, new))
  known <- predict(fit, new[c(1, 3), ])
  expect_warning(passed <- predict(fit, new, na.action = stats::na.pass), class = "landmarker_warning_levels")
  expect_identical(which(is.na(passed[, 1])), 2L, ignore_attr = TRUE)
  expect_equal(passed[c(1, 3), ], known, ignore_attr = TRUE)
  expect_snapshot(left <- predict(fit, new[c(1:3, 2), ], na.action = stats::na.omit))
  expect_equal(left, known, ignore_attr = TRUE)
  # A value that is missing as well is no level.
  new$eyes[3] <- NA
  expect_warning(passed <- predict(fit, new, na.action = stats::na.pass), "1 row")
  expect_identical(unname(is.na(passed[, 1])), c(FALSE, TRUE, TRUE))
  # A fit that left out rows leaves such rows out of later steps.
  some <- withr::with_seed(1, landmarks(replace(people, cbind(1, 1), NA), 3, na.action = stats::na.omit))
  more <- rbind(people, data.frame(height = 2, eyes = "red"))
  expect_warning(found <- nearest_observations(some, more), class = "landmarker_warning_levels")
  expect_false(any(found$observation == 7))
  # A factor may have the level without using it.
  new$eyes <- factor("blue", c("blue", "red"))
  expect_no_warning(predict(fit, new, na.action = stats::na.pass))
})
