# Hostile arguments for every exported function and method: a valid call with one or two arguments replaced.
# Each call must give a value without NaN or raise an error of class `landmarker_error`. A child process
# that ends is a crash; another error is a bare one; a call of more than 20 seconds is slow.
#
#   Rscript tests/fuzz/functions.R [CALLS [SEED]]       calls for each function, default 100, and a seed

library(landmarker)

asked <- as.numeric(commandArgs(TRUE))
calls <- if (length(asked)) asked[1] else 100
seed <- if (length(asked) > 1) asked[2] else 1

# ---- valid calls: name = list(function, arguments) -------------------------------

set.seed(1)
options(landmarker.threads = 1)
x <- sim_spiral(60)
frame <- data.frame(a = x[, 1], b = x[, 2], f = factor(rep(c("u", "v", "w"), 20)), y = x[, 1] + 1)
y <- factor(rep(c("p", "q"), 30))
counts <- methods::as(newsgroups[1:80, 1:20], "CsparseMatrix")
fit <- suppressWarnings(landmarks(x, 8))
of_frame <- suppressWarnings(landmarks(~ a + f, frame, 5, scale = TRUE))
of_counts <- suppressWarnings(landmarks(counts, 5, by_random()))
dpp <- suppressWarnings(landmarks(sim_swiss_roll(200), 30, by_dpp()))
response <- suppressWarnings(landmarks(x, 5, by_response(y)))
embedding <- suppressWarnings(embed_landmarks(dpp, dims = 2))
graph <- suppressWarnings(landmark_graph(dpp, neighbors = 5))
cv <- suppressWarnings(cv_landmarks(x, y,
  n = 4, methods = list(random = by_random()), folds = 2, seeds = 1
))
book <- suppressWarnings(codebook(x, 4))
tags <- cbind(r = y == "p", s = x[, 1] > 0)
scores <- cbind(r = seq(0, 1, length.out = 60), s = seq(1, 0, length.out = 60))
idx_file <- tempfile(fileext = "-ubyte")
writeBin(as.raw(c(0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3)), idx_file)
few <- function(fun, ...) list(fun = fun, arguments = list(...))

