/* Entry points that move centres by Lloyd's iterations, or ask which is nearest. */
#include <math.h>
#include <string.h>

#include "core/landmarks/lloyd.h"
#include "glue.h"

/* Centres, of which the first `held` keep their places. */
static lloyd set_up(const executor *exec, const observations *x, SEXP landmarks, size_t held) {
  const size_t n = (size_t)Rf_nrows(landmarks);
  lloyd a;
  arena measure = {NULL, 0};
  lloyd_layout(&a, &measure, exec, x, held, n - held);
  arena memory = glue_memory(&measure);
  lloyd_layout(&a, &memory, exec, x, held, n - held);
  glue_points_in(landmarks, 0, n, x, &a.centers);
  return a;
}

/* For each row its centre (from 1) and the distance to it, as elements `at` and at + 1. */
static void give_nearest(const lloyd *a, SEXP out, R_xlen_t at) {
  const R_xlen_t rows = (R_xlen_t)a->x->rows;
  SEXP label = Rf_allocVector(INTSXP, rows);
  SET_VECTOR_ELT(out, at, label);
  SEXP distance = Rf_allocVector(REALSXP, rows);
  SET_VECTOR_ELT(out, at + 1, distance);
  for (R_xlen_t i = 0; i < rows; i++) {
    INTEGER(label)[i] = a->label[i] + 1;
    REAL(distance)[i] = sqrt(a->squared[i]);
  }
}

/* What comes back for each row is what the last iteration has found, before centres
 * moved for the last time; `size` is the weight of each centre's rows. */
SEXP lm_lloyd(SEXP source, SEXP landmarks, SEXP held, SEXP iterations, SEXP how) {
  const executor exec = glue_executor(how);
  const observations x = glue_source(source);
  lloyd a = set_up(&exec, &x, landmarks, (size_t)Rf_asInteger(held));
  const size_t n = a.centers.count;
  int settled;
  const int done = lloyd_run(&a, Rf_asInteger(iterations), &settled);

  const char *names[] = {"landmarks", "size", "landmark", "distance", "iterations", "settled"};
  SEXP out = PROTECT(glue_list(6, names));
  SEXP centers = Rf_allocMatrix(REALSXP, (int)n, (int)x.columns);
  SET_VECTOR_ELT(out, 0, centers);
  glue_points_out(&a.centers, &x, SPACE_EUCLIDEAN, 0, REAL(centers), n);
  SEXP size = Rf_allocVector(REALSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 1, size);
  memcpy(REAL(size), a.size, n * sizeof(double));
  give_nearest(&a, out, 2);
  SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(done));
  SET_VECTOR_ELT(out, 5, Rf_ScalarLogical(settled));
  UNPROTECT(1);
  return out;
}

/* The landmark that is nearest to each row: none of them moves. */
SEXP lm_nearest_landmark(SEXP source, SEXP landmarks, SEXP how) {
  const executor exec = glue_executor(how);
  const observations x = glue_source(source);
  lloyd a = set_up(&exec, &x, landmarks, (size_t)Rf_nrows(landmarks));
  int settled;
  lloyd_run(&a, 1, &settled);
  const char *names[] = {"landmark", "distance"};
  SEXP out = PROTECT(glue_list(2, names));
  give_nearest(&a, out, 0);
  UNPROTECT(1);
  return out;
}
