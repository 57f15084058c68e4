/* Entry points that look which center is nearest to each row of a part, and move centers. */
#include <math.h>
#include <string.h>

#include "core/choose/lloyd.h"
#include "core/choose/minibatch.h"
#include "core/data/gathered.h"
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
    memcpy(t->x + j * t->length, from + j * t->count, t->count * sizeof *t->x);
  }
}

static SEXP give_out(const points *t) {
  SEXP at = Rf_allocMatrix(REALSXP, (int)t->count, (int)t->columns);
  for (size_t j = 0; j < t->columns; j++) {
    memcpy(REAL(at) + j * t->count, t->x + j * t->length, t->count * sizeof *t->x);
  }
  return at;
}

static points new_points(SEXP at, size_t n, size_t columns) {
  points t = points_on(glue_doubles(points_size(n, columns)), n, columns);
  take_in(at, &t);
  return t;
}

/* Assigns each row of a part to the nearest center. Centers are in kernel coordinates, and the
 * first `held` do not move. `size` has the weight of each center's rows in all parts. The part
 * keeps `label` (from 0) and `squared`, which are changed in place. `is_first` says that no row has
 * a center yet. Returns how many rows have changed their center, and the sums and sizes of the
 * part, which are NULL where all rows had a center and kept it. */
SEXP lm_lloyd_assign(SEXP source, SEXP label, SEXP squared, SEXP centers, SEXP size,
                     SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(centers);
  lloyd a = set_up(&exec, &x, n);
  const int is_first = setting_flag(settings, "is_first");
  a.label = integers_to_change(label, x.rows, "label");
  a.squared = numbers_to_change(squared, x.rows, "squared");
  take_in(centers, &a.centers);
  lloyd_norms(&a.centers, held_of(settings, n), numbers_of(size, n, "size"));
  for (size_t i = 0; is_first && i < x.rows; i++) a.label[i] = -1;
  const size_t changed = lloyd_assign(&a);

  const char *names[] = {"changed", "sums", "size"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)changed));
  if (changed > 0 || is_first) {
    lloyd_sums(&a);
    SET_VECTOR_ELT(out, 1, give_out(&a.sums));
    SEXP sizes = Rf_allocVector(REALSXP, (R_xlen_t)n);
    SET_VECTOR_ELT(out, 2, sizes);
    memcpy(REAL(sizes), a.size, n * sizeof(double));
  }
  UNPROTECT(1);
  return out;
}

/* Moves the centers to the means of their rows, given sums and sizes over all parts. Columns of the
 * sums are multiplied by `factor`. */
SEXP lm_lloyd_move(SEXP centers, SEXP sums, SEXP size, SEXP settings) {
  const size_t n = (size_t)Rf_nrows(centers), columns = (size_t)Rf_ncols(centers);
  points now = new_points(centers, n, columns);
  const points all = new_points(sums, n, columns);
  lloyd_move(&now, held_of(settings, n), &all, numbers_of(size, n, "size"),
             numbers_of(setting(settings, "factor"), columns, "factor"));
  return give_out(&now);
}

/* Moves centers by batches of `batch_size` rows, one after another. `rows`: their numbers (from 1),
 * batch after batch. The rows of `at_once` batches are collected together, in `single` precision or
 * double. Centers are in kernel coordinates, and the first `held` do not move. `count` has the
 * weight of the rows that each center has had in the batches before. Returns list(centers, count).
 */
SEXP lm_minibatch(SEXP source, SEXP rows, SEXP centers, SEXP count, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(centers), held = held_of(settings, n);
  const double *before = numbers_of(count, n, "count");
  const int *row = places_of(rows, ANY_LENGTH, x.rows, "rows");
  const size_t all = (size_t)Rf_xlength(rows), size = setting_count(settings, "batch_size");
  const size_t at_once = setting_count(settings, "at_once");
  if (size < 1 || at_once < 1) Rf_error("`batch_size` and `at_once` must be counts");
  if (all % size != 0) Rf_error("`rows` must be those of whole batches");
  const size_t most = all / size < at_once ? all : at_once * size;
  size_t entries = 0;
  for (size_t first = 0; first < all; first += most) {
    const size_t here =
        observations_entries(&x, row + first, all - first < most ? all - first : most);
    if (here > entries) entries = here;
  }
  gathered chunk;
  LAY_OUT(memory, glue_memory,
          gathered_layout(&chunk, &memory, &x, most, entries, setting_flag(settings, "single")));
  lloyd a = set_up(&exec, &chunk.rows, n);
  take_in(centers, &a.centers);
  a.label = (int *)R_alloc(size, sizeof(int));
  a.squared = glue_doubles(size);
  const char *names[] = {"centers", "count"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP after = Rf_allocVector(REALSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 1, after);
  memcpy(REAL(after), before, n * sizeof(double));
  for (size_t first = 0; first < all; first += size) {
    if (first % most == 0) {
      gathered_take(&chunk, &exec, &x, row + first, all - first < most ? all - first : most);
    }
    const observations batch = observations_some(&chunk.rows, first % most, size);
    a.x = &batch;
    minibatch_step(&a, held, REAL(after));
  }
  SET_VECTOR_ELT(out, 0, give_out(&a.centers));
  UNPROTECT(1);
  return out;
}

/* The landmark that is nearest to each row (from 1), and the distance to it. */
SEXP lm_nearest_landmark(SEXP source, SEXP landmarks, SEXP settings) {
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
