# Algorithm 1 of Liang and Paisley (2015) as written.

gp_sgd <- function(method, source, n, kernel, held, call) {
  how <- compute_with(call)
  space <- space_for_core(kernel$space, source$dim[2], source$names, call)
  steps <- method$steps[1]
  rates <- vapply(seq_len(steps), function(s) as.double(method$step(s)), 0)
  if (!all(is.finite(rates))) {
    abort_input("{.arg step} must return one finite number for every step.", arg = "step", call = call)
  }
  spread <- sqrt(source$variance)
  middle <- source$mean
  found <- held
  bar <- progress_start("Learning landmarks", n * steps)
  for (k in seq_len(n)) {
    first <- matrix(stats::rnorm(length(middle), middle, spread), 1, dimnames = list(NULL, source$names))
    found <- rbind(found, project_points(first, kernel$space, call))
    # Batches in portions, so that memory and the progress bar stay small.
    for (portion in split(seq_len(steps), ceiling(seq_len(steps) / 50))) {
      batches <- lapply(portion, function(s) draw_rows(source, method$batch_size[1]))
      found <- .Call(
        C_gradient_steps, source, batches, found, kernel$bandwidth, space, rates[portion],
        method$gradient == "unit", how
      )
      progress_step(bar, length(portion))
    }
  }
  new <- found[nrow(held) + seq_len(n), , drop = FALSE]
  selection(new, steps = rep(steps, n), moved = rep(NA_real_, n), exact = FALSE, ordered = TRUE)
}
