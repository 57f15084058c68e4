# The kernel between rows and landmarks, which predict() does not give by default.
features <- function(fit, x) predict(fit, x, "features")
