#include "lloyd.h"

#include <math.h>
#include <string.h>

#include "core/algebra/row.h"
#include "core/base/nearest.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"

#define ROWS_AT_A_TIME 16384 /* between two checks for the user's interrupt */

/* Rows that stand one behind the other, in double or single precision. */
static int is_contiguous(const observations *x) {
  return x->kind == ROWS_DENSE || x->kind == ROWS_SINGLE;
}

void lloyd_layout(lloyd *a, arena *memory, const executor *exec, const observations *x,
                  size_t centers) {
  const size_t n = centers, tile = features_tile(x->columns) * padded(n);
  a->exec = exec;
  a->x = x;
  double *places = arena_take(memory, points_size(n, x->columns));
  double *sums = arena_take(memory, points_size(n, x->columns));
  a->size = arena_take(memory, n);
  a->tiles = arena_take(memory, (size_t)exec->threads * tile);
  a->scratch = arena_take(memory, features_scratch(exec, x));
  a->by_center = arena_take(memory, is_contiguous(x) ? n * padded(x->columns) : 0);
  double *single =
      arena_take(memory, x->kind == ROWS_SINGLE ? points_single_size(n, x->columns) : 0);
  if (memory->base) {
    a->centers = points_on(places, n, x->columns);
    a->sums = points_on(sums, n, x->columns);
    a->centers.single = (float *)single;
  }
}

#define SOME 16 /* distances whose minimum is found at a time */

/* The first center whose distance agrees with the smallest to nine digits. The search begins at
 * `from`, because all centers before it are farther away. */
static size_t nearest_of(const double *d, size_t count) {
  double least = least_of(d, count < SOME ? count : SOME);
  size_t from = 0;
  for (size_t l = SOME; l < count; l += SOME) {
    const double here = least_of(d + l, count - l < SOME ? count - l : SOME);
    if (loosened(here) < least) from = l;
    if (here < least) least = here;
  }
  const double digits = nearest_digits(least), limit = loosened(least);
  for (size_t l = from; l < count; l++) {
    if (d[l] <= limit && nearest_digits(d[l]) <= digits) return l;
  }
  return 0;
}

/* The same of distances in single precision: the first that may be the smallest, so that ties,
 * which counts and integers often have, stay ties. Distances that are small relative to their terms
 * come from differences (features.h), whose error is a share of the distance. */
static size_t nearest_single(const lloyd *a, size_t row, const double *d) {
  const points *t = &a->centers;
  const double least = least_of(d, t->count), norm = a->x->norm[row];
  for (size_t l = 0; l < t->count; l++) {
    const double terms = fmin(norm + t->norm[l], least / CANCELLED_SINGLE);
    if (isfinite(d[l]) && d[l] <= least + TIED_SINGLE * terms) return l;
  }
  return 0;
}

static double entries_of(const observations *x) {
  if (x->kind == ROWS_SPARSE) return (double)(x->start[x->rows] - x->start[0]);
  return (double)x->rows * (double)x->columns;
}

/* Assigns a tile of rows, by one thread. `d` holds its distances, and `mine` is scratch. */
static size_t assign_tile(lloyd *a, size_t first, size_t rows, double *d, double *mine) {
  const executor alone = one_thread(a->exec);
  const double *weight = a->x->weight;
  size_t changed = 0;
  features(&alone, a->x, first, rows, &a->centers, NULL, mine, d, NULL);
  for (size_t i = first; i < first + rows; i++, d += a->centers.ld) {
    const int nearest = (int)(a->x->kind == ROWS_SINGLE ? nearest_single(a, i, d)
                                                        : nearest_of(d, a->centers.count));
    changed += a->label[i] != nearest && !(weight && !(weight[i] > 0.0));
    a->label[i] = nearest;
    a->squared[i] = d[nearest];
  }
  return changed;
}

size_t lloyd_assign(lloyd *a) {
  const observations *x = a->x;
  const size_t tile = features_tile(x->columns);
  /* Those of ROWS layouts are read in place. */
  const size_t gathered = in_columns(x) ? tile * padded(x->columns) : 0;
  const size_t distances = tile * a->centers.ld;
  const int threads = threads_for(a->exec, 2.0 * entries_of(x) * (double)a->centers.count);
  if (x->kind == ROWS_SINGLE) points_round(a->exec, &a->centers);
  size_t changed = 0;
  for (size_t from = 0; from < x->rows; from += ROWS_AT_A_TIME) {
    const size_t count = x->rows - from < ROWS_AT_A_TIME ? x->rows - from : ROWS_AT_A_TIME;
    const ptrdiff_t tiles = (ptrdiff_t)((count + tile - 1) / tile);
    PARALLEL_FOR(threads, schedule(dynamic) reduction(+ : changed))
    for (ptrdiff_t k = 0; k < tiles; k++) {
      const size_t thread = (size_t)THREAD_INDEX(), first = (size_t)k * tile;
      const size_t rows = count - first < tile ? count - first : tile;
      changed += assign_tile(a, from + first, rows, a->tiles + thread * distances,
                             a->scratch + thread * gathered);
    }
    poll_user(a->exec);
  }
  return changed;
}

