/* The gradient of a batch, in two parallel regions: over chunks of rows, whose sums are added in
 * their order, and over slices of columns. Neither depends on the number of threads. */
#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/data/weighted_sums.h"
#include "response.h"

#define TILE 128       /* rows whose features are used while they are in the cache */
#define MOST_CHUNKS 16 /* of a batch, each with sums of its own */
#define SLICE 48       /* columns that a thread takes at a time */

static size_t chunks_of(size_t rows) {
  const size_t tiles = (rows + TILE - 1) / TILE;
  return tiles < MOST_CHUNKS ? tiles : MOST_CHUNKS;
}

/* What a chunk adds: 1'H and norms'H; its loss; and the gradient by the weights. */
static size_t sums_size(const response *r) {
  return 2 * padded(r->shape.n) + VECTOR_DOUBLES + (r->m + 1) * padded(r->shape.outputs);
}

typedef struct {
  double *h, *norms, *loss;
  matrix slope;
} chunk_sums;

static chunk_sums sums_of(const response *r, size_t chunk) {
  const size_t ld = padded(r->shape.n), outputs = r->shape.outputs;
  double *at = r->chunks + chunk * sums_size(r);
  const chunk_sums sums = {
      at, at + ld, at + 2 * ld,
      matrix_on(at + 2 * ld + VECTOR_DOUBLES, r->m + 1, outputs, padded(outputs))};
  return sums;
}

void gradient_layout(response *r, arena *memory) {
  r->chunks = arena_take(memory, chunks_of(r->shape.most) * sums_size(r));
  r->row_sum = arena_take(memory, r->shape.most);
  r->by_column = arena_take(memory, r->rows.columns);
}

/* The rows of a batch as a matrix, of which a trend takes the columns. */
static matrix rows_matrix(const observations *x) {
  return matrix_on(x->real, x->rows, x->columns, padded(x->columns));
}

/* Scores of some rows, whose features are `phi`. */
static void predict(const response *r, const executor *alone, const observations *x, matrix phi,
                    matrix scores) {
  const size_t n = r->shape.n, outputs = r->shape.outputs, wide = scores.stride;
  gemm_nn(alone, phi, matrix_block(r->weights, 0, 0, n, outputs), 0, scores);
  if (r->tilt.rows) gemm_nn(alone, rows_matrix(x), r->tilt, 1, scores);
  const double *intercept = r->weights.x + r->m * wide;
  for (size_t i = 0; i < x->rows; i++) {
    for (size_t k = 0; k < outputs; k++) scores.x[i * wide + k] += intercept[k];
  }
}

/* Adds the gradient by the weights: of W, A and b, before units and totals. */
static void add_slope(const response *r, const executor *alone, const observations *x, matrix phi,
                      matrix residuals, matrix slope) {
  const size_t n = r->shape.n, m = r->m, outputs = r->shape.outputs, wide = residuals.stride;
  gemm_tn(alone, phi, residuals, 1, matrix_block(slope, 0, 0, n, outputs));
  if (m > n) {
    const matrix trend = matrix_block(slope, n, 0, m - n, outputs);
    gemm_tn(alone, rows_matrix(x), residuals, 1, trend);
  }
  double *last = slope.x + m * wide;
  for (size_t i = 0; i < x->rows; i++) {
    for (size_t k = 0; k < outputs; k++) last[k] += residuals.x[i * wide + k];
  }
}

/* H of some rows, in place of R W', with its sums. */
static void finish_h(const response *r, const observations *x, size_t first, matrix psi, matrix h,
                     const chunk_sums *sums) {
  const size_t n = r->shape.n;
  double *restrict sum = sums->h, *restrict norms = sums->norms;
  for (size_t i = 0; i < x->rows; i++) {
    const double *restrict p = psi.x + i * psi.stride, norm = x->norm[i];
    double *restrict hi = h.x + i * h.stride;
    double all = 0.0;
    for (size_t l = 0; l < n; l++) {
      hi[l] *= p[l];
      sum[l] += hi[l];
      norms[l] += hi[l] * norm;
      all += hi[l];
    }
    r->row_sum[first + i] = all;
  }
}

