/* Eigenpairs against their definition, and against a matrix whose pairs are known. */
#include <string.h>

#include "check.h"
#include "core/algebra/lapack.h"
#include "fixture.h"

static double *random_matrix(size_t n) {
  double *a = doubles(n * n);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = symmetric();
  }
  return a;
}

/* A v = lambda v, v'w = 0, |v| = 1. */
static void check_solution(size_t n, const double *a, size_t count, const double *values,
                           const double *vectors) {
  double residual = 0.0, skew = 0.0;
  for (size_t k = 0; k < count; k++) {
    const double *v = vectors + k * n;
    for (size_t i = 0; i < n; i++) {
      double sum = 0.0;
      for (size_t j = 0; j < n; j++) sum += a[i * n + j] * v[j];
      compare(&residual, sum, values[k] * v[i], 1.0);
    }
    for (size_t l = 0; l <= k; l++) {
      double dot = 0.0;
      for (size_t i = 0; i < n; i++) dot += v[i] * vectors[l * n + i];
      compare(&skew, dot, l == k, 1.0);
    }
    CHECK(k == 0 || values[k] >= values[k - 1], "eigenvalue %zu of %zu is below the one before", k,
          n);
  }
  CHECK(residual < 1e-13 * (double)n, "A v = lambda v is off by %g, n = %zu", residual, n);
  CHECK(skew < 1e-13 * (double)n, "eigenvectors are off orthonormal by %g, n = %zu", skew, n);
}

static void check_pairs(const executor *exec, size_t n, size_t first, size_t count) {
  const double *a = random_matrix(n);
  double *copy = doubles(n * n), *values = doubles(count), *vectors = doubles(n * count);
  memcpy(copy, a, n * n * sizeof *a);
  const char *flaw = symmetric_eigen(exec, n, copy, first, count, values, vectors,
                                     doubles(symmetric_eigen_scratch(n)));
  CHECK(!flaw, "dsyevr: %s", flaw ? flaw : "");
  check_solution(n, a, count, values, vectors);
}

/* All of them in place, also of a matrix with equal ones: whose lower half alone is read. */
static void check_all_pairs(size_t n, size_t equal) {
  double *a = random_matrix(n), *copy = doubles(n * n), *values = doubles(n);
  for (size_t i = 0; i < equal; i++) {
    for (size_t j = 0; j < n; j++) a[i * n + j] = a[j * n + i] = i == j ? 2.5 : 0.0;
  }
  memcpy(copy, a, n * n * sizeof *a);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < j; i++) copy[j * n + i] = NAN;
  }
  const char *flaw = symmetric_eigen_all(n, copy, values, doubles(symmetric_eigen_scratch(n)));
  CHECK(!flaw, "dsyev: %s", flaw ? flaw : "");
  check_solution(n, a, n, values, copy);
}

/* The path of n points: its Laplacian has the values 4 sin^2(pi k / (2 n)), k = 0, 1, ... */
static void check_path(const executor *exec, size_t n, size_t first, size_t count) {
  double *a = doubles(n * n), *values = doubles(count), *vectors = doubles(n * count);
  memset(a, 0, n * n * sizeof *a);
  for (size_t i = 0; i + 1 < n; i++) {
    a[i * n + i] += 1.0;
    a[(i + 1) * n + i + 1] += 1.0;
    a[i * n + i + 1] = a[(i + 1) * n + i] = -1.0;
  }
  symmetric_eigen(exec, n, a, first, count, values, vectors, doubles(symmetric_eigen_scratch(n)));
  double worst = 0.0;
  for (size_t k = 0; k < count; k++) {
    const double s = sin(acos(-1.0) * (double)(first + k) / (2.0 * (double)n));
    compare(&worst, values[k], 4.0 * s * s, 1.0);
  }
  CHECK(worst < 1e-13, "eigenvalues %zu.. of a path of %zu points are off by %g", first, n, worst);
}

void test_lapack(const executor *exec) {
  check_pairs(exec, 1, 0, 1);
  check_pairs(exec, 2, 1, 1);
  check_pairs(exec, 30, 0, 30);
  check_pairs(exec, 77, 70, 7);
  check_pairs(exec, 130, 3, 5);
  /* By the parts of dsyevr. */
  check_pairs(exec, 256, 0, 256);
  check_pairs(exec, 289, 280, 9);
  check_all_pairs(1, 0);
  check_all_pairs(2, 0);
  check_all_pairs(60, 0);
  check_all_pairs(60, 25);
  check_path(exec, 50, 0, 50);
  check_path(exec, 101, 1, 6);
  check_path(exec, 101, 95, 6);
  check_path(exec, 300, 0, 300);
  check_path(exec, 300, 290, 10);
}
