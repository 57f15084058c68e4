# A matrix cut into parts of about equal size, as data that stand in files would be.
cut_data <- function(x, parts) {
  part <- sort(rep_len(seq_len(parts), nrow(x)))
  rows <- split(seq_len(nrow(x)), part)
  parted_data(function(i) x[rows[[i]], , drop = FALSE], lengths(rows), ncol(x), colnames(x))
}
