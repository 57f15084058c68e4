# What methods have in common, and methods of one's own.

skip_slow_file()

x <- odd_matrix(150, 3)
weights <- rep(c(0, 1, 2.5), 50)

# Methods whose landmarks are rows in the order they were drawn, of which the first m of n are those of m.
of_rows <- list(
  random = by_random(), uniform = by_kmeans("uniform", 0), plus_plus = by_kmeans(max_iterations = 0),
  active = by_active(), active_random = by_active(pivot = "random"),
  active_subset = by_active(subset = 70, pivot = "random"), dpp = by_dpp(20, sigma = 0.1)
)
methods <- c(of_rows, list(
  exact = by_dpp_exact(), kmeans = by_kmeans(), batches = by_kmeans(batch_size = 40), joint = by_gp(),
  volume = by_volume(), sequential = by_gp("sequential"), sgd = by_gp("sgd", iterations = 20)
))

fit_by <- function(method, x, n = 8, ..., seed = 1, bandwidth = 0.8) {
  withr::local_seed(seed)
  quiet(landmarks(x, n, method, bandwidth = bandwidth, ...), c("off_data", "weights", "rank", "response"))
}

test_that("landmarks that are rows have their numbers, and the first m of n are those of m", {
  for (name in names(of_rows)) for (w in list(NULL, weights)) {
    n <- if (name == "active_subset") 70 else 100
    fit <- fit_by(of_rows[[name]], x, n, weights = w)
    expect_identical(unname(coef(fit)), x[fit$rows, ], info = name)
    expect_identical(fit$nearest, fit$rows)
    expect_identical(fit$iterations, rep(0L, n))
    expect_true(method_can(of_rows[[name]], "prefixes"))
    for (m in c(5, 64, 65)) {
      short <- fit_by(of_rows[[name]], x, m, weights = w)
      expect_identical(short$rows, fit$rows[seq_len(m)], info = paste(name, m))
      expect_identical(short$trace, fit$trace[seq_len(m)])
    }
  }
  for (method in list(by_gp(), by_kmeans(), by_dpp(neighbors = 20), by_dpp(sigma = 1), by_dpp_exact())) {
    expect_false(method_can(method, "prefixes"))
  }
})

test_that("rows are chosen as without a space, and are projected on it", {
  for (name in c(names(of_rows), "exact")) {
    plain <- fit_by(methods[[name]], x, 6)
    for (space in list("nonnegative", "sphere", function(t) pmin(t, 0.3))) {
      fit <- fit_by(methods[[name]], x, 6, space = space)
      # Rows that come to one point may be left out.
      expect_true(all(fit$rows %in% plain$rows), info = name)
      if (name != "exact") expect_false(is.unsorted(match(fit$rows, plain$rows)))
      expect_equal(unname(coef(fit)), naive_project(x[fit$rows, ], space), tolerance = 1e-14, info = name)
    }
  }
})

test_that("rows of weight 0 are never landmarks, and all others can be", {
  six <- x[1:6, ]
  for (name in c(names(of_rows), "exact")) {
    method <- if (name == "dpp") by_dpp() else methods[[name]]
    rows <- unlist(lapply(1:20, function(seed) {
      fit_by(method, six, 2, seed = seed, bandwidth = 0.1, weights = c(0, 1, 2, 5, 0, 1))$rows
    }))
    expect_setequal(rows, c(2:4, 6))
  }
})

test_that("with `scale` landmarks are those of the scaled data, in the data's units", {
  wide <- x %*% diag(c(1, 40, 0.02))
  spread <- apply(wide, 2, stats::sd)
  for (name in names(methods)) {
    fit <- fit_by(methods[[name]], wide, bandwidth = 2, scale = TRUE)
    scaled <- fit_by(methods[[name]], t(t(wide) / spread), bandwidth = 2)
    in_units <- unname(coef(fit)) / rep(spread, each = 8)
    expect_equal(in_units, unname(coef(scaled)), tolerance = 1e-6, info = name)
    expect_equal(fit$variance, scaled$variance, tolerance = 1e-7, info = name)
    expect_equal(fit$trace, scaled$trace, tolerance = 1e-9)
    expect_identical(fit$rows, scaled$rows)
  }
})