uses <- list(
  landmarks = few(landmarks, x, n = 5, method = "gp", bandwidth = 1, weights = rep(1:2, 30), scale = FALSE),
  landmarks_frame = few(landmarks, frame, n = 4, method = by_active(), scale = TRUE),
  landmarks_formula = few(landmarks, ~ a + f, data = frame, n = 4, scale = TRUE),
  landmarks_sparse = few(landmarks, counts, n = 4, method = by_kmeans(), space = "nonnegative"),
  by_gp = few(by_gp, solver = "joint", criterion = "trace", max_iterations = 10, tolerance = 0.01),
  by_active = few(by_active, subset = 50, pivot = "largest"),
  by_dpp = few(by_dpp, neighbors = 5, update = "sin2", covariance = "full"),
  by_dpp_exact = few(by_dpp_exact, sigma = 1),
  by_kmeans = few(by_kmeans, max_iterations = 5, batch_size = 20),
  by_random = few(by_random, prob = rep(1, 60)),
  by_response = few(by_response, y),
  by_class = few(by_class, y = y),
  run_dpp = few(landmarks, x, 5, by_dpp()),
  run_exact = few(landmarks, x, 5, by_dpp_exact()),
  run_response = few(landmarks, x, 4, by_response(y)),
  run_class = few(landmarks, x, 4, by_class(y = y)),
  run_sgd = few(landmarks, x, 4, by_gp("sgd")),
  add_landmarks = few(add_landmarks, fit, x, n = 2),
  refine_landmarks = few(refine_landmarks, fit, x, max_iterations = 3),
  as_landmarks = few(as_landmarks, x[1:5, ], x, bandwidth = 1),
  predict = few(predict, fit, x, type = "features"),
  predict_nearest = few(predict, fit, x, "nearest"),
  predict_variance = few(predict, fit, x, "variance", x = x),
  predict_frame = few(predict, of_frame, frame),
  predict_response = few(predict, response, x, "class"),
  nearest_observations = few(nearest_observations, fit, x, k = 2),
  reconstruction_error = few(reconstruction_error, fit, x),
  top_features = few(top_features, of_counts, 3),
  embed_landmarks = few(embed_landmarks, dpp, dims = 2, neighbors = 5, alpha = 1),
  predict_embedding = few(predict, embedding, sim_swiss_roll(50)),
  landmark_graph = few(landmark_graph, dpp, neighbors = 5),
  cv_landmarks = few(cv_landmarks, x, y, n = 3, methods = list(random = by_random()), folds = 2, seeds = 1),
  predict_cv = few(predict, cv, x),
  codebook = few(codebook, x, 4),
  predict_book = few(predict, book, x, group = rep(1:6, 10)),
  hellinger = few(hellinger, counts, empty = "keep"),
  tagging_scores = few(tagging_scores, scores, tags),
  plot_fit = few(plot, fit, x, color = y),
  plot_variance = few(plot, fit, type = "variance"),
  plot_embedding = few(plot, embedding, sim_swiss_roll(50), edges = TRUE),
  plot_cv = few(plot, cv),
  plot_images = few(plot_images, digits$images[1:4, ], dim = c(28, 28)),
  tidy = few(tidy, fit), glance = few(glance, fit), augment = few(augment, fit, x),
  tidy_embedding = few(tidy, embedding), glance_embedding = few(glance, embedding),
  augment_embedding = few(augment, embedding, sim_swiss_roll(50)),
  summary = few(summary, fit), print = few(print, fit), print_cv = few(print, cv, digits = 3),
  print_embedding = few(print, embedding), print_graph = few(print, graph),
  sim_circles = few(sim_circles, n = 10, circles = 2, noise = 0.1),
  sim_spiral = few(sim_spiral, n = 10, turns = 2, noise = 0.1),
  sim_swiss_roll = few(sim_swiss_roll, n = 10, height = 3, noise = 0.1),
  sim_fish_bowl = few(sim_fish_bowl, n = 10, rim = 0.5, noise = 0.1),
  read_idx = few(read_idx, idx_file),
  data_parts = few(data_parts, c(60, 2), function(part) x[seq_len(30) + 30 * (part - 1), ], 2),
  parts_fit = few(function(dims, read, n_parts) landmarks(data_parts(dims, read, n_parts), 3),
    c(60, 2), function(part) x[seq_len(30) + 30 * (part - 1), ], 2
  ),
  raw_features = few(raw_features, x), with_data = few(with_data, by_random(), x),
  new_method = few(new_method, "mine", function(x, n, ...) x[1:n, ]),
  selection = few(selection, x[1:3, ], iterations = 1:3)
)

# ---- hostile values --------------------------------------------------------------

values <- list(
  NULL, NA, NA_integer_, NA_real_, NaN, Inf, -Inf, TRUE, FALSE, 0, -1, 0.5, 1L, 2, 3:1, 1e308, 1e-308, 4.9e-324,
  .Machine$integer.max, 2^31, 1e10, "a", "", NA_character_, "gp", "{x}", "{stop('ran')}", character(), list(), list(1),
  numeric(), integer(), quote(x), quote(x + y), y ~ x, sum, function(...) stop("theirs"), new.env(), 1i, as.raw(1),
  Sys.Date(), factor(c("a", NA)), factor(character()), matrix(0, 0, 0), matrix(0, 0, 2), matrix(0, 2, 0), matrix(0, 1, 1),
  matrix("a", 2, 2), matrix(1, 60, 2), matrix(1e308, 60, 2), x * 1e300, x * 1e-300, x * 1e-160, x[1, , drop = FALSE],
  x[, 1, drop = FALSE], x[, 1], replace(x, 5, NA), replace(x, 5, Inf), as.data.frame(x), frame, frame[0, ], frame[, 0],
  data.frame(), iris, array(0, c(2, 2, 2)), counts, counts[0, ], Matrix::t(counts), methods::as(counts, "TsparseMatrix"), y,
  as.character(y), rep(1, 60), rep(0, 60), rep(NA_real_, 60), rep(1e308, 60), seq_len(60), by_gp(), by_random(), fit,
  embedding, graph, cv, book, structure(list(), class = "landmarks"), structure(list(), class = "landmark_embedding"),
  structure(list(), class = "cv_landmarks"), structure(list(), class = "data.frame"),
  structure(list(a = 1), class = c("by_gp", "landmark_method")), tempdir(), "/dev/null", Sys.time(), 1:1000
)

