/* The extension of an eigenmap to other points, by loops over its equation. */
#include <string.h>

#include "check.h"
#include "extension_model.h"

static const char *const spread_name[] = {"no covariances", "diagonal ones", "full ones"};

static void check_extension(const executor *exec, layout kind, size_t rows, size_t columns,
                            size_t n, size_t dims, size_t neighbors, spread_kind spread,
                            double rate) {
  data d = data_make(kind, rows, columns, 0);
  /* Where kinds allow, rows far away: a part of them, and more and more. */
  double *real = (double *)d.x.real;
  for (size_t i = n; kind == COLUMNS_DOUBLE && i < rows; i += 3) {
    for (size_t j = 0; j < columns; j++) {
      real[j * rows + i] *= pow(10.0, (double)(i % 4));
      d.z[i * columns + j] = (real[j * rows + i] - d.x.center[j]) * d.x.scale[j];
    }
  }
  const size_t *row = rows_apart(&d, n);
  const model m = model_make(&d, row, n, dims, neighbors, spread, rate);
  double *out = doubles(rows * dims), *want = doubles(dims), worst = 0.0, own = 0.0;
  size_t infinite = 0;
  extend(exec, &d.x, &m, rows, 0, rows, out);
  for (size_t i = 0; i < rows; i++) {
    plain_extension(&m, d.z + i * columns, want);
    if (plain_is_tied(&m, d.z + i * columns)) continue;
    for (size_t k = 0; k < dims; k++) compare_relative(&worst, out[k * rows + i], want[k]);
  }
  /* At a landmark: its own coordinates. */
  for (size_t l = 0; l < n; l++) {
    for (size_t k = 0; k < dims; k++) {
      compare_relative(&own, out[k * rows + row[l]], m.y[l * dims + k] * (1.0 - m.lambda[k]));
    }
  }
  CHECK(worst < 1e-8, "%zu %s by %zu landmarks in %zu dimensions, %s, rate %g: off by %g", rows,
        layout_name[kind], n, columns, spread_name[spread], rate, worst);
  CHECK(own < 1e-8, "%zu landmarks (%s), %s, rate %g: off their own coordinates by %g", n,
        layout_name[kind], spread_name[spread], rate, own);
  /* The same bits with other threads, and by blocks of other sizes. */
  const executor other = other_threads(exec);
  double *again = doubles(rows * dims);
  extend(&other, &d.x, &m, rows + 3, 0, rows, again);
  CHECK(SAME_BITS(again, out, rows * dims), "threads change nothing (%s, %s)", layout_name[kind],
        spread_name[spread]);
  memset(again, 0, rows * dims * sizeof *again);
  extend(exec, &d.x, &m, 17, 0, rows, again);
  CHECK(SAME_BITS(again, out, rows * dims), "blocks change nothing (%s, %s)", layout_name[kind],
        spread_name[spread]);
  /* The graph only says where to look first: one that has lost its edges does as well. */
  model bare = m;
  bare.g.start = integers(n + 1);
  memset(bare.g.start, 0, (n + 1) * sizeof(int));
  extend(exec, &d.x, &bare, rows, 0, rows, again);
  double lost = 0.0;
  for (size_t i = 0; i < rows * dims; i++) compare_relative(&lost, again[i], out[i]);
  CHECK(lost < 1e-12, "without edges (%s, %s) it is off by %g", layout_name[kind],
        spread_name[spread], lost);
  /* As printed: far away all weights, and the sum, may be 0. */
  model printed = m;
  printed.printed = 1;
  extend(exec, &d.x, &printed, rows, 0, rows, again);
  double other_formula = 0.0;
  for (size_t i = 0; i < rows; i++) {
    plain_extension(&printed, d.z + i * columns, want);
    if (plain_is_tied(&m, d.z + i * columns)) continue;
    for (size_t k = 0; k < dims; k++) {
      if (isfinite(want[k])) compare(&other_formula, again[k * rows + i], want[k], 1.0);
      infinite += isfinite(again[k * rows + i]) ? 0 : 1;
    }
  }
  CHECK(infinite == 0 && other_formula < 1e-8,
        "as printed (%s, %s), rate %g: off by %g, %zu not finite", layout_name[kind],
        spread_name[spread], rate, other_formula, infinite);
  /* A range of rows: those, and no others. */
  const size_t first = rows / 3, count = rows / 2;
  for (size_t i = 0; i < rows * dims; i++) again[i] = NAN;
  extend(exec, &d.x, &m, rows, first, count, again);
  int right = 1;
  for (size_t k = 0; k < dims; k++) {
    for (size_t i = 0; i < rows; i++) {
      const double got = again[k * rows + i];
      right &= i >= first && i < first + count ? got == out[k * rows + i] : isnan(got);
    }
  }
  CHECK(right, "rows %zu to %zu of %zu alone", first, first + count, rows);
  release();
}

