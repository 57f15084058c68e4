#include "row_pass.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/algebra/row.h"
#include "core/base/weight.h"

void row_pass_layout(row_pass *s, arena *memory, const executor *exec, const observations *x,
                     radial_kernel k, size_t fixed, size_t moving, int kept) {
  const int by_columns = in_columns(x);
  const size_t tile = features_tile(x->columns);
  /* Ranges of about 8 MB of rows and features, in whole tiles. */
  size_t range = (size_t)1048576 / (padded(x->columns) + 2 * padded(fixed + moving)) / tile * tile;
  if (range < tile) range = tile;
  if (range > 8192) range = 8192;
  if (kept || range > x->rows) range = x->rows;
  s->exec = exec;
  s->x = x;
  s->kernel = k;
  s->range = range;
  s->fixed = fixed;
  s->moving = moving;
  s->phi_fixed = fixed ? arena_take(memory, range * padded(fixed)) : NULL;
  s->phi = arena_take(memory, range * padded(moving));
  s->slope = k.profile->is_gaussian ? s->phi : arena_take(memory, range * padded(moving));
  s->weighted =
      x->weight ? arena_take(memory, range * padded(fixed > moving ? fixed : moving)) : NULL;
  s->rows = by_columns ? arena_take(memory, range * padded(x->columns)) : NULL;
  s->tile = by_columns ? arena_take(memory, features_scratch(exec, x)) : NULL;
  s->single =
      x->kind == ROWS_SINGLE
          ? arena_take(memory, points_single_size(fixed > moving ? fixed : moving, x->columns))
          : NULL;
}

/* Products read whole vectors, from column `fixed` on: of the last row past its end. */
size_t row_pass_h_size(const row_pass *s) {
  return s->range * padded(s->fixed + s->moving) + VECTOR_DOUBLES;
}

size_t row_pass_parts(const row_pass *s) { return solve_rows_sums(s->range); }

/* The features of rows [first, first + count). */
static void features_of(row_pass *s, const observations *x, size_t first, size_t count,
                        const points *t, const radial_kernel *k, double *phi, double *slope) {
  points seen = *t;
  seen.single = (float *)s->single;
  if (x->kind == ROWS_SINGLE) points_round(s->exec, &seen);
  features(s->exec, x, first, count, &seen, k, s->tile, phi, slope);
}

/* Those of the moving landmarks, with the kernel's slopes. */
static void moving_of(row_pass *s, const observations *x, size_t first, size_t count,
                      const points *moving) {
  double *slope = s->slope == s->phi ? NULL : s->slope;
  features_of(s, x, first, count, moving, &s->kernel, s->phi, slope);
}

/* D Phi, or Phi itself without weights, Phi from row `first` on. */
static matrix weigh(const row_pass *s, size_t first, matrix phi) {
  if (!s->x->weight) return phi;
  const size_t ld = phi.stride;
  for (size_t i = 0; i < phi.rows; i++) {
    const double w = s->x->weight[first + i];
    for (size_t l = 0; l < ld; l++) s->weighted[i * ld + l] = w * phi.x[i * ld + l];
  }
  return matrix_on(s->weighted, phi.rows, phi.columns, ld);
}

static void start_nearness(nearness *near, size_t count) {
  near->within = near->left = 0.0;
  for (size_t l = 0; l < count; l++) {
    near->row[l] = 0;
    near->distance[l] = 1e308;
  }
}

/* The nearest rows of landmarks [from, to). */
static void nearest_of(const row_pass *s, size_t first, size_t count, size_t ld, size_t from,
                       size_t to, nearness *near) {
  const double *weight = s->x->weight;
  for (size_t i = 0; i < count; i++) {
    if (weight && !(weight[first + i] > 0.0)) continue;
    const double *restrict d = s->phi + i * ld, *restrict nearest = near->distance;
    int nearer = 0;
#pragma omp simd reduction(| : nearer)
    for (size_t l = from; l < to; l++) nearer |= d[l] < nearest[l];
    if (!nearer) continue;
    for (size_t l = from; l < to; l++) {
      if (d[l] < near->distance[l]) {
        near->distance[l] = d[l];
        near->row[l] = (int)(first + i);
      }
    }
  }
}

