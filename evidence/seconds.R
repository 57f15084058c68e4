# Seconds, on a machine that has nothing else to do: run this script alone. Figure 4 of Liang and Paisley
# (a landmark by the number of columns and by the size of the batches, for landmarks found one at a time, by
# the paper's Algorithm 1 and by fixed-point steps), and what landmarks cost beside k-means. Half an hour.
# Nothing is kept between runs.
# Writes inst/evidence/seconds.rds for vignettes/articles/.
source(file.path("evidence", "tools.R"))

runs <- 3
# Landmarks are timed in groups of 20: 1 to 20, 21 to 40, and so on.
groups <- seq(20, 100, by = 20)

# Once before the clock starts: what is loaded at first use.
newsgroups <- all_newsgroups()
invisible(landmarks(hellinger(newsgroups)[1:1000, ], 3, by_gp(criterion = "trace")))

# Seconds a landmark in each group: a row for each group and run.
time_groups <- function(x, method, space, ...) {
  do.call(rbind, lapply(seq_len(runs), function(run) {
    set.seed(run)
    seconds <- numeric(length(groups))
    seconds[1] <- elapsed(fit <- landmarks(x, groups[1], method, bandwidth = "variance", space = space))
    for (g in seq_along(groups)[-1]) {
      seconds[g] <- elapsed(fit <- add_landmarks(fit, x, diff(groups[g - 1:0]), method))
    }
    data.frame(..., run = run, landmarks = groups, seconds = seconds / diff(c(0, groups)))
  }))
}
# The same of Algorithm 1, which is slow: of the last two of each number of landmarks. Those before them are
# found by `quick`, because what a landmark costs depends on how many there are, and not on where they are.
time_last <- function(x, method, quick, space, ...) {
  set.seed(1)
  fit <- landmarks(x, max(groups), quick, bandwidth = "variance", space = space)
  do.call(rbind, lapply(groups, function(n) {
    seconds <- elapsed(add_landmarks(fit[seq_len(n - 2)], x, 2, method))
    data.frame(..., run = 1, landmarks = n, seconds = seconds / 2)
  }))
}
means_of <- function(table, by) {
  print(stats::aggregate(table["seconds"], table[c(by, "landmarks")], mean), digits = 3)
}

# ---- by dimension: photographs of faces, in place of the paper's PIE --------------------------------

faces <- lapply(c("orl_64x64", "yale_64x64"), function(name) {
  file <- bench_data(name, paste0(name, "-images-idx3-ubyte.gz"))
  if (!is.null(file)) read_idx(file) / 255
})
if (any(vapply(faces, is.null, NA))) quit(status = 0)
faces <- do.call(rbind, faces)
# Half the width and height: each pixel is the mean of four.
halves <- t(apply(faces, 1, function(v) as.vector(apply(array(v, c(2, 32, 2, 32)), c(2, 4), mean))))
# Batches are all rows, of which there are fewer than 1,000.
one_at_a_time <- by_gp("sequential", criterion = "volume")
dimension <- rbind(
  time_groups(halves, one_at_a_time, "nonnegative", pixels = "32 x 32"),
  time_groups(faces, one_at_a_time, "nonnegative", pixels = "64 x 64")
)
means_of(dimension, "pixels")
# 1,000 steps a landmark on the raw gradient, as printed. A batch is all rows, of which there are fewer.
algorithm1 <- function(rows = 1000) by_gp("sgd", criterion = "volume", gradient = "raw", batch_size = rows)
dimension_sgd <- rbind(
  time_last(halves, algorithm1(), one_at_a_time, "nonnegative", pixels = "32 x 32"),
  time_last(faces, algorithm1(), one_at_a_time, "nonnegative", pixels = "64 x 64")
)
means_of(dimension_sgd, "pixels")

# ---- by size of the batches: posts of 20 Newsgroups, in place of the New York Times -----------------

posts <- hellinger(newsgroups)
sizes <- c(250, 500, 1000, 2000)
on_batches <- function(rows) {
  by_gp("sequential", criterion = "volume", batch_size = rows, batches = 1, iterations = 20)
}
batch <- do.call(rbind, lapply(sizes, function(rows) {
  time_groups(posts, on_batches(rows), "nonnegative_sphere", rows = rows)
}))
means_of(batch, "rows")
batch_sgd <- do.call(rbind, lapply(sizes, function(rows) {
  time_last(posts, algorithm1(rows), on_batches(1000), "nonnegative_sphere", rows = rows)
}))
means_of(batch_sgd, "rows")

# ---- beside k-means: 50,000 digits, 100 landmarks or centers --------------------------------------

x <- mnist()
if (is.null(x)) quit(status = 0)
n <- 100
bandwidth <- sum(apply(x, 2, stats::var))
lloyd <- function(x) {
  suppressWarnings(stats::kmeans(x, n, iter.max = 10, algorithm = "Lloyd"))$centers
}
ways <- list(
  "landmarks(), trace" = function() landmarks(x, n, by_gp(criterion = "trace"), bandwidth, "nonnegative"),
  "landmarks(), volume" = function() landmarks(x, n, by_gp(criterion = "volume"), bandwidth, "nonnegative"),
  "by_kmeans(), all rows" = function() landmarks(x, n, by_kmeans(), bandwidth),
  "by_kmeans(), 5,000 random rows" = function() {
    landmarks(x[sample(nrow(x), 5000), ], n, by_kmeans(), bandwidth)
  },
  "stats::kmeans(), all rows" = function() lloyd(x)
)
kmeans <- do.call(rbind, lapply(seq_len(runs), function(run) {
  do.call(rbind, lapply(names(ways), function(way) {
    set.seed(run)
    seconds <- elapsed(fit <- ways[[way]]())
    if (is.matrix(fit)) fit <- as_landmarks(unname(fit), x, bandwidth = bandwidth)
    data.frame(way = way, run = run, seconds = seconds, left = reconstruction_error(fit, x) / nrow(x))
  }))
}))
print(stats::aggregate(cbind(seconds, left) ~ way, kmeans, mean), digits = 3)

data <- "AT&T and Yale faces; newsgroups, 18,832 posts x 1,545 words; MNIST, 50,000 digits"
save_evidence("seconds", list(
  made = provenance(data, seq_len(runs)), runs = runs, faces = nrow(faces), posts = nrow(posts),
  dimension = dimension, dimension_sgd = dimension_sgd, batch = batch, batch_sgd = batch_sgd, kmeans = kmeans
))
