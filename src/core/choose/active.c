#include "active.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"
#include "core/data/single_point.h"

#define BLOCK_ROWS 4096 /* 32 KB of a column: they stay in the first cache */

void active_layout(active_search *a, arena *memory, const executor *exec, const observations *x,
                   double bandwidth, size_t most) {
  a->exec = exec;
  a->x = x;
  a->bandwidth = bandwidth;
  double *one = arena_take(memory, points_size(1, x->columns));
  a->row = arena_take(memory, most);
  a->sparse = x->kind == ROWS_SPARSE
                  ? arena_take(memory, (size_t)exec->threads * BLOCK_ROWS * padded(1))
                  : NULL;
  if (memory->base) a->pivot = points_on(one, 1, x->columns);
}

/* out -= sum_j row[j] * factor[, j], four columns at a time. */
static void subtract_columns(const double *restrict factor, size_t apart, const double *row,
                             size_t count, size_t rows, double *restrict out) {
  size_t j = 0;
  for (; j + 4 <= count; j += 4) {
    const double *restrict c = factor + j * apart;
    const double r0 = row[j], r1 = row[j + 1], r2 = row[j + 2], r3 = row[j + 3];
#pragma omp simd
    for (size_t i = 0; i < rows; i++) {
      out[i] -= (r0 * c[i] + r1 * c[apart + i]) + (r2 * c[2 * apart + i] + r3 * c[3 * apart + i]);
    }
  }
  for (; j < count; j++) {
    const double *restrict c = factor + j * apart;
#pragma omp simd
    for (size_t i = 0; i < rows; i++) out[i] -= row[j] * c[i];
  }
}

/* K(x_i, pivot) of a block of rows, by one thread. */
static void kernel_block(active_search *a, size_t first, size_t rows, double *out) {
  const executor alone = one_thread(a->exec);
  if (a->x->kind != ROWS_SPARSE) {
    single_point_distances(&alone, a->x, first, rows, a->pivot.x, a->pivot.length, out);
    for (size_t i = 0; i < rows; i++) out[i] *= -1.0 / a->bandwidth;
    a->exec->variant->exp_nonpositive(out, rows);
    return;
  }
  double *mine = a->sparse + (size_t)THREAD_INDEX() * BLOCK_ROWS * a->pivot.length;
  features(&alone, a->x, first, rows, &a->pivot, GAUSSIAN_FEATURES, a->bandwidth, NULL, mine);
  for (size_t i = 0; i < rows; i++) out[i] = mine[i * a->pivot.length];
}

/* The next column of the factor, for a->pivot with its row of it and the square
 * root of what is left of it (infinite: it depends on those before). */
static void add_column(active_search *a, double root) {
  const size_t all = a->x->rows;
  double *column = a->factor + a->done * all;
  const ptrdiff_t blocks = (ptrdiff_t)((all + BLOCK_ROWS - 1) / BLOCK_ROWS);
  const int threads =
      threads_for(a->exec, (double)all * (3.0 * (double)a->x->columns + 2.0 * (double)a->done));
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t b = 0; b < blocks; b++) {
    const size_t first = (size_t)b * BLOCK_ROWS;
    const size_t rows = all - first < BLOCK_ROWS ? all - first : BLOCK_ROWS;
    double *restrict out = column + first, *restrict left = a->left + first;
    kernel_block(a, first, rows, out);
    subtract_columns(a->factor + first, all, a->row, a->done, rows, out);
    const double scale = 1.0 / root;
#pragma omp simd
    for (size_t i = 0; i < rows; i++) {
      out[i] *= scale;
      const double rest = left[i] - out[i] * out[i];
      left[i] = rest > 0.0 ? rest : 0.0;
    }
  }
  a->done++;
}

void active_start(active_search *a, const points *held, double *kernel) {
  a->done = 0;
  for (size_t i = 0; i < a->x->rows; i++) a->left[i] = 1.0;
  const size_t n = held->count;
  if (n == 0) return;
  points_kernel(a->exec, held, held, a->bandwidth, kernel, padded(n));
  cholesky(a->exec, n, padded(n), 0, DEPENDENT_KERNEL, 1, kernel);
  for (size_t k = 0; k < n; k++) {
    for (size_t m = 0; m < k; m++) a->row[m] = kernel[m * padded(n) + k];
    points_copy(held, k, &a->pivot);
    add_column(a, kernel[k * padded(n) + k]);
    poll_user(a->exec);
  }
}

void active_row(const double *factor, size_t rows, size_t columns, size_t i, double *row) {
  for (size_t j = 0; j < columns; j++) row[j] = factor[j * rows + i];
}

void active_take(active_search *a, const observations *from, size_t i, const double *row,
                 double left) {
  memcpy(a->row, row, a->done * sizeof *row);
  points_row(from, i, &a->pivot, 0);
  points_norms(&a->pivot);
  add_column(a, sqrt(left));
}

double active_weight(const active_rest *r) { return weights_sum(r->weight, r->rows); }

/* The smallest value that ties with the largest. */
static double least_tied(double largest) { return largest * (1.0 - NINE_DIGITS); }

size_t active_ties(const active_rest *r, double largest, double *mass) {
  const double least = least_tied(largest);
  size_t ties = 0;
  *mass = 0.0;
  for (size_t i = 0; i < r->rows; i++) {
    if (!(r->left[i] >= least) || !(weight_of(r->weight, i) > 0.0)) continue;
    ties++;
    *mass += weight_of(r->weight, i);
  }
  return ties;
}

/* The sum and the largest by one pass: reading the rows takes longer than either. */
active_summary active_summarize(const active_rest *r) {
  active_summary s = {0.0, -1.0, 0, 0.0};
  if (r->weight) {
    for (size_t i = 0; i < r->rows; i++) {
      s.trace += r->weight[i] * r->left[i];
      if (r->left[i] > s.largest && r->weight[i] > 0.0) s.largest = r->left[i];
    }
  } else {
    for (size_t i = 0; i < r->rows; i++) {
      s.trace += r->left[i];
      s.largest = r->left[i] > s.largest ? r->left[i] : s.largest;
    }
  }
  s.ties = active_ties(r, s.largest, &s.mass);
  return s;
}

size_t active_tie(const active_rest *r, double largest, double wanted) {
  const double least = least_tied(largest);
  double sum = 0.0;
  size_t last = 0;
  for (size_t i = 0; i < r->rows; i++) {
    if (!(r->left[i] >= least) || !(weight_of(r->weight, i) > 0.0)) continue;
    last = i;
    sum += weight_of(r->weight, i);
    if (sum >= wanted) break;
  }
  return last;
}

size_t active_draw(const active_rest *r, double wanted) {
  double sum = 0.0;
  size_t last = 0;
  for (size_t i = 0; i < r->rows; i++) {
    const double part = weight_of(r->weight, i) * r->left[i];
    if (!(part > 0.0)) continue;
    last = i;
    sum += part;
    if (sum >= wanted) break;
  }
  return last;
}
