# A fit that was interrupted goes on from its checkpoint and ends at the same bits.

skip_slow_file()

roll <- function(n = 6000) withr::with_seed(1, unclass(sim_swiss_roll(n)))

# Data in parts of 1,000 rows whose reader fails at reading number `fail`; and how often it was called.
fragile <- function(x) {
  counter <- list2env(list(reads = 0, fail = Inf))
  read <- function(i) {
    counter$reads <- counter$reads + 1
    if (counter$reads == counter$fail) stop("the disk is gone")
    x[(i - 1) * 1000 + 1:1000, , drop = FALSE]
  }
  list(make = function() data_parts(dim(x), read, nrow(x) / 1000), counter = counter)
}

methods_to_try <- list(
  gp = by_gp(), full = by_gp(batch_size = Inf, max_iterations = 15), volume = by_gp(criterion = "volume"),
  sequential = by_gp("sequential", batch_size = 500, batches = 1, iterations = 3),
  sgd = by_gp("sgd", iterations = 60), active = by_active(), random_active = by_active(pivot = "random"),
  dpp = by_dpp(20), dpp_covariance = by_dpp(20, covariance = "diagonal"), kmeans = by_kmeans(),
  minibatch = by_kmeans(batch_size = 200, max_iterations = 10), random = by_random()
)

for (name in names(methods_to_try)) {
  test_that(paste("a fit by", name, "goes on where its reader failed"), {
    method <- methods_to_try[[name]]
    x <- roll()
    fit <- function(data, ...) {
      withr::with_seed(7, suppressWarnings(landmarks(data, 8, method, bandwidth = 60, ...)))
    }
    data <- fragile(x)
    whole <- fit(data$make())
    all <- data$counter$reads
    shorter <- 0
    times <- if (full_run()) 10 else 4
    for (fail in unique(round(seq(8, all - 1, length.out = times)))) {
      file <- withr::local_tempfile(fileext = ".rds")
      data <- fragile(x)
      data$counter$fail <- fail
      expect_error(fit(data$make(), checkpoint = file), class = "landmarker_error_parts")
      expect_true(file.exists(file))
      data$counter$fail <- Inf
      data$counter$reads <- 0
      # Another seed at the second call does not matter.
      again <- withr::with_seed(9, suppressWarnings(
        landmarks(data$make(), 8, method, bandwidth = 60, checkpoint = file)
      ))
      same <- setdiff(names(whole), c("seconds", "call"))
      expect_identical(unclass(again)[same], unclass(whole)[same])
      expect_false(file.exists(file))
      shorter <- shorter + (data$counter$reads < all)
    }
    if (all > 30) expect_gt(shorter, 0.4 * times)
  })
}

test_that("steps on random batches go on chunk by chunk", {
  x <- roll()
  # So little memory that the rows of the batches are read in several chunks.
  withr::local_options(landmarker.memory = 16 * 24 * 3000)
  fit <- function(data, ...) withr::with_seed(7, suppressWarnings(landmarks(data, 12, ...)))
  data <- fragile(x)
  whole <- fit(data$make())
  all <- data$counter$reads
  expect_gt(all, 60)
  reads <- integer()
  for (fail in round(seq(20, all - 7, length.out = 8))) {
    file <- withr::local_tempfile(fileext = ".rds")
    data <- fragile(x)
    data$counter$fail <- fail
    expect_error(fit(data$make(), checkpoint = file), class = "landmarker_error_parts")
    data$counter$fail <- Inf
    data$counter$reads <- 0
    expect_identical(coef(fit(data$make(), checkpoint = file)), coef(whole))
    reads <- c(reads, data$counter$reads)
  }
  # Later failures leave less to read.
  expect_lt(reads[8], reads[1] - 20)
})

