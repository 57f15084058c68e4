/* Entry points that embed landmarks, and extend the embedding to other points. */
#include <string.h>

#include "core/embedding/eigenmap.h"
#include "core/embedding/extension.h"
#include "core/embedding/novelty.h"
#include "glue.h"

/* The number of rows that are sorted by their nearest landmark at a time. */
#define BLOCK ((size_t)1 << 21)

/* A graph in the form of the slots of a dgCMatrix: the neighbors of vertex v are the entries
 * start[v], ..., start[v + 1] - 1 of `joined`, from 0. Returns the number of vertices. */
static size_t joined_of(SEXP graph, const int **start, const int **joined) {
  SEXP p = setting(graph, "start");
  if (Rf_xlength(p) < 2) Rf_error("`start` must be that of a graph");
  const size_t n = (size_t)Rf_xlength(p) - 1;
  const compressed view = compressed_of(graph, n, n, "joined");
  *start = view.start;
  *joined = view.inner;
  return n;
}

/* list(values, coordinates): `dims` eigenvectors of a graph of `start`, `joined` and `weight`, and
 * of each vertex with itself `own`, whose weights are divided by the densities of both ends to the
 * power `alpha`. */
SEXP lmk_eigenmap(SEXP graph, SEXP settings) {
  const executor exec = glue_executor(settings);
  eigenmap m = {.exec = &exec,
                .dims = setting_count(settings, "dims"),
                .alpha = setting_number(settings, "alpha")};
  m.n = joined_of(graph, &m.start, &m.joined);
  m.weight = numbers_of(setting(graph, "weight"), (size_t)m.start[m.n], "weight");
  m.own = numbers_of(setting(graph, "own"), m.n, "own");
  if (m.dims < 1 || m.dims >= m.n) Rf_error("`dims` must be from 1 to the number of others");
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

/* list(share, left): for each column of `others` (n x m) the share of its variance that the columns
 * of `given` (n x c) do not explain, by local regressions on the `near` nearest rows; and what they
 * leave of each value, n x m. */
SEXP lmk_novelty(SEXP given, SEXP others, SEXP settings) {
  executor alone = glue_executor(settings);
  alone.threads = 1;
  novelty v = {.exec = &alone, .near = setting_count(settings, "near")};
  v.at = matrix_of(given, ANY_LENGTH, ANY_LENGTH, "given");
  v.n = (size_t)Rf_nrows(given);
  v.given = (size_t)Rf_ncols(given);
  const double *y = matrix_of(others, v.n, ANY_LENGTH, "others");
  if (v.given < 1 || v.near < 1 || v.near >= v.n) Rf_error("`near` must be below the rows");
  LAY_OUT(memory, glue_memory, novelty_layout(&v, &memory));
  const char *names[] = {"share", "left"};
  SEXP out = PROTECT(glue_list(2, names));
  SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, Rf_ncols(others)));
  SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)v.n, Rf_ncols(others)));
  novelty_shares(&v, y, (size_t)Rf_ncols(others), REAL(VECTOR_ELT(out, 0)),
                 REAL(VECTOR_ELT(out, 1)));
  UNPROTECT(1);
  return out;
}

/* The coordinates of the rows of `source`, by the embedding `map` of `landmarks`,
 * list(coordinates, values). Their graph is a list of `start` and `joined`, `reach`, `covariance`
 * in kernel coordinates, and `mass`, the factors of the weights. Settings: `edge_weights` and
 * `sigma`, `neighbors`, `spread`, `plane`, which is 0 for an eigenmap, and `printed`, whether
 * it is the formula that the paper prints. */
SEXP lmk_extend(SEXP source, SEXP landmarks, SEXP graph, SEXP map, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  extension e = {.plane = setting_number(settings, "plane"),
                 .printed = setting_flag(settings, "printed")};
  if (glue_edge_weights(settings) == EDGES_HEAT) {
    const double sigma = setting_number(settings, "sigma");
    e.rate = 1.0 / (2.0 * sigma * sigma);
  }
  candidate_setup *around = &e.around;
  const size_t n = joined_of(graph, &around->start, &around->joined);
  around->n = n;
  around->neighbors = setting_count(settings, "neighbors");
  if (around->neighbors < 1 || around->neighbors >= n) Rf_error("`neighbors` must be below n");
  around->knn_radius = numbers_of(setting(graph, "reach"), n, "reach");
  around->spread = glue_spread(settings);
  around->covariance = glue_covariance(setting(graph, "covariance"), around->spread, n, x.columns);
  e.mass = numbers_of(setting(graph, "mass"), n, "mass");
  SEXP coordinates = setting(map, "coordinates");
  const double *y = matrix_of(coordinates, n, ANY_LENGTH, "coordinates");
  e.dims = (size_t)Rf_ncols(coordinates);
  if (e.dims >= n) Rf_error("`coordinates` must have fewer columns than landmarks");
  const double *lambda = numbers_of(setting(map, "values"), e.dims, "values");
  matrix_of(landmarks, n, x.columns, "landmarks");
  e.block = x.rows < BLOCK ? x.rows + 1 : BLOCK;
  LAY_OUT(memory, glue_memory, extension_layout(&e, &memory, &exec, &x));
  glue_points_in(landmarks, 0, n, &x, &around->landmarks);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < e.dims; k++) e.y[i * e.dims + k] = y[k * n + i] / (1.0 - lambda[k]);
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
