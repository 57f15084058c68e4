# Pictures, drawn nowhere.

on_device <- function(code) {
  grDevices::pdf(NULL)
  device <- grDevices::dev.cur()
  on.exit(grDevices::dev.off(device))
  force(code)
}

# What a user may have set, which plotting itself does not change.
par_settings <- c(
  "mar", "oma", "mfrow", "mfcol", "las", "cex", "pch", "col", "bg", "fg", "lty", "lwd", "xpd", "mgp", "tck",
  "tcl", "family", "font", "ps", "pty", "ann", "bty", "lab", "srt", "xaxs", "yaxs", "xaxt", "yaxt", "new",
  "ask"
)

# It draws without a warning, leaves par() as it was, and returns invisibly.
expect_drawn <- function(code) {
  code <- rlang::enexpr(code)
  env <- parent.frame()
  on_device({
    graphics::par(mar = c(3, 3, 3, 3), las = 2, pch = 3, cex = 0.9)
    before <- graphics::par(par_settings)
    expect_warning(back <- withVisible(eval(code, env)), NA)
    expect_identical(graphics::par(par_settings), before)
  })
  expect_false(back$visible)
  invisible(back$value)
}
