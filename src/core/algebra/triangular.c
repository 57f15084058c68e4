#include "triangular.h"

#include <string.h>

#include "core/base/eight.h"
#include "products.h"

#define LEAF 8  /* columns that are solved by a product with an inverse */
#define TILE 64 /* rows of a turn */

void triangular_layout(triangular *t, arena *memory, size_t n) {
  t->n = n;
  t->ld = padded(n);
  t->upper = arena_take(memory, n * t->ld);
  t->lower = arena_take(memory, n * t->ld);
  t->inverse = arena_take(memory, n * LEAF);
  t->transposed = arena_take(memory, n * LEAF);
}

void triangular_prepare(triangular *t) {
  const size_t n = t->n, ld = t->ld;
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < ld; i++) {
      t->lower[k * ld + i] = i <= k ? t->upper[i * ld + k] : 0.0;
    }
  }
  memset(t->inverse, 0, n * LEAF * sizeof *t->inverse);
  memset(t->transposed, 0, n * LEAF * sizeof *t->transposed);
  for (size_t from = 0; from < n; from += LEAF) {
    const size_t size = n - from < LEAF ? n - from : LEAF;
    const double *r = t->upper + from * ld + from;
    double *inverse = t->inverse + from * LEAF;
    for (size_t k = 0; k < size; k++) {
      inverse[k * LEAF + k] = 1.0 / r[k * ld + k];
      for (size_t i = 0; i < k; i++) {
        double sum = 0.0;
        for (size_t j = i; j < k; j++) sum += inverse[i * LEAF + j] * r[j * ld + k];
        inverse[i * LEAF + k] = -sum * inverse[k * LEAF + k];
      }
      for (size_t i = 0; i <= k; i++) {
        t->transposed[(from + k) * LEAF + i] = inverse[i * LEAF + k];
      }
    }
  }
}

/* c (+)= a b for some columns of rows that are `stride` apart, all of one thread. */
static void product_of(const executor *exec, size_t rows, size_t depth, size_t columns,
                       const double *a, size_t a_row, const double *b, size_t b_row, double *c,
                       size_t c_row, int accumulate) {
  const block_product product = {rows, columns, depth, a, a_row, 1, b, b_row, c, c_row, accumulate};
  exec->variant->multiply(&product);
}

/* The block of at most LEAF columns at `from`, by its inverse. */
static void solve_leaf(const executor *exec, const double *inverse, matrix x, size_t from,
                       size_t columns) {
  double out[TILE * LEAF];
  product_of(exec, x.rows, columns, columns, x.x + from, x.stride, inverse + from * LEAF, LEAF, out,
             LEAF, 0);
  for (size_t i = 0; i < x.rows; i++) {
    memcpy(x.x + i * x.stride + from, out + i * LEAF, columns * sizeof *out);
  }
}

/* Half of `columns`, in whole leaves. */
static size_t half_of(size_t columns) { return (columns / 2 + LEAF - 1) / LEAF * LEAF; }

/* Columns [from, from + columns), those before having been taken out. */
static void solve_block(const executor *exec, const triangular *t, matrix x, size_t from,
                        size_t columns) {
  if (columns <= LEAF) {
    solve_leaf(exec, t->inverse, x, from, columns);
    return;
  }
  const size_t left = half_of(columns), right = columns - left, middle = from + left;
  solve_block(exec, t, x, from, left);
  product_of(exec, x.rows, left, right, x.x + from, x.stride, t->upper + from * t->ld + middle,
             t->ld, x.x + middle, x.stride, -1);
  solve_block(exec, t, x, middle, right);
}

/* The same from the last columns to the first. */
static void solve_block_back(const executor *exec, const triangular *t, matrix x, size_t from,
                             size_t columns) {
  if (columns <= LEAF) {
    solve_leaf(exec, t->transposed, x, from, columns);
    return;
  }
  const size_t left = half_of(columns), right = columns - left, middle = from + left;
  solve_block_back(exec, t, x, middle, right);
  product_of(exec, x.rows, right, left, x.x + middle, x.stride, t->lower + middle * t->ld + from,
             t->ld, x.x + from, x.stride, -1);
  solve_block_back(exec, t, x, from, left);
}

typedef struct {
  const executor *exec;
  const triangular *t;
  matrix x;
  double *sums;
  size_t from; /* back: the first column that is wanted, in whole leaves */
} row_solve;

static void solve_tile(const row_solve *s, int back, ptrdiff_t turn) {
  const size_t first = (size_t)turn * TILE, left = s->x.rows - first;
  const matrix x = matrix_block(s->x, first, 0, left < TILE ? left : TILE, s->x.columns);
  if (back) {
    solve_block_back(s->exec, s->t, x, s->from, s->t->n - s->from);
    return;
  }
  solve_block(s->exec, s->t, x, 0, s->t->n);
  if (!s->sums) return;
  eight sum = {0};
  double rest = 0.0;
  const size_t whole = s->t->n - s->t->n % EIGHT;
  for (size_t i = 0; i < x.rows; i++) {
    const double *b = x.x + i * x.stride;
    for (size_t k = 0; k < whole; k += EIGHT) eight_add_products(&sum, b + k, b + k);
    for (size_t k = whole; k < s->t->n; k++) rest += b[k] * b[k];
  }
  s->sums[turn] = eight_sum(&sum) + rest;
}

static void solve_tiles(const row_solve *s, int back) {
  const size_t n = s->t->n - s->from;
  if (n == 0) return;
  const ptrdiff_t tiles = (ptrdiff_t)solve_rows_sums(s->x.rows);
  const double operations = (double)s->x.rows * (double)n * (double)(n + 16);
  const int threads = threads_for(s->exec, operations);
  stretch part = stretches(s->exec, threads, tiles, operations);
  while (next_stretch(s->exec, &part)) {
    SHARE_TURNS(threads, k, part.begin, part.end, solve_tile(s, back, k));
  }
}

size_t solve_rows_sums(size_t rows) { return (rows + TILE - 1) / TILE; }

void solve_rows(const executor *exec, const triangular *t, matrix x, double *sums) {
  const row_solve s = {exec, t, x, sums, 0};
  solve_tiles(&s, 0);
}

void solve_rows_back(const executor *exec, const triangular *t, size_t from, matrix x) {
  const row_solve s = {exec, t, x, NULL, from - from % LEAF};
  solve_tiles(&s, 1);
}
