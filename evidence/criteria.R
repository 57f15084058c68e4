# Which criterion the landmarks should be moved by. For each set of data and n = 10, 25, 100: how many of the
# landmarks are on the data, what share of the Gaussian kernel's trace they leave of the rows that they were
# learned from, how well a penalized regression on their features predicts rows that were held out, and
# seconds, beside other work. Means over three seeds, of which each holds out other rows; small tables have
# folds for each seed. Within a set and n the bandwidth is the same for all, by the default rule. Two minutes;
# what is done is kept in build/evidence/.
#
# "better" and "worse" stand where a paired t test on the same held-out rows finds a difference at 5 %. Folds
# share rows that they learn from, so that it finds somewhat too many.
#
# Writes inst/evidence/criteria.rds, whose table is in vignettes/articles/where.Rmd.
source(file.path("evidence", "tools.R"))
suppressMessages(library(Matrix))
kept <- keep_parts("criteria")
options(landmarker.progress = FALSE)
workers <- if (.Platform$OS.type == "windows") 1 else 2

numbers <- c(10, 25, 100)
seeds <- 1:3
# Images: the first `rows`, where given; blocks of `thin` x `thin` pixels become one, their mean. `...`: see
# `sets`. NULL where they are missing.
pictures <- function(folder, images, labels, ..., rows = NULL, thin = 1) {
  path <- bench_data(folder, images)
  if (is.null(path)) return(NULL)
  x <- read_idx(path)
  side <- attr(x, "dim_item")[1]
  rows <- seq_len(if (is.null(rows)) nrow(x) else rows)
  x <- x[rows, ] / 255
  if (thin > 1) {
    block <- function(at) (at - 1) %/% thin
    pixel <- seq_len(ncol(x)) - 1
    cell <- block(pixel %% side + 1) + side / thin * block(pixel %/% side + 1)
    x <- t(rowsum(t(x), cell)) / thin^2
  }
  dimnames(x) <- attr(x, "dim_item") <- NULL
  list(x = x, y = factor(read_idx(bench_data(folder, labels))[rows]), space = "nonnegative", ...)
}

toy <- function(x, held, y = NULL) {
  attr(x, "position") <- NULL
  list(x = x, y = y, held = held)
}

table_with_units <- function(data, response) {
  list(x = scale(as.matrix(data[setdiff(names(data), response)])), y = data[[response]], folds = 3)
}

# Each a list: x, y (NULL where nothing is predicted), space, and folds or `held`, how many rows are
# held out; or NULL where the data are missing.
sets <- list(
  iris = function() list(x = as.matrix(iris[1:4]), y = iris$Species, folds = 5),
  Boston = function() if (requireNamespace("MASS", quietly = TRUE)) table_with_units(MASS::Boston, "medv"),
  quakes = function() table_with_units(quakes, "mag"),
  circles = function() toy(sim_circles(2000), held = 500),
  spiral = function() toy(sim_spiral(2000), held = 500),
  roll = function() {
    x <- sim_swiss_roll(5000)
    toy(x, held = 1500, attr(x, "position")[, "length"])
  },
  MNIST = function() {
    pictures("mnist", "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", rows = 18000, held = 6000)
  },
  USPS = function() {
    files <- paste0("usps_16x16-", c("images-idx3", "labels-idx1"), "-ubyte.gz")
    pictures("usps_16x16", files[1], files[2], held = 3000)
  },
  ORL = function() {
    files <- paste0("orl_64x64-", c("images-idx3", "labels-idx1"), "-ubyte.gz")
    pictures("orl_64x64", files[1], files[2], thin = 2, folds = 3)
  },
  newsgroups = function() {
    x <- newsgroups_rows()
    if (is.null(x)) return(NULL)
    topics <- readLines(bench_data("20news", "labels.txt"))[attr(x, "posts")]
    list(x = x, y = factor(topics), space = "nonnegative_sphere", held = 6000)
  }
)

# Functions(x, n) that give a fit. `by_kmeans()` iterates on dense data only.
criteria <- function(space, sparse) {
  by <- function(method) function(x, n) landmarks(x, n, method, space = space)
  all <- list(
    trace = by(by_gp()), volume = by(by_gp(criterion = "volume")), "k-means" = by(by_kmeans())
  )
  if (sparse) all["k-means"] <- NULL
  all
}

# What is kept of each fit, a data frame that grows.
notes <- new.env()

# A function(x, n) for cv_landmarks() that notes what the landmarks are like. Fewer landmarks than n are
# filled up by features of 0, which predict nothing.
noted <- function(learn, criterion, space) {
  function(x, n) {
    warned <- character()
    # elapsed() would collect garbage first, which takes longer than most of these fits.
    seconds <- system.time(gcFirst = FALSE, fit <- withCallingHandlers(learn(x, n), warning = function(w) {
      warned <<- c(warned, class(w)[1])
      invokeRestart("muffleWarning")
    }))[["elapsed"]]
    notes$fits <- rbind(notes$fits, data.frame(
      criterion = criterion, n = n, on = mean(fit$on_data), left = reconstruction_error(fit, x) / nrow(x),
      found = nrow(coef(fit)), seconds = seconds, narrowed = widest(x) / fit$bandwidth,
      warned = toString(warned)
    ))
    structure(list(fit = fit, n = n), class = "filled_up")
  }
}

