# Tests that take long begin with this, alone or at the head of their file: CRAN wants all tests within a few
# minutes. `make test` runs them.
skip_slow_file <- function() testthat::skip_on_cran()

# `make test` should end within minutes. What repeats a claim for more seeds, kinds or draws is in
# `make test-all` only, which CI runs: `for (seed in if (full_run()) 1:20 else 1:3)`.
full_run <- function() identical(Sys.getenv("LANDMARKER_TESTS"), "all")

# For whole tests.
skip_unless_full <- function() {
  if (!full_run()) testthat::skip("only in `make test-all`")
}
