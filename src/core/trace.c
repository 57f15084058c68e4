/*
 * The trace of the Gaussian kernel K of the observations that the landmarks
 * explain (Nystrom),
 *
 *   f = sum_i v_i C_i W^-1 C_i' = tr(W^-1 G),   G = C' D C,
 *
 * C = Phi the kernel of observations and landmarks, W that of the landmarks
 * among themselves, with a ridge that keeps it regular. With B = C W^-1,
 * H = D C o B, s its column sums (the diagonal of G W^-1) and
 * M = (B' D B) o W = (W^-1 G W^-1) o W,
 *
 *   grad f = (4 / eta) [H'X - diag(s) T - (M T - diag(rowSums M) T)].
 *
 * The step is T + STEP (eta / 4) grad f / s: a gradient step in which each
 * landmark's length is measured by what it explains.
 */
#include <math.h>
#include <string.h>

#include "ascent.h"
#include "linear.h"

#define RIDGE 1e-8     /* of W's diagonal, which is 1 */
#define STEP 0.3       /* of a full step to the mean of what a landmark explains */
#define LEAST_SHARE 0.1 /* of the mean of s: landmarks that explain little do not leap */

/* a->own: W, its inverse, G W^-1, and W^-1 G W^-1, each n x length. */
static size_t trace_memory(size_t n) { return 4 * n * padded(n) + padded(n); }

static double *part(const ascent *a, int which) {
  return a->own + (size_t)which * a->n * a->length;
}

/* W of [held, moving]; of its two blocks between them the upper one, which is all that is read. */
static void landmark_kernel(const ascent *a, double *w) {
  const size_t held = a->sweep.held, length = a->length;
  const double bandwidth = a->sweep.bandwidth;
  const executor *exec = a->sweep.exec;
  points_kernel(exec, &a->now, &a->now, bandwidth, w + held * length + held, length);
  if (held) {
    points_kernel(exec, &a->held, &a->held, bandwidth, w, length);
    points_kernel(exec, &a->held, &a->now, bandwidth, w + held, length);
  }
  for (size_t k = 0; k < a->n; k++) w[k * length + k] = 1.0 + RIDGE;
}

static double trace_value(ascent *a, int first) {
  const size_t n = a->n, length = a->length;
  const executor *exec = a->sweep.exec;
  sweep_gram(&a->sweep, &a->held, &a->now, first, a->g, NULL, NULL);
  double *w = part(a, 0), *inverse = part(a, 1);
  landmark_kernel(a, w);
  memcpy(a->factor, w, n * length * sizeof *w);
  if (cholesky(exec, n, length, 0, RIDGE * 1e-6, 0, a->factor) < n) return -INFINITY;
  memset(inverse, 0, n * length * sizeof *inverse);
  for (size_t k = 0; k < n; k++) inverse[k * length + k] = 1.0;
  cholesky_solve(exec, n, length, a->factor, 1, 0, inverse, length, n);
  double sum = 0.0;
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < n; l++) sum += inverse[k * length + l] * a->g[k * length + l];
  }
  return sum;
}

static void trace_propose(ascent *a) {
  const size_t held = a->sweep.held, moving = a->sweep.moving, n = a->n, length = a->length;
  const size_t own_length = padded(moving), d = a->now.columns;
  const executor *exec = a->sweep.exec;
  double *w = part(a, 0), *inverse = part(a, 1), *share = part(a, 2), *m = part(a, 3);
  double *rest = part(a, 4);
  for (size_t k = 0; k < n; k++) {
    memcpy(a->inverse + k * own_length, inverse + k * length + held, moving * sizeof *inverse);
    memset(a->inverse + k * own_length + moving, 0, (own_length - moving) * sizeof *inverse);
  }
  multiply_rows(exec, n, n, n, a->g, length, inverse, length, 0, share, length);
  multiply_rows(exec, n, moving, n, inverse, length, share + held, length, 0, m, length);
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < moving; l++) m[k * length + l] *= w[k * length + held + l];
  }
  sweep_sums(&a->sweep, &a->held, &a->now, a->inverse, a->h, a->scratch, &a->sums);
  /* sums -= M'T, over held and moving landmarks. */
  multiply_rows(exec, d, moving, moving, a->now.x, a->now.length, m + held * length, length, -1,
                a->sums.x, a->sums.length);
  if (held) {
    multiply_rows(exec, d, moving, held, a->held.x, a->held.length, m, length, -1, a->sums.x,
                  a->sums.length);
  }
  /* Over the held ones too: all shares together are f, which is above 0. Those of
   * the moving landmarks alone may not be, and the step would go downhill. */
  double mean = 0.0;
  for (size_t k = 0; k < n; k++) mean += share[k * length + k] / (double)n;
  for (size_t l = 0; l < moving; l++) {
    const double s = share[(held + l) * length + held + l];
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += m[k * length + l];
    const double step = STEP / (s > LEAST_SHARE * mean ? s : LEAST_SHARE * mean);
    /* t + step (sums - (s - sum) t) */
    rest[l] = 1.0 - step * (s - sum);
    for (size_t j = 0; j < d; j++) {
      const size_t at = j * a->sums.length + l;
      a->sums.x[at] = rest[l] * a->now.x[j * a->now.length + l] + step * a->sums.x[at];
    }
  }
}

const criterion trace_criterion = {trace_value, trace_propose, trace_memory};
