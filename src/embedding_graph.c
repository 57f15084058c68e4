/* Entry points for the graph of landmarks. Landmarks come here in kernel
 * coordinates, d x n: one behind the other. Covariances have the form of R/covariance.R. */
#include <string.h>

#include "core/base/nearest.h"
#include "core/data/covariance.h"
#include "core/embedding/bhattacharyya.h"
#include "core/embedding/components.h"
#include "core/embedding/shortcuts.h"
#include "glue.h"

/* Covariances of n sets of rows of a source (m x n, from 1), in kernel coordinates: see
 * glue_spread(). */
SEXP lm_covariances(SEXP source, SEXP rows, SEXP is_full, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const size_t m = (size_t)Rf_nrows(rows), n = (size_t)Rf_ncols(rows), d = x.columns;
  const int full = Rf_asLogical(is_full);
  int *index = (int *)R_alloc(m * n, sizeof(int));
  for (size_t i = 0; i < m * n; i++) index[i] = INTEGER(rows)[i] - 1;
  double *scratch = glue_doubles((size_t)exec.threads * local_covariance_scratch(&x, full));
  SEXP out = PROTECT(full ? Rf_alloc3DArray(REALSXP, (int)d, (int)d, (int)n)
                          : Rf_allocMatrix(REALSXP, (int)n, (int)d));
  double *found = full ? REAL(out) : (double *)R_alloc(n * d, sizeof(double));
  local_covariances(&exec, &x, index, m, n, full, scratch, found);
  for (size_t i = 0; !full && i < n; i++) {
    for (size_t j = 0; j < d; j++) REAL(out)[j * n + i] = found[i * d + j];
  }
  UNPROTECT(1);
  return out;
}

static void copy_padded(const double *from, size_t n, size_t columns, double *to) {
  const size_t length = padded(columns);
  for (size_t i = 0; i < n; i++) {
    double *row = to + i * length;
    for (size_t j = 0; j < length; j++) row[j] = j < columns ? from[i * columns + j] : 0.0;
  }
}

/* ||t_i - t_j||^2. */
SEXP lm_euclidean(SEXP landmarks, SEXP settings) {
  const executor exec = glue_executor(settings);
  const size_t d = (size_t)Rf_nrows(landmarks), n = (size_t)Rf_ncols(landmarks);
  const size_t length = padded(n);
  points t = points_on(glue_doubles(points_size(n, d)), n, d);
  double *rows = glue_doubles(n * padded(d)), *squared = glue_doubles(n * length);
  copy_padded(REAL(landmarks), n, d, rows);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < d; j++) t.x[j * t.length + i] = rows[i * padded(d) + j];
  }
  points_norms(&t);
  const observations x = observations_dense(rows, n, d);
  features(&exec, &x, 0, n, &t, SQUARED_DISTANCES, 0.0, NULL, squared);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n, (int)n));
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) {
      REAL(out)[i * n + j] = REAL(out)[j * n + i] = squared[i * length + j];
    }
    REAL(out)[i * n + i] = 0.0;
  }
  UNPROTECT(1);
  return out;
}

/* By covariances, see glue_spread(). Instead of distances, the number of the first landmark whose
 * covariance is not positive definite. */
SEXP lm_bhattacharyya(SEXP landmarks, SEXP covariance, SEXP settings) {
  const executor exec = glue_executor(settings);
  const size_t d = (size_t)Rf_nrows(landmarks), n = (size_t)Rf_ncols(landmarks);
  const int full = glue_spread(covariance) == SPREAD_FULL;
  bhattacharyya b;
  LAY_OUT(memory, glue_memory, bhattacharyya_layout(&b, &memory, &exec, n, d, full));
  copy_padded(REAL(landmarks), n, d, b.t);
  if (full) {
    memcpy(b.covariance, REAL(covariance), n * d * d * sizeof(double));
  } else {
    for (size_t i = 0; i < n; i++) {
      double *row = b.covariance + i * padded(d);
      for (size_t j = 0; j < padded(d); j++) row[j] = j < d ? REAL(covariance)[j * n + i] : 0.0;
    }
  }
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n, (int)n));
  const size_t sound = bhattacharyya_distances(&b, REAL(out));
  UNPROTECT(1);
  return sound < n ? Rf_ScalarInteger((int)sound + 1) : out;
}

