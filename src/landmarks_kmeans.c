/* Entry points that look which center is nearest to each row, and move centers. */
#include <math.h>
#include <string.h>

#include "core/data/gathered.h"
#include "core/select/lloyd.h"
#include "core/select/minibatch.h"
#include "glue.h"

/* The memory of one call, for so many centers. */
static lloyd set_up(const executor *exec, const observations *x, size_t centers) {
  lloyd a;
  LAY_OUT(memory, glue_memory, lloyd_layout(&a, &memory, exec, x, centers));
  return a;
}

/* Copies centers in kernel coordinates, a numeric matrix with a row for each, to points. Centers
 * stay in these coordinates during all iterations, because each change of units would round them.
 */
static void take_in(SEXP at, points *t) {
  const double *from = matrix_of(at, t->count, t->columns, "centers");
  for (size_t j = 0; j < t->columns; j++) {
    memcpy(t->x + j * t->ld, from + j * t->count, t->count * sizeof *t->x);
  }
}

static SEXP give_out(const points *t) {
  SEXP at = Rf_allocMatrix(REALSXP, (int)t->count, (int)t->columns);
  for (size_t j = 0; j < t->columns; j++) {
    memcpy(REAL(at) + j * t->count, t->x + j * t->ld, t->count * sizeof *t->x);
  }
  return at;
}

/* Lloyd's iterations, at most `max_iterations`, from centers in kernel coordinates, of which the
 * first `fixed` do not move. `progress` is a function that is called with 1 after each of them, or
 * NULL. Returns list(centers, iterations, settled): `settled` says whether the last iteration
 * changed nothing. */
SEXP lmk_lloyd(SEXP source, SEXP centers, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(centers), fixed = fixed_of(settings, n);
  const int most = (int)setting_count(settings, "max_iterations");
  SEXP progress = setting(settings, "progress");
  lloyd a = set_up(&exec, &x, n);
  take_in(centers, &a.centers);
  a.label = (int *)R_alloc(x.rows, sizeof(int));
  a.squared = glue_doubles(x.rows);
  lloyd_begin(&a);
  int done = 0, settled = 0;
  while (done < most && !settled) {
    settled = lloyd_step(&a, fixed);
    done++;
    if (Rf_isFunction(progress)) glue_report(progress, 1.0);
  }
  const char *names[] = {"centers", "iterations", "settled"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, give_out(&a.centers));
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(done));
  SET_VECTOR_ELT(out, 2, Rf_ScalarLogical(settled));
  UNPROTECT(1);
  return out;
}

/* Moves centers by batches of `batch_size` rows, one after another. `rows`: their numbers (from 1),
 * batch after batch. Dense rows are in `single` precision or double. Centers are in kernel
 * coordinates, and the first `fixed` do not move. `progress` is as in lmk_lloyd(). Returns
 * list(centers). */
SEXP lmk_minibatch(SEXP source, SEXP rows, SEXP centers, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(centers), fixed = fixed_of(settings, n);
  const int *row = places_of(rows, ANY_LENGTH, x.rows, "rows");
  const size_t all = (size_t)Rf_xlength(rows), size = setting_count(settings, "batch_size");
  const int single = setting_flag(settings, "single");
  if (size < 1 || all % size != 0) Rf_error("`rows` must be those of whole batches");
  SEXP progress = setting(settings, "progress");
  /* Several batches are collected together. */
  const size_t at_once = glue_rows_at_once(&x, single) / size;
  const size_t chunk_rows = (at_once > 1 ? at_once : 1) * size,
               most = all < chunk_rows ? all : chunk_rows;
  size_t entries = 0;
  for (size_t first = 0; first < all; first += most) {
    const size_t here =
        observations_entries(&x, row + first, all - first < most ? all - first : most);
    if (here > entries) entries = here;
  }
  gathered chunk;
  LAY_OUT(memory, glue_memory, gathered_layout(&chunk, &memory, &x, most, entries, single));
  lloyd a = set_up(&exec, &chunk.rows, n);
  take_in(centers, &a.centers);
  a.label = (int *)R_alloc(size, sizeof(int));
  a.squared = glue_doubles(size);
  double *count = glue_doubles(n);
  memset(count, 0, n * sizeof *count);
  for (size_t first = 0; first < all; first += size) {
    if (first % most == 0) {
      gathered_take(&chunk, &exec, &x, row + first, all - first < most ? all - first : most);
    }
    const observations batch = observations_some(&chunk.rows, first % most, size);
    a.x = &batch;
    minibatch_step(&a, fixed, count);
    if (Rf_isFunction(progress)) glue_report(progress, 1.0);
  }
  const char *names[] = {"centers"};
  SEXP out = PROTECT(glue_list(1, names));
  SET_VECTOR_ELT(out, 0, give_out(&a.centers));
  UNPROTECT(1);
  return out;
}

/* The landmark that is nearest to each row (from 1), and the distance to it. */
SEXP lmk_nearest_landmark(SEXP source, SEXP landmarks, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const char *names[] = {"landmark", "distance"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP label = Rf_allocVector(INTSXP, (R_xlen_t)x.rows);
  SET_VECTOR_ELT(out, 0, label);
  SEXP distance = Rf_allocVector(REALSXP, (R_xlen_t)x.rows);
  SET_VECTOR_ELT(out, 1, distance);
  lloyd a = set_up(&exec, &x, (size_t)Rf_nrows(landmarks));
  glue_points_in(landmarks, 0, a.centers.count, &x, &a.centers);
  a.label = INTEGER(label);
  a.squared = REAL(distance);
  for (size_t i = 0; i < x.rows; i++) a.label[i] = -1;
  lloyd_assign(&a);
  for (size_t i = 0; i < x.rows; i++) {
    a.label[i]++;
    a.squared[i] = sqrt(a.squared[i]);
  }
  UNPROTECT(1);
  return out;
}
