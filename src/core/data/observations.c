#include "observations.h"

#include <limits.h>
#include <math.h>
#include <string.h>

observations observations_dense(const double *z, size_t rows, size_t columns) {
  const observations x = {.kind = ROWS_DENSE, .rows = rows, .columns = columns, .real = z};
  return x;
}

observations observations_some(const observations *x, size_t first, size_t count) {
  observations some = *x;
  some.rows = count;
  if (some.weight) some.weight += first;
  if (some.norm) some.norm += first;
  if (some.kind == ROWS_SPARSE) {
    some.start += first;
  } else {
    some.real += first * padded(some.columns);
  }
  return some;
}

double dense_norm(const double *z, size_t columns) {
  /* Names, not an array, which compilers keep in memory: a fifth of the time. */
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0, g = 0.0, h = 0.0;
  const size_t length = columns + (VECTOR_DOUBLES - columns % VECTOR_DOUBLES) % VECTOR_DOUBLES;
  for (size_t j = 0; j < length; j += VECTOR_DOUBLES) {
    a += z[j] * z[j];
    b += z[j + 1] * z[j + 1];
    c += z[j + 2] * z[j + 2];
    d += z[j + 3] * z[j + 3];
    e += z[j + 4] * z[j + 4];
    f += z[j + 5] * z[j + 5];
    g += z[j + 6] * z[j + 6];
    h += z[j + 7] * z[j + 7];
  }
  return ((a + e) + (b + f)) + ((c + g) + (d + h));
}

/* Which rows a call of gather_columns() reads, and where it writes them. */
typedef struct {
  const int *index; /* rows, or NULL for first, first + 1, ... */
  size_t first;
  const int *place; /* rows of the output and places in `index`, or NULL for 0, 1, ... */
} gathered;

/* What eight columns of a slice are read from, and how they are shifted and scaled. */
typedef struct {
  const double *real[VECTOR_DOUBLES]; /* or whole */
  const int *whole[VECTOR_DOUBLES];
  double center[VECTOR_DOUBLES], factor[VECTOR_DOUBLES];
} slice;

/* Rows [from, from + count) of the output, or places of them. */
static inline void fill_lines(const slice *s, int is_whole, const int *index, const int *place,
                              size_t first, size_t from, size_t count, double *restrict out,
                              size_t row_length) {
  for (size_t i = from; i < from + count; i++) {
    const size_t to = place ? (size_t)place[i] : i;
    const size_t row = index ? (size_t)index[to] : first + i;
    double *restrict line = out + to * row_length;
#pragma GCC unroll 8
    for (size_t j = 0; j < VECTOR_DOUBLES; j++) {
      const double value = is_whole ? (double)s->whole[j][row] : s->real[j][row];
      line[j] = (value - s->center[j]) * s->factor[j];
    }
  }
}

/* Eight columns at a time, so that every write fills a cache line. */
static void gather_columns(const observations *x, gathered rows, size_t from, size_t count,
                           size_t column, double *out, size_t row_length) {
  slice s = {.center = {0}, .factor = {0}};
  const int is_whole = x->kind == COLUMNS_INTEGER;
  for (size_t j = 0; j < VECTOR_DOUBLES; j++) {
    /* Columns past the last are read as the first of the slice, times 0. */
    const int is_past = column + j >= x->columns;
    const size_t at = (is_past ? column : column + j) * x->rows;
    s.real[j] = is_whole ? NULL : x->real + at;
    s.whole[j] = is_whole ? x->whole + at : NULL;
    if (is_past) continue;
    s.center[j] = x->center[column + j];
    s.factor[j] = x->factor[column + j];
  }
  out += column;
  const int *index = rows.index, *place = rows.place;
  /* Constants here let the compiler drop the choices from the loop. */
  if (is_whole) {
    fill_lines(&s, 1, index, place, rows.first, from, count, out, row_length);
  } else if (!index) {
    fill_lines(&s, 0, NULL, NULL, rows.first, from, count, out, row_length);
  } else if (!place) {
    fill_lines(&s, 0, index, NULL, 0, from, count, out, row_length);
  } else {
    fill_lines(&s, 0, index, place, 0, from, count, out, row_length);
  }
}

