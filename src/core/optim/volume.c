#include "volume.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

#define LEAST_TOTAL 0.1  /* so that no step is much longer than a Gaussian kernel's */
#define LEAST_RADIUS 0.1 /* of T+ along a landmark of norm 1: steps are not longer */

typedef struct {
  double *g;       /* n x length: Phi' D Phi */
  double *factor;  /* n x length: its Cholesky factor */
  double *inverse; /* n x padded(moving): columns of its inverse */
  double *total;   /* moving: the column sums of H, 1 if the kernel is Gaussian */
} arrays;

static void volume_layout(ascent *a, arena *memory) {
  arrays *own = (arrays *)arena_take(memory, arena_doubles(sizeof *own));
  arrays v;
  v.g = arena_take(memory, a->n * a->ld);
  v.factor = arena_take(memory, a->n * a->ld);
  v.inverse = arena_take(memory, a->n * padded(a->row_pass.moving));
  v.total = arena_take(memory, a->row_pass.moving);
  if (memory->base) *own = v;
  a->own = own;
}

static double volume_value(ascent *a, int first) {
  arrays *v = a->own;
  row_pass_gram(&a->row_pass, &a->fixed, &a->now, first, v->g);
  const size_t from = first ? 0 : a->row_pass.fixed;
  for (size_t k = 0; k < a->n; k++) {
    const size_t at = k * a->ld + from;
    memcpy(v->factor + at, v->g + at, (a->n - from) * sizeof *v->g);
  }
  if (cholesky(a->row_pass.exec, a->n, a->ld, from, DEPENDENT_SUM, 0, v->factor) < a->n) {
    return -INFINITY;
  }
  return volume_of_first(a, a->n);
}

double volume_of_first(const ascent *a, size_t count) {
  return cholesky_log_det(count, a->ld, ((const arrays *)a->own)->factor);
}

/* H'X in a->sums, and the column sums of H, which are 1 if the kernel is Gaussian. */
static void take_sums(ascent *a) {
  arrays *v = a->own;
  const size_t fixed = a->row_pass.fixed, moving = a->row_pass.moving, ld = padded(moving);
  const int is_gaussian = a->row_pass.kernel.profile->is_gaussian;
  memset(v->inverse, 0, a->n * ld * sizeof *v->inverse);
  for (size_t l = 0; l < moving; l++) v->inverse[(fixed + l) * ld + l] = 1.0;
  potrs(a->row_pass.exec, matrix_on(v->factor, a->n, a->n, a->ld), 1, fixed,
        matrix_on(v->inverse, a->n, moving, ld));
  row_pass_sums(&a->row_pass, &a->fixed, &a->now, v->inverse, a->h, a->scratch, &a->sums,
                is_gaussian ? NULL : v->total);
  for (size_t l = 0; is_gaussian && l < moving; l++) v->total[l] = 1.0;
}

/* By how much the slope of landmark l is divided: the curvature of a Gaussian kernel there. */
static double divisor(const ascent *a, size_t l) {
  const double total = ((const arrays *)a->own)->total[l];
  return total > LEAST_TOTAL ? total : LEAST_TOTAL;
}

static void volume_propose(ascent *a) {
  take_sums(a);
  if (a->row_pass.kernel.profile->is_gaussian) return;
  const double *total = ((const arrays *)a->own)->total;
  for (size_t j = 0; j < a->now.columns; j++) {
    const double *now = a->now.x + j * a->now.ld;
    double *sums = a->sums.x + j * a->sums.ld;
    for (size_t l = 0; l < a->now.count; l++) {
      sums[l] = now[l] + (sums[l] - total[l] * now[l]) / divisor(a, l);
    }
  }
}

/* The mean logarithm of a pivot, a variance of at most 1, over the rows. */
static double volume_worth(const ascent *a, double value) {
  return value / (double)a->n - log((double)a->row_pass.x->rows);
}

static void volume_slope(ascent *a) {
  take_sums(a);
  const double *total = ((const arrays *)a->own)->total;
  for (size_t j = 0; j < a->now.columns; j++) {
    const size_t at = j * a->now.ld;
    for (size_t l = 0; l < a->now.ld; l++) {
      const double times = l < a->now.count ? total[l] : 1.0;
      a->next.x[at + l] = a->sums.x[at + l] - times * a->now.x[at + l];
    }
  }
  if (space_rules[a->space->kind].is_unit) space_tangent(a->space, &a->now, &a->next, a->normal);
}

/* On a sphere T+ = t + tangent + (T+ - t)'t t, whose direction is that of t + tangent / (T+'t). */
static void volume_solve(ascent *a) {
  const int is_unit = space_rules[a->space->kind].is_unit;
  for (size_t j = 0; j < a->now.columns; j++) {
    const size_t at = j * a->now.ld;
    for (size_t l = 0; l < a->now.ld; l++) {
      const int is_one = is_unit && l < a->now.count;
      double radius = is_one ? fmax(1.0 + a->normal[l], LEAST_RADIUS) : 1.0;
      if (l < a->now.count) radius *= divisor(a, l);
      a->sums.x[at + l] = a->now.x[at + l] + a->next.x[at + l] / radius;
    }
  }
}

const criterion volume_criterion = {volume_layout, volume_value, volume_propose, volume_slope,
                                    volume_solve,  NULL,         NULL,           volume_worth};

void volume_gradient_step(ascent *a, double rate, int unit, int first) {
  const double value = volume_value(a, first);
  if (!isfinite(value)) return;
  volume_propose(a);
  const size_t last = a->n - 1;
  const double pivot = ((const arrays *)a->own)->factor[last * a->ld + last];
  /* grad ||r||^2 = (4 / eta) ||r||^2 (t+ - t), with ||r|| the last pivot. */
  double scale = 4.0 / a->row_pass.kernel.bandwidth * pivot * pivot;
  if (unit) {
    double norm = 0.0;
    for (size_t j = 0; j < a->now.columns; j++) {
      const size_t at = j * a->now.ld;
      norm += (a->sums.x[at] - a->now.x[at]) * (a->sums.x[at] - a->now.x[at]);
    }
    if (norm == 0.0) return;
    scale = 1.0 / sqrt(norm);
  }
  const size_t bytes = a->now.columns * a->now.ld * sizeof *a->now.x;
  memcpy(a->next.x, a->now.x, bytes);
  ascent_move(a, &a->next, &a->sums, rate * scale);
}
