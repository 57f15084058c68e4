# Few points in the place of all rows: a new row gets the class of the nearest of them. Landmarks beside
# centers of k-means, medoids (cluster::pam), random rows, and learning vector quantization (class::lvq1),
# which knows the classes while it learns. Four kinds of data, five seeds. Half an hour; what is done is kept
# in build/evidence/.
#
# Writes inst/evidence/prototypes.rds for vignettes/articles/where.Rmd.
source(file.path("evidence", "tools.R"))
kept <- keep_parts("prototypes")
options(landmarker.progress = FALSE)
n <- c(10, 30, 100)
seeds <- 1:5
# What has all distances of its rows in memory, or compares all of them, is given so many at random.
most_rows <- 5000

# ---- data: list(x, y, tx, ty, space) -----------------------------------------------------

images <- function(folder, images, labels) {
  list(
    x = read_idx(file.path(folder, images)) / 255,
    y = factor(as.integer(read_idx(file.path(folder, labels))))
  )
}
split_at <- function(d, train, ...) {
  x <- d$x
  list(x = x[train, , drop = FALSE], y = d$y[train], tx = x[-train, , drop = FALSE], ty = d$y[-train], ...)
}
sets <- list()
folder <- bench_data("mnist")
if (!is.null(folder)) {
  train <- images(folder, "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz")
  test <- images(folder, "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz")
  mnist_data <- list(x = train$x, y = train$y, tx = test$x, ty = test$y, space = "nonnegative")
  sets$MNIST <- function(seed) mnist_data
}
folder <- bench_data("usps_16x16")
if (!is.null(folder)) {
  files <- list.files(folder)
  usps <- images(folder, grep("images", files, value = TRUE)[1], grep("labels", files, value = TRUE)[1])
  sets$USPS <- function(seed) split_at(usps, 1:7291, space = "nonnegative")
}
# Tables, their columns divided by their standard deviations; 70 % of the rows to learn from.
of_mlbench <- function(name, response) {
  found <- new.env()
  utils::data(list = name, package = "mlbench", envir = found)
  d <- stats::na.omit(found[[name]])
  x <- scale(data.matrix(d[names(d) != response]))
  function(seed) {
    set.seed(seed)
    split_at(list(x = x, y = d[[response]]), sample(nrow(x), round(0.7 * nrow(x))), space = "euclidean")
  }
}
if (requireNamespace("mlbench", quietly = TRUE)) {
  sets$satellite <- of_mlbench("Satellite", "classes")
  sets$vehicle <- of_mlbench("Vehicle", "Class")
}

# ---- methods: function(d, n) list(points, classes), NULL where they have none ---------------

by_landmarks <- function(method) {
  function(d, n) {
    if (is.function(method)) method <- method(d$y)
    fit <- suppressWarnings(landmarks(d$x, n, method, space = d$space))
    list(points = coef(fit))
  }
}
some_rows <- function(d) sample(nrow(d$x), min(nrow(d$x), most_rows))
methods <- list(
  "landmarks, trace" = by_landmarks(by_gp(criterion = "trace")),
  "landmarks, volume" = by_landmarks(by_gp(criterion = "volume")),
  "landmarks, response" = by_landmarks(function(y) by_response(y)),
  "k-means" = by_landmarks(by_kmeans()),
  "DPP" = by_landmarks(by_dpp()),
  "random rows" = by_landmarks(by_random()),
  "cluster::pam" = function(d, n) {
    some <- some_rows(d)
    list(points = d$x[some[cluster::pam(d$x[some, ], n, pamonce = 5, keep.diss = FALSE)$id.med], ])
  },
  "class::lvq1" = function(d, n) {
    some <- some_rows(d)
    book <- class::lvqinit(d$x[some, ], d$y[some], size = n)
    # At least five passes over the rows. (class::olvq1() diverges with few points: one class for all digits.)
    book <- class::lvq1(d$x, d$y, book, niter = max(40 * n, 5 * nrow(d$x)))
    list(points = book$x, classes = book$cl)
  }
)

nearest_point <- function(x, points) {
  how <- landmarker:::compute_with()
  .Call(landmarker:::C_nearest_landmark, landmarker:::as_source(x), points, how)$landmark
}
# The commonest class of the rows that are nearest to each point.
main_class <- function(d, points) {
  counts <- table(factor(nearest_point(d$x, points), seq_len(nrow(points))), d$y)
  factor(levels(d$y)[max.col(counts, "first")], levels(d$y))
}

one_unit <- function(job) {
  d <- sets[[job$set]](job$seed)
  set.seed(job$seed)
  seconds <- system.time(found <- methods[[job$method]](d, job$n))[["elapsed"]]
  points <- unname(as.matrix(found$points))
  classes <- if (is.null(found$classes)) main_class(d, points) else found$classes
  data.frame(
    job,
    points = nrow(points), accuracy = mean(classes[nearest_point(d$tx, points)] == d$ty), seconds = seconds
  )
}
all_rows <- function(set) {
  d <- sets[[set]](seeds[1])
  data.frame(set = set, rows = nrow(d$x), columns = ncol(d$x), classes = nlevels(d$y),
    accuracy = mean(d$y[nearest_point(d$tx, unname(d$x))] == d$ty))
}

jobs <- expand.grid(n = n, method = names(methods), seed = seeds, set = names(sets), stringsAsFactors = FALSE)
units <- do.call(rbind, in_processes(split(jobs, seq_len(nrow(jobs))), function(job) {
  kept(gsub("[^a-z0-9]+", "-", tolower(paste(unlist(job), collapse = " "))), one_unit(as.list(job)))
}))
print(round(with(units, tapply(accuracy, list(paste(set, method), n), mean)), 3))
save_evidence("prototypes", list(
  units = units, all_rows = do.call(rbind, lapply(names(sets), all_rows)), most_rows = most_rows,
  made = provenance(paste(c(names(sets)), collapse = ", "), seeds)
))
