/*
 * k-means by Lloyd's iterations: every row goes to the nearest of some centres,
 * every centre to the weighted mean of its rows, until no row changes its
 * centre. A row of weight 2 counts as two rows, a row of weight 0 not at all.
 *
 * With all centres held one iteration says which of them is nearest to each row.
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
  size_t held;           /* so many centres, the first, keep their places */
  points centers;        /* to be filled, norms computed */
  int *label;            /* rows: which centre is the nearest, from 0 */
  double *squared;       /* rows: the squared distance to it */
  double *size;          /* centres: the weight of the rows that were theirs when they last moved */
  points sums;
  double *tiles, *scratch;
} lloyd;

void lloyd_layout(lloyd *a, arena *memory, const executor *exec, const observations *x, size_t held,
                  size_t moving);

/* Every row to its nearest centre; among centres whose squared distances agree
 * to nine digits to the first. Returns how many rows of weight above 0 have
 * changed their centre. Time rows * columns * centres (entries * centres if
 * sparse). */
size_t lloyd_assign(lloyd *a);

/* Every centre that is not held to the mean of its rows. One without rows stays
 * where it is, with size 0, and no row goes there until its norm is computed
 * anew. Time rows * columns, or entries. */
void lloyd_move(lloyd *a);

/* `most` iterations at the most, the first from nothing: each assigns the rows
 * and, where any has changed its centre, moves the centres. Returns how many
 * there were; *settled: whether the last has changed nothing. */
int lloyd_run(lloyd *a, int most, int *settled);

#endif
