/*
 * Where a climb starts: landmarks that are rows of one sample, chosen greedily
 * by the criterion restricted to that sample. For the volume that is always the
 * largest remaining column norm of the sample's kernel matrix: QR with column
 * pivoting, here by pivoted Cholesky of the columns' inner products. For the
 * trace it is the row that leaves least; see trace_order.h.
 */
#ifndef LANDMARKER_PIVOT_H
#define LANDMARKER_PIVOT_H

#include "core/base/arena.h"
#include "core/data/space.h"

typedef struct {
  const executor *exec;
  const observations *x; /* the sample, in a ROWS layout */
  const space *space;    /* candidates are the rows projected */
  radial_kernel radial;
  size_t fixed, wanted;
  int by_trace;          /* that order will be asked for, too */
  points given;          /* the fixed landmarks, to be filled, norms computed */
  points block;          /* some of the rows as points: wide data would not fit all at once */
  points other;          /* by the trace: some others, or the same before their projection */
  double *some, *vector; /* their features; for the projection */
  double *phi, *weighted, *gram, *basis, *pivot;
  double *kernel; /* by the trace: of the candidates among themselves */
} pivot_search;

/* Memory O(rows (rows + n) + fixed columns), and 8 MB or 16 rows of points; by the trace twice
 * that. */
void pivot_layout(pivot_search *p, arena *memory, const executor *exec, const observations *x,
                  radial_kernel k, const space *space, size_t fixed, size_t wanted, int by_trace);

/* The features of the sample, their inner products and, by_trace, the kernel of the candidates:
 * what both criteria need. Time rows^2 (rows + columns). Polls. */
void pivot_prepare(pivot_search *p);

/* chosen[0..returned): rows of the sample in the order found, by the trace or by the volume. Fewer
 * than `wanted` where the rank is used up: what remains of the best column's squared
 * norm (by the trace: of its kernel with itself) is not above `floor` times all of it. `order` is
 * scratch for fixed + wanted. Time rows n^2. Polls. */
size_t pivot_rows(pivot_search *p, int by_trace, double floor, size_t *order, int *chosen);

#endif
