/*
 * The criterion restricted to the rows of one sample: greedy by the largest
 * remaining column norm of the sample's kernel matrix, which is QR with column
 * pivoting.
 */
#ifndef LANDMARKER_PIVOT_H
#define LANDMARKER_PIVOT_H

#include "arena.h"
#include "features.h"

typedef struct {
  const executor *exec;
  const observations *x; /* the sample, in a ROWS layout */
  double bandwidth;
  size_t held, wanted;
  points fixed, rows; /* held landmarks, to be filled; the sample's rows as points */
  double *kernel;     /* rows x padded(rows), weighted by sqrt(D) along a row */
  double *fixed_phi;  /* rows x padded(held) */
  double *basis;      /* (held + wanted) x padded(rows), orthonormal */
  double *remains;    /* rows */
} pivot_search;

/* Memory O(rows^2 + rows (n + columns)). */
void pivot_layout(pivot_search *p, arena *memory, const executor *exec, const observations *x,
                  double bandwidth, size_t held, size_t wanted);

/* chosen[0..returned): rows of the sample in the order found. Fewer than
 * `wanted` where the rank is used up: a column's remaining squared norm is not
 * above `floor` times its own. Time rows^2 (columns + n). */
size_t pivot_rows(pivot_search *p, double floor, int *chosen);

#endif
