/* Entry points that put landmarks in order. */
#include <math.h>
#include <string.h>

#include "core/algebra/greedy_order.h"
#include "core/algebra/linear.h"
#include "core/algebra/pivoted_order.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"
#include "core/data/sweep.h"
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

/* By pivoted Cholesky, up to `wanted` points, the first `held` in their places. */
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
  return order_out(found, order, pivot);
}

/* ---- whitened coordinates ------------------------------------------------------------- */

/* The pivoted Cholesky factorization W = L L' of the landmarks' own kernel. */
typedef struct {
  size_t n, length, rank;
  size_t
      *order; /* n: the first `rank` are those that do not depend on others, as they were taken */
  double *basis; /* rank x length: L', a column for each landmark */
  points t;
} whitening;

/* The first `fixed` come first; then always the one with the largest pivot, as long as it is above
 * `floor`, both of some settings. */
static whitening whitening_of(const executor *exec, const observations *x, SEXP landmarks,
                              SEXP kernel, SEXP settings) {
  matrix_of(landmarks, ANY_LENGTH, x->columns, "landmarks");
  const size_t n = (size_t)Rf_nrows(landmarks), length = padded(n), fixed = held_of(settings, n);
  whitening h = {.n = n, .length = length};
  h.t = points_on(glue_doubles(points_size(n, x->columns)), n, x->columns);
  glue_points_in(landmarks, 0, n, x, &h.t);
  double *w = glue_doubles(n * length), *basis = glue_doubles(pivoted_order_scratch(length, n));
  points_kernel(exec, &h.t, &h.t, glue_bandwidth(kernel), w, length);
  const order_rule rule = {n, length, fixed, n, setting_number(settings, "floor")};
  size_t *taken = (size_t *)R_alloc(n, sizeof *taken);
  double *pivot = (double *)R_alloc(n, sizeof *pivot);
  const size_t found = n == 0 ? 0 : pivoted_order(exec, &rule, w, basis, taken, pivot);
  h.order = (size_t *)R_alloc(n, sizeof *h.order);
  int *is_taken = (int *)R_alloc(n, sizeof *is_taken);
  memset(is_taken, 0, n * sizeof *is_taken);
  for (size_t k = 0; k < found; k++) {
    if (!(pivot[k] > 0.0)) continue;
    h.order[h.rank++] = taken[k];
    is_taken[taken[k]] = 1;
  }
  for (size_t i = 0, k = h.rank; i < n; i++) {
    if (!is_taken[i]) h.order[k++] = i;
  }
  h.basis = basis;
  return h;
}

/* Their pivots in the order given; 0 for those that depend on others before them. */
SEXP lm_pivots(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_frame(source);
  const whitening h = whitening_of(&exec, &x, landmarks, kernel, settings);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)h.n));
  memset(REAL(out), 0, h.n * sizeof(double));
  for (size_t k = 0; k < h.rank; k++) {
    const double root = h.basis[k * h.length + h.order[k]];
    REAL(out)[h.order[k]] = root * root;
  }
  UNPROTECT(1);
  return out;
}

/* Sums over the rows of a source: list(sums, nearest, distance, within, total). `sums` is A = sum_i
 * v_i b_i b_i', with b_i the Nystrom features of row i, by the pivoted Cholesky factor of the
 * landmarks' kernel; then the row nearest to each landmark, and its distance; the sum of weight and
 * squared distance to the nearest landmark; and that of the weights. */
SEXP lm_nystrom(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const whitening h = whitening_of(&exec, &x, landmarks, kernel, settings);
  const size_t n = h.n, rank = h.rank;
  sweep s;
  triangular root;
  double *on, *a, *b, *parts;
  LAY_OUT(
      memory, glue_memory, sweep_layout(&s, &memory, &exec, &x, glue_bandwidth(kernel), 0, n, 0),
      triangular_layout(&root, &memory, rank), on = arena_take(&memory, points_size(n, x.columns)),
      a = arena_take(&memory, rank * root.length), b = arena_take(&memory, sweep_h_size(&s)),
      parts = arena_take(&memory, sweep_parts(&s)));
  points t = points_on(on, n, x.columns);
  for (size_t j = 0; j < x.columns; j++) {
    for (size_t k = 0; k < n; k++) t.x[j * t.length + k] = h.t.x[j * t.length + h.order[k]];
  }
  points_norms(&t);
  for (size_t k = 0; k < rank; k++) {
    for (size_t m = k; m < rank; m++) {
      root.upper[k * root.length + m] = h.basis[k * h.length + h.order[m]];
    }
  }
  triangular_prepare(&root);
  const char *names[] = {"sums", "nearest", "distance", "within", "total"};
  SEXP out = PROTECT(glue_list(5, names));
  SEXP sums = Rf_allocMatrix(REALSXP, (int)rank, (int)rank);
  SET_VECTOR_ELT(out, 0, sums);
  SEXP nearest = Rf_allocVector(INTSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 1, nearest);
  SEXP distance = Rf_allocVector(REALSXP, (R_xlen_t)n);
  SET_VECTOR_ELT(out, 2, distance);
  int *row = (int *)R_alloc(n, sizeof *row);
  double *apart = (double *)R_alloc(n, sizeof *apart);
  nearness near = {row, apart, 0.0};
  sweep_nystrom(&s, NULL, &t, 0, &root, b, parts, a, &near);
  SET_VECTOR_ELT(out, 3, Rf_ScalarReal(near.within));
  SET_VECTOR_ELT(out, 4, Rf_ScalarReal(weights_sum(x.weight, x.rows)));
  glue_matrix_out(a, root.length, sums);
  for (size_t k = 0; k < n; k++) {
    INTEGER(nearest)[h.order[k]] = row[k] + 1;
    REAL(distance)[h.order[k]] = sqrt(apart[k]);
  }
  UNPROTECT(1);
  return out;
}

