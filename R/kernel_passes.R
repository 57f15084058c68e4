# Features of all rows of a source, and sums of them, which several algorithms share. `how` is what
# compute_with() returns.

# ---- features and distances ----------------------------------------------------------

# The features of all rows, a matrix with a row for each row and a column for each landmark.
features_over <- function(source, landmarks, kernel, how) {
  .Call(C_features, source, landmarks, kernel, c(list(values = "features"), how))
}

# Linear predictors of all rows from their features and, where there is a trend, from their columns: rows x
# outputs. `weights`: list(landmarks, trend, intercept), matrices with a row for each landmark and for each
# column in the coordinates of the kernel, or NULL for no trend; and a number for each output. For sparse rows
# also the `center` of the trend, see trend_scores(). With `also`, a
# function(features, part) that returns further columns for some rows of the source, these follow.
scores_over <- function(source, landmarks, weights, kernel, how, also = NULL) {
  in_row_blocks(source, nrow(landmarks), function(some) {
    features <- features_over(some, landmarks, kernel, how)
    scores <- features %*% weights$landmarks + rep(weights$intercept, each = nrow(features))
    if (!is.null(weights$trend)) scores <- scores + trend_scores(some, weights$trend, weights$center)
    if (is.null(also)) scores else cbind(scores, also(features, some))
  })
}

# The largest feature of each row: that of its nearest landmark.
largest_feature <- function(features) features[cbind(seq_len(nrow(features)), max.col(features, "first"))]

# The columns of a regression of some rows: an intercept, the features, and where there is a trend the columns
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
  .Call(C_kernel_root, t, kernel, c(list(held = held, floor = kernel_floor), how))
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

# list(sums, nearest, distance, within, total, left): A = sum_i v_i b_i b_i', with b_i the Nystrom features of
# row i by the pivoted Cholesky factor of the landmarks' kernel; the row nearest to each landmark, with its
# distance; over the rows the weighted sum of the squared distance to the nearest landmark, of 1, and of what
# the landmarks leave. With a `share` below 1, the sums are those of thinned_rows() alone. `settings`: of
# greedy_order(), on which the factor depends.
nystrom_over <- function(source, landmarks, kernel, settings, share = 1) {
  if (share >= 1) return(.Call(C_nystrom, source, landmarks, kernel, settings))
  pass <- nystrom_over(rows_of(source, thinned_rows(source$dim[1], share)), landmarks, kernel, settings)
  near <- nearest_rows(source, landmarks, 1L, settings)
  pass$nearest <- as.vector(near$observation)
  pass$distance <- as.vector(near$distance)
  pass
}

# The passes over some rows and over others as the pass over all of them. `nearest` are row numbers of all,
# and of rows that are equally near that of `a` is taken.
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
# the coordinates of the kernel, list(center, factor). `marks`: of the pass before, or NULL. `share`:
# of the rows from which the sums are computed. Scaled up to weights of mean 1 over all rows.
nystrom_of_chunks <- function(plan, landmarks, at, kernel, settings, call, marks = NULL, share = 1) {
  settings <- settings[c("held", "floor", "criterion")]
  at <- at[c("center", "factor")]
  all <- NULL
  before <- 0
  kernel <- kernel["bandwidth"]
  over_chunks(plan$chunks, measure_chunk, plan_work(plan), landmarks, at, kernel, settings, share,
    call = call, own = plan$own, form = plan$form, marks = marks, take = function(value, k) {
      if (!is.null(value$pass)) {
        value$pass$nearest <- value$pass$nearest + before
        all <<- if (is.null(all)) value$pass else join_passes(all, value$pass)
      }
      before <<- before + value$rows
    }
  )
  if (is.null(all)) abort_weightless(before, "x", call)
  all$nearest <- as_row_numbers(all$nearest)
  c(scaled_pass(all, before), rows = before)
}

measure_chunk <- function(rows, item, work, landmarks, at, kernel, settings, share) {
  given <- rows_of_chunk(rows, item, work)
  # The user's function may return other values than before.
  check_new_values(given$x, at$center, at$factor, "x", NULL)
  part <- lay_out(given$x, given$w, at$center, at$factor)
  if (source_rows(part) == 0) return(list(rows = nrow(rows)))
  list(rows = nrow(rows), pass = nystrom_over(part, landmarks, kernel, c(settings, compute_with()), share))
}

# ---- the variance that landmarks leave -----------------------------------------------

# The variance of the Gaussian process at each row of the source `at`, given its values at the landmarks. The
# kernel of the process is a sum over the rows of `source`. The rows of `at` are taken in blocks.
variance_left <- function(source, landmarks, at, kernel, how) {
  as.double(unlist(lapply(point_blocks(at$dim[1], at$dim[2]), function(some) {
    p <- posterior_over(source, NULL, landmarks, rows_as_points(at, some), kernel, how)
    pmax(p$prior - rowSums(p$explained), 0)
  })))
}

# The variance of the Gaussian process at some points, where its kernel is a sum over some `rows` of the
# source, or all (NULL): list(prior, explained). `prior` is the variance without landmarks, and the matrix
# `explained`, points x landmarks, has what each landmark takes from it beside those before it. `at`: the
# points as a matrix, or as row numbers of the source.
posterior_over <- function(source, rows, landmarks, at, kernel, how) {
  sums <- .Call(C_posterior_sums, source, rows, landmarks, at, kernel, how)
  .Call(C_posterior, sums, c(list(rows = if (is.null(rows)) source$dim[1] else length(rows)), how))
}
