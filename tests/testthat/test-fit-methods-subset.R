# Some landmarks of a fit: what is exact, what is unknown, and what can be done with it.

set.seed(1)
x <- sim_swiss_roll(500)
eta <- 20
fit <- landmarks(x, 13, bandwidth = eta)

test_that("the first landmarks are the fit without the later ones", {
  few <- fit[1:5]
  expect_s3_class(few, "landmarks")
  expect_identical(length(few), 5L)
  alone <- as_landmarks(coef(fit)[1:5, ], x, bandwidth = eta)
  for (part in c("variance", "explained", "log_det", "nearest_distance")) {
    expect_equal(few[[part]], alone[[part]], tolerance = 1e-9, info = part)
  }
  for (part in c("landmarks", "nearest", "on_data", "spacing", "bandwidth", "n_rows")) {
    expect_identical(few[[part]], alone[[part]], info = part)
  }
  expect_identical(predict(few, x, "features"), predict(fit, x, "features")[, 1:5])
  expect_identical(few$history, c(fit$history, "the first 5 of 13 landmarks"))
  expect_identical(unclass(head(fit, 5)), unclass(few))
  expect_output(print(few), "5 landmarks of 500 .* the first 5 of 13 landmarks")
})

test_that("every part that belongs to landmarks is cut, for every method", {
  methods <- list(
    by_gp(), by_gp("sgd", iterations = 5, batch_size = 50), by_active(), by_dpp(),
    by_dpp(covariance = "diagonal"), by_dpp(covariance = "full"), by_dpp_exact(), by_kmeans(), by_random()
  )
  for (method in methods) {
    fit <- suppressWarnings(landmarks(x, 13, method, bandwidth = eta))
    for (at in list(1:4, c(9L, 2L, 5L, 13L))) {
      few <- fit[at]
      expect_no_error(validate_landmarks(few))
      parts <- unclass(few)[setdiff(names(few), c("subset_of", "method"))]
      sizes <- lapply(parts, function(v) dim(v) %||% length(v))
      expect_false(13L %in% unlist(sizes), info = format(method))
      expect_identical(few$rows, fit$rows[at])
      expect_identical(few$moved, fit$moved[at])
      expect_identical(few$trace, if (at[1] == 1) fit$trace[at] else rep(NA_real_, 4))
      expect_output(print(few), "4 landmarks")
    }
  }
  full <- landmarks(x, 13, by_dpp(covariance = "full"), bandwidth = eta)
  expect_identical(full[c(7, 3)]$covariance[, , 1], full$covariance[, , 7])
  flat <- landmarks(x, 13, by_dpp(covariance = "diagonal"), bandwidth = eta)
  expect_identical(flat[c(7, 3)]$covariance[1, ], flat$covariance[7, ])
})

test_that("gaps are those between the landmarks that are kept", {
  fit <- landmarks(x, 40, bandwidth = eta)
  at <- 40:6
  few <- fit[at]
  # In the numbers of the whole fit.
  pairs <- function(m) sort(paste(pmin(m[, 1], m[, 2]), pmax(m[, 1], m[, 2])))
  whole <- fit$gaps[fit$gaps[, 1] %in% at & fit$gaps[, 2] %in% at, , drop = FALSE]
  expect_gt(nrow(whole), 0)
  expect_identical(pairs(cbind(at[few$gaps[, 1]], at[few$gaps[, 2]])), pairs(whole))
  expect_true(all(few$gaps[, "low"] < few$gaps[, "high"]))
  # Pairs that the fit has not examined are no gaps and no shortcuts.
  graph <- suppressWarnings(landmark_graph(few, neighbors = 4))
  expect_true(all(pairs(graph$shortcuts) %in% pairs(few$gaps)))
  expect_true(all(pairs(few$gaps) %in% pairs(few$examined)))
  expect_identical(few[3:1]$examined, fit[at[3:1]]$examined)
  expect_identical(few[1]$gaps, cbind(low = integer(), high = integer()))
})

