/* Entry points for the graph of landmarks. A frame is a list as glue_frame() reads it: the
 * dimensions of some points, n x d, and their `center` and `factor`. Covariances are of a kind that
 * R/kernel_passes.R knows, and `spread` says of which. Edges are a list of `low` and `high`, the
 * numbers of their vertices. */
#include <string.h>

#include "core/data/covariance.h"
#include "core/embedding/bhattacharyya.h"
#include "core/embedding/components.h"
#include "core/embedding/neighborhood.h"
#include "core/embedding/shortcuts.h"
#include "glue.h"

/* Covariances of n sets of rows of a source (m x n, from 1), in kernel coordinates. */
SEXP lmk_covariances(SEXP source, SEXP rows, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  const int full = glue_spread(settings) == SPREAD_FULL;
  const int *index = places_of(rows, ANY_LENGTH, x.rows, "rows");
  if (!Rf_isMatrix(rows)) Rf_error("`rows` must be a matrix");
  const size_t m = (size_t)Rf_nrows(rows), n = (size_t)Rf_ncols(rows), d = x.columns;
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

/* ---- distances ------------------------------------------------------------------ */

static void by_place(const executor *exec, const observations *frame, SEXP landmarks, double *out) {
  euclidean e;
  LAY_OUT(memory, glue_memory, euclidean_layout(&e, &memory, exec, frame->rows, frame->columns));
  glue_points_in(landmarks, 0, e.n, frame, &e.t);
  euclidean_distances(&e, out);
}

static size_t by_covariance(const executor *exec, const observations *frame, SEXP landmarks,
                            SEXP covariance, spread_kind kind, double *out) {
  const size_t n = frame->rows, d = frame->columns, length = padded(d);
  const double *spread = glue_covariance(covariance, kind, n, d);
  points t = points_on(glue_doubles(points_size(n, d)), n, d);
  glue_points_in(landmarks, 0, n, frame, &t);
  bhattacharyya b;
  LAY_OUT(memory, glue_memory, bhattacharyya_layout(&b, &memory, exec, n, d, kind == SPREAD_FULL));
  points_to_rows(&t, b.t, length);
  if (kind == SPREAD_DIAGONAL) glue_matrix_in(covariance, b.covariance, length);
  if (kind == SPREAD_FULL) memcpy(b.covariance, spread, n * d * d * sizeof(double));
  return bhattacharyya_distances(&b, out);
}

/* list(squared, singular). `squared` has the n x n squared Euclidean distances, or Bhattacharyya
 * distances where there are covariances. `singular` is the number of the first landmark whose
 * covariance is not positive definite, or 0. With such a landmark no distance is computed. */
SEXP lmk_distances(SEXP frame, SEXP landmarks, SEXP covariance, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_frame(frame);
  const spread_kind kind = glue_spread(settings);
  matrix_of(landmarks, x.rows, x.columns, "landmarks");
  const char *names[] = {"squared", "singular"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP squared = Rf_allocMatrix(REALSXP, (int)x.rows, (int)x.rows);
  SET_VECTOR_ELT(out, 0, squared);
  size_t sound = x.rows;
  if (kind == SPREAD_NONE) {
    by_place(&exec, &x, landmarks, REAL(squared));
  } else {
    sound = by_covariance(&exec, &x, landmarks, covariance, kind, REAL(squared));
  }
  SET_VECTOR_ELT(out, 1, Rf_ScalarInteger(sound < x.rows ? (int)sound + 1 : 0));
  UNPROTECT(1);
  return out;
}

/* ---- neighbors and edges ---------------------------------------------------------- */

/* list(landmark, distance): the `neighbors` nearest other landmarks of each landmark, nearest
 * first, a column for each landmark. With `with_ties` all columns are long enough to also hold the
 * landmarks that tie with the last neighbor. */
SEXP lmk_neighbors(SEXP distances, SEXP settings) {
  const executor exec = glue_executor(settings);
  const double *squared = matrix_of(distances, ANY_LENGTH, ANY_LENGTH, "distances");
  const size_t n = (size_t)Rf_nrows(distances), k = setting_count(settings, "neighbors");
  if ((size_t)Rf_ncols(distances) != n) Rf_error("`distances` must be a square matrix");
  if (k < 1 || k >= n) Rf_error("`neighbors` must be from 1 to the number of others");
  neighbor *list = (neighbor *)R_alloc(nearest_room(n), sizeof *list);
  size_t size = k;
  if (setting_flag(settings, "with_ties")) size = neighborhood_size(&exec, n, squared, k, list);
  const char *names[] = {"landmark", "distance"};
  SEXP out = PROTECT(glue_list(2, names));
  SEXP who = Rf_allocMatrix(INTSXP, (int)size, (int)n);
  SET_VECTOR_ELT(out, 0, who);
  SEXP far = Rf_allocMatrix(REALSXP, (int)size, (int)n);
  SET_VECTOR_ELT(out, 1, far);
  neighborhood_lists(&exec, n, squared, size, list, INTEGER(who), REAL(far));
  for (size_t i = 0; i < n * size; i++) INTEGER(who)[i]++;
  UNPROTECT(1);
  return out;
}

/* Reads the result of lmk_neighbors(). */
static neighbor_lists lists_of(SEXP near, SEXP settings, size_t *k) {
  SEXP who = setting(near, "landmark"), far = setting(near, "distance");
  const double *distance = matrix_of(far, ANY_LENGTH, ANY_LENGTH, "distance");
  const size_t size = (size_t)Rf_nrows(far), n = (size_t)Rf_ncols(far);
  const int *landmark = places_of(who, n * size, n, "landmark");
  *k = setting_count(settings, "neighbors");
  if (*k < 1 || *k > size) Rf_error("`neighbors` must be from 1 to the length of the lists");
  const neighbor_lists lists = {n, size, landmark, distance};
  return lists;
}

/* c(typical, least): half of the median sqrt(D) from a landmark to the last of its `neighbors`
 * nearest, and half of the largest sqrt(D) from a landmark to its nearest. */
SEXP lmk_sigmas(SEXP near, SEXP settings) {
  size_t k;
  const neighbor_lists lists = lists_of(near, settings, &k);
  double *scratch = glue_doubles(lists.n);
  SEXP out = Rf_allocVector(REALSXP, 2);
  REAL(out)[0] = neighborhood_typical_sigma(&lists, k, scratch);
  REAL(out)[1] = neighborhood_least_sigma(&lists);
  return out;
}

/* list(low, high, weight): the edges of the graph with this many `neighbors`. The lists also hold
 * all landmarks that tie with the last neighbor. Only heat weights use `sigma`. */
SEXP lmk_edges(SEXP near, SEXP settings) {
  const edge_weights kind = glue_edge_weights(settings);
  const double sigma = kind == EDGES_HEAT ? setting_number(settings, "sigma") : 1.0;
  size_t k;
  const neighbor_lists lists = lists_of(near, settings, &k);
  const size_t count = neighborhood_edges(&lists, k, kind, sigma, NULL, NULL, NULL);
  const char *names[] = {"low", "high", "weight"};
  SEXP out = PROTECT(glue_list(3, names));
  SEXP low = Rf_allocVector(INTSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 0, low);
  SEXP high = Rf_allocVector(INTSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 1, high);
  SEXP weight = Rf_allocVector(REALSXP, (R_xlen_t)count);
  SET_VECTOR_ELT(out, 2, weight);
  neighborhood_edges(&lists, k, kind, sigma, INTEGER(low), INTEGER(high), REAL(weight));
  for (size_t e = 0; e < count; e++) {
    INTEGER(low)[e]++;
    INTEGER(high)[e]++;
  }
  UNPROTECT(1);
  return out;
}

/* ---- components and shortcuts ------------------------------------------------------- */

/* One end of each edge, from 0. */
static int *ends_of(SEXP edges, const char *name, size_t count, size_t vertices) {
  return places_of(setting(edges, name), count, vertices, name);
}

/* The component of each of the `vertices`, from 1. */
SEXP lmk_components(SEXP edges, SEXP settings) {
  const size_t n = setting_count(settings, "vertices");
  const size_t count = (size_t)Rf_xlength(setting(edges, "low"));
  const int *low = ends_of(edges, "low", count, n), *high = ends_of(edges, "high", count, n);
  SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)n));
  components(n, count, low, high, INTEGER(out));
  for (size_t v = 0; v < n; v++) INTEGER(out)[v]++;
  UNPROTECT(1);
  return out;
}

/* Which edges of a graph are shortcuts, in the order given. An edge is one if it is suspected
 * (`suspect`) and the path along other edges is at least `round` times its `length`. */
SEXP lmk_shortcuts(SEXP edges, SEXP settings) {
  const size_t n = setting_count(settings, "vertices");
  SEXP length = setting(edges, "length"), suspect = setting(edges, "suspect");
  const size_t count = (size_t)Rf_xlength(length);
  if (TYPEOF(suspect) != LGLSXP || (size_t)Rf_xlength(suspect) != count) {
    Rf_error("`suspect` must be TRUE or FALSE for each edge");
  }
  shortcuts s = {.n = n,
                 .edges = count,
                 .from = ends_of(edges, "low", count, n),
                 .to = ends_of(edges, "high", count, n),
                 .length = numbers_of(length, count, "length"),
                 .suspect = LOGICAL(suspect),
                 .round = setting_number(settings, "round")};
  LAY_OUT(memory, glue_memory, shortcuts_layout(&s, &memory));
  SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)count));
  shortcuts_find(&s, LOGICAL(out));
  UNPROTECT(1);
  return out;
}
