#include "linear.h"

#include <math.h>
#include <string.h>

#include "row.h"

#define BLOCK 32 /* rows of R that are factored at a time */

/* C (+)= op(A) B, of which a part is computed in each turn. */
typedef struct {
  const executor *exec;
  matrix a, b, c;
  int accumulate;
} whole_product;

#define SLICE 96 /* columns of C = A'B */

/* Rows of C in a turn. Wide strips read B less often, which takes long where a panel of it is
 * spread over many pages; of a small C there are more of narrow ones, which threads share better.
 * Of C = A'B: */
static size_t strip_rows(size_t rows) {
  return rows < 256 ? 16 : rows < 512 ? 32 : rows < 1000 ? 64 : 128;
}

/* Of C = A B: */
static size_t tile_rows(const matrix *b) { return b->columns < 1500 ? 64 : 256; }

/* C (+)= A'B as one product, of which a turn takes a part. */
static block_product transposed_product(const whole_product *p) {
  const block_product product = {.rows = p->a.columns,
                                 .columns = p->b.columns,
                                 .depth = p->a.rows,
                                 .a = p->a.x,
                                 .a_row = 1,
                                 .a_col = p->a.stride,
                                 .b = p->b.x,
                                 .b_row = p->b.stride,
                                 .c = p->c.x,
                                 .c_row = p->c.stride,
                                 .accumulate = p->accumulate};
  return product;
}

/* Rows [from, from + count) of C = A'B. */
static void take_rows(block_product *product, const whole_product *p, size_t from, size_t count) {
  product->rows = count;
  product->a += from;
  product->c += from * p->c.stride;
}

/* Rows of C = A'B on and below the diagonal; the longest strip comes first. */
static void gram_strip(const whole_product *p, ptrdiff_t last, ptrdiff_t turn) {
  const size_t n = p->a.columns, strip = strip_rows(n), from = (size_t)(last - turn) * strip,
               to = n - from < strip ? n : from + strip;
  block_product product = transposed_product(p);
  take_rows(&product, p, from, to - from);
  product.columns = to;
  p->exec->variant->multiply(&product);
}

void syrk(const executor *exec, matrix phi, matrix psi, int accumulate, matrix c) {
  const size_t rows = phi.rows, n = phi.columns;
  const size_t strip = strip_rows(n);
  const ptrdiff_t strips = (ptrdiff_t)((n + strip - 1) / strip);
  const double operations = (double)rows * (double)n * (double)n;
  const int threads = threads_for(exec, operations);
  const whole_product whole = {exec, phi, psi, c, accumulate};
  stretch part = stretches(exec, threads, strips, operations);
  while (next_stretch(exec, &part)) {
    SHARE_TURNS(threads, s, part.begin, part.end, gram_strip(&whole, strips - 1, s));
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = i + 1; j < n; j++) c.x[i * c.stride + j] = c.x[j * c.stride + i];
  }
}

static void tile_of_rows(const whole_product *p, ptrdiff_t turn) {
  const size_t tile = tile_rows(&p->b), rows = p->a.rows, from = (size_t)turn * tile;
  const block_product product = {.rows = rows - from < tile ? rows - from : tile,
                                 .columns = p->b.columns,
                                 .depth = p->a.columns,
                                 .a = p->a.x + from * p->a.stride,
                                 .a_row = p->a.stride,
                                 .a_col = 1,
                                 .b = p->b.x,
                                 .b_row = p->b.stride,
                                 .c = p->c.x + from * p->c.stride,
                                 .c_row = p->c.stride,
                                 .accumulate = p->accumulate};
  p->exec->variant->multiply(&product);
}

void gemm_nn(const executor *exec, matrix a, matrix b, int accumulate, matrix c) {
  const size_t tile = tile_rows(&b);
  const ptrdiff_t tiles = (ptrdiff_t)((a.rows + tile - 1) / tile);
  const double operations = 2.0 * (double)a.rows * (double)b.columns * (double)a.columns;
  const int threads = threads_for(exec, operations);
  const whole_product whole = {exec, a, b, c, accumulate};
  stretch part = stretches(exec, threads, tiles, operations);
  while (next_stretch(exec, &part)) {
    SHARE_TURNS(threads, s, part.begin, part.end, tile_of_rows(&whole, s));
  }
}

/* C = A'B is cut along its longer side, for threads and caches: by columns, where B passes each
 * thread once, or by rows. */
typedef struct {
  int by_columns;
  size_t side, slice; /* the length of that side, and of a slice */
} cut;