#define SOME 32 /* landmarks of a turn */

/* Squared distances are wanted only for the nearest rows; the features follow
 * from them. A row of weight 0 is no row. */
static void track_nearest(const row_pass *s, size_t first, size_t count, const points *t,
                          nearness *near) {
  const double operations = (double)count * (double)t->count;
  const ptrdiff_t turns = (ptrdiff_t)((t->count + SOME - 1) / SOME);
  const int threads = threads_for(s->exec, operations);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t k = 0; k < turns; k++) {
    const size_t from = (size_t)k * SOME, to = from + SOME < t->count ? from + SOME : t->count;
    nearest_of(s, first, count, t->ld, from, to, near);
  }
}

static void moving_features(row_pass *s, size_t first, size_t count, const points *moving,
                            nearness *near) {
  if (!near) {
    moving_of(s, s->x, first, count, moving);
    return;
  }
  features_of(s, s->x, first, count, moving, NULL, s->phi, NULL);
  track_nearest(s, first, count, moving, near);
  const double scale = -1.0 / s->kernel.bandwidth;
  const ptrdiff_t rows = (ptrdiff_t)count;
  const int threads = threads_for(s->exec, 16.0 * (double)count * (double)moving->count);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t i = 0; i < rows; i++) {
    double *phi = s->phi + (size_t)i * moving->ld;
    near->each[i] = least_of(phi, moving->count);
    scale_row(phi, scale, moving->count);
    s->kernel.profile->values(s->exec->variant, phi, moving->count);
  }
  const double *weight = s->x->weight;
  for (size_t i = 0; i < count; i++) {
    if (weight && !(weight[first + i] > 0.0)) continue;
    near->within += weight_of(weight, first + i) * near->each[i];
  }
}

void row_pass_gram(row_pass *s, const points *fixed, const points *moving, int with_fixed,
                   double *g) {
  const size_t n = s->fixed + s->moving, ld = padded(n), m = s->moving;
  const matrix all = matrix_on(g, n, n, ld);
  for (size_t first = 0; first < s->x->rows; first += s->range) {
    const size_t count = s->x->rows - first < s->range ? s->x->rows - first : s->range;
    const int more = first > 0;
    poll_user(s->exec);
    if (s->fixed && (with_fixed || !row_pass_kept(s))) {
      features_of(s, s->x, first, count, fixed, &s->kernel, s->phi_fixed, NULL);
    }
    const matrix phi_fixed = matrix_on(s->phi_fixed, count, s->fixed, padded(s->fixed));
    if (s->fixed && with_fixed) {
      gemm_tn(s->exec, phi_fixed, weigh(s, first, phi_fixed), more,
              matrix_block(all, 0, 0, s->fixed, s->fixed));
    }
    moving_of(s, s->x, first, count, moving);
    const matrix phi = matrix_on(s->phi, count, m, moving->ld);
    const matrix weighted = weigh(s, first, phi);
    syrk(s->exec, phi, weighted, more, matrix_block(all, s->fixed, s->fixed, m, m));
    if (s->fixed) {
      gemm_tn(s->exec, phi_fixed, weighted, more, matrix_block(all, 0, s->fixed, s->fixed, m));
    }
  }
  for (size_t i = 0; i < s->fixed; i++) {
    for (size_t l = s->fixed; l < n; l++) g[l * ld + i] = g[i * ld + l];
  }
}

/* Rows [first, first + count) of the Nystrom features, from the kernel's values. Returns their sum
 * of squares. */
