#include "trace.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"

#define STEP 1.5        /* of the solution: chosen by measurement, see bench/criteria.R */
#define LEAST_SHARE 0.1 /* of the mean of s: landmarks that explain little do not leap */
#define CAUTION 0.3
#define RAISES 25        /* of the system's diagonal, up to a million times what is least there */
#define LEAST_PIVOT 1e-3 /* of the system's diagonal entry: what counts as positive definite */

typedef struct {
  triangular root; /* R */
  double *w;       /* n x length: W; its block of moving rows and fixed columns is not made */
  double *slope;   /* the same of the kernel's slopes; W itself if it is Gaussian */
  double *a;       /* n x length: A, then R^-1 A R^-T, and in the end the inverse of the system */
  double *m;       /* n x length: M, the moving columns first */
  double *factor;  /* n x length: the Cholesky factor of the system */
  double *parts;   /* of a sum over rows */
  double *share;   /* moving: s, the column sums of H; then what is added to M's diagonal */
  double *rest;    /* moving: s less the column sums of M, which is 0 but for rounding */
  double *least;   /* moving: what the system's diagonal is raised by at a time */
  double *mean;    /* 1: of s over all landmarks */
} arrays;

static void trace_layout(ascent *a, arena *memory) {
  arrays *own = (arrays *)arena_take(memory, arena_doubles(sizeof *own));
  const size_t square = a->n * a->ld, moving = a->row_pass.moving;
  arrays t;
  triangular_layout(&t.root, memory, a->n);
  t.w = arena_take(memory, square);
  t.slope = a->row_pass.kernel.profile->is_gaussian ? t.w : arena_take(memory, square);
  /* Products read whole vectors, from column `fixed` on: of the last row past its end. */
  t.a = arena_take(memory, square + VECTOR_DOUBLES);
  t.m = arena_take(memory, square);
  t.factor = arena_take(memory, square);
  t.parts = arena_take(memory, row_pass_parts(&a->row_pass));
  t.share = arena_take(memory, moving);
  t.rest = arena_take(memory, moving);
  t.least = arena_take(memory, moving);
  t.mean = arena_take(memory, 1);
  if (memory->base) *own = t;
  a->own = own;
}

/* W of [fixed, moving]. Of its two blocks between fixed and moving only the upper one is filled and
 * read. */
static void landmark_kernel(const ascent *a, double *w) {
  const size_t fixed = a->row_pass.fixed, ld = a->ld;
  const radial_kernel *k = &a->row_pass.kernel;
  const executor *exec = a->row_pass.exec;
  points_kernel(exec, &a->now, &a->now, k, w + fixed * ld + fixed, ld);
  if (fixed) {
    points_kernel(exec, &a->fixed, &a->fixed, k, w, ld);
    points_kernel(exec, &a->fixed, &a->now, k, w + fixed, ld);
  }
}

static matrix square_of(const ascent *a, const double *x) {
  return matrix_on(x, a->n, a->n, a->ld);
}

static double trace_value(ascent *a, int first) {
  const size_t n = a->n, ld = a->ld;
  arrays *t = a->own;
  landmark_kernel(a, t->w);
  memcpy(t->root.upper, t->w, n * ld * sizeof *t->w);
  /* A landmark that depends on others explains nothing. */
  cholesky(a->row_pass.exec, n, ld, 0, DEPENDENT_KERNEL, 1, t->root.upper);
  triangular_prepare(&t->root);
  return row_pass_nystrom(&a->row_pass, &a->fixed, &a->now, first, &t->root, a->h, t->parts, NULL,
                          NULL);
}

/* The slopes of the kernel of landmarks, the columns of the moving ones. */
static void landmark_slopes(const ascent *a, double *slope) {
  const size_t fixed = a->row_pass.fixed, ld = a->ld;
  const radial_kernel *k = &a->row_pass.kernel;
  points_slopes(a->row_pass.exec, &a->now, &a->now, k, slope + fixed * ld + fixed, ld);
  if (fixed) points_slopes(a->row_pass.exec, &a->fixed, &a->now, k, slope + fixed, ld);
}

/* M = (R^-1 A R^-T) o W, with the slopes of W, its moving columns. */
static void curvature(ascent *a) {
  const arrays *t = a->own;
  if (t->slope != t->w) landmark_slopes(a, t->slope);
  const size_t fixed = a->row_pass.fixed, moving = a->row_pass.moving, n = a->n, ld = a->ld;
  const executor *exec = a->row_pass.exec;
  const matrix some = matrix_block(square_of(a, t->a), 0, fixed, n, moving);
  /* All s together are the trace, which is above 0. Those of the moving landmarks may not be. */
  *t->mean = 0.0;
  for (size_t k = 0; k < n; k++) *t->mean += t->a[k * ld + k] / (double)n;
  solve_rows_back(exec, &t->root, fixed, square_of(a, t->a));
  cholesky_solve_back(exec, square_of(a, t->root.upper), some);
  double *sum = t->rest;
  memset(sum, 0, moving * sizeof *sum);
  for (size_t k = 0; k < n; k++) {
    const double *w = t->slope + k * ld + fixed, *x = some.x + k * ld;
    double *m = t->m + k * ld;
    for (size_t l = 0; l < moving; l++) {
      m[l] = x[l] * w[l];
      sum[l] += m[l];
    }
  }
  for (size_t l = 0; l < moving; l++) t->rest[l] = t->share[l] - sum[l];
}

