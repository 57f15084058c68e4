/*
 * The volume that the landmarks' features span, log det G with G = Phi' D Phi.
 * Its gradient in all moving landmarks at once gives the fixed point
 *
 *   H = D Phi o (Phi G^-1),   T+ = H'X = T + (eta / 4) grad log det G,
 *
 * each column of H summing to 1. For one landmark it is eq. 10 of Liang and
 * Paisley (2015).
 */
#include <math.h>
#include <string.h>

#include "ascent.h"
#include "core/algebra/linear.h"

/* A pivot below this part of its diagonal entry is rounding error of the sum
 * over rows that made it: the features are dependent. */
#define DEPENDENT 1e-13

static double volume_value(ascent *a, int first) {
  sweep_gram(&a->sweep, &a->held, &a->now, first, a->g, NULL, NULL);
  const size_t from = first ? 0 : a->sweep.held;
  for (size_t k = 0; k < a->n; k++) {
    const size_t at = k * a->length + from;
    memcpy(a->factor + at, a->g + at, (a->n - from) * sizeof *a->g);
  }
  if (cholesky(a->sweep.exec, a->n, a->length, from, DEPENDENT, 0, a->factor) < a->n) {
    return -INFINITY;
  }
  return cholesky_log_det(a->n, a->length, a->factor);
}

static void volume_propose(ascent *a) {
  const size_t held = a->sweep.held, moving = a->sweep.moving, length = padded(moving);
  memset(a->inverse, 0, a->n * length * sizeof *a->inverse);
  for (size_t l = 0; l < moving; l++) a->inverse[(held + l) * length + l] = 1.0;
  cholesky_solve(a->sweep.exec, a->n, a->length, a->factor, 1, held, a->inverse, length, moving);
  sweep_sums(&a->sweep, &a->held, &a->now, a->inverse, a->h, a->scratch, &a->sums);
}

const criterion volume_criterion = {volume_value, volume_propose, NULL, NULL};
