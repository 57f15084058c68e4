/*
 * Weights of rows, which are all 1 where none are given.
 */
#ifndef LANDMARKER_WEIGHT_H
#define LANDMARKER_WEIGHT_H

#include <stddef.h>

/* `weight`: one for each row, or NULL. */
static inline double weight_of(const double *weight, size_t row) {
  return weight ? weight[row] : 1.0;
}

#endif
