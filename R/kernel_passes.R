# Computations on all rows of a source that several algorithms share. `how` is what compute_with() returns.

# ---- settings ------------------------------------------------------------------------

# Settings for steps of the core that use all rows of a source. If the rows are in memory, the core reads them
# by itself. Else it calls two functions, which return sums over all parts: gram(landmarks) is the matrix G of
# inner products of their features, and sums(landmarks, inverse) is H'X, where the inverse is that of G. Both
# are for landmarks that all move (see src/core/data/sweep.h).
all_rows <- function(source, kernel, how) {
  if (in_memory(source)) return(list(over = "all"))
  kernel <- kernel_of_parts(kernel)
  step <- function(part, landmarks, inverse) .Call(C_sums, part, landmarks, inverse, kernel, how)
  list(
    over = "parts",
    gram = function(landmarks) gram_over(source, landmarks, kernel, how),
    sums = function(landmarks, inverse) over_parts(source, step, landmarks, inverse, combine = `+`)
  )
}

# A matrix of no landmarks, with the columns of the data.
source_no_points <- function(source) matrix(0, 0, source$dim[2], dimnames = list(NULL, source$names))

# ---- features and distances ----------------------------------------------------------

# The features of all rows, a matrix with a row for each row and a column for each landmark.
features_over <- function(source, landmarks, kernel, how) {
  step <- function(part, landmarks, kernel, settings) .Call(C_features, part, landmarks, kernel, settings)
  settings <- c(list(values = "features"), how)
  found <- over_parts(source, step, landmarks, kernel_of_parts(kernel), settings, combine = collect)
  if (is.list(found)) do.call(rbind, found) else found
}

# Linear predictors of all rows from their features and, where there is a trend, from their columns: rows x
# outputs. `weights`: list(landmarks, trend, intercept), matrices with a row for each landmark and for each
# column in the coordinates of the kernel, or NULL for no trend; and a number for each output. For sparse rows
# also the `center` of the trend, see trend_scores(). With `also`, a
# function(features, part) that returns further columns for some rows of a part, these follow.
scores_over <- function(source, landmarks, weights, kernel, how, also = NULL) {
  step <- function(part, landmarks, weights, kernel, how, also) {
    in_row_blocks(part, nrow(landmarks), function(some) {
      features <- .Call(C_features, some, landmarks, kernel, c(list(values = "features"), how))
      scores <- features %*% weights$landmarks + rep(weights$intercept, each = nrow(features))
      if (!is.null(weights$trend)) scores <- scores + trend_scores(some, weights$trend, weights$center)
      if (is.null(also)) scores else cbind(scores, also(features, some))
    })
  }
  found <- over_parts(
    source, step, landmarks, weights, kernel_of_parts(kernel), how, also, combine = collect
  )
  if (is.list(found)) do.call(rbind, found) else found
}

# The largest feature of each row: that of its nearest landmark.
largest_feature <- function(features) features[cbind(seq_len(nrow(features)), max.col(features, "first"))]

# The columns of a regression of some rows: an intercept, the features, and where there is a trend the columns
# in the coordinates of the kernel times `unit`. `center`: see trend_scores().
regression_columns <- function(features, part, unit, center = NULL) {
  f <- cbind(matrix(1, nrow(features), 1), features)
  if (is.null(unit)) f else cbind(f, trend_scores(part, diag(unit, length(unit)), center))
}

# What `f` returns for blocks of the rows of a part, bound by rows. A block has so few rows that `columns`
# numbers for each stay small, and that a triangular solve for each, which R computes without a look at
# interrupts, takes a few tenths of a second.
in_row_blocks <- function(part, columns, f) {
  rows <- part$dim[1]
  size <- max(100, min(1e7 %/% columns, 5e8 %/% columns^2))
  if (rows <= size) return(f(part))
  do.call(rbind, lapply(
    split(seq_len(rows), (seq_len(rows) - 1) %/% size), function(some) f(rows_of(part, some))
  ))
}

# The posterior variance of the process with the Gaussian kernel at rows with some features k(x):
# 1 - k(x)'W^-1 k(x), where W is the kernel of the landmarks with each other. `root` is kernel_root().
kernel_variance <- function(features, root) {
  pmin(pmax(1 - colSums(nystrom_features(features, root)^2), 0), 1)
}

# b(x) = R'^-1 k(x), a column for each row, with R the Cholesky factor of W: b(x)'b(y) = k(x)'W^-1 k(y).
nystrom_features <- function(features, root) {
  backsolve(root$factor, t(features[, root$pivot, drop = FALSE]), transpose = TRUE)
}

