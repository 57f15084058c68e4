/* Neighborhood graphs against plain sorting, and a square grid whose edges are known by hand. */
#include <stdlib.h>

#include "check.h"
#include "core/embedding/neighborhood.h"
#include "fixture.h"

static double *distances_of(const executor *exec, const points *t) {
  euclidean e;
  LAY_OUT_CHECKED(memory, euclidean_layout(&e, &memory, exec, t->count, t->columns));
  for (size_t j = 0; j < t->columns; j++)
    for (size_t l = 0; l < t->count; l++) *coordinate(&e.t, l, j) = *coordinate(t, l, j);
  points_norms(&e.t);
  double *out = doubles(t->count * t->count);
  euclidean_distances(&e, out);
  return out;
}

static neighbor_lists lists_of(const executor *exec, size_t n, const double *d, size_t size) {
  int *who = integers(n * size);
  double *far = doubles(n * size);
  neighbor *scratch = bytes(nearest_room(size) * sizeof *scratch);
  neighborhood_lists(exec, n, d, size, scratch, who, far);
  const neighbor_lists lists = {n, size, who, far};
  return lists;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The rows of D sorted: D from vertex i to the k-th nearest other, its own 0 the first. */
static double *sorted_rows(size_t n, const double *d) {
  double *all = doubles(n * n);
  for (size_t p = 0; p < n * n; p++) all[p] = d[p];
  for (size_t i = 0; i < n; i++) qsort(all + i * n, n, sizeof *all, by_size);
  return all;
}

/* Points in general position: no ties. */
static void check_random(const executor *exec, size_t n, size_t columns, size_t k) {
  const points t = points_make(n, columns);
  const double *d = distances_of(exec, &t);
  double off = 0.0;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      double sum = 0.0;
      for (size_t c = 0; c < columns; c++) {
        const double apart = *coordinate(&t, i, c) - *coordinate(&t, j, c);
        sum += apart * apart;
      }
      compare(&off, d[i * n + j], sum, 1.0);
    }
  }
  CHECK(off < 1e-12, "%zu points in %zu columns: distances are off by %g", n, columns, off);

  neighbor *scratch = bytes(nearest_room(k) * sizeof *scratch);
  const size_t size = neighborhood_size(exec, n, d, k, scratch);
  CHECK(size == k, "%zu points: lists of %zu for %zu neighbors without ties", n, size, k);
  const neighbor_lists lists = lists_of(exec, n, d, size);
  double *last = doubles(n), *sorted = sorted_rows(n, d), nearest = 0.0;
  int listed = 1;
  for (size_t i = 0; i < n; i++) {
    last[i] = sorted[i * n + k];
    nearest = fmax(nearest, sorted[i * n + 1]);
    for (size_t p = 0; p < k; p++) {
      listed &= lists.far[i * k + p] == sorted[i * n + p + 1];
      listed &= lists.far[i * k + p] == d[i * n + (size_t)lists.who[i * k + p]];
      listed &= lists.who[i * k + p] != (int)i;
    }
  }
  CHECK(listed, "%zu points: the %zu nearest of each", n, k);

  double *roots = doubles(n);
  for (size_t i = 0; i < n; i++) roots[i] = sqrt(last[i]);
  qsort(roots, n, sizeof *roots, by_size);
  const double median = (roots[(n - 1) / 2] + roots[n / 2]) / 2.0;
  const double typical = neighborhood_typical_sigma(&lists, k, doubles(n));
  CHECK(fabs(typical - median / 2.0) < 1e-14, "%zu points: half the median, %g", n, typical);
  const double least = neighborhood_least_sigma(&lists);
  CHECK(fabs(least - sqrt(nearest) / 2.0) < 1e-14, "%zu points: half the largest, %g", n, least);

  const double sigma = 0.5;
  const size_t count = neighborhood_edges(&lists, k, EDGES_HEAT, sigma, NULL, NULL, NULL);
  int *low = integers(count), *high = integers(count), right = 1;
  double *weight = doubles(count);
  const size_t told = neighborhood_edges(&lists, k, EDGES_HEAT, sigma, low, high, weight);
  int *seen = integers(n * n);
  for (size_t p = 0; p < n * n; p++) seen[p] = 0;
  for (size_t e = 0; e < count; e++) {
    const size_t p = (size_t)low[e] * n + (size_t)high[e];
    right &= low[e] < high[e] && seen[p]++ == 0;
    right &= fabs(weight[e] - exp(-d[p] / (2.0 * sigma * sigma))) < 1e-14;
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i + 1; j < n; j++) {
      const double far = d[i * n + j];
      right &= seen[i * n + j] == (far <= last[i] || far <= last[j]);
    }
  }
  CHECK(right && told == count, "%zu points, %zu neighbors: the %zu edges", n, k, count);
}

/* A grid of side x side: each joined to those beside it; with a third neighbor a corner to one
 * across its square. */
static void check_grid(const executor *exec, size_t side, double unit) {
  const size_t n = side * side,
               known[] = {2 * side * (side - 1), 2 * side * (side - 1), 2 * side * (side - 1) + 4};
  points t = points_make(n, 2);
  for (size_t l = 0; l < n; l++) {
    *coordinate(&t, l, 0) = unit * (double)(l / side);
    *coordinate(&t, l, 1) = unit * (double)(l % side);
  }
  points_norms(&t);
  const double *d = distances_of(exec, &t);
  for (size_t k = 1; k <= 3; k++) {
    neighbor *scratch = bytes(nearest_room(k) * sizeof *scratch);
    const neighbor_lists lists = lists_of(exec, n, d, neighborhood_size(exec, n, d, k, scratch));
    const size_t count = neighborhood_edges(&lists, k, EDGES_BINARY, 1.0, NULL, NULL, NULL);
    CHECK(count == known[k - 1], "a grid of %zu, %zu neighbors: %zu edges", n, k, count);
    int *low = integers(count), *high = integers(count), ones = 1;
    double *weight = doubles(count);
    neighborhood_edges(&lists, k, EDGES_BINARY, 1.0, low, high, weight);
    for (size_t e = 0; e < count; e++) ones &= weight[e] == 1.0;
    CHECK(ones, "a grid of %zu, %zu neighbors: weights of 1", n, k);
    /* None weighs anything where sigma is far below the unit. */
    const double sigma = unit / 60.0;
    CHECK(neighborhood_edges(&lists, k, EDGES_HEAT, sigma, NULL, NULL, NULL) == 0,
          "a grid of %zu, %zu neighbors: no weight above 0", n, k);
  }
}

void test_neighborhood(const executor *exec) {
  const size_t sizes[] = {2, 3, 12, 41, 300};
  for (size_t s = 0; s < 5; s++) {
    check_random(exec, sizes[s], 1 + s, 1);
    check_random(exec, sizes[s], 3, sizes[s] / 2);
    check_random(exec, sizes[s], 9, sizes[s] - 1);
  }
  check_grid(exec, 3, 1.0);
  check_grid(exec, 6, 0.1);
  check_grid(exec, 20, 7.3);
}
