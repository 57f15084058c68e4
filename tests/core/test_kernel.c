/* Kernels: their values and slopes, and the slopes of the criteria with each of them. */
#include "core/algebra/kernel.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "core/data/features.h"
#include "core/optim/climb.h"
#include "core/optim/trace.h"
#include "core/optim/volume.h"
#include "fixture.h"

#define BANDWIDTH 0.9
/* Against the formula and its difference quotient, except where laplace's slope is cut. */
static void check_profile(const executor *exec, int which) {
  enum { N = 300 };
  const kernel_profile *profile = kernel_profiles + which;
  double value[N], slope[N], off = 0.0, steep = 0.0;
  for (int i = 0; i < N; i++) value[i] = slope[i] = -(i == 0 ? 0.0 : 0.001 * exp(0.03 * i));
  profile->values(exec->variant, value, N);
  profile->slopes(exec->variant, slope, N);
  for (int i = 0; i < N; i++) {
    const long double u = i == 0 ? 0.0L : 0.001L * exp(0.03 * i), h = 1e-6L * u;
    compare_relative(&off, value[i], (double)plain_profile(which, u));
    if (i == 0) continue;
    compare(&steep, slope[i],
            (double)((plain_profile(which, u - h) - plain_profile(which, u + h)) / (2.0L * h)),
            slope[i]);
  }
  CHECK(off < 1e-14 && value[0] == 1.0, "%s: values off by %g", profile->name, off);
  CHECK(steep < 1e-6, "%s: slopes off by %g", profile->name, steep);
}

/* The slope of a criterion, (eta / 4) times its gradient, by differences; and climbs. */
static void check_slope(const executor *exec, int which, const criterion *of, layout kind,
                        size_t fixed) {
  const size_t p = 2, moving = 3;
  const data d = data_make(kind, 60, p, 1);
  const space anywhere = {.kind = SPACE_EUCLIDEAN};
  const radial_kernel k = {BANDWIDTH, kernel_profiles + which};
  const climb_problem problem = {k, of, &anywhere, fixed, moving};
  ascent a;
  LAY_OUT_CHECKED(memory, ascent_layout(&a, &memory, exec, &d.x, &problem, 1));
  seed(7);
  points_fill(&a.fixed);
  points_fill(&a.now);
  points_norms(&a.now);
  a.criterion->value(&a, 1);
  a.criterion->slope(&a);
  double *slope = doubles(p * moving), worst = 0.0, size = 0.0;
  for (size_t l = 0; l < moving; l++) {
    for (size_t j = 0; j < p; j++) {
      slope[l * p + j] = *coordinate(&a.next, l, j);
      size = fmax(size, fabs(slope[l * p + j]));
    }
  }
  for (size_t l = 0; l < moving; l++) {
    for (size_t j = 0; j < p; j++) {
      double *at = coordinate(&a.now, l, j), value[2];
      const double before = *at, h = 1e-5;
      for (int side = 0; side < 2; side++) {
        *at = before + (side ? h : -h);
        points_norms(&a.now);
        value[side] = a.criterion->value(&a, 1);
      }
      *at = before;
      compare(&worst, slope[l * p + j], BANDWIDTH / 4.0 * (value[1] - value[0]) / (2.0 * h), size);
    }
  }
  CHECK(worst < 1e-5, "%s, %s, %zu fixed: the slope by differences: %g",
        kernel_profiles[which].name, of == &trace_criterion ? "trace" : "volume", fixed, worst);
  points_norms(&a.now);
  climb c;
  LAY_OUT_CHECKED(pairs, climb_layout(&c, &pairs, &a, climb_pairs(moving, p)));
  double *moved = doubles(moving);
  const climb_result r = climb_run(&c, &a, 500, 20, 1e-8, moved);
  a.criterion->value(&a, 1);
  a.criterion->slope(&a);
  double end = 0.0;
  for (size_t l = 0; l < moving; l++) {
    for (size_t j = 0; j < p; j++) end = fmax(end, fabs(*coordinate(&a.next, l, j)));
  }
  /* The tops of a kernel with a root at 0 are at rows, where it has no slope. */
  CHECK(r.value > r.start && (k.profile->is_rough || end < 1e-3 * size),
        "%s, %s: climbs to %g of the slope in %d steps", kernel_profiles[which].name,
        of == &trace_criterion ? "trace" : "volume", end / size, r.steps);
}

/* A landmark on a row far from the origin: laplace keeps the digits of small distances. */
static void check_far(const executor *exec, int which) {
  data d = data_make(ROWS_DENSE, 20, 3, 0);
  const size_t ld = padded(3);
  double *real = doubles(20 * ld);
  memset(real, 0, 20 * ld * sizeof *real);
  for (size_t i = 0; i < 20; i++) {
    for (size_t j = 0; j < 3; j++) real[i * ld + j] = 100.0 + d.z[i * 3 + j];
  }
  d.x.real = real;
  d.x.norm = NULL;
  points t = points_make(2, 3);
  for (size_t j = 0; j < 3; j++) {
    *coordinate(&t, 0, j) = real[j];
    *coordinate(&t, 1, j) = real[j] + 1e-6;
  }
  points_norms(&t);
  const radial_kernel k = {1.0, kernel_profiles + which};
  double *out = doubles(20 * t.ld);
  features(exec, &d.x, 0, 20, &t, &k, NULL, out, NULL);
  CHECK(fabs(out[0] - 1.0) < 1e-9, "%s of a row and itself: %.17g", kernel_profiles[which].name,
        out[0]);
  long double u = 0.0;
  for (size_t j = 0; j < 3; j++) {
    const long double apart = (long double)real[j] - *coordinate(&t, 1, j);
    u += apart * apart;
  }
  CHECK(fabs(out[1] - (double)plain_profile(which, u)) < 1e-9, "%s of a near row: %.17g",
        kernel_profiles[which].name, out[1]);
}

void test_kernel(const executor *exec) {
  CHECK(kernel_profile_named("linear") == NULL, "a kernel that is none");
  for (int which = 0; which < KERNELS; which++) {
    check_profile(exec, which);
    check_far(exec, which);
    for (int fixed = 0; fixed < 3; fixed += 2) {
      check_slope(exec, which, &trace_criterion, ROWS_DENSE, (size_t)fixed);
      check_slope(exec, which, &volume_criterion, ROWS_SPARSE, (size_t)fixed);
      check_slope(exec, which, &volume_criterion, COLUMNS_DOUBLE, (size_t)fixed);
    }
    release();
  }
}
