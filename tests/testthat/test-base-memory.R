# Work that would need more memory than is allowed is refused before it begins, with the number and a remedy.

x <- sim_swiss_roll(3000)
fit <- landmarks(x, 12, bandwidth = 20)

# A fit of many landmarks, forged to save the work.
large_fit <- function(n) {
  large <- unclass(fit)
  again <- rep_len(seq_len(12), n)
  large$landmarks <- large$landmarks[again, ]
  large$joined <- NULL
  each <- c(
    "variance", "explained", "nearest", "nearest_distance", "on_data", "iterations", "moved", "rows", "trace"
  )
  large[each] <- lapply(large[each], function(part) part[again])
  structure(large, class = "landmarks")
}

test_that("fits of many landmarks are refused", {
  withr::local_options(landmarker.memory = 1.01e8)
  rows <- matrix(0, 20000, 3)
  rows[] <- sin(seq_along(rows))
  expect_snapshot(error = TRUE, {
    landmarks(rows, 5000, bandwidth = 0.1)
    landmarks(rows, 5000, by_gp(criterion = "volume"), bandwidth = 0.1)
    landmarks(rows, 5000, by_gp("sequential"), bandwidth = 0.1)
    landmarks(rows, 3000, "random", bandwidth = 0.1)
    landmarks(rows, 3000, "kmeans", bandwidth = 0.1)
    landmarks(rows, 3000, "dpp", bandwidth = 0.1)
    landmarks(rows, 1000, "active", bandwidth = 0.1)
    landmarks(as.data.frame(rows), 5000, bandwidth = 0.1)
    add_landmarks(fit, x, 2900)
    as_landmarks(rows[1:3000, ], rows, bandwidth = 0.1)
    cv_landmarks(rows, rows[, 1] + 1, n = 2000)
  })
  # What needs less than the limit is not refused.
  expect_s3_class(landmarks(rows, 20, by_active(2000), bandwidth = 0.1), "landmarks")
})

test_that("uses of a fit are refused", {
  many <- large_fit(4000)
  withr::local_options(landmarker.memory = 1.01e8)
  long <- matrix(1, 1100000, 3)
  sparse <- Matrix::sparseMatrix(1:9, 1:9, x = 1, dims = c(2000, 20000))
  expect_snapshot(error = TRUE, {
    refine_landmarks(many, x)
    landmark_graph(many)
    embed_landmarks(many)
    predict(fit, long)
    reconstruction_error(many, x)
    sketch_rows(fit, long, 100)
    codebook(sparse, 1000)
    hellinger(matrix(1L, 5e6, 2))
  })
})

test_that("the eigenvectors of a dense matrix are refused", {
  withr::local_options(landmarker.memory = 1.01e8)
  expect_snapshot(error = TRUE, check_dense_memory(5000, 2, NULL))
})

test_that("variances, rows, pictures and tables are refused", {
  many <- large_fit(4000)
  wide <- Matrix::sparseMatrix(1:9, 1:9, x = 1, dims = c(2000, 20000))
  on_wide <- as_landmarks(wide[1:9, ], wide, bandwidth = 1)
  rows <- matrix(sin(seq_len(3e6)), ncol = 3)
  graph <- landmark_graph(fit, x)
  embedding <- embed_landmarks(graph, dims = 2)
  large <- suppressWarnings(landmark_graph(as_landmarks(x[1:2700, ], x, bandwidth = 0.5)))
  withr::local_options(landmarker.memory = 1.01e8)
  withr::local_pdf(NULL)
  expect_snapshot(error = TRUE, {
    predict(many, x, "variance", x = x)
    nearest_observations(many, x, 3000)
    landmark_graph(large_fit(2000), rows, distance = "bhattacharyya", covariance_rows = 1e4)
    plot(fit, rows, max_points = 1e6)
    plot(graph, rows, max_points = 1e6)
    plot(on_wide, wide, type = "map")
    plot(embedding, rbind(rows, rows))
    augment(fit, rbind(rows, rows))
    tidy(large)
    predict(raw_features(wide[1:9, ]), wide)
    raw_features(wide)
    cv_landmarks(wide, sin(1:2000), n = 5, methods = list(raw_features))
    cv_landmarks(rows[1:2e4, ], factor(rep(1:500, 40)), n = 5, methods = "random")
  })
  # What needs less than the limit is done: few rows of many, and sparse rows that stay sparse.
  expect_length(predict(fit, x, "variance", x = x), 3000)
  expect_no_error(plot(fit, rows, max_points = 100))
  expect_no_error(plot(on_wide, wide))
  expect_identical(nrow(nearest_observations(fit, x, 1000)), 12000L)
})

