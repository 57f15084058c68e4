# What the rows of the data say of landmarks: whether they are on the data, whether there is a gap in the data
# between two of them, and the graph that rows make of them. All compare distances with the `spacing` of a
# fit, a typical distance between rows.

# ---- landmarks on the data -----------------------------------------------------------

# A typical distance between rows, in kernel coordinates: of each of `size` rows the distance to the fifth
# nearest other row is taken, and the result is their 95% quantile. Rows that are equal count as one row.
# Otherwise data with many equal rows would have a spacing of 0.
#
# `source`: the data, or a sample of 5,000 rows if there are more. Neighbors are nearer in larger data, and
# with all rows fewer landmarks would be on the data the more rows there are. Rows are evenly spaced in the
# data rather than random, so that later random draws do not depend on them.
row_spacing <- function(source, kernel, control, size = 300) {
  # At least a twentieth of the kernel's length, because the kernel hardly tells nearer points apart.
  least <- 0.05 * sqrt(kernel$bandwidth)
  at <- evenly_spaced(seq_len(source$dim[1]), size)
  different <- different_rows(source, control)
  different <- if (length(different) < source$dim[1]) rows_of(source, different) else source
  if (source_rows(different) == 0) return(least)
  # The first nearest row is the row itself, so that the sixth is wanted.
  near <- lapply(point_blocks(length(at), source$dim[2]), function(some) {
    row_distance(rows_as_points(source, at[some]), 6L, different, control)
  })
  max(weighted_quantile(unlist(near), weights_at(source, at), 0.95), least)
}

# A warning if most landmarks are off the data. `criterion`: the criterion by which they were moved, or
# NULL.
warn_off_data <- function(fit, call, criterion = fit$method$criterion) {
  n <- nrow(fit$landmarks)
  on <- sum(fit$on_data)
  # Points of one's own may lie where they like, unless all are elsewhere.
  own <- inherits(fit$method, "as_landmarks")
  if (2 * on >= n || (own && on > 0)) return(invisible())
  narrower <- if (!is.null(criterion)) ", or a {.arg bandwidth} below {signif(fit$bandwidth, 4)}"
  first <- if (identical(criterion, "volume")) "{.code by_gp(criterion = \"trace\")}" else "more landmarks"
  warn_user(c(
    if (on) "Only {on} of {n} landmarks {cli::qty(on)}{?is/are} on the data.",
    if (on == 0) "{cli::qty(n)}{?The landmark is not/None of the landmarks is} on the data.",
    x = paste(
      if (on) "The others are" else if (n == 1) "It is" else "Each is",
      "farther from the nearest row than neighboring rows are from each other."
    ),
    i = if (own) {
      "Give points in the units of {.arg x}, with the same columns in the same order."
    } else {
      paste0("Try ", first, narrower, "; {.fn by_dpp} and {.fn by_active} select rows.")
    }
  ), kind = "off_data", call = call)
}

# ---- gaps between neighboring landmarks ----------------------------------------------
# There is a gap between two landmarks where the line from one to the other leads through a region without
# data, such as from one sheet of a roll to the next. An edge of a graph across it would be a shortcut.

# The rule: there is a gap where the third nearest row of the point in the middle is farther away than
# `spacing`, and farther than `empty` times the distance from the middle to either landmark. For data without
# noise the first nearest row would be enough, but a single row between two sheets would hide the gap.
# Measured on noisy rolls (1,000 to 20,000 points, noise 0 to .8, sheets 6.3 apart): of 246 graphs whose
# embedding stays folded, the rule with the third nearest row found 190, with the first 119, with the fifth
# 230. Of 63 graphs without an edge across a gap, it was wrong for 1 with the third, and for 32 with the
# fifth. `row`: which nearest row; `rows`: how many rows of the data are used.
gap_limits <- list(empty = 0.5, row = 3L, rows = 5000)

# The largest number of neighbors that a graph of n landmarks has by default. Theory says that a number in
# proportion to log n connects a random sample of a manifold of any dimension.
most_neighbors <- function(n) min(max(3L, as.integer(round(log(n)))), n - 1L)

# For how many nearest landmarks of each landmark gaps are searched: three times as many as a graph joins it
# to by default.
gap_neighbors <- function(n) min(3L * most_neighbors(n), n - 1L)

# The pairs of landmarks with a gap between them: an integer matrix of the columns `low` and `high`, a row for
# each pair. `sampled`: the data, or a sample of them.
find_gaps <- function(points, sampled, spacing, control) {
  pairs <- neighbor_pairs(unname(coordinates_of_kernel(points, sampled)), control)
  gap <- are_gaps(points, pairs$low, pairs$high, pairs$size, sampled, spacing, control)
  cbind(low = pairs$low[gap], high = pairs$high[gap])
}

