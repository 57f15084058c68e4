/*
 * A landmark graph's kernel, and what it says of other points: the extension of
 * Laplacian eigenmaps by Nystrom's formula (Bengio et al., 2004; Wachinger and Golland,
 * 2015, eqs. 9 and 10),
 *
 *   y(x) = 1 / (1 - lambda) sum_j w(x, j) y_j / sum_j w(x, j).
 *
 * With D(x, j) the squared distance, or the Bhattacharyya distance of x with the
 * covariance of its nearest landmark, w(x, j) is exp(-D / (2 sigma^2)) or 1
 * for landmarks j that are among the neighbors + 1 nearest of x, or have x among theirs
 * (D(x, j) <= reach_j), else 0. At a landmark that is its row of the graph and
 * 1 for itself, so that y there is its own coordinates.
 */
#ifndef LANDMARKER_EXTENSION_H
#define LANDMARKER_EXTENSION_H

#include "arena.h"
#include "gaussian.h"

typedef enum { SPREAD_NONE, SPREAD_DIAGONAL, SPREAD_FULL } spread_kind;

typedef struct {
  const executor *exec;
  size_t n, dims, neighbors;
  double rate;            /* 1 / (2 sigma^2); 0: all weights are 1 */
  const double *reach;    /* n: D to the neighbors-th nearest landmark */
  const int *start;       /* the graph, compressed: n + 1, */
  const int *joined;      /* and from 0 */
  spread_kind spread;
  const double *covariance; /* n x columns, or n x columns x columns, positive definite */
  points landmarks;
  double *y;              /* n x dims, over 1 - lambda; by rows */
  double *shift;          /* with a spread: n x n, what the covariances add to D */
  size_t block;           /* rows at a time */
  int *home, *order, *from;
  double *own;            /* of each thread */
  size_t own_size;
} extension;

/* n, dims, neighbors, spread and block are set before. With covariances n^2 doubles and
 * for each thread n columns (columns^2 / 2 if full), else 64 n for each. */
void extension_layout(extension *e, arena *memory, const executor *exec, const observations *x);

/* Once y, landmarks (with norms), and the given parts are filled. */
void extension_start(extension *e);

/* Rows [first, first + count), count <= block: out[k * out_rows + i] for coordinate k of
 * row i. Rows are shared among threads. Time count * n * (columns + 1), plus
 * n^2 columns (columns^3 if full) for the covariances. */
void extension_rows(extension *e, const observations *x, size_t first, size_t count, double *out,
                    size_t out_rows);

#endif
