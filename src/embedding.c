/* Entry points that embed landmarks, and extend the embedding to other points. */
#include <string.h>

#include "core/embedding/eigenmap.h"
#include "core/embedding/extension.h"
#include "core/embedding/novelty.h"
#include "glue.h"

/* Rows that are sorted by their nearest landmark at a time. */
#define BLOCK ((size_t)1 << 21)

/* `start`, `joined`, `weight`: the slots p, i, x of the graph as a dgCMatrix. */
SEXP lm_eigenmap(SEXP start, SEXP joined, SEXP weight, SEXP alpha, SEXP dims) {
  eigenmap m = {.n = (size_t)Rf_xlength(start) - 1, .dims = (size_t)Rf_asInteger(dims)};
  m.start = INTEGER(start);
  m.joined = INTEGER(joined);
  m.weight = REAL(weight);
  m.alpha = Rf_asReal(alpha);
  LAY_OUT(memory, glue_memory, eigenmap_layout(&m, &memory));
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

/* Of the variance of each column of `y` (n x m), the share that the columns of `given` (n x c) do
 * not explain. */
SEXP lm_novelty(SEXP given, SEXP y, SEXP near, SEXP settings) {
  executor alone = glue_executor(settings);
  alone.threads = 1;
  novelty v = {.exec = &alone,
               .n = (size_t)Rf_nrows(given),
               .given = (size_t)Rf_ncols(given),
               .near = (size_t)Rf_asInteger(near),
               .at = REAL(given)};
  LAY_OUT(memory, glue_memory, novelty_layout(&v, &memory));
  SEXP out = PROTECT(Rf_allocVector(REALSXP, Rf_ncols(y)));
  novelty_shares(&v, REAL(y), (size_t)Rf_ncols(y), REAL(out));
  UNPROTECT(1);
  return out;
}

/* The rows of `source` by the embedding `y` (n x dims) of `landmarks`, with its eigenvalues
 * `lambda`; weights are multiplied by the `mass` of each landmark; `plane` is 0, or above for a
 * layout. `covariance` in kernel coordinates, see glue_spread(); `rate` 1 / (2 sigma^2), or 0. */
SEXP lm_extend(SEXP source, SEXP landmarks, SEXP graph, SEXP reach, SEXP covariance, SEXP rate,
               SEXP neighbors, SEXP mass, SEXP plane, SEXP y, SEXP lambda, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  extension e = {.dims = (size_t)Rf_ncols(y), .rate = Rf_asReal(rate)};
  e.mass = REAL(mass);
  e.plane = Rf_asReal(plane);
  candidate_setup *around = &e.around;
  const size_t n = (size_t)Rf_nrows(landmarks);
  around->n = n;
  around->neighbors = (size_t)Rf_asInteger(neighbors);
  around->reach = REAL(reach);
  around->start = INTEGER(VECTOR_ELT(graph, 0));
  around->joined = INTEGER(VECTOR_ELT(graph, 1));
  around->spread = glue_spread(covariance);
  if (around->spread != SPREAD_NONE) around->covariance = REAL(covariance);
  e.block = x.rows < BLOCK ? x.rows + 1 : BLOCK;
  LAY_OUT(memory, glue_memory, extension_layout(&e, &memory, &exec, &x));
  glue_points_in(landmarks, 0, n, &x, &around->landmarks);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < e.dims; k++) {
      e.y[i * e.dims + k] = REAL(y)[k * n + i] / (1.0 - REAL(lambda)[k]);
    }
  }
  const size_t sound = extension_start(&e);
  if (sound < n) Rf_error("the covariance of landmark %d is not positive definite", (int)sound + 1);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)x.rows, (int)e.dims));
  for (size_t first = 0; first < x.rows; first += e.block) {
    const size_t count = x.rows - first < e.block ? x.rows - first : e.block;
    extension_rows(&e, &x, first, count, REAL(out), x.rows);
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
