# The rows of a picture, and their groups.

test_that("colors are of all rows of the data, or of those that are drawn", {
  fit <- landmarks(~ Solar.R + Temp, airquality, 4, na.action = stats::na.omit, scale = TRUE)
  whole <- !is.na(airquality$Solar.R)
  colors <- function(color) shown_data(fit, airquality, color, "landmarks", NULL)$color
  expect_identical(colors(airquality$Day), airquality$Day[whole])
  expect_identical(colors(airquality$Day[whole]), airquality$Day[whole])
  expect_refused(shown_data(fit, airquality, 1:10, "landmarks", NULL))
})
