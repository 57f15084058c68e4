#include "response.h"

#include <math.h>
#include <string.h>

#include "core/algebra/linear.h"

#define KEPT 0.9         /* of the first moment in a step */
#define KEPT_SECOND 0.99 /* of the second */
#define TINY 1e-12       /* of a second moment: where a gradient is 0 nothing moves */

static matrix take(arena *memory, size_t rows, size_t columns) {
  const size_t stride = padded(columns);
  return matrix_on(arena_take(memory, rows * stride), rows, columns, stride);
}

static void clear(matrix m) { memset(m.x, 0, m.rows * m.stride * sizeof *m.x); }

void response_layout(response *r, arena *memory, const executor *exec, const observations *x,
                     size_t held, size_t n, size_t outputs, size_t most) {
  const size_t d = x->columns, length = padded(n);
  r->rows = *x;
  r->held = held;
  r->n = n;
  r->outputs = outputs;
  r->most = most;
  double *now = arena_take(memory, points_size(n, d)),
         *sums = arena_take(memory, points_size(n, d));
  r->weights = take(memory, n + 1, outputs);
  r->landmark.first = arena_take(memory, d * length);
  r->landmark.second = arena_take(memory, length);
  r->weight.first = arena_take(memory, (n + 1) * padded(outputs));
  r->weight.second = arena_take(memory, (n + 1) * padded(outputs));
  r->factor = take(memory, n, n);
  r->whitened = take(memory, n + 1, outputs);
  r->slope = take(memory, n + 1, outputs);
  r->across = take(memory, outputs, n);
  r->phi = take(memory, most, n);
  r->h = take(memory, most, n);
  r->scores = take(memory, most, outputs);
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
  clear(r->scores);
  clear(r->factor);
}

static observations rows_from(const response *r, size_t first, size_t count) {
  observations x = r->rows;
  x.rows = count;
  if (x.weight) x.weight += first;
  x.norm += first;
  if (x.kind == ROWS_SPARSE) {
    x.start += first;
  } else {
    x.real += first * padded(x.columns);
  }
  return x;
}

static double sum_of_weights(const observations *x) {
  double sum = 0.0;
  for (size_t i = 0; i < x->rows; i++) sum += x->weight ? x->weight[i] : 1.0;
  return sum;
}

/* F, and V = F W: from the first rows, as many as tell G. */
static void whiten(response *r) {
  const executor *exec = &r->pace.exec;
  const size_t enough = 2 * r->n > 2000 ? 2 * r->n : 2000;
  const size_t rows = r->rows.rows < enough ? r->rows.rows : enough;
  double total = 0.0;
  for (size_t first = 0; first < rows; first += r->most) {
    const size_t count = rows - first < r->most ? rows - first : r->most;
    const observations x = rows_from(r, first, count);
    matrix phi = r->phi, weighted = r->phi;
    phi.rows = weighted.rows = count;
    features(exec, &x, 0, count, &r->now, GAUSSIAN_FEATURES, r->bandwidth, NULL, phi.x);
    if (x.weight) weighted.x = r->h.x;
    for (size_t i = 0; x.weight && i < count; i++) {
      for (size_t l = 0; l < phi.stride; l++) {
        weighted.x[i * phi.stride + l] = x.weight[i] * phi.x[i * phi.stride + l];
      }
    }
    gram(exec, phi, weighted, first > 0, r->factor);
    total += sum_of_weights(&x);
  }
  double *f = r->factor.x;
  const size_t n = r->n, length = r->factor.stride;
  for (size_t k = 0; k < n; k++) {
    for (size_t l = 0; l < n; l++) f[k * length + l] /= total;
    /* As if one row more had each feature alone: rows that were not looked at, outliers among them,
     * then see steps of a size that is bounded. */
    f[k * length + k] += total > 0.0 ? 1.0 / total : 1.0;
  }
  cholesky(exec, n, length, 0, 1e-14, 1, f);
  /* V. */
  const size_t wide = r->weights.stride;
  for (size_t k = 0; k < n; k++) {
    double *v = r->whitened.x + k * wide;
    memset(v, 0, wide * sizeof *v);
    if (isinf(f[k * length + k])) continue;
    for (size_t l = k; l < n; l++) {
      const double along = f[k * length + l], *w = r->weights.x + l * wide;
      if (isinf(f[l * length + l])) continue;
      for (size_t o = 0; o < r->outputs; o++) v[o] += along * w[o];
    }
  }
  memcpy(r->whitened.x + n * wide, r->weights.x + n * wide, wide * sizeof(double));
}

