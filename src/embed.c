/* Entry points that embed landmarks, and extend the embedding to other points. */
#include <string.h>

#include "core/eigenmap.h"
#include "core/extension.h"
#include "glue.h"

/* `start`, `joined`, `weight`: the slots p, i, x of the graph as a dgCMatrix. */
SEXP lm_eigenmap(SEXP start, SEXP joined, SEXP weight, SEXP dims) {
  eigenmap m = {.n = (size_t)Rf_xlength(start) - 1, .dims = (size_t)Rf_asInteger(dims)};
  m.start = INTEGER(start);
  m.joined = INTEGER(joined);
  m.weight = REAL(weight);
  arena measure = {NULL, 0};
  eigenmap_layout(&m, &measure);
  arena memory = glue_memory(&measure);
  eigenmap_layout(&m, &memory);
  const char *names[] = {"values", "coordinates"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP values = Rf_allocVector(REALSXP, (R_xlen_t)m.dims);
  SET_VECTOR_ELT(out, 0, values);
  SEXP coordinates = Rf_allocMatrix(REALSXP, (int)m.n, (int)m.dims);
  SET_VECTOR_ELT(out, 1, coordinates);
  const char *flaw = eigenmap_solve(&m, REAL(values), REAL(coordinates));
  if (flaw) Rf_error("%s", flaw);
  UNPROTECT(1);
  return out;
}

/* The rows of `source` by the embedding `y` (n x dims) of `landmarks`, with its eigenvalues
 * `lambda`. `covariance` NULL, columns x n, or columns x columns x n, in kernel
 * coordinates; `rate` 1 / (2 sigma^2), or 0. */
SEXP lm_extend(SEXP source, SEXP landmarks, SEXP graph, SEXP reach, SEXP covariance, SEXP rate,
               SEXP neighbors, SEXP y, SEXP lambda, SEXP how) {
  const executor exec = glue_executor(how);
  const observations x = glue_source(source);
  extension e = {.n = (size_t)Rf_nrows(landmarks), .dims = (size_t)Rf_ncols(y)};
  e.neighbors = (size_t)Rf_asInteger(neighbors);
  e.rate = Rf_asReal(rate);
  e.reach = REAL(reach);
  e.start = INTEGER(VECTOR_ELT(graph, 0));
  e.joined = INTEGER(VECTOR_ELT(graph, 1));
  if (covariance != R_NilValue) {
    const R_xlen_t diagonal = (R_xlen_t)(e.n * x.columns);
    e.spread = Rf_xlength(covariance) == diagonal && x.columns > 1 ? SPREAD_DIAGONAL : SPREAD_FULL;
    e.covariance = REAL(covariance);
  }
  /* With covariances a block is sorted by home: long ones serve more rows at a time. */
  const size_t most = e.spread == SPREAD_NONE ? 1 << 16 : 1 << 20;
  e.block = x.rows < most ? x.rows + 1 : most;
  arena measure = {NULL, 0};
  extension_layout(&e, &measure, &exec, &x);
  arena memory = glue_memory(&measure);
  extension_layout(&e, &memory, &exec, &x);
  glue_points_in(landmarks, 0, e.n, &x, &e.landmarks);
  for (size_t i = 0; i < e.n; i++) {
    for (size_t k = 0; k < e.dims; k++) {
      e.y[i * e.dims + k] = REAL(y)[k * e.n + i] / (1.0 - REAL(lambda)[k]);
    }
  }
  extension_start(&e);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)x.rows, (int)e.dims));
  for (size_t first = 0; first < x.rows; first += e.block) {
    const size_t count = x.rows - first < e.block ? x.rows - first : e.block;
    extension_rows(&e, &x, first, count, REAL(out), x.rows);
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
