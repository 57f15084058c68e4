/*
 * A small problem of landmarks that predict a response, and its losses by their formulas: what the
 * tests of its gradient share.
 */
#ifndef LANDMARKER_TEST_RESPONSE_PROBLEM_H
#define LANDMARKER_TEST_RESPONSE_PROBLEM_H

#include <string.h>

#include "check.h"
#include "core/response/projection.h"
#include "fixture.h"

#define COLUMNS 4
#define LANDMARKS 5
#define OUTPUTS 3
#define PENALTY 0.03
#define BANDWIDTH 2.5

#define WIDTH 0.7

static const char *const loss_name[] = {"squares", "huber", "poisson", "logistic", "softmax"};

static inline loss_rule rule_of(loss_kind kind) {
  const loss_rule rule = {kind, WIDTH};
  return rule;
}

static inline long double plain_loss(loss_kind kind, const double *y, const long double *f) {
  long double sum = 0.0, exps = 0.0;
  for (size_t k = 0; k < OUTPUTS; k++) {
    const long double far = fabsl(f[k] - y[k]);
    if (kind == LOSS_HUBER) sum += far < WIDTH ? far * far / 2 : WIDTH * far - WIDTH * WIDTH / 2;
    if (kind == LOSS_POISSON) sum += expl(f[k]) - y[k] * f[k];
    if (kind == LOSS_SQUARES) sum += (f[k] - y[k]) * (f[k] - y[k]) / 2.0L;
    if (kind == LOSS_LOGISTIC) sum += logl(1.0L + expl(f[k])) - y[k] * f[k];
    if (kind == LOSS_SOFTMAX) sum -= y[k] * f[k];
    exps += expl(f[k]);
  }
  return kind == LOSS_SOFTMAX ? sum + logl(exps) : sum;
}

/* y of some rows: classes for all losses. */
static inline matrix classes(size_t rows) {
  const matrix y = matrix_on(doubles(rows * padded(OUTPUTS)), rows, OUTPUTS, padded(OUTPUTS));
  memset(y.x, 0, rows * y.stride * sizeof *y.x);
  for (size_t i = 0; i < rows; i++) y.x[i * y.stride + below(OUTPUTS)] = 1.0;
  return y;
}

static const space anywhere = {SPACE_EUCLIDEAN, NULL, NULL, NULL, NULL};

/* With a trend and relevances: what predicts are the landmarks and the columns. */
#define PREDICTORS (LANDMARKS + COLUMNS)

static const double trend_unit[COLUMNS] = {0.5, 2.0, 1.0, 0.8};

/* A problem on some data, at its first state. With `relevance`: a trend too. `kernel`: the number
 * of one. `projects`: see projection.h. */
static inline response problem_by(const executor *exec, const data *d, loss_kind kind,
                                  const space *space, size_t fixed, const points *start,
                                  const double *weights, matrix y, const double *relevance,
                                  int kernel, int projects) {
  response r;
  const int rich = relevance != NULL;
  const response_shape shape = {fixed, LANDMARKS, OUTPUTS,  d->x.rows,
                                rich,  rich,      projects, kernel_profiles + kernel};
  LAY_OUT_CHECKED(memory, response_layout(&r, &memory, exec, &d->x, shape));
  double *norm = doubles(d->x.rows);
  r.rows = d->x;
  observations_norms(exec, &d->x, norm);
  r.rows.norm = norm;
  r.y = y;
  r.loss = rule_of(kind);
  r.unit = trend_unit;
  r.space = space;
  r.penalty = PENALTY;
  r.moves_bandwidth = 1;
  r.bandwidth = BANDWIDTH;
  r.narrowest = 0.01 * BANDWIDTH;
  r.widest = 100.0 * BANDWIDTH;
  points_copy(start, 0, &r.now);
  points_norms(&r.now);
  for (size_t j = 0; rich && j < COLUMNS; j++) {
    r.metric.by[j] = relevance[j];
    r.metric.first[j] = 0.0;
  }
  r.metric.rate = 0.5;
  r.metric.second = 0.0;
  if (rich) metric_enter(&r.metric, &r.now);
  for (size_t l = 0; l <= r.m; l++) {
    memcpy(r.weights.x + l * r.weights.stride, weights + l * OUTPUTS, OUTPUTS * sizeof(double));
  }
  memset(r.landmark.first, 0, COLUMNS * r.now.ld * sizeof(double));
  memset(r.landmark.second, 0, r.now.ld * sizeof(double));
  memset(r.weight.first, 0, (r.m + 1) * r.weights.stride * sizeof(double));
  memset(r.weight.second, 0, (r.m + 1) * r.weights.stride * sizeof(double));
  r.moment[0] = r.moment[1] = r.steps = 0.0;
  r.made_from = r.stale = 0.0;
  return r;
}

