# R's generics for a fit: length(), nobs(), as.data.frame(), formula(), fitted(), and what must not change
# because a fit has a length of its own; and some landmarks of a fit.

set.seed(1)
x <- sim_swiss_roll(300)
fit <- landmarks(x, 7, bandwidth = 20)
# Columns whose names are not R's, a factor, and a number to predict.
flowers <- stats::setNames(iris[c(1, 2, 5)], c("a b", "w", "kind"))

test_that("a fit has the length of its landmarks, and is a list all the same", {
  expect_identical(lengths(list(fit, fit[1:2])), c(7L, 2L))
  expect_identical(length(structure(list(), class = "landmarks")), 0L)
  expect_identical(length(structure(1:3, class = "landmarks")), 3L)
  expect_identical(fit[["bandwidth"]], 20)
  expect_identical(names(lapply(fit, identity)), names(fit))
  expect_identical(all.equal(fit, fit), TRUE)
  other <- with_part(fit, bandwidth = 40)
  expect_match(all.equal(fit, other), "bandwidth")
  expect_output(str(fit, max.level = 1), "list of .*\\$ landmarks .*\\$ bandwidth .*\\$ seconds")
  expect_identical(unserialize(serialize(fit, NULL)), fit)
  expect_identical(utils::modifyList(fit, list(bandwidth = 40)), other)
  expect_output(print(list(fit)), "7 landmarks of 300")
})

test_that("nobs() is the number of rows", {
  expect_identical(nobs(fit), 300L)
  expect_identical(nobs(add_landmarks(fit, x[1:100, ], 1)), 100L)
  graph <- landmark_graph(fit)
  for (object in list(graph, embed_landmarks(graph), codebook(x, 4))) {
    expect_identical(nobs(object), 300L)
    expect_error(nobs(structure(list(), class = class(object))), class = "landmarker_error_input")
  }
})

test_that("as.data.frame() gives the coordinates", {
  frame <- as.data.frame(fit)
  expect_identical(class(frame), "data.frame")
  expect_identical(as.matrix(frame), coef(fit))
  expect_identical(names(as.data.frame(landmarks(unname(x), 2))), c("V1", "V2", "V3"))
  on_frame <- as.data.frame(landmarks(flowers, 3), row.names = letters[1:3], optional = TRUE)
  expect_named(on_frame, c("a b", "w", "kindsetosa", "kindversicolor", "kindvirginica"))
  expect_identical(rownames(on_frame), letters[1:3])
  expect_identical(data.frame(fit), frame)
})

test_that("fitted() and residuals() are those of held-out rows, or say where the values are", {
  set.seed(1)
  learned <- landmarks(flowers[1:2], 3, by_response(iris$Petal.Width, iterations = 5))
  out <- learned$response$held_out$index
  expect_length(fitted(learned), 150)
  expect_identical(which(!is.na(fitted(learned))), as.integer(out))
  expect_equal(fitted(learned) + residuals(learned), replace(rep(NA, 150), out, iris$Petal.Width[out]))
  classes <- landmarks(flowers[1:2], 3, by_response(iris$Species, iterations = 5, held_out = 0.5))
  expect_identical(dim(fitted(classes)), c(150L, 3L))
  none <- landmarks(flowers[1:2], 3, by_response(iris$Species, iterations = 20, held_out = 0))
  # Rows that were left out have the places that lm() gives them.
  for (action in c("na.omit", "na.exclude")) {
    of <- list(Ozone ~ Wind + Temp, data = airquality, na.action = action)
    some <- do.call(landmarks, c(of, n = 3, method = list(by_response(iterations = 20))))
    expect_identical(names(fitted(some)), if (action == "na.omit") names(fitted(do.call(lm, of))))
    expect_length(residuals(some), length(residuals(do.call(lm, of))))
  }
  expect_refused(fitted(fit), residuals(fit), residuals(classes), fitted(none))
})

test_that("formula() gives the variables, and the response", {
  of <- function(...) deparse1(formula(landmarks(...)))
  expect_identical(of(flowers, 3), "~`a b` + w + kind")
  by <- by_response(iterations = 5, held_out = 0)
  expect_identical(of(log(w) ~ ., flowers, 3, method = by), "log(w) ~ `a b` + kind")
  # The formula stands in a variable.
  wanted <- kind ~ w
  expect_identical(of(wanted, flowers, 3, method = by), "kind ~ w")
  # It does what the fit's own formula does.
  one <- withr::with_seed(2, landmarks(~ . - kind, flowers, 3))
  expect_identical(coef(withr::with_seed(2, landmarks(formula(one), flowers, 3))), coef(one))
  expect_refused(formula(fit))
})

# ---- some landmarks of a fit: what is exact, what is unknown, and what can be done with it -------

set.seed(1)
x <- sim_swiss_roll(500)
eta <- 20
fit <- landmarks(x, 13, bandwidth = eta)

test_that("the first landmarks are the fit without the later ones", {
  few <- fit[1:5]
  alone <- as_landmarks(coef(fit)[1:5, ], x, bandwidth = eta)
  for (part in c("variance", "explained", "log_det", "nearest_distance")) {
    expect_equal(few[[part]], alone[[part]], tolerance = 1e-9, info = part)
  }
  same <- c("landmarks", "nearest", "on_data", "spacing", "bandwidth", "n_rows")
  expect_identical(unclass(few)[same], unclass(alone)[same])
  expect_identical(predict(few, x, "features"), predict(fit, x, "features")[, 1:5])
  expect_identical(few$history, c(fit$history, "the first 5 of 13 landmarks"))
  expect_identical(head(fit, 5), few)
  expect_output(print(few), "5 landmarks of 500 .* the first 5 of 13 landmarks")
})

