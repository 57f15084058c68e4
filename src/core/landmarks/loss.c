#include "loss.h"

#include <math.h>

static double squares(size_t outputs, const double *y, double *f) {
  double loss = 0.0;
  for (size_t k = 0; k < outputs; k++) {
    f[k] -= y[k];
    loss += 0.5 * f[k] * f[k];
  }
  return loss;
}

static double huber(double width, size_t outputs, const double *y, double *f) {
  double loss = 0.0;
  for (size_t k = 0; k < outputs; k++) {
    const double far = f[k] - y[k], size = fabs(far);
    loss += size <= width ? 0.5 * far * far : width * (size - 0.5 * width);
    f[k] = size <= width ? far : copysign(width, far);
  }
  return loss;
}

#define STEEPEST 30.0 /* the score beyond which the exponential is replaced by its tangent */

static double poisson(size_t outputs, const double *y, double *f) {
  double loss = 0.0;
  for (size_t k = 0; k < outputs; k++) {
    const double within = fmin(f[k], STEEPEST), mean = exp(within);
    loss += mean * (1.0 + (f[k] - within)) - y[k] * f[k];
    f[k] = mean - y[k];
  }
  return loss;
}

/* With exp() of numbers that are not above 0 alone, so that nothing overflows. */
static double logistic(size_t outputs, const double *y, double *f) {
  double loss = 0.0;
  for (size_t k = 0; k < outputs; k++) {
    const double small = exp(-fabs(f[k]));
    loss += (f[k] > 0.0 ? f[k] : 0.0) + log1p(small) - y[k] * f[k];
    f[k] = (f[k] > 0.0 ? 1.0 : small) / (1.0 + small) - y[k];
  }
  return loss;
}

static double softmax(size_t outputs, const double *y, double *f) {
  double most = f[0], sum = 0.0, loss = 0.0;
  for (size_t k = 1; k < outputs; k++) {
    if (f[k] > most) most = f[k];
  }
  for (size_t k = 0; k < outputs; k++) {
    loss -= y[k] * (f[k] - most);
    f[k] = exp(f[k] - most);
    sum += f[k];
  }
  for (size_t k = 0; k < outputs; k++) f[k] = f[k] / sum - y[k];
  return loss + log(sum);
}

double loss_residuals(loss_rule rule, const double *weight, matrix y, matrix scores) {
  double sum = 0.0;
  for (size_t i = 0; i < scores.rows; i++) {
    const double *yi = y.x + i * y.stride, w = weight ? weight[i] : 1.0;
    double *f = scores.x + i * scores.stride;
    double loss = 0.0;
    switch (rule.kind) {
    case LOSS_SQUARES:
      loss = squares(scores.columns, yi, f);
      break;
    case LOSS_HUBER:
      loss = huber(rule.width, scores.columns, yi, f);
      break;
    case LOSS_POISSON:
      loss = poisson(scores.columns, yi, f);
      break;
    case LOSS_LOGISTIC:
      loss = logistic(scores.columns, yi, f);
      break;
    case LOSS_SOFTMAX:
      loss = softmax(scores.columns, yi, f);
      break;
    }
    sum += w * loss;
    for (size_t k = 0; weight && k < scores.columns; k++) f[k] *= w;
  }
  return sum;
}
