/* Entry points that use landmarks on data, new or old. */
#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/data/posterior.h"
#include "core/data/search.h"
#include "glue.h"

#define ROWS_AT_A_TIME 8192               /* between two looks at the user's interrupt */
#define LISTS_AT_A_TIME ((size_t)1 << 24) /* doubles of lists of neighbors: 128 MB */

static points packed(SEXP landmarks, const observations *x) {
  const size_t n = (size_t)Rf_nrows(landmarks);
  points t = points_on(glue_doubles(points_size(n, x->columns)), n, x->columns);
  glue_points_in(landmarks, 0, n, x, &t);
  return t;
}

/* R, an upper triangular matrix, as solve_rows() takes it. */
static triangular root_in(SEXP factor, size_t n) {
  matrix_of(factor, n, n, "root");
  triangular root;
  LAY_OUT(memory, glue_memory, triangular_layout(&root, &memory, n));
  glue_matrix_in(factor, root.upper, root.ld);
  triangular_prepare(&root);
  return root;
}

/* `values` of all rows and landmarks, rows x n: "features", "slopes" of the kernel, "squared
 * distances", which have no kernel, or "nystrom" features R'^-1 k, with R the `root`. */
SEXP lmk_features(SEXP source, SEXP landmarks, SEXP kernel, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const points t = packed(landmarks, &x);
  double *scratch = glue_doubles(features_matrix_scratch(&exec, &x, &t));
  const char *values[] = {"squared distances", "features", "slopes", "nystrom"};
  const int which = setting_choice(settings, "values", values, 4);
  radial_kernel k = which > 0 ? glue_kernel(kernel) : gaussian_kernel(1.0);
  kernel_profile slopes = *k.profile;
  slopes.values = slopes.slopes;
  if (which == 2) k.profile = &slopes;
  triangular root;
  if (which == 3) root = root_in(setting(settings, "root"), t.count);
  const feature_map map = {&t, which > 0 ? &k : NULL, which == 3 ? &root : NULL};
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)x.rows, (int)t.count));
  for (size_t first = 0; first < x.rows; first += ROWS_AT_A_TIME) {
    const size_t count = x.rows - first < ROWS_AT_A_TIME ? x.rows - first : ROWS_AT_A_TIME;
    features_matrix(&exec, &x, first, count, &map, scratch, REAL(out));
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* The `neighbors` rows nearest to each point, nearest first: list(observation, distance), a
 * column for each point. */
SEXP lmk_nearest_rows(SEXP source, SEXP points_at, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t n = (size_t)Rf_nrows(points_at), each = setting_count(settings, "neighbors");
  /* Rows of weight 0 are nobody's neighbors. */
  if (each < 1 || each > search_rows(&x)) {
    Rf_error("`neighbors` must be from 1 to the number of rows of weight above 0");
  }
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
    glue_points_in(points_at, first, t.count, &x, &t);
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

#define AT_ONCE ((size_t)1 << 23) /* doubles of points that are rows */

/* Inner products over some `rows`, or all (NULL), of the features of landmarks and of points `at`:
 * list(gram, cross, prior), n x n, n x points, and of each point with itself. The points are a
 * matrix, or numbers of rows of the source. */
SEXP lmk_posterior_sums(SEXP source, SEXP rows, SEXP landmarks, SEXP at, SEXP kernel,
                        SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations all = glue_source(source);
  const observations x = rows == R_NilValue ? all : glue_batch(&exec, &all, rows);
  const int are_rows = TYPEOF(at) == INTSXP;
  const size_t n = (size_t)Rf_nrows(landmarks);
  const size_t count = are_rows ? (size_t)Rf_xlength(at) : (size_t)Rf_nrows(at);
  observations from = {0};
  size_t some = count;
  if (are_rows) {
    from = glue_batch(&exec, &all, at);
    if (some > AT_ONCE / all.columns) some = AT_ONCE / all.columns;
    if (some < 16) some = count < 16 ? count : 16;
  }
  posterior p;
  LAY_OUT(memory, glue_memory,
          posterior_layout(&p, &memory, &exec, &x, glue_kernel(kernel), n, some));
  glue_points_in(landmarks, 0, n, &x, &p.landmarks);
  if (!are_rows) glue_points_in(at, 0, count, &x, &p.at);
  const char *names[] = {"gram", "cross", "prior"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP gram = Rf_allocMatrix(REALSXP, (int)n, (int)n);
  SET_VECTOR_ELT(out, 0, gram);
  SEXP cross = Rf_allocMatrix(REALSXP, (int)n, (int)count);
  SET_VECTOR_ELT(out, 1, cross);
  SEXP prior = Rf_allocVector(REALSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 2, prior);
  size_t first = 0;
  do {
    /* The last points are as many as all others: some are computed again. */
    if (first + some > count) first = count - some;
    if (are_rows) points_from_rows(&from, first, &p.at);
    posterior_sums(&p);
    for (size_t z = 0; z < some; z++) {
      double *to = REAL(cross) + (first + z) * n;
      for (size_t k = 0; k < n; k++) to[k] = p.cross[k * p.at.ld + z];
      REAL(prior)[first + z] = p.prior[z];
    }
    first += some;
  } while (first < count);
  glue_matrix_out(p.g, padded(n), gram);
  UNPROTECT(1);
  return out;
}

/* Of such sums over `rows` rows in all: list(prior, explained), the prior variance of each point,
 * and what each landmark takes from it, points x n. */
SEXP lmk_posterior(SEXP sums, SEXP settings) {
  const executor exec = glue_executor(settings);
  SEXP gram = setting(sums, "gram"), cross = setting(sums, "cross");
  matrix_of(cross, ANY_LENGTH, ANY_LENGTH, "cross");
  const size_t n = (size_t)Rf_nrows(cross), count = (size_t)Rf_ncols(cross);
  matrix_of(gram, n, n, "gram");
  const double *before = numbers_of(setting(sums, "prior"), count, "prior");
  double *g, *c;
  LAY_OUT(memory, glue_memory, g = arena_take(&memory, n * padded(n)),
          c = arena_take(&memory, n * padded(count)));
  glue_matrix_in(gram, g, padded(n));
  glue_matrix_in(cross, c, padded(count));
  const char *names[] = {"prior", "explained"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP prior = Rf_allocVector(REALSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 0, prior);
  memcpy(REAL(prior), before, count * sizeof(double));
  SEXP explained = Rf_allocMatrix(REALSXP, (int)count, (int)n);
  SET_VECTOR_ELT(out, 1, explained);
  posterior_variance(&exec, n, count, setting_count(settings, "rows"), g, c, REAL(prior),
                     REAL(explained));
  UNPROTECT(1);
  return out;
}
