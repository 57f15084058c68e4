/* Entry points that put landmarks in order. */
#include "core/algebra/pivoted_order.h"
#include "core/algebra/trace_order.h"
#include "glue.h"

/* G (n x n) by rows of length padded(n). */
static double *gram_in(SEXP g, size_t n, size_t length) {
  matrix_of(g, n, n, "g");
  double *rows = (double *)R_alloc(n * length, sizeof(double));
  glue_matrix_in(g, rows, length);
  return rows;
}

/* list(order, <value>): which were taken, from 1, and a number for each. */
static SEXP order_out(const char *value, size_t found, const size_t *order, const double *values) {
  const char *names[] = {"order", value};
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

/* By pivoted Cholesky, up to `wanted` points, the first `held` in their places: of G that is by
 * the volume. */
SEXP lm_order(SEXP g, SEXP settings) {
  const executor exec = glue_executor(settings);
  const size_t n = (size_t)Rf_nrows(g), length = padded(n), held = held_of(settings, n),
               most = setting_count(settings, "wanted");
  const order_rule rule = {n, length, held, most, setting_number(settings, "floor")};
  const double *copy = gram_in(g, n, length);
  double *basis = glue_doubles(pivoted_order_scratch(length, most));
  size_t *order = (size_t *)R_alloc(most, sizeof(size_t));
  double *pivot = (double *)R_alloc(most, sizeof(double));
  const size_t found = n == 0 ? 0 : pivoted_order(&exec, &rule, copy, basis, order, pivot);
  return order_out("pivot", found, order, pivot);
}

/* By the trace; `source`, of one part or several, says what the kernel's coordinates are. */
SEXP lm_trace_order(SEXP source, SEXP landmarks, SEXP g, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_frame(source);
  const size_t n = (size_t)Rf_nrows(g), length = padded(n), held = held_of(settings, n);
  const order_rule rule = {n, length, held, n, setting_number(settings, "floor")};
  const double *copy = gram_in(g, n, length);
  matrix_of(landmarks, n, x.columns, "landmarks");
  points t = points_on(glue_doubles(points_size(n, x.columns)), n, x.columns);
  double *w = glue_doubles(n * length), *scratch = glue_doubles(trace_order_scratch(length, n));
  glue_points_in(landmarks, 0, n, &x, &t);
  points_kernel(&exec, &t, &t, glue_bandwidth(kernel), w, length);
  size_t *order = (size_t *)R_alloc(n, sizeof(size_t));
  double *gain = (double *)R_alloc(n, sizeof(double));
  const size_t found = trace_order(&exec, &rule, w, copy, scratch, order, gain);
  return order_out("gain", found, order, gain);
}
