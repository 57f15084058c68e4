#include "forward.h"

#include <math.h>

#include "core/base/tolerance.h"

/* By how much feature l would change the sum of squares on `test`, over all outputs. */
static double change(const products_with_response *train, const products_with_response *test,
                     size_t l) {
  const double size = train->gram.x[l * train->gram.stride + l],
               there = test->gram.x[l * test->gram.stride + l];
  const double *c = train->cross.x + l * train->cross.stride,
               *t = test->cross.x + l * test->cross.stride;
  double sum = 0.0;
  for (size_t k = 0; k < train->cross.columns; k++) {
    const double b = c[k] / size;
    sum += b * (b * there - 2.0 * t[k]);
  }
  return sum;
}

/* Takes feature s out of all others, and out of the response. `row`: a copy of its row of F'F. */
static void take_out(products_with_response *p, size_t s, const double *g, const double *b,
                     double *row) {
  const size_t n = p->gram.rows, outputs = p->cross.columns;
  for (size_t l = 0; l < n; l++) row[l] = p->gram.x[s * p->gram.stride + l];
  const double size = row[s];
  const double *own = p->cross.x + s * p->cross.stride;
  for (size_t l = 0; l < n; l++) {
    if (l == s) continue;
    double *at = p->gram.x + l * p->gram.stride, *c = p->cross.x + l * p->cross.stride;
    const double rest = row[l] - g[l] * size;
    for (size_t m = 0; m < n; m++) at[m] -= g[l] * row[m] + rest * g[m];
    for (size_t k = 0; k < outputs; k++) c[k] -= g[l] * own[k] + rest * b[k];
  }
}

void forward_order(products_with_response *train, products_with_response *test, size_t fixed,
                   size_t *order, double *scratch) {
  const size_t n = train->gram.rows, outputs = train->cross.columns;
  double *g = scratch, *row = g + n, *first = row + n, *b = first + n;
  /* first[l]: what feature l had alone; below 0 once it has been taken. */
  for (size_t l = 0; l < n; l++) first[l] = train->gram.x[l * train->gram.stride + l];
  size_t placed = 0;
  for (size_t place = 0; place < n; place++) {
    size_t best = n;
    double least = INFINITY;
    if (place < fixed) {
      best = place;
    } else {
      for (size_t l = 0; l < n; l++) {
        const double size = train->gram.x[l * train->gram.stride + l];
        if (first[l] < 0.0 || !(size > DEPENDENT_FEATURE * first[l])) continue;
        const double now = change(train, test, l);
        if (now < least || best == n) {
          least = now;
          best = l;
        }
      }
    }
    if (best == n) break;
    order[placed++] = best;
    const double size = train->gram.x[best * train->gram.stride + best];
    const int adds = size > DEPENDENT_FEATURE * first[best];
    first[best] = -1.0;
    if (!adds) continue;
    for (size_t l = 0; l < n; l++) g[l] = train->gram.x[best * train->gram.stride + l] / size;
    for (size_t k = 0; k < outputs; k++) {
      b[k] = train->cross.x[best * train->cross.stride + k] / size;
    }
    take_out(train, best, g, b, row);
    take_out(test, best, g, b, row);
  }
  /* What adds nothing, or is no number. */
  for (size_t l = 0; l < n; l++) {
    if (!(first[l] < 0.0)) order[placed++] = l;
  }
}
