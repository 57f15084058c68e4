# A codebook may have been edited, or read from a file that was cut.
check_codebook <- function(book, arg, call = rlang::caller_env()) {
  check_class(book, "codebook", "codebook", arg, call)
  check_whole(codebook_flaw(book), "codebook", "codebook", arg, call, book)
  invisible(book)
}

# The first flaw of a codebook, in words, or NULL.
codebook_flaw <- function(book) {
  book <- unclass(book)
  flaw <- absent_part(book, codebook_rules)
  if (!is.null(flaw)) return(flaw)
  d <- NCOL(book$centers)
  size <- sprintf("for codewords in %d dimension%s", d, if (d == 1) "" else "s")
  broken_part(book, codebook_rules, codebook_words, size, d, book) %||%
    broken_option(book, list(version = function(v) is_version(v)), NULL, "not a string")
}

# The rule of each part, for codewords in d dimensions.
codebook_rules <- list(
  centers = function(v, d, book) {
    is_plain_matrix(v) && nrow(v) > 0 && d > 0 && all(is.finite(v)) && are_column_names(colnames(v), d)
  },
  within = function(v, d, book) is_number(v) && v >= 0,
  converged = function(v, d, book) is.logical(v) && length(v) == 1,
  iterations = function(v, d, book) is_whole(v, 0),
  n_frames = function(v, d, book) is_whole(v, nrow(book$centers)),
  scaled = function(v, d, book) is_flag(v),
  center = function(v, d, book) sound_vector(v, d),
  factor = function(v, d, book) sound_vector(v, d) && all(v > 0) && are_near(book$centers, book$center, v)
)

codebook_words <- list(centers = "is not a matrix of finite numbers, a row for each codeword.")
