# R's stream of random numbers.

# Whether this session has drawn random numbers, or has set a seed.
has_stream <- function() exists(".Random.seed", globalenv(), inherits = FALSE)

# Starts the session's random numbers, where it has drawn none yet.
start_stream <- function() {
  if (!has_stream()) stats::runif(1)
}

# A function that puts the caller's random numbers back to where they are now.
keep_stream <- function() {
  kind <- RNGkind()
  seed <- if (has_stream()) get(".Random.seed", globalenv())
  function() {
    # R warns of samplers that it keeps for old results only.
    suppressWarnings(do.call(RNGkind, as.list(kind)))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", seed, globalenv())
  }
}

# Sets the seed and the generator, so that draws are the same in any session and on any worker.
set_seed <- function(seed) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
}

# Evaluates code of a user that reads data, and puts R's random numbers back to where they were. How often
# data are read must not change later draws.
keep_seed <- function(code) {
  restore <- keep_stream()
  on.exit(restore())
  code
}
