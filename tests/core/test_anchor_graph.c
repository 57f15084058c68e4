/* The graph that rows make between landmarks, and its extension, by loops over the equations. */
#include <string.h>

#include "check.h"
#include "core/embedding/anchor_graph.h"
#include "fixture.h"

typedef struct {
  double *weight;  /* rows x n */
  double *nearest; /* rows x s: numbers of landmarks */
  double *out;
} result;

static result result_of(size_t rows, size_t n, size_t s, size_t dims) {
  result r = {doubles(rows * n), doubles(rows * s), doubles(rows * dims)};
  memset(r.weight, 0, rows * n * sizeof(double));
  return r;
}

/* `cut`: n x n, whether an edge does not count; or NULL. */
static result by_core(const executor *exec, const data *d, const points *t, size_t s, size_t block,
                      const int *cut, const double *y, size_t dims) {
  const size_t rows = d->x.rows, n = t->count;
  result r = result_of(rows, n, s, dims);
  anchor_graph g = {.n = n, .nearest = s, .block = block};
  int *start = integers(n + 1), *joined = integers(n * n), edges = 0;
  for (size_t l = 0; cut && l < n; l++) {
    start[l] = edges;
    for (size_t m = 0; m < n; m++) {
      if (m != l && !cut[l * n + m]) joined[edges++] = (int)m;
    }
    start[l + 1] = edges;
  }
  if (cut) g.start = start, g.joined = joined;
  LAY_OUT_CHECKED(memory, anchor_layout(&g, &memory, exec, &d->x));
  points_copy(t, 0, &g.landmarks);
  anchor_start(&g);
  for (size_t first = 0; first < rows; first += block) {
    const size_t count = rows - first < block ? rows - first : block;
    anchor_weights(&g, &d->x, first, count);
    anchor_extend(&g, first, count, y, dims, r.out, rows);
    for (size_t i = 0; i < count * s; i++) {
      r.weight[(first + i / s) * n + (size_t)g.who[i]] = g.weight[i];
      r.nearest[first * s + i] = g.who[i];
    }
  }
  return r;
}

/* The landmarks of a row in the order of their distances, by repeated looking. */
static void in_order(const data *d, size_t i, const points *t, double *squared, int *order) {
  for (size_t l = 0; l < t->count; l++) squared[l] = plain_distance(d, i, t, l);
  int *taken = integers(t->count);
  memset(taken, 0, t->count * sizeof *taken);
  for (size_t k = 0; k < t->count; k++) {
    size_t best = t->count;
    for (size_t l = 0; l < t->count; l++) {
      if (!taken[l] && (best == t->count || squared[l] < squared[best])) best = l;
    }
    taken[best] = 1;
    order[k] = (int)best;
  }
}

static result by_loops(const data *d, const points *t, size_t s, const int *cut, const double *y,
                       size_t dims) {
  const size_t rows = d->x.rows, n = t->count;
  result r = result_of(rows, n, s, dims);
  double *squared = doubles(n);
  int *order = integers(n);
  for (size_t i = 0; i < rows; i++) {
    in_order(d, i, t, squared, order);
    double *w = r.weight + i * n, sum = 0.0;
    for (size_t k = 0; k < s; k++) {
      if (k > 0 && cut && cut[(size_t)order[0] * n + (size_t)order[k]]) continue;
      w[order[k]] = 1.001 - squared[order[k]] / squared[order[s]];
      sum += w[order[k]];
    }
    for (size_t l = 0; l < n; l++) w[l] /= sum;
    for (size_t k = 0; k < s; k++) r.nearest[i * s + k] = order[k];
    for (size_t k = 0; k < dims; k++) {
      r.out[k * rows + i] = 0.0;
      for (size_t l = 0; l < n; l++) r.out[k * rows + i] += w[l] * y[k * n + l];
    }
  }
  return r;
}

static double apart(const double *a, const double *b, size_t count) {
  double worst = 0.0;
  for (size_t i = 0; i < count; i++) compare_relative(&worst, a[i], b[i]);
  return worst;
}

static void check_graph(const executor *exec, layout kind, int weighted, size_t rows,
                        size_t columns, size_t n, size_t s, int some) {
  const size_t dims = 3;
  const data d = data_make(kind, rows, columns, weighted);
  const points t = points_make(n, columns);
  double *y = doubles(n * dims);
  for (size_t i = 0; i < n * dims; i++) y[i] = symmetric();
  int *cut = some ? integers(n * n) : NULL;
  for (size_t l = 0; cut && l < n; l++) {
    for (size_t m = 0; m <= l; m++) cut[l * n + m] = cut[m * n + l] = uniform() < 0.3;
  }
  const result want = by_loops(&d, &t, s, cut, y, dims),
               got = by_core(exec, &d, &t, s, 100, cut, y, dims);
  const double worst = fmax(
      fmax(apart(got.weight, want.weight, rows * n), apart(got.nearest, want.nearest, rows * s)),
      apart(got.out, want.out, rows * dims));
  CHECK(worst < 1e-9, "%zu %s by %zu landmarks in %zu dimensions, %zu nearest: off by %g", rows,
        layout_name[kind], n, columns, s, worst);
  /* The same bits with other threads, and by blocks of other sizes. */
  const executor other = other_threads(exec);
  const result threads = by_core(&other, &d, &t, s, 100, cut, y, dims),
               blocks = by_core(exec, &d, &t, s, rows + 7, cut, y, dims);
  CHECK(SAME_BITS(threads.weight, got.weight, rows * n) &&
            SAME_BITS(threads.out, got.out, rows * dims),
        "threads change nothing (%s)", layout_name[kind]);
  CHECK(SAME_BITS(blocks.weight, got.weight, rows * n) &&
            SAME_BITS(blocks.out, got.out, rows * dims),
        "blocks change nothing (%s)", layout_name[kind]);
}

/* Landmarks in one place, and rows as far away as numbers go. */
static void check_extremes(const executor *exec) {
  for (size_t columns = 2; columns < 30; columns += 26) {
    data d = data_make(COLUMNS_DOUBLE, 40, columns, 0);
    points t = points_make(40, columns);
    for (size_t j = 0; j < columns; j++) {
      for (size_t l = 1; l < 40; l++) *coordinate(&t, l, j) = *coordinate(&t, 0, j);
    }
    points_norms(&t);
    double *real = (double *)d.x.real;
    for (size_t j = 0; j < columns; j++) real[j * 40 + 3] = 1e200;
    const double y[40] = {1.0};
    const result r = by_core(exec, &d, &t, 2, 40, NULL, y, 1);
    for (size_t i = 0; i < 40; i++) {
      CHECK(r.weight[i * 40] == 0.5 && r.weight[i * 40 + 1] == 0.5,
            "all landmarks in one place: the first count alike (row %zu, %g)", i, r.weight[i * 40]);
    }
  }
}

void test_anchor_graph(const executor *exec) {
  for (int kind = 0; kind < LAYOUTS; kind++) {
    for (size_t s = 1; s < 5; s++)
      check_graph(exec, (layout)kind, s % 2 == 0, 250, 3, 70, s, s > 2);
    check_graph(exec, (layout)kind, 1, 300, 20, 9, 3, 1);
    check_graph(exec, (layout)kind, 0, 130, 2, 5, 4, 0);
  }
  check_graph(exec, COLUMNS_DOUBLE, 0, 900, 3, 230, 2, 0);
  check_graph(exec, COLUMNS_DOUBLE, 1, 1000, 2, 100, 2, 1);
  check_extremes(exec);
}
