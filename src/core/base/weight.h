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

static inline double weights_sum(const double *weight, size_t rows) {
  double sum = 0.0;
  for (size_t i = 0; i < rows; i++) sum += weight_of(weight, i);
  return sum;
}

#endif