#define GATHER_ROWS 128 /* rows whose lines of `out` a thread fills together */

static void gather(const executor *exec, const observations *x, gathered which, size_t count,
                   double *out, double *norm) {
  const size_t row_length = padded(x->columns);
  const size_t slices = (x->columns + VECTOR_DOUBLES - 1) / VECTOR_DOUBLES;
  const size_t filled = slices * VECTOR_DOUBLES;
  const ptrdiff_t blocks = (ptrdiff_t)((count + GATHER_ROWS - 1) / GATHER_ROWS);
  const int threads = threads_for(exec, 4.0 * (double)count * (double)x->columns);
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t b = 0; b < blocks; b++) {
    const size_t from = (size_t)b * GATHER_ROWS;
    const size_t rows = count - from < GATHER_ROWS ? count - from : GATHER_ROWS;
    for (size_t s = 0; s < slices; s++) {
      gather_columns(x, which, from, rows, s * VECTOR_DOUBLES, out, row_length);
    }
    for (size_t i = from; i < from + rows; i++) {
      const size_t to = which.place ? (size_t)which.place[i] : i;
      double *line = out + to * row_length;
      if (row_length > filled) memset(line + filled, 0, (row_length - filled) * sizeof *out);
      if (norm) norm[to] = dense_norm(line, x->columns);
    }
  }
}

void observations_gather(const executor *exec, const observations *x, const int *index,
                         size_t first, size_t count, double *out) {
  const gathered which = {index, first, NULL};
  gather(exec, x, which, count, out, NULL);
}

/* Places 0, 1, ..., count - 1, those of nearby rows together. */
static void order_by_row(const int *index, size_t count, size_t rows, int *order, int *start) {
  int shift = 0;
  while ((rows >> shift) > count) shift++;
  const size_t groups = (rows >> shift) + 1;
  memset(start, 0, groups * sizeof *start);
  for (size_t i = 0; i < count; i++) start[index[i] >> shift]++;
  int before = 0;
  for (size_t g = 0; g < groups; g++) {
    const int here = start[g];
    start[g] = before;
    before += here;
  }
  for (size_t i = 0; i < count; i++) order[start[index[i] >> shift]++] = (int)i;
}

void observations_gather_any(const executor *exec, const observations *x, const int *index,
                             size_t count, int *order, double *out, double *norm) {
  if (index) order_by_row(index, count, x->rows, order, order + count);
  const gathered which = {index, 0, index ? order : NULL};
  gather(exec, x, which, count, out, norm);
}

void observations_rows(const executor *exec, const observations *x, const int *index, size_t count,
                       double *out) {
  const int threads = threads_for(exec, 4.0 * (double)count * (double)x->columns);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t j = 0; j < (ptrdiff_t)x->columns; j++) {
    const size_t from = (size_t)j * x->rows;
    double *to = out + (size_t)j * count;
    if (x->kind == COLUMNS_DOUBLE) {
      for (size_t i = 0; i < count; i++) to[i] = x->real[from + (size_t)index[i]];
    } else {
      for (size_t i = 0; i < count; i++) to[i] = x->whole[from + (size_t)index[i]];
    }
  }
}

void observations_norms(const executor *exec, const observations *x, double *out) {
  const ptrdiff_t rows = (ptrdiff_t)x->rows;
  const int threads = threads_for(exec, 2.0 * (double)x->rows * (double)x->columns);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t i = 0; i < rows; i++) {
    if (x->kind == ROWS_DENSE) {
      out[i] = dense_norm(x->real + (size_t)i * padded(x->columns), x->columns);
    } else {
      double sum = 0.0;
      for (int e = x->start[i]; e < x->start[i + 1]; e++) sum += x->value[e] * x->value[e];
      out[i] = sum;
    }
  }
}

