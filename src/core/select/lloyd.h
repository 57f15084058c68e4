/*
 * k-means by Lloyd's algorithm: every row is assigned to its nearest center, and
 * every center moves to the weighted mean of its rows, until no row changes its
 * center. A row of weight 2 counts as two rows, and a row of weight 0 is ignored.
 *
 * After lloyd_begin() each iteration is a lloyd_step(). lloyd_assign() by itself finds
 * the center nearest to each row.
 *
 * Data may be dense or sparse. Distances are products of rows and points
 * (features.h), shared among threads by rows. Sums are shared by columns: each
 * thread adds the rows in order, so the bits do not depend on the number of threads.
 */
#ifndef LANDMARKER_LLOYD_H
#define LANDMARKER_LLOYD_H

#include "core/base/arena.h"
#include "core/data/features.h"

typedef struct {
  const executor *exec;
  const observations *x;
  points centers; /* to be filled, norms computed */
  /* The caller's memory, kept from one iteration to the next. */
  int *label;      /* rows: the nearest center, from 0; -1 before the first iteration */
  double *squared; /* rows: the squared distance to it */
  /* Found by lloyd_sums(). */
  double *size; /* centers: the weight of their rows */
  points sums;  /* weighted sums of these rows, x - center in the data's units; of a ROWS layout
                   of their values */
  double *tiles, *scratch;
  double *by_center; /* dense rows: the sums, a row of padded(columns) for each center */
} lloyd;

/* Memory columns * centers, and a tile of rows for each thread. */
void lloyd_layout(lloyd *a, arena *memory, const executor *exec, const observations *x,
                  size_t centers);

/* Assigns every row to its nearest center. Among centers whose squared distances
 * agree to nine digits it is the first. Returns how many rows of weight above 0
 * have changed their center. Time rows * columns * centers (entries * centers if
 * sparse). */
size_t lloyd_assign(lloyd *a);

/* The sums and sizes of all centers. Time rows * columns, or entries. */
void lloyd_sums(lloyd *a);

/* Moves every center except the first `fixed` to the mean of its rows, from the sums. A center
 * without rows stays in place. Time columns * centers. */
void lloyd_move(lloyd *a, size_t fixed);

/* No row has a center yet. Norms of the centers are computed. */
void lloyd_begin(lloyd *a);

/* One iteration: assigns the rows and, if one has changed its center, moves the centers. Returns
 * whether the next one would change nothing: no row has changed its center, or there is one center
 * only. */
int lloyd_step(lloyd *a, size_t fixed);

#endif
