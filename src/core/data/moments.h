/*
 * One reading of the data before anything else: whether all values are finite, and each column's
 * mean, deviation and size.
 */
#ifndef LANDMARKER_MOMENTS_H
#define LANDMARKER_MOMENTS_H

#include "observations.h"

/* Where the first value that is not finite stands, and each column's mean and
 * sum of squared deviations, both weighted by `weight` of mean 1 or NULL. Returns -1, or the
 * position column * rows + row of the first bad value. COLUMNS layouts. Time rows * columns. */
ptrdiff_t observations_moments(const executor *exec, const observations *x, double *mean,
                               double *deviation);

/* The same as observations_moments() for compressed sparse columns: the position returned is that
 * of an entry. The deviation is of all rows, also of those that have no entry. Time entries. */
ptrdiff_t compressed_moments(const executor *exec, size_t rows, size_t columns, const int *start,
                             const int *inner, const double *value, const double *weight,
                             double *mean, double *deviation);

/* The same position, and each column's sum of absolute values, which no absolute value exceeds:
 * one pass says that new data are finite and how large they can be. Weights do not count. COLUMNS
 * layouts. Time rows * columns. */
ptrdiff_t observations_sizes(const executor *exec, const observations *x, double *size);

#endif