test_that("every part that belongs to landmarks is cut, for every method", {
  flat <- by_dpp(covariance = "diagonal")
  full <- by_dpp(covariance = "full")
  for (method in list(by_gp(), by_gp("sgd", iterations = 5, batch_size = 50), by_active(), flat, full)) {
    fit <- suppressWarnings(landmarks(x, 13, method, bandwidth = eta))
    for (at in list(1:4, c(9L, 2L, 5L, 13L))) {
      few <- fit[at]
      expect_no_error(validate_landmarks(few))
      parts <- unclass(few)[setdiff(names(few), c("subset_of", "method"))]
      expect_false(13L %in% unlist(lapply(parts, function(v) dim(v) %||% length(v))), info = format(method))
      expect_identical(few$rows, fit$rows[at])
      expect_identical(few$moved, fit$moved[at])
      expect_identical(few$trace, if (at[1] == 1) fit$trace[at] else rep(NA_real_, 4))
    }
    if (identical(method, full)) expect_identical(few$covariance[, , 1], fit$covariance[, , 9])
    if (identical(method, flat)) expect_identical(few$covariance[1, ], fit$covariance[9, ])
  }
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
  for (part in c("variance", "explained")) expect_identical(some[[part]], rep(NA_real_, 5))
  expect_identical(c(some$log_det, glance(some)$explained), c(NA_real_, NA_real_))
  expect_identical(coef(some), `rownames<-`(coef(fit)[at, ], paste0("L", 1:5)))
  expect_identical(some$nearest, fit$nearest[at])
  # The same on every processor.
  some$seconds <- 1
  some$iterations[] <- 12L
  expect_snapshot(print(some))
  expect_refused(plot(some, type = "variance"))
  expect_no_error(on_device(plot(some, x)))
  alone <- as_landmarks(coef(fit)[at, ], x, bandwidth = eta)
  expect_equal(predict(some, x, "variance", x = x), predict(alone, x, "variance", x = x), tolerance = 1e-10)
  expect_identical(coef(embed_landmarks(some, x)), coef(embed_landmarks(alone, x)))
  # What needs the variances computes them from the data.
  more <- lapply(list(some, alone), function(fit) withr::with_seed(2, add_landmarks(fit, x, 3, by_gp())))
  expect_equal(more[[1]]$variance, more[[2]]$variance, tolerance = 1e-9)
  expect_identical(unname(more[[1]]$landmarks[1:5, ]), unname(fit$landmarks[at, ]))
  again <- refine_landmarks(some, x, 0)
  expect_equal(again$log_det, alone$log_det, tolerance = 1e-9)
  expect_false(is.unsorted(rev(again$variance)))
  # The first of these are unknown too.
  expect_identical(some[1:2]$variance, rep(NA_real_, 2))
  expect_identical(some[1:2]$subset_of, 13L)
})

test_that("an index may be numbers, negative numbers, names or logical values", {
  indices <- list(c(3, 1), -(1:10), -13, c("L4", "L13"), rep(c(TRUE, FALSE), c(2, 11)))
  wanted <- list(c(3, 1), 11:13, 1:12, c(4, 13), 1:2)
  for (k in 1:5) expect_identical(unname(coef(fit[indices[[k]]])), unname(coef(fit)[wanted[[k]], ]))
  for (all in list(fit[], fit[1:13])) expect_identical(all, fit)
  expect_identical(fit[13:1]$history[2], "all 13 landmarks, reordered")
  words <- c("the first of 13 landmarks", "1 of 13 landmarks")
  expect_identical(c(fit[1]$history[2], fit[2]$history[2]), words)
  expect_identical(rev(fit)$landmarks, fit$landmarks[13:1, ])
  expect_refused(
    fit[0], fit[14], fit[-14], fit[c(1, NA)], fit[c(2, 5, 2)], fit[c(-1, 2)], fit[1.5], fit[Inf],
    fit[integer()], fit[NULL], fit[-(1:13)], fit[TRUE], fit[rep(FALSE, 13)], fit["bandwidth"],
    fit[NA_character_], fit[list(1)], fit[factor("L1")], fit[matrix(1:2, 1)], fit[1, 2], fit[, 2]
  )
})

test_that("a response is kept with all landmarks alone", {
  quick <- by_response(iterations = 10, held_out = 0)
  fit <- withr::with_seed(1, landmarks(Species ~ ., data = iris, n = 5, method = quick))
  expect_snapshot(few <- fit[1:3])
  expect_null(few$response)
  expect_error(predict(few, iris, "class"), class = "landmarker_error_fit")
  expect_silent(turned <- fit[5:1])
  expect_equal(predict(turned, iris, "response"), predict(fit, iris, "response"), tolerance = 1e-12)
  expect_identical(rownames(turned$response$coefficients), rownames(fit$response$coefficients))
  intervals <- function(fit) predict(fit, quakes[1:50, ], interval = "prediction")
  for (trend in c(FALSE, TRUE)) {
    method <- by_response(quakes$depth, iterations = 10, held_out = 0.5, trend = trend)
    number <- landmarks(quakes[1:2], 5, method, scale = TRUE)
    expect_equal(intervals(number[c(2, 4, 1, 5, 3)]), intervals(number), tolerance = 1e-10)
  }
})
