#include "response.h"

#include <math.h>
#include <string.h>

#include "adam.h"
#include "core/algebra/linear.h"
#include "core/base/tolerance.h"
#include "core/base/weight.h"

#define TILE 128 /* rows that a thread takes at a time */
#define SLICE 96 /* columns that a thread takes at a time */
#ifndef STALE
#define STALE 16 /* F is made again after so many times the rows that it was made from */
#endif
#define TINY 1e-12 /* of a second moment: where a gradient is 0 nothing moves */

static matrix take(arena *memory, size_t rows, size_t columns) {
  const size_t stride = padded(columns);
  return matrix_on(arena_take(memory, rows * stride), rows, columns, stride);
}

static size_t slices_of(size_t columns) { return (columns + SLICE - 1) / SLICE; }

static void clear(matrix m) { memset(m.x, 0, m.rows * m.stride * sizeof *m.x); }

void response_layout(response *r, arena *memory, const executor *exec, const observations *x,
                     response_shape shape) {
  const size_t d = x->columns, n = shape.n, outputs = shape.outputs, ld = padded(n),
               m = n + (shape.trend ? d : 0);
  r->shape = shape;
  r->rows = *x;
  r->m = m;
  double *now = arena_take(memory, points_size(n, d)),
         *sums = arena_take(memory, points_size(n, d));
  metric_layout(&r->metric, memory, shape.moves_metric, d, shape.most);
  r->weights = take(memory, m + 1, outputs);
  r->landmark.first = arena_take(memory, d * ld);
  r->landmark.second = arena_take(memory, ld);
  r->weight.first = arena_take(memory, (m + 1) * padded(outputs));
  r->weight.second = arena_take(memory, (m + 1) * padded(outputs));
  gradient_layout(r, memory);
  const size_t wide = m + (shape.projects != 0);
  r->factor = take(memory, wide, wide);
  r->whitened = take(memory, m + 1, outputs);
  r->slope = take(memory, m + 1, outputs);
  r->across = take(memory, outputs, n);
  r->tilt = take(memory, m - n, outputs);
  r->phi = take(memory, shape.most, n);
  r->psi = r->shape.profile->is_gaussian ? r->phi : take(memory, shape.most, n);
  r->h = take(memory, shape.most, wide);
  r->scores = take(memory, shape.most, outputs);
  r->vector = arena_take(memory, d);
  r->of_trend = arena_take(memory, outputs);
  r->share = arena_take(memory, (slices_of(d) + 1) * ld);
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

observations response_rows(response *r, const observations *x, size_t first, size_t count) {
  const observations some = observations_some(x, first, count);
  return r->shape.moves_metric ? metric_rows(&r->metric, &some, first) : some;
}

observations response_seen(const response *r, const observations *x) {
  return r->shape.moves_metric ? metric_seen(&r->metric, x) : *x;
}

/* Of the tile of rows that begins at `first`. */
static void predictors_of_tile(response *r, const observations *all, size_t first) {
  const executor alone = one_thread(&r->pace.exec);
  const size_t n = r->shape.n, left = all->rows - first;
  const observations x = response_rows(r, all, first, left < TILE ? left : TILE);
  const radial_kernel k = {r->bandwidth, r->shape.profile};
  double *phi = r->phi.x + first * r->phi.stride, *psi = r->psi.x + first * r->phi.stride;
  features(&alone, &x, 0, x.rows, &r->now, &k, NULL, phi,
           r->shape.projects && psi != phi ? psi : NULL);
  for (size_t i = 0; i < x.rows; i++) {
    const double root = sqrt(weight_of(x.weight, i)), *from = phi + i * r->phi.stride;
    double *to = r->h.x + (first + i) * r->h.stride;
    for (size_t l = 0; l < n; l++) to[l] = root * from[l];
    const double *row = r->m > n ? x.real + i * padded(x.columns) : NULL;
    for (size_t j = 0; j < r->m - n; j++) to[n + j] = root * r->unit[j] * row[j];
    for (size_t l = r->m; l < r->h.stride; l++) to[l] = 0.0;
    if (r->shape.projects) to[r->m] = root;
  }
}

matrix response_predictors(response *r, const observations *x) {
  const double work = (double)x->rows * (double)(r->shape.n * (2 * x->columns + 16));
  const int threads = threads_for(&r->pace.exec, work);
  const ptrdiff_t tiles = (ptrdiff_t)((x->rows + TILE - 1) / TILE);
  SHARE_TURNS(threads, t, 0, tiles, predictors_of_tile(r, x, (size_t)t * TILE));
  return matrix_block(r->h, 0, 0, x->rows, r->h.columns);
}

/* How many rows tell F. */
static size_t enough_rows(const response *r) { return 2 * r->m > 2000 ? 2 * r->m : 2000; }

/* F, from the first rows, as many as tell it. */
static void make_factor(response *r) {
  const executor *exec = &r->pace.exec;
  const size_t m = r->m, most = r->shape.most, enough = enough_rows(r);
  const size_t rows = r->rows.rows < enough ? r->rows.rows : enough;
  double total = 0.0;
  for (size_t first = 0; first < rows; first += most) {
    const observations part =
        observations_some(&r->rows, first, rows - first < most ? rows - first : most);
    const matrix all = response_predictors(r, &part);
    syrk(exec, all, all, first > 0, r->factor);
    total += weights_sum(part.weight, part.rows);
  }
  r->made_from = (double)rows;
  double *f = r->factor.x;
  const size_t ld = r->factor.stride;
  for (size_t k = 0; k < m; k++) {
    for (size_t l = 0; l < m; l++) f[k * ld + l] /= total;
    /* As if one row more had each feature alone: rows that were not looked at, outliers among them,
     * then see steps of a size that is bounded. */
    f[k * ld + k] += total > 0.0 ? 1.0 / total : 1.0;
  }
  cholesky(exec, m, ld, 0, DEPENDENT_PREDICTORS, 1, f);
}

/* The mean gradient of a trend, in V's coordinates, is one by A before F is made again, and back in
 * V's after: so the order of columns, which turns these coordinates, does not matter. */
static void unwhiten_momentum(response *r) {
  const size_t n = r->shape.n, m = r->m, wide = r->weights.stride, ld = r->factor.stride;
  const double *f = r->factor.x;
  for (size_t k = m; k-- > n;) {
    double *to = r->weight.first + k * wide;
    for (size_t o = 0; o < r->shape.outputs; o++) {
      double sum = 0.0;
      for (size_t l = n; l <= k; l++) {
        if (!isinf(f[l * ld + l])) sum += f[l * ld + k] * r->weight.first[l * wide + o];
      }
      to[o] = sum;
    }
  }
}

static void whiten_momentum(response *r) {
  const size_t n = r->shape.n, d = r->m - n, wide = r->weights.stride;
  if (d == 0) return;
  potrs(&r->pace.exec, matrix_block(r->factor, n, n, d, d), 0, 0,
        matrix_on(r->weight.first + n * wide, d, r->shape.outputs, wide));
}

/* V = F (W, A). */
static void whitened_of(response *r) {
  const size_t m = r->m, wide = r->weights.stride, ld = r->factor.stride;
  const double *f = r->factor.x;
  for (size_t k = 0; k < m; k++) {
    double *v = r->whitened.x + k * wide;
    memset(v, 0, wide * sizeof *v);
    if (isinf(f[k * ld + k])) continue;
    for (size_t l = k; l < m; l++) {
      const double along = f[k * ld + l], *w = r->weights.x + l * wide;
      if (isinf(f[l * ld + l])) continue;
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

static void add_moments(adam *a, size_t i, double slope) {
  a->first[i] = adam_first(a->first[i], slope);
  a->second[i] = adam_second(a->second[i], slope * slope);
}

/* The mean square of the slopes of a trend, for each output, in r->of_trend. */
static void squares_of_trend(response *r) {
  const size_t wide = r->weights.stride, n = r->shape.n, outputs = r->shape.outputs;
  for (size_t k = 0; k < outputs; k++) {
    double sum = 0.0, varied = 0.0; /* constant columns have no slopes */
    for (size_t l = n; l < r->m; l++) {
      const double slope = r->slope.x[l * wide + k];
      sum += slope * slope;
      varied += slope != 0.0;
    }
    r->of_trend[k] = varied > 0.0 ? sum / varied : 0.0;
  }
}

/* A row of V and b. The coordinates of a trend have one second moment together for each output: so
 * the order of columns does not matter. */
static void move_weight(response *r, double by, double second, ptrdiff_t l) {
  const size_t first = (size_t)l * r->weights.stride;
  const int trend = (size_t)l >= r->shape.n && (size_t)l < r->m;
  for (size_t k = 0; k < r->shape.outputs; k++) {
    const size_t i = first + k;
    const double slope = r->slope.x[i];
    r->weight.first[i] = adam_first(r->weight.first[i], slope);
    r->weight.second[i] = adam_second(r->weight.second[i], trend ? r->of_trend[k] : slope * slope);
    r->whitened.x[i] -= by * r->weight.first[i] / (sqrt(second * r->weight.second[i]) + TINY);
  }
}

static void move_weights(response *r, double by, double second) {
  squares_of_trend(r);
  const int threads = threads_for(&r->pace.exec, 40.0 * (double)(r->m * r->shape.outputs));
  SHARE_TURNS(threads, l, 0, (ptrdiff_t)r->m + 1, move_weight(r, by, second, l));
}

/* The first moments of the landmarks in a slice of columns, and for each landmark the sum of
 * squares of its gradient there. */
static void slice_of_moments(response *r, double *restrict squares, ptrdiff_t turn) {
  const size_t n = r->shape.n, ld = r->now.ld, d = r->now.columns, from = (size_t)turn * SLICE,
               to = d - from < SLICE ? d : from + SLICE;
  double *restrict mine = squares + (size_t)turn * ld;
  memset(mine, 0, ld * sizeof *mine);
  for (size_t j = from; j < to; j++) {
    const double *restrict g = r->sums.x + j * ld;
    double *restrict m = r->landmark.first + j * ld;
    for (size_t l = 0; l < n; l++) {
      mine[l] += g[l] * g[l];
      m[l] = adam_first(m[l], g[l]);
    }
  }
}

/* A slice of columns of the landmarks, which move by `size` times their moments. */
static void slice_of_moves(response *r, const double *restrict size, ptrdiff_t turn) {
  const size_t n = r->shape.n, ld = r->now.ld, d = r->now.columns, from = (size_t)turn * SLICE,
               to = d - from < SLICE ? d : from + SLICE;
  for (size_t j = from; j < to; j++) {
    const double *restrict m = r->landmark.first + j * ld;
    const double ratio = r->shape.moves_metric ? r->metric.ratio[j] : 1.0;
    double *restrict t = r->now.x + j * ld;
    for (size_t l = 0; l < n; l++) t[l] = ratio * (t[l] - size[l] * m[l]);
  }
}

/* Landmarks, and the metric with them: `by` is the length of a step where the gradient is steady.
 */
static void move_landmarks(response *r, double by, double second) {
  const size_t n = r->shape.n, fixed = r->shape.fixed, ld = r->now.ld, d = r->now.columns;
  const ptrdiff_t slices = (ptrdiff_t)slices_of(d);
  const int threads = threads_for(&r->pace.exec, 10.0 * (double)(n * d));
  double *size = r->share, *squares = size + ld;
  SHARE_TURNS(threads, s, 0, slices, slice_of_moments(r, squares, s));
  memset(size, 0, ld * sizeof *size);
  for (ptrdiff_t s = 0; s < slices; s++) {
    for (size_t l = 0; l < n; l++) size[l] += squares[(size_t)s * ld + l];
  }
  for (size_t l = 0; l < n; l++) {
    double *v = &r->landmark.second[l];
    *v = adam_second(*v, size[l]);
    size[l] = l >= fixed && *v > 0.0 ? by / sqrt(second * *v) : 0.0;
  }
  SHARE_TURNS(threads, s, 0, slices, slice_of_moves(r, size, s));
}

static void step(response *r, double rate, double pull, double by_bandwidth) {
  r->steps += 1.0;
  const double first = 1.0 / (1.0 - pow(ADAM_KEPT, r->steps)),
               second = 1.0 / (1.0 - pow(ADAM_KEPT_SECOND, r->steps));
  const double by = pull * rate * first;
  move_weights(r, by, second);
  space seen = *r->space;
  if (r->shape.moves_metric) {
    metric_step(&r->metric, r->now.columns, rate, first, second);
    seen = metric_space(&r->metric, r->space);
  }
  move_landmarks(r, rate * sqrt(r->bandwidth) * first, second);
  space_project(&seen, &r->now, r->shape.fixed, r->vector);
  if (!r->moves_bandwidth) return;
  adam b = {&r->moment[0], &r->moment[1]};
  add_moments(&b, 0, by_bandwidth);
  const double far = by * r->moment[0] / (sqrt(second * r->moment[1]) + TINY);
  r->bandwidth = fmin(fmax(r->bandwidth * exp(-far), r->narrowest), r->widest);
}

double response_pass(response *r, size_t batch, const double *rate, double pull) {
  double loss = 0.0, total = 0.0;
  if (r->made_from == 0.0 || r->stale >= STALE * r->made_from) {
    if (r->made_from > 0.0) unwhiten_momentum(r);
    make_factor(r);
    whiten_momentum(r);
    r->stale = 0.0;
  }
  whitened_of(r);
  weights_of(r);
  r->stale += (double)r->rows.rows;
  for (size_t first = 0, s = 0; first < r->rows.rows; first += batch, s++) {
    const size_t left = r->rows.rows - first, count = left < batch ? left : batch;
    const observations x = observations_some(&r->rows, first, count);
    poll_user(&r->pace.exec);
    pace_turn(&r->pace, 1);
    const double weight = weights_sum(x.weight, x.rows);
    double by_bandwidth = 0.0;
    if (weight > 0.0) {
      loss +=
          weight * response_gradient(r, &x, r->y.x + first * r->y.stride, weight, &by_bandwidth);
      step(r, rate[s], pull, by_bandwidth);
      weights_of(r);
    }
    total += weight;
    pace_note(&r->pace, 4.0 * (double)count * (double)(r->shape.n * x.columns));
  }
  return loss / total;
}
