# Two daemons of package mirai for a test, or as `...` of mirai::daemons() says.
two_daemons <- function(..., envir = parent.frame()) {
  skip_on_cran()
  skip_if_not_installed("mirai", "2.3.0")
  # They find this package where the session has found it.
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep), .local_envir = envir)
  withr::defer(mirai::daemons(0), envir)
  if (...length()) mirai::daemons(...) else mirai::daemons(2)
}

# The same for several tests of a file, which do the daemons no harm. A test after them that calls
# two_daemons() ends them.
shared_daemons <- function() if (!has_daemons()) two_daemons(envir = testthat::teardown_env())
