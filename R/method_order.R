# From what a selector found to landmarks in greedy order, with variances and nearest rows.

# `held`: landmarks of an earlier fit, which stay where they are. `n` is NULL where the
# method chooses the number. The result has the `kernel`, whose bandwidth the method may have learned, and the
# `response` of a method that has one.
learn <- function(method, source, n, kernel, held = NULL, call = rlang::caller_env()) {
  held <- held %||% c(selection(source_no_points(source)), list(variance = numeric()))
  # Held landmarks that add nothing would make the volume 0.
  seen <- held$variance > 0 | !method_can(method, "knows_kernel")
  found <- select_landmarks(method, source, n, kernel, held$landmarks[seen, , drop = FALSE], call)
  found <- check_found(found, source, nrow(held$landmarks), call)
  if (!is.null(found$bandwidth) && found$bandwidth != kernel$bandwidth) {
    kernel[c("bandwidth", "rule")] <- list(found$bandwidth, "learned with the response")
  }
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
  described$response <- found$response
  described
}

# A selection of landmarks, those held first. Parts that are not per landmark come from `found`.
after_held <- function(held, found) {
  each <- c("iterations", "moved", "rows", "trace")
  found[each] <- Map(c, held[each], found[each])
  found$landmarks <- rbind(held$landmarks, found$landmarks)
  found
}

# Where the kernel is wide, moving landmarks may end nearly equal to others and are dropped. The rows with the
# largest remaining variance replace them: the selection with these rows, NULL where there are none.
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

warn_rank <- function(found, wanted, call, by_kernel = TRUE) {
  warn_user(c(
    if (by_kernel) {
      "{found} of {wanted} landmarks were found, as many as the rank of the kernel."
    } else {
      "{found} of {wanted} landmarks were found, as many as there are different rows."
    },
    i = if (by_kernel) {
      "More would add only rounding error. Try a narrower {.arg bandwidth}, or look for repeated rows."
    }
  ), kind = "rank", call = call)
}

# Puts landmarks in order and computes their variances and nearest rows in one pass over all rows; and from
# a sample the share of the kernel's variance that they explain.
# `ordered`: this many first landmarks keep their order; `keep`: this many are kept even
# where they explain nothing.
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

# list(place, variance): which landmarks, in which order, and the variance that those before leave at
# each. By the trace, the next landmark is the one that explains most of the Gaussian kernel at the
# observations together with those before it; by the volume, the one with the largest variance.
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
  # Landmarks in fixed order that add nothing are dropped, unless `keep` includes them.
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

# G = Phi'D Phi and each landmark's nearest row, from all rows; where that would be more
# than 1e11 products, G comes from as many random rows as this allows, scaled up to
# all rows: its variances are then estimates.
gram_of <- function(found, source, kernel, how) {
  landmarks <- found$landmarks
  rows <- gram_rows(nrow(landmarks))
  if (source$dim[1] <= rows) return(gram_over(source, landmarks, kernel, how))
  some <- draw_rows(source, rows)
  if (!in_memory(source)) {
    pass <- gram_over(source, landmarks, kernel, how, some)
    all <- if (is.null(source$weights)) source$dim[1] else sum(source$weights)
    pass$gram <- pass$gram * all / sum(weights_at(source, some))
    return(pass)
  }
  part <- rows_of(source, some)
  share <- if (is.null(source$weights)) {
    length(some) / source$dim[1]
  } else {
    sum(part$weights) / sum(source$weights)
  }
  pass <- .Call(C_gram, part, landmarks, kernel, how)
  near <- nearest_rows(source, landmarks, 1L, how)
  list(gram = pass$gram / share, nearest = as.vector(near$observation), distance = as.vector(near$distance))
}

# The most rows that G is computed from.
gram_rows <- function(n, most = 1e11) max(most %/% n^2, 4 * n, 10000)

# The share of the kernel's variance at the observations that the first
# landmarks, 1, 2, ... of them, explain: 1 - sum_i V_k(x_i) / sum_i V_0(x_i),
# over a sample of rows. All of them define the kernel, and the variances are computed at up to
# 2,000 of them. Those of variance 0 explain nothing.
explained_share <- function(landmarks, variance, source, kernel, how) {
  some <- variance > 0
  if (!any(some)) return(numeric(length(variance)))
  landmarks <- landmarks[some, , drop = FALSE]
  rows <- draw_rows(source, explained_rows(nrow(landmarks)))
  batch <- batch_of(source, rows)
  looked <- unique(round(seq(1, length(rows), length.out = min(length(rows), 2000))))
  weights <- weights_at(source, rows[looked])
  prior <- 0
  explained <- numeric(nrow(landmarks))
  for (few in point_blocks(length(looked), 1)) {
    p <- posterior_of_batch(batch, landmarks, batch$rows[looked[few]], kernel, how)
    prior <- prior + sum(p$prior * weights[few])
    explained <- explained + colSums(p$explained * weights[few])
  }
  each <- numeric(length(variance))
  each[some] <- explained
  # Rounding may carry it beyond 1, where the kernel of the landmarks is nearly singular.
  pmin(cumsum(each) / prior, 1)
}

# How many rows the kernel of explained_share() has.
explained_rows <- function(n) max(1000L, 4L * n)

check_fit_memory <- function(method, source, n, held, call) {
  check_work(fit_needs(method, source, n, held, call),
    "A fit of {n + held} landmarks in {source$dim[2]} dimensions needs",
    c("Use fewer landmarks.", memory_remedy(method)), "n", call
  )
}

# The numbers (of 8 bytes) of a fit: the selection, then the order; and the nearest rows.
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

# order_and_measure(): G and the landmarks' kernel with their copies and factors, and the rows of
# explained_share(). Then find_gaps() has copies of the landmarks.
order_needs <- function(all, rows, columns, each) {
  8 * all^2 + 10 * all * columns + min(rows, explained_rows(all)) * each
}