test_that("a graph in parts is made where its remedy would need too much", {
  apart <- rbind(x[1:800, ], x[801:1600, ] + 1000)
  parts <- as_landmarks(apart, apart, bandwidth = 0.5)
  advice <- function() {
    told <- NULL
    withCallingHandlers(landmark_graph(parts, neighbors = 5), landmarker_warning_graph = function(w) {
      told <<- c(told, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    paste(told, collapse = " ")
  }
  expect_match(advice(), "smallest number that connects it\\.|further neighbors are 0")
  withr::local_options(landmarker.memory = 1.01e8)
  expect_match(advice(), "Give more `neighbors`: to find the smallest number")
})

test_that("new data frames of many columns are refused", {
  rows <- data.frame(a = sin(1:400), b = sprintf("s%03d", rep(1:200, 2)))
  by_level <- suppressWarnings(landmarks(rows, 3, "random"))
  withr::local_options(landmarker.memory = 1.01e8)
  more <- rows[rep(1:400, 60), ]
  expect_snapshot(predict(by_level, more), error = TRUE)
  expect_identical(dim(predict(by_level, rows)), c(400L, 3L))
})

test_that("columns with many values are refused by name", {
  withr::local_options(landmarker.memory = 1.01e8)
  n <- 4000
  people <- data.frame(age = sin(1:n), id = sprintf("p%04d", 1:n), town = rep(c("a", "b"), n / 2))
  expect_snapshot(error = TRUE, {
    landmarks(people, 5)
    landmarks(~ age + id, people, n = 5)
    landmarks(~ id:town, people, n = 5)
    cv_landmarks(people, people$age, n = 5)
    as_landmarks(people[1:3, ], people)
  })
  expect_s3_class(landmarks(~ age + town, people, n = 3, method = "random"), "landmarks")
})

test_that("a file of idx values is refused by its header", {
  withr::local_options(landmarker.memory = 1.01e8)
  zip <- function(values, sizes, compress = TRUE) {
    file <- withr::local_tempfile(pattern = "images", fileext = ".idx", .local_envir = parent.frame())
    con <- if (compress) gzfile(file, "wb") else file(file, "wb")
    writeBin(as.raw(c(0, 0, 8, length(sizes))), con)
    writeBin(as.integer(sizes), con, endian = "big")
    writeBin(raw(values), con)
    close(con)
    file
  }
  hide <- function(lines) gsub("images[0-9a-f]*", "images", lines)
  bomb <- zip(2e7, c(2e7, 1))
  expect_lt(file.size(bomb), 1e5)
  expect_snapshot(read_idx(bomb), error = TRUE, transform = hide)
  # A file that is too short for its header takes what it holds.
  expect_error(read_idx(zip(100, c(2e9, 1))), "fewer", class = "landmarker_error_idx")
  expect_error(read_idx(zip(100, c(2e9, 1), FALSE)), "fewer", class = "landmarker_error_idx")
  expect_identical(dim(read_idx(zip(1e6, c(1e6, 1)))), c(1000000L, 1L))
})

test_that("the limit is an option", {
  withr::local_options(landmarker.memory = 1.5e8)
  check <- function(bytes) check_memory(bytes, "A test needs", "Test less.", "x", NULL)
  expect_snapshot(check(2e8), error = TRUE)
  expect_error(check(2e8), class = "landmarker_error_memory")
  expect_null(check(1.5e8))
})

test_that("the needs of a fit grow as they should", {
  skip_on_cran()
  source <- as_source(x, NULL, FALSE, "x", NULL)
  need <- function(method, n) fit_needs(method, source, n, 0)
  # Twice the landmarks, four times the matrices.
  expect_gt(need(by_gp(), 1400) / need(by_gp(), 700), 2)
  expect_gt(need(by_gp(), 1400), need(by_gp(criterion = "volume"), 1400))
  expect_gt(need(by_random(), 1400) / need(by_random(), 700), 3.5)
  # Columns of the kernel.
  expect_gt(need(by_active(), 300), 3000 * 300)
  expect_lt(need(by_active(100), 50), need(by_active(), 50))
})

test_that("the needs of a comparison count features, rows and outputs", {
  source <- as_source(x, NULL, FALSE, "x", NULL)
  need <- function(method, n = 20, outputs = 1) cv_needs(method, source, n, outputs)
  expect_identical(need(by_random(), outputs = 11) - need(by_random()), 6 * 10 * 3000)
  # The data themselves have as many features as columns, whatever the number of landmarks.
  expect_identical(need(raw_features, 5), need(raw_features, 500))
  # A method's own data: sparse ones take their values alone, unless a function makes them dense.
  own <- Matrix::sparseMatrix(1:3000, rep(1:2, 1500), x = 1, dims = c(3000, 20000))
  expect_lt(need(with_data(by_random(), own)), 1e6)
  expect_gt(need(with_data(raw_features, own)), 3000 * 20000)
  expect_gt(need(with_data(by_random(), as.matrix(own[, 1:2000]))), 3 * 3000 * 2000)
})

test_that("the search for a bandwidth is refused before it needs too much", {
  x <- odd_matrix(3000, 3)
  rlang::local_options(landmarker.memory = 3e8)
  e <- expect_error(landmarks(x, 1500, "random"), "search for the bandwidth",
    class = "landmarker_error_memory"
  )
  expect_identical(e$arg, "bandwidth")
  expect_s3_class(landmarks(x, 1500, "random", bandwidth = 0.1), "landmarks")
})

test_that("memory that the system does not give is an error of memory", {
  skip_on_os(c("windows", "mac", "solaris"))
  found <- in_fresh_r(function() {
    options(landmarker.memory = 1e12)
    x <- matrix(stats::rnorm(60000 * 3), ncol = 3)
    e <- tryCatch(landmarks(x, 6000, by_active(), bandwidth = 1e-3), error = identity)
    list(class = class(e), message = conditionMessage(e))
  }, before = "ulimit -v 2500000")
  expect_true("landmarker_error_memory" %in% found$class)
  expect_match(found$message, "cannot allocate|not enough memory for")
})
