/* Gathering rows of every layout, transposing sparse ones, and moments. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "core/data/moments.h"
#include "fixture.h"

static int *some_rows(size_t rows, size_t count) {
  int *index = integers(count);
  for (size_t i = 0; i < count; i++) index[i] = (int)below(rows);
  return index;
}

/* Whether `out` has these rows, exactly, and zeros behind them. */
static int is_gathered(const data *d, const int *index, size_t first, size_t count,
                       const double *out) {
  const size_t p = d->x.columns, ld = padded(p);
  for (size_t i = 0; i < count; i++) {
    const size_t row = index ? (size_t)index[i] : first + i;
    for (size_t j = 0; j < ld; j++) {
      if (out[i * ld + j] != (j < p ? d->z[row * p + j] : 0.0)) return 0;
    }
  }
  return 1;
}

static int are_norms(const data *d, const int *index, size_t count, const double *norm) {
  const size_t p = d->x.columns;
  for (size_t i = 0; i < count; i++) {
    const double *z = d->z + (size_t)index[i] * p;
    double sum = 0.0;
    for (size_t j = 0; j < p; j++) sum += z[j] * z[j];
    if (!(fabs(norm[i] - sum) <= 1e-14 * (double)p * sum)) return 0;
  }
  return 1;
}

/* Whether the columns `out`, shifted and scaled, are these rows, exactly. */
static int are_rows(const data *d, const int *index, size_t count, const double *out) {
  const size_t p = d->x.columns;
  for (size_t j = 0; j < p; j++) {
    for (size_t i = 0; i < count; i++) {
      const double z = (out[j * count + i] - d->x.center[j]) * d->x.scale[j];
      if (z != d->z[(size_t)index[i] * p + j]) return 0;
    }
  }
  return 1;
}

static void check_gather(const executor *exec, layout kind) {
  static const size_t columns[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 57, 64, 65, 70};
  static const size_t all_rows[] = {1, 5, 131, 300};
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
    for (size_t r = 0; r < sizeof all_rows / sizeof *all_rows; r++) {
      const size_t p = columns[c], n = all_rows[r], ld = padded(p);
      const data d = data_make(kind, n, p, 0);
      double *all = doubles(n * ld);
      observations_gather(exec, &d.x, NULL, 0, n, all);
      CHECK(is_gathered(&d, NULL, 0, n, all), "all %zu x %zu %s are gathered", n, p,
            layout_name[kind]);
      const size_t first = n / 3, count = n - first;
      double *part = doubles(count * ld);
      observations_gather(exec, &d.x, NULL, first, count, part);
      CHECK(is_gathered(&d, NULL, first, count, part), "%zu of %zu x %zu %s are gathered", count, n,
            p, layout_name[kind]);
      const size_t picks = n + 7;
      const int *index = some_rows(n, picks);
      double *picked = doubles(picks * ld);
      observations_gather(exec, &d.x, index, 0, picks, picked);
      CHECK(is_gathered(&d, index, 0, picks, picked), "listed rows of %zu x %zu %s are gathered", n,
            p, layout_name[kind]);
      observations_gather(exec, &d.x, index, 0, 0, doubles(0));
      double *any = doubles(picks * ld), *norm = doubles(picks);
      observations_gather_any(exec, &d.x, index, picks, integers(2 * picks + 1), any, norm);
      CHECK(is_gathered(&d, index, 0, picks, any) && are_norms(&d, index, picks, norm),
            "rows of %zu x %zu %s in any order are gathered with their norms", n, p,
            layout_name[kind]);
      const size_t wide = padded_single(p);
      float *single = bytes(picks * wide * sizeof *single);
      observations_gather_single(exec, &d.x, index, picks, integers(2 * picks + 1), single, norm);
      int rounded = 1;
      for (size_t i = 0; i < picks; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < wide; j++) {
          const float z = j < p ? (float)d.z[(size_t)index[i] * p + j] : 0.0F;
          rounded &= single[i * wide + j] == z;
          sum += (double)z * z;
        }
        rounded &= fabs(norm[i] - sum) <= 1e-14 * (double)p * sum;
      }
      CHECK(rounded, "rows of %zu x %zu %s are gathered in single precision, with their norms", n,
            p, layout_name[kind]);
      double *whole = doubles(picks * p);
      observations_rows(exec, &d.x, index, picks, whole);
      CHECK(are_rows(&d, index, picks, whole), "rows of %zu x %zu %s are taken as they are", n, p,
            layout_name[kind]);
      release();
    }
  }
}

