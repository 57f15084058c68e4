# The climb of the fit, and the package's other uses, beside the package at an earlier commit: by default
# the one before the climb became one call on one arena (LANDMARKER_BEFORE names another). Both are measured
# in one run, in turn, each in a process of its own.
#   Rscript bench/climb.R [fit] [narrow] [many] [cliff] [sparse] [uses]
# BENCH_LONG=1 adds 2,000 landmarks and 300,000 x 8,000 counts; BENCH_SHORT=1 tries each line on few rows.
source("bench/tools.R")
library(landmarker)

parts <- commandArgs(trailingOnly = TRUE)
if (length(parts) == 0) parts <- c("fit", "narrow", "many", "cliff", "sparse", "uses")
short <- nzchar(Sys.getenv("BENCH_SHORT"))
long <- nzchar(Sys.getenv("BENCH_LONG"))
few <- function(usual, tried) if (short) tried else usual

now <- normalizePath(dirname(find.package("landmarker")))
before <- before_library()
images <- !is.null(bench_data("mnist", "train-images-idx3-ubyte.gz"))
volume <- quote(by_gp(criterion = "volume"))
whole <- function(count) format(count, big.mark = ",", scientific = FALSE)
left <- quote(reconstruction_error(fit, x) / nrow(x))

# The fit of n landmarks of `x` in the worker.
fit_case <- function(n, method = volume, value = quote(fit$log_det), runs = NULL, space = "nonnegative",
                     data = quote(x), bandwidth = "variance") {
  case(bquote(landmarks(.(data), .(n), .(method), space = .(space), bandwidth = .(bandwidth))), value, runs)
}

seconds_row <- function(name, case, target = "") {
  report(paste0(name, ": seconds"), compared(case$seconds), target)
}

told_row <- function(name, case, target = "", format = "%.1f") {
  report(sprintf("%s, seeds 1 to %d", name, nrow(case$value)), told(case, format), target)
}

# The most that now may take over before.
ratio <- function(most, aim = NULL) {
  paste0("now / before at most ", most, if (!is.null(aim)) sprintf(" (aim %s)", aim))
}

# Of a session's first fit only: what a process has freed can hide what it uses later.
peak_row <- function(name, case, target = "") {
  if (anyNA(case$peak)) return()
  report(paste0(name, ": peak memory above the data, MB"), compared(case$peak, "MB"), target)
}

# A process that dies, of memory say, ends its group of measurements and no other.
group <- function(title, expr) {
  heading(paste0("The climb: ", title))
  tryCatch(expr, error = function(e) report(title, paste("stopped:", conditionMessage(e))))
}

mnist_rows <- bquote(x <- mnist(.(few(50000, 5000))))

if (images && "fit" %in% parts) {
  group("MNIST, 50,000 x 784, nonnegative", {
    b <- beside(before, now, list(
      volume = fit_case(100), trace = fit_case(100, quote(by_gp()), left),
      many = fit_case(400, runs = few(3, 1)), many_trace = fit_case(400, quote(by_gp()), left, few(3, 1))
    ), runs = few(5, 2), prepare = mnist_rows, fresh = few(3, 1))
    seconds_row("100 landmarks by the volume, the first fit of a session", b$first, ratio(0.8))
    seconds_row("100 landmarks by the volume", b$volume, ratio(0.8, 0.56))
    told_row("100 landmarks by the volume: log det", b$volume, "at least 401 each (aim 402.5)")
    peak_row("100 landmarks by the volume, the first fit of a session", b$first, "at most 150")
    seconds_row("100 landmarks by the trace (default)", b$trace)
    told_row("100 landmarks by the trace: share left", b$trace, format = "%.4f")
    seconds_row("400 landmarks by the volume", b$many, ratio(0.71))
    told_row("400 landmarks by the volume: log det", b$many, "at least 941 each")
    seconds_row("400 landmarks by the trace", b$many_trace)
    told_row("400 landmarks by the trace: share left", b$many_trace, format = "%.4f")
  })
}

