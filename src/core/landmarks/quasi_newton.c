#include "quasi_newton.h"

#include <math.h>
#include <string.h>

#define LEAST_CURVATURE 1e-10 /* of step and change, relative to their sizes: else no pair */

static size_t size_of(const ascent *a) { return a->now.columns * a->now.length; }

void quasi_newton_layout(quasi_newton *q, arena *memory, const ascent *a) {
  const size_t size = a->sweep.x->columns * padded(a->sweep.moving);
  for (size_t k = 0; k < QUASI_PAIRS; k++) {
    q->step[k] = arena_take(memory, size);
    q->change[k] = arena_take(memory, size);
  }
  q->slope = arena_take(memory, size);
  q->last = arena_take(memory, size);
  q->count = q->first = 0;
}

static double inner(const double *a, const double *b, size_t size) {
  double part[VECTOR_DOUBLES] = {0};
  for (size_t i = 0; i < size; i += VECTOR_DOUBLES) {
    for (size_t k = 0; k < VECTOR_DOUBLES; k++) part[k] += a[i + k] * b[i + k];
  }
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

static void add(double *to, double times, const double *from, size_t size) {
  for (size_t i = 0; i < size; i++) to[i] += times * from[i];
}

/* a->sums: where the corrected step leads, from the slope in a->next. */
static void correct(const quasi_newton *q, ascent *a) {
  const size_t size = size_of(a);
  double share[QUASI_PAIRS];
  for (size_t k = q->count; k-- > 0;) {
    const size_t at = (q->first + k) % QUASI_PAIRS;
    share[k] = inner(q->step[at], a->next.x, size) / q->inner[at];
    add(a->next.x, -share[k], q->change[at], size);
  }
  a->criterion->solve(a);
  /* The step itself in a->next. */
  for (size_t i = 0; i < size; i++) a->next.x[i] = a->sums.x[i] - a->now.x[i];
  for (size_t k = 0; k < q->count; k++) {
    const size_t at = (q->first + k) % QUASI_PAIRS;
    const double back = inner(q->change[at], a->next.x, size) / q->inner[at];
    add(a->next.x, share[k] - back, q->step[at], size);
  }
  for (size_t i = 0; i < size; i++) a->sums.x[i] = a->now.x[i] + a->next.x[i];
}

/* The pair of the step from `from` to a->now and of what the slope has become since `last`. */
static void keep_pair(quasi_newton *q, const ascent *a, const double *from) {
  const size_t size = size_of(a);
  const size_t at = (q->first + q->count) % QUASI_PAIRS;
  if (q->count == QUASI_PAIRS) {
    q->first = (q->first + 1) % QUASI_PAIRS;
    q->count--;
  }
  double *step = q->step[at], *change = q->change[at];
  for (size_t i = 0; i < size; i++) {
    step[i] = a->now.x[i] - from[i];
    change[i] = q->last[i] - q->slope[i];
  }
  const double along = inner(step, change, size);
  if (!(along * along > LEAST_CURVATURE * LEAST_CURVATURE * inner(step, step, size) *
                            inner(change, change, size)) ||
      !(along > 0.0)) {
    return;
  }
  q->inner[at] = along;
  q->count++;
}

/* The slope at a->now, in q->slope and a->next. */
static void take_slope(quasi_newton *q, ascent *a) {
  a->criterion->slope(a);
  memcpy(q->slope, a->next.x, size_of(a) * sizeof *q->slope);
}

climb_result quasi_newton_climb(quasi_newton *q, ascent *a, int steps, int halvings,
                                double tolerance, double *moved) {
  climb_result result = {0};
  const size_t size = size_of(a), bytes = size * sizeof(double);
  result.start = result.value = a->criterion->value(a, 1);
  for (size_t l = 0; l < a->now.count; l++) moved[l] = INFINITY;
  if (!isfinite(result.start)) return result;
  const double most = a->criterion->most ? a->criterion->most(a) : INFINITY;
  q->count = q->first = 0;
  take_slope(q, a);
  while (result.steps < steps) {
    correct(q, a);
    memcpy(a->next.x, a->now.x, bytes);
    const int last_half = q->count > 0 ? 0 : halvings;
    int kept = 0, is_short = 0;
    double share = 1.0, gain = 0.0;
    for (int half = 0; half <= last_half && !kept; half++, share *= 0.5) {
      ascent_move(a, &a->next, &a->sums, share);
      if (half == 0) {
        is_short = ascent_moves(&a->next, &a->now, a->sweep.bandwidth, moved) <= tolerance;
        if (is_short && !a->criterion->most) break;
      }
      const double value = a->criterion->value(a, 0);
      result.halvings += half > 0;
      if (value > result.value || (value == result.value && !is_short)) {
        kept = 1;
        gain = value - result.value;
        result.value = value;
        result.steps++;
      }
      if (is_short) break;
    }
    if (!kept) {
      memcpy(a->now.x, a->next.x, bytes);
      points_norms(&a->now);
      if (is_short || q->count == 0) break;
      /* Once more, by the proposal alone. */
      q->count = q->first = 0;
      a->criterion->value(a, 0);
      take_slope(q, a);
      continue;
    }
    if (is_short && gain <= tolerance * (most - result.value)) break;
    if (result.steps == steps) break;
    memcpy(q->last, q->slope, bytes);
    /* Where the pair will stand, as the slope needs a->next. */
    double *from = q->step[(q->first + q->count) % QUASI_PAIRS];
    memcpy(from, a->next.x, bytes);
    take_slope(q, a);
    keep_pair(q, a, from);
  }
  return result;
}
