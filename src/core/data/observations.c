#include "observations.h"

#include <string.h>

#include "core/base/eight.h"

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
  } else if (some.kind == ROWS_SINGLE) {
    some.single += first * padded_single(some.columns);
  } else {
    some.real += first * padded(some.columns);
  }
  return some;
}

double dense_norm(const double *z, size_t columns) {
  eight sum = {0};
  for (size_t j = 0; j < columns; j += EIGHT) eight_add_products(&sum, z + j, z + j);
  return eight_sum(&sum);
}

static double single_norm(const float *z, size_t columns) {
  eight sum = {0};
  for (size_t j = 0; j < columns; j += EIGHT) {
    double square[EIGHT];
#pragma GCC unroll 8
    for (size_t k = 0; k < EIGHT; k++) square[k] = (double)z[j + k] * (double)z[j + k];
    eight_add(&sum, square);
  }
  return eight_sum(&sum);
}

/* Which rows a call of gather_columns() reads, and where it writes them. */
typedef struct {
  const int *index; /* rows, or NULL for first, first + 1, ... */
  size_t first;
  const int *place; /* rows of the output and places in `index`, or NULL for 0, 1, ... */
  double *out;      /* count x row_length */
  float *single;    /* the same in single precision, instead; else NULL */
  size_t row_length;
} gathered;

/* What eight columns of a slice are read from, and how they are shifted and scaled. */
typedef struct {
  const double *real[VECTOR_DOUBLES]; /* or whole */
  const int *whole[VECTOR_DOUBLES];
  double center[VECTOR_DOUBLES], scale[VECTOR_DOUBLES];
} slice;

/* Rows [from, from + count) of the output, or places of them. */
static inline void fill_lines(const slice *s, int is_whole, const int *index, const int *place,
                              size_t first, size_t from, size_t count, double *restrict out,
                              float *restrict single, size_t row_length) {
  for (size_t i = from; i < from + count; i++) {
    const size_t to = place ? (size_t)place[i] : i;
    const size_t row = index ? (size_t)index[to] : first + i;
#pragma GCC unroll 8
    for (size_t j = 0; j < VECTOR_DOUBLES; j++) {
      const double value = is_whole ? (double)s->whole[j][row] : s->real[j][row];
      const double z = (value - s->center[j]) * s->scale[j];
      if (single) {
        single[to * row_length + j] = (float)z;
      } else {
        out[to * row_length + j] = z;
      }
    }
  }
}

/* Eight columns at a time, so that every write fills a cache line. */
static void gather_columns(const observations *x, const gathered *rows, size_t from, size_t count,
                           size_t column) {
  slice s = {.center = {0}, .scale = {0}};
  const int is_whole = x->kind == COLUMNS_INTEGER;
  for (size_t j = 0; j < VECTOR_DOUBLES; j++) {
    /* Columns past the last are read as the first of the slice, times 0. */
    const int is_past = column + j >= x->columns;
    const size_t at = (is_past ? column : column + j) * x->rows;
    s.real[j] = is_whole ? NULL : x->real + at;
    s.whole[j] = is_whole ? x->whole + at : NULL;
    if (is_past) continue;
    s.center[j] = x->center[column + j];
    s.scale[j] = x->scale[column + j];
  }
  const int *index = rows->index, *place = rows->place;
  const size_t first = rows->first, ld = rows->row_length;
  float *single = rows->single ? rows->single + column : NULL;
  double *out = single ? NULL : rows->out + column;
  /* Constants here let the compiler drop the choices from the loop. */
  if (is_whole) {
    fill_lines(&s, 1, index, place, first, from, count, out, single, ld);
  } else if (!index) {
    fill_lines(&s, 0, NULL, NULL, first, from, count, out, single, ld);
  } else if (!place) {
    fill_lines(&s, 0, index, NULL, 0, from, count, out, NULL, ld);
  } else if (single) {
    fill_lines(&s, 0, index, place, 0, from, count, NULL, single, ld);
  } else {
    fill_lines(&s, 0, index, place, 0, from, count, out, NULL, ld);
  }
}

#define GATHER_ROWS 128 /* rows whose lines of `out` a thread fills together */

/* The padding of a row past the columns that were filled, and its norm. */
static double finish_line(const gathered *which, size_t to, size_t filled, size_t columns,
                          int is_wanted) {
  const size_t ld = which->row_length, at = to * ld;
  if (which->single) {
    memset(which->single + at + filled, 0, (ld - filled) * sizeof(float));
    return is_wanted ? single_norm(which->single + at, columns) : 0.0;
  }
  memset(which->out + at + filled, 0, (ld - filled) * sizeof(double));
  return is_wanted ? dense_norm(which->out + at, columns) : 0.0;
}

static void gather(const executor *exec, const observations *x, gathered which, size_t count,
                   double *norm) {
  const size_t slices = (x->columns + VECTOR_DOUBLES - 1) / VECTOR_DOUBLES;
  const ptrdiff_t blocks = (ptrdiff_t)((count + GATHER_ROWS - 1) / GATHER_ROWS);
  const int threads = threads_for(exec, 4.0 * (double)count * (double)x->columns);
  which.row_length = which.single ? padded_single(x->columns) : padded(x->columns);
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t b = 0; b < blocks; b++) {
    const size_t from = (size_t)b * GATHER_ROWS;
    const size_t rows = count - from < GATHER_ROWS ? count - from : GATHER_ROWS;
    for (size_t s = 0; s < slices; s++) {
      gather_columns(x, &which, from, rows, s * VECTOR_DOUBLES);
    }
    for (size_t i = from; i < from + rows; i++) {
      const size_t to = which.place ? (size_t)which.place[i] : i;
      const double squares =
          finish_line(&which, to, slices * VECTOR_DOUBLES, x->columns, norm != NULL);
      if (norm) norm[to] = squares;
    }
  }
}

void observations_gather(const executor *exec, const observations *x, const int *index,
                         size_t first, size_t count, double *out) {
  const gathered which = {.index = index, .first = first, .out = out};
  gather(exec, x, which, count, NULL);
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

static void gather_in_order(const executor *exec, const observations *x, gathered which,
                            size_t count, int *order, double *norm) {
  if (which.index) {
    order_by_row(which.index, count, x->rows, order, order + count);
    which.place = order;
  }
  gather(exec, x, which, count, norm);
}

void observations_gather_any(const executor *exec, const observations *x, const int *index,
                             size_t count, int *order, double *out, double *norm) {
  const gathered which = {.index = index, .out = out};
  gather_in_order(exec, x, which, count, order, norm);
}

void observations_gather_single(const executor *exec, const observations *x, const int *index,
                                size_t count, int *order, float *out, double *norm) {
  const gathered which = {.index = index, .single = out};
  gather_in_order(exec, x, which, count, order, norm);
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
    const int from = x->start[index[i]], ld = x->start[index[i] + 1] - from;
    memcpy(column + at, x->column + from, (size_t)ld * sizeof *column);
    memcpy(value + at, x->value + from, (size_t)ld * sizeof *value);
    at += ld;
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
    const double times = scale ? scale[j] : 1.0;
    for (int e = start[j]; e < start[j + 1]; e++) {
      const int to = next[inner[e]]++;
      inner_out[to] = (int)j;
      value_out[to] = value[e] * times;
    }
  }
}