static void gradient_of_chunk(response *r, const observations *x, const double *y, size_t from,
                              size_t to, const chunk_sums *sums) {
  const executor alone = one_thread(&r->pace.exec);
  const size_t n = r->shape.n, outputs = r->shape.outputs;
  const observations seen = response_seen(r, x);
  memset(sums->h, 0, sums_size(r) * sizeof(double));
  for (size_t first = from; first < to; first += TILE) {
    const size_t rows = to - first < TILE ? to - first : TILE;
    const observations some = r->shape.projects ? observations_some(&seen, first, rows)
                                                : response_rows(r, x, first, rows);
    const matrix phi = matrix_block(r->phi, first, 0, rows, n),
                 psi = matrix_block(r->psi, first, 0, rows, n),
                 h = matrix_on(r->h.x + first * phi.stride, rows, n, phi.stride),
                 scores = matrix_block(r->scores, first, 0, rows, outputs),
                 truth = matrix_on(y + first * scores.stride, rows, outputs, scores.stride);
    const radial_kernel k = {r->bandwidth, r->shape.profile};
    if (!r->shape.projects) {
      features(&alone, &some, 0, rows, &r->now, &k, NULL, phi.x, psi.x == phi.x ? NULL : psi.x);
    }
    predict(r, &alone, &some, phi, scores);
    *sums->loss += loss_residuals(r->loss, some.weight, truth, scores);
    add_slope(r, &alone, &some, phi, scores, sums->slope);
    gemm_nn(&alone, scores, r->across, 0, h);
    finish_h(r, &some, first, psi, h, sums);
  }
}

static void chunk_turn(response *r, const observations *x, const double *y, size_t chunks,
                       ptrdiff_t turn) {
  const chunk_sums sums = sums_of(r, (size_t)turn);
  gradient_of_chunk(r, x, y, x->rows * (size_t)turn / chunks, x->rows * ((size_t)turn + 1) / chunks,
                    &sums);
}

/* The first region. The sums of all chunks are added to those of the first; W' stands in
 * r->across, and units times A in r->tilt. */
static chunk_sums over_rows(response *r, const observations *x, const double *y) {
  const size_t n = r->shape.n, d = x->columns, outputs = r->shape.outputs, rows = x->rows,
               chunks = chunks_of(rows), size = sums_size(r), wide = r->weights.stride;
  for (size_t k = 0; k < outputs; k++) {
    for (size_t l = 0; l < n; l++)
      r->across.x[k * r->across.stride + l] = r->weights.x[l * wide + k];
  }
  for (size_t j = 0; j < r->tilt.rows; j++) {
    const double *a = r->weights.x + (n + j) * wide;
    for (size_t k = 0; k < outputs; k++) r->tilt.x[j * wide + k] = r->unit[j] * a[k];
  }
  const double work = (double)rows * (double)(n * (2 * d + 6 * outputs + 16) +
                                              4 * d * outputs * (size_t)r->shape.trend);
  const int threads = threads_for(&r->pace.exec, work);
  SHARE_TURNS(threads, c, 0, (ptrdiff_t)chunks, chunk_turn(r, x, y, chunks, c));
  for (size_t c = 1; c < chunks; c++) {
    const double *more = r->chunks + c * size;
    for (size_t i = 0; i < size; i++) r->chunks[i] += more[i];
  }
  return sums_of(r, 0);
}

/* By the landmarks in columns [from, to), of H'X there; their part of the gradient by log eta, and
 * by the relevances: -2 sum_l t_l (H'X)_l, a number for each column. */
static void finish_columns(response *r, const observations *x, size_t from, size_t to,
                           const double *sum, double total) {
  const size_t n = r->shape.n, ld = r->now.ld;
  const double scale = 2.0 / (r->bandwidth * total);
  if (r->shape.moves_metric) metric_squares(&r->metric, x, r->row_sum, from, to);
  for (size_t j = from; j < to; j++) {
    double *restrict s = r->sums.x + j * ld, with = 0.0, own = 0.0;
    const double *restrict t = r->now.x + j * ld;
    for (size_t l = 0; l < n; l++) {
      with += s[l] * t[l];
      own += sum[l] * t[l] * t[l];
      s[l] = scale * (s[l] - sum[l] * t[l]);
    }
    r->by_column[j] = -2.0 * with;
    if (r->shape.moves_metric) {
      r->metric.slope[j] = -scale * (r->metric.slope[j] - 2.0 * with + own);
    }
  }
}

