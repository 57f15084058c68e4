/*
 * Some rows of the data, collected: each contiguous, in double or single precision, or compressed,
 * with its norm and its weight. The same memory serves one selection of rows after another.
 */
#ifndef LANDMARKER_GATHERED_H
#define LANDMARKER_GATHERED_H

#include "core/base/arena.h"
#include "observations.h"

typedef struct {
  observations rows;
  int is_single;
  double *real, *norm, *weight;
  float *single;
  int *order, *start, *column;
} gathered;

/* For at most `count` rows of x, sparse rows with at most `entries` entries: g->rows has their
 * kind, and no rows. `is_single`: dense rows are rounded (ROWS_SINGLE). Memory of these rows. */
void gathered_layout(gathered *g, arena *memory, const observations *x, size_t count,
                     size_t entries, int is_single);

/* g->rows := the rows index[0..count) of x (from 0). Time count * columns, or entries. */
void gathered_take(gathered *g, const executor *exec, const observations *x, const int *index,
                   size_t count);

#endif
