# A map of photographs and landmarks: a dot for each photograph, and the person's number on each group of dots.

# Where the numbers stand: above the photographs of one person that are near to each other on the map.
label_places <- function(at, person, apart) {
  do.call(rbind, lapply(unique(person), function(p) {
    own <- at[person == p, , drop = FALSE]
    group <- if (nrow(own) > 1) stats::cutree(stats::hclust(stats::dist(own), "single"), h = apart) else 1
    top <- do.call(rbind, lapply(split(seq_len(nrow(own)), group), function(rows) {
      c(mean(own[rows, 1]), max(own[rows, 2]))
    }))
    data.frame(person = p, x = top[, 1], y = top[, 2])
  }))
}

draw_map <- function(set) {
  shades <- c("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#555555")
  color <- function(person) shades[1 + person %% 7]
  par(mar = c(0.5, 0.5, 0.5, 0.5))
  plot(rbind(set$map$data, set$map$landmarks), type = "n", asp = 1, axes = FALSE, xlab = "", ylab = "")
  box(col = "gray80")
  points(set$map$data, pch = 16, cex = 0.6, col = color(set$person))
  at <- label_places(set$map$data, set$person, 0.08 * diff(range(set$map$data[, 2])))
  text(at$x, at$y, labels = at$person, pos = 3, offset = 0.25, col = color(at$person), cex = 0.65)
  points(set$map$landmarks, pch = 21, bg = "black", col = "white", cex = 2)
  text(set$map$landmarks, labels = seq_len(nrow(set$map$landmarks)), col = "white", cex = 0.6, font = 2)
}

# Each landmark and the five photographs nearest to it, at a quarter of their pixels: six in a row, two such
# groups beside each other. `photographs`: all of them, one in a row.
draw_nearest <- function(of, photographs, dim) {
  side <- 2 * dim[1]
  small <- function(v) {
    fours <- array(v, c(2, side / 2, 2, side / 2))
    as.vector(apply(fours, c(2, 4), mean))
  }
  shown <- do.call(rbind, lapply(seq_along(of$drawn), function(i) {
    near <- of$near[of$near$landmark == of$drawn[i], ]
    rbind(of$images[i, ], t(apply(photographs[near$observation[order(near$rank)], ], 1, small)))
  }))
  labels <- as.vector(rbind(of$drawn, matrix("", 5, length(of$drawn))))
  plot_images(shown, dim, columns = 12, labels = labels, col = grDevices::gray(0:255 / 255), range = c(0, 255))
}
