#include "ascent.h"

#include <math.h>
#include <string.h>

void ascent_layout(ascent *a, arena *memory, const executor *exec, const observations *x,
                   const climb_problem *problem, int kept) {
  const size_t d = x->columns, fixed = problem->fixed, moving = problem->moving;
  a->criterion = problem->criterion;
  a->space = problem->space;
  a->n = fixed + moving;
  a->ld = padded(a->n);
  row_pass_layout(&a->row_pass, memory, exec, x, problem->kernel, fixed, moving, kept);
  double *on[4];
  const size_t counts[4] = {fixed, moving, moving, moving};
  for (int i = 0; i < 4; i++) on[i] = arena_take(memory, points_size(counts[i], d));
  a->h = arena_take(memory, row_pass_h_size(&a->row_pass));
  a->scratch = arena_take(memory, weighted_sums_scratch(x, moving));
  a->vector = arena_take(memory, d);
  a->normal = arena_take(memory, moving);
  a->criterion->layout(a, memory);
  if (memory->base) {
    a->fixed = points_on(on[0], fixed, d);
    a->now = points_on(on[1], moving, d);
    a->sums = points_on(on[2], moving, d);
    a->next = points_on(on[3], moving, d);
  }
}

double ascent_operations(const ascent *a) {
  const double rows = (double)a->row_pass.x->rows, n = (double)a->n;
  return n * (rows * (4.0 * (double)a->now.columns + 3.0 * n) + 10.0 * n * n);
}

void ascent_move(ascent *a, const points *from, const points *to, double share) {
  const size_t all = from->columns * from->ld;
  for (size_t i = 0; i < all; i++) a->now.x[i] = from->x[i] + share * (to->x[i] - from->x[i]);
  space_project(a->space, &a->now, 0, a->vector);
}

double ascent_moves(const points *from, const points *to, double bandwidth, double *moved) {
  double largest = 0.0;
  memset(moved, 0, from->count * sizeof *moved);
  for (size_t j = 0; j < from->columns; j++) {
    const double *f = from->x + j * from->ld, *t = to->x + j * to->ld;
    for (size_t l = 0; l < from->count; l++) moved[l] += (t[l] - f[l]) * (t[l] - f[l]);
  }
  for (size_t l = 0; l < from->count; l++) {
    moved[l] = isnan(moved[l]) ? INFINITY : sqrt(moved[l] / bandwidth);
    if (moved[l] > largest) largest = moved[l];
  }
  return largest;
}
