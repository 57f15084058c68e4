# Makes man/figures/digits.png, the picture of README.md: what its code draws, in two rows. Needs the package.
#
#   Rscript data-raw/figures.R
#
# from the top of the package.
library(landmarker)

set.seed(1)
pixels <- digits$images / 255
fit <- landmarks(pixels[1:2000, ], 25, space = "nonnegative")
grDevices::png(file.path("man", "figures", "digits.png"), 1560, 290, res = 120)
plot_images(fit, dim = c(28, 28), columns = 13, labels = TRUE, range = c(0, 1))
invisible(grDevices::dev.off())
# A palette of 32 grays: the picture is installed with the help pages.
system2("pngquant", c("--speed=1", "--nofs", "32", "--force", "--ext", ".png", "man/figures/digits.png"))
