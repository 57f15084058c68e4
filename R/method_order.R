# From what a selector found to landmarks in greedy order, with their variances and nearest rows.

# Landmarks of these data by a method: the list of order_and_measure(), with the `kernel` and the `source`,
# whose bandwidth and metric the method may have learned, with the `relevance` of the columns that this
# metric has, and with the `response` of a method that has one. `n` is NULL if the method
# chooses the number. `fixed`: landmarks of an earlier fit, which stay where they are, with what that fit
# knows of each; or NULL.
fit_selector <- function(method, source, n, kernel, fixed = NULL, call = rlang::caller_env()) {
  fixed <- fixed %||% c(landmark_selection(source_no_points(source)), list(variance = numeric()))
  # A selector is not given held landmarks of variance 0, with which the volume would be 0 for all others.
  seen <- fixed$variance > 0 | !method_can(method, "knows_kernel")
  found <- select_landmarks(
    method, source, n, kernel_of_moves(kernel, source, call), fixed$landmarks[seen, , drop = FALSE], call
  )
  found <- check_found(found, source, nrow(fixed$landmarks), call)
  # Held landmarks have the numbers of all rows, and so get those found in a sample.
  if (!is.null(source$whole)) found$rows <- as_row_numbers(source$whole$numbers[found$rows])
  if (!is.null(found$bandwidth) && found$bandwidth != kernel$bandwidth) {
    kernel[c("bandwidth", "rule")] <- list(found$bandwidth, "learned with the response")
  }
  source <- with_relevance(source, found$relevance)
  ordered <- nrow(fixed$landmarks) + if (found$ordered) nrow(found$landmarks) else 0L
  all <- after_held(fixed, found)
  keep <- nrow(if (method_can(method, "knows_kernel")) fixed$landmarks else all$landmarks)
  described <- order_and_measure(all, source, kernel, ordered, keep, call)
  wanted <- nrow(fixed$landmarks) + (n %||% nrow(found$landmarks))
  # A regression has no coefficients for further landmarks.
  missing <- if (is.null(found$response)) wanted - length(described$variance) else 0
  if (missing > 0) {
    # Where the kernel is wide, landmarks may move so close to others that they add nothing, and are dropped.
    # Rows with the largest variance given the others replace them.
    rows <- active_rows(source, described$landmarks, missing, kernel, compute_with(call))$rows
    if (length(rows)) {
      new <- landmark_selection(rows_in_space(source, rows, kernel, call),
        exact = described$exact, covariance = described$covariance, used = described$used
      )
      new[c("criterion", "gain")] <- list(found$criterion, described$gain)
      ordered <- min(ordered, nrow(described$landmarks))
      described <- order_and_measure(after_held(described, new), source, kernel, ordered, keep, call)
    }
  }
  if (length(described$variance) < wanted) {
    warn_rank(length(described$variance), wanted, method, call)
  }
  described$kernel <- kernel
  described$source <- source
  described$relevance <- found$relevance
  described$response <- found$response
  described
}

# The held landmarks and the new ones as one selection. Elements that have no value for each landmark are
# those of the new ones.
after_held <- function(fixed, found) {
  found[of_each] <- Map(c, fixed[of_each], found[of_each])
  found$landmarks <- rbind(fixed$landmarks, found$landmarks)
  found
}

# ---- the order -----------------------------------------------------------------------

# Puts landmarks in order, and computes what they explain, their variances and nearest rows in one pass over
# all rows. `ordered`: how many of the first landmarks keep their order. `keep`: how many of the first
# landmarks are kept even if they explain nothing. Landmarks that are dropped are not in the result. `sums`:
# see greedy_order().
order_and_measure <- function(found, source, kernel, ordered, keep, call, sums = nystrom_sums) {
  control <- compute_with(call)
  order <- greedy_order(found$landmarks, source, kernel, ordered, found$criterion, control, sums)
  taken <- order$pivot > 0 | order$place <= keep
  last <- setdiff(seq_len(keep), order$place[taken])
  place <- c(order$place[taken], last)
  if (length(place) == 0) {
    abort_input(c(
      "No landmark was found: all candidates are far from all rows, relative to {.arg bandwidth}.",
      x = "Every feature is 0, with a bandwidth of {signif(kernel$bandwidth, 4)}.",
      i = "Use a larger {.arg bandwidth}."
    ), arg = "bandwidth", kind = "rank", call = call)
  }
  if (length(place) < nrow(found$landmarks)) {
    # Again without those that are left out, as the pass counts what they explain.
    found$landmarks <- found$landmarks[place, , drop = FALSE]
    found[of_each] <- lapply(found[of_each], `[`, place)
    return(order_and_measure(found, source, kernel, length(place), length(place), call, sums))
  }
  pass <- order$pass
  none <- numeric(length(last))
  # Of data in chunks the sums are over more rows than those of the source.
  rows <- pass$rows %||% source$dim[1]
  variance <- c(order$pivot[taken], none) / rows
  near <- nearest_of_landmarks(found, pass, source, control)
  c(list(
    landmarks = found$landmarks[place, , drop = FALSE],
    variance = variance,
    explained = 1 - left_after(c(order$gain[taken], none), pass) / (pass$rows %||% total_weight(source)),
    log_det = sum(log(rows * variance)),
    between = variance_between(pass, source),
    nearest = near$row[place], nearest_distance = near$distance[place],
    iterations = as.integer(found$iterations[place]), moved = found$moved[place], exact = found$exact,
    rows = as.integer(found$rows[place]), trace = as.double(found$trace[place]), covariance = found$covariance
  ), Filter(length, found[c("used", "gain")]))
}

