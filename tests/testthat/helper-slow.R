# Tests that take long begin with this, alone or at the head of their file: CRAN wants all tests within a few
# minutes. `make test` runs them.
skip_slow_file <- function() testthat::skip_on_cran()
