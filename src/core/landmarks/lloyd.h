/*
 * k-means by Lloyd's iterations: every row goes to the nearest of some centers,
 * every center to the weighted mean of its rows, until no row changes its
 * center. A row of weight 2 counts as two rows, a row of weight 0 not at all.
 *
 * An iteration is lloyd_assign(), and where any row has changed its center
 * lloyd_sums() and lloyd_move(). Rows may stand in several parts, each assigned by
 * itself: sums and sizes of the parts add up, and centers move once.
 *
 * Assigning alone says which center is nearest to each row.
 *
 * Dense and sparse data alike: distances are rows against points (features.h),
 * shared among threads by rows; sums are shared by columns, so that each runs
 * over the rows in order and the bits do not depend on the number of threads.
 */
#ifndef LANDMARKER_LLOYD_H
#define LANDMARKER_LLOYD_H

#include "core/base/arena.h"
#include "core/data/features.h"

typedef struct {
  const executor *exec;
  const observations *x; /* a COLUMNS layout, or ROWS_SPARSE */
  points centers;        /* to be filled, norms computed */
  /* Of the caller, who keeps them from one iteration to the next. */
  int *label;      /* rows: which center is the nearest, from 0; -1 before the first look */
  double *squared; /* rows: the squared distance to it */
  /* Found by lloyd_sums(). */
  double *size; /* centers: the weight of the rows that are theirs */
  points sums;  /* weighted sums of these rows, x - center in the data's units; of sparse rows
                   of their values */
  double *tiles, *scratch;
} lloyd;

/* Memory columns * centers, and a tile of rows for each thread. */
void lloyd_layout(lloyd *a, arena *memory, const executor *exec, const observations *x,
                  size_t centers);

/* Every row to its nearest center; among centers whose squared distances agree
 * to nine digits to the first. Returns how many rows of weight above 0 have
 * changed their center. Time rows * columns * centers (entries * centers if
 * sparse). */
size_t lloyd_assign(lloyd *a);

/* The sums and sizes of all centers. Time rows * columns, or entries. */
void lloyd_sums(lloyd *a);

/* Every center but the first `held` to the mean of its rows, given sums and sizes over
 * all parts; `factor`: what columns of the sums are multiplied by, or NULL. One without
 * rows stays where it is. Norms as by lloyd_norms(). Time columns * centers. */
void lloyd_move(points *centers, size_t held, const points *sums, const double *size,
                const double *factor);

/* Norms of the centers. One that is not held and has the size 0 is out of reach: its norm
 * is infinite, so that no row goes there. */
void lloyd_norms(points *centers, size_t held, const double *size);

#endif