# The pivoted Cholesky factor of W, list(factor, pivot): that of the landmarks `pivot`, on which the others
# depend. `at`: list(center, factor), the coordinates of the kernel. The first `held` landmarks come first.
kernel_root <- function(landmarks, at, kernel, how, held = 0L) {
  t <- coordinates_of_kernel(landmarks, at)
  storage.mode(t) <- "double"
  .Call(C_kernel_root, t, kernel_of_parts(kernel), c(list(held = held, floor = kernel_floor), how))
}

# The pivots of landmarks in their order, 0 for those that depend on others before them.
kernel_pivots <- function(landmarks, at, kernel, how) {
  root <- kernel_root(landmarks, at, kernel, how, nrow(landmarks))
  pivots <- numeric(nrow(landmarks))
  pivots[root$pivot] <- diag(root$factor)^2
  pivots
}

# Dense rows in the coordinates of the kernel, those of `at`, list(center, factor).
coordinates_of_kernel <- function(x, at) {
  if (!any(at$center != 0) && all(at$factor == 1)) return(x)
  (x - rep(at$center, each = nrow(x))) * rep(at$factor, each = nrow(x))
}

# The pairs of landmarks that are at most `limit` apart in the coordinates of `at`, a matrix with a row for
# each. None of more than 500 landmarks, whose distances would take long.
pairs_within <- function(landmarks, at, limit) {
  if (nrow(landmarks) > 500) return(matrix(0L, 0, 2))
  apart <- as.matrix(stats::dist(coordinates_of_kernel(landmarks, at)))
  which(apart <= limit & upper.tri(apart), arr.ind = TRUE)
}

# The trend's share of the scores of one part. Rows are taken in blocks, which are copied. `center`: that of
# the trend in the coordinates of the kernel, which sparse rows do not have: they are never centered.
trend_scores <- function(part, slopes, center = NULL) {
  if (part$sparse) {
    rows <- Matrix::sparseMatrix(
      j = part$column, p = part$start, x = part$value, dims = part$dim, index1 = FALSE
    )
    return(as.matrix(rows %*% slopes) - rep(colSums(slopes * center), each = part$dim[1]))
  }
  out <- matrix(0, part$dim[1], ncol(slopes))
  for (some in point_blocks(part$dim[1], part$dim[2])) {
    out[some, ] <- coordinates_of_kernel(part$x[some, , drop = FALSE], part) %*% slopes
  }
  out
}

# From how many rows join_landmarks() makes the graph of n landmarks at the most.
joined_rows <- function(n) max(5000, 50 * n)

# How many numbers it needs: copies of these rows, and the matrices of their nearest landmarks. `each`: see
# stored_columns().
joined_needs <- function(n, rows, each) min(rows, joined_rows(n)) * (each + 40)

# The squared distances between the rows of one part and some points: a row for each row, a column for each
# point.
squared_distances <- function(part, points, how) {
  .Call(C_features, part, points, NULL, c(list(values = "squared distances"), how))
}

