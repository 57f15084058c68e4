#include "metric.h"

#include <math.h>
#include <string.h>

#include "adam.h"

#define FARTHEST 0.5         /* that log r moves in a step */
#define LEAST_RELEVANCE 1e-6 /* below which r does not fall, nor rises above its inverse */

void metric_layout(metric *m, arena *memory, int moves, size_t columns, size_t most) {
  const size_t some = moves ? columns : 0, stride = padded(columns);
  m->by = arena_take(memory, some);
  m->first = arena_take(memory, some);
  m->slope = arena_take(memory, some);
  m->factor = arena_take(memory, some);
  m->rows = matrix_on(arena_take(memory, moves ? most * stride : 0), most, columns, stride);
  m->norm = arena_take(memory, moves ? most : 0);
}

observations metric_rows(const executor *exec, metric *m, const observations *x) {
  const size_t stride = m->rows.stride;
  const int threads = threads_for(exec, 3.0 * (double)(x->rows * x->columns));
  PARALLEL_FOR(threads, schedule(static))
  for (ptrdiff_t i = 0; i < (ptrdiff_t)x->rows; i++) {
    const double *restrict from = x->real + (size_t)i * stride, *restrict by = m->by;
    double *restrict to = m->rows.x + (size_t)i * stride;
    for (size_t j = 0; j < x->columns; j++) to[j] = by[j] * from[j];
    for (size_t j = x->columns; j < stride; j++) to[j] = 0.0;
    m->norm[i] = dense_norm(to, x->columns);
  }
  observations seen = *x;
  seen.real = m->rows.x;
  seen.norm = m->norm;
  return seen;
}

void metric_enter(const metric *m, points *t) {
  for (size_t j = 0; j < t->columns; j++) {
    double *at = t->x + j * t->length;
    for (size_t l = 0; l < t->count; l++) at[l] *= m->by[j];
  }
  points_norms(t);
}

void metric_leave(const metric *m, points *t) {
  for (size_t j = 0; j < t->columns; j++) {
    double *at = t->x + j * t->length;
    for (size_t l = 0; l < t->count; l++) at[l] /= m->by[j];
  }
  points_norms(t);
}

space metric_space(metric *m, const space *s) {
  space seen = *s;
  if (!s->factor) return seen;
  for (size_t j = 0; j < m->rows.columns; j++) m->factor[j] = s->factor[j] * m->by[j];
  seen.factor = m->factor;
  return seen;
}

void metric_gradient(metric *m, const observations *x, matrix h, const points *t,
                     const points *sums, const double *s, double scale) {
  const size_t d = x->columns, stride = m->rows.stride;
  double *restrict slope = m->slope;
  memset(slope, 0, d * sizeof *slope);
  for (size_t i = 0; i < x->rows; i++) {
    const double *hi = h.x + i * h.stride, *restrict row = x->real + i * stride;
    double all = 0.0;
    for (size_t l = 0; l < h.columns; l++) all += hi[l];
    for (size_t j = 0; j < d; j++) slope[j] += all * row[j] * row[j];
  }
  for (size_t j = 0; j < d; j++) {
    const double *at = t->x + j * t->length, *sum = sums->x + j * sums->length;
    double points = 0.0;
    for (size_t l = 0; l < t->count; l++) points += at[l] * (s[l] * at[l] - 2.0 * sum[l]);
    slope[j] = scale * (slope[j] + points);
  }
}

void metric_step(metric *m, double rate, double first, double second, points *t) {
  double length = 0.0;
  for (size_t j = 0; j < t->columns; j++) length += m->slope[j] * m->slope[j];
  if (!isfinite(length)) return; /* coordinates whose squares overflow */
  for (size_t j = 0; j < t->columns; j++) {
    m->first[j] = adam_first(m->first[j], m->slope[j]);
  }
  m->second = adam_second(m->second, length);
  if (!(m->second > 0.0)) return;
  const double by = m->rate * rate * sqrt((double)t->columns) * first / sqrt(second * m->second);
  for (size_t j = 0; j < t->columns; j++) {
    const double far = fmin(fmax(by * m->first[j], -FARTHEST), FARTHEST), before = m->by[j];
    m->by[j] = fmin(fmax(before * exp(-far), LEAST_RELEVANCE), 1.0 / LEAST_RELEVANCE);
    double *at = t->x + j * t->length;
    for (size_t l = 0; l < t->count; l++) at[l] *= m->by[j] / before;
  }
}
