/* Entry points that use landmarks on data, new or old. */
#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/data/search.h"
#include "core/use/posterior.h"
#include "glue.h"

#define ROWS_AT_A_TIME 8192               /* between two looks at the user's interrupt */
#define LISTS_AT_A_TIME ((size_t)1 << 24) /* doubles of lists of neighbors: 128 MB */

static points packed(SEXP landmarks, const observations *x) {
  const size_t n = (size_t)Rf_nrows(landmarks);
  points t = points_on(glue_doubles(points_size(n, x->columns)), n, x->columns);
  glue_points_in(landmarks, 0, n, x, &t);
  return t;
}

/* Features, or squared distances where `bandwidth` is NULL. */
SEXP lm_features(SEXP source, SEXP landmarks, SEXP bandwidth, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const points t = packed(landmarks, &x);
  double *scratch = glue_doubles(features_matrix_scratch(&exec, &x, &t));
  const feature_kind kind = bandwidth == R_NilValue ? SQUARED_DISTANCES : GAUSSIAN_FEATURES;
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)x.rows, (int)t.count));
  for (size_t first = 0; first < x.rows; first += ROWS_AT_A_TIME) {
    const size_t count = x.rows - first < ROWS_AT_A_TIME ? x.rows - first : ROWS_AT_A_TIME;
    features_matrix(&exec, &x, first, count, &t, kind, Rf_asReal(bandwidth), scratch, REAL(out),
                    x.rows);
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* The k rows nearest to each landmark, nearest first. */
SEXP lm_nearest_rows(SEXP source, SEXP landmarks, SEXP k, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(landmarks), each = (size_t)Rf_asInteger(k);
  const size_t list = search_list(each), most = LISTS_AT_A_TIME / list + 1;
  const size_t some = n < most ? n : most;
  const search_kind kind = search_choice(&x, n);
  search s;
  double *on, *lists;
  LAY_OUT(memory, glue_memory, search_layout(&s, &memory, &exec, &x, kind, some),
          on = arena_take(&memory, points_size(some, x.columns)),
          lists = arena_take(&memory, some * list));
  points t = points_on(on, some, x.columns);
  search_build(&s);
  const char *names[] = {"observation", "distance"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP index = Rf_allocMatrix(INTSXP, (int)each, (int)n);
  SET_VECTOR_ELT(out, 0, index);
  SEXP distance = Rf_allocMatrix(REALSXP, (int)each, (int)n);
  SET_VECTOR_ELT(out, 1, distance);
  for (size_t first = 0; first < n; first += some) {
    t.count = n - first < some ? n - first : some;
    glue_points_in(landmarks, first, t.count, &x, &t);
    search_nearest(&s, &t, each, lists);
    for (size_t l = 0; l < t.count; l++) {
      neighbor *near = search_of(lists, each, l);
      nearest_sort(near, each);
      for (size_t i = 0; i < each; i++) {
        INTEGER(index)[(first + l) * each + i] = near[i].row + 1;
        REAL(distance)[(first + l) * each + i] = sqrt(near[i].squared);
      }
    }
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* Inner products over some `rows`, or all (NULL), of the features of landmarks and of points `at`:
 * list(gram, cross, prior), n x n, n x points, and of each point with itself. */
SEXP lm_posterior_sums(SEXP source, SEXP rows, SEXP landmarks, SEXP at, SEXP bandwidth,
                       SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  const observations x = rows == R_NilValue ? all : glue_batch(&exec, &all, rows);
  const size_t n = (size_t)Rf_nrows(landmarks), count = (size_t)Rf_nrows(at);
  posterior p;
  LAY_OUT(memory, glue_memory,
          posterior_layout(&p, &memory, &exec, &x, Rf_asReal(bandwidth), n, count));
  glue_points_in(landmarks, 0, n, &x, &p.landmarks);
  glue_points_in(at, 0, count, &x, &p.at);
  posterior_sums(&p);
  const char *names[] = {"gram", "cross", "prior"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP gram = Rf_allocMatrix(REALSXP, (int)n, (int)n);
  SET_VECTOR_ELT(out, 0, gram);
  SEXP cross = Rf_allocMatrix(REALSXP, (int)n, (int)count);
  SET_VECTOR_ELT(out, 1, cross);
  SEXP prior = Rf_allocVector(REALSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 2, prior);
  glue_matrix_out(p.g, padded(n), gram);
  glue_matrix_out(p.cross, p.at.length, cross);
  memcpy(REAL(prior), p.prior, count * sizeof(double));
  UNPROTECT(1);
  return out;
}

/* Of such sums over `rows` rows in all: list(prior, explained), the prior variance of each point,
 * and what each landmark takes from it, points x n. */
SEXP lm_posterior(SEXP sums, SEXP rows, SEXP settings) {
  const executor exec = glue_executor(settings);
  SEXP gram = VECTOR_ELT(sums, 0), cross = VECTOR_ELT(sums, 1);
  const size_t n = (size_t)Rf_nrows(cross), count = (size_t)Rf_ncols(cross);
  arena measure = {NULL, 0};
  arena_take(&measure, n * padded(n));
  arena_take(&measure, n * padded(count));
  arena memory = glue_memory(&measure);
  double *g = arena_take(&memory, n * padded(n)), *c = arena_take(&memory, n * padded(count));
  glue_matrix_in(gram, g, padded(n));
  glue_matrix_in(cross, c, padded(count));
  const char *names[] = {"prior", "explained"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP prior = Rf_duplicate(VECTOR_ELT(sums, 2));
  SET_VECTOR_ELT(out, 0, prior);
  SEXP explained = Rf_allocMatrix(REALSXP, (int)count, (int)n);
  SET_VECTOR_ELT(out, 1, explained);
  posterior_variance(&exec, n, count, (size_t)Rf_asReal(rows), g, c, REAL(prior), REAL(explained));
  UNPROTECT(1);
  return out;
}

/* One product by one variant, for tests and benchmarks: 1: a b' (rows against
 * points), 2: a' b (weighted sums of rows), 3: a'a; so many times over, so that a
 * benchmark can tell the product from the packing. */
SEXP lm_product(SEXP kind, SEXP a, SEXP b, SEXP times, SEXP settings) {
  const executor exec = glue_executor(settings);
  const int which = Rf_asInteger(kind);
  const size_t ra = (size_t)Rf_nrows(a), ca = (size_t)Rf_ncols(a), rb = (size_t)Rf_nrows(b),
               cb = (size_t)Rf_ncols(b);
  const size_t la = padded(ca), lb = padded(which == 1 ? rb : cb);
  const size_t rows = which == 1 ? ra : ca, columns = which == 1 ? rb : which == 2 ? cb : ca;
  const size_t lc = padded(columns);
  double *pa = glue_doubles(ra * la), *pb = glue_doubles((which == 1 ? cb : rb) * lb);
  double *pc = glue_doubles(rows * lc);
  for (size_t i = 0; i < ra; i++) {
    for (size_t j = 0; j < la; j++) pa[i * la + j] = j < ca ? REAL(a)[j * ra + i] : 0.0;
  }
  for (size_t i = 0; i < rb; i++) {
    for (size_t j = 0; j < cb; j++) pb[which == 1 ? j * lb + i : i * lb + j] = REAL(b)[j * rb + i];
  }
  const matrix ma = matrix_on(pa, ra, ca, la), mc = matrix_on(pc, rows, columns, lc);
  const matrix mb = which == 1 ? matrix_on(pb, cb, rb, lb) : matrix_on(pb, rb, cb, lb);
  for (int t = 0; t < Rf_asInteger(times); t++) {
    if (which == 1) multiply_rows(&exec, ma, mb, 0, mc);
    if (which == 2) multiply_transposed(&exec, ma, mb, 0, mc);
    if (which == 3) gram(&exec, ma, ma, 0, mc);
  }
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) REAL(out)[j * rows + i] = pc[i * lc + j];
  }
  UNPROTECT(1);
  return out;
}
