# The kernel exp(-||t - x||^2 / bandwidth), a list that goes as a whole from landmarks() to the last call of the
# core, which reads its parts by name:
#
#   bandwidth   in squared units of the kernel's coordinates, (x - center) * factor of a source
#   rule        the rule of the bandwidth in words; NULL for a number
#   space       where landmarks may lie, a name or a function of the user
#   free        whether a method may learn another bandwidth
#
# Whatever else distances depend on is another part of it.

new_kernel <- function(bandwidth, rule = NULL, space = "euclidean", free = FALSE) {
  list(bandwidth = bandwidth, rule = rule, space = space, free = free)
}

# The same kernel with another bandwidth.
with_bandwidth <- function(kernel, bandwidth) {
  kernel$bandwidth <- bandwidth
  kernel
}

# The distance at which the kernel is 1 / e, and the sigma of exp(-d^2 / (2 sigma^2)).
kernel_length <- function(kernel) sqrt(kernel$bandwidth)
kernel_sigma <- function(kernel) sqrt(kernel$bandwidth / 2)

# The kernel at squared distances. (From data the core computes both at once.)
kernel_values <- function(squared, kernel) exp(squared / -kernel$bandwidth)

# The kernel for steps on the parts of a source, which do not move points. A space that is a function would
# travel to workers, with all that the function can see.
kernel_of_parts <- function(kernel) {
  kernel["space"] <- list(NULL)
  kernel
}

# The kernel for steps that move points: a space that is a function is behind a check of its result.
kernel_of_moves <- function(kernel, source, call = rlang::caller_env()) {
  kernel$space <- space_for_core(kernel$space, source$dim[2], source$names, call)
  kernel
}

# Below this part of its own variance a landmark adds only rounding error: there are as many landmarks as the
# rank of the kernel.
rank_floor <- 1e-12

# The same threshold for the Gaussian kernel itself; inner products of features are about its square. Below
# it the landmarks' kernel matrix is numerically singular.
kernel_floor <- 1e-8
