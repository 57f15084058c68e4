#include "exact_dpp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/algebra/lapack.h"
#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"

#define BLOCK 256 /* rows that are points at a time */

void exact_dpp_layout(exact_dpp *d, arena *memory, const executor *exec, const observations *x,
                      radial_kernel k, size_t fixed) {
  const size_t rows = x->rows, some = rows < BLOCK ? rows : BLOCK;
  d->exec = exec;
  d->x = x;
  d->radial = k;
  double *place = arena_take(memory, points_size(fixed, x->columns));
  double *block = arena_take(memory, points_size(some, x->columns));
  d->some = arena_take(memory, rows * padded(some > fixed ? some : fixed));
  d->own = arena_take(memory, fixed * padded(fixed));
  d->cross = arena_take(memory, fixed * padded(rows));
  d->kernel = arena_take(memory, rows * rows);
  d->vector = arena_take(memory, rows * rows);
  d->log_value = arena_take(memory, rows);
  d->scratch = arena_take(memory, symmetric_eigen_scratch(rows));
  d->left = arena_take(memory, rows);
  d->column = arena_take(memory, rows);
  d->uniform = arena_take(memory, rows);
  d->pair = (size_t *)arena_take(memory, rows);
  d->row = (int *)arena_take(memory, (rows + 1) / 2);
  if (memory->base) {
    d->fixed = points_on(place, fixed, x->columns);
    d->block = points_on(block, some, x->columns);
  }
}

/* ---- the kernel ---- */

/* k of squared distances, in place. */
static void apply_kernel(const exact_dpp *d, double *squared, size_t count) {
  for (size_t i = 0; i < count; i++) squared[i] /= -d->radial.bandwidth;
  d->radial.profile->values(d->exec->variant, squared, count);
}

/* From here on a column of `kernel` is meant from its diagonal down. */
static double *lower(const exact_dpp *d, size_t j) { return d->kernel + j * d->x->rows + j; }

/* cross = R'^-1 k(H, x), k(H, H) = R'R: the Schur complement is k - cross' cross. */
static void whiten_fixed(exact_dpp *d) {
  const size_t rows = d->x->rows, n = d->fixed.count, ld = padded(n), wide = padded(rows);
  features(d->exec, d->x, 0, rows, &d->fixed, NULL, NULL, d->some, NULL);
  memset(d->cross, 0, n * wide * sizeof *d->cross);
  for (size_t i = 0; i < rows; i++) {
    apply_kernel(d, d->some + i * ld, n);
    for (size_t h = 0; h < n; h++) d->cross[h * wide + i] = d->some[i * ld + h];
  }
  points_kernel(d->exec, &d->fixed, &d->fixed, &d->radial, d->own, ld);
  cholesky(d->exec, n, ld, 0, DEPENDENT_KERNEL, 1, d->own);
  potrs(d->exec, matrix_on(d->own, n, n, ld), 0, 0, matrix_on(d->cross, n, rows, wide));
}

/* The part of column j that the fixed points do not explain, times the quality of both rows. */
static void finish_column(exact_dpp *d, size_t j) {
  const size_t count = d->x->rows - j, wide = padded(d->x->rows);
  const double *weight = d->x->weight;
  double *restrict k = lower(d, j);
  for (size_t h = 0; h < d->fixed.count; h++) {
    const double *restrict w = d->cross + h * wide + j;
    const double share = w[0];
#pragma omp simd
    for (size_t i = 0; i < count; i++) k[i] -= share * w[i];
  }
  for (size_t i = 0; weight && i < count; i++) k[i] *= sqrt(weight[j] * weight[j + i]);
}

