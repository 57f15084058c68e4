#include "response.h"

#include <math.h>
#include <string.h>

#include "adam.h"
#include "core/algebra/linear.h"

#define TINY 1e-12 /* of a second moment: where a gradient is 0 nothing moves */

static matrix take(arena *memory, size_t rows, size_t columns) {
  const size_t stride = padded(columns);
  return matrix_on(arena_take(memory, rows * stride), rows, columns, stride);
}

static void clear(matrix m) { memset(m.x, 0, m.rows * m.stride * sizeof *m.x); }

void response_layout(response *r, arena *memory, const executor *exec, const observations *x,
                     response_shape shape) {
  const size_t d = x->columns, n = shape.n, outputs = shape.outputs, length = padded(n),
               m = n + (shape.trend ? d : 0);
  r->shape = shape;
  r->rows = *x;
  r->m = m;
  double *now = arena_take(memory, points_size(n, d)),
         *sums = arena_take(memory, points_size(n, d));
  metric_layout(&r->metric, memory, shape.moves_metric, d, shape.most);
  r->weights = take(memory, m + 1, outputs);
  r->landmark.first = arena_take(memory, d * length);
  r->landmark.second = arena_take(memory, length);
  r->weight.first = arena_take(memory, (m + 1) * padded(outputs));
  r->weight.second = arena_take(memory, (m + 1) * padded(outputs));
  r->factor = take(memory, m, m);
  r->whitened = take(memory, m + 1, outputs);
  r->slope = take(memory, m + 1, outputs);
  r->across = take(memory, outputs, n);
  r->tilt = take(memory, m - n, outputs);
  r->phi = take(memory, shape.most, n);
  r->h = take(memory, shape.most, m);
  r->scores = take(memory, shape.most, outputs);
  r->tile = arena_take(memory, x->kind == ROWS_SPARSE ? 0 : n * padded(d));
  r->vector = arena_take(memory, d);
  r->share = arena_take(memory, 2 * length);
  pace_start(&r->pace, exec);
  if (!memory->base) return;
  r->now = points_on(now, n, d);
  r->sums = points_on(sums, n, d);
  clear(r->weights);
  clear(r->whitened);
  clear(r->slope);
  clear(r->across);
  clear(r->tilt);
  clear(r->scores);
  clear(r->factor);
}

/* Consecutive rows, as the kernel sees them. */
static observations rows_from(response *r, size_t first, size_t count) {
  observations x = r->rows;
  x.rows = count;
  if (x.weight) x.weight += first;
  x.norm += first;
  if (x.kind == ROWS_SPARSE) {
    x.start += first;
  } else {
    x.real += first * padded(x.columns);
  }
  return r->shape.moves_metric ? metric_rows(&r->pace.exec, &r->metric, &x) : x;
}

/* The rows of a batch as a matrix, of which a trend takes the columns. */
static matrix rows_matrix(const observations *x) {
  return matrix_on(x->real, x->rows, x->columns, padded(x->columns));
}

static double sum_of_weights(const observations *x) {
  double sum = 0.0;
  for (size_t i = 0; i < x->rows; i++) sum += x->weight ? x->weight[i] : 1.0;
  return sum;
}

/* What predicts the scores of some rows, side by side, times the roots of their weights. */
static matrix predictors(response *r, const observations *x) {
  const size_t n = r->shape.n;
  matrix phi = r->phi, all = r->h;
  phi.rows = all.rows = x->rows;
  features(&r->pace.exec, x, 0, x->rows, &r->now, GAUSSIAN_FEATURES, r->bandwidth, NULL, phi.x);
  for (size_t i = 0; i < x->rows; i++) {
    const double root = x->weight ? sqrt(x->weight[i]) : 1.0, *from = phi.x + i * phi.stride;
    double *to = all.x + i * all.stride;
    for (size_t l = 0; l < n; l++) to[l] = root * from[l];
    const double *row = r->m > n ? x->real + i * padded(x->columns) : NULL;
    for (size_t j = 0; j < r->m - n; j++) to[n + j] = root * r->unit[j] * row[j];
    for (size_t l = r->m; l < all.stride; l++) to[l] = 0.0;
  }
  return all;
}

