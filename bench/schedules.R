# How by_gp()'s defaults were chosen: the share of the kernel's trace that is left, and seconds, of
# several schedules and starts on digits, text, faces and toys.
source("bench/tools.R")
library(landmarker)
suppressMessages(library(Matrix))

images <- function(folder, file) {
  path <- bench_data(folder, file)
  if (is.null(path)) return(NULL)
  x <- read_idx(path) / 255
  attr(x, "dim_item") <- NULL
  x
}
news <- newsgroups_rows()
set.seed(7)
sets <- list(
  mnist = list(x = mnist(), n = 100, space = "nonnegative", bandwidth = "variance"),
  mnist_narrow = list(x = mnist(20000), n = 50, space = "nonnegative", bandwidth = 15),
  news = list(x = news, n = 12, space = "nonnegative_sphere", bandwidth = "variance"),
  news_50 = list(x = news, n = 50, space = "nonnegative_sphere", bandwidth = 0.5),
  frey = list(
    x = images("frey_28x20", "frey_28x20-images-idx3-ubyte.gz"), n = 40, space = "nonnegative",
    bandwidth = "variance"
  ),
  orl = list(
    x = images("orl_64x64", "orl_64x64-images-idx3-ubyte.gz"), n = 30, space = "nonnegative",
    bandwidth = "variance"
  ),
  spiral = list(x = sim_spiral(20000), n = 20, space = "euclidean", bandwidth = 0.1),
  circles = list(x = sim_circles(20000), n = 20, space = "euclidean", bandwidth = 0.1),
  roll = list(x = sim_swiss_roll(20000), n = 50, space = "euclidean", bandwidth = 20)
)
schedules <- list(
  `default` = by_gp(),
  `random start` = by_gp(start = "random"),
  `1000 x 20, 5000 x 5` = by_gp(batch_size = c(1000, 5000), batches = c(20, 5), iterations = 1, average = 0),
  `1000 x 30, last 12 averaged` = by_gp(batch_size = 1000, batches = 30, iterations = 1, average = 0.4),
  `1000 x 60, last 25 averaged` = by_gp(batch_size = 1000, batches = 60, iterations = 1, average = 0.4),
  `1000 x 10 x 2, 2000 x 15` = by_gp(batch_size = c(1000, 2000), batches = c(10, 15), iterations = c(2, 1)),
  `1000 x 5 x 4, 2000 x 20` = by_gp(batch_size = c(1000, 2000), batches = c(5, 20), iterations = c(4, 1)),
  `500 x 20, 2000 x 10, 10000 x 5` = by_gp(
    batch_size = c(500, 2000, 10000), batches = c(20, 10, 5), iterations = 1, average = 0
  ),
  `volume` = by_gp(criterion = "volume"),
  `sequential` = by_gp("sequential"),
  `random rows` = by_random()
)

heading("Schedules: approximation error (mean of 3 seeds) and seconds")
for (s in names(sets)) {
  set <- sets[[s]]
  if (is.null(set$x)) next
  for (m in names(schedules)) {
    value <- seconds <- numeric(3)
    for (seed in 1:3) {
      set.seed(seed)
      fit <- landmarks(set$x, set$n, schedules[[m]], bandwidth = set$bandwidth, space = set$space)
      some <- set$x[unique(round(seq(1, nrow(set$x), length.out = min(nrow(set$x), 10000)))), ]
      value[seed] <- reconstruction_error(fit, some) / nrow(some)
      seconds[seed] <- fit$seconds
    }
    report(
      paste0(s, ", n = ", set$n, ": ", m),
      sprintf("%.4f (%.4f to %.4f), %.2f s", mean(value), min(value), max(value), stats::median(seconds))
    )
  }
}
