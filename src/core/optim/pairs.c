#include "pairs.h"

#include "core/base/eight.h"
#include "core/base/tolerance.h"

void pairs_layout(curvature_pairs *p, arena *memory, size_t most, size_t size) {
  p->most = most;
  p->size = size;
  p->count = p->first = 0;
  for (size_t k = 0; k < most; k++) {
    p->step[k] = arena_take(memory, size);
    p->change[k] = arena_take(memory, size);
  }
}

size_t pairs_place(const curvature_pairs *p, size_t k) { return (p->first + k) % p->most; }

double pairs_inner(const double *x, const double *y, size_t size) {
  eight sum = {0};
  for (size_t i = 0; i < size; i += EIGHT) eight_add_products(&sum, x + i, y + i);
  return eight_sum(&sum);
}

static void add(double *to, double times, const double *from, size_t size) {
  for (size_t i = 0; i < size; i++) to[i] += times * from[i];
}

void pairs_begin(const curvature_pairs *p, double *slope, double *share) {
  for (size_t k = p->count; k-- > 0;) {
    const size_t at = pairs_place(p, k);
    share[k] = pairs_inner(p->step[at], slope, p->size) / p->inner[at];
    add(slope, -share[k], p->change[at], p->size);
  }
}

void pairs_finish(const curvature_pairs *p, const double *share, double *step) {
  for (size_t k = 0; k < p->count; k++) {
    const size_t at = pairs_place(p, k);
    const double back = pairs_inner(p->change[at], step, p->size) / p->inner[at];
    add(step, share[k] - back, p->step[at], p->size);
  }
}

void pairs_keep(curvature_pairs *p) {
  const size_t at = pairs_place(p, p->count), size = p->size;
  if (p->count == p->most) {
    p->first = (p->first + 1) % p->most;
    p->count--;
  }
  const double *step = p->step[at], *change = p->change[at];
  const double along = pairs_inner(step, change, size);
  const double least = NO_CURVATURE * NO_CURVATURE * pairs_inner(step, step, size) *
                       pairs_inner(change, change, size);
  if (!(along > 0.0) || !(along * along > least)) return;
  p->inner[at] = along;
  p->count++;
}
