#include "pivot.h"

#include <string.h>

#include "linear.h"

/* Rows that are points at a time: about 8 MB of them. */
static size_t block_rows(const observations *x) {
  size_t rows = (size_t)1048576 / x->columns / VECTOR_DOUBLES * VECTOR_DOUBLES;
  rows = rows < 16 ? 16 : rows > 256 ? 256 : rows;
  return rows < x->rows ? rows : x->rows;
}

void pivot_layout(pivot_search *p, arena *memory, const executor *exec, const observations *x,
                  double bandwidth, const space *where, size_t held, size_t wanted) {
  const size_t all = held + x->rows, length = padded(all), some = block_rows(x);
  p->exec = exec;
  p->x = x;
  p->bandwidth = bandwidth;
  p->where = where;
  p->held = held;
  p->wanted = wanted;
  double *fixed = arena_take(memory, points_size(held, x->columns));
  double *block = arena_take(memory, points_size(some, x->columns));
  p->some = arena_take(memory, x->rows * padded(some > held ? some : held));
  p->vector = arena_take(memory, x->columns);
  p->phi = arena_take(memory, x->rows * length);
  p->weighted = x->weight ? arena_take(memory, x->rows * length) : p->phi;
  p->gram = arena_take(memory, all * length);
  p->basis = arena_take(memory, (held + wanted + 1) * length);
  p->pivot = arena_take(memory, held + wanted);
  if (memory->base) {
    p->fixed = points_on(fixed, held, x->columns);
    p->block = points_on(block, some, x->columns);
  }
}

/* Columns [to, to + t->count) of phi: the features of these points. */
static void phi_columns(pivot_search *p, const points *t, size_t to) {
  const size_t rows = p->x->rows, length = padded(p->held + rows);
  if (t->count == 0) return;
  features(p->exec, p->x, 0, rows, t, GAUSSIAN_FEATURES, p->bandwidth, NULL, p->some);
  for (size_t i = 0; i < rows; i++) {
    memcpy(p->phi + i * length + to, p->some + i * t->length, t->count * sizeof *p->phi);
  }
}

size_t pivot_rows(pivot_search *p, double floor, size_t *order, int *chosen) {
  const size_t rows = p->x->rows, all = p->held + rows, length = padded(all);
  for (size_t i = 0; i < rows; i++) {
    for (size_t l = all; l < length; l++) p->phi[i * length + l] = 0.0;
  }
  phi_columns(p, &p->fixed, 0);
  const size_t most_at_once = p->block.count;
  for (size_t first = 0; first < rows; first += most_at_once) {
    p->block.count = rows - first < most_at_once ? rows - first : most_at_once;
    points_from_rows(p->x, first, &p->block);
    space_project(p->where, &p->block, 0, p->vector);
    phi_columns(p, &p->block, p->held + first);
    if (p->exec->poll) p->exec->poll();
  }
  p->block.count = most_at_once;
  for (size_t i = 0; p->x->weight && i < rows; i++) {
    for (size_t l = 0; l < length; l++) {
      p->weighted[i * length + l] = p->x->weight[i] * p->phi[i * length + l];
    }
  }
  gram(p->exec, rows, all, length, p->phi, p->weighted, 0, p->gram, length);
  const size_t most = p->held + (p->wanted < rows ? p->wanted : rows);
  const size_t found =
      pivoted_order(all, length, p->held, most, floor, p->gram, p->basis, order, p->pivot);
  for (size_t k = p->held; k < found; k++) chosen[k - p->held] = (int)(order[k] - p->held);
  return found - p->held;
}
