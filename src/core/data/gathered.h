/*
 * Some rows of the data, collected: each contiguous, or compressed, with its norm and its weight.
 * The same memory serves one selection of rows after another.
 */
#ifndef LANDMARKER_GATHERED_H
#define LANDMARKER_GATHERED_H

#include "core/base/arena.h"
#include "observations.h"

typedef struct {
  observations rows;
  double *real, *norm, *weight;
  int *order, *start, *column;
} gathered;

/* For at most `count` rows of x, sparse rows with at most `entries` entries. Memory of these rows.
 */
void gathered_layout(gathered *g, arena *memory, const observations *x, size_t count,
                     size_t entries);

/* g->rows := the rows index[0..count) of x (from 0). Time count * columns, or entries. */
void gathered_take(gathered *g, const executor *exec, const observations *x, const int *index,
                   size_t count);

#endif
