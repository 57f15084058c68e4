#include "forward.h"

#include <math.h>

#include "core/base/tolerance.h"

/* By how much feature l would change the sum of squares on `told`, over all outputs. */
static double change(const products_with_response *learned, const products_with_response *told,
                     size_t l) {
  const double size = learned->syrk.x[l * learned->syrk.stride + l],
               there = told->syrk.x[l * told->syrk.stride + l];
  const double *c = learned->cross.x + l * learned->cross.stride,
               *t = told->cross.x + l * told->cross.stride;
  double sum = 0.0;
  for (size_t k = 0; k < learned->cross.columns; k++) {
    const double b = c[k] / size;
    sum += b * (b * there - 2.0 * t[k]);
  }
  return sum;
}

/* Takes feature s out of all others, and out of the response. `row`: a copy of its row of F'F. */
static void take_out(products_with_response *p, size_t s, const double *g, const double *b,
                     double *row) {
  const size_t n = p->syrk.rows, outputs = p->cross.columns;
  for (size_t l = 0; l < n; l++) row[l] = p->syrk.x[s * p->syrk.stride + l];
  const double size = row[s];
  const double *own = p->cross.x + s * p->cross.stride;
  for (size_t l = 0; l < n; l++) {
    if (l == s) continue;
    double *at = p->syrk.x + l * p->syrk.stride, *c = p->cross.x + l * p->cross.stride;
    const double rest = row[l] - g[l] * size;
    for (size_t m = 0; m < n; m++) at[m] -= g[l] * row[m] + rest * g[m];
    for (size_t k = 0; k < outputs; k++) c[k] -= g[l] * own[k] + rest * b[k];
  }
}

void forward_order(products_with_response *learned, products_with_response *told, size_t held,
                   size_t *order, double *scratch) {
  const size_t n = learned->syrk.rows, outputs = learned->cross.columns;
  double *g = scratch, *row = g + n, *first = row + n, *b = first + n;
  /* first[l]: what feature l had alone; below 0 once it has been taken. */
  for (size_t l = 0; l < n; l++) first[l] = learned->syrk.x[l * learned->syrk.stride + l];
  size_t placed = 0;
  for (size_t place = 0; place < n; place++) {
    size_t best = n;
    double least = INFINITY;
    if (place < held) {
      best = place;
    } else {
      for (size_t l = 0; l < n; l++) {
        const double size = learned->syrk.x[l * learned->syrk.stride + l];
        if (first[l] < 0.0 || !(size > DEPENDENT_FEATURE * first[l])) continue;
        const double now = change(learned, told, l);
        if (now < least || best == n) {
          least = now;
          best = l;
        }
      }
    }
    if (best == n) break;
    order[placed++] = best;
    const double size = learned->syrk.x[best * learned->syrk.stride + best];
    const int adds = size > DEPENDENT_FEATURE * first[best];
    first[best] = -1.0;
    if (!adds) continue;
    for (size_t l = 0; l < n; l++) g[l] = learned->syrk.x[best * learned->syrk.stride + l] / size;
    for (size_t k = 0; k < outputs; k++) {
      b[k] = learned->cross.x[best * learned->cross.stride + k] / size;
    }
    take_out(learned, best, g, b, row);
    take_out(told, best, g, b, row);
  }
  /* What adds nothing, or is no number. */
  for (size_t l = 0; l < n; l++) {
    if (!(first[l] < 0.0)) order[placed++] = l;
  }
}
