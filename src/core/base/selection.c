#include "selection.h"

static int less(const void *all, size_t i, size_t j) {
  const double *a = all;
  return a[i] < a[j];
}

static void exchange(void *all, size_t i, size_t j) {
  double *a = all;
  const double fixed = a[i];
  a[i] = a[j];
  a[j] = fixed;
}

double kth_smallest(double *a, size_t n, size_t k) {
  selection(a, 0, n - 1, k - 1, less, exchange);
  return a[k - 1];
}
