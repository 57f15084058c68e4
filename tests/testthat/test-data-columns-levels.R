# Levels of factors that a fit has not seen.

people <- data.frame(height = c(1.5, 1.75, 2, 1.25, 1.5, 1.875), eyes = rep(c("blue", "brown", "green"), 2))
fit <- withr::with_seed(1, landmarks(people, 3))
new <- data.frame(height = c(1, 2, 1.5), eyes = c("blue", "red", "green"))

test_that("they are an error, with a remedy where there is one", {
  expect_refused(
    predict(fit, new),
    nearest_observations(fit, new)
  )
})

test_that("they are missing values where these are taken, with a warning", {
  known <- predict(fit, new[c(1, 3), ])
  expect_warning(
    passed <- predict(fit, new, na.action = stats::na.pass), class = "landmarker_warning_levels"
  )
  expect_identical(which(is.na(passed[, 1])), 2L, ignore_attr = TRUE)
  expect_equal(passed[c(1, 3), ], known, ignore_attr = TRUE)
  expect_snapshot(left <- predict(fit, new[c(1:3, 2), ], na.action = stats::na.omit))
  expect_equal(left, known, ignore_attr = TRUE)
  # A value that is missing as well is no level.
  new$eyes[3] <- NA
  expect_warning(passed <- predict(fit, new, na.action = stats::na.pass), "1 row")
  expect_identical(unname(is.na(passed[, 1])), c(FALSE, TRUE, TRUE))
  # A factor may have the level without using it.
  new$eyes <- factor("blue", c("blue", "red"))
  expect_no_warning(predict(fit, new, na.action = stats::na.pass))
})

test_that("a fit that left out rows leaves such rows out of later steps", {
  people$height[1] <- NA
  some <- withr::with_seed(1, landmarks(people, 3, na.action = stats::na.omit))
  expect_warning(
    found <- nearest_observations(some, rbind(people, new[2, ])), class = "landmarker_warning_levels"
  )
  expect_false(any(found$observation == 7))
})
