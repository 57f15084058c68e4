# Algorithm 1 of Liang and Paisley (2015) as written.

gp_sgd <- function(method, source, n, kernel, held, call) {
  how <- compute_with(call)
  for_core <- kernel_for_core(kernel, source, call)
  iterations <- method$iterations[1]
  rates <- lapply(seq_len(iterations), method$step_size)
  bad <- which(!vapply(rates, function(rate) is_number(rate) && is.finite(rate), NA))
  if (length(bad)) {
    abort_input(c(
      "The function {.arg step_size} must return one finite number for every iteration.",
      x = "For iteration {bad[1]} it returned {describe(rates[[bad[1]]])}."
    ), arg = "step_size", call = call)
  }
  rates <- as.double(unlist(rates))
  sd <- sqrt(source$variance)
  middle <- source$mean
  found <- held
  # Of data in parts the rows of a portion are read together: up to 128 MB of them.
  at_once <- min(50, max(1, 2^24 %/% (method$batch_size[1] * source$dim[2])))
  bar <- progress_start("Learning landmarks", n * iterations)
  for (k in seq_len(n)) {
    first <- matrix(stats::rnorm(length(middle), middle, sd), 1, dimnames = list(NULL, source$names))
    found <- rbind(found, project_points(first, kernel$space, call))
    # Batches in portions, so that memory and the progress bar stay small.
    for (portion in split(seq_len(iterations), ceiling(seq_len(iterations) / at_once))) {
      found <- remember(source, "steps", function() {
        batches <- batches_of(source, lapply(portion, function(s) draw_rows(source, method$batch_size[1])))
        settings <- c(list(batches = batches$rows, rates = rates[portion], gradient = method$gradient), how)
        .Call(C_gradient_steps, batches$source, found, for_core, settings)
      })
      progress_step(bar, length(portion))
    }
  }
  new <- found[nrow(held) + seq_len(n), , drop = FALSE]
  selection(new, iterations = rep(iterations, n), moved = rep(NA_real_, n), exact = FALSE, ordered = TRUE)
}

# Several batches, read at once: list(source, rows), where `rows` is a list.
batches_of <- function(source, batches) {
  all <- batch_of(source, unlist(batches))
  list(source = all$source, rows = unname(split(all$rows, rep(seq_along(batches), lengths(batches)))))
}