void exact_dpp_euclidean(exact_dpp *d) {
  const size_t rows = d->x->rows, most = d->block.count, ld = d->block.ld;
  if (d->fixed.count > 0) whiten_fixed(d);
  for (size_t first = 0; first < rows; first += most) {
    d->block.count = rows - first < most ? rows - first : most;
    points_from_rows(d->x, first, &d->block);
    /* Careful distances: rows that are the same have 0 between them, and L less rank. */
    features(d->exec, d->x, first, rows - first, &d->block, NULL, NULL, d->some, NULL);
    for (size_t l = 0; l < d->block.count; l++) {
      double *k = lower(d, first + l);
      k[0] = 0.0;
      for (size_t i = l + 1; i < rows - first; i++) k[i - l] = d->some[i * ld + l];
      apply_kernel(d, k, rows - first - l);
      finish_column(d, first + l);
    }
    poll_user(d->exec);
  }
  d->block.count = most;
}

void exact_dpp_distances(exact_dpp *d, const double *distance) {
  const size_t rows = d->x->rows;
  for (size_t j = 0; j < rows; j++) {
    const double *from = distance + j * rows + j;
    double *k = lower(d, j);
    for (size_t i = 0; i < rows - j; i++) k[i] = from[i] * from[i];
    apply_kernel(d, k, rows - j);
    finish_column(d, j);
  }
}

/* ---- eigenpairs ---- */

const char *exact_dpp_decompose(exact_dpp *d) {
  const size_t rows = d->x->rows;
  double *value = d->log_value;
  const char *flaw =
      symmetric_eigen(d->exec, rows, d->kernel, 0, rows, value, d->vector, d->scratch);
  if (flaw) return flaw;
  /* The part that the fixed points do not explain may be rounding error. */
  double largest = value[rows - 1];
  for (size_t i = 0; i < rows; i++) {
    const double own = weight_of(d->x->weight, i);
    if (own > largest) largest = own;
  }
  const double least = (double)rows * DBL_EPSILON * largest;
  d->first = rows;
  while (d->first > 0 && value[d->first - 1] > least) d->first--;
  d->rank = rows - d->first;
  for (size_t m = 0; m < rows; m++) value[m] = m < d->first ? -INFINITY : log(value[m]);
  return NULL;
}

/* log(exp(a) + exp(b)) */
static double log_sum(double a, double b) {
  const double high = a > b ? a : b, low = a > b ? b : a;
  return low == -INFINITY ? high : high + log1p(exp(low - high));
}

/* log e_l of the first m values */
static double symmetric(const double *table, size_t count, size_t l, size_t m) {
  if (l == 0) return 0.0;
  return l > m ? -INFINITY : table[(l - 1) * count + m - 1];
}

/* e_l of m values: without the last of them, and with it. */
void log_symmetric(size_t count, const double *log_value, size_t size, double *table) {
  for (size_t l = 1; l <= size; l++) {
    for (size_t m = 1; m <= count; m++) {
      table[(l - 1) * count + m - 1] =
          log_sum(symmetric(table, count, l, m - 1),
                  log_value[m - 1] + symmetric(table, count, l - 1, m - 1));
    }
  }
}

size_t exact_dpp_pairs(const exact_dpp *d, const double *uniform, size_t *pair) {
  size_t found = 0;
  for (size_t m = 0; m < d->rank; m++) {
    if (uniform[m] < 1.0 / (1.0 + exp(-d->log_value[d->first + m]))) pair[found++] = d->first + m;
  }
  return found;
}

/* From the last value on: of all sets of `wanted` among the first m, the share
 * that has value m in it. It is 1, exactly, where all that are left are wanted. */
void exact_dpp_pairs_of(const exact_dpp *d, size_t size, const double *uniform, size_t *pair) {
  const double *log_value = d->log_value + d->first;
  double *table = d->kernel;
  log_symmetric(d->rank, log_value, size, table);
  for (size_t m = d->rank, wanted = size; wanted > 0; m--) {
    const double with = log_value[m - 1] + symmetric(table, d->rank, wanted - 1, m - 1);
    if (uniform[m - 1] < exp(with - symmetric(table, d->rank, wanted, m))) {
      pair[--wanted] = d->first + m - 1;
    }
  }
}

/* ---- rows ---- */

