/* Entry points that look which center is nearest to each row of a part, and move centers. */
#include <math.h>
#include <string.h>

#include "core/landmarks/lloyd.h"
#include "glue.h"

/* Of one call, for so many centers. */
static lloyd set_up(const executor *exec, const observations *x, size_t centers) {
  lloyd a;
  arena measure = {NULL, 0};
  lloyd_layout(&a, &measure, exec, x, centers);
  arena memory = glue_memory(&measure);
  lloyd_layout(&a, &memory, exec, x, centers);
  return a;
}

/* Kernel coordinates, a numeric matrix with a row for each, to points and back. */
static void take_in(SEXP at, points *t) {
  for (size_t j = 0; j < t->columns; j++) {
    memcpy(t->x + j * t->length, REAL(at) + j * t->count, t->count * sizeof *t->x);
  }
}

static SEXP give_out(const points *t) {
  SEXP at = Rf_allocMatrix(REALSXP, (int)t->count, (int)t->columns);
  for (size_t j = 0; j < t->columns; j++) {
    memcpy(REAL(at) + j * t->count, t->x + j * t->length, t->count * sizeof *t->x);
  }
  return at;
}

static points new_points(SEXP at) {
  const size_t n = (size_t)Rf_nrows(at), columns = (size_t)Rf_ncols(at);
  const arena measure = {NULL, points_size(n, columns)};
  points t = points_on(glue_memory(&measure).base, n, columns);
  take_in(at, &t);
  return t;
}

/* The rows of a part to the nearest of centers in kernel coordinates, of which the first
 * `held` do not move; `size`: the weight of each one's rows in all parts. `label` (from 0)
 * and `squared`, what the part keeps, are changed in place. How many rows have changed their
 * center, and sums and sizes of the part, NULL where they are as they were. `is_first`: all
 * rows are new. */
SEXP lm_lloyd_assign(SEXP source, SEXP label, SEXP squared, SEXP centers, SEXP size, SEXP held,
                     SEXP is_first, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(centers);
  lloyd a = set_up(&exec, &x, n);
  a.label = INTEGER(label);
  a.squared = REAL(squared);
  take_in(centers, &a.centers);
  lloyd_norms(&a.centers, (size_t)Rf_asInteger(held), REAL(size));
  for (size_t i = 0; Rf_asLogical(is_first) && i < x.rows; i++) a.label[i] = -1;
  const size_t changed = lloyd_assign(&a);

  const char *names[] = {"changed", "sums", "size"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)changed));
  if (changed > 0 || Rf_asLogical(is_first)) {
    lloyd_sums(&a);
    SET_VECTOR_ELT(out, 1, give_out(&a.sums));
    SEXP sizes = Rf_allocVector(REALSXP, (R_xlen_t)n);
    SET_VECTOR_ELT(out, 2, sizes);
    memcpy(REAL(sizes), a.size, n * sizeof(double));
  }
  UNPROTECT(1);
  return out;
}

/* Where centers go, given sums and sizes over all parts. `factor`: NULL for sparse rows. */
SEXP lm_lloyd_move(SEXP centers, SEXP held, SEXP sums, SEXP size, SEXP factor) {
  points now = new_points(centers);
  const points all = new_points(sums);
  lloyd_move(&now, (size_t)Rf_asInteger(held), &all, REAL(size),
             factor == R_NilValue ? NULL : REAL(factor));
  return give_out(&now);
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
