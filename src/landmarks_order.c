/* Entry points that put landmarks in order. */
#include <math.h>
#include <string.h>

#include "core/algebra/pivoted_order.h"
#include "core/base/weight.h"
#include "core/data/kernel_factor.h"
#include "core/data/row_pass.h"
#include "glue.h"

/* G (n x n) by rows of length padded(n). */
static double *gram_in(SEXP g, size_t n, size_t length) {
  matrix_of(g, n, n, "g");
  double *rows = (double *)R_alloc(n * length, sizeof(double));
  glue_matrix_in(g, rows, length);
  return rows;
}

/* list(order, pivot): which were taken, from 1, and a number for each. */
static SEXP order_out(size_t found, const size_t *order, const double *values) {
  const char *names[] = {"order", "pivot"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP places = Rf_allocVector(INTSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 0, places);
  SEXP numbers = Rf_allocVector(REALSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 1, numbers);
  for (size_t k = 0; k < found; k++) {
    INTEGER(places)[k] = (int)order[k] + 1;
    REAL(numbers)[k] = values[k];
  }
  UNPROTECT(1);
  return out;
}

/* By pivoted Cholesky, up to `wanted` points, the first `fixed` in their places. */
SEXP lmk_order(SEXP g, SEXP settings) {
  const executor exec = glue_executor(settings);
  const size_t n = (size_t)Rf_nrows(g), length = padded(n), fixed = fixed_of(settings, n),
               most = setting_count(settings, "wanted");
  const order_rule rule = {n, length, fixed, most, setting_number(settings, "floor")};
  const double *copy = gram_in(g, n, length);
  double *basis = glue_doubles(pivoted_order_scratch(length, most));
  size_t *order = (size_t *)R_alloc(most, sizeof(size_t));
  double *pivot = (double *)R_alloc(most, sizeof(double));
  const size_t found = n == 0 ? 0 : pivoted_order(&exec, &rule, copy, basis, order, pivot);
  return order_out(found, order, pivot);
}

/* An empty factor for some landmarks of R. */
static kernel_factor factor_of(SEXP landmarks, size_t columns) {
  matrix_of(landmarks, ANY_LENGTH, columns, "landmarks");
  kernel_factor f;
  LAY_OUT(memory, glue_memory,
          kernel_factor_layout(&f, &memory, (size_t)Rf_nrows(landmarks), columns));
  return f;
}

/* That of landmarks in the units of a source, by `fixed` and `floor` of some settings. Where all
 * are fixed, the largest pivots come first all the same: without pivots rows outside the landmarks
 * lose their digits. */
static kernel_factor factor_in(const executor *exec, const observations *x, SEXP landmarks,
                               SEXP kernel, SEXP settings) {
  kernel_factor f = factor_of(landmarks, x->columns);
  glue_points_in(landmarks, 0, f.t.count, x, &f.t);
  const size_t fixed = fixed_of(settings, f.t.count), in_place = fixed < f.t.count ? fixed : 0;
  const radial_kernel k = glue_kernel(kernel);
  kernel_factor_make(exec, &k, in_place, setting_number(settings, "floor"), &f);
  return f;
}

/* The names of all kernels. */
SEXP lmk_kernels(void) {
  SEXP out = PROTECT(Rf_allocVector(STRSXP, KERNELS));
  for (int k = 0; k < KERNELS; k++) SET_STRING_ELT(out, k, Rf_mkChar(kernel_profiles[k].name));
  UNPROTECT(1);
  return out;
}

/* The kernel at squared distances, a numeric array. */
SEXP lmk_kernel_values(SEXP squared, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const radial_kernel k = glue_kernel(kernel);
  if (!Rf_isReal(squared)) Rf_error("`squared` must be numbers");
  SEXP out = PROTECT(Rf_duplicate(squared));
  const size_t n = (size_t)Rf_xlength(out);
  double *value = REAL(out);
  for (size_t i = 0; i < n; i++) value[i] /= -k.bandwidth;
  k.profile->values(exec.variant, value, n);
  UNPROTECT(1);
  return out;
}

/* list(factor, pivot): R, upper triangular, of the landmarks that depend on no others, W[pivot,
 * pivot] = R'R, and which these are. Landmarks are in the coordinates of the kernel. */
SEXP lmk_kernel_root(SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  kernel_factor f = factor_of(landmarks, (size_t)Rf_ncols(landmarks));
  const double *at = REAL(landmarks);
  for (size_t j = 0; j < f.t.columns; j++) {
    memcpy(f.t.x + j * f.t.ld, at + j * f.t.count, f.t.count * sizeof *at);
  }
  points_norms(&f.t);
  const radial_kernel k = glue_kernel(kernel);
  kernel_factor_make(&exec, &k, fixed_of(settings, f.t.count), setting_number(settings, "floor"),
                     &f);
  const char *names[] = {"factor", "pivot"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP factor = Rf_allocMatrix(REALSXP, (int)f.rank, (int)f.rank);
  SET_VECTOR_ELT(out, 0, factor);
  SEXP pivot = Rf_allocVector(INTSXP, (R_xlen_t)f.rank);
  SET_VECTOR_ELT(out, 1, pivot);
  double *to = REAL(factor);
  for (size_t m = 0; m < f.rank; m++) {
    INTEGER(pivot)[m] = (int)f.order[m] + 1;
    for (size_t k = 0; k < f.rank; k++) {
      to[m * f.rank + k] = k <= m ? f.basis[k * f.t.ld + f.order[m]] : 0.0;
    }
  }
  UNPROTECT(1);
  return out;
}

/* Sums over the rows of a source: list(sums, nearest, distance, within, total, left). `sums` is A =
 * sum_i v_i b_i b_i', with b_i the Nystrom features of row i, by the pivoted Cholesky factor of the
 * landmarks' kernel; then the row nearest to each landmark, and its distance; the sum of weight and
 * squared distance to the nearest landmark; that of the weights; and sum_i v_i (1 - |b_i|^2). */
SEXP lmk_nystrom(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const kernel_factor f = factor_in(&exec, &x, landmarks, kernel, settings);
  const size_t n = f.t.count, rank = f.rank;
  row_pass s;
  triangular root;
  double *on, *a, *b, *parts, *each;
  LAY_OUT(
      memory, glue_memory, row_pass_layout(&s, &memory, &exec, &x, glue_kernel(kernel), 0, n, 0),
      triangular_layout(&root, &memory, rank), on = arena_take(&memory, points_size(n, x.columns)),
      a = arena_take(&memory, rank * root.ld), b = arena_take(&memory, row_pass_h_size(&s)),
      parts = arena_take(&memory, row_pass_parts(&s)), each = arena_take(&memory, s.range));
  points t = points_on(on, n, x.columns);
  kernel_factor_sorted(&f, &t, &root);
  const char *names[] = {"sums", "nearest", "distance", "within", "total", "left"};
  SEXP out = PROTECT(glue_list(6, names));
  SEXP sums = Rf_allocMatrix(REALSXP, (int)rank, (int)rank);
  SET_VECTOR_ELT(out, 0, sums);
  SEXP nearest = Rf_allocVector(INTSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 1, nearest);
  SEXP distance = Rf_allocVector(REALSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 2, distance);
  int *row = (int *)R_alloc(n, sizeof *row);
  double *apart = (double *)R_alloc(n, sizeof *apart);
  nearness near = {row, apart, each, 0.0, 0.0};
  row_pass_nystrom(&s, NULL, &t, 0, &root, b, parts, a, &near);
  SET_VECTOR_ELT(out, 3, Rf_ScalarReal(near.within));
  SET_VECTOR_ELT(out, 4, Rf_ScalarReal(weights_sum(x.weight, x.rows)));
  SET_VECTOR_ELT(out, 5, Rf_ScalarReal(near.left));
  glue_matrix_out(a, root.ld, sums);
  for (size_t k = 0; k < n; k++) {
    INTEGER(nearest)[f.order[k]] = row[k] + 1;
    REAL(distance)[f.order[k]] = sqrt(apart[k]);
  }
  UNPROTECT(1);
  return out;
}

/* Landmarks in greedy order by the `criterion` of the settings, "trace" or "volume": list(order,
 * gain, pivot). `source`, of one part or several, says what the kernel's coordinates are; `sums` is
 * that of lmk_nystrom(), over all rows, with the same settings. The first `fixed` keep their
 * places. `gain` is what each adds to the trace that is explained, `pivot` that of G. Landmarks
 * that depend on others are left out, or where they are fixed have a gain and a pivot of 0. */
SEXP lmk_landmark_order(SEXP source, SEXP landmarks, SEXP sums, SEXP kernel, SEXP settings) {
  const char *criteria[] = {"trace", "volume"};
  const int by_volume = setting_choice(settings, "criterion", criteria, 2);
  const executor exec = glue_executor(settings);
  const observations x = glue_frame(source);
  const kernel_factor f = factor_in(&exec, &x, landmarks, kernel, settings);
  landmark_order o;
  LAY_OUT(memory, glue_memory, landmark_order_layout(&o, &memory, &exec, &f));
  matrix_of(sums, f.rank, f.rank, "sums");
  glue_matrix_in(sums, o.c, padded(f.rank));
  const size_t fixed = fixed_of(settings, f.t.count),
               found = landmark_order_make(&exec, &f, fixed, by_volume, &o);
  const char *names[] = {"order", "gain", "pivot"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP places = Rf_allocVector(INTSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 0, places);
  SEXP gain = Rf_allocVector(REALSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 1, gain);
  SEXP pivot = Rf_allocVector(REALSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 2, pivot);
  for (size_t k = 0; k < found; k++) {
    INTEGER(places)[k] = (int)o.order[k] + 1;
    REAL(gain)[k] = o.trace.gain[k];
    REAL(pivot)[k] = o.volume.gain[k];
  }
  UNPROTECT(1);
  return out;
}
