#include "pivot.h"

#include <math.h>
#include <string.h>

void pivot_layout(pivot_search *p, arena *memory, const executor *exec, const observations *x,
                  double bandwidth, size_t held, size_t wanted) {
  p->exec = exec;
  p->x = x;
  p->bandwidth = bandwidth;
  p->held = held;
  p->wanted = wanted;
  double *fixed = arena_take(memory, points_size(held, x->columns));
  double *rows = arena_take(memory, points_size(x->rows, x->columns));
  p->kernel = arena_take(memory, x->rows * padded(x->rows));
  p->fixed_phi = arena_take(memory, x->rows * padded(held));
  p->basis = arena_take(memory, (held + wanted) * padded(x->rows));
  p->remains = arena_take(memory, x->rows);
  if (memory->base) {
    p->fixed = points_on(fixed, held, x->columns);
    p->rows = points_on(rows, x->rows, x->columns);
  }
}

/* The sample's rows packed as points. */
static void rows_as_points(const observations *x, points *t) {
  for (size_t i = 0; i < x->rows; i++) {
    if (x->kind == ROWS_SPARSE) {
      for (int e = x->start[i]; e < x->start[i + 1]; e++) {
        t->x[(size_t)x->column[e] * t->length + i] = x->value[e];
      }
    } else {
      const double *z = x->real + i * padded(x->columns);
      for (size_t j = 0; j < x->columns; j++) t->x[j * t->length + i] = z[j];
    }
  }
  points_norms(t);
}

static double dot(const double *restrict a, const double *restrict b, size_t n) {
  double part[VECTOR_DOUBLES] = {0};
  size_t i = 0;
  for (; i + VECTOR_DOUBLES <= n; i += VECTOR_DOUBLES) {
    for (size_t v = 0; v < VECTOR_DOUBLES; v++) part[v] += a[i + v] * b[i + v];
  }
  for (size_t v = 0; i + v < n; v++) part[v] += a[i + v] * b[i + v];
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

/* Makes q orthogonal to the `count` rows of the basis, twice for the digits
 * that the first time loses, and of norm 1. Returns its squared norm before. */
static double orthonormalise(const double *basis, size_t count, size_t length, size_t n, double *q) {
  for (int twice = 0; twice < 2; twice++) {
    for (size_t k = 0; k < count; k++) {
      const double *b = basis + k * length;
      const double along = dot(b, q, n);
      for (size_t i = 0; i < n; i++) q[i] -= along * b[i];
    }
  }
  const double norm = dot(q, q, n);
  const double factor = norm > 0.0 ? 1.0 / sqrt(norm) : 0.0;
  for (size_t i = 0; i < n; i++) q[i] *= factor;
  return norm;
}

/* What the new direction q takes from every column's remaining norm. */
static void take_away(pivot_search *p, size_t length, const double *q) {
  const ptrdiff_t rows = (ptrdiff_t)p->x->rows;
#ifdef _OPENMP
#pragma omp parallel for num_threads(p->exec->threads) schedule(static) if (p->exec->threads > 1)
#endif
  for (ptrdiff_t i = 0; i < rows; i++) {
    const double along = dot(p->kernel + (size_t)i * length, q, p->x->rows);
    p->remains[i] -= along * along;
  }
}

size_t pivot_rows(pivot_search *p, double floor, int *chosen) {
  const size_t m = p->x->rows, length = padded(m), held_length = padded(p->held);
  const double *weight = p->x->weight;
  rows_as_points(p->x, &p->rows);
  features(p->exec, p->x, 0, m, &p->rows, GAUSSIAN_FEATURES, p->bandwidth, NULL, p->kernel);
  if (p->held) {
    features(p->exec, p->x, 0, m, &p->fixed, GAUSSIAN_FEATURES, p->bandwidth, NULL, p->fixed_phi);
  }
  /* The kernel is symmetric: row i is column i, over which the norm runs. */
  for (size_t i = 0; i < m; i++) {
    double *row = p->kernel + i * length;
    for (size_t l = 0; weight && l < m; l++) row[l] *= sqrt(weight[l]);
    p->remains[i] = dot(row, row, m);
  }
  size_t count = 0;
  for (size_t k = 0; k < p->held; k++) {
    double *q = p->basis + count * length;
    for (size_t i = 0; i < m; i++) {
      q[i] = p->fixed_phi[i * held_length + k] * (weight ? sqrt(weight[i]) : 1.0);
    }
    const double before = dot(q, q, m);
    if (orthonormalise(p->basis, count, length, m, q) > floor * before) {
      take_away(p, length, q);
      count++;
    }
  }
  for (size_t k = 0; k < p->wanted; k++) {
    size_t best = 0;
    for (size_t i = 1; i < m; i++) {
      if (p->remains[i] > p->remains[best]) best = i;
    }
    double *q = p->basis + count * length;
    memcpy(q, p->kernel + best * length, m * sizeof *q);
    const double before = dot(q, q, m);
    if (!(orthonormalise(p->basis, count, length, m, q) > floor * before)) return k;
    chosen[k] = (int)best;
    count++;
    take_away(p, length, q);
    p->remains[best] = -1.0;
    if (p->exec->poll && k % 16 == 15) p->exec->poll();
  }
  return p->wanted;
}