/* With the Gaussian kernel. */
static inline response problem_on(const executor *exec, const data *d, loss_kind kind,
                                  const space *space, size_t fixed, const points *start,
                                  const double *weights, matrix y, const double *relevance) {
  return problem_by(exec, d, kind, space, fixed, start, weights, y, relevance, 0, 0);
}

/* The objective with a trend: `at` has the landmarks in the data's units, weights as in a response,
 * and the relevances. */
typedef struct {
  points t;
  double weights[(PREDICTORS + 1) * OUTPUTS], relevance[COLUMNS], bandwidth;
  int kernel;
} rich_state;

static inline long double rich_objective(const data *d, matrix y, loss_kind kind,
                                         const rich_state *at) {
  long double sum = 0.0, total = 0.0, size = 0.0;
  for (size_t i = 0; i < d->x.rows; i++) {
    long double f[OUTPUTS];
    for (size_t k = 0; k < OUTPUTS; k++) {
      f[k] = at->weights[PREDICTORS * OUTPUTS + k];
      for (size_t l = 0; l < LANDMARKS; l++) {
        long double apart = 0.0;
        for (size_t j = 0; j < COLUMNS; j++) {
          const long double by =
              at->relevance[j] * (d->z[i * COLUMNS + j] - at->t.x[j * at->t.ld + l]);
          apart += by * by;
        }
        f[k] += at->weights[l * OUTPUTS + k] * plain_profile(at->kernel, apart / at->bandwidth);
      }
      for (size_t j = 0; j < COLUMNS; j++) {
        f[k] += at->weights[(LANDMARKS + j) * OUTPUTS + k] * trend_unit[j] * at->relevance[j] *
                d->z[i * COLUMNS + j];
      }
    }
    sum += weight_of(d, i) * plain_loss(kind, y.x + i * y.stride, f);
    total += weight_of(d, i);
  }
  for (size_t i = 0; i < PREDICTORS * OUTPUTS; i++) size += at->weights[i] * at->weights[i];
  return sum / total + PENALTY / 2.0L * size;
}

/* dL / d *value by differences, where *value is a part of `at`; `by_log`: dL / d log *value. */
static inline double rich_slope(const data *d, matrix y, loss_kind kind, const rich_state *at,
                                double *value, int by_log) {
  const double h = 1e-5, keep = *value;
  *value = by_log ? keep * exp(h) : keep + h;
  const long double up = rich_objective(d, y, kind, at);
  *value = by_log ? keep * exp(-h) : keep - h;
  const long double down = rich_objective(d, y, kind, at);
  *value = keep;
  return (double)((up - down) / (2 * h));
}

/* Any state. */
static inline rich_state random_state(int kernel) {
  rich_state at = {.t = points_make(LANDMARKS, COLUMNS), .bandwidth = BANDWIDTH, .kernel = kernel};
  for (size_t i = 0; i < (PREDICTORS + 1) * OUTPUTS; i++) at.weights[i] = symmetric();
  for (size_t j = 0; j < COLUMNS; j++) at.relevance[j] = 0.5 + uniform();
  return at;
}

static inline void take_weights(const response *r, rich_state *at) {
  for (size_t l = 0; l <= PREDICTORS; l++) {
    memcpy(at->weights + l * OUTPUTS, r->weights.x + l * r->weights.stride,
           OUTPUTS * sizeof(double));
  }
}

/* The state of a response, whose landmarks leave the metric. */
static inline rich_state state_of(response *r) {
  rich_state at = {.bandwidth = r->bandwidth};
  metric_leave(&r->metric, &r->now);
  at.t = r->now;
  memcpy(at.relevance, r->metric.by, sizeof at.relevance);
  take_weights(r, &at);
  return at;
}

#endif