test_that("a fit with a checkpoint has the bits of one without, on any data", {
  x <- roll(3000)
  sparse <- methods::as(round(abs(x)), "CsparseMatrix")
  flowers <- iris
  for (data in list(x, sparse, cut_data(x, 3), flowers)) {
    for (method in list(by_gp(), by_kmeans(), by_active(), by_dpp(20))) {
      file <- withr::local_tempfile(fileext = ".rds")
      fit <- function(...) {
        withr::with_seed(3, suppressWarnings(landmarks(data, 6, method, scale = FALSE, ...)))
      }
      expect_identical(coef(fit(checkpoint = file)), coef(fit()))
      expect_false(file.exists(file))
    }
  }
})

test_that("the random stream after a resumed fit is that after an uninterrupted one", {
  x <- roll()
  data <- fragile(x)
  set.seed(5)
  landmarks(data$make(), 8, by_dpp(20))
  after <- stats::runif(1)
  file <- withr::local_tempfile(fileext = ".rds")
  data$counter$fail <- data$counter$reads + 30
  set.seed(5)
  expect_error(landmarks(data$make(), 8, by_dpp(20), checkpoint = file))
  data$counter$fail <- Inf
  set.seed(6)
  landmarks(data$make(), 8, by_dpp(20), checkpoint = file)
  expect_identical(stats::runif(1), after)
})

test_that("a fit on workers goes on with a new cluster", {
  skip_unless_full()
  x <- roll()
  fit <- function(data, ...) {
    withr::with_seed(
      7, suppressWarnings(landmarks(data, 8, by_gp(batch_size = Inf, max_iterations = 15), ...))
    )
  }
  rows <- function(fail) {
    force(fail)
    function(worker, workers) {
      own <- x[(worker - 1) * 3000 + 1:3000, ]
      seen <- 0
      landmarker::data_parts(dim(own), function(i) {
        seen <<- seen + 1
        if (worker == 2 && seen == fail) tools::pskill(Sys.getpid(), 9)
        own[(i - 1) * 1000 + 1:1000, ]
      }, 3)
    }
  }
  whole <- fit(on_workers(two_workers(), rows(Inf)))
  for (fail in if (full_run()) c(6, 8, 10, 11) else 8) {
    file <- withr::local_tempfile(fileext = ".rds")
    expect_error(
      fit(on_workers(two_workers(), rows(fail)), checkpoint = file), class = "landmarker_error_worker"
    )
    expect_identical(coef(fit(on_workers(two_workers(), rows(Inf)), checkpoint = file)), coef(whole))
  }
})

test_that("a checkpoint of another call, or no checkpoint, is refused", {
  x <- roll(3000)
  data <- fragile(x)
  file <- withr::local_tempfile(fileext = ".rds")
  data$counter$fail <- 20
  expect_error(landmarks(data$make(), 8, "kmeans", checkpoint = file), class = "landmarker_error_parts")
  data$counter$fail <- Inf
  hide <- function(lines) gsub("'?/[^ ]*[.]rds'?", "FILE", lines)
  expect_snapshot(error = TRUE, transform = hide, {
    landmarks(data$make(), 9, "kmeans", checkpoint = file)
    landmarks(data$make(), 8, "dpp", checkpoint = file)
    landmarks(data$make(), 8, "kmeans", bandwidth = 3, checkpoint = file)
    landmarks(x[-1, ], 8, "kmeans", checkpoint = file)
    landmarks(x + 1, 8, "kmeans", checkpoint = file)
    landmarks(x, 8, "kmeans", weights = rep(1:2, 1500), checkpoint = file)
    landmarks(x, 8, checkpoint = 3)
  })
  # A function of the method has the same text and another value.
  whole <- readBin(file, "raw", 1e6)
  rate <- function(a) by_gp("sgd", iterations = 20, step_size = function(s) a * (10 + s)^-0.51)
  key <- function(a) log_key(as_source(x), 3, rate(a), "variance", "euclidean", FALSE)$method
  expect_identical(key(1), key(1))
  expect_false(identical(key(1), key(2)))
  edited <- readRDS(file)
  edited$entries <- rev(edited$entries)
  other <- withr::local_tempfile(fileext = ".rds")
  saveRDS(edited, other)
  expect_error(landmarks(data$make(), 8, "kmeans", checkpoint = other), class = "landmarker_error_checkpoint")
  for (content in list(whole[1:100], raw(), serialize(3, NULL))) {
    writeBin(content, file)
    expect_error(
      landmarks(x, 8, "kmeans", checkpoint = file), "not a checkpoint", class = "landmarker_error_checkpoint"
    )
  }
})

