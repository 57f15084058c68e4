#include "reconstruction.h"

#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

#define BLOCK 192 /* rows at a time in one thread: whole tiles, and slices of a solve */
#define BLOCKS 64 /* of a range, at most, between two checks for the user's interrupt */

static size_t own_memory(const reconstruction *r, size_t n) {
  arena own = {NULL, 0};
  const executor alone = one_thread(r->exec);
  arena_take(&own, features_scratch(&alone, r->x));
  arena_take(&own, BLOCK * padded(n));
  arena_take(&own, n * padded(BLOCK));
  arena_take(&own, BLOCK);
  return own.used;
}

void reconstruction_layout(reconstruction *r, arena *memory, const executor *exec,
                           const observations *x, double bandwidth, size_t landmarks) {
  r->exec = exec;
  r->x = x;
  r->bandwidth = bandwidth;
  double *t = arena_take(memory, points_size(landmarks, x->columns));
  r->factor = arena_take(memory, landmarks * padded(landmarks));
  r->sums = arena_take(memory, BLOCKS * landmarks);
  r->own = arena_take(memory, (size_t)exec->threads * own_memory(r, landmarks));
  if (memory->base) r->landmarks = points_on(t, landmarks, x->columns);
}

/* sums[k] = sum_i v_i of what landmarks 0..k leave of row i, over rows [first,
 * first + count), by one thread. */
static void block_sums(const reconstruction *r, size_t first, size_t count, arena own,
                       double *sums) {
  const points *t = &r->landmarks;
  const size_t n = t->count, length = padded(BLOCK);
  const executor alone = one_thread(r->exec);
  double *scratch = arena_take(&own, features_scratch(&alone, r->x));
  double *c = arena_take(&own, BLOCK * t->length);
  double *y = arena_take(&own, n * length);
  double *restrict left = arena_take(&own, BLOCK);
  features(&alone, r->x, first, count, t, GAUSSIAN_FEATURES, r->bandwidth, scratch, c);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < n; k++) y[k * length + i] = c[i * t->length + k];
    left[i] = 1.0;
  }
  /* Whole vectors of y are read. */
  for (size_t k = 0; k < n; k++) {
    for (size_t i = count; i < length; i++) y[k * length + i] = 0.0;
  }
  cholesky_solve(&alone, matrix_on(r->factor, n, n, t->length), 0, 0,
                 matrix_on(y, n, count, length));
  const double *restrict weight = r->x->weight ? r->x->weight + first : NULL;
  for (size_t k = 0; k < n; k++) {
    const double *restrict part = y + k * length;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
      const double rest = left[i] - part[i] * part[i];
      /* A NaN, by overflow, explains nothing. */
      left[i] = rest > 0.0 ? rest : rest <= 0.0 ? 0.0 : left[i];
      sum += weight ? weight[i] * left[i] : left[i];
    }
    sums[k] = sum;
  }
}

/* At most BLOCKS: fewer where a block is much work. */
static size_t blocks_a_poll(const reconstruction *r) {
  const double n = (double)r->landmarks.count;
  const double each = BLOCK * n * (2.0 * (double)r->x->columns + n + 16.0);
  return (size_t)turns_a_poll(r->exec, r->exec->threads, BLOCKS, BLOCKS * each);
}

void reconstruction_errors(reconstruction *r, double *error) {
  const size_t n = r->landmarks.count, all = r->x->rows, apart = own_memory(r, n);
  points_kernel(r->exec, &r->landmarks, &r->landmarks, r->bandwidth, r->factor,
                r->landmarks.length);
  cholesky(r->exec, n, r->landmarks.length, 0, DEPENDENT_KERNEL, 1, r->factor);
  memset(error, 0, n * sizeof *error);
  const size_t most = BLOCK * blocks_a_poll(r);
  for (size_t start = 0; start < all; start += most) {
    const size_t rows = all - start < most ? all - start : most;
    const ptrdiff_t blocks = (ptrdiff_t)((rows + BLOCK - 1) / BLOCK);
    const double each = 2.0 * (double)r->x->columns + (double)n + 16.0;
    const int threads = threads_for(r->exec, (double)rows * (double)n * each);
    poll_user(r->exec);
    PARALLEL_FOR(threads, schedule(dynamic))
    for (ptrdiff_t b = 0; b < blocks; b++) {
      const size_t from = (size_t)b * BLOCK, count = rows - from < BLOCK ? rows - from : BLOCK;
      const arena own = {r->own + (size_t)THREAD_INDEX() * apart, 0};
      block_sums(r, start + from, count, own, r->sums + (size_t)b * n);
    }
    for (size_t b = 0; b < (size_t)blocks; b++) {
      for (size_t k = 0; k < n; k++) error[k] += r->sums[b * n + k];
    }
  }
}
