/*
 * The k observations nearest to each of some points, in one pass.
 *
 * Each point keeps a heap, the farthest of its k on top: most of what is
 * offered is turned away by one comparison, and k may be in the thousands.
 */
#ifndef LANDMARKER_NEAREST_H
#define LANDMARKER_NEAREST_H

#include "executor.h"

/* Offers rows [first, first + count), whose squared distances to `n` points
 * stand by rows of `length`, to the k nearest so far of each point,
 * row[l * k ..] and squared[l * k ..], ties to the lower row. Rows are offered
 * from 0 on, in order, each once; what stood in the lists does not matter. Time
 * count * n, and log k for each newcomer. */
void nearest_offer(const executor *exec, size_t first, size_t count, size_t n, size_t length,
                   const double *distances, size_t k, int *row, double *squared);

/* Once all rows were offered, at least k of them: nearest first. Time n k log k. */
void nearest_sort(const executor *exec, size_t n, size_t k, int *row, double *squared);

#endif