test_that("sparse data and whole numbers give the landmarks of dense data and of doubles", {
  a <- sparse_case(200, 20)
  whole <- round(10 * x)
  integers <- whole
  storage.mode(integers) <- "integer"
  cases <- list(list(a$dense, a$sparse, 6), list(whole, integers, 9), list((x > 0) + 0, x > 0, 3))
  methods$response <- by_response(
    a$dense[, 1] + 0, start = by_random(), iterations = 20, held_out = 0, relevance = FALSE, trend = FALSE
  )
  for (name in names(methods)) {
    # Other storage than sparse is looked at where the core reads it by itself.
    for (case in if (name %in% c("active", "kmeans", "batches")) cases else cases[1]) {
      fits <- lapply(case[1:2], fit_by, method = methods[[name]], n = 5, bandwidth = case[[3]])
      expect_equal(coef(fits[[2]]), coef(fits[[1]]), tolerance = 1e-6, ignore_attr = TRUE, info = name)
      expect_identical(sort(fits[[2]]$rows), sort(fits[[1]]$rows), info = name)
      expect_equal(fits[[2]]$trace, fits[[1]]$trace, tolerance = 1e-10)
    }
  }
})

test_that("one thread and two give the same bits where there is work for both", {
  many <- odd_matrix(20000, 12)
  whole <- round(20 * many)
  storage.mode(whole) <- "integer"
  some <- function(name) function(x) bare(fit_by(methods[[name]], x, 4, bandwidth = 5))
  centers <- function(x) {
    find_centers(as_source(x, rep(c(1, 0.3, 2.7, 1), 5000)), as.matrix(x[seq(1, 20000, 1000), ]) + 0, 4)
  }
  exact <- function(x) {
    source <- as_source(x[1:300, ])
    draw_exact_dpp(source, 1:300, NULL, source_no_points(source), 20, new_kernel(6), compute_with())
  }
  seeds <- function(x) seed_plus_plus(as_source(x), 200)
  for (work in list(some("active"), some("active_random"), centers, seeds, exact)) {
    for (x in c(list(many, methods::as(many * (many > 0.6), "CsparseMatrix")), if (full_run()) list(whole))) {
      found <- lapply(1:2, function(threads) {
        withr::local_options(landmarker.threads = threads)
        withr::with_seed(6, work(x))
      })
      expect_identical(found[[2]], found[[1]])
    }
  }
})

test_that("equal rows are landmarks once, of sparse data too, and with all rows held there is none to add", {
  few <- odd_matrix(6, 3, 3)[rep(1:6, 5), ]
  rank <- "landmarker_warning_rank"
  for (name in setdiff(names(methods), c("exact", "sgd", "active_subset"))) {
    method <- if (name == "dpp") by_dpp() else methods[[name]]
    for (y in if (full_run() || name %in% c("dpp", "active")) list(few, as_sparse(few)) else list(few)) {
      expect_warning(fit <- landmarks(y, 10, method, bandwidth = 0.5), "6 of 10 landmarks", class = rank)
      expect_identical(nrow(unique(round(coef(fit), 6))), 6L, info = name)
      expect_true(is.finite(fit$log_det))
      each <- unclass(fit)[c("variance", "explained", "nearest", "iterations", "moved", "rows")]
      expect_identical(unname(lengths(each)), rep(6L, 6))
      if (name %in% names(of_rows)) expect_setequal((fit$rows - 1) %% 6, 0:5)
    }
    expect_no_warning(expect_warning(more <- add_landmarks(fit, y, 2), class = rank))
    expect_identical(coef(more), coef(fit))
  }
})