# The pairs of each landmark with its gap_neighbors(n) nearest ones, each pair once: list(low, high, size),
# where `size` is the distance. `at`: the landmarks in kernel coordinates, n x d.
neighbor_pairs <- function(at, control) {
  n <- nrow(at)
  k <- gap_neighbors(n) + 1L
  near <- nearest_rows(as_source(at), at, k, control)
  found <- as.vector(near$observation)
  own <- rep(seq_len(n), each = k)
  low <- pmin(found, own)
  high <- pmax(found, own)
  some <- which(low < high & !duplicated((high - 1) * n + low))
  list(low = low[some], high = high[some], size = near$distance[some])
}

# Whether there is a gap between the landmarks of each pair. If half their distance is at most the spacing,
# the rule cannot find a gap, and no row is searched.
are_gaps <- function(points, low, high, size, sampled, spacing, control) {
  out <- logical(length(low))
  k <- min(gap_limits$row, source_rows(sampled))
  long <- if (k > 0) which(size / 2 > spacing)
  for (some in point_blocks(length(long), ncol(points))) {
    e <- long[some]
    middle <- (points[low[e], , drop = FALSE] + points[high[e], , drop = FALSE]) / 2
    away <- row_distance(middle, k, sampled, control)
    out[e] <- away > pmax(spacing, gap_limits$empty * size[e] / 2)
  }
  out
}

# The distance of each point from the row that is number `row` among those nearest to it; of fewer rows, from
# the farthest.
row_distance <- function(points, row, sampled, control) {
  near <- nearest_rows(sampled, unname(points), row, control)$distance
  near[nrow(near), ]
}

# ---- the graph that rows make of landmarks -------------------------------------------
# Landmarks are joined where rows lie between them (?"graph-through-data"). A fit keeps this graph, and
# landmark_graph() makes it an object.

# The rules for edges that rows of noise make between two sheets: an edge with fewer `witnesses`, as a share
# of those of either end, is suspect, as is one across a gap in the data. A suspect edge is cut where the way
# along the other edges is at least `detour` times as long. On rolls of 5,000 points (noise .3 with 50
# landmarks, .6 with 50, 100 and 200; six each; sheets 6.3 apart) the mean rank correlation of the first
# coordinate with the length is 1.00, .98, .54, .98. With a share of .1 it is 1.00, 1.00, .62, .98, but a ring
# of uneven density opens. A share of .2 opens rings, and is worse for 100 landmarks.
false_edges <- list(witnesses = 0.05, detour = 3)

# How many landmarks of n a row has weights on by default: three, and at least one further landmark must be
# left. With two, edges are the same, but coordinates are less smooth.
default_joined <- function(n) min(3L, n - 1L)

# The graph of landmarks by their `s` nearest of each row, list(nearest, different, low, high, weight,
# witnesses, own, cut, reach, median): s; how many rows are different; the edges, each once, with their
# weights; how many rows, by their weights, have the ends of an edge as their two nearest landmarks; the
# weight of each landmark with itself; which edges are cut; and the largest and the median distance of a row
# from the landmark nearest to it. An edge that is cut has no weight: its weight stays with its ends. The
# largest of all weights is 1. `points`: the landmarks, n x d; `sampled`: the data, or joined_rows(n) of them.
join_landmarks <- function(points, sampled, s, spacing, control) {
  points <- unname(points)
  n <- nrow(points)
  settings <- c(list(nearest = as.integer(s)), control)
  found <- .Call(C_anchor_weights, sampled, points, settings)
  v <- weights_at(sampled, seq_len(sampled$dim[1]))
  counted <- v > 0 | all(v == 0)
  different <- intersect(different_rows(sampled, control), which(counted))
  sums <- sums_of_rows(found, v, n)
  # A landmark without rows is joined as rows in its place would be, as many as a landmark has on average:
  # with fewer the first coordinates would tell only this landmark from all others.
  empty <- which(Matrix::diag(sums$joined) == 0)
  if (length(empty)) {
    places <- new_source(points[empty, , drop = FALSE], sampled$center, sampled$factor)
    own <- .Call(C_anchor_weights, places, points, settings)
    sums$joined <- sums$joined + sums_of_rows(own, rep(sum(v) / n, length(empty)), n)$joined
  }
  edges <- Matrix::summary(Matrix::triu(sums$joined, 1))
  edges <- edges[edges$x > 0, ]
  low <- edges$i
  high <- edges$j
  witnesses <- sums$witnesses[cbind(low, high)]
  of_landmark <- Matrix::rowSums(sums$witnesses) + Matrix::colSums(sums$witnesses)
  weak <- witnesses < false_edges$witnesses * pmin(of_landmark[low], of_landmark[high])
  at <- coordinates_of_kernel(points, sampled)
  size <- sqrt(rowSums((at[low, , drop = FALSE] - at[high, , drop = FALSE])^2))
  # Of many columns fewer rows: gaps hardly occur there, and the search would take most of the time.
  rows <- max(1000, min(gap_limits$rows, 1e9 %/% (length(low) * ncol(points))))
  gap <- are_gaps(points, low, high, size, sample_evenly(sampled, rows), spacing, control)
  cut <- is_shortcut(low, high, size, gap | weak, n, false_edges$detour, control)
  bare <- are_bare(lapply(found, function(f) f[, different, drop = FALSE]), low, high)
  cut <- cut | leads_apart(points, low, high, gap | weak | bare, gap, bare, witnesses, sampled, control)
  nearest_to_none <- setdiff(seq_len(n), found$landmark[1, counted])
  cut <- cut | joins_without_rows(low, high, size, cut, nearest_to_none, n, control)
  lost <- function(end) tapply(edges$x[cut], factor(end[cut], seq_len(n)), sum, default = 0)
  own <- Matrix::diag(sums$joined) + as.vector(lost(low) + lost(high))
  of_rows <- Matrix::rowSums(sums$joined)
  own[of_rows < few_rows * mean(of_rows) & seq_len(n) %in% c(low[!cut], high[!cut])] <- 0
  largest <- max(own, edges$x[!cut], 0)
  nearest <- found$squared[1, counted]
  list(
    nearest = as.integer(s), different = length(different), low = low, high = high,
    weight = ifelse(cut, 0, edges$x / largest), witnesses = witnesses, own = own / largest, cut = cut,
    reach = sqrt(max(nearest)), median = sqrt(stats::median(nearest))
  )
}

