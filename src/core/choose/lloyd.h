/*
 * k-means by Lloyd's algorithm: every row is assigned to its nearest center, and
 * every center moves to the weighted mean of its rows, until no row changes its
 * center. A row of weight 2 counts as two rows, and a row of weight 0 is ignored.
 *
 * An iteration calls lloyd_assign() and, if any row has changed its center,
 * lloyd_sums() and lloyd_move(). Data in several parts are assigned part by part;
 * the sums and sizes of the parts are added, and centers move once.
 *
 * lloyd_assign() by itself finds the center nearest to each row.
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
  /* The caller keeps these two from one iteration to the next. */
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

/* Moves every center except the first `held` to the mean of its rows, given the sums and
 * sizes over all parts. The columns of the sums are multiplied by `factor`, unless it is NULL. A
 * center without rows stays in place. Norms are computed as by lloyd_norms(). Time columns *
 * centers. */
void lloyd_move(points *centers, size_t held, const points *sums, const double *size,
                const double *factor);

/* Norms of the centers. A center that is not held and has size 0 gets an infinite norm, so that
 * no row is assigned to it. */
void lloyd_norms(points *centers, size_t held, const double *size);

#endif