size_t observations_entries(const observations *x, const int *index, size_t count) {
  size_t entries = 0;
  for (size_t i = 0; x->kind == ROWS_SPARSE && i < count; i++) {
    entries += (size_t)(x->start[index[i] + 1] - x->start[index[i]]);
  }
  return entries;
}

void observations_gather_sparse(const observations *x, const int *index, size_t count, int *start,
                                int *column, double *value) {
  int at = 0;
  start[0] = 0;
  for (size_t i = 0; i < count; i++) {
    const int from = x->start[index[i]], length = x->start[index[i] + 1] - from;
    memcpy(column + at, x->column + from, (size_t)length * sizeof *column);
    memcpy(value + at, x->value + from, (size_t)length * sizeof *value);
    at += length;
    start[i + 1] = at;
  }
}

void compressed_transpose(size_t major, size_t minor, const int *start, const int *inner,
                          const double *value, const double *scale, int *start_out, int *inner_out,
                          double *value_out, int *next) {
  memset(next, 0, minor * sizeof *next);
  for (int e = start[0]; e < start[major]; e++) next[inner[e]]++;
  start_out[0] = 0;
  for (size_t i = 0; i < minor; i++) {
    start_out[i + 1] = start_out[i] + next[i];
    next[i] = start_out[i];
  }
  for (size_t j = 0; j < major; j++) {
    const double factor = scale ? scale[j] : 1.0;
    for (int e = start[j]; e < start[j + 1]; e++) {
      const int to = next[inner[e]]++;
      inner_out[to] = (int)j;
      value_out[to] = value[e] * factor;
    }
  }
}

/* Entries [from, end) of a column; `mean` divides by all rows. Returns the sum of squares. */
static double entry_moments(size_t rows, const int *inner, const double *value,
                            const double *weight, int from, int end, double *mean) {
  double sum = 0.0, square = 0.0, stored = 0.0;
  for (int e = from; e < end; e++) sum += weight ? weight[inner[e]] * value[e] : value[e];
  *mean = sum / (double)rows;
  for (int e = from; e < end; e++) {
    const double w = weight ? weight[inner[e]] : 1.0, off = value[e] - *mean;
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

/* part[0..8) += v, (v - center)^2 or |v|, times the weights: eight sums, so that the
 * order is fixed and the additions do not wait for each other. */
static void add_chunk(const double *restrict v, const double *restrict weight, size_t count,
                      double center, summand what, double *restrict part) {
  size_t i = 0;
  for (; i + VECTOR_DOUBLES <= count; i += VECTOR_DOUBLES) {
#pragma GCC unroll 8
    for (size_t k = 0; k < VECTOR_DOUBLES; k++) {
      const double p = summed(v[i + k] - center, what);
      part[k] += weight ? weight[i + k] * p : p;
    }
  }
  for (size_t k = 0; i + k < count; k++) {
    const double p = summed(v[i + k] - center, what);
    part[k] += weight ? weight[i + k] * p : p;
  }
}

static double sum_of_column(const observations *x, size_t j, double center, summand what) {
  double buffer[CHUNK], part[VECTOR_DOUBLES] = {0};
  for (size_t from = 0; from < x->rows; from += CHUNK) {
    const size_t count = x->rows - from < CHUNK ? x->rows - from : CHUNK;
    const double *v = column_chunk(x, j, from, count, buffer);
    const double *weight = x->weight ? x->weight + from : NULL;
    /* Constants here let the compiler drop the choices from the loop. */
    if (weight) {
      add_chunk(v, weight, count, center, what, part);
    } else if (what == SUM_VALUES) {
      add_chunk(v, NULL, count, 0.0, SUM_VALUES, part);
    } else if (what == SUM_SQUARES) {
      add_chunk(v, NULL, count, center, SUM_SQUARES, part);
    } else {
      add_chunk(v, NULL, count, 0.0, SUM_SIZES, part);
    }
  }
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
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
