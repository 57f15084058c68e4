# Figure 6 of Liang and Paisley (2015), annotation and retrieval by tags. Its Million Song data could not be
# had. In their place: songs of CAL500 by their audio features, and spoken digits by a codebook of MFCC
# frames, where every speaker in turn is held out. As in the paper the regressions are one for each tag,
# lambda is one of 10^-3 .. 10^3, chosen for each tag by five folds of the training rows. An hour; what is
# done is kept in build/evidence/.
source(file.path("evidence", "tools.R"))

songs <- bench_data("cal500")
speech <- bench_data("fsdd")
if (is.null(songs) || is.null(speech)) quit(status = 0)
kept <- keep_parts("tagging")
measures <- c("precision", "recall", "f", "auc", "map")

selectors <- list(
  "gp, trace" = by_gp(criterion = "trace"), "gp, volume" = by_gp(criterion = "volume"),
  "gp, sequential" = by_gp("sequential", criterion = "volume"),
  "active, 5,000 rows" = by_active(5000), "k-means" = by_kmeans(), "random rows" = by_random()
)
gps <- c("gp, trace", "gp, volume", "gp, sequential")
evaluate <- function(...) {
  # By deviance: probabilities of different tags have to compare where a song is given its likeliest ones.
  cv_landmarks(..., lambda = 10^(-3:3), lambda_per_tag = TRUE, measure = "deviance", refit = FALSE)$units[
    c("seed", "fold", "method", "n", "features", measures)
  ]
}
# The jobs' tables as one. What is done is kept.
spread_out <- function(jobs, run) {
  do.call(rbind, in_processes(jobs, function(job) {
    result <- kept(job$name, run(job))
    cat(format(Sys.time(), "%H:%M:%S"), job$name, "\n")
    result
  }))
}

# ---- a factorization -----------------------------------------------------------------

# The non-negative factorization of nmf_features() by the same updates, which look only at the few words
# that a recording has: the package NMF fills all of them, and takes hours here. They are compared below.
sparse_nmf <- function(x, n, iterations = 50) {
  level <- sqrt(mean(x) / n)
  w <- matrix(stats::runif(nrow(x) * n), nrow(x)) * level + 1e-6 * level
  h <- matrix(stats::runif(n * ncol(x)), n) * level + 1e-6 * level
  there <- which(x > 0, arr.ind = TRUE)
  for (i in seq_len(iterations)) {
    h <- nmf_step(x, there, w, h, "h")
    w <- nmf_step(x, there, w, h, "w")
  }
  size <- rowSums(h)
  structure(list(basis = h / ifelse(size > 0, size, 1), iterations = iterations), class = "sparse_nmf")
}
nmf_step <- function(x, there, w, h, which) {
  modeled <- rowSums(w[there[, 1], , drop = FALSE] * t(h)[there[, 2], , drop = FALSE])
  ratio <- Matrix::sparseMatrix(there[, 1], there[, 2], x = x[there] / pmax(modeled, 1e-300), dims = dim(x))
  if (which == "h") {
    h * as.matrix(Matrix::crossprod(w, ratio)) / pmax(colSums(w), 1e-300)
  } else {
    w * as.matrix(ratio %*% t(h)) / rep(pmax(rowSums(h), 1e-300), each = nrow(w))
  }
}
registerS3method("predict", "sparse_nmf", function(object, newdata, ...) {
  n <- nrow(object$basis)
  w <- matrix(1 / n, nrow(newdata), n) * rowSums(newdata)
  there <- which(newdata > 0, arr.ind = TRUE)
  for (i in seq_len(object$iterations)) w <- nmf_step(newdata, there, w, object$basis, "w")
  w / pmax(rowSums(w), 1e-300)
})
if (requireNamespace("NMF", quietly = TRUE)) {
  small <- matrix(stats::rpois(2000, 0.5), 50) + diag(50)[, 1:40]
  set.seed(1)
  ours <- predict(sparse_nmf(small, 4), small)
  set.seed(1)
  theirs <- predict(nmf_features(small, 4, iterations = 50), small)
  stopifnot(max(abs(ours - theirs)) < 1e-4)
}

# ---- songs: 502 x 68 features, tags that 30 songs or more have -------------------

x <- as.matrix(utils::read.csv(gzfile(file.path(songs, "cal500-features.csv.gz")), header = FALSE))
tags <- as.matrix(utils::read.csv(gzfile(file.path(songs, "cal500-tags.csv.gz")), header = FALSE))
colnames(tags) <- readLines(file.path(songs, "tag_names.txt"))
tags <- tags[, colSums(tags) >= 30]
song_folds <- 5
seeds <- 1:3
# A factorization needs numbers from 0 on: each column from its smallest to its largest, as 0 to 1.
unit_range <- function(x) {
  low <- apply(x, 2, min)
  (x - rep(low, each = nrow(x))) / rep(pmax(apply(x, 2, max) - low, 1e-300), each = nrow(x))
}
of_songs <- c(selectors, list(raw = raw_features, nmf = method_with_data(sparse_nmf, unit_range(x))))
jobs <- list()
for (seed in seeds) for (m in names(of_songs)) {
  name <- gsub("[^a-z0-9]+", "-", paste("songs", m, seed))
  jobs <- c(jobs, list(list(name = name, method = m, seed = seed)))
}
# All features, the raw ones too, are divided by their standard deviations.
cal500 <- spread_out(jobs, function(job) {
  evaluate(x, tags, c(10, 50, 100, 200), of_songs[job$method],
    folds = song_folds, seeds = job$seed, top = 10, scale = TRUE)
})