# The sets of these names in schedules.R: bandwidths at which the kernel is far from the default's. At 500
# the landmarks come near the rank of the kernel.
if (images && "narrow" %in% parts) {
  group("narrow and wide kernels, by the volume", {
    wide <- beside(before, now, list(wide = fit_case(100, bandwidth = 500)), few(5, 1), mnist_rows)$wide
    rows <- bquote(x <- mnist(.(few(20000, 3000))))
    narrow <- beside(before, now, list(narrow = fit_case(50, bandwidth = 15)), few(5, 1), rows)$narrow
    seconds_row("mnist_narrow: 20,000 x 784, n = 50, bandwidth 15", narrow, ratio(1))
    told_row("mnist_narrow: log det", narrow, "at least 141.5 each")
    seconds_row("MNIST, n = 100, bandwidth 500", wide, ratio(1))
    told_row("MNIST, n = 100, bandwidth 500: log det", wide, "at least 265.5 each")
    if (!is.null(bench_data("20news", "20news.mtx.gz"))) {
      news <- beside(before, now, list(
        volume = fit_case(50, space = "nonnegative_sphere", bandwidth = 0.5),
        trace = fit_case(50, quote(by_gp()), left, space = "nonnegative_sphere", bandwidth = 0.5)
      ), few(5, 1), quote(x <- newsgroups_rows()))
      seconds_row("news_50: 18,832 x 1,545, n = 50, bandwidth 0.5", news$volume, ratio(1))
      told_row("news_50: log det", news$volume, "at least 40 each")
      seconds_row("news_50 by the trace", news$trace)
      told_row("news_50 by the trace: share left", news$trace, format = "%.4f")
    }
  })
}

if (images && "many" %in% parts) {
  group("many landmarks of MNIST", {
    n <- few(1000, 60)
    cases <- list(
      part = fit_case(n, data = quote(some), runs = 1), all = fit_case(n),
      trace = fit_case(n, quote(by_gp()), left),
      twice = if (long) fit_case(2 * n, runs = 1),
      twice_trace = if (long) fit_case(2 * n, quote(by_gp()), left, 1)
    )
    prepare <- bquote({
      .(mnist_rows)
      some <- x[seq_len(.(10 * n)), ]
    })
    b <- beside(before, now, Filter(Negate(is.null), cases), few(2, 1), prepare)
    for (which in names(b)) {
      trace <- endsWith(which, "trace")
      name <- sprintf("%s landmarks of %s rows by the %s",
        whole(if (startsWith(which, "twice")) 2 * n else n),
        if (which == "part") whole(10 * n) else "all", if (trace) "trace" else "volume"
      )
      seconds_row(name, b[[which]], ratio(0.333))
      told_row(paste0(name, if (trace) ": share left" else ": log det"), b[[which]],
        format = if (trace) "%.4f" else "%.1f"
      )
    }
  })
}

# The most by which neighbors in a row of figures differ, in percent of the smaller.
jump <- function(v) sprintf("%.0f %%", 100 * (exp(max(abs(diff(log(abs(v)))))) - 1))

