/*
 * Radial kernels k(x, t) = kappa(u), u = |x - t|^2 / bandwidth, with kappa(0) = 1, and their slopes
 * -kappa'(u). The gradient of anything by the landmarks is that by the kernel's values times
 * slopes.
 *
 *   gaussian   exp(-u)
 *   laplace    exp(-s), s = sqrt(u); its slope is bounded near 0
 *   matern32   (1 + s) exp(-s), s = sqrt(3 u)
 *   matern52   (1 + s + s^2 / 3) exp(-s), s = sqrt(5 u)
 *   cauchy     1 / (1 + u)
 */
#ifndef LANDMARKER_KERNEL_H
#define LANDMARKER_KERNEL_H

#include "products.h"

typedef struct {
  const char *name;
  int is_gaussian; /* the slopes are the values */
  int is_rough;    /* has a root at 0: small distances need all their digits */
  /* In place, from x[i] = -u_i, at most 0. Time n, memory none. */
  void (*values)(const product_variant *variant, double *x, size_t n);
  void (*slopes)(const product_variant *variant, double *x, size_t n);
} kernel_profile;

typedef struct {
  double bandwidth;
  const kernel_profile *profile;
} radial_kernel;

#define KERNELS 5

extern const kernel_profile kernel_profiles[KERNELS];

/* The profile of this name, or NULL. */
const kernel_profile *kernel_profile_named(const char *name);

/* The Gaussian kernel of this bandwidth. */
radial_kernel gaussian_kernel(double bandwidth);

#endif
