# Landmarks that predict a response, beside landmarks that do not know it and beside other models: accuracy
# or squared error on test rows, seconds to learn, seconds and bytes to predict a million rows. Six sets of
# data. Features go to the package's own ridge regression, whose lambda is chosen on a tenth of the training
# rows; the regression of by_response() is measured too. An hour; what is done is kept in
# build/evidence/.
source(file.path("evidence", "tools.R"))
kept <- keep_parts("response")
n <- c(10, 25, 50, 100, 200)
seeds <- 1:5
methods <- list(
  response = by_response(), default = by_gp(), "k-means" = by_kmeans(), random = by_random()
)

# ---- the data: function(seed) list(x, y, tx, ty), and how landmarks() is called ----------------------

idx_pair <- function(images, labels) {
  list(x = read_idx(images) / 255, y = factor(read_idx(labels)))
}
some <- function(x, y, train) {
  list(x = x[train, , drop = FALSE], y = y[train], tx = x[-train, , drop = FALSE], ty = y[-train])
}
sets <- list()
if (!is.null(bench_data("mnist"))) {
  mnist_data <- local({
    at <- function(name) file.path(bench_data("mnist"), name)
    train <- idx_pair(at("train-images-idx3-ubyte.gz"), at("train-labels-idx1-ubyte.gz"))
    test <- idx_pair(at("t10k-images-idx3-ubyte.gz"), at("t10k-labels-idx1-ubyte.gz"))
    list(x = train$x[1:50000, ], y = train$y[1:50000], tx = test$x, ty = test$y)
  })
  sets$MNIST <- list(data = function(seed) mnist_data, dots = list(space = "nonnegative"))
}
if (!is.null(bench_data("usps_16x16"))) {
  usps_data <- local({
    files <- list.files(bench_data("usps_16x16"), full.names = TRUE)
    all <- idx_pair(grep("images", files, value = TRUE)[1], grep("labels", files, value = TRUE)[1])
    some(all$x, all$y, 1:7291)
  })
  sets$USPS <- list(data = function(seed) usps_data, dots = list(space = "nonnegative"))
}
if (!is.null(bench_data("fsdd"))) {
  # A recording is five stretches of equal length, each the mean of its frames: 65 numbers.
  speech <- local({
    recordings <- utils::read.delim(gzfile(bench_data("fsdd", "fsdd-recordings.tsv.gz")))
    file <- gzfile(bench_data("fsdd", "fsdd-mfcc13-f32le.bin.gz"), "rb")
    frames <- readBin(file, "double", 13 * sum(recordings$n_frames), size = 4, endian = "little")
    close(file)
    frames <- matrix(frames, ncol = 13, byrow = TRUE)
    x <- t(mapply(function(first, count) {
      stretch <- factor(pmin(5, 1 + floor(5 * (seq_len(count) - 1) / count)), 1:5)
      as.vector(
        apply(frames[first + seq_len(count), , drop = FALSE], 2, function(v) tapply(v, stretch, mean))
      )
    }, recordings$first_frame0, recordings$n_frames))
    x[is.na(x)] <- 0
    list(x = x, y = factor(recordings$digit), speaker = recordings$speaker)
  })
  sets[["spoken digits"]] <- list(data = function(seed) {
    set.seed(seed)
    some(speech$x, speech$y, sample.int(nrow(speech$x), 2000))
  }, dots = list(scale = TRUE))
}
if (!is.null(bench_data("20news"))) {
  news <- local({
    x <- newsgroups_rows()
    posts <- attr(x, "posts")
    docs <- utils::read.delim(
      gzfile(list.files(bench_data("20news"), "labels", full.names = TRUE)[1]), header = FALSE
    )
    y <- factor(docs[[1]])[posts]
    attr(x, "posts") <- NULL
    some(x, y, which(posts <= 11314))
  })
  sets[["20 Newsgroups"]] <- list(data = function(seed) news, dots = list(space = "nonnegative_sphere"))
}
table_of <- function(frame, response, rows) {
  x <- stats::model.matrix(~ . - 1, frame[setdiff(names(frame), response)])
  function(seed) {
    set.seed(seed)
    used <- sample.int(nrow(x), min(nrow(x), 1.25 * rows))
    some(x[used, ], frame[[response]][used], seq_len(rows))
  }
}
sets$Boston <- list(data = table_of(MASS::Boston, "medv", 405), dots = list(scale = TRUE))
if (requireNamespace("ggplot2", quietly = TRUE)) {
  diamonds <- as.data.frame(ggplot2::diamonds)
  for (name in c("cut", "color", "clarity")) diamonds[[name]] <- as.integer(diamonds[[name]])
  diamonds$price <- log10(diamonds$price)
  sets$diamonds <- list(data = table_of(diamonds, "price", 10000), dots = list(scale = TRUE))
}

# ---- one method, number and seed ---------------------------------------------------------------------

score <- function(p, y) if (is.factor(y)) mean(p == y) else mean((p - y)^2)