# Up to 10 n rows all of them are one batch.
cliff <- function(n, criterion, before) {
  times <- c(5, 7, 9, 10, 10.01, 12, 15, 20)
  rows <- round(times * n)
  value <- if (criterion == "volume") {
    quote(fit$log_det / nrow(coef(fit)))
  } else {
    quote(1 - reconstruction_error(fit, x[seq_len(fit$n_rows), ]) / fit$n_rows)
  }
  cases <- lapply(rows, function(m) {
    fit_case(n, bquote(by_gp(criterion = .(criterion))), value, data = bquote(some[[.(as.character(m))]]))
  })
  prepare <- bquote({
    x <- mnist(.(max(rows)))
    some <- lapply(.(rows), function(m) x[seq_len(m), ])
    names(some) <- .(rows)
  })
  b <- beside(before, now, cases, few(3, 1), prepare)
  what <- if (criterion == "volume") "log det / n" else "share explained"
  for (side in colnames(b[[1]]$seconds)) {
    seconds <- vapply(b, function(case) stats::median(case$seconds[, side]), 0)
    good <- vapply(b, function(case) mean(vapply(case$value[, side], `[`, 0, 1)), 0)
    name <- sprintf("n = %d, %s, %s", n, criterion, side)
    report(paste0(name, ": seconds at N / n = ", paste(times, collapse = ", ")),
      paste(signif(seconds, 3), collapse = ", ")
    )
    report(sprintf("%s: %s (mean of the seeds)", name, what), paste(sprintf("%.4f", good), collapse = ", "))
    report(paste0(name, ": largest step of the seconds; of the seconds for a row; of ", what), paste(
      jump(seconds), jump(seconds / rows), jump(good), sep = "; "
    ), if (side == "now") "seconds for a row, and the last: at most 25 %" else "")
    report(paste0(name, ": step from 10 n to 10.01 n of the seconds; of ", what), paste(
      jump(seconds[times %in% c(10, 10.01)]), jump(good[times %in% c(10, 10.01)]), sep = "; "
    ), if (side == "now") "at most 25 %" else "")
  }
}

if (images && "cliff" %in% parts) {
  group("no cliff at 10 rows for each landmark, MNIST", {
    for (n in few(c(100, 400), 20)) for (criterion in c("volume", "trace")) cliff(n, criterion, before)
  })
}

if ("sparse" %in% parts && requireNamespace("Matrix", quietly = TRUE)) {
  group("sparse counts whose columns follow Zipf's law, 50 landmarks, nonnegative", {
    of_counts <- function(rows, columns, each) {
      prepare <- bquote({
        set.seed(1)
        x <- zipf_counts(.(rows), .(columns), .(each))
      })
      value <- quote(c(fit$log_det, as.double(object.size(x)) / 2^20, length(x@x)))
      b <- beside(before, now, list(fit = fit_case(50, quote(by_gp()), value)), few(3, 1), prepare, fresh = 2)
      about <- b$fit$value[[1]]
      name <- sprintf("%s x %s, %s entries", whole(rows), whole(columns), whole(about[3]))
      wide <- columns == 1e5
      target <- ratio(if (wide) 0.5 else 1)
      seconds_row(paste0(name, ", the first fit of a session"), b$first, target)
      seconds_row(name, b$fit, target)
      peak_row(name, b$first)
      if (!anyNA(b$first$peak)) {
        over <- b$first$peak / about[2]
        report(sprintf("%s: that over the size of the data, %.0f MB", name, about[2]),
          compared(over, "times"), if (wide) ratio(0.5) else "at most 2.5 times"
        )
        report(paste0(name, ": the same with the data counted"), compared(over + 1, "times"))
      }
    }
    of_counts(few(17000, 2000), 1e5, 100)
    free <- if (file.exists("/proc/meminfo")) {
      as.numeric(gsub("[^0-9]", "", grep("MemAvailable", readLines("/proc/meminfo"), value = TRUE))) / 2^20
    }
    if (long && isTRUE(free > 14)) of_counts(few(3e5, 5000), 8000, 233)
    if (long && !isTRUE(free > 14)) message("skipped: 300,000 x 8,000 counts need 14 GB of free memory")
  })
}

# Coordinates of both, up to the sign of each column.
largest_difference <- function(a, b) {
  signs <- sign(colSums(a * b))
  max(abs(a - b %*% diag(signs, length(signs)))) / max(abs(b))
}

