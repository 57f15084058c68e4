# Words of messages: what was given, counts, sizes, shares.

# What was given, in a few words, for an error message.
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.data.frame(x)) return(sprintf("a data frame, %s x %s", nrow(x), ncol(x)))
  if (methods::is(x, "Matrix")) {
    return(sprintf("a matrix of class %s, %s", class(x)[1], paste(x@Dim, collapse = " x ")))
  }
  if (is.array(x)) {
    class <- if (is.object(x)) paste(" of class", class(x)[1]) else ""
    what <- if (is.matrix(x)) "matrix" else "array"
    return(paste0(with_article(typeof(x)), " ", what, class, ", ", paste(dim(x), collapse = " x ")))
  }
  if (is.function(x)) return("a function")
  if (is.factor(x)) return(paste("a factor of length", length(x)))
  if (is.object(x)) return(sprintf("an object of class %s, of length %s", class(x)[1], plain_length(x)))
  if (is.atomic(x) && length(x) == 1) {
    return(if (is.character(x)) encodeString(x, quote = "\"") else format(x))
  }
  if (is.atomic(x)) return(sprintf("%s vector of length %s", with_article(typeof(x)), plain_length(x)))
  sprintf("%s of length %s", with_article(typeof(x)), plain_length(x))
}

# The length of an object as text. The class of the object may have a method of length() that fails.
plain_length <- function(x) {
  size <- or_else(length(x), length(unclass(x)))
  format(size, scientific = FALSE)
}

# What to do, in words, where the user gave a string that may be the name of a column.
column_words <- function(x) {
  sprintf("To use a column of the data, give its values, `data[[%s]]`.", describe(x))
}

with_article <- function(word) paste(if (grepl("^[aeiou]", word)) "an" else "a", word)

# A message of several lines, with indents, as one line.
one_line <- function(text) gsub("\\s+", " ", gsub("\n[^ ] ", " ", text))

name_column <- function(column, names) {
  paste0("column ", column, if (!is.null(names)) paste0(" (", names[column], ")"))
}

# A share of variance for the name of an axis.
percent <- function(share) {
  if (share < 5e-4) return("<0.1%")
  paste0(format(100 * share, digits = if (share >= 0.0995) 2 else 1, nsmall = 0, scientific = FALSE), "%")
}

# The mark between the thousands of a number. R would warn if it were the mark of decimals, which is a user's
# choice.
big_mark <- function() if (getOption("OutDec") == ",") "." else ","

how_many <- function(count, of) {
  paste0(format(count, big.mark = big_mark(), scientific = FALSE), " ", of, if (count != 1) "s")
}

format_share <- function(share) {
  # A share of nearly all must not be rounded to 100%.
  percent <- 100 * share
  if (is.na(percent)) return("unknown")
  text <- if (percent > 99.95) format(floor(percent * 1000) / 1000, nsmall = 3) else sprintf("%.1f", percent)
  paste0(text, "%")
}

format_seconds <- function(seconds) {
  if (seconds < 60) return(paste0(signif(seconds, 3), " s"))
  sprintf("%d min %d s", seconds %/% 60, round(seconds %% 60))
}

# Landmarks in words: the first of them, and how many more.
first_of_landmarks <- function(some) {
  paste0("L", some[1], if (length(some) > 1) paste(" and", length(some) - 1, "more"))
}
