# From what a selector found to landmarks in greedy order, with their variances and nearest rows.

# Landmarks of these data by a method: the list of order_and_measure(), with the `kernel` and the `source`,
# whose bandwidth and metric the method may have learned, with the `relevance` of the columns that this
# metric has, and with the `response` of a method that has one. `n` is NULL where the method
# chooses the number. `held`: landmarks of an earlier fit, which stay where they are, with what that fit knows
# of each; or NULL.
learn <- function(method, source, n, kernel, held = NULL, call = rlang::caller_env()) {
  held <- held %||% c(selection(source_no_points(source)), list(variance = numeric()))
  # A selector is not given held landmarks of variance 0, with which the volume would be 0 for all others.
  seen <- held$variance > 0 | !method_can(method, "knows_kernel")
  found <- select_landmarks(method, source, n, kernel, held$landmarks[seen, , drop = FALSE], call)
  found <- check_found(found, source, nrow(held$landmarks), call)
  if (!is.null(found$bandwidth) && found$bandwidth != kernel$bandwidth) {
    kernel[c("bandwidth", "rule")] <- list(found$bandwidth, "learned with the response")
  }
  source <- with_relevance(source, found$relevance)
  ordered <- if (found$ordered) nrow(held$landmarks) + nrow(found$landmarks) else nrow(held$landmarks)
  all <- after_held(held, found)
  keep <- nrow(if (method_can(method, "knows_kernel")) held$landmarks else all$landmarks)
  described <- order_and_measure(all, source, kernel, ordered, keep, call)
  wanted <- nrow(held$landmarks) + (n %||% nrow(found$landmarks))
  if (length(described$variance) < wanted && found$fill_up) {
    all <- fill_up(described, wanted, source, kernel, found$criterion, call)
    if (!is.null(all)) described <- order_and_measure(all, source, kernel, ordered, keep, call)
  }
  if (length(described$variance) < wanted) {
    warn_rank(length(described$variance), wanted, call, method_can(method, "knows_kernel"))
  }
  described$kernel <- kernel
  described$source <- source
  described$relevance <- found$relevance
  described$response <- found$response
  described
}

# The held landmarks and the new ones as one selection. Elements that have no value for each landmark are
# those of the new ones.
after_held <- function(held, found) {
  each <- c("iterations", "moved", "rows", "trace")
  found[each] <- Map(c, held[each], found[each])
  found$landmarks <- rbind(held$landmarks, found$landmarks)
  found
}

# Where the kernel is wide, landmarks may move so close to others that they add nothing, and are dropped. Rows
# with the largest variance given the others replace them. Returns the selection with these rows, or NULL
# where no row has a variance left.
fill_up <- function(described, wanted, source, kernel, criterion, call) {
  how <- compute_with(call)
  rows <- active_rows(
    source, described$landmarks, wanted - length(described$variance), kernel, FALSE,
    c(0, kernel_floor), how
  )$rows
  if (length(rows) == 0) return(NULL)
  found <- selection(project_points(rows_as_points(source, rows), kernel$space, call),
    exact = described$exact, covariance = described$covariance, used = described$used, criterion = criterion
  )
  after_held(described, found)
}

# ---- the order -----------------------------------------------------------------------

