# Landmarks in a picture of a plane: dots, or discs with numbers inside.

# With more landmarks than these, they have no numbers by default.
most_numbered <- 100

# With more landmarks than these, whether discs have room is not computed: they have none on paper of any
# size, and all their distances would need much memory.
most_discs <- 5000

# The numbers of landmarks at the places `at`: the names of its rows, where not all landmarks are there.
mark_numbers <- function(at) rownames(at) %||% as.character(seq_len(nrow(at)))

# A layer of landmarks. The panel has no size before it is drawn: they are discs where these have room in a
# panel of 3.5 inches, else dots.
marks_layer <- function(layer, title, equal) {
  at <- layer$at
  n <- nrow(at)
  aes <- ggplot2::aes
  .data <- rlang::.data
  marks <- data.frame(a = at[, 1], b = at[, 2], label = mark_numbers(at))
  reach <- c(diff(range(at[, 1])), diff(range(at[, 2])))
  if (equal) reach[] <- max(reach)
  reach[reach == 0] <- 1
  room <- function() n == 1 || min(stats::dist(at * rep(3.5 / reach, each = n))) > 0.18
  discs <- layer$labels && n <= most_discs && room()
  size <- 2 * (layer$size %||% if (discs) 2.4 else if (n <= 100) 1.1 else 0.9)
  stroke <- 0.5 * min(1, size / 2)
  colors <- value_colors(layer$by, layer$plain)
  points <- if (layer$by$kind == "none") {
    list(ggplot2::geom_point(
      data = marks, shape = 21, color = "white", fill = colors, size = size, stroke = stroke
    ))
  } else {
    # Colored by a scale, so that there is a legend.
    marks$value <- layer$by$values
    list(
      ggplot2::geom_point(aes(fill = .data$value), marks,
        shape = 21, color = "white", size = size, stroke = stroke
      ),
      value_scale("fill", layer$by, group_colors, title)
    )
  }
  c(
    points, if (layer$labels) list(numbers_layer(marks, discs, ink_on(colors))),
    list(names_layer(layer$named))
  )
}
