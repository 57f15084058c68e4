# Passes over all rows that several algorithms share: features, G, nearest rows, variances.

# Settings of the core's steps on all rows of a source. The core reads a single part by itself. For several
# parts it asks R for the sums over all of them: G of landmarks (`gram`), and H'X of landmarks and an inverse
# (`sums`; see src/core/data/sweep.h).
all_rows <- function(source, kernel, how) {
  if (in_memory(source)) return(list(over = "all"))
  kernel <- kernel_of_parts(kernel)
  step <- function(part, landmarks, inverse) .Call(C_sums, part, landmarks, inverse, kernel, how)
  list(
    over = "parts",
    gram = function(landmarks) gram_over(source, landmarks, kernel, how)$gram,
    sums = function(landmarks, inverse) over_parts(source, step, landmarks, inverse, combine = `+`)
  )
}

source_no_points <- function(source) matrix(0, 0, source$dim[2], dimnames = list(NULL, source$names))

# V_n at rows of a source, given landmarks: list(prior, left). Each part of the data is read once for as many
# blocks of these rows as have sums and points of at most `most` bytes together.
variance_left <- function(source, landmarks, at, kernel, how, most = 2.5e8) {
  n <- at$dim[1]
  prior <- left <- numeric(n)
  kernel <- kernel_of_parts(kernel)
  step <- function(part, points) {
    lapply(points, function(some) posterior_sums(part, NULL, landmarks, some, kernel, how))
  }
  blocks <- point_blocks(n, at$dim[2])
  largest <- length(unlist(blocks[1]))
  bytes <- 8 * (nrow(landmarks) * (nrow(landmarks) + largest) + largest * at$dim[2])
  for (some in split(blocks, (seq_along(blocks) - 1) %/% max(most %/% bytes, 1))) {
    points <- lapply(some, function(block) rows_as_points(at, block))
    sums <- over_parts(source, step, points, combine = function(a, b) Map(add, a, b))
    for (b in seq_along(some)) {
      p <- .Call(C_posterior, sums[[b]], c(list(rows = source$dim[1]), how))
      prior[some[[b]]] <- p$prior
      left[some[[b]]] <- pmax(p$prior - rowSums(p$explained), 0)
    }
  }
  list(prior = prior, left = left)
}

# list(prior, explained): the variance of the process at points, a matrix or row numbers, by the kernel of a
# batch of rows. `prior` is
# the variance without landmarks, and `explained` the part that each landmark in order explains, points x n.
posterior_of_batch <- function(batch, landmarks, at, kernel, how) {
  sums <- posterior_sums(batch$source, batch$rows, landmarks, at, kernel, how)
  .Call(C_posterior, sums, c(list(rows = length(batch$rows)), how))
}

# The inner products for these variances, over some rows of a part, or all (NULL).
posterior_sums <- function(part, rows, landmarks, at, kernel, how) {
  .Call(C_posterior_sums, part, rows, landmarks, at, kernel, how)
}

# The k nearest other rows, a column for each row. Among equal rows
# a row may be missing in its own list: then the last of the list is dropped.
nearest_others <- function(source, points, k, call) {
  near <- .Call(C_nearest_rows, source, points, c(list(neighbors = as.integer(k + 1)), compute_with(call)))
  extra <- near$observation == col(near$observation)
  extra[k + 1, colSums(extra) == 0] <- TRUE
  list(row = matrix(near$observation[!extra], k), distance = matrix(near$distance[!extra], k))
}

# variance_left(): the matrices of a block of points, and the sums of the blocks that are added up together,
# beside those of the blocks before.
check_variance_memory <- function(rows, columns, n, call) {
  block <- min(rows, lengths(point_blocks(min(rows, 1024), columns))[1])
  sums <- as.double(n) * (n + block) + block * columns
  at_once <- min(ceiling(rows / block) * sums, max(sums, 2.5e8 / 8))
  check_work(3 * as.double(n)^2 + 2 * as.double(block) * n + 2 * at_once + 4 * as.double(rows),
    "The variances that {n} landmarks leave need",
    "Use fewer landmarks, for example {.code fit[1:{n %/% 2}]}.", "object", call
  )
}

