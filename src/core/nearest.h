/*
 * The k observations nearest to each of some points, in one pass.
 */
#ifndef LANDMARKER_NEAREST_H
#define LANDMARKER_NEAREST_H

#include <stddef.h>

/* Puts rows [first, first + count), whose squared distances to `n` points
 * stand by rows of `length`, into each point's list of the k nearest so far:
 * row[l * k ..] and squared[l * k ..], nearest first, ties to the lower row.
 * Lists start as all infinite. Time count * n, and k for each newcomer. */
void nearest_update(size_t first, size_t count, size_t n, size_t length, const double *distances,
                    size_t k, int *row, double *squared);

#endif
