#include "posterior.h"

#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

void posterior_layout(posterior *p, arena *memory, const executor *exec, const observations *x,
                      radial_kernel k, size_t landmarks, size_t count) {
  row_pass_layout(&p->row_pass, memory, exec, x, k, landmarks, count, 0);
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

void posterior_sums(posterior *p) {
  row_pass_cross(&p->row_pass, &p->landmarks, &p->at, p->g, p->cross, p->prior);
}

void posterior_variance(const executor *exec, size_t n, size_t count, size_t rows, double *g,
                        double *cross, double *prior, double *explained) {
  const size_t ld = padded(count);
  cholesky(exec, n, padded(n), 0, DEPENDENT_FEATURES, 1, g);
  potrs(exec, matrix_on(g, n, n, padded(n)), 0, 0, matrix_on(cross, n, count, ld));
  /* Where the kernel of the landmarks is nearly singular, rounding must not explain more of a point
   * than is left. */
  for (size_t z = 0; z < count; z++) {
    double left = prior[z] /= (double)rows;
    for (size_t k = 0; k < n; k++) {
      const double y = cross[k * ld + z], share = y * y / (double)rows;
      explained[k * count + z] = share < left ? share : left;
      left -= explained[k * count + z];
    }
  }
}
