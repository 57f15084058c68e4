# The uniform sample of rows of data in chunks: the rows with the smallest of independent random keys.

# list(add, count, all): add(part, k) takes rows of chunk k, list(key, at, x, y, w), count() is how many are
# held, and all() returns x, y, w, at and chunk of the `size` rows with the smallest keys. `expected`:
# about how many rows there will be.
# Rows of dense chunks are written into one matrix in place: parts and their union need twice the memory.
smallest_keys <- function(size, expected) {
  # The key of the row at each place, which a row with a smaller key may take.
  key <- numeric()
  x <- NULL
  parts <- list()
  add <- function(part, k) {
    keys <- c(key, part$key)
    last <- if (length(keys) > size) sort(keys, partial = size)[size] else Inf
    place <- c(which(key > last), length(key) + seq_len(min(size - length(key), length(part$key))))
    part <- part_rows(part, utils::head(which(part$key <= last), length(place)))
    if (length(part$key) == 0) return(invisible())
    place <- place[seq_along(part$key)]
    key[place] <<- part$key
    if (is.matrix(part$x)) {
      make_room(part$x, min(size, max(expected, 2 * NROW(x), place)))
      x[place, ] <<- part$x
      part$x <- NULL
    }
    parts <<- c(parts, list(c(part, list(place = place, chunk = rep(k, length(place))))))
  }
  make_room <- function(rows, size) {
    if (length(key) <= NROW(x)) return(invisible())
    more <- matrix(rows[1], size - NROW(x), ncol(rows), dimnames = list(NULL, colnames(rows)))
    x <<- if (is.null(x)) more else rbind(x, more)
  }
  all <- function() {
    each <- function(name) lapply(parts, `[[`, name)
    chunk <- unlist(each("chunk"))
    at <- unlist(each("at"))
    # The last row that was written at each place, in the order of the data.
    rows <- length(at) + 1 - match(seq_along(key), rev(unlist(each("place"))))
    sorted <- order(chunk[rows], at[rows])
    rows <- rows[sorted]
    found <- list(
      key = unlist(each("key")), at = at, x = do.call(rbind, each("x")), y = bind_rows_of(each("y")),
      w = unlist(each("w"))
    )
    found <- part_rows(found, rows)
    if (!is.null(x)) {
      if (nrow(x) > length(key)) x <<- x[seq_along(key), , drop = FALSE]
      if (is.unsorted(sorted)) for (j in seq_len(ncol(x))) x[, j] <<- x[sorted, j]
      found$x <- x
    }
    c(found, list(chunk = chunk[rows]))
  }
  list(add = add, count = function() length(key), all = all)
}

# Some rows of list(key, at, x, y, w).
part_rows <- function(part, rows) {
  if (length(rows) == length(part$key)) return(part)
  some <- function(v) if (is.null(dim(v))) v[rows] else v[rows, , drop = FALSE]
  list(
    key = part$key[rows], at = part$at[rows], x = if (!is.null(part$x)) some_rows(part$x, rows),
    y = if (!is.null(part$y)) some(part$y), w = if (!is.null(part$w)) part$w[rows]
  )
}