static void offer(nearest_list *near, size_t first, size_t end, const double *squared) {
  for (; first < end; first += NEAREST_RANGE) {
    const size_t count = end - first < NEAREST_RANGE ? end - first : NEAREST_RANGE;
    nearest_offer(near, first, count, NULL, squared + first, 1, NULL);
  }
}

/* The k nearest others of each landmark, nearest first, by its distances. */
SEXP lm_neighbors(SEXP distances, SEXP k) {
  const size_t n = (size_t)Rf_nrows(distances);
  const int each = Rf_asInteger(k);
  const char *names[] = {"landmark", "distance"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP index = Rf_allocMatrix(INTSXP, each, (int)n);
  SET_VECTOR_ELT(out, 0, index);
  SEXP nearest = Rf_allocMatrix(REALSXP, each, (int)n);
  SET_VECTOR_ELT(out, 1, nearest);
  neighbor *list = (neighbor *)R_alloc(nearest_room((size_t)each), sizeof *list);
  for (size_t i = 0; i < n; i++) {
    nearest_list near = nearest_begin(list, (size_t)each);
    const double *squared = REAL(distances) + i * n;
    /* Nobody is a neighbor of its own. */
    offer(&near, 0, i, squared);
    offer(&near, i + 1, n, squared);
    nearest_settle(&near);
    nearest_sort(list, (size_t)each);
    for (size_t k = 0; k < (size_t)each; k++) {
      INTEGER(index)[i * (size_t)each + k] = list[k].row + 1;
      REAL(nearest)[i * (size_t)each + k] = list[k].squared;
    }
    if (i % 256 == 0) R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* The piece of each vertex, from 1, of a graph of n vertices and edges from--to. */
SEXP lm_pieces(SEXP n, SEXP from, SEXP to) {
  const size_t edges = (size_t)Rf_xlength(from);
  int *ends = (int *)R_alloc(2 * edges, sizeof(int));
  for (size_t e = 0; e < edges; e++) {
    ends[e] = INTEGER(from)[e] - 1;
    ends[edges + e] = INTEGER(to)[e] - 1;
  }
  SEXP out = PROTECT(Rf_allocVector(INTSXP, Rf_asInteger(n)));
  components((size_t)Rf_xlength(out), edges, ends, ends + edges, INTEGER(out));
  for (R_xlen_t v = 0; v < Rf_xlength(out); v++) INTEGER(out)[v]++;
  UNPROTECT(1);
  return out;
}

/* Which of the suspected edges from--to of a graph of n vertices are shortcuts: the way round is
 * `round` times as long or longer. */
SEXP lm_shortcuts(SEXP n, SEXP from, SEXP to, SEXP length, SEXP suspect, SEXP round) {
  const size_t edges = (size_t)Rf_xlength(from);
  int *ends = (int *)R_alloc(2 * edges, sizeof(int));
  for (size_t e = 0; e < edges; e++) {
    ends[e] = INTEGER(from)[e] - 1;
    ends[edges + e] = INTEGER(to)[e] - 1;
  }
  shortcuts s = {.n = (size_t)Rf_asInteger(n),
                 .edges = edges,
                 .from = ends,
                 .to = ends + edges,
                 .length = REAL(length),
                 .suspect = LOGICAL(suspect),
                 .round = Rf_asReal(round)};
  LAY_OUT(memory, glue_memory, shortcuts_layout(&s, &memory));
  SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)edges));
  shortcuts_find(&s, LOGICAL(out));
  UNPROTECT(1);
  return out;
}