/* sums[j, l] = sum of weight * (x - center) over the rows of center l, by columns. */
static void column_sums(const lloyd *a, size_t j, double *restrict sum) {
  const observations *x = a->x;
  const double center = x->center[j], *weight = x->weight;
  const int *restrict label = a->label;
  memset(sum, 0, a->sums.ld * sizeof *sum);
  if (x->kind == COLUMNS_DOUBLE) {
    const double *real = x->real + j * x->rows;
    for (size_t i = 0; i < x->rows; i++) {
      sum[label[i]] += weight_of(weight, i) * (real[i] - center);
    }
  } else {
    const int *whole = x->whole + j * x->rows;
    for (size_t i = 0; i < x->rows; i++) {
      sum[label[i]] += weight_of(weight, i) * ((double)whole[i] - center);
    }
  }
}

/* The same of columns [from, to) of sparse rows. */
static void entry_sums(const lloyd *a, size_t from, size_t to) {
  const observations *x = a->x;
  const size_t ld = a->sums.ld;
  memset(a->sums.x + from * ld, 0, (to - from) * ld * sizeof *a->sums.x);
  for (size_t i = 0; i < x->rows; i++) {
    const double weight = weight_of(x->weight, i);
    double *sum = a->sums.x + a->label[i];
    for (int e = x->start[i]; e < x->start[i + 1]; e++) {
      const size_t j = (size_t)x->column[e];
      if (j >= from && j < to) sum[j * ld] += weight * x->value[e];
    }
  }
}

#define ROW_SLICE 64 /* columns of dense rows that a thread adds up */

/* The same of columns [from, to) of contiguous rows. */
static void row_sums(const lloyd *a, size_t from, size_t to) {
  const observations *x = a->x;
  const size_t ld = a->sums.ld, stride = padded(x->columns);
  for (size_t l = 0; l < a->centers.count; l++) {
    memset(a->by_center + l * stride + from, 0, (to - from) * sizeof *a->by_center);
  }
  for (size_t i = 0; i < x->rows; i++) {
    const double weight = weight_of(x->weight, i);
    double *restrict sum = a->by_center + (size_t)a->label[i] * stride;
    if (x->kind == ROWS_SINGLE) {
      const float *restrict row = x->single + i * padded_single(x->columns);
#pragma omp simd
      for (size_t j = from; j < to; j++) sum[j] += weight * (double)row[j];
    } else {
      const double *restrict row = x->real + i * stride;
#pragma omp simd
      for (size_t j = from; j < to; j++) sum[j] += weight * row[j];
    }
  }
  for (size_t j = from; j < to; j++) {
    double *sum = a->sums.x + j * ld;
    for (size_t l = 0; l < a->centers.count; l++) sum[l] = a->by_center[l * stride + j];
  }
}

/* The sums of columns [from, to), by one thread. */
static void slice_sums(const lloyd *a, size_t from, size_t to) {
  if (a->x->kind == ROWS_SPARSE) {
    entry_sums(a, from, to);
  } else if (is_contiguous(a->x)) {
    row_sums(a, from, to);
  } else {
    for (size_t j = from; j < to; j++) column_sums(a, j, a->sums.x + j * a->sums.ld);
  }
}

static void all_sums(const lloyd *a) {
  const observations *x = a->x;
  const int threads = threads_for(a->exec, 4.0 * entries_of(x));
  /* Every thread reads all entries of sparse rows and adds those of its own columns. */
  const size_t own = (x->columns + (size_t)threads - 1) / (size_t)threads;
  const size_t wide = x->kind == ROWS_SPARSE ? own : is_contiguous(x) ? ROW_SLICE : 1;
  const ptrdiff_t slices = (ptrdiff_t)((x->columns + wide - 1) / wide);
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t s = 0; s < slices; s++) {
    const size_t from = (size_t)s * wide, left = x->columns - from;
    slice_sums(a, from, from + (left < wide ? left : wide));
  }
}

void lloyd_sums(lloyd *a) {
  const observations *x = a->x;
  memset(a->size, 0, a->centers.count * sizeof *a->size);
  for (size_t i = 0; i < x->rows; i++) a->size[a->label[i]] += weight_of(x->weight, i);
  all_sums(a);
}

void lloyd_move(lloyd *a, size_t fixed) {
  const size_t n = a->centers.count;
  for (size_t j = 0; j < a->centers.columns; j++) {
    /* Values of ROWS layouts are scaled already. */
    const double times = in_columns(a->x) ? a->x->scale[j] : 1.0;
    double *at = a->centers.x + j * a->centers.ld;
    const double *sums = a->sums.x + j * a->sums.ld;
    for (size_t l = fixed; l < n; l++) {
      if (a->size[l] > 0.0) at[l] = sums[l] / a->size[l] * times;
    }
  }
  points_norms(&a->centers);
}

void lloyd_begin(lloyd *a) {
  points_norms(&a->centers);
  for (size_t i = 0; i < a->x->rows; i++) a->label[i] = -1;
  for (size_t l = 0; l < a->centers.count; l++) a->size[l] = 1.0;
}

int lloyd_step(lloyd *a, size_t fixed) {
  if (lloyd_assign(a) == 0) return 1;
  lloyd_sums(a);
  lloyd_move(a, fixed);
  return a->centers.count == 1;
}
