# Whether the data of two sets of landmarks are apart, though rows have landmarks of both among their nearest:
# each row has as many nearest landmarks as any other, however far they are.

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
leads_apart <- function(points, low, high, suspect, gap, bare, witnesses, sampled, how) {
  out <- logical(length(low))
  part <- components_of(list(low = low[!suspect], high = high[!suspect]), nrow(points), how)
  between <- which(part[low] != part[high])
  # An edge whose middle is near rows, such as a long one past a circle, says nothing.
  tried <- between[(gap | bare)[between]]
  if (length(tried) == 0) return(out)
  from <- points[low[tried], , drop = FALSE]
  to <- points[high[tried], , drop = FALSE]
  middle <- row_distance((from + to) / 2, gap_limits$row, sampled, how)
  end <- function(points) row_distance(points, apart_limits$rows, sampled, how)
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
joins_without_rows <- function(low, high, size, cut, empty, n, how) {
  if (length(empty) == 0) return(logical(length(low)))
  is_empty <- seq_len(n) %in% empty
  rows <- !cut & !is_empty[low] & !is_empty[high]
  part <- components_of(list(low = low[rows], high = high[rows]), n, how)
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
  ratio <- distance_ratios(found)
  # A row in the place of a landmark may be there because the landmark is that row.
  some <- which(ratio > 0)
  ratio <- ratio[some]
  of_row <- number(found$landmark[1, some], found$landmark[2, some])
  ordered <- order(of_row, ratio)
  last <- ordered[!duplicated(of_row[ordered], fromLast = TRUE)]
  at <- match(number(low, high), of_row[last])
  most <- ratio[last][at]
  count <- tabulate(match(of_row, of_row[last]), length(last))[at]
  !is.na(at) & most < apart_limits$ratio & count * log(most) < log(apart_limits$chance)
}

# The distance of each row from its nearest landmark, divided by that from the next one: 0 for a row in the
# place of a landmark.
distance_ratios <- function(found) {
  ratio <- sqrt(found$squared[1, ] / found$squared[2, ])
  ratio[!(ratio > 1e-6)] <- 0
  ratio
}

# The number of each landmark's component, from 1.
components_of <- function(edges, n, how) .Call(C_components, edges, c(list(vertices = n), how))