static double nystrom_rows(const row_pass *s, size_t first, matrix b, const triangular *t,
                           double *parts) {
  const size_t fixed = s->fixed < t->n ? s->fixed : t->n;
  const double *weight = s->x->weight ? s->x->weight + first : NULL;
  const ptrdiff_t rows = (ptrdiff_t)b.rows;
  const int threads = threads_for(s->exec, 4.0 * (double)b.rows * (double)t->n);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t i = 0; i < rows; i++) {
    const double root = weight ? sqrt(weight[i]) : 1.0;
    const double *restrict at_fixed = s->phi_fixed + (size_t)i * padded(s->fixed);
    const double *restrict phi = s->phi + (size_t)i * padded(s->moving);
    double *restrict to = b.x + (size_t)i * b.stride;
    for (size_t l = 0; l < fixed; l++) to[l] = root * at_fixed[l];
    for (size_t l = fixed; l < t->n; l++) to[l] = root * phi[l - fixed];
  }
  solve_rows(s->exec, t, b, parts);
  double sum = 0.0;
  for (size_t k = 0; k < solve_rows_sums(b.rows); k++) sum += parts[k];
  return sum;
}

/* sum_i D_ii - |b_i|^2, of which no term is below 0. */
static double rows_left(const executor *exec, const double *weight, matrix b, double *each) {
  const ptrdiff_t rows = (ptrdiff_t)b.rows;
  const int threads = threads_for(exec, 2.0 * (double)b.rows * (double)b.columns);
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t i = 0; i < rows; i++) {
    const double *restrict bi = b.x + (size_t)i * b.stride;
    double rest = weight_of(weight, (size_t)i);
#pragma omp simd reduction(- : rest)
    for (size_t k = 0; k < b.columns; k++) rest -= bi[k] * bi[k];
    /* A NaN, by overflow, explains nothing. */
    each[i] = rest > 0.0 ? rest : rest <= 0.0 ? 0.0 : weight_of(weight, (size_t)i);
  }
  double left = 0.0;
  for (size_t i = 0; i < b.rows; i++) left += each[i];
  return left;
}

double row_pass_nystrom(row_pass *s, const points *fixed, const points *moving, int with_fixed,
                        const triangular *t, double *b, double *parts, double *a, nearness *near) {
  double sum = 0.0;
  if (near) start_nearness(near, s->moving);
  for (size_t first = 0; first < s->x->rows; first += s->range) {
    const size_t count = s->x->rows - first < s->range ? s->x->rows - first : s->range;
    const matrix rows = matrix_on(b, count, t->n, t->ld);
    const double *weight = s->x->weight ? s->x->weight + first : NULL;
    poll_user(s->exec);
    if (s->fixed && (with_fixed || !row_pass_kept(s))) {
      features_of(s, s->x, first, count, fixed, &s->kernel, s->phi_fixed, NULL);
    }
    moving_features(s, first, count, moving, near);
    sum += nystrom_rows(s, first, rows, t, parts);
    if (a) syrk(s->exec, rows, rows, first > 0, matrix_on(a, t->n, t->n, t->ld));
    if (near) near->left += rows_left(s->exec, weight, rows, near->each);
  }
  return sum;
}

void row_pass_cross(row_pass *s, const points *fixed, const points *moving, double *g,
                    double *cross, double *prior) {
  const size_t fixed_length = padded(s->fixed), ld = moving->ld;
  memset(prior, 0, moving->count * sizeof *prior);
  for (size_t first = 0; first < s->x->rows; first += s->range) {
    const size_t count = s->x->rows - first < s->range ? s->x->rows - first : s->range;
    const int more = first > 0;
    poll_user(s->exec);
    features_of(s, s->x, first, count, fixed, &s->kernel, s->phi_fixed, NULL);
    const matrix phi_fixed = matrix_on(s->phi_fixed, count, s->fixed, fixed_length);
    syrk(s->exec, phi_fixed, weigh(s, first, phi_fixed), more,
         matrix_on(g, s->fixed, s->fixed, fixed_length));
    moving_of(s, s->x, first, count, moving);
    const matrix weighted = weigh(s, first, matrix_on(s->phi, count, moving->count, ld));
    gemm_tn(s->exec, phi_fixed, weighted, more, matrix_on(cross, s->fixed, moving->count, ld));
    for (size_t i = 0; i < count; i++) {
      const double *restrict phi = s->phi + i * ld, *restrict w = weighted.x + i * ld;
      for (size_t l = 0; l < moving->count; l++) prior[l] += w[l] * phi[l];
    }
  }
}

