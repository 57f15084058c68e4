# MNIST in files and on workers of each kind: the landmarks of the data in memory.

images <- function(n) {
  file <- skip_without_shared(shared_data("mnist", "train-images-idx3-ubyte.gz"))
  read_idx(file)[seq_len(n), ]
}

methods_to_try <- list(
  gp = by_gp(), full = by_gp(batch_size = Inf, max_iterations = 10), active = by_active(), dpp = by_dpp(20),
  kmeans = by_kmeans(max_iterations = 10), random = by_random()
)

# What one process finds: log det, the error of the trace, and the rows or places of landmarks.
findings <- function(x) {
  # A cluster that starts here would draw random numbers.
  force(x)
  lapply(methods_to_try, function(method) {
    fit <- withr::with_seed(1, suppressWarnings(landmarks(x, 20, method)))
    list(log_det = fit$log_det, error = reconstruction_error(fit, x), rows = fit$rows, at = unname(coef(fit)))
  })
}

# Random batches are in single precision, and the sums of their rows are not of the same order. The
# criterion, which is stationary where the climb ends, agrees to eight digits all the same; log det, which is
# not, to 1e-4 for each of the 20 landmarks.
expect_same_findings <- function(got, whole) {
  for (name in names(whole)) {
    apart <- abs(got[[name]]$log_det - whole[[name]]$log_det)
    expect_lt(apart, if (name == "gp") 20 * 1e-4 else 1e-7)
    expect_equal(got[[name]]$error, whole[[name]]$error, tolerance = 1e-8)
    expect_identical(got[[name]]$rows, whole[[name]]$rows)
    if (name %in% c("kmeans", "full")) expect_equal(got[[name]]$at, whole[[name]]$at, tolerance = 1e-8)
  }
}

test_that("MNIST as HDF5, as CSV files and on workers gives the landmarks of MNIST in memory", {
  skip_unless_full()
  size <- 3000
  x <- images(size)
  whole <- findings(x)

  if (requireNamespace("HDF5Array", quietly = TRUE)) {
    file <- withr::local_tempfile(fileext = ".h5")
    expect_same_findings(findings(HDF5Array::writeHDF5Array(x, file, "x", chunkdim = c(500L, 784L))), whole)
  }

  folder <- withr::local_tempdir()
  files <- file.path(folder, paste0(1:3, ".csv"))
  third <- size / 3
  for (i in 1:3) {
    utils::write.table(x[(i - 1) * third + seq_len(third), ], files[i], sep = ",", row.names = FALSE)
  }
  read <- function(i) matrix(scan(files[i], 0L, sep = ",", skip = 1, quiet = TRUE), ncol = 784, byrow = TRUE)
  parts <- withr::with_seed(1, landmarks(data_parts(dim(x), read, 3), 20))
  expect_equal(reconstruction_error(parts, x), whole$gp$error, tolerance = 1e-8)

  for (kind in c("psock", if (full_run()) "mirai")) {
    if (kind == "mirai" && !requireNamespace("mirai", quietly = TRUE)) next
    expect_same_findings(findings(spread(two_workers(kind), x, size / 2)), whole)
  }
})

# MPI runs in a process of its own, which its library may end.
test_that("MPI gives the same, and a worker that stops is named", {
  skip_on_cran()
  skip_unless_full()
  skip_if(
    !nzchar(system.file(package = "Rmpi")) || !nzchar(system.file(package = "snow")),
    "Rmpi or snow is missing"
  )
  skip_if(!nzchar(Sys.which("orted")), "Open MPI is missing")
  script <- withr::local_tempfile(fileext = ".R", lines = c(
    "library(landmarker)",
    "x <- sim_swiss_roll(2000, noise = 0)",
    "cl <- parallel::makeCluster(2, type = 'MPI')",
    "spread <- local({ x <- x; function(w, n) x[(w - 1) * 1000 + 1:1000, ] })",
    "on <- on_workers(cl, spread)",
    "for (method in list(by_gp(), by_gp(batch_size = Inf, max_iterations = 5), by_dpp(20))) {",
    "  fit <- function(x) { set.seed(2); landmarks(x, 8, method, bandwidth = 60) }",
    "  cat('same:', isTRUE(all.equal(coef(fit(on)), coef(fit(x)), tolerance = 1e-5)), '\\n')",
    "}",
    "tools::pskill(on$workers$facts[[2]]$pid, 9)",
    "error <- tryCatch(landmarks(on, 8, 'kmeans'), error = identity)",
    paste0(
      "cat('named:', inherits(error, 'landmarker_error_worker') && grepl('Worker 2', ",
      "conditionMessage(error)), '\\n')"
    ),
    "cat('alive:', nrow(coef(landmarks(x, 3))), '\\n')",
    "tools::pskill(Sys.getpid(), 9)"
  ))
  withr::local_envvar(
    OMPI_ALLOW_RUN_AS_ROOT = "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = "1", OMPI_MCA_orte_enable_recovery = "1",
    OMPI_MCA_rmaps_base_oversubscribe = "1", R_LIBS = paste(.libPaths(), collapse = ":")
  )
  output <- withr::local_tempfile()
  suppressWarnings(
    system2(file.path(R.home("bin"), "Rscript"), script, stdout = output, stderr = FALSE, timeout = 120)
  )
  said <- readLines(output)
  skip_if(!any(grepl("^same", said)), "MPI does not start here")
  expect_identical(grep("^same", said, value = TRUE), rep("same: TRUE ", 3))
  expect_true("named: TRUE " %in% said)
  expect_true("alive: 3 " %in% said)
})
