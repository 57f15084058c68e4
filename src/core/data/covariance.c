#include "covariance.h"

#include <string.h>

#include "core/algebra/linear.h"

#define TILE 64        /* rows that are gathered at a time */
#define COLUMN_SETS 64 /* sets of rows for which a column is kept in the cache */

static int without_tiles(const observations *x, int full) {
  return x->kind == ROWS_SPARSE && !full;
}

size_t local_covariance_scratch(const observations *x, int full) {
  const size_t ld = padded(x->columns);
  return without_tiles(x, full) ? 3 * ld : (TILE + 2) * ld;
}

/* Rows as dense ones, less `origin` where there is one. */
static void gather_tile(const executor *alone, const observations *x, const int *rows, size_t count,
                        const double *origin, double *tile) {
  const size_t ld = padded(x->columns);
  if (in_columns(x)) {
    observations_gather(alone, x, rows, 0, count, tile);
  }
  for (size_t i = 0; i < count; i++) {
    double *to = tile + i * ld;
    if (x->kind == ROWS_DENSE) memcpy(to, x->real + (size_t)rows[i] * ld, ld * sizeof *to);
    if (x->kind == ROWS_SPARSE) {
      memset(to, 0, ld * sizeof *to);
      const int row = rows[i];
      for (int e = x->start[row]; e < x->start[row + 1]; e++) to[x->column[e]] = x->value[e];
    }
    for (size_t j = 0; origin && j < ld; j++) to[j] -= origin[j];
  }
}

/* The mean first, then squares about it. All values are measured from the first row, so that a
 * constant column has no rounding error. */
static void by_tiles(const executor *alone, const observations *x, const int *rows, size_t m,
                     int full, double *scratch, double *out) {
  const size_t d = x->columns, ld = padded(d);
  double *origin = scratch, *mean = scratch + ld, *tile = scratch + 2 * ld;
  gather_tile(alone, x, rows, 1, NULL, origin);
  memset(mean, 0, ld * sizeof *mean);
  for (size_t first = 0; first < m; first += TILE) {
    const size_t count = m - first < TILE ? m - first : TILE;
    gather_tile(alone, x, rows + first, count, origin, tile);
    for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < ld; j++) mean[j] += tile[i * ld + j];
    }
  }
  for (size_t j = 0; j < ld; j++) origin[j] += mean[j] / (double)m;
  memset(out, 0, (full ? d * d : d) * sizeof *out);
  for (size_t first = 0; first < m; first += TILE) {
    const size_t count = m - first < TILE ? m - first : TILE;
    gather_tile(alone, x, rows + first, count, origin, tile);
    if (full) {
      const matrix rows_of_tile = matrix_on(tile, count, d, ld);
      syrk(alone, rows_of_tile, rows_of_tile, 1, matrix_on(out, d, d, d));
      continue;
    }
    for (size_t i = 0; i < count; i++) {
      for (size_t j = 0; j < d; j++) out[j] += tile[i * ld + j] * tile[i * ld + j];
    }
  }
}

/* Variances of sparse rows from their entries: a column is `first` + `mean`, on
 * average, and 0 in those rows that do not store it. */
static void by_entries(const observations *x, const int *rows, size_t m, double *scratch,
                       double *out) {
  const size_t d = x->columns, ld = padded(d);
  double *first = scratch, *mean = scratch + ld, *absent = scratch + 2 * ld;
  memset(first, 0, ld * sizeof *first);
  memset(mean, 0, ld * sizeof *mean);
  memset(out, 0, d * sizeof *out);
  for (int e = x->start[rows[0]]; e < x->start[rows[0] + 1]; e++) first[x->column[e]] = x->value[e];
  for (size_t j = 0; j < d; j++) absent[j] = (double)m;
  for (size_t i = 0; i < m; i++) {
    for (int e = x->start[rows[i]]; e < x->start[rows[i] + 1]; e++) {
      const int j = x->column[e];
      mean[j] += x->value[e] - first[j];
      absent[j] -= 1.0;
    }
  }
  for (size_t j = 0; j < d; j++) mean[j] = (mean[j] - absent[j] * first[j]) / (double)m;
  for (size_t i = 0; i < m; i++) {
    for (int e = x->start[rows[i]]; e < x->start[rows[i] + 1]; e++) {
      const int j = x->column[e];
      const double apart = x->value[e] - first[j] - mean[j];
      out[j] += apart * apart;
    }
  }
  for (size_t j = 0; j < d; j++) {
    out[j] += absent[j] * (first[j] + mean[j]) * (first[j] + mean[j]);
  }
}

