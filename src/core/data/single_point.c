#include "single_point.h"

#include <string.h>

#define BLOCK_ROWS 4096 /* 32 KB of results: they stay in the first cache */

static void add_real(size_t n, const double *restrict x, double center, double scale,
                     double *restrict out) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) {
    const double d = (x[i] - center) * scale;
    out[i] += d * d;
  }
}

/* Four columns at a time: `out` is read and written a quarter as often, and four
 * streams keep the memory busy. */
static void add_four(size_t n, const double *restrict x, size_t apart, const double *center,
                     const double *scale, double *restrict out) {
  const double c0 = center[0], c1 = center[1], c2 = center[2], c3 = center[3];
  const double f0 = scale[0] * scale[0], f1 = scale[1] * scale[1], f2 = scale[2] * scale[2],
               f3 = scale[3] * scale[3];
#pragma omp simd
  for (size_t i = 0; i < n; i++) {
    const double d0 = x[i] - c0, d1 = x[apart + i] - c1, d2 = x[2 * apart + i] - c2,
                 d3 = x[3 * apart + i] - c3;
    out[i] += (d0 * d0 * f0 + d1 * d1 * f1) + (d2 * d2 * f2 + d3 * d3 * f3);
  }
}

static void add_whole(size_t n, const int *restrict x, double center, double scale,
                      double *restrict out) {
#pragma omp simd
  for (size_t i = 0; i < n; i++) {
    const double d = (x[i] - center) * scale;
    out[i] += d * d;
  }
}

/* Squares of differences and of scales are multiplied in add_four(): neither may overflow or
 * underflow. */
static int have_squares(const double *scale) {
  int safe = 1;
  for (int j = 0; j < 4; j++)
    safe = safe && (scale[j] == 0.0 || (scale[j] > 1e-100 && scale[j] < 1e100));
  return safe;
}

void single_point_distances(const executor *exec, const observations *x, size_t first, size_t count,
                            const double *t, size_t apart, double *out) {
  const ptrdiff_t blocks = (ptrdiff_t)((count + BLOCK_ROWS - 1) / BLOCK_ROWS);
  const int threads = threads_for(exec, 3.0 * (double)count * (double)x->columns);
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t b = 0; b < blocks; b++) {
    const size_t from = (size_t)b * BLOCK_ROWS;
    const size_t rows = count - from < BLOCK_ROWS ? count - from : BLOCK_ROWS;
    memset(out + from, 0, rows * sizeof *out);
    size_t j = 0;
    for (; x->kind == COLUMNS_DOUBLE && j + 4 <= x->columns && have_squares(x->scale + j); j += 4) {
      double c[4];
      for (size_t k = 0; k < 4; k++)
        c[k] = in_data_unit(t[(j + k) * apart], x->center[j + k], x->scale[j + k]);
      add_four(rows, x->real + j * x->rows + first + from, x->rows, c, x->scale + j, out + from);
    }
    for (; j < x->columns; j++) {
      /* z - t = (x - c) * scale with c the point in the user's coordinates. */
      const double c = in_data_unit(t[j * apart], x->center[j], x->scale[j]);
      const size_t at = j * x->rows + first + from;
      if (x->kind == COLUMNS_DOUBLE) {
        add_real(rows, x->real + at, c, x->scale[j], out + from);
      } else {
        add_whole(rows, x->whole + at, c, x->scale[j], out + from);
      }
    }
  }
}