/* W of V. */
static void weights_of(response *r) {
  const double *f = r->factor.x;
  const size_t n = r->n, length = r->factor.stride, wide = r->weights.stride;
  memcpy(r->weights.x, r->whitened.x, (n + 1) * wide * sizeof(double));
  for (size_t k = n; k-- > 0;) {
    double *w = r->weights.x + k * wide;
    for (size_t l = k + 1; l < n; l++) {
      const double along = f[k * length + l], *other = r->weights.x + l * wide;
      for (size_t o = 0; o < r->outputs; o++) w[o] -= along * other[o];
    }
    for (size_t o = 0; o < r->outputs; o++) w[o] /= f[k * length + k];
  }
}

/* The mean loss of some rows, whose weights sum to `total`, and its gradient: by the weights in
 * r->slope, in V's coordinates; by the landmarks in r->sums; by log eta. */
static double gradient(response *r, const observations *x, const double *y, double total,
                       double *bandwidth) {
  const executor *exec = &r->pace.exec;
  const size_t n = r->n, length = r->phi.stride, wide = r->scores.stride, rows = x->rows;
  const size_t outputs = r->outputs;
  matrix phi = r->phi, h = r->h, scores = r->scores;
  phi.rows = h.rows = scores.rows = rows;
  features(exec, x, 0, rows, &r->now, GAUSSIAN_FEATURES, r->bandwidth, NULL, phi.x);
  const matrix weights = matrix_block(r->weights, 0, 0, n, outputs);
  multiply_rows(exec, phi, weights, 0, scores);
  const double *intercept = r->weights.x + n * wide;
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < outputs; k++) scores.x[i * wide + k] += intercept[k];
  }
  const matrix truth = matrix_on(y, rows, outputs, wide);
  const double loss = loss_residuals(r->loss, x->weight, truth, scores) / total;
  /* By the weights. */
  const matrix slope = matrix_block(r->slope, 0, 0, n, outputs);
  multiply_transposed(exec, phi, scores, 0, slope);
  double *last = r->slope.x + n * wide;
  memset(last, 0, wide * sizeof *last);
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < outputs; k++) last[k] += scores.x[i * wide + k];
  }
  for (size_t l = 0; l <= n; l++) {
    for (size_t k = 0; k < outputs; k++) {
      double *s = r->slope.x + l * wide + k;
      *s = *s / total + (l < n ? r->penalty * r->weights.x[l * wide + k] : 0.0);
    }
  }
  cholesky_solve(exec, r->factor, 0, 0, slope);
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
  return loss;
}

static void add_moments(adam *a, size_t i, double slope) {
  a->first[i] = KEPT * a->first[i] + (1.0 - KEPT) * slope;
  a->second[i] = KEPT_SECOND * a->second[i] + (1.0 - KEPT_SECOND) * slope * slope;
}

static void step(response *r, double rate, double pull, double by_bandwidth) {
  const size_t n = r->n, wide = r->weights.stride, length = r->now.length, d = r->now.columns;
  r->steps += 1.0;
  const double first = 1.0 / (1.0 - pow(KEPT, r->steps)),
               second = 1.0 / (1.0 - pow(KEPT_SECOND, r->steps));
  const double by = pull * rate * first;
  for (size_t l = 0; l <= n; l++) {
    for (size_t i = l * wide; i < l * wide + r->outputs; i++) {
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
      m[l] = KEPT * m[l] + (1.0 - KEPT) * s[l];
    }
  }
  for (size_t l = 0; l < n; l++) {
    double *v = &r->landmark.second[l];
    *v = KEPT_SECOND * *v + (1.0 - KEPT_SECOND) * size[l];
    const int moves = l >= r->held && *v > 0.0;
    size[l] = moves ? rate * sqrt(r->bandwidth) * first / sqrt(second * *v) : 0.0;
  }
  for (size_t j = 0; j < d; j++) {
    const double *m = r->landmark.first + j * length;
    double *t = r->now.x + j * length;
    for (size_t l = r->held; l < n; l++) t[l] -= size[l] * m[l];
  }
  space_project(r->space, &r->now, r->held, r->vector);
  if (!r->moves_bandwidth) return;
  adam b = {&r->moment[0], &r->moment[1]};
  add_moments(&b, 0, by_bandwidth);
  const double far = by * r->moment[0] / (sqrt(second * r->moment[1]) + TINY);
  r->bandwidth = fmin(fmax(r->bandwidth * exp(-far), r->narrowest), r->widest);
}

double response_pass(response *r, size_t batch, const double *rate, double pull) {
  double loss = 0.0, total = 0.0;
  whiten(r);
  weights_of(r);
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
    pace_note(&r->pace, 4.0 * (double)count * (double)(r->n * x.columns));
  }
  return loss / total;
}