/* `x`: the rows as the kernel sees them. */
static void slice_turn(response *r, const observations *x, const double *sum, double total,
                       ptrdiff_t turn) {
  const size_t d = x->columns, ld = r->now.ld, from = (size_t)turn * SLICE,
               to = d - from < SLICE ? d : from + SLICE;
  if (x->kind != ROWS_SPARSE) {
    /* X'H, as points are stored. */
    const block_product product = {.rows = to - from,
                                   .columns = r->shape.n,
                                   .depth = x->rows,
                                   .a = x->real + from,
                                   .a_row = 1,
                                   .a_col = padded(d),
                                   .b = r->h.x,
                                   .b_row = r->phi.stride,
                                   .c = r->sums.x + from * ld,
                                   .c_row = ld,
                                   .accumulate = 0};
    r->pace.exec.variant->multiply(&product);
  }
  finish_columns(r, x, from, to, sum, total);
}

/* The second region: the gradient by the landmarks, in r->sums. */
static void over_columns(response *r, const observations *x, const double *sum, double total) {
  const executor *exec = &r->pace.exec;
  const size_t n = r->shape.n, d = x->columns;
  const observations seen = response_seen(r, x);
  if (x->kind == ROWS_SPARSE) weighted_sums(exec, x, r->h.x, r->phi.stride, 0, NULL, &r->sums);
  const ptrdiff_t slices = (ptrdiff_t)((d + SLICE - 1) / SLICE);
  const int threads = threads_for(exec, 2.0 * (double)(x->rows * n) * (double)d);
  SHARE_TURNS(threads, s, 0, slices, slice_turn(r, &seen, sum, total, s));
}

/* The gradient by the weights, from its sums: with units and the penalty, in V's coordinates. And
 * by the relevances, what the trend adds. */
static void finish_slope(response *r, matrix from, double total) {
  const size_t n = r->shape.n, m = r->m, outputs = r->shape.outputs, wide = from.stride;
  for (size_t l = 0; l <= m; l++) {
    const double by = (l >= n && l < m ? r->unit[l - n] : 1.0) / total;
    for (size_t k = 0; k < outputs; k++) r->slope.x[l * wide + k] = by * from.x[l * wide + k];
  }
  for (size_t j = 0; r->shape.moves_metric && j < m - n; j++) {
    const double *a = r->weights.x + (n + j) * wide, *s = r->slope.x + (n + j) * wide;
    for (size_t k = 0; k < outputs; k++) r->metric.slope[j] += a[k] * s[k];
  }
  for (size_t l = 0; l < m; l++) {
    for (size_t k = 0; k < outputs; k++) {
      r->slope.x[l * wide + k] += r->penalty * r->weights.x[l * wide + k];
    }
  }
  if (!r->shape.projects) {
    potrs(&r->pace.exec, r->factor, 0, 0, matrix_block(r->slope, 0, 0, m, outputs));
  }
}

double response_gradient(response *r, const observations *x, const double *y, double total,
                         double *bandwidth) {
  const chunk_sums sums = over_rows(r, x, y);
  over_columns(r, x, sums.h, total);
  finish_slope(r, sums.slope, total);
  *bandwidth = 0.0;
  for (size_t l = 0; l < r->shape.n; l++) {
    *bandwidth += sums.norms[l] + sums.h[l] * r->now.norm[l];
  }
  for (size_t j = 0; j < x->columns; j++) *bandwidth += r->by_column[j];
  *bandwidth /= r->bandwidth * total;
  if (space_rules[r->space->kind].is_unit) space_tangent(r->space, &r->now, &r->sums, sums.norms);
  return *sums.loss / total;
}