/* How many rows tell F. */
static size_t enough_rows(const response *r) { return 2 * r->m > 2000 ? 2 * r->m : 2000; }

/* F, and V = F (W, A): from the first rows, as many as tell G. */
static void whiten(response *r) {
  const executor *exec = &r->pace.exec;
  const size_t m = r->m, most = r->shape.most, enough = enough_rows(r);
  const size_t rows = r->rows.rows < enough ? r->rows.rows : enough;
  double total = 0.0;
  for (size_t first = 0; first < rows; first += most) {
    const observations x = rows_from(r, first, rows - first < most ? rows - first : most);
    const matrix all = predictors(r, &x);
    gram(exec, all, all, first > 0, r->factor);
    total += sum_of_weights(&x);
  }
  double *f = r->factor.x;
  const size_t length = r->factor.stride;
  for (size_t k = 0; k < m; k++) {
    for (size_t l = 0; l < m; l++) f[k * length + l] /= total;
    /* As if one row more had each feature alone: rows that were not looked at, outliers among them,
     * then see steps of a size that is bounded. */
    f[k * length + k] += total > 0.0 ? 1.0 / total : 1.0;
  }
  cholesky(exec, m, length, 0, 1e-14, 1, f);
  /* V. */
  const size_t wide = r->weights.stride;
  for (size_t k = 0; k < m; k++) {
    double *v = r->whitened.x + k * wide;
    memset(v, 0, wide * sizeof *v);
    if (isinf(f[k * length + k])) continue;
    for (size_t l = k; l < m; l++) {
      const double along = f[k * length + l], *w = r->weights.x + l * wide;
      if (isinf(f[l * length + l])) continue;
      for (size_t o = 0; o < r->shape.outputs; o++) v[o] += along * w[o];
    }
  }
  memcpy(r->whitened.x + m * wide, r->weights.x + m * wide, wide * sizeof(double));
}

/* W and A of V. */
static void weights_of(response *r) {
  memcpy(r->weights.x, r->whitened.x, (r->m + 1) * r->weights.stride * sizeof(double));
  cholesky_solve_back(&r->pace.exec, r->factor,
                      matrix_block(r->weights, 0, 0, r->m, r->shape.outputs));
}

/* Scores of some rows, whose features are `phi`. */
static void predict(response *r, const observations *x, matrix phi, matrix scores) {
  const executor *exec = &r->pace.exec;
  const size_t n = r->shape.n, outputs = r->shape.outputs, wide = scores.stride;
  multiply_rows(exec, phi, matrix_block(r->weights, 0, 0, n, outputs), 0, scores);
  for (size_t j = 0; j < r->tilt.rows; j++) {
    const double *a = r->weights.x + (n + j) * wide;
    for (size_t k = 0; k < outputs; k++) r->tilt.x[j * wide + k] = r->unit[j] * a[k];
  }
  if (r->tilt.rows) multiply_rows(exec, rows_matrix(x), r->tilt, 1, scores);
  const double *intercept = r->weights.x + r->m * wide;
  for (size_t i = 0; i < x->rows; i++) {
    for (size_t k = 0; k < outputs; k++) scores.x[i * wide + k] += intercept[k];
  }
}

