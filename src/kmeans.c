/* The entry point that moves centres by Lloyd's iterations. */
#include <math.h>

#include "core/lloyd.h"
#include "glue.h"

/* From centres, the first `held` of which keep their places. What comes back for each
 * row is its centre (from 1) and the distance to it, as the last iteration has found
 * them; `size` is the weight of each centre's rows. */
SEXP lm_lloyd(SEXP source, SEXP landmarks, SEXP held, SEXP iterations, SEXP how) {
  const executor exec = glue_executor(how);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(landmarks), fixed = (size_t)Rf_asInteger(held);
  lloyd a;
  arena measure = {NULL, 0};
  lloyd_layout(&a, &measure, &exec, &x, fixed, n - fixed);
  arena memory = glue_memory(&measure);
  lloyd_layout(&a, &memory, &exec, &x, fixed, n - fixed);
  glue_points_in(landmarks, 0, n, &x, &a.centers);
  int settled;
  const int done = lloyd_run(&a, Rf_asInteger(iterations), &settled);

  const char *names[] = {"landmarks", "size", "landmark", "distance", "iterations", "settled"};
  SEXP out = PROTECT(glue_list(6, names));
  SEXP centers = Rf_allocMatrix(REALSXP, (int)n, (int)x.columns);
  SET_VECTOR_ELT(out, 0, centers);
  glue_points_out(&a.centers, &x, SPACE_EUCLIDEAN, 0, REAL(centers), n);
  SEXP size = Rf_allocVector(REALSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 1, size);
  for (size_t l = 0; l < n; l++) REAL(size)[l] = a.size[l];
  SEXP label = Rf_allocVector(INTSXP, (R_xlen_t)x.rows);
  SET_VECTOR_ELT(out, 2, label);
  SEXP distance = Rf_allocVector(REALSXP, (R_xlen_t)x.rows);
  SET_VECTOR_ELT(out, 3, distance);
  for (size_t i = 0; i < x.rows; i++) {
    INTEGER(label)[i] = a.label[i] + 1;
    REAL(distance)[i] = sqrt(a.squared[i]);
  }
  SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(done));
  SET_VECTOR_ELT(out, 5, Rf_ScalarLogical(settled));
  UNPROTECT(1);
  return out;
}