/* Of one column of R's matrix, column by column, for all sets of rows: it stays in the
 * cache. Measured from the first row, which is at most sqrt(m) standard deviations off, so
 * that one pass keeps the digits; four sums, as each waits for itself. */
static double column_variance(const observations *x, size_t j, const int *rows, size_t m) {
  const double *real = x->kind == COLUMNS_DOUBLE ? x->real + j * x->rows : NULL;
  const int *whole = x->kind == COLUMNS_DOUBLE ? NULL : x->whole + j * x->rows;
  const double first = real ? real[rows[0]] : (double)whole[rows[0]];
  double sum[4] = {0.0}, square[4] = {0.0};
  for (size_t i = 0; i < m; i++) {
    const double v = (real ? real[rows[i]] : (double)whole[rows[i]]) - first;
    sum[i % 4] += v;
    square[i % 4] += v * v;
  }
  const double s = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  const double q = (square[0] + square[1]) + (square[2] + square[3]) - s * s / (double)m;
  return (q > 0.0 ? q : 0.0) * x->scale[j] * x->scale[j];
}

static int by_columns(const observations *x, int full) { return !full && in_columns(x); }

void local_covariance(const executor *exec, const observations *x, const int *rows, size_t m,
                      int full, double *scratch, double *out) {
  const executor alone = one_thread(exec);
  if (by_columns(x, full)) {
    for (size_t j = 0; j < x->columns; j++) out[j] = column_variance(x, j, rows, m);
  } else if (without_tiles(x, full)) {
    by_entries(x, rows, m, scratch, out);
  } else {
    by_tiles(&alone, x, rows, m, full, scratch, out);
  }
  const size_t size = full ? x->columns * x->columns : x->columns;
  for (size_t e = 0; e < size; e++) out[e] /= m > 1 ? (double)(m - 1) : 1.0;
}

void local_covariances(const executor *exec, const observations *x, const int *rows, size_t m,
                       size_t n, int full, double *scratch, double *out) {
  const size_t size = full ? x->columns * x->columns : x->columns;
  const size_t apart = local_covariance_scratch(x, full);
  const int threads = threads_for(exec, 4.0 * (double)n * (double)m * (double)size);
  const size_t block = 16 * (size_t)threads;
  for (size_t some = 0; by_columns(x, full) && some < n; some += COLUMN_SETS) {
    const size_t sets = n - some < COLUMN_SETS ? n - some : COLUMN_SETS;
    const double least = m > 1 ? (double)(m - 1) : 1.0;
    const ptrdiff_t all = (ptrdiff_t)(x->columns * sets);
    PARALLEL_FOR(threads, schedule(dynamic, 16))
    for (ptrdiff_t e = 0; e < all; e++) {
      const size_t j = (size_t)e / sets, i = some + (size_t)e % sets;
      out[i * size + j] = column_variance(x, j, rows + i * m, m) / least;
    }
    poll_user(exec);
  }
  for (size_t first = by_columns(x, full) ? n : 0; first < n; first += block) {
    const ptrdiff_t end = (ptrdiff_t)(n - first < block ? n : first + block);
    PARALLEL_FOR(threads, schedule(dynamic))
    for (ptrdiff_t i = (ptrdiff_t)first; i < end; i++) {
      local_covariance(exec, x, rows + (size_t)i * m, m, full,
                       scratch + (size_t)THREAD_INDEX() * apart, out + (size_t)i * size);
    }
    poll_user(exec);
  }
}
