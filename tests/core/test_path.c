/* Paths of penalties: coefficients that are the best for features and responses as given, far from
 * the origin and in any unit. */
#include <string.h>

#include "check.h"
#include "core/regression/path.h"
#include "fixture.h"

#define ROWS 90
#define COUNT 5
#define RESPONSES 3
#define LAMBDAS 3
#define TOLERANCE 1e-9

static size_t polls;
static void poll(void) { polls++; }

static const double lambda[LAMBDAS] = {30.0, 1.0, 0.01};

/* Features with means far apart and spreads of 0.5 to 2.5, one column more than are used. */
static regression_path path_make(size_t responses, size_t gradients) {
  regression_path p = {.rows = ROWS, .count = COUNT, .lambdas = LAMBDAS, .lambda = lambda};
  double *features = doubles(ROWS * (COUNT + 1));
  for (size_t k = 0; k <= COUNT; k++) {
    const double middle = 1e4 * symmetric(), size = 0.5 + 0.5 * (double)k;
    for (size_t i = 0; i < ROWS; i++) features[k * ROWS + i] = middle + size * symmetric();
  }
  p.features = features;
  p.coefficients = doubles((COUNT + 1) * responses * LAMBDAS);
  p.gradient = doubles(gradients * LAMBDAS);
  p.taken = integers(gradients * LAMBDAS);
  return p;
}

static long double mean_of(const double *x) {
  long double sum = 0.0;
  for (size_t i = 0; i < ROWS; i++) sum += x[i];
  return sum / ROWS;
}

/* Weights of mean 1 of about 0.1 to 1.9, or NULL. */
static double *weights_make(int weighted) {
  if (!weighted) return NULL;
  double *v = doubles(ROWS), sum = 0.0;
  for (size_t i = 0; i < ROWS; i++) sum += v[i] = 1.0 + 0.9 * symmetric();
  for (size_t i = 0; i < ROWS; i++) v[i] *= ROWS / sum;
  return v;
}

static double row_weight(const regression_path *p, size_t i) {
  return p->weights ? p->weights[i] : 1.0;
}

/* What coefficients give for a row. */
static long double fitted(const regression_path *p, const double *w, size_t i) {
  long double sum = w[0];
  for (size_t k = 0; k < COUNT; k++) sum += (long double)w[k + 1] * p->features[k * ROWS + i];
  return sum;
}

/* The norm of the gradient, given what is fitted less the response; slopes are those of features
 * less their means, which is the same at the best intercept. */
static double plain_gradient(const regression_path *p, const long double *apart, const double *w,
                             double penalty) {
  long double norm = 0.0, sum = 0.0;
  for (size_t i = 0; i < ROWS; i++) sum += apart[i];
  norm = sum * sum;
  for (size_t k = 0; k < COUNT; k++) {
    const double *x = p->features + k * ROWS;
    const long double middle = mean_of(x);
    long double g = (long double)penalty * w[k + 1];
    for (size_t i = 0; i < ROWS; i++) g += apart[i] * (x[i] - middle);
    norm += g * g;
  }
  return (double)sqrtl(norm);
}

static void check_ridge(const executor *exec, loss_kind loss, double middle, double unit,
                        int weighted) {
  regression_path p = path_make(RESPONSES, RESPONSES);
  p.weights = weights_make(weighted);
  double *y = doubles(ROWS * RESPONSES);
  for (size_t m = 0; m < RESPONSES; m++) {
    for (size_t i = 0; i < ROWS; i++) {
      const double signal = p.features[m * ROWS + i] - (double)mean_of(p.features + m * ROWS);
      const double value = signal + 0.5 * symmetric();
      y[m * ROWS + i] = loss == LOSS_LOGISTIC ? value > 0.2 : middle + unit * value;
    }
  }
  ridge r;
  LAY_OUT_CHECKED(memory, ridge_layout(&r, &memory, exec, loss, ROWS, COUNT + 1, RESPONSES));
  r.tolerance = TOLERANCE;
  r.steps = 100;
  polls = 0;
  ridge_path(&p, &r, y, RESPONSES, doubles(ridge_path_scratch(&r, RESPONSES)));
  CHECK(polls >= LAMBDAS, "each penalty is polled for");
  double worst = 0.0;
  int converged = 1;
  for (size_t l = 0; l < LAMBDAS; l++) {
    for (size_t m = 0; m < RESPONSES; m++) {
      const double *w = p.coefficients + (l * RESPONSES + m) * (COUNT + 1);
      const double none[COUNT + 1] = {0};
      long double base = 0.0, apart[ROWS], before[ROWS];
      for (size_t i = 0; i < ROWS; i++) base += row_weight(&p, i) * y[m * ROWS + i] / ROWS;
      for (size_t i = 0; i < ROWS; i++) {
        long double f = fitted(&p, w, i);
        if (loss == LOSS_LOGISTIC) f = 1.0L / (1.0L + expl(-f));
        apart[i] = row_weight(&p, i) * (f - y[m * ROWS + i]);
        before[i] = row_weight(&p, i) * (base - y[m * ROWS + i]);
      }
      compare(&worst, plain_gradient(&p, apart, w, lambda[l]), 0.0,
              plain_gradient(&p, before, none, 0.0));
      converged &= p.gradient[l * RESPONSES + m] < TOLERANCE && p.taken[l * RESPONSES + m] > 0;
    }
  }
  CHECK(converged && worst < 1e-7, "responses in units of %g about %g: left of the gradient %g",
        unit, middle, worst);
  release();
}

