# Which rows by_response() holds out, and what is seen of a plan on them.

# What is held out, or NULL for nothing: list(parts, runs), where `parts` is a list of the numbers of rows, no
# row in two of them, and `runs` has for each run the numbers of the parts that it leaves out. Of few rows a
# run leaves out several parts, so that there are runs which have seen neither the part that is told nor those
# that choose for it. A single run has two parts. `groups`: a number for each row of the data, or NULL; parts
# have whole groups, which count as rows do otherwise.
held_out_design <- function(share, rows, groups = NULL) {
  if (share == 0) return(NULL)
  if (is.null(groups)) return(if (length(rows) >= 4) design_of_units(share, rows, length(rows)))
  rows_of_group <- unname(split(rows, groups[rows]))
  design <- design_of_units(share, seq_along(rows_of_group), length(rows))
  design$parts <- lapply(design$parts, function(some) sort(unlist(rows_of_group[some])))
  design
}

# The same for `units`, rows or groups, that have so many `rows` in all.
design_of_units <- function(share, units, rows) {
  n <- length(units)
  once <- rows > response_schedule$refit && n >= 4
  if (n < response_schedule$leave_one_out && !once) {
    return(list(parts = as.list(units), runs = as.list(seq_len(n))))
  }
  # Groups may be large.
  most_held_out <- response_schedule$most_held_out * n %/% rows
  count <- max(2, min(most_held_out, max(5, round(share * n)), n %/% 2))
  most <- if (once) 1 else if (n < 100) 10 else 5
  runs <- min(most, n %/% count, ceiling(response_schedule$wanted_held_out / count))
  drawn <- units[sample.int(n, runs * count)]
  if (runs == 1) {
    half <- seq_len(count) <= count / 2
    return(list(parts = list(sort(drawn[half]), sort(drawn[!half])), runs = list(1:2)))
  }
  left_out <- if (n < 100) 0.4 else if (n < response_schedule$few) 0.3 else 0
  together <- min(max(1, floor(left_out * n / count + 0.1)), runs - 1)
  list(
    parts = lapply(seq_len(runs), function(p) sort(drawn[(p - 1) * count + seq_len(count)])),
    runs = lapply(seq_len(runs), function(r) (r + seq_len(together) - 2) %% runs + 1)
  )
}

# What is seen of a plan: list(runs, losses): the runs of the `design`, each as run_response() returns it, and
# the losses of all looks, an array of evaluations x scales x looks.
try_plan <- function(problem, design, plan, keep = FALSE) {
  runs <- lapply(design$runs, function(left_out) {
    parts <- design$parts[left_out]
    train <- setdiff(problem$rows, unlist(parts))
    run_response(problem, plan, train, parts, patience = response_schedule$patience, keep = keep)
  })
  losses <- lapply(runs, function(run) run$losses)
  looks <- sum(lengths(design$runs))
  list(runs = runs, losses = array(unlist(losses), c(dim(losses[[1]])[1:2], looks)))
}
