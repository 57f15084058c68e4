#include "moments.h"

#include <limits.h>
#include <math.h>

#include "core/base/eight.h"
#include "core/base/weight.h"

/* Entries [from, end) of a column; `mean` divides by all rows. Returns the sum of squares. */
static double entry_moments(size_t rows, const int *inner, const double *value,
                            const double *weight, int from, int end, double *mean) {
  double sum = 0.0, square = 0.0, stored = 0.0;
  for (int e = from; e < end; e++) sum += weight ? weight[inner[e]] * value[e] : value[e];
  *mean = sum / (double)rows;
  for (int e = from; e < end; e++) {
    const double w = weight_of(weight, (size_t)inner[e]), off = value[e] - *mean;
    square += w * (off * off);
    stored += w;
  }
  return square + ((double)rows - stored) * (*mean * *mean);
}

ptrdiff_t compressed_moments(const executor *exec, size_t rows, size_t columns, const int *start,
                             const int *inner, const double *value, const double *weight,
                             double *mean, double *deviation) {
  for (int e = 0; e < start[columns]; e++) {
    if (!isfinite(value[e])) return e;
  }
  const int threads = threads_for(exec, 6.0 * (double)start[columns]);
  PARALLEL_FOR(threads, schedule(dynamic, 64))
  for (ptrdiff_t j = 0; j < (ptrdiff_t)columns; j++) {
    deviation[j] = entry_moments(rows, inner, value, weight, start[j], start[j + 1], mean + j);
  }
  return -1;
}

#define CHUNK 1024

/* Values [from, from + count) of a column as doubles; integers go through `buffer`. */
static const double *column_chunk(const observations *x, size_t j, size_t from, size_t count,
                                  double *buffer) {
  if (x->kind == COLUMNS_DOUBLE) return x->real + j * x->rows + from;
  const int *whole = x->whole + j * x->rows + from;
  for (size_t i = 0; i < count; i++) buffer[i] = whole[i] == INT_MIN ? NAN : (double)whole[i];
  return buffer;
}

/* What is added up of a column's values. */
typedef enum { SUM_VALUES, SUM_SQUARES, SUM_SIZES } summand;

static inline double summed(double d, summand what) {
  return what == SUM_SQUARES ? d * d : what == SUM_SIZES ? fabs(d) : d;
}

/* sum += v, (v - center)^2 or |v|, times the weights. Inlined for each kind of sum: choices within
 * the loop take five times as long as the additions. */
static inline __attribute__((always_inline)) void add_chunk(const double *restrict v,
                                                            const double *restrict weight,
                                                            size_t count, double center,
                                                            summand what, eight *sum) {
  eight now = *sum;
  const size_t whole = count - count % EIGHT;
  for (size_t i = 0; i < whole; i += EIGHT) {
    double term[EIGHT];
#pragma GCC unroll 8
    for (size_t k = 0; k < EIGHT; k++) {
      const double p = summed(v[i + k] - center, what);
      term[k] = weight ? weight[i + k] * p : p;
    }
    eight_add(&now, term);
  }
  double term[EIGHT] = {0};
  for (size_t k = 0; whole + k < count; k++) {
    const double p = summed(v[whole + k] - center, what);
    term[k] = weight ? weight[whole + k] * p : p;
  }
  eight_add(&now, term);
  *sum = now;
}

static double sum_of_column(const observations *x, size_t j, double center, summand what) {
  double buffer[CHUNK];
  eight sum = {0};
  for (size_t from = 0; from < x->rows; from += CHUNK) {
    const size_t count = x->rows - from < CHUNK ? x->rows - from : CHUNK;
    const double *v = column_chunk(x, j, from, count, buffer);
    const double *weight = x->weight ? x->weight + from : NULL;
    /* Constants here let the compiler drop the choices from the loop. */
    if (weight) {
      add_chunk(v, weight, count, center, what, &sum);
    } else if (what == SUM_VALUES) {
      add_chunk(v, NULL, count, 0.0, SUM_VALUES, &sum);
    } else if (what == SUM_SQUARES) {
      add_chunk(v, NULL, count, center, SUM_SQUARES, &sum);
    } else {
      add_chunk(v, NULL, count, 0.0, SUM_SIZES, &sum);
    }
  }
  return eight_sum(&sum);
}

/* The position of the first value of a column that is not finite, or -1. A sum of finite numbers is
 * finite unless it overflows: the values are looked at only where it is not.
 * A weight of 0 does not hide what is not finite: 0 times that is NaN. */
static ptrdiff_t bad_value(const observations *x, size_t j, double sum) {
  if (isfinite(sum)) return -1;
  double buffer[CHUNK];
  for (size_t from = 0; from < x->rows; from += CHUNK) {
    const size_t count = x->rows - from < CHUNK ? x->rows - from : CHUNK;
    const double *v = column_chunk(x, j, from, count, buffer);
    for (size_t i = 0; i < count; i++) {
      if (!isfinite(v[i])) return (ptrdiff_t)(j * x->rows + from + i);
    }
  }
  return -1;
}

/* The mean first, then squares about it: a column with a large mean and a
 * small spread keeps its digits. */
static ptrdiff_t column_moments(const observations *x, size_t j, double *mean, double *deviation) {
  const double total = sum_of_column(x, j, 0.0, SUM_VALUES);
  const ptrdiff_t bad = bad_value(x, j, total);
  if (bad >= 0) return bad;
  mean[j] = total / (double)x->rows;
  deviation[j] = sum_of_column(x, j, mean[j], SUM_SQUARES);
  return -1;
}

/* Keeps the first of the positions that the threads find. */
static void first_bad(ptrdiff_t here, ptrdiff_t *bad) {
  if (here < 0) return;
#ifdef _OPENMP
#pragma omp critical(landmarker_moments)
#endif
  if (*bad < 0 || here < *bad) *bad = here;
}

ptrdiff_t observations_moments(const executor *exec, const observations *x, double *mean,
                               double *deviation) {
  ptrdiff_t bad = -1;
  const ptrdiff_t columns = (ptrdiff_t)x->columns;
  const int threads = threads_for(exec, 4.0 * (double)x->rows * (double)x->columns);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t j = 0; j < columns; j++) {
    first_bad(column_moments(x, (size_t)j, mean, deviation), &bad);
  }
  return bad;
}

ptrdiff_t observations_sizes(const executor *exec, const observations *x, double *size) {
  ptrdiff_t bad = -1;
  observations plain = *x;
  plain.weight = NULL;
  const ptrdiff_t columns = (ptrdiff_t)x->columns;
  const int threads = threads_for(exec, 2.0 * (double)x->rows * (double)x->columns);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t j = 0; j < columns; j++) {
    size[j] = sum_of_column(&plain, (size_t)j, 0.0, SUM_SIZES);
    first_bad(bad_value(x, (size_t)j, size[j]), &bad);
  }
  return bad;
}
