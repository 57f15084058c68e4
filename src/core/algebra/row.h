/*
 * Steps along one row of a matrix. Time n.
 */
#ifndef LANDMARKER_ROW_H
#define LANDMARKER_ROW_H

#include <math.h>
#include <stddef.h>

/* y -= factor x. */
static inline void subtract_row(double *restrict y, const double *restrict x, double factor,
                                size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) y[i] -= factor * x[i];
}

/* x *= factor. */
static inline void scale_row(double *x, double factor, size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) x[i] *= factor;
}

/* The smallest element; a NaN is not looked at. */
static inline double least_of(const double *restrict x, size_t n) {
  double least = INFINITY;
#pragma omp simd reduction(min : least)
  for (size_t i = 0; i < n; i++) least = x[i] < least ? x[i] : least;
  return least;
}

#endif
