# Altered objects of every class: one part is replaced, left out, or altered inside, and then each function and
# method that takes such an object is called. Each call must give a value or raise an error. A child process
# that ends is a crash; a call of more than 20 seconds is slow.
#
#   Rscript tests/fuzz/objects.R [CALLS [SEED [CLASS ...]]]
#
# alterations of each object, default 30; a seed, default 1; and the classes, by default all.

library(landmarker)

asked <- commandArgs(TRUE)
calls <- if (length(asked)) as.numeric(asked[1]) else 30
seed <- if (length(asked) > 1) as.numeric(asked[2]) else 1

# ---- objects: class = list(objects, uses) ----------------------------------------

set.seed(1)
options(landmarker.threads = 1)
quietly <- function(code) suppressMessages(suppressWarnings(code))
x <- sim_spiral(60)
roll <- sim_swiss_roll(150)
frame <- data.frame(a = x[, 1], b = x[, 2], f = factor(rep(c("u", "v", "w"), 20)), y = x[, 1] + 1)
gaps <- replace(frame, cbind(3:4, 1), NA)
y <- factor(rep(c("p", "q"), 30))
counts <- methods::as(newsgroups[1:60, 1:12], "CsparseMatrix")
tags <- cbind(r = y == "p", s = x[, 1] > 0)
prob <- cbind(r = seq(0, 1, length.out = 60), s = seq(1, 0, length.out = 60))
halves <- function(part) x[seq_len(30) + 30 * (part - 1), ]
dense <- quietly(landmarks(x, 6))
dpp <- quietly(landmarks(roll, 20, by_dpp()))
full <- quietly(landmarks(roll, 12, by_dpp(covariance = "full")))
random <- quietly(landmarks(roll, 30, by_random()))
graph <- quietly(landmark_graph(dpp, neighbors = 5))
compare <- function(...) quietly(cv_landmarks(..., n = 4, folds = 2, seeds = 1, lambda = c(0.01, 1)))
some <- list(random = by_random(), raw = raw_features)

# Of each object: itself, and data that fit it.
objects <- list(
  landmarks = list(
    list(dense, x), list(dpp, roll), list(full, roll), list(dense[c(3, 1)], x),
    list(quietly(landmarks(frame[1:3], 4, scale = TRUE)), frame),
    list(quietly(landmarks(~ a + f, gaps, 4, na.action = na.omit)), gaps),
    list(quietly(landmarks(y ~ a + b, cbind(frame[1:2], y = y), 4, by_response())), frame),
    list(quietly(landmarks(counts, 4, by_kmeans(), weights = rep(1:2, 30))), counts),
    list(quietly(landmarks(abs(x), 4, space = "nonnegative")), abs(x)),
    list(quietly(landmarks(x, 4, space = function(t) pmax(t, -1))), x),
    list(quietly(landmarks(x, 4, by_active())), x), list(quietly(landmarks(x, 4, by_class(y = y))), x)
  ),
  landmark_graph = list(
    list(graph, roll), list(quietly(landmark_graph(full)), roll),
    list(quietly(landmark_graph(random, edge_weights = "binary")), roll),
    list(quietly(landmark_graph(random, roll, edges = "data")), roll)
  ),
  landmark_embedding = list(
    list(quietly(embed_landmarks(dpp)), roll), list(quietly(embed_landmarks(full, dims = 3)), roll),
    list(quietly(embed_landmarks(random, alpha = 1)), roll),
    list(quietly(embed_landmarks(random, roll, edges = "data")), roll)
  ),
  cv_landmarks = list(
    list(compare(x, y, methods = some), x), list(compare(x, x[, 1], methods = some, nested = TRUE), x),
    list(compare(x, tags, methods = some, lambda_per_tag = TRUE), x),
    list(compare(f ~ a + b, frame, methods = some, test = 60), frame)
  ),
  codebook = list(list(codebook(x, 4), x), list(codebook(frame[1:2], 3, scale = TRUE), frame[1:2])),
  tagging_scores = list(list(tagging_scores(prob, tags, 1), NULL)),
  raw_features = list(list(raw_features(x), x), list(raw_features(frame[1:2], scale = TRUE), frame)),
  chunked = list(
    list(chunked(1:2, halves), x), list(chunked(1:2, halves, list(f = "u"), c(30, 30), 40), x)
  ),
  landmark_method = list(
    list(by_gp(), x), list(by_active(40), x), list(by_dpp(), x), list(by_dpp_exact(), x), list(by_kmeans(), x),
    list(by_random(), x), list(by_response(y), x), list(by_class(y = y), x)
  ),
  method_with_data = list(list(method_with_data(by_random(), x), x)),
  summary.cv_landmarks = list(list(summary(compare(x, y, methods = some)), x)),
  summary.tagging_scores = list(list(summary(tagging_scores(prob, tags, 1)), NULL)),
  summary.landmarks = list(list(summary(dense), x))
)
if (requireNamespace("NMF", quietly = TRUE)) {
  objects$nmf_features <- list(list(quietly(nmf_features(abs(x), 2, iterations = 3)), abs(x)))
}
if (requireNamespace("recipes", quietly = TRUE)) {
  made <- recipes::recipe(y ~ a + b, frame)
  made <- step_landmarks(made, recipes::all_numeric_predictors(), num_landmarks = 3, method = "random")
  objects$step_landmarks <- list(
    list(made$steps[[1]], frame), list(recipes::prep(made, frame)$steps[[1]], frame)
  )
}