/* R in a->next, on a sphere that along it, and least[l]; share[l] := what is added to M's diagonal.
 */
static void slope(ascent *a) {
  const arrays *t = a->own;
  const size_t fixed = a->row_pass.fixed, moving = a->row_pass.moving, n = a->n, ld = a->ld;
  const executor *exec = a->row_pass.exec;
  /* sums -= M'T, over fixed and moving landmarks. */
  const matrix all = matrix_on(t->m, n, moving, ld), to = points_matrix(&a->sums);
  gemm_nn(exec, points_matrix(&a->now), matrix_block(all, fixed, 0, moving, moving), -1, to);
  if (fixed) {
    gemm_nn(exec, points_matrix(&a->fixed), matrix_block(all, 0, 0, fixed, moving), -1, to);
  }
  for (size_t j = 0; j < a->now.columns; j++) {
    const double *t_j = a->now.x + j * a->now.ld, *sums = a->sums.x + j * a->sums.ld;
    double *r = a->next.x + j * a->next.ld;
    /* Far from the origin the sums of both need the same digits. */
    for (size_t l = 0; l < moving; l++) r[l] = sums[l] - t->rest[l] * t_j[l];
    /* Products read whole vectors. */
    for (size_t l = moving; l < a->next.ld; l++) r[l] = 0.0;
  }
  const double least = LEAST_SHARE * *t->mean;
  for (size_t l = 0; l < moving; l++) {
    const double s = t->share[l];
    t->least[l] = s > least ? s : least;
    t->share[l] = t->least[l] - s;
    if (t->slope != t->w) t->share[l] += t->rest[l];
  }
  if (!space_rules[a->space->kind].is_unit) return;
  space_tangent(a->space, &a->now, &a->next, a->normal);
  for (size_t l = 0; l < moving; l++) {
    t->share[l] += a->normal[l] + CAUTION * fabs(a->normal[l]);
  }
}

/* The Cholesky factor of the system, diag(share) + M of the moving landmarks. */
static void factor_of_system(ascent *a) {
  const arrays *t = a->own;
  const size_t fixed = a->row_pass.fixed, moving = a->row_pass.moving, ld = a->ld;
  double *factor = t->factor;
  double raise = 0.0;
  for (int tries = 0; tries < RAISES; tries++, raise = raise == 0.0 ? 0.1 : 2.0 * raise) {
    for (size_t k = 0; k < moving; k++) {
      memcpy(factor + k * ld, t->m + (fixed + k) * ld, moving * sizeof *factor);
      factor[k * ld + k] += t->share[k] + raise * t->least[k];
    }
    if (cholesky(a->row_pass.exec, moving, ld, 0, LEAST_PIVOT, 0, factor) == moving) return;
  }
  for (size_t k = 0; k < moving; k++) factor[k * ld + k] = INFINITY;
}

static void trace_slope(ascent *a) {
  const arrays *t = a->own;
  /* H'X in a->sums, s, and A. */
  row_pass_nystrom_sums(&a->row_pass, &a->fixed, &a->now, &t->root, a->h, t->parts, a->scratch,
                        t->a, &a->sums, t->share);
  curvature(a);
  slope(a);
}

static void trace_solve(ascent *a) {
  const arrays *t = a->own;
  const size_t moving = a->row_pass.moving, ld = a->ld, d = a->now.columns;
  const executor *exec = a->row_pass.exec;
  factor_of_system(a);
  memset(t->a, 0, moving * ld * sizeof *t->a);
  for (size_t k = 0; k < moving; k++) t->a[k * ld + k] = 1.0;
  const matrix inverse = matrix_on(t->a, moving, moving, ld);
  potrs(exec, matrix_on(t->factor, moving, moving, ld), 1, 0, inverse);
  gemm_nn(exec, points_matrix(&a->next), inverse, 0, points_matrix(&a->sums));
  for (size_t i = 0; i < d * a->sums.ld; i++) a->sums.x[i] = a->now.x[i] + STEP * a->sums.x[i];
}

static void trace_propose(ascent *a) {
  trace_slope(a);
  trace_solve(a);
}

/* The trace of K itself, the sum of the weights. */
static double trace_most(const ascent *a) {
  return weights_sum(a->row_pass.x->weight, a->row_pass.x->rows);
}

/* W has a rounding error E, and f one of sum_i a_i' E a_i with a_i = W^-1 k_i. M has the sums of
 * the squares of a_i on its diagonal. */
static double trace_rounding(const ascent *a) {
  const arrays *t = a->own;
  double sum = 0.0;
  for (size_t l = 0; l < a->row_pass.moving; l++) {
    const size_t at = (a->row_pass.fixed + l) * a->ld + l;
    sum += t->m[at] / t->slope[at + a->row_pass.fixed];
  }
  return DBL_EPSILON * sum;
}

/* The share of the trace that is explained. */
static double trace_worth(const ascent *a, double value) {
  return value / (double)a->row_pass.x->rows;
}

const criterion trace_criterion = {trace_layout, trace_value, trace_propose,  trace_slope,
                                   trace_solve,  trace_most,  trace_rounding, trace_worth};
