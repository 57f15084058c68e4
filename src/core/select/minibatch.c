#include "minibatch.h"

static void draw_nearer(points *centers, size_t fixed, const points *sums, const double *size,
                        const double *scale, const double *count) {
  for (size_t j = 0; j < centers->columns; j++) {
    const double times = scale ? scale[j] : 1.0;
    for (size_t l = fixed; l < centers->count; l++) {
      if (!(size[l] > 0.0)) continue;
      double *c = centers->x + j * centers->ld + l;
      const double mean = sums->x[j * sums->ld + l] / size[l] * times;
      *c += size[l] / count[l] * (mean - *c);
    }
  }
}

void minibatch_step(lloyd *a, size_t fixed, double *count) {
  const observations *x = a->x;
  points_norms(&a->centers);
  for (size_t i = 0; i < x->rows; i++) a->label[i] = -1;
  lloyd_assign(a);
  lloyd_sums(a);
  for (size_t l = 0; l < a->centers.count; l++) count[l] += a->size[l];
  /* Values of ROWS layouts are scaled already. */
  draw_nearer(&a->centers, fixed, &a->sums, a->size, in_columns(x) ? x->scale : NULL, count);
}
