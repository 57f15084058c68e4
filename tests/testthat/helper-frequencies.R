# Frequencies of random choices against their probabilities.

p_value <- function(counts, probability) suppressWarnings(stats::chisq.test(counts, p = probability))$p.value

# Choices come as often as `probability` says, which is named by them; without names they are numbers from 1.
# What has probability 0 never comes, and what is rare is put together.
expect_chosen <- function(drawn, probability) {
  choices <- names(probability)
  if (is.null(choices)) choices <- seq_along(probability)
  p <- as.vector(probability) / sum(probability)
  seen <- as.vector(table(factor(drawn, choices)))
  expect_identical(sum(seen[p > 1e-12]), length(drawn))
  if (sum(p > 1e-12) == 1) return(invisible())
  rare <- p * length(drawn) < 6
  pool <- function(v) c(v[!rare], if (sum(p[rare]) * length(drawn) > 1) sum(v[rare]))
  expect_gt(p_value(pool(seen), pool(p) / sum(pool(p))), 0.001)
}

# The probability of each sequence of rows, named by their numbers, where the odds of all rows after some of
# them are odds(before).
sequence_law <- function(size, odds, before = integer(), probability = 1) {
  if (length(before) == size) return(stats::setNames(probability, paste(before, collapse = " ")))
  now <- odds(before)
  unlist(lapply(which(now > 0), function(row) {
    sequence_law(size, odds, c(before, row), probability * now[[row]] / sum(now))
  }))
}

# A sequence in each column, by its name.
sequence_names <- function(rows) apply(rbind(rows), 2, paste, collapse = " ")
