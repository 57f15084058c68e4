/* The greedy order by the trace, and the start made of it, against the trace of every subset. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "core/algebra/trace_order.h"
#include "core/select/pivot.h"
#include "fixture.h"

#define MOST 12
#define BANDWIDTH 0.8

/* tr(W_SS^-1 G_SS) for the points set[0..k) and one more. */
static long double plain_trace(size_t ld, const double *w, const double *g, const size_t *set,
                               size_t k, size_t more) {
  long double part[MOST * MOST] = {0}, sum = 0.0;
  size_t all[MOST];
  memcpy(all, set, k * sizeof *set);
  all[k++] = more;
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) part[i * k + j] = w[all[i] * ld + all[j]];
  }
  const long double *inverse = plain_inverse(k, part);
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) sum += inverse[i * k + j] * g[all[i] * ld + all[j]];
  }
  return sum;
}

/* Whether order[from..found) is greedy, within what rounding may turn round, and the error of the
 * gains. */
static int is_greedy(size_t n, size_t ld, size_t fixed, const double *w, const double *g,
                     const size_t *order, const double *gain, size_t found, double *worst) {
  long double before = 0.0;
  int right = 1;
  for (size_t k = 0; k < found; k++) {
    const long double mine = plain_trace(ld, w, g, order, k, order[k]) - before;
    for (size_t i = fixed; k >= fixed && i < n; i++) {
      /* Those that are taken, or in the same place as one that is. */
      int taken = 0;
      for (size_t j = 0; j < k; j++)
        taken |= order[j] == i || fabs(w[order[j] * ld + i] - w[i * ld + i]) < 1e-12;
      if (!taken)
        right &= plain_trace(ld, w, g, order, k, i) - before <= mine * (1 + 1e-9L) + 1e-9L;
    }
    right &= k >= fixed || order[k] == k;
    compare_relative(worst, gain[k], (double)mine);
    before += mine;
  }
  return right;
}

static void check_order(const executor *exec, size_t n, size_t fixed, size_t wanted) {
  const size_t ld = padded(n);
  const double *w = positive_matrix(n, n, 0.5), *g = positive_matrix(n, 2 * n, 0.0);
  size_t *order = bytes(wanted * sizeof *order);
  double *gain = doubles(wanted), worst = 0.0;
  double *scratch = doubles(trace_order_scratch(ld, wanted));
  const order_rule rule = {n, ld, fixed, wanted, 1e-10};
  const size_t found = trace_order(exec, &rule, w, g, scratch, order, gain);
  CHECK(found == (wanted < n ? wanted : n), "%zu of %zu points are taken", found, n);
  CHECK(is_greedy(n, ld, fixed, w, g, order, gain, found, &worst),
        "each of %zu points, %zu fixed, is the one that explains most", n, fixed);
  CHECK(worst < 1e-10, "its gain is what the trace gains: error %g", worst);
  release();
}

/* M'GM, M = I - e_t w_t' / w_tt: what point t leaves of G, and of W where g is w. */
static void eliminate(size_t n, size_t t, const long double *w, long double *g) {
  long double *row = bytes(n * sizeof *row), *by = bytes(n * sizeof *by);
  for (size_t i = 0; i < n; i++) {
    row[i] = g[t * n + i];
    by[i] = w[t * n + i] / w[t * n + t];
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      g[i * n + j] += by[i] * by[j] * row[t] - row[i] * by[j] - by[i] * row[j];
    }
  }
}

/* Many points, so that they are taken from several panels. */
static void check_panels(const executor *exec, size_t n, size_t fixed, size_t wanted) {
  const size_t ld = padded(n);
  const double *w = positive_matrix(n, n, 2.0), *g = positive_matrix(n, 2 * n, 0.0);
  long double *left_w = bytes(n * n * sizeof *left_w), *left_g = bytes(n * n * sizeof *left_g);
  for (size_t i = 0; i < n * n; i++) {
    left_w[i] = w[i / n * ld + i % n];
    left_g[i] = g[i / n * ld + i % n];
  }
  size_t *order = bytes(wanted * sizeof *order);
  double *gain = doubles(wanted), *scratch = doubles(trace_order_scratch(ld, wanted));
  double worst = 0.0;
  int greedy = 1;
  const order_rule rule = {n, ld, fixed, wanted, 1e-10};
  const size_t found = trace_order(exec, &rule, w, g, scratch, order, gain);
  char *taken = bytes(n);
  memset(taken, 0, n);
  for (size_t k = 0; k < found; k++) {
    const size_t t = order[k];
    const long double mine = left_g[t * n + t] / left_w[t * n + t];
    for (size_t i = fixed; k >= fixed && i < n; i++) {
      greedy &= taken[i] || left_g[i * n + i] / left_w[i * n + i] <= mine * (1 + 1e-9L);
    }
    greedy &= !taken[t] && (k >= fixed || t == k);
    taken[t] = 1;
    compare_relative(&worst, gain[k], (double)mine);
    eliminate(n, t, left_w, left_g);
    eliminate(n, t, left_w, left_w);
  }
  CHECK(found == wanted && greedy, "%zu points in a greedy order, %zu held", found, fixed);
  CHECK(worst < 1e-9, "the gains of %zu points: error %g", n, worst);
  release();
}