static cut cut_of(size_t rows, size_t columns) {
  const int by_columns = columns > rows;
  const cut c = {by_columns, by_columns ? columns : rows, by_columns ? SLICE : strip_rows(rows)};
  return c;
}

static ptrdiff_t slices_of(const cut *c) {
  return (ptrdiff_t)((c->side + c->slice - 1) / c->slice);
}

static size_t width_of(const cut *c, size_t from) {
  return c->side - from < c->slice ? c->side - from : c->slice;
}

static void slice_of_transposed(const whole_product *p, const cut *c, ptrdiff_t turn) {
  const size_t from = (size_t)turn * c->slice, width = width_of(c, from);
  block_product product = transposed_product(p);
  if (c->by_columns) {
    product.columns = width;
    product.b += from;
    product.c += from;
  } else {
    take_rows(&product, p, from, width);
  }
  p->exec->variant->multiply(&product);
}

void gemm_tn(const executor *exec, matrix a, matrix b, int accumulate, matrix c) {
  const whole_product whole = {exec, a, b, c, accumulate};
  const cut cuts = cut_of(a.columns, b.columns);
  const double operations = 2.0 * (double)a.columns * (double)b.columns * (double)a.rows;
  const int threads = threads_for(exec, operations);
  stretch part = stretches(exec, threads, slices_of(&cuts), operations);
  while (next_stretch(exec, &part)) {
    SHARE_TURNS(threads, s, part.begin, part.end, slice_of_transposed(&whole, &cuts, s));
  }
}

static void slice_of_single(const executor *exec, single_matrix a, single_matrix b, matrix to,
                            const cut *c, ptrdiff_t turn) {
  const size_t from = (size_t)turn * c->slice, width = width_of(c, from);
  const int by_columns = c->by_columns;
  const single_product product = {.rows = by_columns ? a.columns : width,
                                  .columns = by_columns ? width : b.columns,
                                  .depth = a.rows,
                                  .a = by_columns ? a.x : a.x + from,
                                  .a_row = 1,
                                  .a_col = a.stride,
                                  .b = by_columns ? b.x + from : b.x,
                                  .b_row = b.stride,
                                  .c = to.x + (by_columns ? from : from * to.stride),
                                  .c_row = to.stride,
                                  .accumulate = 0};
  exec->variant->multiply_single(&product);
}

void gemm_tn_single(const executor *exec, single_matrix a, single_matrix b, matrix c) {
  const cut cuts = cut_of(a.columns, b.columns);
  const double operations = 2.0 * (double)a.columns * (double)b.columns * (double)a.rows;
  const int threads = threads_for(exec, operations);
  stretch part = stretches(exec, threads, slices_of(&cuts), operations);
  while (next_stretch(exec, &part)) {
    SHARE_TURNS(threads, s, part.begin, part.end, slice_of_single(exec, a, b, c, &cuts, s));
  }
}

size_t cholesky(const executor *exec, size_t n, size_t ld, size_t from, double floor, int skip,
                double *r) {
  double done = 0.0;
  for (size_t k0 = 0; k0 < n; k0 += BLOCK) {
    const size_t k1 = n - k0 < BLOCK ? n : k0 + BLOCK;
    poll_by_work(exec, 2.0 * BLOCK * (double)k0 * (double)(n - (k0 > from ? k0 : from)), &done);
    const size_t left = k0 > from ? k0 : from; /* the first column that is new here */
    double diagonal[BLOCK];
    for (size_t k = k0; k < k1; k++) diagonal[k - k0] = r[k * ld + k];
    if (k0 > 0) {
      const block_product product = {.rows = k1 - k0,
                                     .columns = n - left,
                                     .depth = k0,
                                     .a = r + k0,
                                     .a_row = 1,
                                     .a_col = ld,
                                     .b = r + left,
                                     .b_row = ld,
                                     .c = r + k0 * ld + left,
                                     .c_row = ld,
                                     .accumulate = -1};
      exec->variant->multiply(&product);
    }
    for (size_t k = k0; k < k1; k++) {
      double *row = r + k * ld;
      const size_t first = k > left ? k : left;
      for (size_t i = k0; i < k; i++) {
        subtract_row(row + first, r + i * ld + first, r[i * ld + k], n - first);
      }
      if (k >= from) {
        const int dependent = !(row[k] > floor * diagonal[k - k0]);
        if (dependent && !skip) return k;
        row[k] = dependent ? INFINITY : sqrt(row[k]);
      }
      const size_t after = first > k ? first : k + 1;
      scale_row(row + after, 1.0 / row[k], n - after);
    }
  }
  return n;
}

