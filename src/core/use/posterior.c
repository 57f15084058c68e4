#include "posterior.h"

#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

void posterior_layout(posterior *p, arena *memory, const executor *exec, const observations *x,
                      double bandwidth, size_t landmarks, size_t count) {
  sweep_layout(&p->sweep, memory, exec, x, bandwidth, landmarks, count, 0);
  double *t = arena_take(memory, points_size(landmarks, x->columns));
  double *z = arena_take(memory, points_size(count, x->columns));
  p->g = arena_take(memory, landmarks * padded(landmarks));
  p->cross = arena_take(memory, landmarks * padded(count));
  p->prior = arena_take(memory, count);
  if (memory->base) {
    p->landmarks = points_on(t, landmarks, x->columns);
    p->at = points_on(z, count, x->columns);
  }
}

void posterior_variance(posterior *p, double *prior, double *explained) {
  const size_t n = p->landmarks.count, count = p->at.count;
  const executor *exec = p->sweep.exec;
  sweep_cross(&p->sweep, &p->landmarks, &p->at, p->g, p->cross, p->prior);
  cholesky(exec, n, padded(n), 0, DEPENDENT_KERNEL, 1, p->g);
  cholesky_solve(exec, matrix_on(p->g, n, n, padded(n)), 0, 0,
                 matrix_on(p->cross, n, count, p->at.length));
  const double rows = (double)p->sweep.x->rows;
  for (size_t z = 0; z < count; z++) prior[z] = p->prior[z] / rows;
  for (size_t k = 0; k < n; k++) {
    for (size_t z = 0; z < count; z++) {
      const double y = p->cross[k * p->at.length + z];
      explained[k * count + z] = y * y / rows;
    }
  }
}
