# Rows of a source against points and landmarks: distances, equal rows, covariances, features, and sums of
# features that several algorithms share. `control` is what compute_with() returns.

# A landmark depends on others where these leave at most a small share of its diagonal entry in a Cholesky
# factorization. The limit is that of rounding, for each of two matrices:
#
#   kernel_floor   W, the Gaussian kernel of the landmarks with each other. Rows that become landmarks leave
#                  more, row_floor, so that none is at the limit
#   rank_floor     G, the inner products of the landmarks' features over some rows, in the factorizations that
#                  choose rows to start from
kernel_floor <- 2e-14
row_floor <- 5e-14
rank_floor <- 1e-12

# The explained trace of rows to start from is a residual of G divided by one of W. The condition number of G
# is the square of W's, so that G has no correct digits below this share of W.
trace_floor <- 1e-8

# A matrix of no landmarks, with the columns of the data.
source_no_points <- function(source) matrix(0, 0, source$dim[2], dimnames = list(NULL, source$names))

# The rows of a source as a matrix: dense ones in the data's units, sparse ones in those of the kernel.
matrix_of <- function(part) {
  if (!part$sparse) return(part$x)
  Matrix::sparseMatrix(j = part$column, p = part$start, x = part$value, dims = part$dim, index1 = FALSE)
}

# The squared distances between the rows of a source and some points: a row for each row, a column for each
# point.
squared_distances <- function(source, points, control) {
  .Call(C_features, source, points, NULL, c(list(values = "squared distances"), control))
}

# The landmark nearest to each row, by number, and its distance: list(landmark, distance).
nearest_landmark <- function(source, landmarks, control) .Call(C_nearest_landmark, source, landmarks, control)