/* A response that does not vary has its value as intercept, and no slopes. */
static void check_constant(const executor *exec) {
  regression_path p = path_make(1, 1);
  double *y = doubles(ROWS);
  for (size_t i = 0; i < ROWS; i++) y[i] = -7.25;
  ridge r;
  LAY_OUT_CHECKED(memory, ridge_layout(&r, &memory, exec, LOSS_SQUARES, ROWS, COUNT + 1, 1));
  r.tolerance = TOLERANCE;
  r.steps = 100;
  ridge_path(&p, &r, y, 1, doubles(ridge_path_scratch(&r, 1)));
  for (size_t l = 0; l < LAMBDAS; l++) {
    const double *w = p.coefficients + l * (COUNT + 1);
    CHECK(w[0] == -7.25, "the intercept is %g", w[0]);
    for (size_t k = 1; k <= COUNT; k++) CHECK(w[k] == 0.0, "slope %zu is %g", k, w[k]);
  }
  release();
}

static void check_softmax(const executor *exec, int weighted) {
  regression_path p = path_make(RESPONSES, 1);
  p.weights = weights_make(weighted);
  int *y = integers(ROWS);
  for (size_t i = 0; i < ROWS; i++) {
    const double signal = p.features[i] - (double)mean_of(p.features) + 0.3 * symmetric();
    y[i] = signal < -0.1 ? 0 : signal < 0.2 ? 1 : 2;
  }
  softmax s;
  LAY_OUT_CHECKED(memory, softmax_layout(&s, &memory, exec, ROWS, COUNT + 1, RESPONSES));
  s.tolerance = TOLERANCE;
  s.steps = 100;
  polls = 0;
  softmax_path(&p, &s, y, doubles(softmax_path_scratch(&s)));
  CHECK(polls >= LAMBDAS, "each penalty is polled for");
  double worst = 0.0;
  for (size_t l = 0; l < LAMBDAS; l++) {
    const double *w = p.coefficients + l * RESPONSES * (COUNT + 1);
    for (size_t m = 0; m < RESPONSES; m++) {
      long double apart[ROWS];
      for (size_t i = 0; i < ROWS; i++) {
        long double all = 0.0, own = expl(fitted(&p, w + m * (COUNT + 1), i));
        for (size_t k = 0; k < RESPONSES; k++) all += expl(fitted(&p, w + k * (COUNT + 1), i));
        apart[i] = row_weight(&p, i) * (own / all - (y[i] == (int)m));
      }
      compare(&worst, plain_gradient(&p, apart, w + m * (COUNT + 1), lambda[l]), 0.0, ROWS);
    }
  }
  CHECK(worst < 1e-7, "classes: left of the gradient %g", worst);
  release();
}

void test_path(const executor *exec) {
  const executor polled = {exec->threads, exec->variant, poll, NULL};
  for (int weighted = 0; weighted < 2; weighted++) {
    check_ridge(&polled, LOSS_LOGISTIC, 0.0, 1.0, weighted);
    check_ridge(&polled, LOSS_SQUARES, 0.0, 1.0, weighted);
    check_ridge(&polled, LOSS_SQUARES, 1e4, 1e-3, weighted);
    check_ridge(&polled, LOSS_SQUARES, -3.0, 1e12, weighted);
    check_softmax(&polled, weighted);
  }
  check_constant(exec);
}