test_that("a file with a changed byte is refused before R reads it, as R may crash there", {
  file <- withr::local_tempfile()
  fit <- function() landmarks(odd_matrix(40, 2), 3, "random", checkpoint = file)
  # What a fit that was cut leaves.
  log <- open_log(file, list(n = "3"), NULL)
  logged(log, function() list(1, "a", c(x = 2.5)))
  write_log(log)
  whole <- readBin(file, "raw", 1e6)
  expect_true(is_sealed(file))
  for (at in round(seq(1, length(whole), length.out = 60))) {
    writeBin(replace(whole, at, xor(whole[at], as.raw(255))), file)
    expect_error(fit(), "not a checkpoint", class = "landmarker_error_checkpoint")
  }
  writeBin(c(whole, as.raw(1)), file)
  expect_error(fit(), "not a checkpoint", class = "landmarker_error_checkpoint")
})

test_that("other rows with the same means and variances are other data", {
  set.seed(1)
  x <- matrix(stats::rpois(1536, 4), 512)
  shuffled <- apply(x, 2, sample)
  expect_identical(colMeans(x), colMeans(shuffled))
  key <- function(x) log_key(as_source(x), 3, by_random(), "variance", "euclidean", FALSE)
  expect_identical(key(x), key(x + 0L))
  expect_false(identical(key(x)$x, key(shuffled)$x))
  sparse <- function(x) methods::as(x + 0, "CsparseMatrix")
  expect_false(identical(key(sparse(x))$x, key(sparse(shuffled))$x))
})

test_that("a path that cannot be written is an error before the data are read", {
  x <- roll()
  for (folder in c(file.path(tempdir(), "no", "such"), if (dir.exists("/proc/self")) "/proc")) {
    data <- fragile(x)
    expect_error(landmarks(data$make(), 5, checkpoint = file.path(folder, "a.checkpoint")),
      "must be the path of a", class = "landmarker_error_checkpoint"
    )
    # data_parts() itself has read one.
    expect_identical(data$counter$reads, 1)
  }
})

test_that("on a full disk a warning comes, the fit goes on, and no connection stays open", {
  disk <- small_disk(1)
  x <- roll(1000)
  file <- file.path(disk, "a.checkpoint")
  other <- file.path(disk, "other")
  full <- function() suppressWarnings(writeBin(raw(2^21), other))
  parts <- data_parts(dim(x), function(i) {
    full()
    x
  }, 1)
  unlink(other)
  open <- nrow(showConnections())
  expect_warning(fit <- withr::with_seed(1, landmarks(parts, 5, checkpoint = file)),
    class = "landmarker_warning_checkpoint"
  )
  expect_identical(coef(fit), coef(withr::with_seed(1, landmarks(parts, 5))))
  expect_identical(list.files(disk), "other")
  # The disk becomes full where the seal is written.
  full()
  expect_false(isTRUE(tryCatch(seal(other), warning = function(w) FALSE)))
  expect_identical(nrow(showConnections()), open)
})

test_that("a path with wildcards deletes no other file", {
  folder <- withr::local_tempdir()
  for (name in c("fit1.rds", "fit1.rds.part")) writeLines("mine", file.path(folder, name))
  landmarks(roll(500), 5, checkpoint = file.path(folder, "fit[1].rds"))
  expect_identical(list.files(folder), c("fit1.rds", "fit1.rds.part"))
})
