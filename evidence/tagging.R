# Figure 6 of Liang and Paisley (2015), annotation and retrieval by tags, on the data that are
# here: songs of CAL500 by their audio features, and spoken digits by a codebook of MFCC frames.
source(file.path("evidence", "tools.R"))

songs <- bench_data("cal500")
speech <- bench_data("fsdd")
if (is.null(songs) || is.null(speech)) quit(status = 0)
kept <- keep_parts("tagging")
workers <- if (.Platform$OS.type == "windows") NULL else 2
seeds <- 1:3

selectors <- list(
  "gp, volume" = by_gp(), "gp, trace" = by_gp(criterion = "trace"), "active (Act5K)" = by_active(5000),
  "k-means" = by_kmeans(), "random rows" = by_random()
)

# ---- songs: 502 x 68 features, tags that 30 songs or more have -------------------

x <- as.matrix(utils::read.csv(gzfile(file.path(songs, "cal500-features.csv.gz")), header = FALSE))
tags <- as.matrix(utils::read.csv(gzfile(file.path(songs, "cal500-tags.csv.gz")), header = FALSE))
colnames(tags) <- readLines(file.path(songs, "tag_names.txt"))
tags <- tags[, colSums(tags) >= 30]
cal500 <- kept("cal500", cv_landmarks(x, tags, c(25, 50, 100, 200), c(selectors, list(raw = raw_features)),
  lambda = 10^(-3:3), folds = 5, seeds = seeds, top = 10, refit = FALSE, cl = workers, scale = TRUE
))
print(cal500)

# ---- speech: a codebook of training frames, a histogram a recording ---------------

recordings <- utils::read.delim(gzfile(file.path(speech, "fsdd-recordings.tsv.gz")))
file <- gzfile(file.path(speech, "fsdd-mfcc13-f32le.bin.gz"), "rb")
frames <- matrix(readBin(file, "double", 13 * sum(recordings$n_frames), size = 4, endian = "little"), ncol = 13, byrow = TRUE)
close(file)
recording <- rep(seq_len(nrow(recordings)), recordings$n_frames)
# The test set of the data's authors: takes 0 to 4; lambda is picked on takes 5 to 9.
part <- cut(recordings$take, c(-1, 4, 9, Inf), c("test", "validation", "train"))
truth <- cbind(
  outer(recordings$speaker, sort(unique(recordings$speaker)), "=="),
  outer(recordings$digit, 0:9, "==")
) + 0
colnames(truth) <- c(sort(unique(recordings$speaker)), paste("digit", 0:9))

# NMF is of the shares themselves, not of their square roots.
nmf <- function(x, n) structure(list(fit = nmf_features(x^2, n, iterations = 50)), class = "nmf_of_shares")
registerS3method("predict", "nmf_of_shares", function(object, newdata, ...) stats::predict(object$fit, newdata^2))

spoken <- lapply(c(256, 512), function(size) {
  h <- kept(paste0("histograms-", size), {
    set.seed(1)
    book <- codebook(frames[part[recording] == "train", ], size, scale = TRUE, iterations = 20)
    hellinger(predict(book, frames, recording))
  })
  compare <- function(name, methods, seeds) {
    cv <- kept(paste0(name, "-", size), cv_landmarks(h, truth, c(50, 100, 200), methods,
      lambda = 10^(-3:3),
      train = which(part == "train"), validation = which(part == "validation"), test = which(part == "test"),
      seeds = seeds, top = 2, refit = FALSE, cl = workers, space = "nonnegative_sphere"
    ))
    print(cv)
    cbind(size = size, cv$summary)
  }
  own <- list(raw = raw_features, nmf = nmf)
  # NMF is slow: fewer seeds.
  rows <- list(compare("selectors", c(selectors, own["raw"]), seeds))
  if (requireNamespace("NMF", quietly = TRUE)) rows <- c(rows, list(compare("nmf", own["nmf"], 1)))
  do.call(rbind, rows)
})

save_evidence("tagging", list(
  made = provenance("CAL500 (502 songs, 68 audio features) and the Free Spoken Digit Dataset (3,000 recordings, 13 MFCC a frame)", seeds),
  songs = cal500$summary, tags = ncol(tags), speech = do.call(rbind, spoken), frames = nrow(frames), parts = table(part)
))
