/*
 * What Nystrom leaves of the kernel matrix K of all rows,
 *
 *   || K - C W^-1 C' ||_tr = sum_i v_i (1 - || R'^-1 c_i ||^2),   W = R'R,
 *
 * C the kernel of rows and landmarks, W that of the landmarks among themselves:
 * Wachinger and Golland (2015), eq. 1. What is left is positive semidefinite,
 * so that its trace norm is its trace, which needs each row on its own.
 */
#ifndef LANDMARKER_RECONSTRUCTION_H
#define LANDMARKER_RECONSTRUCTION_H

#include "core/base/arena.h"
#include "core/data/features.h"

typedef struct {
  const executor *exec;
  const observations *x;
  double bandwidth;
  points landmarks; /* to be filled, norms computed */
  double *factor;   /* n x padded(n): W, then R */
  double *sums;     /* blocks of a range x n */
  double *own;      /* for each thread: scratch of features(), C, C', what is left */
} reconstruction;

/* Memory O(n (n + columns) + threads * block * (n + columns)): neither N x N nor N x n. */
void reconstruction_layout(reconstruction *r, arena *memory, const executor *exec,
                           const observations *x, double bandwidth, size_t landmarks);

/* error[k]: what the first k + 1 landmarks leave. Never negative, and never more
 * than with fewer. A landmark that depends on those before it adds nothing. Time
 * rows * n * (columns + n). */
void reconstruction_errors(reconstruction *r, double *error);

#endif
