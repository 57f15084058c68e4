#include "features.h"

#include <math.h>
#include <string.h>

#include "core/base/tolerance.h"
#include "single_point.h"

/* About 512 KB: a tile, and the block of points that meets it, stay in the
 * second-level cache. */
size_t features_tile(size_t columns) {
  size_t rows = 65536 / padded(columns);
  rows = rows < 16 ? 16 : rows > 256 ? 256 : rows;
  return rows - rows % 8;
}

size_t features_scratch(const executor *exec, const observations *x) {
  if (!in_columns(x)) return 0;
  return (size_t)exec->threads * features_tile(x->columns) * padded(x->columns);
}

/* z_i't for every point, and ||z_i||^2. */
static double sparse_products(const observations *x, size_t row, const points *t, double *out) {
  double norm = 0.0;
  for (size_t l = 0; l < t->ld; l++) out[l] = 0.0;
  for (int e = x->start[row]; e < x->start[row + 1]; e++) {
    const double value = x->value[e];
    const double *restrict at = t->x + (size_t)x->column[e] * t->ld;
    double *restrict to = out;
    norm += value * value;
#pragma omp simd
    for (size_t l = 0; l < t->ld; l++) to[l] += value * at[l];
  }
  return norm;
}

/* ||z_i - t_l||^2 by differences. `z` is the row of a ROWS_DENSE or COLUMNS layout. */
static double exact_distance(const observations *x, size_t row, const double *z, const points *t,
                             size_t l) {
  double sum = 0.0;
  int e = x->kind == ROWS_SPARSE ? x->start[row] : 0;
  const float *single = x->kind == ROWS_SINGLE ? x->single + row * padded_single(x->columns) : NULL;
  for (size_t j = 0; j < t->columns; j++) {
    double value = 0.0;
    if (z) {
      value = z[j];
    } else if (single) {
      value = single[j];
    } else if (e < x->start[row + 1] && (size_t)x->column[e] == j) {
      value = x->value[e++];
    }
    const double d = value - t->x[j * t->ld + l];
    sum += d * d;
  }
  return sum;
}

/* |z|^2 + |t|^2 - 2 z't has an error of some 1e-16 of its terms, of 1e-7 in single precision: too
 * much where a pair is close compared to how far both are from the origin. */
typedef struct {
  double rounding;  /* a bound for the error, relative to the terms */
  double far;       /* terms, in bandwidths, below which the error does not show in features */
  double cancelled; /* of the terms: a squared distance below has lost too many digits */
} precision;

static const precision in_double = {1e-15, 1e5, CANCELLED},
                       in_single = {1e-5, 1e3, CANCELLED_SINGLE};

static const precision *precision_of(const observations *x) {
  return x->kind == ROWS_SINGLE ? &in_single : &in_double;
}

#define LAST_FEATURE 50. /* bandwidths beyond which a feature is too small to matter */

/* What all tiles of one call share. */
typedef struct {
  const executor *exec;
  const observations *x;
  size_t first, count; /* the rows [first, first + count) */
  const feature_map *map;
  double largest;  /* norm of a point */
  double *scratch; /* a tile for each thread; only used where rows are collected */
} feature_pass;

/* Whether rounding shows in all features of a row, not only in those of the nearest points. */
static int is_far(const feature_pass *p, double norm) {
  return norm + p->largest > precision_of(p->x)->far * p->map->kernel->bandwidth;
}

/* One row: products to squared distances, and those that rounding spoils are computed again. */
static void careful_row(const feature_pass *p, size_t row, const double *z, double norm,
                        double *restrict out) {
  const points *t = p->map->points;
  const double *restrict tn = t->norm;
  const precision *is = precision_of(p->x);
  const radial_kernel *k = p->map->kernel;
  const double share = k && !k->profile->is_rough ? is->rounding : is->cancelled;
  const double within = k && is_far(p, norm) ? LAST_FEATURE * k->bandwidth : 0.0;
  double smallest = 0.0;
#pragma omp simd reduction(min : smallest)
  for (size_t l = 0; l < t->count; l++) {
    const double terms = norm + tn[l], d = terms - 2.0 * out[l];
    const double spare = d - (within + share * terms);
    out[l] = d;
    smallest = spare < smallest ? spare : smallest;
  }
  for (size_t l = 0; smallest < 0.0 && l < t->count; l++) {
    if (out[l] < within + share * (norm + tn[l])) out[l] = exact_distance(p->x, row, z, t, l);
  }
}

/* One row: products to squared distances or, for features, to these over -bandwidth. The padding
 * becomes zero. `z` as for exact_distance(). */
