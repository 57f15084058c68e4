# The pass over data in chunks that measures landmarks.

# The sums of nystrom_over() over all chunks, in which the number of the nearest row counts all rows. `at`:
# the coordinates of the kernel, list(center, factor). `marks`: of the pass before, or NULL. `share`:
# of the rows from which the sums are computed. Scaled up to weights of mean 1 over all rows.
nystrom_of_chunks <- function(plan, landmarks, at, kernel, settings, call, marks = NULL, share = 1) {
  settings <- settings[c("held", "floor", "criterion")]
  at <- at[c("center", "factor")]
  all <- NULL
  before <- 0
  kernel <- kernel["bandwidth"]
  over_chunks(plan$chunks, measure_chunk, plan_work(plan), landmarks, at, kernel, settings, share,
    call = call, own = plan$own, form = plan$form, marks = marks, take = function(value, k) {
      if (!is.null(value$pass)) {
        value$pass$nearest <- value$pass$nearest + before
        all <<- if (is.null(all)) value$pass else join_passes(all, value$pass)
      }
      before <<- before + value$rows
    }
  )
  if (is.null(all)) abort_weightless(before, "x", call)
  all$nearest <- as_row_numbers(all$nearest)
  c(scaled_pass(all, before), rows = before)
}

measure_chunk <- function(rows, item, work, landmarks, at, kernel, settings, share) {
  given <- rows_of_chunk(rows, item, work)
  # The user's function may return other values than before.
  check_new_values(given$x, at$center, at$factor, "x", NULL)
  part <- lay_out(given$x, given$w, at$center, at$factor)
  if (source_rows(part) == 0) return(list(rows = nrow(rows)))
  list(rows = nrow(rows), pass = nystrom_over(part, landmarks, kernel, c(settings, compute_with()), share))
}
