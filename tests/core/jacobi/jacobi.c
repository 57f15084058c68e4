/*
 * core/algebra/lapack.h by Jacobi's rotations, in place of LAPACK: for machines that the core is
 * compiled for here, and whose LAPACK is not here. Slow and accurate.
 */
#include <math.h>
#include <string.h>

#include "core/algebra/lapack.h"

#define SWEEPS 60

size_t symmetric_eigen_scratch(size_t n) { return 2 * n * n + n; }

/* Makes a(p, q) zero by a rotation of rows and columns p and q, which also turns the vectors. */
static void rotate(size_t n, double *a, double *v, size_t p, size_t q) {
  const double off = a[p * n + q];
  if (off == 0.0) return;
  const double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * off);
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  const double low = a[p * n + p] - t * off, high = a[q * n + q] + t * off;
  for (size_t k = 0; k < n; k++) {
    const double x = a[p * n + k], y = a[q * n + k];
    a[p * n + k] = c * x - s * y;
    a[q * n + k] = s * x + c * y;
  }
  for (size_t k = 0; k < n; k++) {
    const double x = a[k * n + p], y = a[k * n + q];
    a[k * n + p] = c * x - s * y;
    a[k * n + q] = s * x + c * y;
  }
  /* The same numbers with less rounding. */
  a[p * n + p] = low;
  a[q * n + q] = high;
  a[p * n + q] = a[q * n + p] = 0.0;
  for (size_t k = 0; k < n; k++) {
    const double x = v[p * n + k], y = v[q * n + k];
    v[p * n + k] = c * x - s * y;
    v[q * n + k] = s * x + c * y;
  }
}

/* Diagonal and vectors of `a`, n x n, whose half with i >= j at [j * n + i] is read. */
static void diagonalize(const executor *exec, size_t n, double *a, double *v) {
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < j; i++) a[j * n + i] = a[i * n + j];
    for (size_t i = 0; i < n; i++) v[j * n + i] = i == j;
  }
  for (int row_pass = 0; row_pass < SWEEPS; row_pass++) {
    double off = 0.0, all = 0.0;
    for (size_t j = 0; j < n; j++) {
      for (size_t i = 0; i < n; i++) {
        all += a[j * n + i] * a[j * n + i];
        if (i != j) off += a[j * n + i] * a[j * n + i];
      }
    }
    if (off <= 1e-32 * all) return;
    for (size_t p = 0; p + 1 < n; p++) {
      if (exec && exec->poll) exec->poll();
      for (size_t q = p + 1; q < n; q++) rotate(n, a, v, p, q);
    }
  }
}

/* Pairs first, ..., first + count - 1 in ascending order. `taken`: n marks. */
static void sort_pairs(size_t n, const double *a, const double *v, double *taken, size_t first,
                       size_t count, double *values, double *vectors) {
  memset(taken, 0, n * sizeof *taken);
  for (size_t k = 0; k < first + count; k++) {
    size_t least = n;
    for (size_t i = 0; i < n; i++) {
      if (taken[i] == 0.0 && (least == n || a[i * n + i] < a[least * n + least])) least = i;
    }
    taken[least] = 1.0;
    if (k < first) continue;
    values[k - first] = a[least * n + least];
    memcpy(vectors + (k - first) * n, v + least * n, n * sizeof *v);
  }
}

const char *symmetric_eigen(const executor *exec, size_t n, double *a, size_t first, size_t count,
                            double *values, double *vectors, double *scratch) {
  diagonalize(exec, n, a, scratch);
  sort_pairs(n, a, scratch, scratch + 2 * n * n, first, count, values, vectors);
  return NULL;
}

const char *symmetric_eigen_all(size_t n, double *a, double *values, double *scratch) {
  double *v = scratch, *copy = scratch + n * n;
  diagonalize(NULL, n, a, v);
  memcpy(copy, a, n * n * sizeof *a);
  sort_pairs(n, copy, v, scratch + 2 * n * n, 0, n, values, a);
  return NULL;
}