/* The first row up to which the share `u` of all chances lies. */
static size_t draw(const exact_dpp *d, double u) {
  double all = 0.0, sum = 0.0;
  for (size_t i = 0; i < d->x->rows; i++) all += d->left[i];
  size_t last = 0;
  for (size_t i = 0; i < d->x->rows; i++) {
    if (!(d->left[i] > 0.0)) continue;
    last = i;
    sum += d->left[i];
    if (sum >= u * all) break;
  }
  return last;
}

/* q less its projection on the unit vectors before it, with norm 1. Twice is enough against
 * rounding. */
static void orthonormalize(size_t size, size_t before, const double *basis, double *q) {
  for (int time = 0; time < 2; time++) {
    for (size_t b = 0; b < before; b++) {
      const double *other = basis + b * size;
      double dot = 0.0;
      for (size_t j = 0; j < size; j++) dot += q[j] * other[j];
      for (size_t j = 0; j < size; j++) q[j] -= dot * other[j];
    }
  }
  double norm = 0.0;
  for (size_t j = 0; j < size; j++) norm += q[j] * q[j];
  norm = sqrt(norm);
  for (size_t j = 0; j < size; j++) q[j] /= norm;
}

/* column = the chosen eigenvectors times q, or without q: their squares' sums. */
static void combine(const exact_dpp *d, size_t size, const size_t *pair, const double *q,
                    double *restrict out) {
  const size_t rows = d->x->rows;
  memset(out, 0, rows * sizeof *out);
  for (size_t j = 0; j < size; j++) {
    const double *restrict v = d->vector + pair[j] * rows;
    if (q) {
      const double share = q[j];
#pragma omp simd
      for (size_t i = 0; i < rows; i++) out[i] += share * v[i];
    } else {
#pragma omp simd
      for (size_t i = 0; i < rows; i++) out[i] += v[i] * v[i];
    }
  }
}

/* Row i of the eigenvectors is a vector v_i; its chance is what is left of its
 * squared length beside the v of the rows drawn, which `basis` spans. */
void exact_dpp_rows(const exact_dpp *d, size_t size, const size_t *pair, const double *uniform,
                    int *row) {
  const size_t rows = d->x->rows;
  double *basis = d->kernel;
  combine(d, size, pair, NULL, d->left);
  for (size_t k = 0; k < size; k++) {
    const size_t chosen = draw(d, uniform[k]);
    row[k] = (int)chosen;
    double *q = basis + k * size;
    for (size_t j = 0; j < size; j++) q[j] = d->vector[pair[j] * rows + chosen];
    orthonormalize(size, k, basis, q);
    combine(d, size, pair, q, d->column);
    for (size_t i = 0; i < rows; i++) {
      const double rest = d->left[i] - d->column[i] * d->column[i];
      d->left[i] = rest > NO_CHANCE ? rest : 0.0;
    }
    d->left[chosen] = 0.0;
    poll_user(d->exec);
  }
}

/* ---- a draw ---- */

static const double *draw_uniforms(const exact_dpp *d, size_t count) {
  d->exec->uniform(d->uniform, count);
  return d->uniform;
}

const char *exact_dpp_draw(exact_dpp *d, const double *distance, size_t wanted) {
  d->size = d->empty = 0;
  if (distance) {
    exact_dpp_distances(d, distance);
  } else {
    exact_dpp_euclidean(d);
  }
  poll_user(d->exec);
  const char *flaw = exact_dpp_decompose(d);
  if (flaw) return flaw;
  poll_user(d->exec);
  if (d->rank == 0 || wanted > d->rank) return NULL;
  if (wanted > 0) {
    exact_dpp_pairs_of(d, wanted, draw_uniforms(d, d->rank), d->pair);
    d->size = wanted;
  } else {
    /* Where all values are small, nearly every draw is empty. */
    while (!(d->size = exact_dpp_pairs(d, draw_uniforms(d, d->rank), d->pair))) {
      if (++d->empty % 64 == 0) poll_user(d->exec);
    }
  }
  exact_dpp_rows(d, d->size, d->pair, draw_uniforms(d, d->size), d->row);
  return NULL;
}
