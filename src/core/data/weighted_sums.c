#include "weighted_sums.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

size_t weighted_sums_scratch(const observations *x, size_t count) {
  if (x->kind == ROWS_SPARSE) return 0;
  const size_t sums = count * padded(x->columns);
  return x->kind == ROWS_SINGLE ? sums + x->rows * padded_single(count) / 2 : sums;
}

/* H'X, a row of padded(columns) for each point, of rows that are rounded: H is, too. */
static void single_sums(const executor *exec, const observations *x, const double *h,
                        size_t h_length, size_t count, float *rounded, matrix out) {
  const size_t ld = padded_single(count);
  const int threads = threads_for(exec, 4.0 * (double)x->rows * (double)count);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t i = 0; i < (ptrdiff_t)x->rows; i++) {
    const double *restrict from = h + (size_t)i * h_length;
    float *restrict to = rounded + (size_t)i * ld;
#pragma omp simd
    for (size_t l = 0; l < count; l++) to[l] = fabs(from[l]) < TINY_SINGLE ? 0.0F : (float)from[l];
  }
  const single_matrix weights = {rounded, x->rows, count, ld},
                      rows = {x->single, x->rows, x->columns, padded_single(x->columns)};
  gemm_tn_single(exec, weights, rows, out);
}

static void dense_sums(const executor *exec, const observations *x, const double *h,
                       size_t h_length, int accumulate, double *scratch, points *sums) {
  const size_t row_length = padded(x->columns);
  const matrix by_point = matrix_on(scratch, sums->count, x->columns, row_length);
  if (x->kind == ROWS_SINGLE) {
    float *rounded = (float *)(scratch + sums->count * row_length);
    single_sums(exec, x, h, h_length, sums->count, rounded, by_point);
  } else {
    gemm_tn(exec, matrix_on(h, x->rows, sums->count, h_length),
            matrix_on(x->real, x->rows, x->columns, row_length), 0, by_point);
  }
  for (size_t j = 0; j < x->columns; j++) {
    double *to = sums->x + j * sums->ld;
    for (size_t l = 0; l < sums->count; l++) {
      to[l] = (accumulate ? to[l] : 0.0) + scratch[l * row_length + j];
    }
  }
}

/* Every thread reads all the rows and keeps to its own columns, so that each
 * sum runs over the rows in order whatever the number of threads. */
static void sparse_sums(const executor *exec, const observations *x, const double *h,
                        size_t h_length, int accumulate, points *sums) {
  const size_t entries = x->rows ? (size_t)(x->start[x->rows] - x->start[0]) : 0;
  const int threads = threads_for(exec, 2.0 * (double)entries * (double)sums->count);
  const ptrdiff_t slices = threads;
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t s = 0; s < slices; s++) {
    const size_t from = sums->columns * (size_t)s / (size_t)slices;
    const size_t to = sums->columns * (size_t)(s + 1) / (size_t)slices;
    if (!accumulate) memset(sums->x + from * sums->ld, 0, (to - from) * sums->ld * sizeof *sums->x);
    for (size_t i = 0; i < x->rows; i++) {
      const double *restrict hi = h + i * h_length;
      for (int e = x->start[i]; e < x->start[i + 1]; e++) {
        const size_t j = (size_t)x->column[e];
        if (j < from || j >= to) continue;
        const double value = x->value[e];
        double *restrict sum = sums->x + j * sums->ld;
#pragma omp simd
        for (size_t l = 0; l < sums->count; l++) sum[l] += value * hi[l];
      }
    }
  }
}

void weighted_sums(const executor *exec, const observations *x, const double *h, size_t h_length,
                   int accumulate, double *scratch, points *sums) {
  if (x->kind == ROWS_SPARSE) {
    sparse_sums(exec, x, h, h_length, accumulate, sums);
  } else {
    dense_sums(exec, x, h, h_length, accumulate, scratch, sums);
  }
}