# An object of ours with one part replaced or left out.
alter <- function(object) {
  if (length(unclass(object)) == 0) return(object)
  k <- sample.int(length(unclass(object)), 1)
  old <- class(object)
  object <- unclass(object)
  inner <- object[[k]]
  if (is.list(inner) && length(inner) && stats::runif(1) < 0.5) {
    object[k] <- list(alter(inner))
  } else {
    object[k] <- if (stats::runif(1) < 0.2) list(NULL) else sample(values, 1)
  }
  if (stats::runif(1) < 0.1) object <- object[-k]
  class(object) <- old
  object
}

ours <- c(
  "landmarks", "landmark_embedding", "landmark_graph", "cv_landmarks", "codebook", "landmark_method", "data_parts"
)

# `own`: the first argument keeps its class, because a generic would call another package's method.
mutate <- function(arguments, own) {
  for (turn in seq_len(sample.int(2, 1))) {
    k <- sample.int(length(arguments), 1)
    old <- arguments[[k]]
    if (inherits(old, ours) && (own && k == 1 || stats::runif(1) < 0.8)) {
      arguments[k] <- list(alter(old))
    } else {
      arguments[k] <- sample(values, 1)
    }
  }
  arguments
}

# ---- the calls -------------------------------------------------------------------

has_nan <- function(value) {
  if (is.list(value)) return(any(vapply(unclass(value), has_nan, NA)))
  is.double(value) && any(is.nan(value))
}

# One call: what it ended in, and for a fault the message.
attempt <- function(use, arguments) {
  warned <- FALSE
  setTimeLimit(elapsed = 20, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch(
    {
      value <- withCallingHandlers(
        do.call(use$fun, arguments, quote = TRUE),
        warning = function(w) {
          warned <<- TRUE
          invokeRestart("muffleWarning")
        },
        message = function(m) invokeRestart("muffleMessage")
      )
      given <- any(vapply(arguments, function(a) is.list(a) || has_nan(a), NA))
      if (!given && !warned && has_nan(value)) c("NaN", "a value has NaN") else "value"
    },
    landmarker_error = function(e) "refused",
    error = function(e) {
      text <- conditionMessage(e)
      if (grepl("elapsed time limit", text)) return(c("slow", text))
      if (grepl("theirs", text)) return("theirs")
      c("bare", paste(class(e)[1], text, sep = ": "), paste(deparse(conditionCall(e))[1], collapse = " "))
    }
  )
}

attack <- function(name, calls, seed, log) {
  use <- uses[[name]]
  grDevices::pdf(NULL)
  sink(nullfile())
  faults <- list()
  ends <- character()
  for (k in seq_len(calls)) {
    set.seed(seed * 10000 + k)
    arguments <- mutate(use$arguments, identical(use$fun, predict) || identical(use$fun, plot) ||
      identical(use$fun, print) || identical(use$fun, summary))
    writeLines(paste(name, k), log)
    end <- attempt(use, arguments)
    ends <- c(ends, end[1])
    if (end[1] %in% c("bare", "NaN", "slow")) faults[[length(faults) + 1]] <- c(k, end)
  }
  list(ends = ends, faults = faults)
}

# Each call must be valid before it is changed.
if (!interactive()) {
  for (name in names(uses)) {
    grDevices::pdf(NULL)
    sink(nullfile())
    end <- attempt(uses[[name]], uses[[name]]$arguments)
    sink()
    grDevices::dev.off()
    if (end[1] != "value") cat("not valid:", name, end, "\n")
  }
  log <- tempfile("functions-", tmpdir = dirname(tempdir()))
  all <- character()
  bad <- 0
  for (name in names(uses)) {
    job <- parallel::mcparallel(attack(name, calls, seed, log), silent = TRUE)
    result <- parallel::mccollect(job)[[1]]
    if (!is.list(result)) {
      bad <- bad + 1
      cat("CRASH:", readLines(log), if (inherits(result, "try-error")) result, "\n")
      next
    }
    all <- c(all, result$ends)
    seen <- character()
    for (fault in result$faults) {
      bad <- bad + 1
      key <- paste(fault[-1], collapse = " | ")
      if (!key %in% seen) cat(name, fault[1], substr(gsub("\n", " ", key), 1, 200), "\n")
      seen <- c(seen, key)
    }
  }
  print(table(all))
  cat(length(all), "calls,", bad, "faults\n")
  quit(status = bad > 0)
}
