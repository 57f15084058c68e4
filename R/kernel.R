# The kernel exp(-||t - x||^2 / bandwidth) is a list, which landmarks() makes and passes on as a whole. The
# core reads its elements by name:
#
#   bandwidth   in squared units of the kernel's coordinates, (x - center) * factor of a source
#   rule        the rule that gave the bandwidth, in words; NULL where the user gave a number
#   space       where landmarks may lie, a name or a function of the user
#   free        whether a method may learn another bandwidth
#
# If distances come to depend on something else, it becomes an element of this list.

new_kernel <- function(bandwidth, rule = NULL, space = "euclidean", free = FALSE) {
  list(bandwidth = bandwidth, rule = rule, space = space, free = free)
}

# The same kernel with another bandwidth.
with_bandwidth <- function(kernel, bandwidth) {
  kernel$bandwidth <- bandwidth
  kernel
}

# The distance at which the kernel is 1 / e, and sigma where the kernel is written as
# exp(-distance^2 / (2 sigma^2)).
kernel_length <- function(kernel) sqrt(kernel$bandwidth)
kernel_sigma <- function(kernel) sqrt(kernel$bandwidth / 2)

# The kernel at given squared distances. (For rows of the data, the core computes distances and kernel at
# once.)
kernel_values <- function(squared, kernel) exp(squared / -kernel$bandwidth)

# The kernel for steps that move points. If its space is a user's function, what the function returns is
# checked.
kernel_of_moves <- function(kernel, source, call = rlang::caller_env()) {
  kernel$space <- space_for_core(kernel$space, source$dim[2], source$names, call)
  kernel
}

# A landmark depends on others where these leave at most a small share of its diagonal entry in a Cholesky
# factorization. The limit is that of rounding, for each of two matrices:
#
#   kernel_floor   W, the Gaussian kernel of the landmarks with each other. Rows that become landmarks leave
#                  more, row_floor, so that none is at the limit
#   rank_floor     G, the inner products of the landmarks' features over some rows, in the factorizations that
#                  choose rows to start from
kernel_floor <- 2e-14
row_floor <- 5e-14
rank_floor <- 1e-12

# The explained trace of rows to start from is the quotient of a residual of G and one of W. G has the square
# of W's condition, so that it has no digits beyond this share of W.
trace_floor <- 1e-8