# The landmark nearest to each row, by number, and its distance: list(landmark, distance).
nearest_landmark <- function(source, landmarks, how) {
  step <- function(part, landmarks, how) .Call(C_nearest_landmark, part, landmarks, how)
  found <- over_parts(source, step, landmarks, how, combine = function(a, b) Map(collect, a, b))
  lapply(found, function(v) if (is.list(v)) unlist(v, use.names = FALSE) else v)
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
    # order() sorts the distances within each column, and keeps the order of equal ones: rows of `a`, which
    # have lower numbers, come first.
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

# The k nearest other rows of each row: list(row, distance), matrices with a column for each row. `points`:
# the rows of the source as points. Of the k + 1 nearest rows the row itself is left out. If more than k other
# rows equal it, it may not be among them, and the last one is left out.
nearest_others <- function(source, points, k, call) {
  near <- .Call(C_nearest_rows, source, points, c(list(neighbors = as.integer(k + 1)), compute_with(call)))
  extra <- near$observation == col(near$observation)
  extra[k + 1, colSums(extra) == 0] <- TRUE
  list(row = matrix(near$observation[!extra], k), distance = matrix(near$distance[!extra], k))
}

# The memory of nearest_rows() and nearest_others(): `values` numbers for each neighbor of each point.
check_neighbors_memory <- function(n, k, values, arg, call) {
  check_work(values * as.double(n) * k, "The {k} rows nearest to each of {n} points need",
    "Use a smaller {.arg {arg}}.", arg, call
  )
}

# Squared distances rounded to 30 binary digits, so that distances that differ by rounding alone are equal.
# The core compares distances in the same way.
nearest_digits <- function(squared) {
  size <- 2^(29 - floor(log2(ifelse(squared > 0 & is.finite(squared), squared, 1))))
  ifelse(is.finite(squared), floor(squared * size + 0.5) / size, squared)
}

# ---- inner products of features ------------------------------------------------------

# G = Phi'D Phi, where Phi has the features of the landmarks at the rows and the diagonal matrix D the
# weights.
gram_over <- function(source, landmarks, kernel, how) {
  step <- function(part, landmarks, kernel, how) .Call(C_gram, part, landmarks, kernel, how)
  over_parts(source, step, landmarks, kernel_of_parts(kernel), how, combine = `+`)
}

# list(sums, nearest, distance, within, total): A = sum_i v_i b_i b_i', with b_i the Nystrom features of row
# i by the pivoted Cholesky factor of the landmarks' kernel; the row nearest to each landmark, with its
# distance; the sum over the rows of the squared distance to the nearest landmark, times the weight; and the
# sum of the weights. With a `share` below 1, the three sums are those of thinned_rows() alone. `settings`: of
# greedy_order(), on which the factor depends.
nystrom_over <- function(source, landmarks, kernel, settings, share = 1) {
  step <- function(part, landmarks, kernel, settings, share) {
    some <- part
    if (share < 1) some <- rows_of(part, thinned_rows(part$first, part$dim[1], share))
    pass <- .Call(C_nystrom, some, landmarks, kernel, settings)
    if (share < 1) {
      near <- .Call(C_nearest_rows, part, landmarks, c(list(neighbors = 1L), settings))
      pass$nearest <- as.vector(near$observation)
      pass$distance <- as.vector(near$distance)
    }
    pass$nearest <- pass$nearest + part$first
    pass
  }
  join <- function(a, b) {
    nearer <- nearest_digits(b$distance^2) < nearest_digits(a$distance^2)
    list(
      sums = a$sums + b$sums, nearest = ifelse(nearer, b$nearest, a$nearest),
      distance = ifelse(nearer, b$distance, a$distance), within = a$within + b$within,
      total = a$total + b$total, left = a$left + b$left
    )
  }
  over_parts(source, step, landmarks, kernel_of_parts(kernel), settings, share, combine = join)
}

# ---- the variance that landmarks leave -----------------------------------------------

# The variance of the Gaussian process at each row of the source `at`: list(prior, left), without landmarks
# and with them. The kernel of the process is a sum over the rows of `source`, which are read in a pass over
# its parts. The rows of `at` are taken in blocks, and a pass serves as many blocks as need at most `most`
# bytes for their points and sums.
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

# The memory of variance_left(): the matrices of one block, and the sums of all blocks of a pass twice, for
# the part that is read and for those before it.
check_variance_memory <- function(rows, columns, n, call) {
  block <- min(rows, lengths(point_blocks(min(rows, 1024), columns))[1])
  sums <- as.double(n) * (n + block) + block * columns
  at_once <- min(ceiling(rows / block) * sums, max(sums, 2.5e8 / 8))
  check_work(3 * as.double(n)^2 + 2 * as.double(block) * n + 2 * at_once + 4 * as.double(rows),
    "The variances that {n} landmarks leave need",
    "Use fewer landmarks, for example {.code fit[1:{n %/% 2}]}.", "object", call
  )
}

# The variance of the Gaussian process at some points, where its kernel is a sum over the rows of a batch (see
# batch_of()): list(prior, explained). `prior` is the variance without landmarks, and the matrix `explained`,
# points x landmarks, has what each landmark takes from it beside those before it. `at`: the points as a
# matrix, or as row numbers of the batch's source.
posterior_of_batch <- function(batch, landmarks, at, kernel, how) {
  sums <- posterior_sums(batch$source, batch$rows, landmarks, at, kernel, how)
  .Call(C_posterior, sums, c(list(rows = length(batch$rows)), how))
}

# The inner products of features from which these variances are computed, over the given `rows` of a part, or
# all (NULL). Those of several parts are added up.
posterior_sums <- function(part, rows, landmarks, at, kernel, how) {
  .Call(C_posterior_sums, part, rows, landmarks, at, kernel, how)
}