/* The gradient by the weights in r->slope, from the residuals: not yet in V's coordinates. */
static void slope_of_weights(response *r, const observations *x, matrix phi, matrix residuals,
                             double total) {
  const executor *exec = &r->pace.exec;
  const size_t n = r->shape.n, m = r->m, outputs = r->shape.outputs, wide = residuals.stride;
  multiply_transposed(exec, phi, residuals, 0, matrix_block(r->slope, 0, 0, n, outputs));
  if (m > n) {
    const matrix trend = matrix_block(r->slope, n, 0, m - n, outputs);
    multiply_transposed(exec, rows_matrix(x), residuals, 0, trend);
    for (size_t j = 0; j < m - n; j++) {
      for (size_t k = 0; k < outputs; k++) trend.x[j * wide + k] *= r->unit[j];
    }
  }
  double *last = r->slope.x + m * wide;
  memset(last, 0, wide * sizeof *last);
  for (size_t i = 0; i < x->rows; i++) {
    for (size_t k = 0; k < outputs; k++) last[k] += residuals.x[i * wide + k];
  }
  for (size_t l = 0; l <= m; l++) {
    for (size_t k = 0; k < outputs; k++) r->slope.x[l * wide + k] /= total;
  }
}

/* By the relevances, of H with its sums: what the kernel gives, and the trend. */
static void slope_of_metric(response *r, const observations *x, matrix h, const double *sum,
                            double total) {
  if (!r->shape.moves_metric) return;
  const size_t n = r->shape.n, wide = r->weights.stride;
  metric_gradient(&r->metric, x, h, &r->now, &r->sums, sum, -2.0 / (r->bandwidth * total));
  for (size_t j = 0; j < r->m - n; j++) {
    const double *a = r->weights.x + (n + j) * wide, *s = r->slope.x + (n + j) * wide;
    for (size_t k = 0; k < r->shape.outputs; k++) r->metric.slope[j] += a[k] * s[k];
  }
}

/* The mean loss of some rows, whose weights sum to `total`, and its gradient: by the weights in
 * r->slope, in V's coordinates; by the landmarks in r->sums; by log eta. */
static double gradient(response *r, const observations *x, const double *y, double total,
                       double *bandwidth) {
  const executor *exec = &r->pace.exec;
  const size_t n = r->shape.n, m = r->m, length = r->phi.stride, wide = r->scores.stride;
  const size_t rows = x->rows, outputs = r->shape.outputs;
  matrix phi = r->phi, scores = r->scores;
  phi.rows = scores.rows = rows;
  const matrix h = matrix_on(r->h.x, rows, n, length);
  features(exec, x, 0, rows, &r->now, GAUSSIAN_FEATURES, r->bandwidth, NULL, phi.x);
  predict(r, x, phi, scores);
  const matrix truth = matrix_on(y, rows, outputs, wide);
  const double loss = loss_residuals(r->loss, x->weight, truth, scores) / total;
  slope_of_weights(r, x, phi, scores, total);
  /* By the landmarks. */
  for (size_t k = 0; k < outputs; k++) {
    for (size_t l = 0; l < n; l++) r->across.x[k * length + l] = r->weights.x[l * wide + k];
  }
  multiply_rows(exec, scores, r->across, 0, h);
  double *sum = r->share, *norms = r->share + length;
  memset(sum, 0, 2 * length * sizeof *sum);
  for (size_t i = 0; i < rows; i++) {
    const double *restrict p = phi.x + i * length, norm = x->norm[i];
    double *restrict hi = h.x + i * length;
    for (size_t l = 0; l < n; l++) {
      hi[l] *= p[l];
      sum[l] += hi[l];
      norms[l] += hi[l] * norm;
    }
  }
  weighted_sums(exec, x, h.x, length, 0, r->tile, &r->sums);
  slope_of_metric(r, x, h, sum, total);
  *bandwidth = 0.0;
  const double scale = 2.0 / (r->bandwidth * total);
  for (size_t l = 0; l < n; l++) *bandwidth += norms[l] + sum[l] * r->now.norm[l];
  for (size_t j = 0; j < x->columns; j++) {
    double *s = r->sums.x + j * r->sums.length;
    const double *t = r->now.x + j * r->now.length;
    for (size_t l = 0; l < n; l++) {
      *bandwidth -= 2.0 * s[l] * t[l];
      s[l] = scale * (s[l] - sum[l] * t[l]);
    }
  }
  *bandwidth /= r->bandwidth * total;
  if (space_rules[r->space->kind].is_unit) space_tangent(r->space, &r->now, &r->sums, sum);
  for (size_t l = 0; l < m; l++) {
    for (size_t k = 0; k < outputs; k++) {
      r->slope.x[l * wide + k] += r->penalty * r->weights.x[l * wide + k];
    }
  }
  cholesky_solve(exec, r->factor, 0, 0, matrix_block(r->slope, 0, 0, m, outputs));
  return loss;
}

