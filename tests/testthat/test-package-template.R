# The template of R Markdown renders as it is, and for a table of a user.

# A draft of the template in a folder of its own.
draft_of_template <- function(envir = parent.frame()) {
  skip_on_cran()
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available("2.0"), "pandoc is not installed")
  folder <- withr::local_tempdir(.local_envir = envir)
  rmarkdown::draft(file.path(folder, "report.Rmd"), "landmarks", package = "landmarker", edit = FALSE)
}

render_page <- function(draft, ...) {
  options <- list(landmarker.threads = 2, landmarker.progress = FALSE)
  # In a session of a user, names are looked up from the global environment.
  page <- withr::with_options(options, rmarkdown::render(
    draft, params = list(...), quiet = TRUE, envir = new.env(parent = globalenv())
  ))
  gsub("[[:space:]]+", " ", paste(readLines(page, encoding = "UTF-8"), collapse = "\n"))
}

# A report with so many pictures, in which `phrases` are said.
expect_report <- function(pictures, phrases, ...) {
  expect_no_warning(page <- render_page(...))
  expect_sound(page, pictures)
  for (phrase in phrases) expect_match(page, phrase, fixed = TRUE)
}

all_of <- function(pattern, page) regmatches(page, gregexpr(pattern, page, perl = TRUE))[[1]]

expect_sound <- function(page, pictures) {
  images <- all_of("<img [^>]*>", page)
  expect_length(images, pictures)
  alt <- sub('.* alt="([^"]*)".*', "\\1", images)
  # Each has words of its own, with nothing that could not be computed.
  expect_true(all(nchar(alt) > 40 & grepl("alt=", images)))
  expect_false(anyDuplicated(alt) > 0)
  # The text and what was printed, without scripts and without code.
  words <- gsub('(?s)<(script|style).*?</\\1>|<pre class="r">.*?</pre>', "", page, perl = TRUE)
  words <- paste(gsub("<[^>]*>", " ", sub(".*<body>", "", words)), paste(alt, collapse = " "))
  bad <- all_of(".{0,40}(Warning|Error|\\bNA\\b|NaN|\\bNULL\\b|-0\\.0\\b).{0,40}", words)
  expect_identical(bad, character())
  expect_length(all_of('<p class="caption">', page), pictures)
}

people <- function(n = 240) {
  withr::with_seed(4, {
    data <- data.frame(
      id = paste0("p", seq_len(n)), `height (cm)` = rnorm(n, 170, 10), `weight (g)` = rnorm(n, 7e4, 1e4),
      sex = sample(c("female", "male"), n, TRUE), smoker = sample(c(TRUE, FALSE), n, TRUE),
      region = sample(c("north", "south", "east"), n, TRUE), check.names = FALSE
    )
    data$`pressure [mmHg]` <- 100 + 5 * data$smoker + 8 * (data$sex == "male") + rnorm(n, 0, 3)
    data$constant <- 1
    data$seldom <- ifelse(seq_len(n) %% 2 == 0, NA, rnorm(n))
    data[3:8, "height (cm)"] <- NA
    data[20, "region"] <- NA
    data
  })
}


test_that("the template renders as it is, and for a file with units, factors and missing values", {
  skip_unless_full()
  draft <- draft_of_template()
  expect_report(6, c("<strong>quakes</strong>", "1,000 rows and 5 columns were read"), draft)
  file <- file.path(dirname(draft), "people.csv")
  utils::write.csv(people(), file, row.names = FALSE, na = "")
  expect_report(6, c(
    "7 rows with a missing value are left out", "more than 50 levels", "one value only",
    # The file's response is no feature.
    "more than a fifth is missing", "mmHg", "female", "of 233 observations in 8 dimensions"
  ), draft, data = file, response = "pressure [mmHg]")
})

test_that("an object, given numbers and classes make a report", {
  # The same seed gives the same landmarks as a call.
  set.seed(1)
  fit <- landmarks(iris[1:4], 5, by_kmeans(), bandwidth = "0.5 * variance", scale = FALSE)
  expect_report(5, c(
    "5 landmarks of 150 observations in 4 dimensions", "setosa", "Of the methods with landmarks",
    "<code>kmeans</code>, the best of the methods with landmarks", signif(coef(fit)[1, ], 3)
  ), draft_of_template(),
    data = "iris", response = "Species", n = 5, bandwidth = "0.5 * variance", scale = FALSE
  )
})

test_that("texts, images, weights and several responses make reports", {
  skip_unless_full()
  skip_if_not_installed("tm")
  draft <- draft_of_template()
  topics <- list(c("cat", "dog", "bird", "pet"), c("car", "road", "engine", "wheel"))
  withr::local_seed(1)
  body <- vapply(1:120, function(i) paste(sample(topics[[2 - i %% 2]], 9, TRUE), collapse = " "), "")
  texts <- data.frame(topic = rep(c("pets", "cars"), 60), body = replace(body, 7, "the of and"))
  said <- c("119 observations in 8 dimensions, sparse", "1 row with a missing value or without words")
  expect_report(5, said, draft, data = texts, text = "body", response = "topic")
  images <- data.frame(digits$images[1:200, ], digit = digits$labels[1:200])
  said <- "8 landmarks of 200 observations in 784 dimensions"
  expect_report(5, said, draft, data = images, dim = c(28, 28), n = 8)
  expect_error(render_page(draft, data = images, dim = c(20, 28)), "whose product is")
  air <- transform(airquality, hot = Temp > 80, windy = Wind > 10)
  said <- "5 landmarks of 146 observations in 4 dimensions, weighted"
  expect_report(6, said, draft, data = air, response = c("hot", "windy"), weights = "Day", n = 5)
  expect_report(6, "several numbers to predict", draft, data = air, response = c("Temp", "Wind"), n = 5)
})

test_that("a response or data that are not there, or hold nothing to compare, are errors that say so", {
  draft <- draft_of_template()
  expect_error(render_page(draft, response = "magnitude"), "columns are lat, long, depth, mag, stations")
  expect_error(render_page(draft, data = "not_there"), "or the name of a data frame")
  expect_error(render_page(draft, data = quakes[0, ]), "ten rows without missing values")
  air <- transform(airquality, hot = Temp > 80, month = paste(Month))
  expect_error(render_page(draft, data = air, response = c("hot", "month")), "must all be numbers")
})
