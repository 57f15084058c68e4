/* The greedy order of landmarks against elimination on all of G, step by step. */
#include <string.h>

#include "check.h"
#include "core/algebra/pivoted_order.h"
#include "fixture.h"

/* Explains column p of `a`, what remains of g, by elimination on all of it in long double. */
static void plain_explain(size_t n, const double *g, size_t p, long double *a) {
  const long double pivot = a[p * n + p];
  if (pivot < 1e-12L * g[p * padded(n) + p]) return;
  for (size_t i = 0; i < n; i++) {
    const long double by = i == p ? 0.0 : a[i * n + p] / pivot;
    for (size_t j = 0; j < n; j++) a[i * n + j] -= by * a[p * n + j];
  }
  for (size_t j = 0; j < n; j++) a[p * n + j] = 0.0;
}

static void check_order_of(const executor *exec, size_t n, size_t fixed, size_t wanted,
                           const double *g, size_t want_found) {
  const size_t ld = padded(n);
  size_t *order = bytes(wanted * sizeof *order);
  double *pivot = doubles(wanted), worst = 0.0;
  long double *left = bytes(n * sizeof *left), *a = bytes(n * n * sizeof *a);
  for (size_t i = 0; i < n * n; i++) a[i] = g[i / n * ld + i % n];
  const order_rule rule = {n, ld, fixed, wanted, 1e-10};
  const size_t found =
      pivoted_order(exec, &rule, g, doubles(pivoted_order_scratch(ld, wanted)), order, pivot);
  CHECK(found == want_found, "of %zu columns, %zu fixed, %zu are taken, not %zu", n, fixed,
        want_found, found);
  int right = 1;
  for (size_t k = 0; k < found; k++) {
    for (size_t i = 0; i < n; i++) left[i] = a[i * n + i];
    size_t best = k < fixed ? k : fixed;
    for (size_t i = fixed; k >= fixed && i < n; i++) best = left[i] > left[best] ? i : best;
    /* Rounding may turn round two that are as good as equal. */
    right &= k < fixed ? order[k] == k
                       : order[k] >= fixed && left[order[k]] >= left[best] * (1 - 1e-12L);
    compare(&worst, pivot[k], fmax((double)left[order[k]], 0.0), g[order[k] * ld + order[k]]);
    plain_explain(n, g, order[k], a);
  }
  CHECK(right, "the order of %zu columns, %zu fixed, is greedy", n, fixed);
  CHECK(worst < 1e-13, "pivots of %zu columns, %zu fixed: error %g", n, fixed, worst);
}

void test_order(const executor *exec) {
  static const size_t sizes[] = {1, 2, 9, 30, 110}, fixed_counts[] = {0, 1, 3, 9, 50};
  for (size_t s = 0; s < 5; s++) {
    for (size_t h = 0; h < 5 && fixed_counts[h] <= sizes[s]; h++) {
      const size_t n = sizes[s], fixed = fixed_counts[h];
      check_order_of(exec, n, fixed, n, positive_matrix(n, n, 0.1), n);
      check_order_of(exec, n, fixed, (fixed + n) / 2, positive_matrix(n, n, 0.1), (fixed + n) / 2);
      check_order_of(exec, n, fixed, n + 2, positive_matrix(n, n, 0.1), n);
      release();
    }
  }
  check_order_of(exec, 120, 0, 120, positive_matrix(120, 70, 0.0), 70);
  release();
  check_order_of(exec, 20, 0, 20, positive_matrix(20, 7, 0.0), 7);
  check_order_of(exec, 20, 4, 20, positive_matrix(20, 7, 0.0), 7);
  /* Of equal fixed columns the later ones have nothing left, and keep their places. */
  for (int again = 0; again < 10; again++) {
    double *twice = positive_matrix(12, 12, 0.5);
    duplicate(12, 0, 2, twice);
    duplicate(12, 1, 3, twice);
    check_order_of(exec, 12, 5, 12, twice, 12);
    release();
  }

  const size_t n = 6, ld = padded(n);
  double *same = doubles(n * ld), pivot[8];
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) same[i * ld + j] = i == j ? 3.0 : 0.0;
  }
  size_t order[8];
  const order_rule rule = {n, ld, 0, n, 1e-10}, beyond = {n, ld, 0, n + 2, 0.0};
  size_t found =
      pivoted_order(exec, &rule, same, doubles(pivoted_order_scratch(ld, n)), order, pivot);
  for (size_t k = 0; k < found; k++) found = order[k] == k && pivot[k] == 3.0 ? found : 0;
  CHECK(found == n, "of equal columns the first is taken");
  for (size_t i = 0; i < n; i++) same[i * ld + i] = 0.1 + (double)i / 7.0;
  found =
      pivoted_order(exec, &beyond, same, doubles(pivoted_order_scratch(ld, n + 2)), order, pivot);
  CHECK(found == n, "no column is taken twice, even with a floor of 0");
  memset(same, 0, n * ld * sizeof *same);
  CHECK(pivoted_order(exec, &rule, same, doubles(pivoted_order_scratch(ld, n)), order, pivot) == 0,
        "of zeros nothing is taken");
  release();
}
