#include "trace.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"

#define RIDGE 1e-8      /* of W's diagonal, which is 1 */
#define STEP 1.5        /* of the solution: chosen by measurement, see bench/criteria.R */
#define LEAST_SHARE 0.1 /* of the mean of s: landmarks that explain little do not leap */
#define CAUTION 0.3
#define RAISES 25        /* of A's diagonal, up to a million times what is least there */
#define LEAST_PIVOT 1e-3 /* of A's diagonal entry: what counts as positive definite */

typedef struct {
  double *g;        /* n x length, as the next four: C' D C */
  double *w;        /* W; its block of moving rows and held columns is not made */
  double *inverse;  /* W^-1, and after a proposal A^-1 */
  double *share;    /* G W^-1 */
  double *m;        /* M, the moving columns first */
  double *factor;   /* n x length: the Cholesky factor of W, then of A */
  double *columns;  /* n x padded(moving): columns of W^-1 */
  double *least;    /* moving: what A's diagonal is raised by at a time */
  double *diagonal; /* moving: what is added to M's diagonal */
} arrays;

static void trace_layout(ascent *a, arena *memory) {
  arrays *own = (arrays *)arena_take(memory, arena_doubles(sizeof *own));
  const size_t square = a->n * a->length, moving = a->sweep.moving;
  arrays t;
  t.g = arena_take(memory, square);
  t.w = arena_take(memory, square);
  t.inverse = arena_take(memory, square);
  /* Products read whole vectors, from column `held` on: of the last row past its end. */
  t.share = arena_take(memory, square + VECTOR_DOUBLES);
  t.m = arena_take(memory, square);
  t.factor = arena_take(memory, square);
  t.columns = arena_take(memory, a->n * padded(moving));
  t.least = arena_take(memory, moving);
  t.diagonal = arena_take(memory, moving);
  if (memory->base) *own = t;
  a->own = own;
}

/* W of [held, moving]. Of its two blocks between held and moving only the upper one is filled and
 * read. */
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
  const arrays *t = a->own;
  double *inverse = t->inverse;
  sweep_gram(&a->sweep, &a->held, &a->now, first, t->g, NULL);
  landmark_kernel(a, t->w);
  memcpy(t->factor, t->w, n * length * sizeof *t->w);
  if (cholesky(exec, n, length, 0, DEPENDENT_RIDGED, 0, t->factor) < n) return -INFINITY;
  memset(inverse, 0, n * length * sizeof *inverse);
  for (size_t k = 0; k < n; k++) inverse[k * length + k] = 1.0;
  cholesky_solve(exec, matrix_on(t->factor, n, n, length), 1, 0, matrix_on(inverse, n, n, length));
  double sum = 0.0;
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < n; l++) sum += inverse[k * length + l] * t->g[k * length + l];
  }
  return sum;
}

/* R in a->next, and diagonal[l] := s_l - (M1)_l, on a sphere with what R leaves there. */
static void slope(ascent *a) {
  const arrays *own = a->own;
  const size_t held = a->sweep.held, moving = a->sweep.moving, n = a->n, length = a->length;
  const size_t d = a->now.columns;
  const executor *exec = a->sweep.exec;
  const double *m = own->m;
  double *diagonal = own->diagonal, *along = own->least;
  sweep_sums(&a->sweep, &a->held, &a->now, own->columns, a->h, a->scratch, &a->sums);
  /* sums -= M'T, over held and moving landmarks. */
  const matrix all = matrix_on(m, n, moving, length), to = points_matrix(&a->sums);
  multiply_rows(exec, points_matrix(&a->now), matrix_block(all, held, 0, moving, moving), -1, to);
  if (held) {
    multiply_rows(exec, points_matrix(&a->held), matrix_block(all, 0, 0, held, moving), -1, to);
  }
  for (size_t l = 0; l < moving; l++) {
    diagonal[l] = own->share[(held + l) * length + held + l];
    for (size_t k = 0; k < n; k++) diagonal[l] -= m[k * length + l];
  }
  for (size_t j = 0; j < d; j++) {
    const double *t = a->now.x + j * a->now.length, *sums = a->sums.x + j * a->sums.length;
    double *r = a->next.x + j * a->next.length;
    for (size_t l = 0; l < moving; l++) r[l] = sums[l] - diagonal[l] * t[l];
    /* Products read whole vectors. */
    for (size_t l = moving; l < a->next.length; l++) r[l] = 0.0;
  }
  if (!space_rules[a->space->kind].is_unit) return;
  space_tangent(a->space, &a->now, &a->next, along);
  for (size_t l = 0; l < moving; l++) diagonal[l] += along[l] + CAUTION * fabs(along[l]);
}