test_that("rows that landmarks are held at are not drawn again", {
  six <- cbind(c(0, 1, 2, 4, 7, 11), c(3, 1, 4, 1, 5, 9))
  for (name in c(setdiff(names(of_rows), "dpp"), "exact")) for (seed in 1:4) {
    four <- fit_by(methods[[name]], six, 4, seed = seed, bandwidth = 3)
    more <- add_landmarks(four, six[rep(1:6, 2), ], 2)
    expect_identical(more$rows[1:4], four$rows)
    expect_setequal((more$rows - 1) %% 6, 0:5)
  }
})

test_that("methods have names, and say what they do", {
  for (name in names(named_methods)) expect_identical(match_method(name), named_methods[[name]]())
  said <- list(
    "random rows" = by_random(), "greedy variance maximization on all rows" = by_active(),
    "greedy variance maximization on 5,000 random rows, random pivots" =
      by_active(subset = 5000, pivot = "random"),
    "Gaussian process, all at once (trace criterion)" = by_gp(),
    "Gaussian process, one at a time (volume criterion)" = by_gp("sequential"),
    "Gaussian process, one at a time (stochastic unit gradient)" = by_gp("sgd"),
    "k-means, k-means++ starts, at most 10 iterations" = by_kmeans(),
    "k-means, uniform starts, at most 1 iteration" = by_kmeans("uniform", 1),
    "k-means++ starts, no iterations" = by_kmeans(max_iterations = 0),
    "k-means, k-means++ starts, 100 batches of 1,000 rows" = by_kmeans(batch_size = 1000),
    "k-means, uniform starts, 1 batch of 1 row" = by_kmeans("uniform", 1, 1),
    "approximate determinantal point process, full covariances" = by_dpp(covariance = "full"),
    "exact determinantal point process, geodesic distances" = by_dpp_exact("geodesic"),
    "annealed determinantal point process with power 2" = by_dpp_exact(power = 2),
    "random rows, within each class" = by_class("random"),
    "supervised, initialized by random rows" = by_response(start = "random")
  )
  expect_identical(unname(vapply(said, format, "")), names(said))
})

test_that("what no method can do is refused", {
  expect_refused(
    landmarks(x, 3, "kmean"), landmarks(x, 3, factor(rep(1:2, 75))), landmarks(x, 3, y = 1:3),
    landmarks(x, 3, c("gp", "random")), landmarks(x, 3, by_gp),
    # No distance between strings of no encoding.
    landmarks(x, 3, `Encoding<-`("\xff\xfe", "bytes")), by_active(subset = 0), by_active(subset = Inf),
    by_active(pivot = "smallest"), landmarks(x, 3, by_active(subset = 2)),
    add_landmarks(fit_by(by_active(), x, 1), x, 4, by_active(subset = 3))
  )
})

# ---- methods of one's own ----------------------------------------------------------------

test_that("a selector of one's own works as the package's do", {
  own <- function(chooses = FALSE) {
    new_landmark_method("every_other", list(first = 2), prefixes = FALSE, chooses_size = chooses)
  }
  # It stands outside the package's namespace.
  select <- function(method, source, n, kernel, held, call) {
    rows <- as.integer(seq(method$first, source$dim[1], length.out = if (is.null(n)) 4 else n))
    landmark_selection(rows_as_points(source, rows), rows = rows, used = list(step = diff(rows)[1]))
  }
  environment(select) <- globalenv()
  registerS3method("select_landmarks", "every_other", select)
  registerS3method("format", "every_other", function(x, ...) "rows at equal steps")
  x <- as.matrix(iris[1:4])
  wanted <- as.integer(seq(2, 150, length.out = 10))
  for (data in list(x, methods::as(x, "CsparseMatrix"), in_chunks(x))) {
    fit <- landmarks(data, 10, own())
    expect_setequal(fit$rows, wanted)
    expect_equal(unname(coef(fit)), unname(x[fit$rows, ]), tolerance = 1e-12)
  }
  expect_output(print(fit), "rows at equal steps, step")
  expect_error(landmarks(x, method = own()), class = "landmarker_error_input")
  expect_length(landmarks(x, method = own(TRUE)), 4)
  expect_length(add_landmarks(landmarks(x, 3, "random"), x, 5, own()), 8)
  cv <- cv_landmarks(x, iris$Species, c(5, 10), list(own = own(), random = by_random()), folds = 3, seeds = 1)
  expect_false(anyNA(cv$summary$accuracy))
})

