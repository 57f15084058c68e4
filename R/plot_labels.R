# Texts in pictures: long labels, and the names of groups.

# Labels of more than `most` letters, dots in the place of their middle: the columns of one factor begin
# alike, and differ at their ends.
cut_middle <- function(text, most) {
  long <- which(nchar(text) > most)
  last <- (most - 2) %/% 2
  text[long] <- paste0(
    substr(text[long], 1, most - 2 - last), "..", substring(text[long], nchar(text[long]) - last + 1)
  )
  text
}

# A place on each group: the row nearest to its median. Groups without rows have none.
group_centers <- function(at, groups) {
  rows <- split(seq_len(nrow(at)), groups)
  rows <- rows[lengths(rows) > 0]
  middle <- vapply(rows, function(i) {
    to <- c(stats::median(at[i, 1]), stats::median(at[i, 2]))
    i[which.min((at[i, 1] - to[1])^2 + (at[i, 2] - to[2])^2)]
  }, 1L)
  data.frame(
    x = at[middle, 1], y = at[middle, 2], group = factor(names(rows), levels(groups)), size = lengths(rows),
    row.names = NULL
  )
}

name_fill <- function(colors) mixed(colors, "white", 0.7)
name_ink <- function(colors) mixed(colors, "black", 0.5)

# The names of groups, as names_on_groups() describes them, or NULL. `repel`: whether package ggrepel moves
# labels that would cover others.
names_layer <- function(named, repel = has_package("ggrepel")) {
  if (NROW(named$at) == 0) return(NULL)
  centers <- group_centers(named$at, named$groups)
  if (nrow(centers) == 0) return(NULL)
  .data <- rlang::.data
  colors <- named$colors[centers$group]
  given <- list(
    ggplot2::aes(.data$x, .data$y, label = .data$group), centers,
    inherit.aes = FALSE, fill = grDevices::adjustcolor(name_fill(colors), 0.85), color = name_ink(colors),
    fontface = "bold", size = 2.6, label.size = 0.2
  )
  if (repel) {
    do.call(ggrepel::geom_label_repel, c(given, label.padding = 0.12, repel_limits))
  } else {
    do.call(ggplot2::geom_label, c(given, list(label.padding = ggplot2::unit(0.12, "lines"))))
  }
}

# The same picture each time, whatever the machine's speed.
repel_limits <- list(seed = 1, max.time = Inf, max.iter = 500, max.overlaps = Inf)

# Numbers of landmarks: on discs, or beside dots, of which those that would cover others are left out.
numbers_layer <- function(marks, discs, ink, repel = has_package("ggrepel")) {
  .data <- rlang::.data
  given <- list(
    ggplot2::aes(label = .data$label), marks, color = if (discs) ink else "black",
    size = if (discs) 2.2 else 2.5, fontface = "bold"
  )
  if (!discs && repel) {
    return(do.call(ggrepel::geom_text_repel, c(given, bg.color = "white", repel_limits)))
  }
  do.call(ggplot2::geom_text, c(given, vjust = if (discs) 0.5 else -0.7, check_overlap = TRUE))
}