/* Rows of any layout as a ROWS view of the range. */
static observations range_rows(row_pass *s, size_t first, size_t count) {
  if (!in_columns(s->x)) return observations_some(s->x, first, count);
  observations rows = *s->x;
  rows.kind = ROWS_DENSE;
  rows.rows = count;
  if (rows.weight) rows.weight += first;
  observations_gather(s->exec, s->x, NULL, first, count, s->rows);
  rows.real = s->rows;
  return rows;
}

/* h = D Psi o h, where h comes as Phi A; total += h'1 for the moving landmarks, or NULL. */
static void finish_h(const row_pass *s, size_t first, size_t count, size_t ld, double *h,
                     double *total) {
  for (size_t i = 0; i < count; i++) {
    const double w = weight_of(s->x->weight, first + i);
    const double *restrict psi = s->slope + i * ld;
    double *restrict hi = h + i * ld;
#pragma omp simd
    for (size_t l = 0; l < ld; l++) hi[l] *= w * psi[l];
    for (size_t l = 0; total && l < s->moving; l++) total[l] += hi[l];
  }
}

void row_pass_sums(row_pass *s, const points *fixed, const points *moving, const double *inverse,
                   double *h, double *scratch, points *sums, double *total) {
  const size_t ld = moving->ld, m = s->moving;
  if (total) memset(total, 0, m * sizeof *total);
  const matrix all = matrix_on(inverse, s->fixed + m, m, ld);
  for (size_t first = 0; first < s->x->rows; first += s->range) {
    const size_t count = s->x->rows - first < s->range ? s->x->rows - first : s->range;
    poll_user(s->exec);
    const observations rows = range_rows(s, first, count);
    if (!row_pass_kept(s)) {
      if (s->fixed) {
        features_of(s, &rows, 0, count, fixed, &s->kernel, s->phi_fixed, NULL);
      }
      moving_of(s, &rows, 0, count, moving);
    }
    const matrix to = matrix_on(h, count, m, ld);
    gemm_nn(s->exec, matrix_on(s->phi, count, m, ld), matrix_block(all, s->fixed, 0, m, m), 0, to);
    if (s->fixed) {
      gemm_nn(s->exec, matrix_on(s->phi_fixed, count, s->fixed, padded(s->fixed)),
              matrix_block(all, 0, 0, s->fixed, m), 1, to);
    }
    finish_h(s, first, count, ld, h, total);
    weighted_sums(s->exec, &rows, h, ld, first > 0, scratch, sums);
  }
}

void row_pass_nystrom_sums(row_pass *s, const points *fixed, const points *moving,
                           const triangular *t, double *b, double *parts, double *scratch,
                           double *a, points *sums, double *total) {
  const size_t ld = moving->ld;
  memset(total, 0, moving->count * sizeof *total);
  for (size_t first = 0; first < s->x->rows; first += s->range) {
    const size_t count = s->x->rows - first < s->range ? s->x->rows - first : s->range;
    const matrix features = matrix_on(b, count, t->n, t->ld);
    poll_user(s->exec);
    const observations rows = range_rows(s, first, count);
    if (!row_pass_kept(s)) {
      if (s->fixed) features_of(s, &rows, 0, count, fixed, &s->kernel, s->phi_fixed, NULL);
      moving_of(s, &rows, 0, count, moving);
      nystrom_rows(s, first, features, t, parts);
    }
    syrk(s->exec, features, features, first > 0, matrix_on(a, t->n, t->n, t->ld));
    solve_rows_back(s->exec, t, s->fixed, features);
    for (size_t i = 0; i < count; i++) {
      const double root = sqrt(weight_of(s->x->weight, first + i));
      const double *restrict psi = s->slope + i * ld;
      double *restrict h = features.x + i * features.stride + s->fixed;
#pragma omp simd
      for (size_t l = 0; l < moving->count; l++) {
        h[l] *= root * psi[l];
        total[l] += h[l];
      }
    }
    weighted_sums(s->exec, &rows, features.x + s->fixed, features.stride, first > 0, scratch, sums);
  }
}
