# Two workers for a test. `kind`: "psock" or "mirai".
two_workers <- function(kind = "psock", envir = parent.frame()) {
  skip_on_cran()
  withr::local_options(socketOptions = "no-delay")
  if (kind == "mirai") {
    skip_if_not_installed("mirai")
    cl <- mirai::make_cluster(2)
  } else {
    cl <- parallel::makeCluster(2, rscript_args = c("-e", shQuote("options(socketOptions=\"no-delay\")")))
  }
  withr::defer(try(parallel::stopCluster(cl), silent = TRUE), envir)
  cl
}

# The rows of a matrix on the workers, cut after row `cut`.
spread <- function(cl, x, cut = nrow(x) %/% 3) {
  force(cut)
  on_workers(cl, function(worker, workers) {
    first <- seq_len(nrow(x)) <= cut
    x[if (worker == 1) first else !first, , drop = FALSE]
  })
}
