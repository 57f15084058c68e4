# What R hands to the core is read by name: what is missing or of the wrong kind is an error of R, never a
# crash.

skip_slow_file()

x <- odd_matrix(20, 3)
source <- as_source(x)
how <- compute_with()
kernel <- list(bandwidth = 1.5, space = "euclidean")
at <- x[1:4, ]
climb <- c(list(fixed = 1L, criterion = "trace", max_iterations = 2L, halvings = 2L, tolerance = 0), how)

# An entry and arguments that are right.
calls <- list(
  list(C_climb, source, at, kernel, c(list(over = "all"), climb)),
  list(C_climb, source, at, kernel, c(list(over = "batch", rows = 1:10), climb)),
  list(C_lloyd, source, at, c(list(fixed = 1L, max_iterations = 3L), how)),
  list(
    C_gradient_steps, source, at, kernel, c(list(batches = list(1:5), rates = 0.1, gradient = "unit"), how)
  ),
  list(C_project, at, kernel["space"]), list(C_off, at, at + 1),
  list(C_pivot, source, at, kernel, c(list(rows = 1:20, wanted = 3L, trace = 1e-8, volume = 1e-10), how)),
  list(C_order, diag(4), c(list(fixed = 0L, wanted = 4L, floor = 1e-12), how)),
  list(C_kernel_root, at, kernel["bandwidth"], c(list(fixed = 0L, floor = 1e-8), how)),
  list(C_nystrom, source, at, kernel["bandwidth"], c(list(fixed = 0L, floor = 1e-8), how)),
  list(
    C_landmark_order, source, at, diag(4), kernel["bandwidth"],
    c(list(fixed = 0L, floor = 1e-8, criterion = "trace"), how)
  ),
  list(C_exact_dpp, source, at, kernel["bandwidth"],
    c(list(rows = 1:20, distance = "euclidean", size = "given", wanted = 3L, power = 2, steps = 50), how)
  ),
  list(C_active, source, at, kernel["bandwidth"], c(list(wanted = 3L, random = TRUE, floor = 1e-12), how)),
  list(C_dpp, source, at,
    c(list(neighbors = 4L, update = "sin2", sigma = 1, search = "tree", wanted = 3L, lists = TRUE), how)
  )
)
wrong <- list(NULL, "a", NA, 0.5, numeric(200), -1L, 99L, list(), quote(f), matrix("a", 4, 4))

# What is right after all: a count, and a number or several.
is_right <- function(name, value) {
  counts <- c("wanted", "max_iterations", "halvings", "threads")
  numbers <- c("bandwidth", "tolerance", "floor", "sigma", "rates", "power", "steps")
  criteria <- c("trace", "volume")
  (identical(value, 99L) && name %in% counts) || (is.double(value) && name %in% c(numbers, criteria)) ||
    (is.null(value) && name %in% c(criteria, "sigma"))
}

# Whether a call ends in an error. expect_error() takes ten times as long.
fails <- function(call) inherits(tryCatch(do.call(.Call, call, quote = TRUE), error = identity), "error")

test_that("an argument of the wrong kind is an error, and so is an option that is missing or wrong", {
  for (right in calls) {
    expect_false(fails(right))
    for (i in seq_along(right)[-1]) {
      bad <- lapply(wrong, function(value) replace(right, i, list(value)))
      expect_true(all(vapply(bad, fails, NA)), info = paste(right[[1]]$name, i))
      # Sources are made by R alone.
      if (!is.list(right[[i]]) || inherits(right[[i]], "landmark_source")) next
      for (name in names(right[[i]])) {
        accepted <- vapply(wrong, function(value) {
          bad <- right
          bad[[i]][name] <- list(value)
          !is_right(name, value) && !fails(bad)
        }, NA)
        accepted <- vapply(wrong[accepted], describe, "")
        expect_identical(accepted, character(), info = paste(right[[1]]$name, name))
      }
    }
  }
})
