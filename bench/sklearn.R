# Beside Python's scikit-learn, on the same digits and with two threads each: k-means, mini-batches, Nystrom's
# features and the eigenmap, in turn with ours. Its BLAS is OpenBLAS where that is preloaded, as bench.R does.
#   Rscript bench/sklearn.R [PYTHON]
source("bench/tools.R")
library(landmarker)

python <- c(commandArgs(trailingOnly = TRUE), "python3")[1]
if (system2(python, c("-c", shQuote("import sklearn")), stdout = FALSE, stderr = FALSE) != 0) {
  message("skipped: ", python, " has no scikit-learn (on Debian: apt-get install python3-sklearn)")
  quit(status = 0)
}
short <- nzchar(Sys.getenv("BENCH_SHORT"))
x <- mnist(if (short) 3000 else 50000)
if (is.null(x)) quit(status = 0)
runs <- if (short) 2 else 5
n <- 100

# A Python process that is kept open and computes what it is asked by a line.
folder <- file.path("build", "scikit")
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
writeBin(as.vector(t(x)), file.path(folder, "x.bin"))
listen <- function(tries = 20) {
  for (port in sample(20000:40000, tries)) {
    server <- tryCatch(suppressWarnings(serverSocket(port)), error = function(e) NULL)
    if (!is.null(server)) return(list(server = server, port = port))
  }
  stop("no port is free")
}
at <- listen()
system2(python, c("bench/scikit.py", at$port, shQuote(folder), nrow(x), ncol(x)),
  wait = FALSE, env = c("OMP_NUM_THREADS=2", "OPENBLAS_NUM_THREADS=2")
)
answers <- socketAccept(at$server, blocking = TRUE, open = "r+", timeout = 7200)
close(at$server)
ask <- function(...) {
  writeLines(paste(...), answers)
  line <- readLines(answers, 1)
  if (length(line) == 0) stop("Python ended early")
  line
}
points <- function(columns) {
  file <- file.path(folder, "points.bin")
  matrix(readBin(file, "double", file.size(file) / 8), ncol = columns, byrow = TRUE)
}

# Seconds of both sides are those of the fit alone; `figure` is what the fit left, told by a function of
# what it gave.
theirs <- function(command, figure = NULL) {
  function(seed) {
    answer <- as.numeric(strsplit(ask(sub("SEED", seed, command)), " ")[[1]])
    c(answer[1], if (is.null(figure)) answer[2] else figure(points))
  }
}
ours <- function(run, figure) {
  function(seed) {
    set.seed(seed)
    seconds <- elapsed(out <- run())
    c(seconds, figure(out))
  }
}

# Rows of a table, each way in turn; the others' seconds are divided by those of the first.
compare <- function(title, what, ways, rounds = runs) {
  heading(sprintf("%s, beside %s, two threads", title, sub(";.*", "", about)))
  seconds <- figure <- matrix(NA_real_, rounds, length(ways), dimnames = list(NULL, names(ways)))
  for (r in seq_len(rounds)) {
    for (way in if (r %% 2 == 1) names(ways) else rev(names(ways))) {
      one <- ways[[way]](r)
      seconds[r, way] <- one[1]
      figure[r, way] <- one[2]
    }
  }
  for (way in names(ways)) {
    report(way, sprintf("%s s; over the first %s; %s %s", spread(seconds[, way]),
      spread(seconds[, way] / seconds[, 1]), what, spread(figure[, way], 4)
    ))
  }
}

about <- ask("about")
fit <- function(method) landmarks(x, n, method, space = "nonnegative")
left <- function(fit) reconstruction_error(fit, x) / nrow(x)
centers_left <- function(points) left(as_landmarks(pmax(points(ncol(x)), 0), x, space = "nonnegative"))
# What is loaded and started at the first use is nobody's fit.
bandwidth <- fit(by_gp())$bandwidth
invisible(ask(sprintf("kmeans 1 double %d 1", n)))

