# Data as a user gives them: in memory, or in a class of another package.

# Data of a user as a matrix that is in memory, checked.
given_rows <- function(x, arg, call, empty = FALSE) {
  x <- as_rows(x, arg, call)
  refuse_chunks(x, arg, call)
  check_data(x, arg, call, empty)
}

# Document-term matrices of package slam and experiments of Bioconductor as matrices with the observations as
# rows: sparse, delayed, or dense. All else is returned as it is. `choice`: see experiment_rows().
as_rows <- function(x, arg, call, choice = NULL) {
  if (is_triplets(x)) return(to_csparse(x, arg, call))
  if (is_experiment(x)) experiment_rows(x, choice, arg, call) else x
}
