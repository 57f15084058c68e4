# A first look at landmarker: `make demo`, or `Rscript tools/demo.R` from the top
# of the repository where the package is installed. Pictures go to demo-output/.

# A bar in a script too, and from its start on.
options(landmarker.progress = TRUE, cli.progress_show_after = 0)
library(landmarker)

say <- function(...) cat(sprintf(...), sep = "\n")

# 210 images of each class to learn from, 90 to test on.
pixels <- digits$images / 255
labels <- digits$labels
train <- sort(unlist(lapply(split(seq_along(labels), labels), head, 210)))
n <- 25

say(
  "Handwritten digits: %d images to learn from, %d held out.\n", length(train), nrow(pixels) - length(train)
)
set.seed(1)
seconds <- system.time(
  fit <- landmarks(pixels[train, ], n, space = "nonnegative")
)[["elapsed"]]
print(fit)
say("\nLearned in %.2f seconds.\n", seconds)

# Share of held-out digits that multinomial logistic regression on the features
# gets right: the same classifier for all landmarks.
accuracy <- function(fit) {
  features <- predict(fit, pixels)
  center <- colMeans(features[train, ])
  spread <- apply(features[train, ], 2, sd)
  features <- as.data.frame(scale(features, center, spread))
  set.seed(1)
  model <- nnet::multinom(labels[train] ~ ., features[train, ], decay = 0.01, maxit = 300, trace = FALSE)
  mean(predict(model, features[-train, ]) == labels[-train])
}

seeds <- 1:10
options(landmarker.progress = FALSE)
learned <- accuracy(fit)
random <- vapply(seeds, function(seed) {
  set.seed(seed)
  accuracy(landmarks(pixels[train, ], n, method = "random", space = "nonnegative"))
}, 0)

say("Held-out digits classified right, by multinomial logistic regression on %d features:", n)
say("  learned landmarks  %.1f %%", 100 * learned)
say("  random rows        %.1f %% on average of %d draws (%.1f to %.1f)",
  100 * mean(random), length(seeds), 100 * min(random), 100 * max(random)
)
say("  (by chance 10 %%; the standard error of each is about %.1f)\n",
  100 * sqrt(learned * (1 - learned) / (nrow(pixels) - length(train)))
)

folder <- "demo-output"
dir.create(folder, showWarnings = FALSE)
picture <- function(name, what, draw, width = 1200, height = 1200) {
  file <- file.path(folder, name)
  png(file, width, height, res = 150)
  on.exit(dev.off())
  draw()
  say("  %-26s %s", file, what)
}
say("Pictures in %s:", normalizePath(folder))
picture("landmarks.png", "the landmarks as images", function() {
  print(plot_images(fit, dim = c(28, 28), labels = TRUE, range = c(0, 1)))
})
picture("variance.png", "how fast the variance falls", function() plot(fit, type = "variance"))
picture("plane.png", "digits and landmarks in two principal components", function() {
  plot(fit, pixels[train, ], color = labels[train])
}, width = 1350)