/* Ties: landmarks and rows on a grid of whole numbers. */
static void check_grid(const executor *exec, size_t side, size_t neighbors, double rate) {
  const size_t n = side * side, rows = n + 30, columns = 2;
  double center[2] = {0.0, 0.0}, factor[2] = {1.0, 1.0};
  double *real = doubles(rows * columns);
  data d = {.x = {.kind = COLUMNS_DOUBLE,
                  .rows = rows,
                  .columns = columns,
                  .real = real,
                  .center = center,
                  .scale = factor},
            .z = doubles(rows * columns)};
  for (size_t i = 0; i < rows; i++) {
    const double a = i < n ? (double)(i % side) : (double)below(2 * side) / 2.0;
    const double b = i < n ? (double)(i / side) : (double)below(2 * side) / 2.0;
    d.z[i * 2] = real[i] = a;
    d.z[i * 2 + 1] = real[rows + i] = b;
  }
  const size_t *row = rows_apart(&d, n);
  const model m = model_make(&d, row, n, 2, neighbors, SPREAD_NONE, rate);
  double *out = doubles(rows * 2), want[2], worst = 0.0;
  extend(exec, &d.x, &m, rows, 0, rows, out);
  for (size_t i = 0; i < rows; i++) {
    plain_extension(&m, d.z + i * 2, want);
    for (size_t k = 0; k < 2; k++) {
      compare_relative(&worst, out[k * rows + i], want[k]);
      if (i < n) compare_relative(&worst, out[k * rows + i], m.y[i * 2 + k] * (1.0 - m.lambda[k]));
    }
  }
  CHECK(worst < 1e-8, "a grid of %zu with %zu neighbors: off by %g", n, neighbors, worst);
  release();
}

void test_extension(const executor *exec) {
  for (int kind = 0; kind < LAYOUTS; kind++) {
    for (int spread = SPREAD_NONE; spread <= SPREAD_FULL; spread++) {
      const spread_kind s = (spread_kind)spread;
      check_extension(exec, (layout)kind, 103, 4, 13, 2, 3, s, 0.0);
      check_extension(exec, (layout)kind, 103, 4, 13, 2, 3, s, 0.7);
      check_extension(exec, (layout)kind, 90, 5, 40, 3, 9, s, 0.4);
      /* Too many dimensions for a tree. */
      check_extension(exec, (layout)kind, 60, 14, 16, 2, 6, s, 0.2);
      /* Enough for products, also with more rows of a home than are done at a time. */
      check_extension(exec, (layout)kind, 60, 21, 16, 2, 6, s, 0.1);
      check_extension(exec, (layout)kind, 260, 17, 3, 1, 1, s, 0.1);
    }
  }
  for (int spread = SPREAD_NONE; spread <= SPREAD_FULL; spread++) {
    const spread_kind s = (spread_kind)spread;
    check_extension(exec, COLUMNS_DOUBLE, 60, 1, 8, 2, 1, s, 0.3);
    check_extension(exec, COLUMNS_DOUBLE, 60, 3, 9, 8, 8, s, 0.3);
    check_extension(exec, ROWS_DENSE, 40, 2, 2, 1, 1, s, 2.0);
    /* All weights of a row are 0 by themselves. */
    check_extension(exec, COLUMNS_DOUBLE, 80, 3, 20, 2, 4, s, 40.0);
    /* And so are edges of the graph, which it then lacks. */
    check_extension(exec, COLUMNS_DOUBLE, 80, 3, 20, 2, 4, s, 4000.0);
  }
  check_extension(exec, ROWS_DENSE, 8300, 2, 9, 2, 3, SPREAD_FULL, 1.0);
  check_grid(exec, 5, 4, 0.0);
  check_grid(exec, 6, 3, 0.5);
  check_grid(exec, 4, 15, 0.1);
}