static void finish_row(const feature_pass *p, size_t row, const double *z, double norm,
                       double *restrict out) {
  const points *t = p->map->points;
  const radial_kernel *k = p->map->kernel;
  const double *restrict tn = t->norm;
  const double scale = k ? -1.0 / k->bandwidth : 1.0;
  if (!k || k->profile->is_rough || is_far(p, norm)) {
    careful_row(p, row, z, norm, out);
    for (size_t l = 0; k && l < t->count; l++) out[l] *= scale;
  } else {
#pragma omp simd
    for (size_t l = 0; l < t->count; l++) {
      const double d = (norm + tn[l] - 2.0 * out[l]) * scale;
      out[l] = d > 0.0 ? 0.0 : d;
    }
  }
  for (size_t l = t->count; l < t->ld; l++) out[l] = 0.0;
}

#define PACKED 256

/* The kernel's values or slopes of rows of `count` numbers that are `ld` apart. Short rows are
 * packed, so that every vector is full; results are the same. */
static void apply(const executor *exec, void (*f)(const product_variant *, double *, size_t),
                  size_t rows, size_t count, size_t ld, double *restrict out) {
  const size_t at_once = count > 0 && count < VECTOR_DOUBLES ? PACKED / count : 1;
  for (size_t first = 0; first < rows; first += at_once, out += at_once * ld) {
    if (at_once == 1) {
      f(exec->variant, out, count);
      continue;
    }
    double packed[PACKED];
    const size_t these = rows - first < at_once ? rows - first : at_once;
    for (size_t i = 0; i < these; i++) {
      for (size_t l = 0; l < count; l++) packed[i * count + l] = out[i * ld + l];
    }
    f(exec->variant, packed, these * count);
    for (size_t i = 0; i < these; i++) {
      for (size_t l = 0; l < count; l++) out[i * ld + l] = packed[i * count + l];
    }
  }
}

static double largest_norm(const points *t) {
  double largest = 0.0;
  for (size_t l = 0; l < t->count; l++) {
    if (t->norm[l] > largest) largest = t->norm[l];
  }
  return largest;
}

/* Rows [first, first + rows) where they stand, or collected in the thread's scratch. */
static const double *dense_rows(const feature_pass *p, size_t first, size_t rows, size_t thread) {
  const observations *x = p->x;
  const size_t row_length = padded(x->columns);
  if (x->kind == ROWS_DENSE) return x->real + first * row_length;
  double *mine = p->scratch + thread * features_tile(x->columns) * row_length;
  const executor alone = one_thread(p->exec);
  observations_gather(&alone, x, NULL, first, rows, mine);
  return mine;
}

/* z_i't of rows against points. */
static void dense_products(const executor *exec, const double *z, size_t rows, const points *t,
                           double *out) {
  const block_product product = {.rows = rows,
                                 .columns = t->count,
                                 .depth = t->columns,
                                 .a = z,
                                 .a_row = padded(t->columns),
                                 .a_col = 1,
                                 .b = t->x,
                                 .b_row = t->ld,
                                 .c = out,
                                 .c_row = t->ld,
                                 .accumulate = 0};
  exec->variant->multiply(&product);
}

static void single_products(const executor *exec, const observations *x, size_t first, size_t rows,
                            const points *t, double *out) {
  const size_t row_length = padded_single(x->columns);
  const float *z = x->single + first * row_length;
  if (t->count == 1) {
    const single_rows block = {z, rows, row_length};
    exec->variant->dots_single(&block, t->single, out, t->ld);
    return;
  }
  const single_product product = {.rows = rows,
                                  .columns = t->count,
                                  .depth = t->columns,
                                  .a = z,
                                  .a_row = row_length,
                                  .a_col = 1,
                                  .b = t->single,
                                  .b_row = padded_single(t->count),
                                  .c = out,
                                  .c_row = t->ld,
                                  .accumulate = 0};
  exec->variant->multiply_single(&product);
}

/* Rows of a dense layout, up to exp(). */
static void dense_features(const feature_pass *p, size_t first, size_t rows, size_t thread,
                           double *out) {
  const observations *x = p->x;
  const points *t = p->map->points;
  const double *z = NULL;
  const size_t row_length = padded(x->columns);
  if (x->kind == ROWS_SINGLE) {
    single_products(p->exec, x, first, rows, t, out);
  } else {
    z = dense_rows(p, first, rows, thread);
    dense_products(p->exec, z, rows, t, out);
  }
  for (size_t i = 0; i < rows; i++) {
    const double *zi = z ? z + i * row_length : NULL;
    const double norm = x->norm ? x->norm[first + i] : dense_norm(zi, x->columns);
    finish_row(p, first + i, zi, norm, out + i * t->ld);
  }
}

/* `rows` rows from `first` on, at most a tile, by one thread. `thread`: which one of those that
 * share the tiles, each with its scratch. */