/* Vectors, the columns of `from`, in some order. */
static void columns_in_order(const greedy *g, const double *from, const size_t *order, double *to) {
  for (size_t j = 0; j < g->rank; j++) {
    for (size_t k = 0; k < g->n; k++) to[j * g->length + k] = from[j * g->length + order[k]];
    for (size_t k = g->n; k < g->length; k++) to[j * g->length + k] = 0.0;
  }
}

/* C, the upper triangle of A = C'C, with zeros below; a coordinate that depends on those before it
 * has a row of zeros. */
static void root_in(const executor *exec, SEXP sums, size_t rank, double *c) {
  const size_t length = padded(rank);
  matrix_of(sums, rank, rank, "sums");
  glue_matrix_in(sums, c, length);
  cholesky(exec, rank, length, 0, DEPENDENT_SUM, 1, c);
  for (size_t k = 0; k < rank; k++) {
    for (size_t i = 0; i < k; i++) c[k * length + i] = 0.0;
    if (!isfinite(c[k * length + k])) c[k * length + k] = 0.0;
  }
}

/* Landmarks in greedy order by the `criterion` of the settings, "trace" or "volume": list(order,
 * gain, pivot). `source`, of one part or several, says what the kernel's coordinates are; `sums` is
 * that of lm_nystrom(), over all rows, with the same settings. The first `held` keep their places.
 * `gain` is what each adds to the trace that is explained, `pivot` that of G. Landmarks that depend
 * on others are left out, or where they are held have a gain and a pivot of 0. */
SEXP lm_landmark_order(SEXP source, SEXP landmarks, SEXP sums, SEXP kernel, SEXP settings) {
  const char *criteria[] = {"trace", "volume"};
  const int by_volume = setting_choice(settings, "criterion", criteria, 2);
  const executor exec = glue_executor(settings);
  const observations x = glue_frame(source);
  const whitening h = whitening_of(&exec, &x, landmarks, kernel, settings);
  const size_t n = h.n, rank = h.rank, length = h.length, held = held_of(settings, n);
  greedy trace, volume;
  double *c, *p, *cp;
  LAY_OUT(memory, glue_memory, greedy_layout(&trace, &memory, &exec, n, rank, 1),
          greedy_layout(&volume, &memory, &exec, n, rank, 0),
          c = arena_take(&memory, rank * padded(rank)), p = arena_take(&memory, rank * length),
          cp = arena_take(&memory, rank * length));
  root_in(&exec, sums, rank, c);
  memset(p, 0, rank * length * sizeof *p);
  for (size_t k = 0; k < rank; k++) {
    for (size_t m = k; m < rank; m++) {
      p[k * length + h.order[m]] = h.basis[k * length + h.order[m]];
    }
  }
  memset(cp, 0, rank * length * sizeof *cp);
  multiply_rows(&exec, matrix_on(c, rank, rank, padded(rank)), matrix_on(p, rank, n, length), 0,
                matrix_on(cp, rank, n, length));
  size_t *order = (size_t *)R_alloc(n, sizeof *order);
  for (size_t k = 0; k < n; k++) order[k] = k;
  greedy *both[2] = {by_volume ? &volume : &trace, by_volume ? &trace : &volume};
  size_t found = n;
  for (int pass = 0; pass < 2; pass++) {
    greedy *g = both[pass];
    g->n = found;
    columns_in_order(g, g->y ? p : cp, order, g->x);
    if (g->y) columns_in_order(g, cp, order, g->y);
    const size_t taken = greedy_order(g, pass ? found : held, g->y ? 0.0 : DEPENDENT_VECTOR);
    if (pass) break;
    found = taken;
    memcpy(order, g->order, found * sizeof *order);
  }
  const char *names[] = {"order", "gain", "pivot"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP places = Rf_allocVector(INTSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 0, places);
  SEXP gain = Rf_allocVector(REALSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 1, gain);
  SEXP pivot = Rf_allocVector(REALSXP, (R_xlen_t)found);
  SET_VECTOR_ELT(out, 2, pivot);
  for (size_t k = 0; k < found; k++) {
    INTEGER(places)[k] = (int)order[k] + 1;
    REAL(gain)[k] = trace.gain[k];
    REAL(pivot)[k] = volume.gain[k];
  }
  UNPROTECT(1);
  return out;
}