# The k rows nearest to each point, nearest first: list(observation, distance), matrices with a column for
# each point. Fewer if there are fewer rows of weight above 0.
nearest_rows <- function(source, points, k, control) {
  k <- as.integer(min(k, source_rows(source)))
  .Call(C_nearest_rows, source, points, c(list(neighbors = k), control))
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

# Squared distances rounded to 30 binary digits, so that distances that differ by rounding alone are equal.
# The core compares distances in the same way.
nearest_digits <- function(squared) {
  size <- 2^(29 - floor(log2(ifelse(squared > 0 & is.finite(squared), squared, 1))))
  ifelse(is.finite(squared), floor(squared * size + 0.5) / size, squared)
}

# ---- equal rows ----------------------------------------------------------------------
# Rows that rounding alone makes differ are equal: the same numbers in another unit, or after a rotation.

# The largest squared distance that rounding may give between each point and a row that equals it.
rounding_of <- function(source, points) {
  size <- abs(points) + rep(abs(source$center), each = nrow(points))
  rowSums((4 * .Machine$double.eps * size * rep(source$factor, each = nrow(points)))^2)
}

# The squared distance of every row to the nearest of some points, exactly 0 if both are equal.
squared_from <- function(source, points, control) {
  near <- nearest_landmark(source, points, control)
  squared <- near$distance^2
  squared[squared <= rounding_of(source, points)[near$landmark]] <- 0
  squared
}

# The squared distances of all rows to some points, a column for each, exactly 0 likewise.
distances_to <- function(source, points, control) {
  to <- squared_distances(source, points, control)
  replace(to, to <= rep(rounding_of(source, points), each = nrow(to)), 0)
}

# `rows` without those that equal a held landmark, which would add nothing.
rows_apart <- function(source, rows, fixed) {
  if (nrow(fixed) == 0) rows else rows[squared_from(source, fixed, compute_with())[rows] > 0]
}

# The numbers of the rows of a source without those that equal an earlier row. Equal rows are next
# to each other in the order of their distances from one arbitrary point, so that few rows are compared.
different_rows <- function(source, control) {
  if (source$dim[1] < 2) return(seq_len(source$dim[1]))
  point <- reference_point(source, control)
  squared <- as.vector(squared_distances(source, point, control))
  order <- order(squared)
  sorted <- squared[order][-1]
  # What rounding of the rows, and of the distances, may change.
  rounding <- 4 * sqrt(rounding_of(source, point) * sorted) + 1e-10 * sorted
  near <- which(diff(squared[order]) <= rounding)
  is_new <- rep(TRUE, length(order))
  is_new[near + 1] <- !are_equal(source, order[near], order[near + 1])
  which(!duplicated(cumsum(is_new)[order(order)]))
}

# A point as far from a typical row as that row is from others, in a direction in which hardly any two rows
# are equally far from it, not even rows of a grid.
reference_point <- function(source, control) {
  some <- rows_of(source, evenly_spaced(seq_len(source$dim[1]), 25))
  at <- rows_as_points(some, seq_len(some$dim[1]))
  away <- apply(squared_distances(some, at, control), 2, stats::median)
  typical <- which.min(away)
  size <- if (any(away > 0)) sqrt(max(away[typical], min(away[away > 0])) / ncol(at)) else 1
  unit <- ifelse(source$factor > 0, 1 / source$factor, 0)
  at[typical, , drop = FALSE] + size * cos(seq_len(ncol(at))^2) * unit
}

# Whether rows `a` equal rows `b` of a source, one by one.
are_equal <- function(source, a, b) {
  if (source$sparse) {
    rows <- matrix_of(rows_of(source, a))
    apart <- abs(rows - matrix_of(rows_of(source, b)))
    return(Matrix::rowSums(apart > 4 * .Machine$double.eps * abs(rows)) == 0)
  }
  as.logical(unlist(lapply(point_blocks(length(a), source$dim[2]), function(some) {
    from <- rows_as_points(source, a[some])
    apart <- (from - rows_as_points(source, b[some])) * rep(source$factor, each = length(some))
    rowSums(apart^2) <= rounding_of(source, from)
  })))
}

# ---- covariances ---------------------------------------------------------------------
# The local covariances of n landmarks say how the data lie around each. R and the core have them in one form:
# NULL (kind "none"), an n x d matrix of variances ("diagonal"), or a d x d x n array of covariances ("full").
# They are in kernel coordinates, except in a fit, which has them in the data's units for the user.

covariance_kind <- function(covariance) {
  if (is.null(covariance)) "none" else if (length(dim(covariance)) == 3) "full" else "diagonal"
}

# The factors of the entries of covariances when columns are multiplied by `factor`.
squared_factor <- function(covariance, factor) {
  if (covariance_kind(covariance) == "diagonal") return(rep(factor^2, each = nrow(covariance)))
  as.vector(outer(factor, factor))
}

# Covariances in kernel coordinates as a fit keeps them, with the names of the columns.
in_data_units <- function(covariance, source) {
  if (is.null(covariance)) return(NULL)
  by <- squared_factor(covariance, source$factor)
  covariance <- covariance / ifelse(by > 0, by, Inf)
  names <- source$names
  if (is.null(names)) return(covariance)
  dimnames(covariance) <- if (is.matrix(covariance)) list(NULL, names) else list(names, names, NULL)
  covariance
}

# The covariance of each set of rows, where a column of `near` has the row numbers of a set.
covariances_of <- function(source, near, full, control) {
  .Call(C_covariances, source, near, c(list(spread = if (full) "full" else "diagonal"), control))
}

# The memory of full covariances, with copies for a change of units or for adding to the diagonal.
check_covariance_memory <- function(n, d, call) {
  check_memory(3 * as.double(n) * d^2, "Full covariances of {n} landmark{?s} in {d} column{?s} need",
    "Use {.code covariance = \"diagonal\"}.", "covariance", call
  )
}

# Whether `v` has the form of the covariances of n landmarks. A graph finds out whether each has an inverse.
are_fit_covariances <- function(v, n, d) {
  if (!is.numeric(v) || !all(is.finite(v))) return(FALSE)
  if (identical(dim(v), c(n, d))) return(all(v >= 0))
  identical(dim(v), c(d, d, n)) && all(abs(v - aperm(v, c(2, 1, 3))) <= 1e-8 * max(abs(v)))
}

# ---- features ------------------------------------------------------------------------

# The features of all rows, a matrix with a row for each row and a column for each landmark; or the "slopes"
# of the kernel, -kappa'(u), there.
features_over <- function(source, landmarks, kernel, control, values = "features") {
  .Call(C_features, source, landmarks, kernel, c(list(values = values), control))
}

# Linear predictors of all rows from their features and, if there is a trend, from their columns: rows x
# outputs. `weights` is a list of
#   landmarks  a matrix with a row for each landmark
#   trend      a matrix with a row for each column in the coordinates of the kernel, or NULL for no trend
#   intercept  a number for each output
#   center     for sparse rows, see trend_scores()
# `also`: a function(features, part) that returns further columns for some rows of the source, or NULL.
scores_over <- function(source, landmarks, weights, kernel, control, also = NULL) {
  in_row_blocks(source, nrow(landmarks), function(some) {
    features <- features_over(some, landmarks, kernel, control)
    scores <- features %*% weights$landmarks + rep(weights$intercept, each = nrow(features))
    if (!is.null(weights$trend)) scores <- scores + trend_scores(some, weights$trend, weights$center)
    if (is.null(also)) scores else cbind(scores, also(features, some))
  })
}

# The largest feature of each row: that of its nearest landmark.
largest_feature <- function(features) features[cbind(seq_len(nrow(features)), max.col(features, "first"))]

# The columns of a regression of some rows: an intercept, the features, and if there is a trend the columns
# in the coordinates of the kernel times `unit`. `center`: see trend_scores().
regression_columns <- function(features, part, unit, center = NULL) {
  f <- cbind(matrix(1, nrow(features), 1), features)
  if (is.null(unit)) f else cbind(f, trend_scores(part, diag(unit, length(unit)), center))
}

# What `f` returns for blocks of the rows of a source, bound by rows. A block has so few rows that `columns`
# numbers for each stay small, and that a triangular solve for each, which R computes without a look at
# interrupts, takes a few tenths of a second.
in_row_blocks <- function(source, columns, f) {
  rows <- source$dim[1]
  size <- max(100, min(1e7 %/% columns, 5e8 %/% columns^2))
  if (rows <= size) return(f(source))
  do.call(rbind, lapply(
    split(seq_len(rows), (seq_len(rows) - 1) %/% size), function(some) f(rows_of(source, some))
  ))
}

# b(x) = R'^-1 k(x) of all rows, a row for each, with `root` as of kernel_root(): b(x)'b(y) = k(x)'W^-1 k(y).
nystrom_features <- function(source, landmarks, root, kernel, control) {
  landmarks <- landmarks[root$pivot, , drop = FALSE]
  features_over(source, landmarks, kernel, c(control, list(root = root$factor)), "nystrom")
}

# The posterior variance of the process with the Gaussian kernel at all rows, 1 - k(x)'W^-1 k(x), where W is
# the kernel of the landmarks with each other.
kernel_variance <- function(source, landmarks, root, kernel, control) {
  pmin(pmax(1 - rowSums(nystrom_features(source, landmarks, root, kernel, control)^2), 0), 1)
}

# The pivoted Cholesky factor of W, list(factor, pivot), for the landmarks `pivot`; others depend on these.
# `at`: list(center, factor), the coordinates of the kernel. The first `fixed` landmarks come first.
kernel_root <- function(landmarks, at, kernel, control, fixed = 0L) {
  t <- coordinates_of_kernel(landmarks, at)
  storage.mode(t) <- "double"
  .Call(C_kernel_root, t, kernel, c(list(fixed = fixed, floor = kernel_floor), control))
}

# The pivots of landmarks in their order, 0 for those that depend on others before them.
kernel_pivots <- function(landmarks, at, kernel, control) {
  root <- kernel_root(landmarks, at, kernel, control, nrow(landmarks))
  pivots <- numeric(nrow(landmarks))
  pivots[root$pivot] <- diag(root$factor)^2
  pivots
}

# Dense rows in the coordinates of the kernel, those of `at`, list(center, factor).
coordinates_of_kernel <- function(x, at) {
  if (!any(at$center != 0) && all(at$factor == 1)) return(x)
  (x - rep(at$center, each = nrow(x))) * rep(at$factor, each = nrow(x))
}

# The trend's share of the scores. Rows are taken in blocks, which are copied. `center`: that of
# the trend in the coordinates of the kernel, which sparse rows do not have: they are never centered.
trend_scores <- function(part, slopes, center = NULL) {
  if (part$sparse) {
    return(as.matrix(matrix_of(part) %*% slopes) - rep(colSums(slopes * center), each = part$dim[1]))
  }
  out <- matrix(0, part$dim[1], ncol(slopes))
  for (some in point_blocks(part$dim[1], part$dim[2])) {
    out[some, ] <- coordinates_of_kernel(part$x[some, , drop = FALSE], part) %*% slopes
  }
  out
}

# ---- inner products of features ------------------------------------------------------

# One pass over rows i with weights v_i, a list of
#   sums      A = sum_i v_i b_i b_i', with b_i the Nystrom features of row i by the pivoted Cholesky factor
#   nearest   the row nearest to each landmark, and its `distance`
#   within    sum_i v_i times the squared distance to the nearest landmark
#   total     sum_i v_i
#   left      sum_i v_i (1 - b_i'b_i), what the landmarks leave
# With a `share` below 1, the sums are over thinned_rows() alone. `settings`: of greedy_order(), on which the
# factor depends.
nystrom_over <- function(source, landmarks, kernel, settings, share = 1) {
  if (share >= 1) return(.Call(C_nystrom, source, landmarks, kernel, settings))
  pass <- nystrom_over(rows_of(source, thinned_rows(source$dim[1], share)), landmarks, kernel, settings)
  near <- nearest_rows(source, landmarks, 1L, settings)
  pass$nearest <- as.vector(near$observation)
  pass$distance <- as.vector(near$distance)
  pass
}

# Joins the passes over some rows and over others. `nearest` counts all rows in both. If two rows are equally
# near, the row of `a` is taken.
join_passes <- function(a, b) {
  nearer <- nearest_digits(b$distance^2) < nearest_digits(a$distance^2)
  sums <- c("sums", "within", "total", "left")
  c(Map(`+`, a[sums], b[sums]), list(
    nearest = ifelse(nearer, b$nearest, a$nearest), distance = ifelse(nearer, b$distance, a$distance)
  ))
}

# A pass over some of the rows, or with other weights, scaled to a sum of weights `total`.
scaled_pass <- function(pass, total) {
  sums <- c("sums", "within", "left", "total")
  pass[sums] <- lapply(pass[sums], `*`, total / pass$total)
  pass
}

# ---- the same over data in chunks ------------------------------------------------------

# The sums of nystrom_over() over all chunks, in which the number of the nearest row counts all rows. `at`:
# the coordinates of the kernel, list(center, factor). `share`: of the rows from which the sums are computed.
# Scaled up to weights of mean 1 over all rows.
nystrom_of_chunks <- function(plan, landmarks, at, kernel, settings, call, share = 1) {
  # What daemons need, and no more.
  settings <- settings[c("fixed", "floor", "criterion")]
  at <- at[c("center", "factor")]
  kernel <- kernel[c("profile", "bandwidth")]
  all <- NULL
  before <- 0
  take <- function(value, k) {
    if (!is.null(value$pass)) {
      value$pass$nearest <- value$pass$nearest + before
      all <<- if (is.null(all)) value$pass else join_passes(all, value$pass)
    }
    before <<- before + value$rows
  }
  over_chunks(plan$chunks, measure_chunk, plan_work(plan), landmarks, at, kernel, settings, share,
    call = call, own = plan$own, form = plan$form, take = take
  )
  if (is.null(all)) abort_weightless("x", call)
  all$nearest <- as_row_numbers(all$nearest)
  c(scaled_pass(all, before), rows = before)
}

measure_chunk <- function(rows, item, work, landmarks, at, kernel, settings, share) {
  input <- rows_of_chunk(rows, item, work)
  # The user's function may return other values than before.
  check_finite(input$x, "x", NULL)
  check_reach(input$x, at$center, at$factor, "x", NULL)
  part <- lay_out(input$x, input$w, at$center, at$factor)
  if (source_rows(part) == 0) return(list(rows = nrow(rows)))
  list(rows = nrow(rows), pass = nystrom_over(part, landmarks, kernel, c(settings, compute_with()), share))
}

# ---- the variance that landmarks leave -----------------------------------------------

# The variance of the Gaussian process at each row of the source `at`, given its values at the landmarks. The
# kernel of the process is a sum over the rows of `source`. The rows of `at` are taken in blocks.
variance_left <- function(source, landmarks, at, kernel, control) {
  as.double(unlist(lapply(point_blocks(at$dim[1], at$dim[2]), function(some) {
    p <- posterior_over(source, NULL, landmarks, rows_as_points(at, some), kernel, control)
    pmax(p$prior - rowSums(p$explained), 0)
  })))
}

# The variance of the Gaussian process at some points, where its kernel is a sum over some `rows` of the
# source, or all (NULL): list(prior, explained). `prior` is the variance without landmarks. The matrix
# `explained`, points x landmarks, is by how much each landmark reduces it, given the landmarks before it.
# `at`: the points as a matrix, or as row numbers of the source.
posterior_over <- function(source, rows, landmarks, at, kernel, control) {
  sums <- .Call(C_posterior_sums, source, rows, landmarks, at, kernel, control)
  .Call(C_posterior, sums, c(list(rows = if (is.null(rows)) source$dim[1] else length(rows)), control))
}
