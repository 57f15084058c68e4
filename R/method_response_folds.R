# Which rows by_response() holds out: the parts of the data and the runs that leave them out.

# What is held out, or NULL for nothing: list(parts, runs), where `parts` is a list of the numbers of rows, no
# row in two of them, and `runs` has for each run the numbers of the parts that it leaves out. Of few rows a
# run leaves out several parts, so that there are runs which have seen neither the part that is scored nor
# those that choose for it. A single run has two parts. `groups`: a number for each row of the data, or NULL;
# parts have whole groups, which count as rows do otherwise. `once`: whether there is a single run anyhow, as
# in comparisons, which measure on other rows.
held_out_design <- function(share, rows, groups = NULL, once = FALSE) {
  if (share == 0 || (is.null(groups) && length(rows) < 4)) return(NULL)
  if (is.null(groups)) return(design_of_units(share, rows, length(rows), once))
  of_group <- unname(split(rows, groups[rows]))
  design <- design_of_units(share, seq_along(of_group), length(rows), once)
  design$parts <- lapply(design$parts, function(some) sort(unlist(of_group[some])))
  design
}

# The same for `units`, rows or groups, that have so many `rows` in all.
design_of_units <- function(share, units, rows, once = FALSE) {
  n <- length(units)
  # A single part of few rows is larger, because it alone chooses.
  if (once && n >= 4) share <- max(share, min(1 / 3, 100 / n))
  once <- n >= 4 && (once || rows > response_schedule$refit)
  in_turn <- n < response_schedule$leave_one_out && !once
  if (in_turn) return(list(parts = as.list(units), runs = as.list(seq_len(n))))
  # Groups may be large.
  most_held_out <- response_schedule$most_held_out * n %/% rows
  count <- max(2, min(most_held_out, max(5, round(share * n)), n %/% 2))
  most <- if (once) 1 else if (n < 100) 10 else 5
  runs <- min(most, n %/% count, ceiling(response_schedule$wanted_held_out / count))
  drawn <- units[sample.int(n, runs * count)]
  cut <- function(part) unname(lapply(split(drawn, part), sort))
  if (runs == 1) return(list(parts = cut(seq_len(count) > count / 2), runs = list(1:2)))
  left_out <- if (n < 100) 0.4 else if (n < response_schedule$few) 0.3 else 0
  together <- min(max(1, floor(left_out * n / count + 0.1)), runs - 1)
  left_out <- lapply(seq_len(runs), function(r) (r + seq_len(together) - 2) %% runs + 1)
  list(parts = cut(rep(seq_len(runs), each = count)), runs = left_out)
}

# The validations of a design: the rows of a data frame, each of a `part` that a `run` has left out.
validations_of <- function(design) {
  data.frame(run = rep(seq_along(design$runs), lengths(design$runs)), part = unlist(design$runs))
}

# The validations that choose for a part: those of other parts, if there are any of runs that left it out too.
validations_without <- function(validations, part) {
  others <- which(validations$part != part)
  unseen <- intersect(others, which(validations$run %in% validations$run[validations$part == part]))
  if (length(unseen)) unseen else others
}