/* Two points in one place: the second has nothing to add. */
static void check_twice(const executor *exec) {
  const size_t n = 7, ld = padded(n);
  double *w = positive_matrix(n, n, 0.5), *g = positive_matrix(n, n, 0.5);
  double *gain = doubles(n), *scratch = doubles(trace_order_scratch(ld, n));
  size_t order[7];
  duplicate(n, 1, 2, w);
  duplicate(n, 1, 2, g);
  order_rule rule = {n, ld, 0, n, 1e-10};
  size_t found = trace_order(exec, &rule, w, g, scratch, order, gain);
  CHECK(found == n - 1, "of two equal points one is taken: %zu in all", found);
  rule.fixed = 4;
  found = trace_order(exec, &rule, w, g, scratch, order, gain);
  CHECK(found == n && order[2] == 2 && gain[2] == 0.0, "a fixed point keeps its place, gain %g",
        gain[2]);
  release();
}

/* Rows of a sample, against the kernels of the points that they become in the space. */
static void check_start(const executor *exec, layout kind, int weighted, size_t fixed,
                        space_kind where_kind) {
  const size_t rows = 10, p = 3, wanted = 5, all = fixed + rows, ld = padded(all);
  const data d = data_make(kind, rows, p, weighted);
  const space where = {where_kind, d.x.center, d.x.scale, NULL, NULL};
  pivot_search s;
  LAY_OUT_CHECKED(memory, pivot_layout(&s, &memory, exec, &d.x, gaussian_kernel(BANDWIDTH), &where,
                                       fixed, wanted, 1));
  points t = points_on(doubles(points_size(all, p)), all, p);
  points_fill(&s.given);
  for (size_t l = 0; l < all; l++) {
    for (size_t j = 0; j < p; j++)
      *coordinate(&t, l, j) = l < fixed ? *coordinate(&s.given, l, j) : d.z[(l - fixed) * p + j];
  }
  space_project(&where, &t, fixed, doubles(p));
  int *chosen = integers(wanted);
  size_t order[MOST + MOST];
  pivot_prepare(&s);
  const size_t found = pivot_rows(&s, 1, 1e-10, order, chosen);
  double *w = doubles(all * ld), *g = doubles(all * ld), worst = 0.0;
  for (size_t k = 0; k < all; k++) {
    for (size_t l = 0; l < all; l++) {
      double apart = 0.0, sum = 0.0;
      for (size_t j = 0; j < p; j++)
        apart += (*coordinate(&t, k, j) - *coordinate(&t, l, j)) *
                 (*coordinate(&t, k, j) - *coordinate(&t, l, j));
      w[k * ld + l] = exp(-apart / BANDWIDTH);
      for (size_t i = 0; i < rows; i++)
        sum += weight_of(&d, i) * plain_feature(&d, i, &t, k, BANDWIDTH) *
               plain_feature(&d, i, &t, l, BANDWIDTH);
      g[k * ld + l] = sum;
    }
  }
  size_t different = 0;
  for (size_t k = fixed; k < all; k++) {
    size_t before = fixed;
    while (before < k && w[before * ld + k] < 1.0 - 1e-12) before++;
    different += before == k;
  }
  CHECK(found == (different < wanted ? different : wanted), "of %zu that differ %zu rows are found",
        different, found);
  for (size_t k = 0; k < found; k++) order[fixed + k] = fixed + (size_t)chosen[k];
  CHECK(is_greedy(all, ld, fixed, w, g, order, s.pivot, fixed + found, &worst),
        "each row of %s (weighted %d, %zu fixed, space %d) is the one that leaves least",
        layout_name[kind], weighted, fixed, where_kind);
  CHECK(worst < 1e-7, "and its gain is that: error %g", worst);
  release();
}

void test_trace_order(const executor *exec) {
  static const size_t sizes[] = {1, 2, 5, MOST - 1}, fixed_counts[] = {0, 1, 4};
  for (size_t s = 0; s < 4; s++) {
    for (size_t h = 0; h < 3 && fixed_counts[h] <= sizes[s]; h++) {
      check_order(exec, sizes[s], fixed_counts[h], sizes[s]);
      check_order(exec, sizes[s], fixed_counts[h],
                  fixed_counts[h] > 3 ? fixed_counts[h] : (sizes[s] + 1) / 2);
      check_order(exec, sizes[s], fixed_counts[h], sizes[s] + 2);
    }
  }
  check_panels(exec, 90, 0, 85);
  check_panels(exec, 70, 40, 66);
  check_twice(exec);
  for (int weighted = 0; weighted < 2; weighted++) {
    check_start(exec, ROWS_DENSE, weighted, 0, SPACE_EUCLIDEAN);
    check_start(exec, ROWS_SPARSE, weighted, 2, SPACE_EUCLIDEAN);
    check_start(exec, ROWS_DENSE, weighted, 2, SPACE_NONNEGATIVE);
    check_start(exec, ROWS_SPARSE, weighted, 0, SPACE_NONNEGATIVE_SPHERE);
  }
}
