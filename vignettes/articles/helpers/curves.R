# Circles and spiral: landmarks by several methods, and their distances from the curves.

fit_each <- function(methods, x, n, bandwidth) {
  lapply(methods, function(method) {
    set.seed(1)
    landmarks(x, n, method, bandwidth = bandwidth)
  })
}

plot_each <- function(fits, x) {
  for (name in names(fits)) print(ggplot2::autoplot(fits[[name]], x) + ggplot2::ggtitle(name))
}

# Landmarks off the curve, and the largest distance from an observation to its nearest landmark. Each argument is a
# list: the data, fits of all methods with a narrow bandwidth, and with a wide one.
places_table <- function(...) {
  off_curve <- function(fits) sapply(fits, function(fit) sum(fit$nearest_distance > 0.2))
  farthest <- function(fits, x) {
    sapply(fits, function(fit) sprintf("%.2f", max(predict(fit, x, type = "nearest")$distance)))
  }
  rows <- lapply(list(...), function(of) {
    data.frame(
      method = names(of[[2]]), off_narrow = off_curve(of[[2]]), off_wide = off_curve(of[[3]]),
      farthest_narrow = farthest(of[[2]], of[[1]]), farthest_wide = farthest(of[[3]], of[[1]])
    )
  })
  knitr::kable(
    data.frame(data = rep(names(rows), sapply(rows, nrow)), do.call(rbind, rows)),
    col.names = c("", "method", "off, narrow", "off, default", "farthest, narrow", "farthest, default"),
    align = "llrrrr", row.names = FALSE,
    caption = "Landmarks off the curve, and largest distance from a row to its nearest landmark"
  )
}
