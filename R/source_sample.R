# The uniform sample of rows of data in chunks: the rows with the smallest of independent random keys.

# list(add, count, all): add(part, k) takes rows of chunk k, list(key, at, x, y, w), count() is how many are
# in the sample so far, and all() returns x, y, w, at and chunk of the `size` rows with the smallest keys.
smallest_keys <- function(size) {
  parts <- list()
  held <- 0
  last <- Inf
  drop_larger <- function() {
    keys <- unlist(lapply(parts, `[[`, "key"))
    if (length(keys) > size) last <<- sort(keys, partial = size)[size]
    parts <<- lapply(parts, function(part) part_rows(part, which(part$key <= last)))
    held <<- min(length(keys), size)
  }
  add <- function(part, k) {
    part <- part_rows(part, which(part$key <= last))
    if (length(part$key) == 0) return(invisible())
    parts <<- c(parts, list(c(part, list(chunk = rep(k, length(part$key))))))
    held <<- held + length(part$key)
    if (held > 1.5 * size) drop_larger()
  }
  all <- function() {
    drop_larger()
    x <- join_and_free()
    each <- function(name) lapply(parts, `[[`, name)
    list(
      key = unlist(each("key")), at = unlist(each("at")), x = x, y = bind_rows_of(each("y")),
      w = unlist(each("w")), chunk = unlist(each("chunk"))
    )
  }
  # The rows of all parts. Dense parts are freed one by one, as the sample may take much of the memory.
  join_and_free <- function() {
    if (!is.matrix(parts[[1]]$x)) return(do.call(rbind, lapply(parts, `[[`, "x")))
    x <- matrix(0, held, ncol(parts[[1]]$x), dimnames = list(NULL, colnames(parts[[1]]$x)))
    before <- 0
    for (k in seq_along(parts)) {
      x[before + seq_along(parts[[k]]$key), ] <- parts[[k]]$x
      before <- before + length(parts[[k]]$key)
      parts[[k]]["x"] <<- list(NULL)
    }
    x
  }
  list(add = add, count = function() min(held, size), all = all)
}

# Some rows of list(key, at, x, y, w, chunk), of which some may be NULL.
part_rows <- function(part, rows) {
  if (length(rows) == length(part$key)) return(part)
  lapply(part, function(v) if (is.null(dim(v))) v[rows] else some_rows(v, rows))
}