# A landmark with less weight of rows than this share of the mean has no weight with itself. An outlier, whose
# only row lies in its place, would have little weight with others: one of the first coordinates would tell it
# from all others, 30 standard deviations away. So its coordinates follow from those of its neighbors. (1,000
# normal rows of 50 columns, 80 landmarks: in 10 of 10.)
few_rows <- 0.25

# list(joined, witnesses), sparse n x n matrices: sum_i v_i w_il w_im; and above the diagonal, how many rows
# have l and m as their two nearest landmarks. `found`: list(landmark, weight), a column for each row.
sums_of_rows <- function(found, v, n) {
  near <- found$landmark
  w <- Matrix::sparseMatrix(col(near), near, x = as.vector(found$weight), dims = c(length(v), n))
  low <- pmin(near[1, ], near[2, ])
  high <- pmax(near[1, ], near[2, ])
  list(
    joined = Matrix::crossprod(w, Matrix::Diagonal(x = v) %*% w),
    witnesses = Matrix::sparseMatrix(low, high, x = v, dims = c(n, n))
  )
}

# Whether edges are shortcuts: edges that are `suspect`, where the shortest way along other edges is at least
# `round` times as long. An edge that alone connects two parts is none, nor is one of length 0.
is_shortcut <- function(low, high, size, suspect, n, round, control) {
  # The core compares each edge with ways along edges before it. Suspect edges come last: otherwise such ways
  # would go along them.
  ordered <- order(suspect, size)
  ordered <- ordered[size[ordered] > 0]
  edges <- list(low = as.integer(low), high = as.integer(high), length = size, suspect = suspect)
  out <- logical(length(low))
  settings <- c(list(vertices = n, round = round), control)
  out[ordered] <- .Call(C_shortcuts, lapply(edges, `[`, ordered), settings)
  out
}

# Whether there are rows enough to lie between n landmarks. With three rows for each, spirals and
# the two kinds of eruptions of a geyser fall apart in pieces; with six, nothing did that is connected.
has_rows_between <- function(rows, n) n >= 3 && rows >= 5 * n

# The same of a graph that was made, by how many of its rows are different: of integers in a few columns each
# value may have its landmark. A few rows are equal in many tables.
has_different_rows <- function(joined, n) joined$different >= 4 * n

# From how many rows join_landmarks() makes the graph of n landmarks at the most.
joined_rows <- function(n) max(5000, 50 * n)

# The graph that a fit keeps, or NULL: there is none if rows are few, nor of landmarks that have moved to
# predict a response, which need not be near the data. `sampled`: gap_limits$rows of the data.
joined_of_fit <- function(points, source, spacing, response, control, sampled) {
  n <- nrow(points)
  if (!has_rows_between(source_rows(source), n) || !is.null(response)) return(NULL)
  # Landmarks in one place are no graph.
  if (anyDuplicated(coordinates_of_kernel(points, source))) return(NULL)
  # A sample of that many rows is there already.
  if (joined_rows(n) != gap_limits$rows) sampled <- sample_evenly(source, joined_rows(n))
  found <- join_landmarks(points, sampled, default_joined(n), spacing, control)
  if (has_different_rows(found, n)) found
}