# Puts landmarks in order, and computes their variances and nearest rows in one pass over all rows, and from a
# sample the share of the kernel's variance that they explain. `ordered`: how many of the first landmarks keep
# their order. `keep`: how many of the first landmarks are kept even where they explain nothing. Landmarks
# that are dropped are not in the result.
order_and_measure <- function(found, source, kernel, ordered, keep, call) {
  how <- compute_with(call)
  n <- nrow(found$landmarks)
  pass <- gram_of(found, source, kernel, how)
  order <- greedy_order(found, pass$gram, source, kernel, ordered, keep, how)
  place <- order$place
  variance <- order$variance
  if (length(place) == 0) {
    abort_input(c(
      paste0(
        "No landmark was found: every possible place is far from all observations, ",
        "relative to {.arg bandwidth}."
      ),
      x = "Every feature is 0, with a bandwidth of {signif(kernel$bandwidth, 4)}.",
      i = "Check {.arg bandwidth}, {.arg space}, and {.arg start} where it was given."
    ), arg = "bandwidth", kind = "rank", call = call)
  }
  landmarks <- found$landmarks[place, , drop = FALSE]
  c(list(
    landmarks = landmarks,
    variance = variance,
    explained = explained_share(landmarks, variance, source, kernel, how),
    log_det = sum(log(source$dim[1] * variance)),
    between = variance_between(pass, source),
    nearest = pass$nearest[place],
    nearest_distance = pass$distance[place],
    iterations = as.integer(found$iterations[place]),
    moved = found$moved[place],
    exact = found$exact,
    rows = as.integer(found$rows[place]),
    trace = as.double(found$trace[place]),
    covariance = found$covariance
  ), if (length(found$used)) list(used = found$used))
}

# The greedy order, list(place, variance): the numbers of the landmarks in their order, and the variance of
# each given those before it. By the criterion "trace" the next landmark is the one that explains most of the
# Gaussian kernel at the observations, together with those before it. By "volume" it is the one with the
# largest variance.
greedy_order <- function(found, gram, source, kernel, ordered, keep, how) {
  n <- nrow(gram)
  first <- seq_len(n)
  if (ordered < n && identical(found$criterion, "trace")) {
    settings <- c(list(held = ordered, floor = kernel_floor), how)
    first <- .Call(C_trace_order, source, found$landmarks, gram, kernel, settings)$order
    if (keep == n) first <- c(first, setdiff(seq_len(n), first))
    gram <- gram[first, first, drop = FALSE]
    n <- ordered <- length(first)
  }
  order <- .Call(C_order, gram, c(list(held = ordered, wanted = n, floor = rank_floor), how))
  # A landmark that adds nothing has a pivot of 0. It is dropped, unless it is among the first `keep`.
  taken <- order$pivot > 0 | seq_along(order$pivot) <= keep
  place <- first[order$order[taken]]
  variance <- order$pivot[taken] / source$dim[1]
  if (keep == nrow(found$landmarks)) {
    last <- setdiff(seq_len(keep), place)
    place <- c(place, last)
    variance <- c(variance, numeric(length(last)))
  }
  list(place = place, variance = variance)
}

# G = Phi'D Phi and the row nearest to each landmark, as from gram_over(). If G would take more than 1e11
# products, it is computed from as many rows as this allows and scaled up to all rows. The variances that
# follow from it are then estimates.
gram_of <- function(found, source, kernel, how) {
  all <- source_rows(source)
  rows <- gram_rows(nrow(found$landmarks))
  if (all <= rows) return(gram_over(source, found$landmarks, kernel, how))
  pass <- gram_over(source, found$landmarks, kernel, how, rows / all)
  pass$gram <- pass$gram * total_weight(source) / pass$weight
  pass$within <- pass$within * total_weight(source) / pass$weight
  pass
}

# The share of the data's variance that is left when each row is put in the place of its nearest landmark; of
# centers of k-means it is the sum of squares between the clusters over the total one. NA where all rows are
# equal, or numbers so large that their squares overflow. `pass`: see gram_of().
variance_between <- function(pass, source) {
  total <- bandwidth_variance(source) * variance_divisor(source$dim[1], source$weights)
  share <- 1 - pass$within / total
  if (total > 0 && is.finite(share)) share else NA_real_
}

# How many rows G is computed from at the most.
gram_rows <- function(n, most = 1e11) max(most %/% n^2, 4 * n, 10000)

# ---- the share of the kernel's variance that landmarks explain -----------------------

