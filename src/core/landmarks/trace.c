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
 *   (eta / 4) grad f = R = H'X - diag(s) T - (M T - diag(M1) T).
 *
 * R = 0 is a linear system for T if H and M are held as they are. The step
 * solves it, and goes a little beyond:
 *
 *   T + STEP A^-1 R,   A = diag(s - M1) + M.
 *
 * On a sphere only the part of R along it counts, R - diag(q) T with
 * q_l = t_l' R_l, and A has q + CAUTION |q| on its diagonal as well, because the
 * projection bends the step. A is positive definite
 * where landmarks explain much; where it is not, its diagonal is raised until
 * it is, so that every step is uphill at first.
 */
#include <math.h>
#include <string.h>

#include "ascent.h"
#include "core/algebra/linear.h"

#define RIDGE 1e-8      /* of W's diagonal, which is 1 */
#define STEP 1.5        /* of the solution: chosen by measurement, see bench/criteria.R */
#define LEAST_SHARE 0.1 /* of the mean of s: landmarks that explain little do not leap */
#define CAUTION 0.3
#define LEAST_PIVOT 1e-3 /* of A's diagonal entry: what counts as positive definite */

/* a->own: W, its inverse, G W^-1 and M, each n x length; for each moving landmark its entry of A's
 * diagonal, and another number. */
static size_t trace_memory(size_t n) { return 4 * n * padded(n) + 2 * padded(n); }

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

/* R in a->next, and diagonal[l] := s_l - (M1)_l, on a sphere with what R leaves there. `share`:
 * G W^-1, `m`: M, n x length, the moving columns first; `along`: scratch. */
static void slope(ascent *a, const double *share, const double *m, double *diagonal,
                  double *along) {
  const size_t held = a->sweep.held, moving = a->sweep.moving, n = a->n, length = a->length;
  const size_t d = a->now.columns;
  const executor *exec = a->sweep.exec;
  sweep_sums(&a->sweep, &a->held, &a->now, a->inverse, a->h, a->scratch, &a->sums);
  /* sums -= M'T, over held and moving landmarks. */
  multiply_rows(exec, d, moving, moving, a->now.x, a->now.length, m + held * length, length, -1,
                a->sums.x, a->sums.length);
  if (held) {
    multiply_rows(exec, d, moving, held, a->held.x, a->held.length, m, length, -1, a->sums.x,
                  a->sums.length);
  }
  for (size_t l = 0; l < moving; l++) {
    diagonal[l] = share[(held + l) * length + held + l];
    for (size_t k = 0; k < n; k++) diagonal[l] -= m[k * length + l];
  }
  for (size_t j = 0; j < d; j++) {
    const double *t = a->now.x + j * a->now.length, *sums = a->sums.x + j * a->sums.length;
    double *r = a->next.x + j * a->next.length;
    for (size_t l = 0; l < moving; l++) r[l] = sums[l] - diagonal[l] * t[l];
    /* Products read whole vectors. */
    for (size_t l = moving; l < a->next.length; l++) r[l] = 0.0;
  }
  if (!space_is_sphere(a->space)) return;
  space_tangent(a->space, &a->now, &a->next, along);
  for (size_t l = 0; l < moving; l++) diagonal[l] += along[l] + CAUTION * fabs(along[l]);
}

/* a->factor := the Cholesky factor of A, which is diag(diagonal) + M of the moving landmarks. */
static void factor_of_system(ascent *a, const double *m, const double *least,
                             const double *diagonal) {
  const size_t held = a->sweep.held, moving = a->sweep.moving, length = a->length;
  for (double raise = 0.0; raise<1e6; raise = raise> 0.0 ? 2.0 * raise : 0.1) {
    for (size_t k = 0; k < moving; k++) {
      memcpy(a->factor + k * length, m + (held + k) * length, moving * sizeof *m);
      a->factor[k * length + k] += diagonal[k] + raise * least[k];
    }
    if (cholesky(a->sweep.exec, moving, length, 0, LEAST_PIVOT, 0, a->factor) == moving) return;
  }
  /* Nothing that is a number would do: no step. */
  memset(a->factor, 0, moving * length * sizeof *a->factor);
  for (size_t k = 0; k < moving; k++) a->factor[k * length + k] = INFINITY;
}

static void trace_propose(ascent *a) {
  const size_t held = a->sweep.held, moving = a->sweep.moving, n = a->n, length = a->length;
  const size_t own_length = padded(moving), d = a->now.columns;
  const executor *exec = a->sweep.exec;
  double *w = part(a, 0), *inverse = part(a, 1), *share = part(a, 2), *m = part(a, 3);
  double *least = part(a, 4), *diagonal = least + padded(n);
  for (size_t k = 0; k < n; k++) {
    memcpy(a->inverse + k * own_length, inverse + k * length + held, moving * sizeof *inverse);
    memset(a->inverse + k * own_length + moving, 0, (own_length - moving) * sizeof *inverse);
  }
  multiply_rows(exec, n, n, n, a->g, length, inverse, length, 0, share, length);
  multiply_rows(exec, n, moving, n, inverse, length, share + held, length, 0, m, length);
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < moving; l++) m[k * length + l] *= w[k * length + held + l];
  }
  /* Over the held ones too: all shares together are f, which is above 0. Those of
   * the moving landmarks alone may not be. */
  double mean = 0.0;
  for (size_t k = 0; k < n; k++) mean += share[k * length + k] / (double)n;
  slope(a, share, m, diagonal, least);
  for (size_t l = 0; l < moving; l++) {
    const double s = share[(held + l) * length + held + l];
    least[l] = s > LEAST_SHARE * mean ? s : LEAST_SHARE * mean;
    diagonal[l] += least[l] - s;
  }
  factor_of_system(a, m, least, diagonal);
  /* A^-1, where W^-1 was: the next value makes that anew. */
  memset(inverse, 0, moving * length * sizeof *inverse);
  for (size_t k = 0; k < moving; k++) inverse[k * length + k] = 1.0;
  cholesky_solve(exec, moving, length, a->factor, 1, 0, inverse, length, moving);
  multiply_rows(exec, d, moving, moving, a->next.x, a->next.length, inverse, length, 0, a->sums.x,
                a->sums.length);
  for (size_t i = 0; i < d * a->sums.length; i++) a->sums.x[i] = a->now.x[i] + STEP * a->sums.x[i];
}

/* The trace of K itself, the sum of the weights. */
static double trace_most(const ascent *a) {
  const observations *x = a->sweep.x;
  double sum = 0.0;
  for (size_t i = 0; i < x->rows; i++) sum += x->weight ? x->weight[i] : 1.0;
  return sum;
}

const criterion trace_criterion = {trace_value, trace_propose, trace_memory, trace_most};
