#include "pivot.h"

#include "linear.h"

void pivot_layout(pivot_search *p, arena *memory, const executor *exec, const observations *x,
                  double bandwidth, size_t held, size_t wanted) {
  const size_t all = held + x->rows, length = padded(all);
  p->exec = exec;
  p->x = x;
  p->bandwidth = bandwidth;
  p->held = held;
  p->wanted = wanted;
  double *candidates = arena_take(memory, points_size(all, x->columns));
  p->phi = arena_take(memory, x->rows * length);
  p->weighted = x->weight ? arena_take(memory, x->rows * length) : p->phi;
  p->gram = arena_take(memory, all * length);
  p->basis = arena_take(memory, (held + wanted + 1) * length);
  p->pivot = arena_take(memory, held + wanted);
  if (memory->base) p->candidates = points_on(candidates, all, x->columns);
}

static void rows_as_points(const observations *x, size_t first, points *t) {
  for (size_t i = 0; i < x->rows; i++) {
    if (x->kind == ROWS_SPARSE) {
      for (int e = x->start[i]; e < x->start[i + 1]; e++) {
        t->x[(size_t)x->column[e] * t->length + first + i] = x->value[e];
      }
    } else {
      const double *z = x->real + i * padded(x->columns);
      for (size_t j = 0; j < x->columns; j++) t->x[j * t->length + first + i] = z[j];
    }
  }
  points_norms(t);
}

size_t pivot_rows(pivot_search *p, double floor, size_t *order, int *chosen) {
  const size_t rows = p->x->rows, all = p->candidates.count, length = p->candidates.length;
  rows_as_points(p->x, p->held, &p->candidates);
  features(p->exec, p->x, 0, rows, &p->candidates, GAUSSIAN_FEATURES, p->bandwidth, NULL, p->phi);
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
