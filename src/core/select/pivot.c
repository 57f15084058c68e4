#include "pivot.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/algebra/pivoted_order.h"
#include "core/algebra/trace_order.h"
#include "core/base/tolerance.h"

/* Rows that are points at a time: about 8 MB of them. */
static size_t block_rows(const observations *x) {
  size_t rows = (size_t)1048576 / x->columns / VECTOR_DOUBLES * VECTOR_DOUBLES;
  rows = rows < 16 ? 16 : rows > 256 ? 256 : rows;
  return rows < x->rows ? rows : x->rows;
}

void pivot_layout(pivot_search *p, arena *memory, const executor *exec, const observations *x,
                  radial_kernel k, const space *space, size_t fixed, size_t wanted, int by_trace) {
  const size_t all = fixed + x->rows, ld = padded(all), some = block_rows(x);
  p->exec = exec;
  p->x = x;
  p->radial = k;
  p->space = space;
  p->fixed = fixed;
  p->wanted = wanted;
  p->by_trace = by_trace;
  double *place = arena_take(memory, points_size(fixed, x->columns));
  double *block = arena_take(memory, points_size(some, x->columns));
  double *other = by_trace ? arena_take(memory, points_size(some, x->columns)) : NULL;
  p->some = arena_take(memory, x->rows * padded(some > fixed ? some : fixed));
  p->vector = arena_take(memory, x->columns);
  p->phi = arena_take(memory, x->rows * ld);
  p->weighted = x->weight ? arena_take(memory, x->rows * ld) : p->phi;
  p->gram = arena_take(memory, all * ld);
  const size_t scratch = pivoted_order_scratch(ld, fixed + wanted),
               by_trace_too = by_trace ? trace_order_scratch(ld, fixed + wanted) : 0;
  p->basis = arena_take(memory, scratch > by_trace_too ? scratch : by_trace_too);
  p->kernel = by_trace ? arena_take(memory, all * ld) : NULL;
  p->pivot = arena_take(memory, fixed + wanted);
  if (memory->base) {
    p->given = points_on(place, fixed, x->columns);
    p->block = points_on(block, some, x->columns);
    if (by_trace) p->other = points_on(other, some, x->columns);
  }
}

/* Columns [to, to + t->count) of phi: the features of these points. */
static void phi_columns(pivot_search *p, const points *t, size_t to) {
  const size_t rows = p->x->rows, ld = padded(p->fixed + rows);
  if (t->count == 0) return;
  features(p->exec, p->x, 0, rows, t, &p->radial, NULL, p->some, NULL);
  for (size_t i = 0; i < rows; i++) {
    memcpy(p->phi + i * ld + to, p->some + i * t->ld, t->count * sizeof *p->phi);
  }
}

/* Rows [first, ...), as many as fit, projected to the space: the candidates. Returns 1 where the
 * projection has moved any of them. */
static int candidates(pivot_search *p, size_t first, size_t at_once, points *t) {
  const size_t rows = p->x->rows;
  t->count = rows - first < at_once ? rows - first : at_once;
  points_from_rows(p->x, first, t);
  if (p->space->kind == SPACE_EUCLIDEAN) return 0;
  const int compare = p->by_trace && t == &p->block;
  const size_t all = t->columns * t->ld;
  if (compare) memcpy(p->other.x, t->x, all * sizeof *t->x);
  space_project(p->space, t, 0, p->vector);
  for (size_t i = 0; compare && i < all; i++) {
    if (fabs(t->x[i] - p->other.x[i]) > UNMOVED * (1.0 + fabs(t->x[i]))) return 1;
  }
  return 0;
}

/* W of [fixed, candidates]. Where no candidate has moved it is already among their features. */
static void candidate_kernel(pivot_search *p, size_t at_once, int moved) {
  const size_t rows = p->x->rows, fixed = p->fixed, ld = padded(fixed + rows);
  double *w = p->kernel;
  if (fixed) points_kernel(p->exec, &p->given, &p->given, &p->radial, w, ld);
  if (!moved) {
    for (size_t i = 0; i < rows; i++) {
      memcpy(w + (fixed + i) * ld, p->phi + i * ld, (fixed + rows) * sizeof *w);
    }
  }
  for (size_t first = 0; moved && first < rows; first += at_once) {
    candidates(p, first, at_once, &p->block);
    double *band = w + (fixed + first) * ld;
    if (fixed) points_kernel(p->exec, &p->block, &p->given, &p->radial, band, ld);
    for (size_t other = 0; other < rows; other += at_once) {
      candidates(p, other, at_once, &p->other);
      points_kernel(p->exec, &p->block, other == first ? &p->block : &p->other, &p->radial,
                    band + fixed + other, ld);
    }
  }
  for (size_t k = 0; k < fixed; k++) {
    for (size_t i = 0; i < rows; i++) w[k * ld + fixed + i] = w[(fixed + i) * ld + k];
  }
  /* Rounding of a distance of 0. */
  for (size_t k = 0; k < fixed + rows; k++) w[k * ld + k] = 1.0;
}

void pivot_prepare(pivot_search *p) {
  const size_t rows = p->x->rows, all = p->fixed + rows, ld = padded(all);
  for (size_t i = 0; i < rows; i++) {
    for (size_t l = all; l < ld; l++) p->phi[i * ld + l] = 0.0;
  }
  phi_columns(p, &p->given, 0);
  const size_t most_at_once = p->block.count;
  int moved = 0;
  for (size_t first = 0; first < rows; first += most_at_once) {
    moved |= candidates(p, first, most_at_once, &p->block);
    phi_columns(p, &p->block, p->fixed + first);
    poll_user(p->exec);
  }
  if (p->by_trace) candidate_kernel(p, most_at_once, moved);
  p->block.count = most_at_once;
  for (size_t i = 0; p->x->weight && i < rows; i++) {
    for (size_t l = 0; l < ld; l++) {
      p->weighted[i * ld + l] = p->x->weight[i] * p->phi[i * ld + l];
    }
  }
  syrk(p->exec, matrix_on(p->phi, rows, all, ld), matrix_on(p->weighted, rows, all, ld), 0,
       matrix_on(p->gram, all, all, ld));
}

size_t pivot_rows(pivot_search *p, int by_trace, double floor, size_t *order, int *chosen) {
  const size_t rows = p->x->rows, all = p->fixed + rows;
  const size_t most = p->fixed + (p->wanted < rows ? p->wanted : rows);
  const order_rule rule = {all, padded(all), p->fixed, most, floor};
  const size_t found =
      by_trace ? trace_order(p->exec, &rule, p->kernel, p->gram, p->basis, order, p->pivot)
               : pivoted_order(p->exec, &rule, p->gram, p->basis, order, p->pivot);
  for (size_t k = p->fixed; k < found; k++) chosen[k - p->fixed] = (int)(order[k] - p->fixed);
  return found - p->fixed;
}