/* The Cholesky factor of A, which is diag(diagonal) + M of the moving landmarks. */
static void factor_of_system(ascent *a) {
  const arrays *own = a->own;
  const size_t held = a->sweep.held, moving = a->sweep.moving, length = a->length;
  double *factor = own->factor;
  double raise = 0.0;
  for (int tries = 0; tries < RAISES; tries++, raise = raise == 0.0 ? 0.1 : 2.0 * raise) {
    for (size_t k = 0; k < moving; k++) {
      memcpy(factor + k * length, own->m + (held + k) * length, moving * sizeof *factor);
      factor[k * length + k] += own->diagonal[k] + raise * own->least[k];
    }
    if (cholesky(a->sweep.exec, moving, length, 0, LEAST_PIVOT, 0, factor) == moving) return;
  }
  for (size_t k = 0; k < moving; k++) factor[k * length + k] = INFINITY;
}

static void trace_slope(ascent *a) {
  const arrays *t = a->own;
  const size_t held = a->sweep.held, moving = a->sweep.moving, n = a->n, length = a->length;
  const size_t own_length = padded(moving);
  const executor *exec = a->sweep.exec;
  double *inverse = t->inverse, *share = t->share, *m = t->m;
  for (size_t k = 0; k < n; k++) {
    memcpy(t->columns + k * own_length, inverse + k * length + held, moving * sizeof *inverse);
    memset(t->columns + k * own_length + moving, 0, (own_length - moving) * sizeof *inverse);
  }
  const matrix w_inverse = matrix_on(inverse, n, n, length),
               shares = matrix_on(share, n, n, length);
  multiply_rows(exec, matrix_on(t->g, n, n, length), w_inverse, 0, shares);
  multiply_rows(exec, w_inverse, matrix_block(shares, 0, held, n, moving), 0,
                matrix_on(m, n, moving, length));
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < moving; l++) m[k * length + l] *= t->w[k * length + held + l];
  }
  /* Over the held ones too: all shares together are f, which is above 0. Those of
   * the moving landmarks alone may not be. */
  double mean = 0.0;
  for (size_t k = 0; k < n; k++) mean += share[k * length + k] / (double)n;
  slope(a);
  for (size_t l = 0; l < moving; l++) {
    const double s = share[(held + l) * length + held + l];
    t->least[l] = s > LEAST_SHARE * mean ? s : LEAST_SHARE * mean;
    t->diagonal[l] += t->least[l] - s;
  }
}

static void trace_solve(ascent *a) {
  const arrays *t = a->own;
  const size_t moving = a->sweep.moving, length = a->length, d = a->now.columns;
  const executor *exec = a->sweep.exec;
  double *inverse = t->inverse;
  factor_of_system(a);
  /* A^-1 takes the place of W^-1, which the next value computes again. */
  memset(inverse, 0, moving * length * sizeof *inverse);
  for (size_t k = 0; k < moving; k++) inverse[k * length + k] = 1.0;
  const matrix a_inverse = matrix_on(inverse, moving, moving, length);
  cholesky_solve(exec, matrix_on(t->factor, moving, moving, length), 1, 0, a_inverse);
  multiply_rows(exec, points_matrix(&a->next), a_inverse, 0, points_matrix(&a->sums));
  for (size_t i = 0; i < d * a->sums.length; i++) a->sums.x[i] = a->now.x[i] + STEP * a->sums.x[i];
}

static void trace_propose(ascent *a) {
  trace_slope(a);
  trace_solve(a);
}

/* The trace of K itself, the sum of the weights. */
static double trace_most(const ascent *a) {
  return weights_sum(a->sweep.x->weight, a->sweep.x->rows);
}

/* The share of the trace that is explained. */
static double trace_worth(const ascent *a, double value) {
  return value / (double)a->sweep.x->rows;
}

const criterion trace_criterion = {trace_layout, trace_value, trace_propose, trace_slope,
                                   trace_solve,  trace_most,  trace_worth};