test_that("the variances of other landmarks are unknown, and the rest works", {
  at <- c(7L, 2L, 11L, 4L, 9L)
  some <- fit[at]
  expect_identical(some$variance, rep(NA_real_, 5))
  expect_identical(some$explained, rep(NA_real_, 5))
  expect_identical(some$log_det, NA_real_)
  expect_identical(coef(some), `rownames<-`(coef(fit)[at, ], paste0("L", 1:5)))
  expect_identical(some$nearest, fit$nearest[at])
  # The same on every processor.
  some$seconds <- 1
  some$iterations[] <- 12L
  expect_snapshot(print(some))
  expect_identical(glance(some)$explained, NA_real_)
  expect_refused(plot(some, type = "variance"))
  expect_no_error(on_device(plot(some, x)))
  alone <- as_landmarks(coef(fit)[at, ], x, bandwidth = eta)
  expect_identical(unname(predict(some, x, "features")), unname(predict(fit, x, "features")[, at]))
  expect_equal(predict(some, x, "variance", x = x), predict(alone, x, "variance", x = x), tolerance = 1e-10)
  expect_equal(reconstruction_error(some, x), reconstruction_error(alone, x), tolerance = 1e-10)
  expect_identical(coef(embed_landmarks(some, x)), coef(embed_landmarks(alone, x)))
  # What needs the variances computes them from the data.
  set.seed(2)
  more <- add_landmarks(some, x, 3)
  set.seed(2)
  expect_equal(more$variance, add_landmarks(alone, x, 3, by_gp())$variance, tolerance = 1e-9)
  expect_identical(unname(more$landmarks[1:5, ]), unname(fit$landmarks[at, ]))
  again <- refine_landmarks(some, x, 0)
  expect_equal(again$log_det, alone$log_det, tolerance = 1e-9)
  expect_false(is.unsorted(rev(again$variance)))
  expect_gt(refine_landmarks(some, x, 2, criterion = "volume")$log_det, again$log_det)
  # One of them adds nothing.
  twice <- as_landmarks(x[c(1, 200, 200, 300), ], x, bandwidth = eta)[c(4, 2, 3)]
  expect_length(add_landmarks(twice, x, 2, by_gp()), 5)
  expect_warning(both <- refine_landmarks(twice, x, 0), class = "landmarker_warning_rank")
  expect_length(both, 2)
  # The first of these are unknown too.
  expect_identical(some[1:2]$variance, rep(NA_real_, 2))
  expect_identical(some[1:2]$subset_of, 13L)
})

test_that("an index may be numbers, negative numbers, names or logical values", {
  kept <- function(i) unname(fit[i]$landmarks)
  rows <- function(i) unname(fit$landmarks[i, , drop = FALSE])
  expect_identical(kept(c(3, 1)), rows(c(3, 1)))
  expect_identical(kept(-(1:10)), rows(11:13))
  expect_identical(kept(-13), rows(1:12))
  expect_identical(kept(c("L4", "L13")), rows(c(4, 13)))
  expect_identical(kept(rep(c(TRUE, FALSE), c(2, 11))), rows(1:2))
  expect_identical(fit[], fit)
  expect_identical(fit[1:13], fit)
  expect_identical(fit[13:1]$history[2], "all 13 landmarks, reordered")
  expect_identical(rev(fit)$landmarks, fit$landmarks[13:1, ])
  expect_refused(
    fit[0], fit[14], fit[-14], fit[c(1, NA)], fit[c(2, 5, 2)], fit[c(-1, 2)], fit[1.5], fit[Inf],
    fit[integer()], fit[NULL], fit[-(1:13)], fit[TRUE], fit[rep(FALSE, 13)], fit["bandwidth"],
    fit[NA_character_], fit[list(1)], fit[factor("L1")], fit[matrix(1:2, 1)], fit[1, 2], fit[, 2]
  )
})

test_that("a response is kept with all landmarks alone", {
  set.seed(1)
  quick <- by_response(iterations = 50)
  fit <- landmarks(Species ~ ., data = iris, n = 5, method = quick)
  expect_snapshot(few <- fit[1:3])
  expect_null(few$response)
  expect_error(predict(few, iris, "class"), class = "landmarker_error_fit")
  expect_silent(turned <- fit[5:1])
  expect_equal(predict(turned, iris, "response"), predict(fit, iris, "response"), tolerance = 1e-12)
  expect_identical(rownames(turned$response$coefficients), rownames(fit$response$coefficients))
  for (trend in c(FALSE, TRUE)) {
    method <- by_response(quakes$depth, iterations = 50, trend = trend)
    number <- landmarks(quakes[1:2], 5, method, scale = TRUE)
    intervals <- function(fit) predict(fit, quakes[1:50, ], interval = "prediction")
    for (order in list(5:1, c(2, 4, 1, 5, 3))) {
      expect_equal(intervals(number[order]), intervals(number), tolerance = 1e-10)
    }
  }
})
