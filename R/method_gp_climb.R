# The climb of the joint and the sequential solver: steps that move landmarks so that the criterion rises, on
# random batches of rows first and then on all rows.

# ---- the schedule --------------------------------------------------------------------

# The default schedule of each solver, chosen by measurement (bench/RESULTS.md, "Schedules"). For `joint` and
# up to 100 landmarks there are so many `batches`, whose sizes grow from `first` to `last` rows.
# growing_sizes() has the rule for other numbers of landmarks.
gp_schedules <- list(
  joint = list(first = 500, last = 5000, batches = 32L, iterations = 1L),
  sequential = list(batch_size = c(1000, 4000), batches = c(1L, 1L), iterations = c(20L, 5L)),
  sgd = list(batch_size = 1000, batches = 1L, iterations = 1000L)
)

# What `batch_size = Inf`, a batch of all rows, becomes among whole numbers.
all_rows_size <- .Machine$integer.max

# The schedule for these data, list(sizes, iterations, averaged, all): how many rows each batch has, and how
# many iterations it gets; over how many of the last batches the landmarks are averaged; and how many
# iterations on all rows follow, at the most. `n`: the number of landmarks, held ones included.
climb_plan <- function(method, rows, n) {
  if (method$solver == "joint" && is.null(method$batch_size)) return(growing_plan(method, rows, n))
  sizes <- method$batch_size
  if (method$grow) sizes <- pmax(sizes, c(5L, 10L)[pmin(seq_along(sizes), 2L)] * n)
  # The first batch that would have all rows is replaced by iterations on all rows, and no batch follows.
  stages <- seq_len(sum(cumall(sizes < rows)))
  batches <- method$batches[stages]
  list(
    sizes = rep(as.integer(sizes[stages]), batches), iterations = rep(method$iterations[stages], batches),
    averaged = as.integer(ceiling(method$average * sum(batches))),
    all = if (length(stages) < length(sizes)) method$max_iterations else 0L
  )
}

# Whether all elements up to each one are TRUE.
cumall <- function(x) cumsum(!x) == 0

# The schedule of the joint solver with the default sizes, for N data rows and n landmarks. The limits are
# chosen so that neither time nor quality jumps where N grows:
#
#   * Up to `few` rows all iterations use all rows. `passes` is the number of rows that they may read in all:
#     176,000 for n of at most 100 and 200 iterations (the default), enough to converge on most data.
#   * With more rows, batches come first, and what they read is subtracted. What is left for iterations on all
#     rows falls with N, to 0 before N is five times `few`.
#   * With more landmarks each row takes longer, so that these limits grow only with the fourth root of n.
growing_plan <- function(method, rows, n) {
  growth <- max(1, n / 100)^(1 / 4)
  few <- 2000 * growth
  passes <- 880 * method$max_iterations * growth
  sizes <- integer()
  if (rows > few) {
    sizes <- growing_sizes(sum(method$batches), n, rows)
    passes <- passes * max(0, (5 * few - rows) / (4 * few)) - sum(sizes)
  }
  list(
    sizes = sizes, iterations = rep_len(method$iterations, length(sizes)),
    averaged = as.integer(ceiling(method$average * length(sizes))),
    all = as.integer(min(method$max_iterations, max(0, passes %/% rows)))
  )
}

# The sizes of batches. Each is larger than the one before by the same ratio, and none is larger than the
# data. With fewer than 100 landmarks the last batches are larger than `last`, which helps where the kernel is
# narrow. With more than 100 they are larger and fewer: each needs at least 2 n rows, and all together have
# 60,000 to 100,000 rows for n up to 1,000, because the work for each row grows with n.
growing_sizes <- function(batches, n, rows) {
  schedule <- gp_schedules$joint
  growth <- max(1, n / 100)
  count <- max(1, round(batches / growth^(1 / 8)))
  first <- max(schedule$first, 2 * n)
  last <- schedule$last * if (n < 100) min(1.6, (100 / n)^0.7) else growth^(1 / 6)
  as.integer(pmin(rows, round(first * (max(last, first) / first)^(seq(0, 1, length.out = count)))))
}

# ---- the steps -----------------------------------------------------------------------

