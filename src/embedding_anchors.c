/* Entry points of the graph that rows make between landmarks. */
#include <string.h>

#include "core/embedding/anchor_graph.h"
#include "glue.h"

/* Rows of a block. */
#define BLOCK ((size_t)8192)

/* The anchor graph of `landmarks` (n x columns), laid out and filled; in the glue's memory.
 * `edges`: those that count, list(start, joined), or NULL for all. */
static void start_anchors(anchor_graph *g, const executor *exec, const observations *x,
                          SEXP landmarks, SEXP edges, SEXP settings) {
  matrix_of(landmarks, ANY_LENGTH, x->columns, "landmarks");
  g->n = (size_t)Rf_nrows(landmarks);
  g->nearest = setting_count(settings, "nearest");
  if (g->nearest < 1 || g->nearest >= g->n) Rf_error("`nearest` must be below n");
  if (edges != R_NilValue) {
    const compressed view = compressed_of(edges, g->n, g->n, "joined");
    g->start = view.start;
    g->joined = view.inner;
  }
  g->block = x->rows < BLOCK ? x->rows + 1 : BLOCK;
  LAY_OUT(memory, glue_memory, anchor_layout(g, &memory, exec, x));
  glue_points_in(landmarks, 0, g->n, x, &g->landmarks);
  anchor_start(g);
}

/* list(landmark, weight, squared): the landmarks nearest to each row, s x rows, numbered from 1 and
 * nearest first; its weights on them; and the squared distances of each row from the nearest two, 2
 * x rows; see anchor_graph.h. Settings: `nearest`, s. */
SEXP lmk_anchor_weights(SEXP source, SEXP landmarks, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  anchor_graph g = {0};
  start_anchors(&g, &exec, &x, landmarks, R_NilValue, settings);
  const size_t s = g.nearest;
  const char *names[] = {"landmark", "weight", "squared"};
  SEXP out = PROTECT(glue_list(3, names));
  SET_VECTOR_ELT(out, 0, Rf_allocMatrix(INTSXP, (int)s, (int)x.rows));
  SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)s, (int)x.rows));
  SET_VECTOR_ELT(out, 2, Rf_allocMatrix(REALSXP, 2, (int)x.rows));
  int *landmark = INTEGER(VECTOR_ELT(out, 0));
  double *weight = REAL(VECTOR_ELT(out, 1)), *squared = REAL(VECTOR_ELT(out, 2));
  for (size_t first = 0; first < x.rows; first += g.block) {
    const size_t count = x.rows - first < g.block ? x.rows - first : g.block;
    anchor_weights(&g, &x, first, count);
    for (size_t i = 0; i < count * s; i++) landmark[first * s + i] = g.who[i] + 1;
    memcpy(weight + first * s, g.weight, count * s * sizeof(double));
    memcpy(squared + 2 * first, g.squared, 2 * count * sizeof(double));
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* The means of the `coordinates` (n x dims) of the landmarks near each row, and the squared
 * distance of each row from the nearest, rows x (dims + 1). `edges`: those that count, list(start,
 * joined). Settings as above, and `linear`: whether rows are reconstructed. */
SEXP lmk_anchor_extend(SEXP source, SEXP landmarks, SEXP edges, SEXP coordinates, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  anchor_graph g = {.linear = setting_flag(settings, "linear")};
  start_anchors(&g, &exec, &x, landmarks, edges, settings);
  const double *y = matrix_of(coordinates, g.n, ANY_LENGTH, "coordinates");
  const size_t dims = (size_t)Rf_ncols(coordinates);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)x.rows, (int)dims + 1));
  for (size_t first = 0; first < x.rows; first += g.block) {
    const size_t count = x.rows - first < g.block ? x.rows - first : g.block;
    anchor_weights(&g, &x, first, count);
    anchor_extend(&g, first, count, y, dims, REAL(out), x.rows);
    double *squared = REAL(out) + dims * x.rows + first;
    for (size_t i = 0; i < count; i++) squared[i] = g.squared[2 * i];
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
