# A first look at landmarker: landmarks of images of digits, beside random rows. Pictures go to demo-output/.
#
#   Rscript tools/demo.R        from the top of the repository; `make demo` does
library(landmarker)

pixels <- digits$images / 255
set.seed(1)
test <- sort(sample(nrow(pixels), 900))
fit <- landmarks(pixels[-test, ], 25, space = "nonnegative")
print(fit)

cat("\nClassification of the digits by the features of 25 landmarks:\n")
methods <- list(gp = by_gp(), kmeans = "kmeans", random = "random")
print(cv_landmarks(pixels, digits$labels, 25, methods, test = test, space = "nonnegative"))

dir.create("demo-output", showWarnings = FALSE)
png("demo-output/%d.png", 1200, 1200, res = 150)
print(plot_images(fit, dim = c(28, 28), labels = TRUE, range = c(0, 1)))
plot(fit, type = "error")
plot(fit, pixels[-test, ], color = digits$labels[-test])
invisible(dev.off())
cat("\nPictures of the landmarks, their approximation error, and two principal components:",
  list.files("demo-output", full.names = TRUE), sep = "\n")
