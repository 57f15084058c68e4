# Makes man/figures/readme.png, the picture of README.md: a Swiss roll with its landmarks, the roll unrolled,
# and predictions with intervals. Needs the package and MASS.
#
#   Rscript data-raw/readme-picture.R
#
# from the top of the package.
library(landmarker)
library(ggplot2)

set.seed(1)
roll <- sim_swiss_roll(6000)
fit <- landmarks(roll, 200)
embedding <- embed_landmarks(fit, layout = "isomap")
along <- attr(roll, "position")[, "length"]
# The roll seen from the side, a little turned.
from_the_side <- function(x) cbind(x[, 1] + 0.25 * x[, 2], x[, 3] + 0.12 * x[, 2])

points_and_landmarks <- function(points, landmarks, title) {
  colnames(points) <- colnames(landmarks) <- c("x", "y")
  ggplot(as.data.frame(points), aes(x, y)) +
    geom_point(aes(color = along), size = 0.3, show.legend = FALSE) +
    geom_point(data = as.data.frame(landmarks), shape = 21, fill = "black", color = "white", size = 1.6) +
    scale_color_gradientn(colors = c("#0072B2", "#56B4E9", "#F0E442", "#D55E00")) +
    coord_equal() +
    labs(title = title, x = NULL, y = NULL) +
    theme_landmarks(base_size = 12) +
    theme(axis.text = element_blank(), axis.ticks = element_blank(), axis.line = element_blank())
}

set.seed(5)
homes <- subset(MASS::Boston, select = -black)
test <- sample(506, 106)
model <- landmarks(medv ~ ., homes[-test, ], 30, by_response(), scale = TRUE)
new <- data.frame(predict(model, homes[test, ], interval = "prediction", level = 0.9))
new$price <- homes$medv[test]
predictions <- ggplot(new[order(new$fit), ], aes(seq_along(fit))) +
  geom_linerange(aes(ymin = lwr, ymax = upr), color = "#56B4E9", linewidth = 1) +
  geom_point(aes(y = price), size = 1.2) +
  labs(title = "New rows, 90% intervals", x = "106 new rows, by prediction", y = "response") +
  theme_landmarks(base_size = 12)

png(file.path("man", "figures", "readme.png"), 1200, 340, res = 100, type = "cairo")
grid::pushViewport(grid::viewport(layout = grid::grid.layout(1, 3, widths = c(1, 1.5, 1.1))))
pictures <- list(
  points_and_landmarks(from_the_side(roll), from_the_side(coef(fit)), "6,000 points, 200 landmarks"),
  points_and_landmarks(predict(embedding, roll), coef(embedding), "Unrolled"),
  predictions
)
for (i in 1:3) print(pictures[[i]], vp = grid::viewport(layout.pos.row = 1, layout.pos.col = i))
invisible(dev.off())
# A palette of 32 colors: the picture is installed with the help pages.
system2("pngquant", c("--speed=1", "--nofs", "32", "--force", "--ext", ".png", "man/figures/readme.png"))