# For each k, the share of the kernel's variance at the observations that the first k landmarks explain:
#
#   1 - sum_i V_k(x_i) / sum_i V_0(x_i),   V_k(x) the variance at x given k landmarks.
#
# It is computed on a sample. The kernel of the process is a sum over all rows of the sample, and the
# variances are computed at up to 2,000 of these rows. Landmarks of variance 0 explain nothing.
explained_share <- function(landmarks, variance, source, kernel, how) {
  some <- variance > 0
  if (!any(some)) return(numeric(length(variance)))
  landmarks <- landmarks[some, , drop = FALSE]
  rows <- draw_rows(source, explained_rows(nrow(landmarks)))
  batch <- batch_of(source, rows)
  measured <- unique(round(seq(1, length(rows), length.out = min(length(rows), 2000))))
  weights <- weights_at(source, rows[measured])
  prior <- 0
  explained <- numeric(nrow(landmarks))
  for (few in point_blocks(length(measured), 1)) {
    p <- posterior_of_batch(batch, landmarks, batch$rows[measured[few]], kernel, how)
    prior <- prior + sum(p$prior * weights[few])
    explained <- explained + colSums(p$explained * weights[few])
  }
  each <- numeric(length(variance))
  each[some] <- explained
  # Where the kernel matrix of the landmarks is nearly singular, rounding may give a share above 1.
  pmin(cumsum(each) / prior, 1)
}

# How many rows the sample of explained_share() has at the most.
explained_rows <- function(n) max(1000L, 4L * n)

# ---- as many landmarks as the rank ---------------------------------------------------

# An error where more landmarks are wanted than there are rows.
check_rank <- function(n, source, call, held = 0L) {
  rows <- source_rows(source)
  if (as.double(n) + held > rows) {
    what <- if (is.null(source$weights)) "row{?s}" else "row{?s} of weight above 0"
    abort_input(c(
      paste0(
        "{.arg n} ({n}) exceeds the {rows} ", what, " of {.arg x}",
        if (held > 0) " minus {held} held landmark{?s}", "."
      ),
      i = "Choose a smaller {.arg n}: more landmarks would repeat each other."
    ), arg = "n", kind = "rank", call = call)
  }
}

# A warning that fewer landmarks were found than wanted.
warn_rank <- function(found, wanted, call, by_kernel = TRUE) {
  warn_user(c(
    if (by_kernel) {
      paste(
        "{found} of {wanted} landmarks were found:",
        "with this {.arg bandwidth} more would explain next to nothing."
      )
    } else {
      "{found} of {wanted} landmarks were found, as many as there are different rows."
    },
    i = if (by_kernel) {
      paste(
        "Try a narrower {.arg bandwidth}, or look for repeated rows.",
        "Or ask for fewer: so near to the limit a smaller {.arg n} may even explain more."
      )
    }
  ), kind = "rank", call = call)
}

# ---- the memory of a fit -------------------------------------------------------------

# An error where learn() would need too much memory.
check_fit_memory <- function(method, source, n, held, call) {
  check_work(fit_needs(method, source, n, held, call),
    "A fit of {n + held} landmarks in {source$dim[2]} dimensions needs",
    c("Use fewer landmarks.", memory_remedy(method)), "n", call
  )
}

# How many numbers (of 8 bytes) learn() needs: those of the selection or, later, of the order, and those of a
# pass for the nearest rows.
fit_needs <- function(method, source, n, held, call = NULL) {
  chosen <- selection_memory(method, source, n, held)
  if (!is_number(chosen) || chosen < 0) {
    abort_input(c(
      "The {.fn selection_memory} method of a selector must return a number of bytes.",
      x = "It returned {describe(chosen)}."
    ), arg = "method", kind = "selection", call = call)
  }
  rows <- as.double(source$dim[1])
  order <- order_needs(as.double(n) + held, rows, as.double(source$dim[2]), stored_columns(source))
  max(chosen / 8, order) + 2 * rows
}

# How many numbers order_and_measure() needs for `all` landmarks: G and the landmarks' kernel matrix, with
# copies and Cholesky factorizations; and copies of the landmarks in find_gaps() and the sample of
# join_landmarks(), which follow and are more than the sample of explained_share(). `each`: see
# stored_columns().
order_needs <- function(all, rows, columns, each) {
  8 * all^2 + 10 * all * columns + joined_needs(all, rows, each)
}
