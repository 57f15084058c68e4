# Makes man/figures/graphs.png, the picture of ?"graph-through-data": fifty landmarks on a roll, seen from the
# side, and two graphs that join them. Needs the package.
#
#   Rscript data-raw/figures.R
#
# from the top of the package.
library(landmarker)

set.seed(1)
roll <- sim_swiss_roll(5000)
few <- landmarks(roll, 50)
graphs <- list(
  "Nearest neighbors" = suppressWarnings(landmark_graph(few, edges = "nearest")),
  "Through the data" = landmark_graph(few)
)
png(file.path("man", "figures", "graphs.png"), 640, 334, pointsize = 14, type = "cairo")
par(mfrow = c(1, 2), mar = c(0.5, 0.5, 1.8, 0.5))
for (name in names(graphs)) {
  side <- coef(few)[, c(1, 3)]
  plot(roll[1:2500, c(1, 3)], asp = 1, axes = FALSE, pch = 16, cex = 0.25, col = "gray75", main = name)
  edges <- as.data.frame(tidy(graphs[[name]]))
  segments(side[edges$from, 1], side[edges$from, 2], side[edges$to, 1], side[edges$to, 2], col = "#0072B2")
  points(side, pch = 16, cex = 0.7)
}
invisible(dev.off())
system2("pngquant", c("--speed=1", "--nofs", "8", "--force", "--ext", ".png", "man/figures/graphs.png"))
