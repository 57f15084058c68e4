# Dates and times as columns: numbers of days.

log <- data.frame(
  when = as.Date("2024-03-28") + c(0, 3, 9, 10, 40, 41, 42, 43), level = c(1, 3, 2, 5, 4, 1, 2, 3)
)
days <- cbind(when = as.double(log$when), level = log$level)
columns_of <- function(formula, data) frame_blueprint(formula, data)$x

test_that("dates and times count in days, in any time zone", {
  expect_identical(columns_of(~., log), days)
  hours <- c(0, 6, 30, 31, 60, 61, 90, 99)
  # Daylight saving begins within them in Berlin: an hour is an hour.
  for (zone in c("UTC", "America/New_York", "Europe/Berlin")) {
    times <- data.frame(when = as.POSIXct("2024-03-30 12:00", tz = zone) + 3600 * hours)
    found <- columns_of(~., times)
    expect_equal(found, cbind(when = as.numeric(times$when) / 86400), tolerance = 1e-12)
    expect_equal(found[, 1] - found[1, 1], hours / 24, tolerance = 1e-8)
  }
  fit <- landmarks(log, 3, bandwidth = 50)
  expect_equal(features(fit, log[3:2, ]), naive_features(days[3:2, ], coef(fit), 50), ignore_attr = TRUE)
})

test_that("terms see the dates themselves", {
  expect_identical(ncol(columns_of(~ months(when) + level, log)), 1L + length(unique(months(log$when))))
  since <- columns_of(~ as.numeric(when - as.Date("2024-01-01")) + level, log)
  expect_equal(unname(since), cbind(days[, 1] - 19723, log$level), ignore_attr = TRUE)
})

test_that("a missing date is a missing value", {
  log$when[2] <- NA
  expect_refused(landmarks(log, 3))
  fit <- landmarks(log, 3, na.action = stats::na.omit)
  expect_equal(unclass(stats::na.action(fit)), 2L, ignore_attr = TRUE)
  expect_true(all(is.na(predict(fit, log, na.action = stats::na.pass)[2, ])))
})
