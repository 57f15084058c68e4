# A picture of a test that opens no device of its own is drawn nowhere, and leaves no Rplots.pdf.
withr::local_options(
  # How long a call takes depends on the machine.
  landmarker.announce = Inf,
  device = function(...) grDevices::pdf(NULL, ...),
  .local_envir = testthat::teardown_env()
)