static void check_gather_sparse(void) {
  static const size_t shapes[][2] = {{1, 1}, {2, 5}, {30, 1}, {40, 9}, {100, 33}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t n = shapes[s][0], p = shapes[s][1], picks = n + 3;
    const data d = data_make(ROWS_SPARSE, n, p, 0);
    int *index = some_rows(n, picks);
    index[0] = (int)(n / 2); /* the empty one */
    const size_t entries = observations_entries(&d.x, index, picks);
    int *start = integers(picks + 1), *column = integers(entries);
    double *value = doubles(entries);
    observations_gather_sparse(&d.x, index, picks, start, column, value);
    int right = start[0] == 0 && (size_t)start[picks] == entries;
    for (size_t i = 0; i < picks && right; i++) {
      double *row = doubles(p);
      for (size_t j = 0; j < p; j++) row[j] = 0.0;
      for (int e = start[i]; e < start[i + 1]; e++) {
        right &= e == start[i] || column[e] > column[e - 1];
        row[column[e]] = value[e];
      }
      right &= SAME_BITS(row, d.z + (size_t)index[i] * p, p);
    }
    CHECK(right, "sparse rows are gathered from %zu x %zu", n, p);
    release();
  }
}

static void check_transpose(void) {
  static const size_t shapes[][2] = {{1, 1}, {1, 6}, {7, 1}, {20, 13}, {13, 20}, {60, 40}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t n = shapes[s][0], p = shapes[s][1];
    const data d = data_make(ROWS_SPARSE, n, p, 0);
    const size_t entries = (size_t)d.x.start[n];
    int *start = integers(p + 1), *inner = integers(entries), *next = integers(p);
    double *value = doubles(entries);
    compressed_transpose(n, p, d.x.start, d.x.column, d.x.value, NULL, start, inner, value, next);
    int right = start[0] == 0 && (size_t)start[p] == entries;
    for (size_t j = 0; j < p && right; j++) {
      for (int e = start[j]; e < start[j + 1]; e++) {
        right &= value[e] == d.z[(size_t)inner[e] * p + j];
        right &= e == start[j] || inner[e] > inner[e - 1];
      }
    }
    CHECK(right, "columns of sparse rows, %zu x %zu, are right and in order", n, p);

    int *start2 = integers(n + 1), *inner2 = integers(entries), *next2 = integers(n);
    double *value2 = doubles(entries);
    compressed_transpose(p, n, start, inner, value, NULL, start2, inner2, value2, next2);
    CHECK(SAME_BITS(start2, d.x.start, (n + 1)) && SAME_BITS(inner2, d.x.column, entries) &&
              SAME_BITS(value2, d.x.value, entries),
          "transposed twice, %zu x %zu is what it was", n, p);

    double *scale = doubles(p);
    for (size_t j = 0; j < p; j++) scale[j] = 0.5 + uniform();
    compressed_transpose(p, n, start, inner, value, scale, start2, inner2, value2, next2);
    right = 1;
    for (size_t e = 0; e < entries; e++) {
      right &= value2[e] == d.x.value[e] * scale[d.x.column[e]] && inner2[e] == d.x.column[e];
    }
    CHECK(right, "each slice of %zu x %zu is scaled by its own factor", n, p);
    release();
  }
}

static void check_moments(const executor *exec, layout kind, int weighted) {
  static const size_t shapes[][2] = {{1, 1}, {2, 3}, {3, 9}, {50, 5}, {301, 4}, {2100, 2}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t n = shapes[s][0], p = shapes[s][1];
    const data d = data_make(kind, n, p, weighted);
    double *mean = doubles(p), *deviation = doubles(p), *sizes = doubles(p), worst = 0.0;
    const ptrdiff_t bad = observations_moments(exec, &d.x, mean, deviation);
    int right = observations_sizes(exec, &d.x, sizes) == -1;
    for (size_t j = 0; j < p; j++) {
      long double sum = 0.0, squares = 0.0;
      long double size = 0.0;
      for (size_t i = 0; i < n; i++) {
        sum +=
            weight_of(&d, i) * (long double)(d.x.real ? d.x.real[j * n + i] : d.x.whole[j * n + i]);
      }
      for (size_t i = 0; i < n; i++) {
        const long double v = d.x.real ? d.x.real[j * n + i] : d.x.whole[j * n + i];
        squares += weight_of(&d, i) * (v - sum / n) * (v - sum / n);
        size += fabsl(v);
      }
      right &= fabsl(sizes[j] - size) <= 1e-14L * size;
      compare_relative(&worst, mean[j], (double)(sum / n));
      compare_relative(&worst, deviation[j], (double)squares);
    }
    CHECK(bad == -1, "nothing is wrong with %zu x %zu %s", n, p, layout_name[kind]);
    CHECK(right, "sums of absolute values of %zu x %zu %s", n, p, layout_name[kind]);
    CHECK(worst < 1e-13, "moments of %zu x %zu %s, weighted %d: error %g", n, p, layout_name[kind],
          weighted, worst);
    release();
  }
}

/* Columns that are compressed have the moments of all their rows, also of those without an entry.
 */