test_that("a selector without a format() method has the name of its class", {
  registerS3method("select_landmarks", "by_first", function(method, source, n, kernel, held, call) {
    landmark_selection(rows_as_points(source, seq_len(n)))
  }, asNamespace("landmarker"))
  fit <- landmarks(x, 3, new_landmark_method("by_first", list(rows = 3, text = "a")))
  expect_output(print(fit), "by_first", fixed = TRUE)
  expect_output(print(fit$method), "<landmark method> by_first\n  rows: 3\n  text: a")
})

test_that("what landmark_selection() accepts is what a fit accepts", {
  x <- as.matrix(iris[1:4])
  by_part <- function(...) new_landmark_method("by_part", list(part = list(...)))
  registerS3method("format", "by_part", function(x, ...) "a part", baseenv())
  registerS3method("select_landmarks", "by_part", function(method, source, n, kernel, held, call) {
    given <- method$part
    given$landmarks <- given$landmarks %||% rows_as_points(source, seq_len(n))
    do.call(landmark_selection, given)
  }, asNamespace("landmarker"))
  fit_of <- function(...) landmarks(x, 3, by_part(...), bandwidth = 1)
  # Rows with their names, without any, and what may be NA, of any kind of number.
  given <- list(landmarks = as.matrix(iris[1:3, 1:4]), landmarks = unname(x[1:3, ]), moved = rep(NA, 3))
  for (k in seq_along(given)) {
    fit <- do.call(fit_of, given[k])
    expect_equal(coef(fit), coef(fit_of()))
    expect_identical(rownames(coef(fit)), c("L1", "L2", "L3"))
  }
  whole <- matrix(c(5L, 3L, 1L, 0L, 6L, 3L, 5L, 2L), 2, byrow = TRUE)
  expect_type(coef(landmarks(x, 2, by_part(landmarks = whole), bandwidth = 1)), "double")
  expect_output(print(fit_of(used = list(steps = 3))), "steps 3")
  expect_warning(expect_output(print(by_part(1)), "a part"), NA)
  expect_identical(dim(fit_of(covariance = matrix(1, 3, 4))$covariance), c(3L, 4L))
  # Also where the landmarks are the start of another method.
  y <- iris$Species
  within <- function(...) landmarks(x, 3, by_response(y, start = by_part(...), held_out = 0), bandwidth = 1)
  inside <- function(...) landmarks(x, 3, by_class(by_part(...), y), bandwidth = 1)
  narrow <- x[1:3, 1, drop = FALSE]
  expect_error(within(landmarks = narrow), class = "landmarker_error_selection")
  expect_error(within(landmarks = x[0, ]), class = "landmarker_error_rank")
  expect_error(inside(landmarks = narrow), class = "landmarker_error_selection")
  bad <- list(
    iterations = c(1, 2, -1), iterations = c(1, 2, 1e12), moved = c(1, 2, -1), moved = c(1, 2, Inf),
    trace = c(1, 2, Inf), used = list(rule = "mine"), covariance = matrix(1, 2, 4),
    covariance = -matrix(1, 3, 4),
    # Not symmetric.
    covariance = array(1:48 + 0, c(4, 4, 3))
  )
  for (k in seq_along(bad)) expect_error(do.call(fit_of, bad[k]), class = "landmarker_error_selection")
  expect_refused(new_landmark_method(), new_landmark_method(1), new_landmark_method("mine", 1:3),
    new_landmark_method("mine", prefixes = NA), fit_of(landmarks = narrow), fit_of(landmarks = x[1:3, ] / 0),
    fit_of(rows = c(1, 2, 151)), fit_of(covariance = matrix(1, 2, 4))
  )
})