if ("uses" %in% parts) {
  group("other uses", {
    # A Swiss roll's points, each a landmark, and neighbors as many as the earlier commit chose by itself.
    prepare <- bquote({
      set.seed(1)
      roll <- sim_swiss_roll(.(few(5000, 500)))
      on_roll <- as_landmarks(roll, roll, bandwidth = 20)
      cloud <- matrix(stats::rnorm(.(few(20000, 2000)) * 50), ncol = 50)
    })
    b <- beside(before, now, list(
      eigenmap = case(quote(embed_landmarks(on_roll, neighbors = 9)), quote(fit$coordinates), few(2, 1)),
      active = case(bquote(landmarks(cloud, .(few(1000, 50)), by_active(), bandwidth = 100)))
    ), few(3, 1), prepare)
    seconds_row("eigenmap of 5,000 landmarks", b$eigenmap, "under 1 second")
    if (!is.null(before)) {
      y <- b$eigenmap$value[1, ]
      report("eigenmap: largest difference of the coordinates / the largest, up to the sign",
        signif(largest_difference(y$now, y$before), 2), "1e-6"
      )
    }
    seconds_row("1,000 pivots of 20,000 x 50, active", b$active, ratio(1))
    # Where the layer in R takes most of the time.
    prepare <- bquote({
      set.seed(1)
      flowers <- as.matrix(iris[1:4])
      table_fit <- landmarks(iris[1:4], 10)
      times <- .(few(50, 2))
    })
    nothing <- quote(0)
    b <- beside(before, now, list(
      matrix = case(quote(for (k in seq_len(times)) fit <- landmarks(flowers, 10)), nothing),
      frame = case(quote(for (k in seq_len(times)) fit <- landmarks(iris, 10)), nothing),
      random = case(quote(for (k in seq_len(times)) fit <- landmarks(flowers, 10, "random")), nothing),
      predict = case(
        quote(for (k in seq_len(times)) w <- predict(table_fit, iris[1:4], "features")), nothing
      ),
      embed = case(quote(for (k in seq_len(times)) e <- embed_landmarks(table_fit, neighbors = 4)), nothing)
    ), few(7, 1), prepare)
    seconds_row("50 fits of iris, a matrix, 10 landmarks", b$matrix, ratio(1.03))
    seconds_row("50 fits of iris, a data frame with a factor", b$frame, ratio(1.03))
    seconds_row("50 fits of iris, random rows", b$random, ratio(1.03))
    seconds_row("50 times features of iris, predict()", b$predict, ratio(1.03))
    seconds_row("50 embeddings of 10 landmarks", b$embed, ratio(1.03))
    if (images) {
      prepare <- bquote({
        .(mnist_rows)
        set.seed(1)
        hundred <- landmarks(x, .(few(100, 10)), by_random(), space = "nonnegative")
      })
      b <- beside(before, now, list(
        predict = case(quote(predict(hundred, x, "features")), nothing),
        dpp = case(bquote(landmarks(x, .(few(1000, 20)), by_dpp(.(few(5000, 50)), sigma = 5))), nothing),
        kmeans = case(bquote(landmarks(x, .(few(100, 10)), by_kmeans())), nothing)
      ), few(3, 1), prepare)
      seconds_row("features of 50,000 x 784 by 100 landmarks, predict()", b$predict, ratio(1))
      seconds_row("1,000 diverse rows of 50,000 x 784, by_dpp()", b$dpp, ratio(1))
      seconds_row("100 landmarks of 50,000 x 784, by_kmeans()", b$kmeans, ratio(1))
    }
    prepare <- bquote({
      set.seed(1)
      x <- sim_swiss_roll(.(few(1e7, 1e5)))
      attr(x, "position") <- NULL
    })
    way <- bquote({
      fit <- landmarks(x, .(few(2500, 100)), by_dpp(covariance = "diagonal"))
      e <- embed_landmarks(fit, neighbors = 50, distance = "bhattacharyya")
      predict(e, x)
    })
    b <- beside(before, now, list(all = case(way, quote(0))), few(2, 1), prepare, fresh = 1)
    seconds_row("ten million points: 2,500 diverse rows, eigenmap, extension", b$all, ratio(1))
    peak_row("ten million points", b$first)
  })
}
