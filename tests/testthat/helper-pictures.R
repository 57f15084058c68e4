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

# An embedding made by hand, whole in the sense of check_embedding(), of the landmarks of a fit with symmetric
# weights of a graph. `coordinates` have names of rows and columns.
whole_embedding <- function(coordinates, values, weights, fit) {
  n <- nrow(coordinates)
  dims <- ncol(coordinates)
  shortcuts <- matrix(integer(), 0, 2, dimnames = list(NULL, c("low", "high")))
  graph <- structure(list(
    weights = weights, components = rep(1L, n), shortcuts = shortcuts, distance = "euclidean",
    edge_weights = "heat", sigma = 1, neighbors = 1L, reach = rep(1, n), covariance = NULL, fit = fit
  ), class = "landmark_graph")
  structure(list(
    coordinates = coordinates, values = values, graph = graph, seconds = 0, alpha = 0, layout = "eigenmap",
    plane = 0, chosen = seq_len(dims), novelty = numeric(dims)
  ), class = "landmark_embedding")
}