# The row nearest to each landmark, list(row, distance): from the pass if it has read all rows. A landmark
# that is a row is nearest to itself.
nearest_of_landmarks <- function(found, pass, source, control) {
  if (!is.null(pass$nearest)) return(list(row = pass$nearest, distance = pass$distance))
  if (!anyNA(found$rows)) return(list(row = found$rows, distance = numeric(length(found$rows))))
  near <- nearest_rows(source, found$landmarks, 1L, control)
  list(row = as.vector(near$observation), distance = as.vector(near$distance))
}

# Landmarks in greedy order, list(place, gain, pivot, pass): their numbers in order, what each adds to the
# explained trace of the observations' kernel, and its pivot of G = Phi'D Phi, which is N times its variance
# given those before it. By the criterion "trace" the next landmark is always the one with the largest gain,
# by "volume" the one with the largest pivot. The first `ordered` keep their places. Landmarks that depend on
# others are left out, or have a gain and a pivot of 0 where they are among the first `ordered`. `pass`: what
# `sums` gives, nystrom_sums(), or nystrom_over() where all rows must count. All of it comes from the Cholesky
# factor of the landmarks' own kernel W: G has the square of W's condition, and half the digits
# (src/core/algebra/greedy_order.h).
greedy_order <- function(landmarks, source, kernel, ordered, criterion, control, sums = nystrom_sums) {
  settings <- c(list(fixed = as.integer(ordered), floor = kernel_floor, criterion = criterion), control)
  pass <- sums(source, landmarks, kernel, settings)
  order <- .Call(C_landmark_order, source, landmarks, pass$sums, kernel, settings)
  list(place = order$order, gain = order$gain, pivot = order$pivot, pass = pass)
}

# What the first landmarks leave of the trace of the observations' kernel, for each number of them.
left_by_first <- function(landmarks, source, kernel, control, sums = nystrom_over) {
  order <- greedy_order(landmarks, source, kernel, nrow(landmarks), "trace", control, sums)
  left_after(order$gain, order$pass)
}

# What all landmarks leave, by rows, and what those after the first ones add. Where landmarks depend on others
# up to rounding, the gains are not all that is explained: the last one has the rest.
left_after <- function(gain, pass) {
  left <- pass$left
  if (any(gain == 0)) gain[length(gain)] <- gain[length(gain)] + max(pass$total - left - sum(gain), 0)
  pmin(left + rev(cumsum(c(0, rev(gain[-1])))), pass$total)
}

# The pass over all rows of nystrom_over(). If it would take more than 1e8 products, the sums are computed
# from as many `rows` as this allows and scaled up to all rows, and the pass has no nearest rows. What follows
# from them is then an estimate.
nystrom_sums <- function(source, landmarks, kernel, settings, rows = gram_rows(nrow(landmarks))) {
  all <- source_rows(source)
  if (all <= rows) return(nystrom_over(source, landmarks, kernel, settings))
  some <- rows_of(source, thinned_rows(source$dim[1], rows / all))
  pass <- nystrom_over(some, landmarks, kernel, settings)
  pass[c("nearest", "distance")] <- NULL
  scaled_pass(pass, total_weight(source))
}

# The share of the data's variance that landmarks explain when each row is replaced by its nearest
# one; of centers of k-means it is the sum of squares between the clusters over the total one. NA if all
# rows are equal, or numbers so large that their squares overflow. `pass`: see nystrom_sums().
variance_between <- function(pass, source) {
  divisor <- if (is.null(pass$rows)) {
    variance_divisor(source$dim[1], source$weights)
  } else {
    variance_divisor(pass$rows, used = source$whole$used)
  }
  total <- bandwidth_variance(source) * divisor
  share <- 1 - pass$within / total
  if (total > 0 && is.finite(share)) share else NA_real_
}

# How many rows the sums are computed from at the most.
gram_rows <- function(n, most = 1e8) max(most %/% n^2, 4 * n, 10000)

# ---- as many landmarks as the rank ---------------------------------------------------

# An error if more landmarks are wanted than there are rows.
check_rank <- function(n, source, call, fixed = 0L) {
  most <- max(source_rows(source) - fixed, 0)
  rows <- if (is.null(source$weights)) "rows" else "rows with positive weight"
  less <- if (fixed > 0) " minus that of fixed landmarks"
  check_that(n <= most, n, "n", "at most {most}, the number of {rows}{less}", "rank", call,
    if (is_sample(source)) "These are the rows of a sample: see {.arg sample} of {.fn chunked}."
  )
}

# A warning that fewer landmarks were found than wanted.
warn_rank <- function(found, wanted, method, call) {
  narrower <- if (method_can(method, "knows_kernel")) ", or use a smaller {.arg bandwidth}"
  warn_user(c(
    "Only {found} of {wanted} landmarks could be found.",
    x = "Features of further landmarks would be linearly dependent on those of the others, up to rounding.",
    i = paste0("Check for duplicated rows", narrower, ".")
  ), kind = "rank", call = call)
}

# ---- the memory of a fit -------------------------------------------------------------

# An error if order_and_measure() would need too much memory for n landmarks: their kernel matrix, its
# Cholesky factor, sums, and vectors in whitened coordinates, with copies.
check_fit_memory <- function(n, source, call, arg = "n") {
  check_memory(as.double(n) * (11 * as.double(n) + 10 * source$dim[2]),
    "A fit of {n} landmark{?s} in {source$dim[2]} dimension{?s} needs", "Use fewer landmarks.", arg, call
  )
}