static void check_compressed_moments(const executor *exec, int weighted) {
  const size_t n = 40, p = 7;
  const data d = data_make(COLUMNS_DOUBLE, n, p, weighted);
  double *dense = (double *)d.x.real, *weight = weighted ? doubles(n) : NULL, sum = 0.0;
  for (size_t i = 0; weighted && i < n; i++) sum += d.x.weight[i];
  for (size_t i = 0; weighted && i < n; i++) weight[i] = d.x.weight[i] * (double)n / sum;
  int *start = integers(p + 1), *row = integers(n * p), entries = 0;
  double *value = doubles(n * p);
  for (size_t j = 0; j < p; j++) {
    start[j] = entries;
    for (size_t i = 0; i < n; i++) {
      /* The first column has no entry, the last has all. */
      if (j == 0 || (j + 1 < p && below(3) > 0)) dense[j * n + i] = 0.0;
      if (dense[j * n + i] == 0.0) continue;
      row[entries] = (int)i;
      value[entries++] = dense[j * n + i];
    }
  }
  start[p] = entries;
  double *mean = doubles(p), *deviation = doubles(p), worst = 0.0;
  const ptrdiff_t bad = compressed_moments(exec, n, p, start, row, value, weight, mean, deviation);
  for (size_t j = 0; j < p; j++) {
    long double first = 0.0, second = 0.0;
    for (size_t i = 0; i < n; i++) first += (weighted ? weight[i] : 1.0) * dense[j * n + i];
    for (size_t i = 0; i < n; i++) {
      const long double off = dense[j * n + i] - first / n;
      second += (weighted ? weight[i] : 1.0) * off * off;
    }
    compare_relative(&worst, mean[j], (double)(first / n));
    compare_relative(&worst, deviation[j], (double)second);
  }
  CHECK(bad == -1 && worst < 1e-13, "moments of compressed columns, weighted %d: error %g",
        weighted, worst);
  value[entries / 2] = NAN;
  CHECK(compressed_moments(exec, n, p, start, row, value, weight, mean, deviation) == entries / 2,
        "the first bad entry is found");
  release();
}

static void check_far_from_zero(const executor *exec) {
  const size_t n = 1000;
  data d = data_make(COLUMNS_DOUBLE, n, 1, 0);
  double *real = doubles(n), mean, deviation, worst = 0.0;
  for (size_t i = 0; i < n; i++) real[i] = 1e9 + (double)(i % 2);
  d.x.real = real;
  observations_moments(exec, &d.x, &mean, &deviation);
  compare_relative(&worst, mean, 1e9 + 0.5);
  compare_relative(&worst, deviation, 250.0);
  CHECK(worst < 1e-12, "a small spread about a large mean keeps its digits: error %g", worst);
  release();
}

/* Bad values at these positions of a 10 x 5 matrix: the first of them is found. */
static void check_bad(const executor *exec, int weighted) {
  static const size_t places[][2] = {{0, 49}, {49, 49}, {13, 44}, {29, 30}, {7, 3}};
  const double bad_values[] = {NAN, INFINITY, -INFINITY};
  const size_t n = 10, p = 5;
  for (size_t s = 0; s < sizeof places / sizeof *places; s++) {
    const size_t a = places[s][0], b = places[s][1];
    const ptrdiff_t want = (ptrdiff_t)(a < b ? a : b);
    for (size_t v = 0; v < 3; v++) {
      const data d = data_make(COLUMNS_DOUBLE, n, p, weighted);
      double *real = (double *)d.x.real;
      real[a] = bad_values[v];
      real[b] = bad_values[(v + s) % 3];
      const ptrdiff_t bad = observations_moments(exec, &d.x, doubles(p), doubles(p));
      CHECK(bad == want && observations_sizes(exec, &d.x, doubles(p)) == want,
            "the first value that is not finite is at %td, not %td", want, bad);
      release();
    }
    const data d = data_make(COLUMNS_INTEGER, n, p, weighted);
    int *whole = (int *)d.x.whole;
    whole[a] = whole[b] = INT_MIN;
    const ptrdiff_t bad = observations_moments(exec, &d.x, doubles(p), doubles(p));
    CHECK(bad == want && observations_sizes(exec, &d.x, doubles(p)) == want,
          "the first missing integer is at %td, not %td", want, bad);
    release();
  }
  /* Weighted, row n / 3 has no weight: a bad value there counts all the same. */
  const data d = data_make(COLUMNS_DOUBLE, n, p, weighted);
  ((double *)d.x.real)[n / 3] = INFINITY;
  CHECK(observations_moments(exec, &d.x, doubles(p), doubles(p)) == (ptrdiff_t)(n / 3),
        "a bad value in a row without weight is found");
  release();

  const data large = data_make(COLUMNS_DOUBLE, n, 1, 0);
  for (size_t i = 0; i < n; i++) ((double *)large.x.real)[i] = 1e308;
  CHECK(observations_moments(exec, &large.x, doubles(1), doubles(1)) == -1 &&
            observations_sizes(exec, &large.x, doubles(1)) == -1,
        "a finite column whose sum overflows has no bad value");
  release();
}

void test_observations(const executor *exec) {
  check_gather(exec, COLUMNS_DOUBLE);
  check_gather(exec, COLUMNS_INTEGER);
  check_gather_sparse();
  check_transpose();
  for (int weighted = 0; weighted < 2; weighted++) {
    check_moments(exec, COLUMNS_DOUBLE, weighted);
    check_moments(exec, COLUMNS_INTEGER, weighted);
    check_compressed_moments(exec, weighted);
    check_bad(exec, weighted);
  }
  check_far_from_zero(exec);
}