# The same with one lambda for all tags, chosen inside each training part too: how much it costs to choose
# each tag's from few songs.
one_lambda <- function(method) {
  units <- cv_landmarks(x, tags, 100, c(selectors, list(raw = raw_features))[method],
    lambda = 10^(-3:3), nested = TRUE, measure = "deviance", refit = FALSE,
    folds = song_folds, seeds = seeds, top = 10, scale = TRUE
  )$units
  landmarker:::picked_units(units, "deviance")$held[c("seed", "fold", "method", "n", "features", measures)]
}
jobs <- lapply(c(gps, "k-means", "raw"), function(m) {
  list(name = gsub("[^a-z0-9]+", "-", paste("one-lambda", m)), method = m)
})
cal500_one <- spread_out(jobs, function(job) one_lambda(job$method))

# ---- speech: for each speaker the codebook of the others, a histogram a recording ---------------

recordings <- utils::read.delim(gzfile(file.path(speech, "fsdd-recordings.tsv.gz")))
file <- gzfile(file.path(speech, "fsdd-mfcc13-f32le.bin.gz"), "rb")
frames <- readBin(file, "double", 13 * sum(recordings$n_frames), size = 4, endian = "little")
frames <- matrix(frames, ncol = 13, byrow = TRUE)
close(file)
# 30 of the 50 takes, so that all is done within the hour.
takes <- 30
used <- recordings$take < takes
frames <- frames[rep(used, recordings$n_frames), ]
recordings <- recordings[used, ]
recording <- rep(seq_len(nrow(recordings)), recordings$n_frames)
truth <- outer(recordings$digit, 0:9, "==") + 0
colnames(truth) <- paste("digit", 0:9)
speakers <- sort(unique(recordings$speaker))
sizes <- c(256, 512, 1024)
numbers <- c(10, 50, 100, 200)

spoken <- expand.grid(speaker = speakers, size = sizes, stringsAsFactors = FALSE)
jobs <- lapply(seq_len(nrow(spoken)), function(k) {
  c(as.list(spoken[k, ]), name = paste("speech", spoken$speaker[k], spoken$size[k], sep = "-"))
})
spoken <- spread_out(jobs, function(job) {
  held <- recordings$speaker == job$speaker
  set.seed(match(job$speaker, speakers))
  book <- codebook(frames[!held[recording], ], job$size, scale = TRUE, max_iterations = 20)
  counts <- as.matrix(predict(book, frames, recording))
  # As in the paper: landmarks of the square roots of shares, raw shares without the root, and a
  # factorization of the counts.
  own <- list(raw = method_with_data(raw_features, counts / rowSums(counts), space = "euclidean"),
    nmf = method_with_data(sparse_nmf, counts, space = "euclidean"))
  n <- c(numbers, if (job$size == max(sizes)) 400)
  units <- evaluate(hellinger(counts), truth, n, c(selectors, own),
    validation = which(held), seeds = match(job$speaker, speakers), top = 1, space = "nonnegative_sphere")
  cbind(size = job$size, speaker = job$speaker, units)
})

# ---- means and differences ----------------------------------------------------------------------

se <- function(v) if (length(v) > 1) stats::sd(v) / sqrt(length(v)) else NA_real_
summarise <- function(units, by) {
  key <- interaction(lapply(units[by], addNA), drop = TRUE, lex.order = TRUE)
  rows <- lapply(split(units, key), function(u) {
    m <- lapply(measures, function(name) data.frame(mean(u[[name]]), se(u[[name]])))
    names <- as.vector(rbind(measures, paste0(measures, "_se")))
    cbind(u[1, by, drop = FALSE], stats::setNames(do.call(cbind, m), names), parts = nrow(u))
  })
  rows <- do.call(rbind, rows)
  rownames(rows) <- NULL
  rows[order(match(rows$method, unique(units$method))), ]
}
# Each Gaussian-process method less each other method, on the same held-out parts (of the same n; raw has
# none): mean difference and its standard error for each measure.
differ <- function(units, part) {
  rows <- list()
  for (gp in gps) {
    for (rival in setdiff(unique(units$method), gp)) {
      for (n in sort(unique(units$n[units$method == gp]))) {
        a <- units[units$method == gp & units$n == n, ]
        b <- units[units$method == rival & (is.na(units$n) | units$n == n), ]
        b <- b[match(do.call(paste, a[part]), do.call(paste, b[part])), ]
        for (m in measures) {
          d <- a[[m]] - b[[m]]
          rows[[length(rows) + 1]] <- data.frame(
            gp = gp, rival = rival, n = n, measure = m, difference = mean(d), se = se(d)
          )
        }
      }
    }
  }
  do.call(rbind, rows)
}
speech_differences <- do.call(rbind, lapply(sizes, function(size) {
  cbind(size = size, differ(spoken[spoken$size == size, ], "speaker"))
}))
result <- list(
  made = provenance(paste(
    "CAL500 (502 songs, 68 audio features) and the Free Spoken Digit Dataset",
    "(recordings as 13 MFCC a frame)"
  ), seeds),
  songs = summarise(cal500, c("method", "n")), songs_differences = differ(cal500, c("seed", "fold")),
  songs_one = summarise(cal500_one, c("method", "n")),
  songs_one_differences = differ(cal500_one, c("seed", "fold")),
  song_folds = song_folds, tags = ncol(tags),
  speech = summarise(spoken, c("size", "method", "n")), speech_differences = speech_differences,
  frames = nrow(frames), recordings = nrow(recordings), takes = takes, speakers = speakers
)
print(result[c("songs", "speech")], digits = 3)
save_evidence("tagging", result)
