# Frequencies of random choices against their probabilities.

p_value <- function(counts, probability) suppressWarnings(stats::chisq.test(counts, p = probability))$p.value