# Moves the landmarks after the first `held`: list(landmarks, iterations, moved, exact). `moved` is how far
# the last iterations would have moved each of them, in sqrt(bandwidth), and `exact` says whether all
# iterations used all rows.
gp_climb <- function(method, source, landmarks, held, kernel, how, call) {
  rows <- source_rows(source)
  plan <- climb_plan(method, rows, nrow(landmarks))
  for_core <- kernel_of_moves(kernel, source, call)
  settings <- list(held = held, criterion = method$criterion, halvings = method$halvings)
  bar <- progress_start("Learning landmarks", sum(plan$sizes) + plan$all * rows)
  found <- list(landmarks = landmarks, iterations = 0L, moved = rep(NA_real_, nrow(landmarks) - held))
  if (length(plan$sizes)) {
    batches <- batches_of_plan(source, plan)
    settings_of <- c(settings, batches$settings, how)
    settings_of$progress <- progress_of(bar)
    found <- climb_chunks(source, batches$source, landmarks, for_core, settings_of)
  }
  if (plan$all > 0) {
    over <- rows_in_steps(source, kernel, held, nrow(landmarks), how)
    end <- c(list(max_iterations = plan$all, tolerance = method$tolerance), over$settings)
    end$progress <- progress_of(bar, rows)
    last <- .Call(C_climb, over$source, found$landmarks, for_core, c(settings, end, how))
    found <- list(
      landmarks = last$landmarks, iterations = found$iterations + last$iterations, moved = last$moved
    )
  }
  c(found, exact = length(plan$sizes) == 0)
}

# The climb on all batches. If the source has a checkpoint, the result of each chunk of batches is logged.
# `from`: the source that the core reads.
climb_chunks <- function(source, from, landmarks, for_core, settings) {
  if (!is_logged(source)) return(.Call(C_climb_batches, from, landmarks, for_core, settings))
  found <- NULL
  for (until in seq_along(settings$chunks)) {
    settings$until <- until
    settings["state"] <- list(found$state)
    found <- remember(source, "chunk", function() .Call(C_climb_batches, from, landmarks, for_core, settings))
  }
  found
}

# Random rows for the batches of a plan, list(source, settings). Consecutive batches form a chunk, whose rows
# are collected together. For a dense matrix in memory a chunk has at most 64 MB, so that one pass over the
# columns of the matrix serves several batches. Rows that are not in memory are fetched in chunks of at most
# chunk_bytes(), each with one pass over the parts.
batches_of_plan <- function(source, plan) {
  rows <- lapply(plan$sizes, function(size) draw_rows(source, size))
  settings <- list(
    sizes = lengths(rows), steps = plan$iterations, averaged = plan$averaged
  )
  all <- batch_in_memory(source, unlist(rows))
  most <- if (is.null(all)) chunk_bytes() else 64e6
  bytes <- 8 * stored_columns(source)
  chunk <- chunks_of(settings$sizes, if (!is.null(all) && source$sparse) Inf else most / bytes)
  settings$chunks <- tabulate(chunk)
  if (is.null(all)) {
    settings$fetch <- function(i) rows_of(source, unlist(rows[chunk == i]))
    return(list(source = source, settings = settings))
  }
  settings$rows <- all$rows
  list(source = all$source, settings = settings)
}

# The number of the chunk of each batch, by the sizes of the batches. A chunk has consecutive batches of
# together at most `most` rows, or a single larger one.
chunks_of <- function(sizes, most) {
  chunk <- integer(length(sizes))
  now <- 1L
  filled <- 0
  for (k in seq_along(sizes)) {
    if (filled > 0 && filled + sizes[k] > most) {
      now <- now + 1L
      filled <- 0
    }
    filled <- filled + sizes[k]
    chunk[k] <- now
  }
  chunk
}

# What the core needs for steps on all rows, list(source, settings). If the rows and their features take at
# most 128 MB, they are collected once and kept. Else they are read again in each step.
rows_in_steps <- function(source, kernel, held, n, how) {
  rows <- source_rows(source)
  small <- rows * (stored_columns(source) + 2 * n) <= 2^24
  # Sums over several parts are only available where no landmark is held (see all_rows()). With held landmarks
  # the rows are therefore collected, however many they are.
  if (!small && (held == 0 || in_memory(source))) {
    return(list(source = source, settings = all_rows(source, kernel, how)))
  }
  batch <- batch_of(source, draw_rows(source, rows))
  list(source = batch$source, settings = list(over = "batch", rows = batch$rows))
}
