#include "path.h"

#include <math.h>
#include <string.h>

#include "core/base/weight.h"

#define ROWS_AT_A_TIME 64 /* whose features are turned from columns to rows together */

/* Features less their weighted means, which go to `mean`, by rows of `length` to `x`, with a 1
 * behind them and zeros for the padding. */
static void center_features(const regression_path *p, size_t ld, double *mean, double *x) {
  const size_t rows = p->rows, count = p->count;
  for (size_t k = 0; k < ld; k++) {
    mean[k] = 0.0;
    for (size_t i = 0; k < count && i < rows; i++)
      mean[k] += weight_of(p->weights, i) * p->features[k * rows + i] / (double)rows;
  }
  for (size_t first = 0; first < rows; first += ROWS_AT_A_TIME) {
    const size_t end = first + ROWS_AT_A_TIME < rows ? first + ROWS_AT_A_TIME : rows;
    for (size_t k = 0; k < ld; k++) {
      const double *from = p->features + k * rows;
      for (size_t i = first; i < end; i++) {
        x[i * ld + k] = k < count ? from[i] - mean[k] : k == count ? 1.0 : 0.0;
      }
    }
  }
}

/* Coefficients of features that are not shifted: `w` holds the terms `step` apart, the intercept
 * last. */
static void uncenter(const double *w, size_t step, size_t count, const double *mean, double *to) {
  to[0] = w[count * step];
  for (size_t k = 0; k < count; k++) {
    to[k + 1] = w[k * step];
    to[0] -= mean[k] * to[k + 1];
  }
}

/* One response less its weighted mean, over the largest distance from it. Where it does not vary
 * only the mean is subtracted. */
static void standardize(size_t rows, const double *weights, const double *y, double *out,
                        double *mean, double *unit) {
  long double sum = 0.0;
  for (size_t i = 0; i < rows; i++) sum += (long double)weight_of(weights, i) * y[i];
  *mean = (double)(sum / (long double)rows);
  *unit = 0.0;
  for (size_t i = 0; i < rows; i++) *unit = fmax(*unit, fabs(y[i] - *mean));
  if (!(*unit > 0.0)) *unit = 1.0;
  for (size_t i = 0; i < rows; i++) out[i] = (y[i] - *mean) / *unit;
}

/* ridge_path()'s arrays, on a common scratch. */
typedef struct {
  double *mean;          /* length: of the features */
  double *w;             /* models x length */
  double *at_zero;       /* models x 2: as `unit` of ridge_solve() */
  double *y;             /* rows x models: numbers in units of their own */
  double *middle, *unit; /* models: of the responses */
} ridge_arrays;

static size_t ridge_arrays_layout(ridge_arrays *a, double *base, const ridge *r, size_t models) {
  arena memory = {base, 0};
  const size_t numbers = r->loss == LOSS_SQUARES ? r->rows * models : 0;
  a->mean = arena_take(&memory, r->ld);
  a->w = arena_take(&memory, models * r->ld);
  a->at_zero = arena_take(&memory, 2 * models);
  a->y = arena_take(&memory, numbers);
  a->middle = arena_take(&memory, models);
  a->unit = arena_take(&memory, models);
  return memory.used;
}

size_t ridge_path_scratch(const ridge *r, size_t models) {
  ridge_arrays a;
  return ridge_arrays_layout(&a, NULL, r, models);
}

void ridge_path(const regression_path *p, ridge *r, const double *y, size_t models,
                double *scratch) {
  const size_t terms = p->count + 1;
  const int numbers = r->loss == LOSS_SQUARES;
  ridge_arrays a;
  ridge_arrays_layout(&a, scratch, r, models);
  r->weights = p->weights;
  center_features(p, r->ld, a.mean, r->x);
  for (size_t m = 0; numbers && m < models; m++)
    standardize(p->rows, p->weights, y + m * p->rows, a.y + m * p->rows, a.middle + m, a.unit + m);
  memset(a.w, 0, models * r->ld * sizeof *a.w);
  for (size_t m = 0; m < 2 * models; m++) a.at_zero[m] = -1.0;
  for (size_t l = 0; l < p->lambdas; l++) {
    ridge_solve(r, numbers ? a.y : y, models, p->lambda[l], a.w, a.at_zero,
                p->gradient + l * models, p->taken + l * models);
    for (size_t m = 0; m < models; m++) {
      double *to = p->coefficients + (l * models + m) * terms;
      uncenter(a.w + m * r->ld, 1, p->count, a.mean, to);
      for (size_t k = 0; numbers && k < terms; k++) to[k] *= a.unit[m];
      if (numbers) to[0] += a.middle[m];
    }
    poll_user(r->exec);
  }
}

size_t softmax_path_scratch(const softmax *s) { return s->ld + s->terms * s->wide; }

void softmax_path(const regression_path *p, softmax *s, const int *y, double *scratch) {
  double *mean = scratch, *w = scratch + s->ld;
  double at_zero[2] = {-1.0, -1.0};
  s->weights = p->weights;
  center_features(p, s->ld, mean, s->x);
  memset(w, 0, s->terms * s->wide * sizeof *w);
  for (size_t l = 0; l < p->lambdas; l++) {
    p->gradient[l] = softmax_solve(s, y, p->lambda[l], w, at_zero, p->taken + l);
    for (size_t k = 0; k < s->classes; k++) {
      uncenter(w + k, s->wide, p->count, mean,
               p->coefficients + (l * s->classes + k) * (p->count + 1));
    }
    poll_user(s->exec);
  }
}
