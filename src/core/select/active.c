#include "active.h"

#include <math.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"
#include "core/data/single_point.h"

#define BLOCK_ROWS 4096 /* 32 KB of a column: they stay in the first cache */

void active_layout(active_search *a, arena *memory, const executor *exec, const observations *x,
                   radial_kernel k, size_t most) {
  a->exec = exec;
  a->x = x;
  a->radial = k;
  a->factor = arena_take(memory, x->rows * most);
  a->left = arena_take(memory, x->rows);
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
    single_point_distances(&alone, a->x, first, rows, a->pivot.x, a->pivot.ld, out);
    for (size_t i = 0; i < rows; i++) out[i] *= -1.0 / a->radial.bandwidth;
    a->radial.profile->values(a->exec->variant, out, rows);
    return;
  }
  double *mine = a->sparse + (size_t)THREAD_INDEX() * BLOCK_ROWS * a->pivot.ld;
  features(&alone, a->x, first, rows, &a->pivot, &a->radial, NULL, mine, NULL);
  for (size_t i = 0; i < rows; i++) out[i] = mine[i * a->pivot.ld];
}

/* The next column of the factor, for a->pivot with its row of it and the square
 * root of what is left of it (infinite: it depends on those before). */
static void add_column(active_search *a, double root) {
  const size_t all = a->x->rows;
  double *column = a->factor + a->done * all;
  const ptrdiff_t blocks = (ptrdiff_t)((all + BLOCK_ROWS - 1) / BLOCK_ROWS);
  const double work = (double)all * (3.0 * (double)a->x->columns + 2.0 * (double)a->done);
  const int threads = threads_for(a->exec, work);
  stretch part = stretches(a->exec, threads, blocks, work);
  while (next_stretch(a->exec, &part)) {
    PARALLEL_FOR(threads, schedule(dynamic))
    for (ptrdiff_t b = part.begin; b < part.end; b++) {
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
  }
  a->done++;
  poll_user(a->exec);
}

void active_start(active_search *a, const points *fixed, double *kernel) {
  a->done = 0;
  for (size_t i = 0; i < a->x->rows; i++) a->left[i] = 1.0;
  const size_t n = fixed->count;
  if (n == 0) return;
  points_kernel(a->exec, fixed, fixed, &a->radial, kernel, padded(n));
  cholesky(a->exec, n, padded(n), 0, DEPENDENT_KERNEL, 1, kernel);
  for (size_t k = 0; k < n; k++) {
    for (size_t m = 0; m < k; m++) a->row[m] = kernel[m * padded(n) + k];
    points_copy(fixed, k, &a->pivot);
    add_column(a, kernel[k * padded(n) + k]);
  }
}

void active_take(active_search *a, size_t i) {
  const double left = a->left[i];
  for (size_t j = 0; j < a->done; j++) a->row[j] = a->factor[j * a->x->rows + i];
  points_row(a->x, i, &a->pivot, 0);
  points_norms(&a->pivot);
  add_column(a, sqrt(left));
  a->left[i] = 0.0; /* as it is but for rounding */
}

/* The smallest value that ties with the largest. */
static double least_tied(double largest) { return largest * (1.0 - NINE_DIGITS); }

static int is_tied(const active_search *a, size_t i, double least) {
  return a->left[i] >= least && weight_of(a->x->weight, i) > 0.0;
}

/* The sum and the largest by one pass: reading the rows takes longer than either. */
active_summary active_summarize(const active_search *a) {
  active_summary s = {0.0, -1.0, 0, 0.0};
  const double *weight = a->x->weight, *left = a->left;
  const size_t rows = a->x->rows;
  if (weight) {
    for (size_t i = 0; i < rows; i++) {
      s.trace += weight[i] * left[i];
      if (left[i] > s.largest && weight[i] > 0.0) s.largest = left[i];
    }
  } else {
    for (size_t i = 0; i < rows; i++) {
      s.trace += left[i];
      s.largest = left[i] > s.largest ? left[i] : s.largest;
    }
  }
  const double least = least_tied(s.largest);
  for (size_t i = 0; i < rows; i++) {
    if (!is_tied(a, i, least)) continue;
    s.ties++;
    s.mass += weight_of(weight, i);
  }
  return s;
}

size_t active_tie(const active_search *a, double largest, double wanted) {
  const double least = least_tied(largest);
  double sum = 0.0;
  size_t last = 0;
  for (size_t i = 0; i < a->x->rows; i++) {
    if (!is_tied(a, i, least)) continue;
    last = i;
    sum += weight_of(a->x->weight, i);
    if (sum >= wanted) break;
  }
  return last;
}

size_t active_draw(const active_search *a, double wanted) {
  double sum = 0.0;
  size_t last = 0;
  for (size_t i = 0; i < a->x->rows; i++) {
    const double part = weight_of(a->x->weight, i) * a->left[i];
    if (!(part > 0.0)) continue;
    last = i;
    sum += part;
    if (sum >= wanted) break;
  }
  return last;
}

size_t active_choose(active_search *a, const active_rule *rule, int *chosen, double *share) {
  const double all = weights_sum(a->x->weight, a->x->rows);
  for (size_t count = 0;;) {
    const active_summary s = active_summarize(a);
    if (count > 0) share[count - 1] = s.trace / all;
    if (count == rule->wanted || s.largest <= rule->floor) return count;
    double u = 0.5;
    if (rule->is_random || s.ties > 1) a->exec->uniform(&u, 1);
    const size_t row =
        rule->is_random ? active_draw(a, u * s.trace) : active_tie(a, s.largest, u * s.mass);
    active_take(a, row);
    chosen[count++] = (int)row;
    if (rule->progress) rule->progress(rule->context);
  }
}