compare(sprintf("Centers: MNIST, %d x 784, 100 landmarks", nrow(x)), "approximation error", list(
  "ours: default (trace)" = ours(function() fit(by_gp()), left),
  "ours: by_kmeans(), all rows, 10 iterations" = ours(function() fit(by_kmeans()), left),
  "theirs: KMeans, one start, 10 iterations" = theirs(sprintf("kmeans SEED double %d 10", n), centers_left),
  "theirs: KMeans, the same in single precision" = theirs(
    sprintf("kmeans SEED single %d 10", n), centers_left
  ),
  "theirs: KMeans, one start, at most 300 iterations" = theirs(
    sprintf("kmeans SEED double %d 300", n), centers_left
  ),
  "ours: by_kmeans(), 100 batches of 1,000 rows" = ours(function() fit(by_kmeans(batch_size = 1000)), left),
  "theirs: MiniBatchKMeans, 100 batches of 1,000 rows" = theirs(
    sprintf("minibatch SEED double %d %d", n, ceiling(1e5 / nrow(x))), centers_left
  ),
  "theirs: MiniBatchKMeans, until it stops by itself" = theirs(
    sprintf("minibatch SEED double %d 100", n), centers_left
  ),
  "theirs: MiniBatchKMeans, the same in single precision" = theirs(
    sprintf("minibatch SEED single %d 100", n), centers_left
  )
))

# Features W of all rows whose products W W' approximate the kernel: the fit and its application.
# Ours are the kernel's values with the landmarks, which span the same approximation.
apply_it <- function(method) {
  function() {
    out <- fit(method)
    features <<- predict(out, x, "features")
    out
  }
}
gamma <- format(1 / bandwidth, digits = 17)
compare(sprintf("Nystrom's features of MNIST, %d x 784, 100 landmarks", nrow(x)), "approximation error", list(
  "ours: default (trace) and predict()" = ours(apply_it(by_gp()), left),
  "ours: landmarks(by_random()) and predict()" = ours(apply_it(by_random()), left),
  "theirs: Nystroem" = theirs(sprintf("nystroem SEED double %d %s", n, gamma)),
  "theirs: Nystroem in single precision" = theirs(sprintf("nystroem SEED single %d %s", n, gamma))
))

digit <- read_idx(bench_data("mnist", "train-labels-idx1-ubyte.gz"))
part <- seq_len(if (short) 500 else 5000)
tell_digit <- function(y) {
  if (!requireNamespace("class", quietly = TRUE)) return(NA_real_)
  mean(class::knn.cv(y, factor(digit[part]), k = 5) == digit[part])
}
some <- x[part, ]
# The description of the landmarks (their order, variances), which the eigenmap has no need of, apart.
described <- elapsed(on_rows <- as_landmarks(some, some, space = "nonnegative"))
compare(
  sprintf("Eigenmap of %d digits, 10 neighbors, two dimensions", length(part)),
  "accuracy of 5 nearest neighbors",
  list(
    "ours: embed_landmarks(), each row a landmark" = ours(
      function() embed_landmarks(on_rows, independent = FALSE), function(e) tell_digit(e$coordinates)
    ),
    "ours: by_dpp(), a tenth as landmarks, embed_landmarks() and predict()" = ours(
      function() {
        few <- landmarks(some, length(part) / 10, by_dpp())
        list(coordinates = predict(embed_landmarks(few, independent = FALSE), some))
      },
      function(e) tell_digit(e$coordinates)
    ),
    "theirs: SpectralEmbedding" = theirs(
      sprintf("spectral SEED double %d 10", length(part)), function(points) tell_digit(points(2))
    )
  ), min(runs, 3)
)
report("ours: as_landmarks() before it, once", sprintf("%.2f s", described))
heading("scikit-learn and what it computes with")
report("versions and libraries", about)
close(answers)
unlink(folder, recursive = TRUE)
