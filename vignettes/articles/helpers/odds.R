# Points colored by the odds that they are drawn next, a panel for each rule. `drawn`: the rows drawn before.
plot_odds <- function(points, drawn, odds) {
  shades <- grDevices::colorRampPalette(c("#DDDDDD", "#56B4E9", "#0072B2", "#00304D"))(64)
  par(mfrow = c(1, length(odds)), mar = c(2, 2, 2, 0.5))
  for (name in names(odds)) {
    o <- odds[[name]] / max(odds[[name]])
    room <- range(points[, 1]) - c(0.4, 0) * diff(range(points[, 1])) # for the legend
    first <- order(o)
    plot(points[first, ],
      pch = 16, cex = 0.5, col = shades[1 + floor(63 * o[first])], asp = 1, xlim = room, main = name,
      las = 1, bty = "n"
    )
    points(points[drawn, ], pch = 21, bg = "#D55E00", col = "white", cex = 1.5)
    at <- c(0, 0.5, 1)
    legend("topleft", format(at), title = "odds", pch = 16, col = shades[1 + floor(63 * at)], bty = "n")
  }
}
