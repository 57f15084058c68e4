# Rows on the workers of a cluster: the results of the data in memory, and bad data.

roll <- function(n = 9000) withr::with_seed(1, unclass(sim_swiss_roll(n)))

# One cluster for the tests that do it no harm.
shared <- NULL
shared_workers <- function() {
  if (is.null(shared)) shared <<- two_workers("psock", testthat::teardown_env())
  shared
}

# Random batches are in single precision, whose rounding turns with the last bits of the means.
expect_same_fit <- function(x, whole, method, n = 12, ...) {
  tolerance <- if (inherits(method, "by_gp") && is.null(method$batch_size)) 1e-5 else 1e-8

  fit <- withr::with_seed(2, suppressWarnings(landmarks(x, n, method, ...)))
  want <- withr::with_seed(2, suppressWarnings(landmarks(whole, n, method, ...)))
  expect_equal(coef(fit), coef(want), tolerance = tolerance)
  for (part in c("log_det", "explained", "nearest", "rows", "spacing")) {
    expect_equal(fit[[part]], want[[part]], tolerance = tolerance)
  }
  fit
}

methods_to_try <- list(
  by_gp(), by_gp(batch_size = Inf, max_iterations = 20), by_gp(criterion = "volume"), by_active(),
  by_active(pivot = "random"), by_dpp(30), by_kmeans(), by_random()
)

for (kind in c("psock", "mirai")) {
  test_that(paste("all methods and uses give what they give in memory, on", kind), {
    if (kind == "mirai") skip_unless_full()
    whole <- roll()
    x <- spread(two_workers(kind), whole)
    expect_identical(dim(x), dim(whole))
    for (method in methods_to_try) fit <- expect_same_fit(x, whole, method)
    expect_same_fit(x, whole, by_gp(), weights = rep(c(1, 0, 2.5), 3000), scale = TRUE)
    expect_equal(predict(fit, x), predict(fit, whole), tolerance = 1e-12)
    expect_equal(predict(fit, x, "nearest"), predict(fit, whole, "nearest"), tolerance = 1e-12)
    few <- whole[1:50, ]
    expect_equal(
      predict(fit, few, "variance", x = x), predict(fit, few, "variance", x = whole), tolerance = 1e-8
    )
    expect_equal(reconstruction_error(fit, x), reconstruction_error(fit, whole), tolerance = 1e-10)
    expect_equal(nearest_observations(fit, x), nearest_observations(fit, whole), tolerance = 1e-10)
    map <- suppressWarnings(embed_landmarks(fit, x))
    expect_equal(predict(map, x), predict(map, whole), tolerance = 1e-12)
    written <- predict(map, x, sink = function(values, rows) list(values, rows))
    expect_equal(do.call(rbind, lapply(written, `[[`, 1)), predict(map, whole), tolerance = 1e-12)
    expect_identical(unlist(lapply(written, `[[`, 2)), 1:9000)
    book <- withr::with_seed(3, codebook(x, 9))
    expect_equal(coef(book), coef(withr::with_seed(3, codebook(whole, 9))), tolerance = 1e-8)
    expect_identical(x[c(8999, 1, 3000, 3001), ], whole[c(8999, 1, 3000, 3001), ])
  })
}

test_that("workers may hold sparse rows, and parts in files", {
  cl <- shared_workers()
  counts <- methods::as(withr::with_seed(1, matrix(stats::rpois(4000 * 30, 0.3), 4000)), "CsparseMatrix")
  fit <- expect_same_fit(spread(cl, counts), counts, by_gp())
  expect_true(fit$sparse)
  whole <- roll()
  parts <- on_workers(cl, function(worker, workers) {
    own <- if (worker == 1) whole[1:2000, ] else whole[2001:9000, ]
    landmarker::data_parts(dim(own), function(i) own[(i - 1) * 1000 + 1:1000, ], nrow(own) / 1000)
  })
  # In memory of the workers, all are tried above.
  for (method in methods_to_try[if (full_run()) 1:8 else c(1, 2, 6)]) expect_same_fit(parts, whole, method)
  fit <- quiet(landmarks(whole, 5))
  written <- predict(fit, parts, sink = function(values, rows) list(values, rows))
  rows <- unlist(lapply(written, `[[`, 2))
  expect_identical(sort(rows), 1:9000)
  expect_equal(
    do.call(rbind, lapply(written, `[[`, 1))[order(rows), ], predict(fit, whole), tolerance = 1e-12
  )
})

test_that("one worker may have no rows, and the same division gives the same bits", {
  cl <- shared_workers()
  whole <- roll(3000)
  expect_same_fit(spread(cl, whole, 3000), whole, by_dpp(30))
  cut <- spread(cl, whole, 1000)
  fit <- function() withr::with_seed(1, quiet(landmarks(cut, 10, by_gp(batch_size = Inf))))
  expect_identical(coef(fit()), coef(fit()))
})

test_that("batch_size = Inf takes all rows in each step, also in memory", {
  x <- roll(6000)
  fit <- withr::with_seed(1, quiet(landmarks(x, 10, by_gp(batch_size = Inf, max_iterations = 30))))
  expect_true(fit$exact)
  expect_true(all(fit$iterations <= 30))
  cut <- cut_data(x, 3)
  cut <- withr::with_seed(1, quiet(landmarks(cut, 10, by_gp(batch_size = Inf, max_iterations = 30))))
  expect_equal(coef(cut), coef(fit), tolerance = 1e-6)
})

test_that("bad data on workers are errors that say where", {
  cl <- shared_workers()
  x <- roll(300)
  read_as <- function(change) {
    tryCatch(
      on_workers(cl, function(worker, workers) {
        own <- x[(worker - 1) * 150 + 1:150, ]
        if (worker == 2) change(own) else own
      }),
      error = function(e) e
    )
  }
  hide <- function(text) gsub("process [0-9]+ on [^)]*", "process P on HOST", cli::ansi_strip(text))
  errors <- list(
    read_as(function(own) own[, 1:2]), read_as(function(own) `colnames<-`(own, c("a", "b", "c"))),
    read_as(function(own) methods::as(own, "CsparseMatrix")), read_as(function(own) stop("the disk is gone")),
    read_as(function(own) "a")
  )
  for (error in errors) expect_s3_class(error, "landmarker_error")
  expect_snapshot(writeLines(paste0(hide(vapply(errors, conditionMessage, "")), "\n")))
  holes <- read_as(function(own) replace(own, 7, NA))
  expect_error(landmarks(holes, 3), "row 157", class = "landmarker_error_missing")
  expect_error(predict(landmarks(x, 3), holes), "row 157", class = "landmarker_error_missing")
  expect_snapshot(error = TRUE, {
    on_workers(3, identity)
    on_workers(cl, 3)
    on_workers(cl, function(worker, workers) x[0, ])
  })
  expect_error(on_workers(cl, function(worker, workers) no_such_thing), "local()", fixed = TRUE,
    class = "landmarker_error_worker"
  )
  fine <- read_as(identity)
  expect_error(fine[301, ], class = "landmarker_error_subscript")
  copy <- unserialize(serialize(fine, NULL))
  expect_identical(copy[1, ], x[1, , drop = FALSE])
  expect_identical(fine[2, ], x[2, , drop = FALSE])
  expect_snapshot(fine)
  expect_error(landmarks(fine, 3, by_dpp_exact()), class = "landmarker_error_parts")
  expect_error(landmarks(fine, 400), class = "landmarker_error_rank")
  # The workers are at work again after each error.
  expect_s3_class(landmarks(fine, 3), "landmarks")
})
