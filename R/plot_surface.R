# The picture of a surface over the plane of two columns: the variance that landmarks leave in the process
# with the Gaussian kernel, or the mean of that process given its values at the landmarks.

# How much wider than the data the surface is, on each side, as a share of their range.
surface_margin <- 0.15

check_surface <- function(fit, values, color, call = rlang::caller_env()) {
  if (!is.null(color)) {
    abort_input(c(
      "{.arg color} is not for {.code type = \"surface\"}, whose colors are those of the surface.",
      x = "It is {describe(color)}.",
      i = "Leave it out, or draw {.code type = \"landmarks\"}."
    ), arg = "color", call = call)
  }
  if (ncol(fit$landmarks) != 2) {
    abort_input(c(
      "A surface ({.code type = \"surface\"}) needs landmarks in two columns.",
      x = "These have {ncol(fit$landmarks)}.",
      i = if (is.null(values)) {
        "{.code predict(fit, newdata, type = \"variance\")} has the variance at any place."
      } else {
        "{.code predict(fit, newdata, values = values)} has the mean at any place."
      }
    ), arg = "type", kind = "columns", call = call)
  }
  n <- nrow(fit$landmarks)
  if (!is.null(values) && (NROW(values) != n || NCOL(values) != 1)) {
    each <- if (n == 1) "one number" else "one number for each of the {n} landmarks"
    abort_input(c(
      paste0("{.arg values} must be ", each, "."),
      x = "It is {describe(values)}.",
      i = if (NCOL(values) > 1 && NROW(values) == n) "Draw one column at a time."
    ), arg = "values", call = call)
  }
  check_known_values(values, if (is.null(values)) "variance" else "mean", n, call)
}

# A picture of rows and landmarks above the surface. `known`: a column of values at the landmarks, or NULL.
# `title`: that of the key, or NULL.
above_surface <- function(picture, fit, known, title, how, resolution = 150) {
  # Colors are of the surface: rows and landmarks have one each.
  picture$layers[[1]]$ringed <- TRUE
  picture$layers[[2]]["by"] <- list(list(kind = "none"))
  sides <- diff(picture$box)[c(1, 3)] * surface_margin
  sides[sides == 0] <- max(sides, 1)
  box <- picture$box + c(-1, 1, -1, 1) * rep(sides, each = 2)
  kernel <- fit_kernel(fit)
  of <- function(at) {
    if (!is.null(fit$ranks)) at <- scores_of_ranks(at, fit$ranks)
    new <- lay_out(at, NULL, fit$center, fit$factor)
    if (is.null(known)) {
      variance_of_kernel(fit, new, kernel, how)
    } else {
      mean_of_kernel(fit, known, new, kernel, how)[, 1]
    }
  }
  # Of a mean the scale is that of its values in the picture, and 0, which it is far from all landmarks.
  range <- if (is.null(known)) {
    c(0, 1)
  } else {
    range(of(cell_centers(point_grid(box, resolution, picture$equal))), known, 0)
  }
  color <- list(kind = "numbers", values = 0, range = scale_range(range), shown = identity)
  picture$layers <- c(list(layer_surface(of, color, box, resolution)), picture$layers)
  picture$box <- box
  what <- if (is.null(known)) "variance" else "mean"
  picture$scale <- list(color = color, title = title %||% what)
  given <- if (is.null(known)) "Variance given" else "Mean given values at"
  picture$title <- paste(given, how_many(nrow(fit$landmarks), "landmark"))
  picture
}
