# A picture of a test that opens no device of its own is drawn nowhere, and leaves no Rplots.pdf.
withr::local_options(
  device = function(...) grDevices::pdf(NULL, ...),
  .local_envir = testthat::teardown_env()
)
