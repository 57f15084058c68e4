/*
 * The volume that the landmarks' features span, log det G with G = Phi' D Phi.
 * Its gradient in all moving landmarks at once gives the fixed point
 *
 *   H = D Phi o (Phi G^-1),   T+ = H'X = T + (eta / 4) grad log det G,
 *
 * each column of H summing to 1. For one landmark it is eq. 10 of Liang and
 * Paisley (2015).
 */
#ifndef LANDMARKER_VOLUME_H
#define LANDMARKER_VOLUME_H

#include "ascent.h"

/* Its arrays are G, its Cholesky factor and columns of its inverse, 3 n^2 doubles at the most.
 * There is no value where features are dependent, and no bound. Time of a value: that of
 * row_pass_gram() and n^2 moving; of a proposal: that of row_pass_sums() and twice as much. */
extern const criterion volume_criterion;

/* The logarithm of the volume of the first `count` landmarks alone, after a value that is
 * finite. Time count. */
double volume_of_first(const ascent *a, size_t count);

/* One step along the gradient of the last landmark's variance, as the sum over
 * the rows or (`unit`) rescaled to norm 1; projected, never refused. For an ascent of this
 * criterion with one landmark that moves; nothing moves where there is no value. `first` as for
 * a value. */
void volume_gradient_step(ascent *a, double rate, int unit, int first);

#endif