static void add_moments(adam *a, size_t i, double slope) {
  a->first[i] = adam_first(a->first[i], slope);
  a->second[i] = adam_second(a->second[i], slope * slope);
}

static void step(response *r, double rate, double pull, double by_bandwidth) {
  const size_t n = r->shape.n, held = r->shape.held, wide = r->weights.stride;
  const size_t length = r->now.length, d = r->now.columns;
  r->steps += 1.0;
  const double first = 1.0 / (1.0 - pow(ADAM_KEPT, r->steps)),
               second = 1.0 / (1.0 - pow(ADAM_KEPT_SECOND, r->steps));
  const double by = pull * rate * first;
  for (size_t l = 0; l <= r->m; l++) {
    for (size_t i = l * wide; i < l * wide + r->shape.outputs; i++) {
      add_moments(&r->weight, i, r->slope.x[i]);
      r->whitened.x[i] -= by * r->weight.first[i] / (sqrt(second * r->weight.second[i]) + TINY);
    }
  }
  double *size = r->share;
  memset(size, 0, length * sizeof *size);
  for (size_t j = 0; j < d; j++) {
    const double *s = r->sums.x + j * length;
    double *m = r->landmark.first + j * length;
    for (size_t l = 0; l < n; l++) {
      size[l] += s[l] * s[l];
      m[l] = adam_first(m[l], s[l]);
    }
  }
  for (size_t l = 0; l < n; l++) {
    double *v = &r->landmark.second[l];
    *v = adam_second(*v, size[l]);
    const int moves = l >= held && *v > 0.0;
    size[l] = moves ? rate * sqrt(r->bandwidth) * first / sqrt(second * *v) : 0.0;
  }
  for (size_t j = 0; j < d; j++) {
    const double *m = r->landmark.first + j * length;
    double *t = r->now.x + j * length;
    for (size_t l = held; l < n; l++) t[l] -= size[l] * m[l];
  }
  space seen = *r->space;
  if (r->shape.moves_metric) {
    metric_step(&r->metric, rate, first, second, &r->now);
    seen = metric_space(&r->metric, r->space);
  }
  space_project(&seen, &r->now, held, r->vector);
  if (!r->moves_bandwidth) return;
  adam b = {&r->moment[0], &r->moment[1]};
  add_moments(&b, 0, by_bandwidth);
  const double far = by * r->moment[0] / (sqrt(second * r->moment[1]) + TINY);
  r->bandwidth = fmin(fmax(r->bandwidth * exp(-far), r->narrowest), r->widest);
}

double response_pass(response *r, size_t batch, const double *rate, double pull) {
  double loss = 0.0, total = 0.0;
  if (r->stale == 0 || r->stale >= enough_rows(r)) {
    whiten(r);
    weights_of(r);
    r->stale = 0;
  }
  r->stale += r->rows.rows;
  for (size_t first = 0, s = 0; first < r->rows.rows; first += batch, s++) {
    const size_t left = r->rows.rows - first, count = left < batch ? left : batch;
    const observations x = rows_from(r, first, count);
    if (r->pace.exec.poll) r->pace.exec.poll();
    pace_turn(&r->pace, 1);
    const double weight = sum_of_weights(&x);
    double by_bandwidth = 0.0;
    if (weight > 0.0) {
      loss += weight * gradient(r, &x, r->y.x + first * r->y.stride, weight, &by_bandwidth);
      step(r, rate[s], pull, by_bandwidth);
      weights_of(r);
    }
    total += weight;
    pace_note(&r->pace, 4.0 * (double)count * (double)(r->shape.n * x.columns));
  }
  return loss / total;
}
