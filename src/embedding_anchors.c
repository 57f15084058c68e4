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

/* list(joined, witnesses), n x n: the graph that the rows of `source` make of landmarks, and how
 * many rows, by their weights, have both of two landmarks as their nearest; see anchor_graph.h.
 * Settings: `nearest`, s. */
SEXP lm_anchor_graph(SEXP source, SEXP landmarks, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  anchor_graph g = {0};
  start_anchors(&g, &exec, &x, landmarks, R_NilValue, settings);
  const char *names[] = {"joined", "witnesses"};
  SEXP out = PROTECT(glue_list(2, names));
  for (int part = 0; part < 2; part++) {
    SEXP to = Rf_allocMatrix(REALSXP, (int)g.n, (int)g.n);
    SET_VECTOR_ELT(out, part, to);
    memset(REAL(to), 0, g.n * g.n * sizeof(double));
  }
  for (size_t first = 0; first < x.rows; first += g.block) {
    const size_t count = x.rows - first < g.block ? x.rows - first : g.block;
    anchor_weights(&g, &x, first, count);
    anchor_join(&g, &x, first, count, REAL(VECTOR_ELT(out, 0)), REAL(VECTOR_ELT(out, 1)));
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}

/* The means of the `coordinates` (n x dims) of the landmarks near each row, rows x dims. `edges`
 * and settings as above. */
SEXP lm_anchor_extend(SEXP source, SEXP landmarks, SEXP edges, SEXP coordinates, SEXP settings) {
  const executor exec = glue_executor(settings);
  const observations x = glue_source(source);
  anchor_graph g = {0};
  start_anchors(&g, &exec, &x, landmarks, edges, settings);
  const double *y = matrix_of(coordinates, g.n, ANY_LENGTH, "coordinates");
  const size_t dims = (size_t)Rf_ncols(coordinates);
  SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)x.rows, (int)dims));
  for (size_t first = 0; first < x.rows; first += g.block) {
    const size_t count = x.rows - first < g.block ? x.rows - first : g.block;
    anchor_weights(&g, &x, first, count);
    anchor_extend(&g, first, count, y, dims, REAL(out), x.rows);
    R_CheckUserInterrupt();
  }
  UNPROTECT(1);
  return out;
}
