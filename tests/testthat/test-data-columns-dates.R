# Dates and times as columns: numbers of days.

log <- data.frame(
  when = as.Date("2024-03-28") + c(0, 3, 9, 10, 40, 41, 42, 43), level = c(1, 3, 2, 5, 4, 1, 2, 3)
)
days <- cbind(when = as.double(log$when), level = log$level)

fit_to <- function(...) {
  set.seed(1)
  landmarks(...)
}

test_that("dates count in days", {
  for (fit in list(fit_to(log, 3, bandwidth = 50), fit_to(~ when + level, log, 3, bandwidth = 50))) {
    expect_equal(coef(fit), coef(fit_to(days, 3, bandwidth = 50)))
    expect_equal(predict(fit, log[3:2, ]), predict(fit_to(days, 3, bandwidth = 50), days[3:2, ]),
      ignore_attr = TRUE
    )
  }
})

test_that("times count in days as well, in any time zone", {
  for (zone in c("UTC", "America/New_York")) {
    hours <- c(0, 6, 30, 31, 60, 61, 90, 99)
    times <- data.frame(when = as.POSIXct("2024-03-28 06:00", tz = zone) + 3600 * hours)
    by_hand <- cbind(when = as.numeric(times$when) / 86400)
    expect_equal(coef(fit_to(times, 3)), coef(fit_to(by_hand, 3)), tolerance = 1e-12)
  }
  # Daylight saving: an hour is an hour.
  night <- data.frame(when = as.POSIXct("2024-03-31 00:30", tz = "Europe/Berlin") + 3600 * 0:3)
  fit <- fit_to(night, 4, by_random())
  expect_equal(diff(sort(coef(fit)[, 1])) * 24, rep(1, 3), tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("terms see the dates themselves", {
  fit <- fit_to(~ months(when) + level, log, 3)
  expect_identical(ncol(coef(fit)), 1L + length(unique(months(log$when))))
  fit <- fit_to(~ as.numeric(when - as.Date("2024-01-01")) + level, log, 3)
  since <- transform(log, when = as.numeric(when) - 19723)
  expect_equal(coef(fit), coef(fit_to(since, 3)), ignore_attr = TRUE)
})

test_that("a missing date is a missing value", {
  gap <- log
  gap$when[2] <- NA
  expect_refused(fit_to(gap, 3))
  fit <- fit_to(gap, 3, na.action = stats::na.omit)
  expect_equal(unclass(stats::na.action(fit)), 2L, ignore_attr = TRUE)
  expect_true(all(is.na(predict(fit, gap, na.action = stats::na.pass)[2, ])))
})
