# Makes data/digits.rda: 300 training images of each class of MNIST.
#
#   Rscript data-raw/digits.R [folder with MNIST's idx files]
#
# from the top of the package. Without an argument the folder is `mnist` in the
# folder that the environment variable LANDMARKER_DATA names, as in the tests,
# and without that ../shared/data/mnist. Needs cli and rlang, not the package.

if (!file.exists("R/data_sets.R")) {
  stop("Run this script from the top of the package: Rscript data-raw/digits.R", call. = FALSE)
}

given <- commandArgs(trailingOnly = TRUE)
root <- Sys.getenv("LANDMARKER_DATA", "../shared/data")
folder <- if (length(given) > 0) given[1] else file.path(root, "mnist")
files <- file.path(folder, c("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"))
if (!all(file.exists(files))) {
  message(
    "No digits made: ", paste(basename(files[!file.exists(files)]), collapse = " and "),
    " not found in ", folder, ".\n",
    "Name the folder with MNIST's files: Rscript data-raw/digits.R <folder>"
  )
  quit(status = 1)
}

for (source_file in c(list.files("R", "^base_"), "data_sets.R")) source(file.path("R", source_file))

images <- read_idx(files[1])
labels <- read_idx(files[2])
stopifnot(identical(dim(images), c(60000L, 784L)), length(labels) == 60000)

# The kinds are R's defaults since 3.6.0, named so that they stay.
set.seed(2015, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
chosen <- unlist(lapply(0:9, function(class) sample(which(labels == class), 300)))
chosen <- sample(chosen)

images <- images[chosen, ]
colnames(images) <- sprintf("r%02dc%02d", rep(1:28, each = 28), rep(1:28, times = 28))
digits <- list(images = images, labels = factor(labels[chosen], levels = 0:9))

file <- file.path("data", "digits.rda")
dir.create("data", showWarnings = FALSE)
save(digits, file = file, version = 2, compress = "xz", compression_level = 9)
message(file, ": ", file.size(file), " bytes")
