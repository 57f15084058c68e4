/*
 * When Newton's method is done, for the fits of regressions.
 */
#ifndef LANDMARKER_NEWTON_H
#define LANDMARKER_NEWTON_H

#include <math.h>
#include <stddef.h>

#include "core/base/tolerance.h"

/* What is left of the gradient: the larger of its norm and its decrement sqrt(g' H^-1 g), relative
 * to `unit`, both of them where there is no feature; 0 for what is nothing but rounding error. */
static inline double newton_left(size_t rows, double norm, double decrement, const double *unit) {
  const double by_norm = norm <= NO_GRADIENT * (double)rows ? 0.0 : norm / unit[0],
               by_step = decrement <= NO_DECREMENT * sqrt((double)rows) ? 0.0 : decrement / unit[1];
  return by_norm > by_step ? by_norm : by_step;
}

#endif