/* Each solves for some columns of x, by one thread. */
static void forward_slice(const executor *exec, matrix of, size_t zero, matrix to) {
  const size_t n = of.rows, m = to.columns, ld = of.stride, x_length = to.stride;
  const double *r = of.x;
  double *x = to.x;
  const size_t start = zero - zero % BLOCK;
  for (size_t k0 = start; k0 < n; k0 += BLOCK) {
    const size_t k1 = n - k0 < BLOCK ? n : k0 + BLOCK;
    if (k0 > start) {
      const block_product product = {.rows = k1 - k0,
                                     .columns = m,
                                     .depth = k0 - start,
                                     .a = r + start * ld + k0,
                                     .a_row = 1,
                                     .a_col = ld,
                                     .b = x + start * x_length,
                                     .b_row = x_length,
                                     .c = x + k0 * x_length,
                                     .c_row = x_length,
                                     .accumulate = -1};
      exec->variant->multiply(&product);
    }
    for (size_t k = k0; k < k1; k++) {
      double *row = x + k * x_length;
      for (size_t i = k0; i < k; i++) subtract_row(row, x + i * x_length, r[i * ld + k], m);
      scale_row(row, 1.0 / r[k * ld + k], m);
    }
  }
}

static void back_slice(const executor *exec, matrix of, matrix to) {
  const size_t n = of.rows, m = to.columns, ld = of.stride, x_length = to.stride;
  const double *r = of.x;
  double *x = to.x;
  if (n == 0) return;
  for (size_t k0 = (n - 1) - (n - 1) % BLOCK;; k0 -= BLOCK) {
    const size_t k1 = n - k0 < BLOCK ? n : k0 + BLOCK;
    if (k1 < n) {
      const block_product product = {.rows = k1 - k0,
                                     .columns = m,
                                     .depth = n - k1,
                                     .a = r + k0 * ld + k1,
                                     .a_row = ld,
                                     .a_col = 1,
                                     .b = x + k1 * x_length,
                                     .b_row = x_length,
                                     .c = x + k0 * x_length,
                                     .c_row = x_length,
                                     .accumulate = -1};
      exec->variant->multiply(&product);
    }
    for (size_t k = k1; k-- > k0;) {
      double *row = x + k * x_length;
      for (size_t i = k + 1; i < k1; i++) subtract_row(row, x + i * x_length, r[k * ld + i], m);
      scale_row(row, 1.0 / r[k * ld + k], m);
    }
    if (k0 == 0) break;
  }
}

enum { FORWARD = 1, BACK = 2 };

/* Slices are whole cache lines, so no two threads write to one. */
static void solve_slice(const executor *exec, matrix r, int ways, size_t zero, matrix x,
                        size_t slice, ptrdiff_t turn) {
  const size_t c0 = (size_t)turn * slice, width = x.columns - c0 < slice ? x.columns - c0 : slice;
  const matrix some = matrix_block(x, 0, c0, r.rows, width);
  if (ways & FORWARD) forward_slice(exec, r, zero, some);
  if (ways & BACK) back_slice(exec, r, some);
}

static void solve_slices(const executor *exec, matrix r, int ways, size_t zero, matrix x) {
  const size_t slice = 24, n = r.rows, m = x.columns;
  const ptrdiff_t slices = (ptrdiff_t)((m + slice - 1) / slice);
  const double operations = (double)n * (double)n * (double)m;
  const int threads = threads_for(exec, operations);
  const double all = ways == (FORWARD | BACK) ? 2.0 * operations : operations;
  stretch part = stretches(exec, threads, slices, all);
  while (next_stretch(exec, &part)) {
    SHARE_TURNS(threads, s, part.begin, part.end, solve_slice(exec, r, ways, zero, x, slice, s));
  }
}

void potrs(const executor *exec, matrix r, int both, size_t zero, matrix x) {
  solve_slices(exec, r, both ? FORWARD | BACK : FORWARD, zero, x);
}

void cholesky_solve_back(const executor *exec, matrix r, matrix x) {
  solve_slices(exec, r, BACK, 0, x);
}

double cholesky_log_det(size_t n, size_t ld, const double *r) {
  double sum = 0.0;
  for (size_t k = 0; k < n; k++) sum += log(r[k * ld + k]);
  return 2.0 * sum;
}