predict.filled_up <- function(object, newdata, ...) {
  w <- predict(object$fit, newdata, "features")
  unname(cbind(w, matrix(0, nrow(w), object$n - ncol(w))))
}

# The bandwidth "variance" before it is narrowed for many landmarks, of as many rows as are ever learned from.
widest <- function(x) suppressWarnings(as_landmarks(x[1, , drop = FALSE], x)$bandwidth)

# Fits and measures of one set. The error is 1 - accuracy, or the mean squared error over the variance: one
# for each criterion, n, seed and fold, at the lambda with the least mean.
compare <- function(set) {
  space <- if (is.null(set$space)) "euclidean" else set$space
  learners <- criteria(space, !is.matrix(set$x))
  learners <- Map(noted, learners, names(learners), space)
  notes$fits <- NULL
  units <- NULL
  for (seed in seeds) {
    set.seed(seed)
    held <- if (!is.null(set$held)) sort(sample.int(nrow(set$x), set$held))
    if (is.null(set$y)) {
      for (n in numbers) for (learn in learners) {
        set.seed(seed)
        learn(set$x[-held, ], n)
      }
      next
    }
    cv <- cv_landmarks(set$x, set$y, numbers, learners,
      # Responses that are numbers need weak penalties on the features of a wide kernel.
      lambda = 10^(if (is.numeric(set$y)) -6:3 else -3:3),
      folds = set$folds, validation = held, seeds = seed, refit = FALSE
    )
    units <- rbind(units, as.data.frame(cv, type = "units"))
  }
  list(fits = notes$fits, errors = best_errors(units, set$y))
}

best_errors <- function(units, y) {
  if (is.null(units)) return(NULL)
  units <- units[units$part == "held_out", ]
  units$error <- if (is.numeric(y)) units$mse / stats::var(y) else 1 - units$accuracy
  means <- stats::aggregate(error ~ method + n + lambda, units, mean)
  least <- do.call(rbind, lapply(split(means, means[c("method", "n")]), function(m) m[which.min(m$error), ]))
  merge(units[c("method", "n", "lambda", "seed", "fold", "error")], least[c("method", "n", "lambda")])
}

# The difference from the trace, over the same held-out rows: its mean, and whether a paired t test finds it.
against_trace <- function(errors, criterion, n) {
  of <- function(m) errors[errors$method == m & errors$n == n, c("seed", "fold", "error")]
  both <- merge(of(criterion), of("trace"), by = c("seed", "fold"))
  d <- both$error.x - both$error.y
  se <- stats::sd(d) / sqrt(length(d))
  list(mean = mean(d), clear = abs(mean(d)) > stats::qt(0.975, length(d) - 1) * se)
}

cell <- function(found, criterion, n, y) {
  fits <- found$fits[found$fits$criterion == criterion & found$fits$n == n, ]
  out <- data.frame(criterion = criterion, n = n, on = mean(fits$on), left = mean(fits$left),
    seconds = mean(fits$seconds), found = mean(fits$found), narrowed = mean(fits$narrowed), error = NA,
    difference = NA, clear = NA)
  if (!is.null(y)) {
    out$error <- mean(found$errors$error[found$errors$method == criterion & found$errors$n == n])
    gap <- against_trace(found$errors, criterion, n)
    out[c("difference", "clear")] <- list(gap$mean, gap$clear)
  }
  out
}

one_set <- function(name) {
  options(landmarker.threads = 1L)
  kept(name, {
    set.seed(7)
    set <- sets[[name]]()
    if (is.null(set)) return(NULL)
    found <- compare(set)
    pairs <- expand.grid(
      criterion = unique(found$fits$criterion), n = numbers, stringsAsFactors = FALSE
    )
    cells <- do.call(rbind, Map(
      function(criterion, n) cell(found, criterion, n, set$y), pairs$criterion, pairs$n
    ))
    learned <- if (is.null(set$folds)) nrow(set$x) - set$held else round(nrow(set$x) * (1 - 1 / set$folds))
    cbind(set = name, rows = learned, columns = ncol(set$x), cells, row.names = NULL)
  })
}
done <- parallel::mclapply(names(sets), one_set, mc.cores = workers, mc.preschedule = FALSE)
failed <- Filter(function(d) inherits(d, "try-error"), done)
if (length(failed)) stop(failed[[1]])
cells <- do.call(rbind, done)
print(cells, digits = 3)
save_evidence("criteria", list(
  cells = cells,
  made = provenance(
    "iris, Boston, quakes, MNIST, USPS, AT&T faces, 20 Newsgroups, simulated circles, spirals and rolls",
    seeds
  )
))