if (length(asked) > 2) objects <- objects[asked[-(1:2)]]

common <- list(print = function(o, x) print(o))
tidiers <- list(
  tidy = function(o, x) tidy(o), glance = function(o, x) glance(o), augment = function(o, x) augment(o, x)
)
draws <- list(
  plot = function(o, x) plot(o), plot_data = function(o, x) plot(o, x),
  autoplot = function(o, x) if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(o)
)
uses <- list(
  landmarks = c(common, tidiers, draws, list(
    summary = function(o, x) summary(o), coef = function(o, x) coef(o), as_matrix = function(o, x) as.matrix(o),
    as_frame = function(o, x) as.data.frame(o), first = function(o, x) o[1], last = function(o, x) o[length(o)],
    nobs = function(o, x) nobs(o), formula = function(o, x) formula(o), fitted = function(o, x) fitted(o),
    update = function(o, x) update(o, n = 3, evaluate = FALSE), predict = function(o, x) predict(o, x),
    response = function(o, x) predict(o, x, "response"), nearest = function(o, x) predict(o, x, "nearest"),
    variance = function(o, x) predict(o, x, "variance", x = x), add = function(o, x) add_landmarks(o, x, 1),
    refine = function(o, x) refine_landmarks(o, x, 1), near = function(o, x) nearest_observations(o, x, 2),
    error = function(o, x) reconstruction_error(o, x), top = function(o, x) top_features(o, 2),
    sketch = function(o, x) sketch_rows(o, x), graph = function(o, x) landmark_graph(o),
    embed = function(o, x) embed_landmarks(o, dims = 1), again = function(o, x) landmarks(x, 3, o$method),
    images = function(o, x) plot_images(o, dim = c(1, ncol(o$landmarks)))
  )),
  landmark_graph = c(common, tidiers[1:2], draws[c(1, 3)], list(
    nobs = function(o, x) nobs(o), embed = function(o, x) embed_landmarks(o, dims = 1)
  )),
  landmark_embedding = c(common, tidiers, draws, list(
    summary = function(o, x) summary(o), coef = function(o, x) coef(o), as_matrix = function(o, x) as.matrix(o),
    nobs = function(o, x) nobs(o), predict = function(o, x) predict(o, x)
  )),
  cv_landmarks = c(common, tidiers, draws[c(1, 3)], list(
    summary = function(o, x) {
      s <- summary(o)
      print(s)
    }, coef = function(o, x) coef(o), nobs = function(o, x) nobs(o),
    as_frame = function(o, x) as.data.frame(o), units = function(o, x) as.data.frame(o, type = "units"),
    predict = function(o, x) predict(o, x), features = function(o, x) predict(o, x, "features")
  )),
  codebook = c(common, tidiers, list(
    coef = function(o, x) coef(o), nobs = function(o, x) nobs(o), predict = function(o, x) predict(o, x, y)
  )),
  tagging_scores = c(common, list(
    summary = function(o, x) {
      s <- summary(o)
      print(s)
    }, as_frame = function(o, x) as.data.frame(o)
  )),
  raw_features = list(predict = function(o, x) predict(o, x)),
  nmf_features = list(predict = function(o, x) predict(o, x)),
  chunked = c(common, list(
    chunks = function(o, x) as_chunks(o), map = function(o, x) map_chunks(o, function(rows, k) dim(rows)),
    fit = function(o, x) landmarks(o, 3, by_random()), predict = function(o, x) predict(dense, o),
    near = function(o, x) nearest_observations(dense, o, 2), error = function(o, x) reconstruction_error(dense, o),
    sketch = function(o, x) sketch_rows(dense, o), book = function(o, x) codebook(o, 2)
  )),
  landmark_method = c(common, list(
    fit = function(o, x) landmarks(x, 3, o), format = function(o, x) format(o),
    add = function(o, x) add_landmarks(dense, x, 1, o),
    compare = function(o, x) cv_landmarks(x, y, n = 2, methods = list(o = o), folds = 2, seeds = 1, lambda = 1)
  )),
  method_with_data = c(common, list(
    compare = function(o, x) cv_landmarks(x, y, n = 2, methods = list(o = o), folds = 2, seeds = 1, lambda = 1)
  )),
  summary.cv_landmarks = common, summary.tagging_scores = common, summary.landmarks = common,
  step_landmarks = c(common, list(
    tidy = function(o, x) tidy(o), bake = function(o, x) recipes::bake(o, x), tunable = function(o, x) {
      generics::tunable(o)
    },
    packages = function(o, x) generics::required_pkgs(o)
  ))
)

