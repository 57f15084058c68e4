#include "kernel.h"

#include <math.h>
#include <string.h>

#define SOME 256             /* numbers at a time */
#define LEAST_ROOT (1. / 64) /* of the slope of laplace, whose size near 0 has no bound */

static void exponentials(const product_variant *variant, double *x, size_t n) {
  variant->exp_nonpositive(x, n);
}

/* In parts: s = sqrt(times u) and x = exp(-s), which finish() makes values or slopes of, if given.
 */
static void by_roots(const product_variant *variant, double times, double *x, size_t n,
                     void (*finish)(const double *s, double *x, size_t n)) {
  double s[SOME];
  for (size_t first = 0; first < n; first += SOME, x += SOME) {
    const size_t some = n - first < SOME ? n - first : SOME;
#pragma omp simd
    for (size_t i = 0; i < some; i++) {
      s[i] = sqrt(-times * x[i]);
      x[i] = -s[i];
    }
    variant->exp_nonpositive(x, some);
    if (finish) finish(s, x, some);
  }
}

static void laplace_slope(const double *restrict s, double *restrict x, size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) x[i] /= 2.0 * (s[i] > LEAST_ROOT ? s[i] : LEAST_ROOT);
}

static void matern32_value(const double *restrict s, double *restrict x, size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) x[i] *= 1.0 + s[i];
}

static void matern52_value(const double *restrict s, double *restrict x, size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) x[i] *= 1.0 + s[i] + s[i] * s[i] / 3.0;
}

static void matern52_slope(const double *restrict s, double *restrict x, size_t n) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) x[i] *= 5.0 / 6.0 * (1.0 + s[i]);
}

static void laplace_values(const product_variant *variant, double *x, size_t n) {
  by_roots(variant, 1.0, x, n, NULL);
}

static void laplace_slopes(const product_variant *variant, double *x, size_t n) {
  by_roots(variant, 1.0, x, n, laplace_slope);
}

static void matern32_values(const product_variant *variant, double *x, size_t n) {
  by_roots(variant, 3.0, x, n, matern32_value);
}

static void matern32_slopes(const product_variant *variant, double *x, size_t n) {
  by_roots(variant, 3.0, x, n, NULL);
  for (size_t i = 0; i < n; i++) x[i] *= 1.5;
}

static void matern52_values(const product_variant *variant, double *x, size_t n) {
  by_roots(variant, 5.0, x, n, matern52_value);
}

static void matern52_slopes(const product_variant *variant, double *x, size_t n) {
  by_roots(variant, 5.0, x, n, matern52_slope);
}

static void cauchy_values(const product_variant *variant, double *restrict x, size_t n) {
  (void)variant;
#pragma omp simd
  for (size_t i = 0; i < n; i++) x[i] = 1.0 / (1.0 - x[i]);
}

static void cauchy_slopes(const product_variant *variant, double *restrict x, size_t n) {
  (void)variant;
#pragma omp simd
  for (size_t i = 0; i < n; i++) x[i] = 1.0 / ((1.0 - x[i]) * (1.0 - x[i]));
}

const kernel_profile kernel_profiles[KERNELS] = {
    {"gaussian", 1, 0, exponentials, exponentials},
    {"laplace", 0, 1, laplace_values, laplace_slopes},
    {"matern32", 0, 0, matern32_values, matern32_slopes},
    {"matern52", 0, 0, matern52_values, matern52_slopes},
    {"cauchy", 0, 0, cauchy_values, cauchy_slopes},
};

const kernel_profile *kernel_profile_named(const char *name) {
  for (size_t i = 0; i < KERNELS; i++) {
    if (strcmp(kernel_profiles[i].name, name) == 0) return kernel_profiles + i;
  }
  return NULL;
}

radial_kernel gaussian_kernel(double bandwidth) {
  const radial_kernel k = {bandwidth, kernel_profiles};
  return k;
}
