# From a method's selection to a fit, the plain list of class `landmarks`.

# Below this part of its own variance a landmark adds only rounding
# error: there are as many landmarks as the rank of the kernel.
rank_floor <- 1e-12

# The same threshold for the Gaussian kernel itself; inner products of features are about its square. Below
# it the landmarks' kernel matrix is numerically singular.
kernel_floor <- 1e-8

# `held`: landmarks of an earlier fit, which stay where they are. `n` is NULL where the
# method chooses the number. The result has the `kernel`, whose bandwidth the method may have learned, and the
# `response` of a method that has one.
learn <- function(method, source, n, kernel, held = NULL, call = rlang::caller_env()) {
  held <- held %||% c(selection(source_no_points(source)), list(variance = numeric()))
  # Held landmarks that add nothing would make the volume 0.
  seen <- held$variance > 0 | !method_can(method, "knows_kernel")
  found <- select_landmarks(method, source, n, kernel, held$landmarks[seen, , drop = FALSE], call)
  found <- check_found(found, source, call)
  if (!is.null(found$bandwidth) && found$bandwidth != kernel$bandwidth) {
    kernel[c("bandwidth", "rule")] <- list(found$bandwidth, "learned with the response")
  }
  ordered <- if (found$ordered) nrow(held$landmarks) + nrow(found$landmarks) else nrow(held$landmarks)
  all <- after_held(held, found)
  keep <- nrow(if (method_can(method, "knows_kernel")) held$landmarks else all$landmarks)
  described <- order_and_measure(all, source, kernel, ordered, keep, call)
  wanted <- nrow(held$landmarks) + (n %||% nrow(found$landmarks))
  if (length(described$variance) < wanted && found$fill_up) {
    described <- fill_up(described, wanted, source, kernel, ordered, keep, found$criterion, call)
  }
  if (length(described$variance) < wanted) {
    warn_rank(length(described$variance), wanted, call, method_can(method, "knows_kernel"))
  }
  described$kernel <- kernel[c("bandwidth", "rule", "space")]
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

# Where the kernel is wide, moving landmarks may end nearly equal to others and are dropped.
# The rows with the largest remaining variance replace them, as long as there are any.
fill_up <- function(described, wanted, source, kernel, ordered, keep, criterion, call) {
  how <- compute_with(call)
  rows <- active_rows(
    source, described$landmarks, wanted - length(described$variance), kernel$bandwidth, FALSE,
    c(0, kernel_floor), how
  )$rows
  if (length(rows) == 0) return(described)
  found <- selection(project_points(rows_as_points(source, rows), kernel$space, call),
    exact = described$exact, covariance = described$covariance, used = described$used, criterion = criterion
  )
  order_and_measure(after_held(described, found), source, kernel, ordered, keep, call)
}

source_no_points <- function(source) matrix(0, 0, source$dim[2], dimnames = list(NULL, source$names))

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
  if (source$dim[1] <= rows) return(gram_over(source, landmarks, kernel$bandwidth, how))
  some <- draw_rows(source, rows)
  if (!in_memory(source)) {
    pass <- gram_over(source, landmarks, kernel$bandwidth, how, some)
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
  pass <- .Call(C_gram, part, landmarks, list(bandwidth = kernel$bandwidth), how)
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
    p <- posterior_of_batch(batch, landmarks, batch$rows[looked[few]], kernel$bandwidth, how)
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

# V_n at rows of a source, given landmarks: list(prior, left). Each part of the data is read once for as many
# blocks of these rows as have sums and points of at most `most` bytes together.
variance_left <- function(source, landmarks, at, bandwidth, how, most = 2.5e8) {
  n <- at$dim[1]
  prior <- left <- numeric(n)
  step <- function(part, points) {
    lapply(points, function(some) posterior_sums(part, NULL, landmarks, some, bandwidth, how))
  }
  blocks <- point_blocks(n, at$dim[2])
  largest <- length(unlist(blocks[1]))
  bytes <- 8 * (nrow(landmarks) * (nrow(landmarks) + largest) + largest * at$dim[2])
  for (some in split(blocks, (seq_along(blocks) - 1) %/% max(most %/% bytes, 1))) {
    points <- lapply(some, function(block) rows_as_points(at, block))
    sums <- over_parts(source, step, points, combine = function(a, b) Map(add, a, b))
    for (b in seq_along(some)) {
      p <- .Call(C_posterior, sums[[b]], c(list(rows = source$dim[1]), how))
      prior[some[[b]]] <- p$prior
      left[some[[b]]] <- pmax(p$prior - rowSums(p$explained), 0)
    }
  }
  list(prior = prior, left = left)
}

# list(prior, explained): the variance of the process at points, a matrix or row numbers, by the kernel of a
# batch of rows. `prior` is
# the variance without landmarks, and `explained` the part that each landmark in order explains, points x n.
posterior_of_batch <- function(batch, landmarks, at, bandwidth, how) {
  sums <- posterior_sums(batch$source, batch$rows, landmarks, at, bandwidth, how)
  .Call(C_posterior, sums, c(list(rows = length(batch$rows)), how))
}

# The inner products for these variances, over some rows of a part, or all (NULL).
posterior_sums <- function(part, rows, landmarks, at, bandwidth, how) {
  .Call(C_posterior_sums, part, rows, landmarks, at, list(bandwidth = bandwidth), how)
}

# Adds two lists of sums, entry by entry.
add <- function(a, b) Map(`+`, a, b)

# 1, ..., n in blocks of rows that take about 8 MB as points.
point_blocks <- function(n, dimension) {
  block <- min(max(1e6 %/% dimension, 8), 1024)
  split(seq_len(n), (seq_len(n) - 1) %/% block)
}

# `history`: how the landmarks were found, in words, step after step.
new_landmarks <- function(described, source, kernel, method, scale, blueprint, call, started,
                          history = describe_method(method, described$used)) {
  how <- compute_with(rlang::caller_env())
  kernel <- described$kernel %||% kernel
  described$kernel <- NULL
  method <- without_response(method)
  described <- in_given_rows(described, source$omitted, source$dim[1])
  sampled <- sample_evenly(source, gap_limits$rows)
  spacing <- row_spacing(sampled, kernel$bandwidth, how)
  structure(
    c(described, list(
      on_data = lies_on_data(described$nearest_distance, spacing),
      spacing = spacing,
      gaps = find_gaps(described$landmarks, sampled, spacing, how),
      bandwidth = kernel$bandwidth,
      bandwidth_rule = kernel$rule,
      space = kernel$space,
      method = method,
      history = history,
      center = source$center,
      factor = source$factor,
      mean = as.double(source$mean),
      sd = sqrt(as.double(source$variance)),
      scaled = scale,
      weighted = !is.null(source$weights),
      n_rows = source$dim[1],
      sparse = source$sparse,
      blueprint = blueprint,
      call = light_call(call),
      seconds = as.double(proc.time()[["elapsed"]] - started),
      version = made_by()
    ), given_as(source)),
    class = "landmarks"
  )
}

# What the data were made of, where they were not given as rows without missing values.
given_as <- function(source) {
  given <- list(na.action = source$omitted, experiment = source$experiment)
  given[lengths(given) > 0]
}

# A call by do.call() contains the data themselves. The argument's name replaces
# them, so that a saved fit does not contain the data.
light_call <- function(call) {
  light <- function(part) is.language(part) || (length(part) <= 10 && in_memory(part))
  heavy <- which(!vapply(as.list(call), light, NA))
  for (i in heavy) call[[i]] <- as.name(names(call)[i])
  call
}

# Whether each landmark has converged: where steps used all rows, by the method's
# tolerance; on random batches by the average distance of its last steps.
has_converged <- function(fit) {
  limit <- if (isTRUE(fit$exact)) max(step_tolerance(fit$method), 1e-12) else 0.05
  !is.na(fit$moved) & fit$moved <= limit
}
