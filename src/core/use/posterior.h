/*
 * The variance that the Gaussian process has left at new points, given the
 * landmarks,
 *
 *   V_n(z) = (1/N) || (I - P) D^1/2 phi(z) ||^2,
 *
 * Liang and Paisley (2015), eq. 7 over N: one pass over the data that the
 * kernel is made of, in ranges, never N x n.
 */
#ifndef LANDMARKER_POSTERIOR_H
#define LANDMARKER_POSTERIOR_H

#include "core/data/sweep.h"

typedef struct {
  sweep sweep;       /* held: the landmarks; moving: the new points */
  points landmarks;  /* to be filled, norms computed */
  points at;         /* likewise */
  double *g, *cross; /* n x padded(n); n x padded(points) */
  double *prior;     /* points: N k(z, z) */
} posterior;

/* Memory O(range (n + points + columns) + n (n + points)). */
void posterior_layout(posterior *p, arena *memory, const executor *exec, const observations *x,
                      double bandwidth, size_t landmarks, size_t count);

/* prior[z] = k(z, z) and explained[k * points + z], what landmark k, in order,
 * takes from it: V_n(z) = prior[z] - sum_k explained[k, z].
 * A landmark whose features depend on those before it takes nothing. Time rows *
 * (n + points) * columns. */
void posterior_variance(posterior *p, double *prior, double *explained);

#endif
