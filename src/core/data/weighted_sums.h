/*
 * Weighted sums of rows, one for each point: H'X.
 */
#ifndef LANDMARKER_WEIGHTED_SUMS_H
#define LANDMARKER_WEIGHTED_SUMS_H

#include "points.h"

/* sums[j, l] (+)= sum_i h[i, l] z_i[j] for l < sums->count: H'X, packed as
 * points; the rows of h are h_length apart. ROWS layouts. Time rows *
 * columns * points (entries * points if sparse). */
size_t weighted_sums_scratch(const observations *x, size_t count);
void weighted_sums(const executor *exec, const observations *x, const double *h, size_t h_length,
                   int accumulate, double *scratch, points *sums);

#endif