# The `k` rows nearest to each of `n` points, with `values` numbers for each.
check_neighbors_memory <- function(n, k, values, arg, call) {
  check_work(values * as.double(n) * k, "The {k} rows nearest to each of {n} points need",
    "Use a smaller {.arg {arg}}.", arg, call
  )
}

# Phi'D Phi of some landmarks, and each one's nearest row: list(gram, nearest, distance). `some`: row numbers,
# from which Phi'D Phi is computed; NULL for all rows.
gram_over <- function(source, landmarks, kernel, how, some = NULL) {
  step <- function(part, landmarks, kernel, how, some) {
    pass <- .Call(C_gram, part, landmarks, kernel, how)
    if (!is.null(some)) {
      own <- own_rows(some, part$first, part$dim[1])
      pass$gram <- .Call(C_gram, rows_of(part, own), landmarks, kernel, how)$gram
    }
    pass$nearest <- pass$nearest + part$first
    pass
  }
  join <- function(a, b) {
    nearer <- nearest_digits(b$distance^2) < nearest_digits(a$distance^2)
    list(
      gram = a$gram + b$gram, nearest = ifelse(nearer, b$nearest, a$nearest),
      distance = ifelse(nearer, b$distance, a$distance)
    )
  }
  over_parts(source, step, landmarks, kernel_of_parts(kernel), how, some, combine = join)
}

# The k rows nearest to each point, nearest first: list(observation, distance), matrices with a column for
# each point.
nearest_rows <- function(source, points, k, how) {
  step <- function(part, points, k, how) {
    k <- min(k, source_rows(part))
    if (k == 0) return(list(observation = matrix(0L, 0, nrow(points)), distance = matrix(0, 0, nrow(points))))
    near <- .Call(C_nearest_rows, part, points, c(list(neighbors = as.integer(k)), how))
    near$observation <- near$observation + part$first
    near
  }
  join <- function(a, b) {
    observation <- rbind(a$observation, b$observation)
    distance <- rbind(a$distance, b$distance)
    # The earlier part comes first, so that ties go to the lower row. Columns keep their order, and so do rows
    # in them.
    column <- as.vector(col(distance))
    sorted <- order(column, nearest_digits(distance^2))
    kept <- sorted[seq_len(nrow(distance)) <= k]
    list(
      observation = matrix(observation[kept], ncol = ncol(observation)),
      distance = matrix(distance[kept], ncol = ncol(distance))
    )
  }
  over_parts(source, step, points, k, how, combine = join)
}

# The features of all rows, a matrix with a row for each.
features_over <- function(source, landmarks, kernel, how) {
  step <- function(part, landmarks, kernel, settings) .Call(C_features, part, landmarks, kernel, settings)
  settings <- c(list(values = "features"), how)
  found <- over_parts(source, step, landmarks, kernel_of_parts(kernel), settings, combine = collect)
  if (is.list(found)) do.call(rbind, found) else found
}

# The squared distances between the rows of one part and some points: a row for each row, a column for each
# point.
squared_distances <- function(part, points, how) {
  .Call(C_features, part, points, NULL, c(list(values = "squared distances"), how))
}

# The landmark nearest to each row: list(landmark, distance).
nearest_landmark <- function(source, landmarks, how) {
  step <- function(part, landmarks, how) .Call(C_nearest_landmark, part, landmarks, how)
  found <- over_parts(source, step, landmarks, how, combine = function(a, b) Map(collect, a, b))
  lapply(found, function(v) if (is.list(v)) unlist(v, use.names = FALSE) else v)
}

# Squared distances that agree in 30 bits tie, as in the core.
nearest_digits <- function(squared) {
  size <- 2^(29 - floor(log2(ifelse(squared > 0 & is.finite(squared), squared, 1))))
  ifelse(is.finite(squared), floor(squared * size + 0.5) / size, squared)
}
