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
  m->scale = arena_take(memory, some);
  m->ratio = arena_take(memory, some);
  m->rows = matrix_on(arena_take(memory, moves ? most * stride : 0), most, columns, stride);
  m->norm = arena_take(memory, moves ? most : 0);
}

observations metric_seen(const metric *m, const observations *x) {
  observations seen = *x;
  seen.real = m->rows.x;
  seen.norm = m->norm;
  return seen;
}

observations metric_rows(metric *m, const observations *x, size_t first) {
  const size_t stride = m->rows.stride;
  double *rows = m->rows.x + first * stride, *norm = m->norm + first;
  for (size_t i = 0; i < x->rows; i++) {
    const double *restrict from = x->real + i * stride, *restrict by = m->by;
    double *restrict to = rows + i * stride;
    for (size_t j = 0; j < x->columns; j++) to[j] = by[j] * from[j];
    for (size_t j = x->columns; j < stride; j++) to[j] = 0.0;
    norm[i] = dense_norm(to, x->columns);
  }
  observations seen = *x;
  seen.real = rows;
  seen.norm = norm;
  return seen;
}

void metric_enter(const metric *m, points *t) {
  for (size_t j = 0; j < t->columns; j++) {
    double *at = t->x + j * t->ld;
    for (size_t l = 0; l < t->count; l++) at[l] *= m->by[j];
  }
  points_norms(t);
}

void metric_leave(const metric *m, points *t) {
  for (size_t j = 0; j < t->columns; j++) {
    double *at = t->x + j * t->ld;
    for (size_t l = 0; l < t->count; l++) at[l] /= m->by[j];
  }
  points_norms(t);
}

space metric_space(metric *m, const space *s) {
  space seen = *s;
  if (!s->scale) return seen;
  for (size_t j = 0; j < m->rows.columns; j++) m->scale[j] = s->scale[j] * m->by[j];
  seen.scale = m->scale;
  return seen;
}

void metric_squares(metric *m, const observations *x, const double *h, size_t from, size_t to) {
  const size_t stride = m->rows.stride;
  double *restrict slope = m->slope;
  memset(slope + from, 0, (to - from) * sizeof *slope);
  for (size_t i = 0; i < x->rows; i++) {
    const double *restrict row = x->real + i * stride, hi = h[i];
    for (size_t j = from; j < to; j++) slope[j] += hi * row[j] * row[j];
  }
}

void metric_step(metric *m, size_t columns, double rate, double first, double second) {
  double ld = 0.0;
  for (size_t j = 0; j < columns; j++) {
    ld += m->slope[j] * m->slope[j];
    m->ratio[j] = 1.0;
  }
  if (!isfinite(ld)) return; /* coordinates whose squares overflow */
  size_t varied = 0;         /* constant columns have no slopes */
  for (size_t j = 0; j < columns; j++) {
    m->first[j] = adam_first(m->first[j], m->slope[j]);
    varied += m->first[j] != 0.0;
  }
  m->second = adam_second(m->second, ld);
  if (!(m->second > 0.0)) return;
  const double by = m->rate * rate * sqrt((double)varied) * first / sqrt(second * m->second);
  for (size_t j = 0; j < columns; j++) {
    const double far = fmin(fmax(by * m->first[j], -FARTHEST), FARTHEST), before = m->by[j];
    m->by[j] = fmin(fmax(before * exp(-far), LEAST_RELEVANCE), 1.0 / LEAST_RELEVANCE);
    m->ratio[j] = m->by[j] / before;
  }
}
