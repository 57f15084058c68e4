/* The entry point that moves landmarks on batches of rows. */
#include "core/optim/batches.h"
#include "core/optim/trace.h"
#include "core/optim/volume.h"
#include "glue.h"

static void report(void *context, size_t rows) { glue_report(*(SEXP *)context, (double)rows); }

static size_t *counts_of(SEXP vector, size_t length, const char *name) {
  const int *given = integers_of(vector, length, name);
  const size_t count = (size_t)Rf_xlength(vector);
  size_t *out = (size_t *)R_alloc(count, sizeof *out);
  for (size_t i = 0; i < count; i++) {
    if (given[i] < 1) Rf_error("`%s` must be counts", name);
    out[i] = (size_t)given[i];
  }
  return out;
}

/* Puts consecutive batches in chunks of at most so many rows, or of one larger batch. Returns the
 * number of rows of all batches. */
static size_t chunks_in(batch_schedule *schedule, size_t most) {
  size_t *chunk = (size_t *)R_alloc(schedule->count, sizeof *chunk), filled = 0, sum = 0;
  for (size_t k = 0; k < schedule->count; k++) {
    if (filled == 0 || filled + schedule->size[k] > most) {
      chunk[schedule->chunks++] = 0;
      filled = 0;
    }
    chunk[schedule->chunks - 1]++;
    filled += schedule->size[k];
    sum += schedule->size[k];
  }
  schedule->chunk = chunk;
  return sum;
}

/* The batches of `settings`, over rows of `all`. */
static batch_schedule schedule_of(SEXP settings, const observations *all) {
  SEXP sizes = setting(settings, "sizes");
  batch_schedule schedule = {.count = (size_t)Rf_xlength(sizes)};
  schedule.size = counts_of(sizes, ANY_LENGTH, "sizes");
  schedule.steps = integers_of(setting(settings, "steps"), schedule.count, "steps");
  schedule.averaged = setting_count(settings, "averaged");
  schedule.halvings = (int)setting_count(settings, "halvings");
  schedule.is_single = setting_flag(settings, "single");
  const size_t rows = chunks_in(&schedule, glue_rows_at_once(all, schedule.is_single));
  schedule.row = places_of(setting(settings, "rows"), rows, all->rows, "rows");
  return schedule;
}

/* A climb of the landmarks but the first `fixed`, on batches one after another: of `sizes` rows,
 * with so many `steps` on each; `averaged` of the last; in `single` precision or double. `rows`:
 * their numbers, batch after batch. `progress` is a function of the rows of each batch, or NULL.
 * `starts`: a matrix of points, of which the best on the first batch takes the place of the only
 * landmark that moves, or NULL; the result is NULL where no landmark at any of them would add to
 * those fixed. */
SEXP lmk_climb_batches(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  glue_projection projection;
  const space s = glue_space(kernel, &x, &projection);
  matrix_of(landmarks, ANY_LENGTH, x.columns, "landmarks");
  const size_t n = (size_t)Rf_nrows(landmarks), fixed = fixed_of(settings, n);
  batch_schedule schedule = schedule_of(settings, &x);
  SEXP progress = setting(settings, "progress");
  if (Rf_isFunction(progress)) {
    schedule.progress = report;
    schedule.context = &progress;
  }
  points starts;
  SEXP given = setting(settings, "starts");
  if (given != R_NilValue) {
    if (n != fixed + 1) Rf_error("`starts` are for one landmark");
    matrix_of(given, ANY_LENGTH, x.columns, "starts");
    const size_t count = (size_t)Rf_nrows(given), size = points_size(count, x.columns);
    starts = points_on((double *)R_alloc(size, sizeof(double)), count, x.columns);
    glue_points_in(given, 0, count, &x, &starts);
    schedule.starts = &starts;
  }
  batches b;
  const criterion *criterion = glue_criterion(settings);
  const climb_problem problem = {glue_kernel(kernel), criterion, &s, fixed, n - fixed};
  arena measure = {NULL, 0}, memory;
  batches_layout(&b, &measure, &exec, &x, &problem, &schedule);
  SEXP lent = PROTECT(glue_lend(&measure, &memory));
  batches_layout(&b, &memory, &exec, &x, &problem, &schedule);
  glue_points_in(landmarks, 0, fixed, &x, &b.ascent.fixed);
  glue_points_in(landmarks, fixed, n - fixed, &x, &b.ascent.now);
  const char *names[] = {"landmarks", "iterations", "moved"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP result = Rf_duplicate(landmarks);
  SET_VECTOR_ELT(out, 0, result);
  SEXP moved = Rf_allocVector(REALSXP, (R_xlen_t)(n - fixed));
  SET_VECTOR_ELT(out, 2, moved);
  const int steps = batches_climb(&b, &schedule, REAL(moved));
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(steps));
  glue_points_out(&b.ascent.now, &x, s.kind, fixed, REAL(result), n);
  glue_return(lent);
  UNPROTECT(2);
  return steps < 0 ? R_NilValue : out;
}
