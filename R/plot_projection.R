# Projection on two columns, or on the first two principal components of the data.

# Data and landmarks in two dimensions, the names of the axes, and whether a unit
# is as long on both.
in_plane <- function(fit, data, type, perplexity = NULL, call = rlang::caller_env()) {
  if (!is.null(data)) check_reach(data, fit$center, fit$factor, "data", call)
  if (type == "map") return(c(to_map(fit, data, perplexity, call), equal = TRUE))
  c(to_plane(fit, data), equal = !fit$scaled && ncol(fit$landmarks) > 1)
}

# Without data the components are those of the landmarks.
to_plane <- function(fit, data) {
  points <- fit$landmarks
  # One or two columns are drawn in the data's units; components are those of normal scores.
  if (!is.null(fit$ranks) && ncol(points) <= 2) {
    points <- landmarks_in_units(fit)
    if (!is.null(data)) data <- values_of_ranks(data, fit$ranks)
  }
  names <- colnames(points) %||% colnames(data) %||% paste0("x", seq_len(ncol(points)))
  turn <- as.matrix
  if (ncol(points) == 1) {
    turn <- function(z) cbind(as.matrix(z), rep(0, nrow(z)))
    names <- c(names, "")
  } else if (ncol(points) > 2) {
    axes <- principal_axes(data %||% points, fit$factor)
    turn <- function(z) {
      as.matrix(z %*% (fit$factor * axes$axes)) - rep(colSums(axes$mean * axes$axes), each = nrow(z))
    }
    of_variance <- paste0(" (", vapply(axes$share, format_share, ""), " of variance)")
    names <- paste0("PC", 1:2, ifelse(is.na(axes$share), "", of_variance))
  }
  data <- data %||% points[0, , drop = FALSE]
  list(data = turn(data), landmarks = turn(points), names = names)
}

# The first two principal axes, in scaled units, and their shares of the variance of the rows (NA where there
# is none). The data are never centered, so that sparse ones stay sparse. A block of up to 8 directions is
# multiplied by the covariance matrix until the first two stay; with at most 8 columns it spans them all, and
# the axes are exact. The largest entry of each axis is positive.
principal_axes <- function(data, factor) {
  n <- nrow(data)
  d <- ncol(data)
  if (!methods::is(data, "sparseMatrix")) storage.mode(data) <- "double"
  mean <- Matrix::colMeans(data) * factor
  centered <- function(v) as.matrix(data %*% (factor * v)) - rep(colSums(mean * v), each = n)
  transposed <- function(u) factor * as.matrix(Matrix::crossprod(data, u)) - outer(mean, colSums(u))
  total <- sum(factor^2 * Matrix::colSums(data^2)) - n * sum(mean^2)
  width <- min(d, 8)
  block <- qr.Q(qr(outer(seq_len(d), seq_len(width), function(i, j) cos(i * j * 0.7548777 + j))))
  before <- matrix(0, d, 2)
  for (iteration in 1:100) {
    sides <- svd(centered(block), nu = 0, nv = width)
    turned <- block %*% sides$v
    moved <- max(abs(abs(colSums(turned[, 1:2] * before)) - 1))
    before <- turned[, 1:2]
    if (moved < 1e-10 || width == d || sides$d[1] == 0) break
    block <- qr.Q(qr(transposed(centered(turned))))
  }
  axes <- apply(before, 2, function(v) v * sign(v[which.max(abs(v))]))
  variance <- c(sides$d, 0)[1:2]^2
  # What is left of equal rows is rounding.
  floor <- 1e-14 * n * sum(mean^2)
  axes[, variance <= floor] <- 0
  share <- if (total > floor) pmin(variance / total, 1) else c(NA_real_, NA_real_)
  list(axes = axes, mean = mean, share = share)
}

# ---- the map of data and landmarks by t-SNE ------------------------------------------

# Rtsne is given the neighbors, which the core finds exactly: as many as t-SNE uses, three times
# the perplexity. They are the same for any number of threads.
to_map <- function(fit, data, perplexity, call) {
  need_package("Rtsne", "{.code type = \"map\"}", call)
  points <- rbind(as.matrix(data), fit$landmarks)
  n <- nrow(points)
  # With fewer points a point would have less than two neighbors.
  few <- nrow(fit$landmarks)
  rule <- "have at least {7 - few} row{?s} for a map with {few} landmark{?s}"
  check_that(n >= 7, data, "data", rule, "data", call, found = "It has {nrow(x)}.")
  most <- floor((n - 1) / 3)
  perplexity <- check_number(perplexity %||% min(30, most), "perplexity", 2, most, closed = TRUE, call = call)
  check_reach(points, fit$center, fit$factor, "data", call)
  source <- lay_out(points, NULL, fit$center, fit$factor)
  near <- nearest_others(source, points, floor(3 * perplexity), call)
  # Rtsne's search for each row's bandwidth starts from 1 in any unit, so distances are rescaled.
  unit <- stats::median(near$distance)
  map <- Rtsne::Rtsne_neighbors(
    t(near$row), t(near$distance) / (if (unit > 0) unit else 1),
    perplexity = perplexity, verbose = FALSE, num_threads = 1
  )$Y
  of_data <- seq_len(nrow(data))
  list(
    data = map[of_data, , drop = FALSE], landmarks = map[-of_data, , drop = FALSE],
    names = c("t-SNE 1", "t-SNE 2")
  )
}