# A ridge regression on features, its lambda chosen on a tenth of the rows.
regression <- function(w, y, tw) {
  type <- if (is.factor(y)) "classes" else "number"
  one_hot <- if (is.factor(y)) outer(as.integer(y), seq_len(nlevels(y)), "==") + 0 else matrix(as.double(y))
  lambda <- 10^(1:-5)
  predictions <- function(path, w, l) {
    p <- landmarker:::ridge_response(w, path$coefficients[, , l, drop = TRUE] |> as.matrix(), path$link)
    if (is.factor(y)) factor(levels(y)[max.col(p, "first")], levels(y)) else p[, 1]
  }
  out <- sample.int(nrow(w), nrow(w) %/% 10)
  path <- landmarker:::ridge_path(w[-out, ], ncol(w), one_hot[-out, , drop = FALSE], lambda, type)
  each <- vapply(seq_along(lambda), function(l) score(predictions(path, w[out, ], l), y[out]), 0)
  best <- lambda[if (is.factor(y)) which.max(each) else which.min(each)]
  path <- landmarker:::ridge_path(w, ncol(w), one_hot, best, type)
  predictions(path, tw, 1)
}

landmark_cell <- function(set, name, n, seed) {
  d <- sets[[set]]$data(seed)
  method <- methods[[name]]
  if (name == "response") method$y <- d$y
  set.seed(seed)
  seconds <- system.time(
    fit <- suppressWarnings(do.call(landmarks, c(list(d$x, n, method), sets[[set]]$dots)))
  )[["elapsed"]]
  p <- suppressWarnings(regression(predict(fit, d$x, "features"), d$y, predict(fit, d$tx, "features")))
  own <- if (name == "response") {
    score(predict(fit, d$tx, if (is.factor(d$y)) "class" else "response"), d$ty)
  } else {
    NA
  }
  mapped <- system.time(for (i in 1:3) predict(fit, d$tx, "features"))[["elapsed"]] / 3
  data.frame(
    set = set, method = name, n = n, seed = seed, score = score(p, d$ty), own = own, seconds = seconds,
    predict = mapped / nrow(d$tx) * 1e6, bytes = 8 * (n * ncol(d$x) + n * max(1, nlevels(d$y))),
    on_data = mean(fit$on_data)
  )
}

# Other models, with their defaults; of too many rows some.
rivals <- list(
  linear = function(d) {
    family <- if (is.factor(d$y)) "multinomial" else "gaussian"
    fit <- glmnet::cv.glmnet(d$x, d$y, family = family, nfolds = 3, nlambda = 30)
    list(fit = fit, predict = function(x) {
      p <- predict(fit, x, s = "lambda.min", type = if (is.factor(d$y)) "class" else "response")
      if (is.factor(d$y)) factor(p, levels(d$y)) else as.vector(p)
    })
  },
  "support vectors" = function(d) {
    fit <- kernlab::ksvm(as.matrix(d$x), d$y, scaled = !is.factor(d$y), C = 10)
    list(fit = fit, predict = function(x) {
      p <- kernlab::predict(fit, as.matrix(x))
      if (is.factor(d$y)) p else as.vector(p)
    })
  },
  "random forest" = function(d) {
    name <- function(x) {
      x <- as.matrix(x)
      colnames(x) <- paste0("v", seq_len(ncol(x)))
      x
    }
    fit <- ranger::ranger(x = name(d$x), y = d$y, num.threads = 1)
    list(fit = fit, predict = function(x) predict(fit, name(x), num.threads = 1)$predictions)
  }
)
most_rows <- c(linear = 50000, "support vectors" = 10000, "random forest" = 50000)

rival_cell <- function(set, name, seed) {
  d <- sets[[set]]$data(seed)
  set.seed(seed)
  rows <- if (nrow(d$x) > most_rows[[name]]) sample.int(nrow(d$x), most_rows[[name]]) else seq_len(nrow(d$x))
  d$x <- d$x[rows, , drop = FALSE]
  d$y <- d$y[rows]
  seconds <- system.time(model <- suppressWarnings(rivals[[name]](d)))[["elapsed"]]
  mapped <- system.time(p <- model$predict(d$tx))[["elapsed"]]
  data.frame(
    set = set, method = name, n = NA, seed = seed, score = score(p, d$ty), own = NA, seconds = seconds,
    predict = mapped / nrow(d$tx) * 1e6, bytes = length(serialize(model$fit, NULL)), on_data = NA
  )
}

jobs <- list()
for (set in names(sets)) for (seed in seeds) {
  for (name in names(methods)) for (count in n) {
    jobs[[length(jobs) + 1]] <- list(set = set, name = name, n = count, seed = seed)
  }
  # What takes long is done once.
  if (set %in% c("MNIST", "20 Newsgroups") && seed > 1) next
  for (name in names(rivals)) {
    package <- c(linear = "glmnet", "support vectors" = "kernlab", "random forest" = "ranger")[[name]]
    if (!requireNamespace(package, quietly = TRUE)) {
      message("left out: ", package, " is not here")
      next
    }
    jobs[[length(jobs) + 1]] <- list(set = set, name = name, n = NA, seed = seed)
  }
}
cells <- do.call(rbind, in_processes(jobs, function(job) {
  part <- gsub("[^a-z0-9]+", "-", tolower(paste(job$set, job$name, job$n, job$seed)))
  kept(part, if (is.na(job$n)) {
    rival_cell(job$set, job$name, job$seed)
  } else {
    landmark_cell(job$set, job$name, job$n, job$seed)
  })
}))
save_evidence("response", list(
  cells = cells, most_rows = most_rows,
  made = provenance("MNIST, USPS, spoken digits, 20 Newsgroups, Boston, diamonds", seeds)
))