# ---- alterations -------------------------------------------------------------------

values <- list(
  NULL, NA, NA_integer_, NA_real_, NaN, Inf, -Inf, TRUE, FALSE, 0, -1, 0.5, 1L, 2, 3:1, 1e308, 1e-308,
  .Machine$integer.max, 2^31, "a", "", NA_character_, "gp", "{stop('ran')}", character(), list(), list(1), numeric(),
  integer(), quote(x), quote(x + y), y ~ x, sum, function(...) stop("theirs"), new.env(), 1i, as.raw(1), Sys.Date(),
  factor(c("a", NA)), matrix(0, 0, 0), matrix(0, 0, 2), matrix(0, 2, 0), matrix("a", 2, 2), matrix(1, 60, 2),
  matrix(1e308, 60, 2), x * 1e-300, replace(x, 5, NA), frame, frame[0, ], data.frame(), array(0, c(2, 2, 2)), counts,
  y, rep(1, 60), rep(NA_real_, 60), seq_len(60), by_gp(), by_random(), dense, graph,
  structure(list(), class = "landmarks"), structure(list(), class = "data.frame"),
  structure(list(a = 1), class = c("by_gp", "landmark_method")), Sys.time(), as.POSIXlt(Sys.time())
)

# A vector with one value changed, lengthened, shortened, or without its attributes.
bend <- function(v) {
  if (!is.atomic(v) || length(v) == 0) return(NULL)
  switch(sample.int(7, 1),
    replace(v, sample.int(length(v), 1), NA), v[-1], c(v, v[1]), rev(v), structure(v, names = NULL, dimnames = NULL),
    if (is.numeric(v)) -v else toupper(v), if (is.numeric(v)) v * 1e200 else structure(v, class = "odd")
  )
}

alter <- function(object) {
  parts <- unclass(object)
  if (!is.list(parts) || length(parts) == 0) return(object)
  k <- sample.int(length(parts), 1)
  inner <- parts[[k]]
  turn <- stats::runif(1)
  if (is.list(inner) && length(inner) && turn < 0.6) {
    parts[k] <- list(alter(inner))
  } else if (turn < 0.1) {
    parts <- parts[-k]
  } else if (turn < 0.4 && is.atomic(inner) && length(inner)) {
    parts[k] <- list(quietly(bend(inner)))
  } else {
    parts[k] <- sample(values, 1)
  }
  kept <- attributes(object)
  kept$names <- names(parts)
  attributes(parts) <- kept
  parts
}

# ---- the calls -----------------------------------------------------------------------

attempt <- function(use, object, data) {
  setTimeLimit(cpu = 20, elapsed = 100, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch(
    {
      quietly(use(object, data))
      "value"
    },
    landmarker_error = function(e) "refused",
    error = function(e) {
      text <- conditionMessage(e)
      if (grepl("(elapsed|CPU) time limit", text)) return(c("slow", text))
      "error"
    }
  )
}

attack <- function(kind, number, log) {
  grDevices::pdf(NULL)
  sink(nullfile())
  of <- objects[[kind]][[number]]
  ends <- character()
  faults <- list()
  for (k in seq_len(calls)) {
    set.seed(seed * 10000 + k)
    altered <- alter(of[[1]])
    for (name in names(uses[[kind]])) {
      writeLines(paste(kind, number, name, k), log)
      set.seed(k)
      end <- attempt(uses[[kind]][[name]], altered, of[[2]])
      ends <- c(ends, end[1])
      if (end[1] == "slow") faults[[length(faults) + 1]] <- c(name, k, end)
    }
  }
  list(ends = ends, faults = faults)
}

if (!interactive()) {
  log <- tempfile("objects-", tmpdir = dirname(tempdir()))
  all <- character()
  bad <- 0
  for (kind in names(objects)) {
    for (number in seq_along(objects[[kind]])) {
      job <- parallel::mcparallel(attack(kind, number, log), silent = TRUE)
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
        key <- paste(fault[-2], collapse = " | ")
        if (!key %in% seen) cat(kind, number, fault[2], substr(gsub("\n", " ", key), 1, 200), "\n")
        seen <- c(seen, key)
      }
    }
  }
  unlink(log)
  print(table(all))
  cat(length(all), "calls,", bad, "faults\n")
  quit(status = bad > 0)
}