static void features_of_tile(const feature_pass *p, size_t first, size_t rows, size_t thread,
                             double *out, double *slopes) {
  const observations *x = p->x;
  const points *t = p->map->points;
  if (x->kind == ROWS_SPARSE) {
    for (size_t i = 0; i < rows; i++) {
      double *to = out + i * t->ld;
      const double norm = sparse_products(x, first + i, t, to);
      finish_row(p, first + i, NULL, norm, to);
    }
  } else {
    dense_features(p, first, rows, thread, out);
  }
  const radial_kernel *k = p->map->kernel;
  if (!k) return;
  if (slopes) {
    memcpy(slopes, out, rows * t->ld * sizeof *out);
    apply(p->exec, k->profile->slopes, rows, t->count, t->ld, slopes);
  }
  apply(p->exec, k->profile->values, rows, t->count, t->ld, out);
}

static double features_work(const observations *x, size_t count, const points *t) {
  const double row = x->kind == ROWS_SPARSE ? (double)(x->start[x->rows] - x->start[0]) /
                                                  (double)(x->rows ? x->rows : 1)
                                            : (double)x->columns;
  return (double)count * (2.0 * row + 16.0) * (double)t->count;
}

static void features_turn(const feature_pass *p, ptrdiff_t tile, int thread, double *out,
                          double *slopes) {
  const size_t tile_rows = features_tile(p->x->columns), from = (size_t)tile * tile_rows,
               rows = p->count - from < tile_rows ? p->count - from : tile_rows;
  const size_t at = from * p->map->points->ld;
  features_of_tile(p, p->first + from, rows, (size_t)thread, out + at, slopes ? slopes + at : NULL);
}

void features(const executor *exec, const observations *x, size_t first, size_t count,
              const points *t, const radial_kernel *k, double *scratch, double *out,
              double *slopes) {
  const feature_map map = {t, k, NULL};
  const feature_pass pass = {exec, x, first, count, &map, largest_norm(t), scratch};
  const size_t tile_rows = features_tile(x->columns);
  const ptrdiff_t tiles = (ptrdiff_t)((count + tile_rows - 1) / tile_rows);
  const double work = features_work(x, count, t);
  const int threads = threads_for(exec, work);
  stretch part = stretches(exec, threads, tiles, work);
  while (next_stretch(exec, &part)) {
    SHARE_TURNS(threads, tile, part.begin, part.end,
                features_turn(&pass, tile, threads == 1 ? 0 : THREAD_INDEX(), out, slopes));
  }
}

#define FEW_POINTS 2 /* so few that a pass for each beats gathering */

size_t features_matrix_scratch(const executor *exec, const observations *x, const points *t) {
  return features_scratch(exec, x) + (size_t)exec->threads * features_tile(x->columns) * t->ld;
}

void features_matrix(const executor *exec, const observations *x, size_t first, size_t count,
                     const feature_map *map, double *scratch, double *out) {
  const points *t = map->points;
  if (in_columns(x) && t->count <= FEW_POINTS && !map->root) {
    for (size_t l = 0; l < t->count; l++) {
      double *to = out + l * x->rows + first;
      single_point_distances(exec, x, first, count, t->x + l, t->ld, to);
      if (!map->kernel) continue;
      for (size_t i = 0; i < count; i++) to[i] *= -1.0 / map->kernel->bandwidth;
      map->kernel->profile->values(exec->variant, to, count);
    }
    return;
  }
  const feature_pass pass = {exec, x, first, count, map, largest_norm(t), scratch};
  const size_t tile_rows = features_tile(x->columns);
  const ptrdiff_t tiles = (ptrdiff_t)((count + tile_rows - 1) / tile_rows);
  double *phi = scratch + features_scratch(exec, x);
  const double solve = map->root ? (double)count * (double)t->count * (double)t->count : 0.0;
  const double work = features_work(x, count, t) + solve;
  const int threads = threads_for(exec, work);
  const executor alone = one_thread(exec);
  stretch part = stretches(exec, threads, tiles, work);
  while (next_stretch(exec, &part)) {
    PARALLEL_FOR(threads, schedule(dynamic))
    for (ptrdiff_t tile = part.begin; tile < part.end; tile++) {
      const size_t from = (size_t)tile * tile_rows, thread = (size_t)THREAD_INDEX();
      const size_t rows = count - from < tile_rows ? count - from : tile_rows;
      double *mine = phi + thread * tile_rows * t->ld;
      features_of_tile(&pass, first + from, rows, thread, mine, NULL);
      if (map->root) solve_rows(&alone, map->root, matrix_on(mine, rows, t->count, t->ld), NULL);
      for (size_t l = 0; l < t->count; l++) {
        double *to = out + l * x->rows + first + from;
        for (size_t i = 0; i < rows; i++) to[i] = mine[i * t->ld + l];
      }
    }
  }
}