# The graph of the same landmarks in another order.
joined_in_order <- function(joined, at) {
  if (is.null(joined)) return(NULL)
  place <- order(at)
  low <- pmin(place[joined$low], place[joined$high])
  high <- pmax(place[joined$low], place[joined$high])
  order <- order(high, low)
  of_edges <- c("weight", "witnesses", "cut")
  joined[c("low", "high", of_edges)] <- lapply(c(list(low, high), joined[of_edges]), `[`, order)
  joined$own <- joined$own[at]
  joined
}

# ---- parts of the data that are apart -------------------------------------------------

# Each row has as many nearest landmarks as any other, however far they are: so it may join parts that are
# apart.
#
# Two parts of the data are apart where suspect edges alone join them, and each of these that leads across a
# gap is either bare or has its middle in the open.
#
# An edge is bare where its witnesses are all near its ends: for none is the nearer end more than `ratio`
# times as far as the other, though rows between the ends would make one with probability 1 - `chance`.
#
# A middle is in the open where its third nearest row is farther from it than the nearest `rows` rows of
# either end are from that end. So an empty middle is no accident: on a curve of even density it has
# probability 1e-6. An edge with witnesses counts only between parts of at least so many `landmarks`, because
# straight lines between the landmarks of a curve leave it where landmarks are few.
#
# Two circles of 20 landmarks each, half a radius apart, are apart for six seeds of six; noisy rolls, rings
# and spirals stay whole.
apart_limits <- list(ratio = 1 / 3, chance = 1e-6, landmarks = 5L, rows = 20L)

# Whether edges join two parts of the data that are apart.
leads_apart <- function(points, low, high, suspect, gap, bare, witnesses, sampled, control) {
  out <- logical(length(low))
  part <- components_of(list(low = low[!suspect], high = high[!suspect]), nrow(points), control)
  between <- which(part[low] != part[high])
  # An edge whose middle is near rows, such as a long one past a circle, says nothing.
  tried <- between[(gap | bare)[between]]
  if (length(tried) == 0) return(out)
  from <- points[low[tried], , drop = FALSE]
  to <- points[high[tried], , drop = FALSE]
  middle <- row_distance((from + to) / 2, gap_limits$row, sampled, control)
  end <- function(points) row_distance(points, apart_limits$rows, sampled, control)
  open <- middle > pmax(end(from), end(to))
  large <- (tabulate(part) >= apart_limits$landmarks)[part]
  counts <- witnesses[tried] == 0 | (large[low] & large[high])[tried]
  leads <- bare[tried] | (open & counts)
  pair <- pmin(part[low], part[high]) + nrow(points) * pmax(part[low], part[high])
  out[between] <- pair[between] %in% setdiff(pair[tried], pair[tried[!leads]])
  out
}

# Whether edges join two parts of the data through an `empty` landmark, which is the nearest one of no row,
# such as one between two circles. It belongs to the part of the nearest landmark that it is joined to, and
# its edges stay within that part.
joins_without_rows <- function(low, high, size, cut, empty, n, control) {
  is_empty <- seq_len(n) %in% empty
  rows <- !cut & !is_empty[low] & !is_empty[high]
  part <- components_of(list(low = low[rows], high = high[rows]), n, control)
  ends <- which(!cut & is_empty[low] != is_empty[high])
  ends <- ends[order(size[ends])]
  own <- ifelse(is_empty[low[ends]], low[ends], high[ends])
  first <- !duplicated(own)
  part[own[first]] <- part[(low[ends] + high[ends] - own)[first]]
  known <- !is_empty | seq_len(n) %in% own
  !cut & (is_empty[low] | is_empty[high]) & known[low] & known[high] & part[low] != part[high]
}

# Whether edges are bare. `found`: list(landmark, squared), a column for each row.
are_bare <- function(found, low, high) {
  n <- max(high, 0)
  number <- function(l, m) pmin(l, m) + (pmax(l, m) - 1) * n
  # The distance of each row from its nearest landmark, divided by that from the next one. A row at the place
  # of a landmark may be there because the landmark is that row.
  ratio <- sqrt(found$squared[1, ] / found$squared[2, ])
  some <- which(ratio > 1e-6)
  ratio <- ratio[some]
  of_row <- number(found$landmark[1, some], found$landmark[2, some])
  ordered <- order(of_row, ratio)
  last <- ordered[!duplicated(of_row[ordered], fromLast = TRUE)]
  at <- match(number(low, high), of_row[last])
  most <- ratio[last][at]
  count <- tabulate(match(of_row, of_row[last]), length(last))[at]
  !is.na(at) & most < apart_limits$ratio & count * log(most) < log(apart_limits$chance)
}

# The number of each landmark's component, from 1.
components_of <- function(edges, n, control) .Call(C_components, edges, c(list(vertices = n), control))
