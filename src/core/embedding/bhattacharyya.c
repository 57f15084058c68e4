#include "bhattacharyya.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

/* Row length of the matrix that is factored: C, and t_i - t_j as one more column. */
static size_t bordered(size_t columns) { return padded(columns + 1); }

void bhattacharyya_layout(bhattacharyya *b, arena *memory, const executor *exec, size_t n,
                          size_t columns, int full) {
  const size_t ld = padded(columns);
  b->exec = exec;
  b->n = n;
  b->columns = columns;
  b->full = full;
  b->t = arena_take(memory, n * ld);
  b->covariance = arena_take(memory, full ? n * columns * columns : n * ld);
  b->half = arena_take(memory, full ? n : n * ld);
  b->scratch = NULL;
  if (full) {
    b->scratch = arena_take(memory, (size_t)exec->threads * (columns + 1) * bordered(columns));
  }
}

/* What 1 + excess[v] multiply up to, as a logarithm: one for all where that does
 * not overflow, because it takes far longer than the rest. */
static double log_product(const double *excess, size_t count) {
  double product = 1.0, sum = 0.0;
  for (size_t v = 0; v < count; v++) product *= 1.0 + excess[v];
  if (product < 1e300) return log(product);
  for (size_t v = 0; v < count; v++) sum += log1p(excess[v]);
  return sum;
}

/* With variances c and c' both parts of B are sums over columns,
 *
 *   (1/4) (t - t')^2 / (c + c')   and   (1/4) log(1 + (c - c')^2 / (4 c c')). */
static double of_variances(const bhattacharyya *b, size_t i, size_t j) {
  const size_t ld = padded(b->columns);
  const double *restrict ti = b->t + i * ld, *restrict tj = b->t + j * ld;
  const double *restrict ci = b->covariance + i * ld, *restrict cj = b->covariance + j * ld;
  const double *restrict hi = b->half + i * ld, *restrict hj = b->half + j * ld;
  double apart[VECTOR_DOUBLES] = {0}, excess[VECTOR_DOUBLES], logs = 0.0, sum = 0.0;
  for (size_t k = 0; k < ld; k += VECTOR_DOUBLES) {
#pragma omp simd
    for (size_t v = 0; v < VECTOR_DOUBLES; v++) {
      const double d = ti[k + v] - tj[k + v], c = ci[k + v] - cj[k + v];
      apart[v] += d * d / (ci[k + v] + cj[k + v]);
      excess[v] = c * hi[k + v] * (c * hj[k + v]);
    }
    logs += log_product(excess, VECTOR_DOUBLES);
  }
  for (size_t v = 0; v < VECTOR_DOUBLES; v++) sum += apart[v];
  return 0.25 * (sum + logs);
}

/* The factor of (C_i + C_j) / 2 with t_i - t_j as a last column: C = R'R, and
 * below the last column stands R'^-1 (t_i - t_j). Returns whether C is positive
 * definite. */
static int factor_mean(const bhattacharyya *b, size_t i, size_t j, double floor, double *r) {
  const size_t d = b->columns, ld = bordered(d), t_length = padded(d);
  const double *ci = b->covariance + i * d * d, *cj = b->covariance + j * d * d;
  for (size_t a = 0; a < d; a++) {
    double *row = r + a * ld;
    for (size_t c = a; c < d; c++) row[c] = 0.5 * (ci[a * d + c] + cj[a * d + c]);
    row[d] = b->t[i * t_length + a] - b->t[j * t_length + a];
  }
  /* The last row is not wanted: its pivot of 0 ends the work before it. */
  memset(r + d * ld, 0, ld * sizeof *r);
  const executor alone = one_thread(b->exec);
  return cholesky(&alone, d + 1, ld, 0, floor, 0, r) >= d;
}

static double of_matrices(const bhattacharyya *b, size_t i, size_t j, double *r) {
  const size_t d = b->columns, ld = bordered(d);
  if (!factor_mean(b, i, j, 0.0, r)) return INFINITY;
  double apart = 0.0;
  for (size_t a = 0; a < d; a++) apart += r[a * ld + d] * r[a * ld + d];
  const double logs = cholesky_log_det(d, ld, r) - 0.5 * (b->half[i] + b->half[j]);
  /* The logarithm is of at least 1. */
  return 0.125 * apart + 0.5 * (logs > 0.0 ? logs : 0.0);
}

/* log |C_i|, or what a pair of variances wants of each. */
static size_t prepare(bhattacharyya *b) {
  const size_t d = b->columns, ld = padded(d);
  for (size_t i = 0; i < b->n; i++) {
    if (b->full) {
      if (!factor_mean(b, i, i, DEPENDENT_SUM, b->scratch)) return i;
      b->half[i] = cholesky_log_det(d, bordered(d), b->scratch);
      continue;
    }
    double *c = b->covariance + i * ld, *half = b->half + i * ld;
    for (size_t k = 0; k < ld; k++) {
      if (k >= d) c[k] = 1.0;
      if (!(c[k] > 0.0)) return i;
      half[k] = 0.5 / c[k];
    }
  }
  return b->n;
}

size_t bhattacharyya_distances(bhattacharyya *b, double *out) {
  const size_t n = b->n, d = b->columns;
  const size_t sound = prepare(b);
  if (sound < n) return sound;
  const double work = b->full ? (double)d * (double)d * (double)d / 3.0 + 50.0 : 8.0 * (double)d;
  const int threads = threads_for(b->exec, 0.5 * (double)n * (double)n * work);
  const size_t block = 16 * (size_t)threads;
  for (size_t first = 0; first < n; first += block) {
    const ptrdiff_t end = (ptrdiff_t)(n - first < block ? n : first + block);
    PARALLEL_FOR(threads, schedule(dynamic))
    for (ptrdiff_t i = (ptrdiff_t)first; i < end; i++) {
      double *mine = NULL;
      if (b->full) mine = b->scratch + (size_t)THREAD_INDEX() * (d + 1) * bordered(d);
      double *row = out + (size_t)i * n;
      for (size_t j = 0; j < (size_t)i; j++) {
        row[j] = b->full ? of_matrices(b, (size_t)i, j, mine) : of_variances(b, (size_t)i, j);
      }
      row[i] = 0.0;
    }
    poll_user(b->exec);
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < i; j++) out[j * n + i] = out[i * n + j];
  }
  return n;
}
