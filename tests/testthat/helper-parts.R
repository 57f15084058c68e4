# A matrix cut into parts of about equal size, as data that stand in files would be.
cut_data <- function(x, parts) {
  part <- sort(rep_len(seq_len(parts), nrow(x)))
  rows <- split(seq_len(nrow(x)), part)
  parted_data(function(i) x[rows[[i]], , drop = FALSE], lengths(rows), ncol(x), colnames(x))
}

# A source of such data that counts how often a part is read: `count()`, from now on.
counting_source <- function(x, parts) {
  source <- as_source(cut_data(x, parts))
  inner <- source$data$read
  read <- 0
  source$data$read <- function(i) {
    read <<- read + 1
    inner(i)
  }
  source$count <- function() read
  source
}
