# The numbers of threads that the environment allows. OpenMP reads its variables when it starts. They are read
# again here, so that Sys.setenv() in a session has an effect too.

# Without an argument or an option: at most two, as CRAN requires. C_threads gives the numbers of OpenMP,
# which are 1 in a forked process.
default_threads <- function() min(2L, .Call(C_threads)[1], thread_variable("OMP_NUM_THREADS"))

# No call has more. R CMD check sets the second variable where two is the limit.
most_threads <- function() {
  limited <- Sys.getenv("_R_CHECK_LIMIT_CORES_")
  checked <- nzchar(limited) && !tolower(limited) %in% c("false", "no", "0")
  min(64L, if (checked) 2L, .Call(C_threads)[2], thread_variable("OMP_THREAD_LIMIT"))
}

# The number in a variable of OpenMP, the first of a list such as "4,2"; NULL where it has no such number.
thread_variable <- function(name) {
  value <- trimws(sub(",.*", "", Sys.getenv(name)))
  if (!grepl("^[0-9]{1,9}$", value) || as.integer(value) < 1) return(NULL)
  as.integer(value)
}
