#include "loss.h"

#include <math.h>

#include "core/base/weight.h"
#include "products.h"

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
    const double *yi = y.x + i * y.stride, w = weight_of(weight, i);
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

static double logistic_curvatures(const executor *exec, const double *weight, size_t rows,
                                  const double *y, double *scores, double *curvature,
                                  double *apart) {
  double sum = 0.0;
  for (size_t i = 0; i < rows; i++) apart[i] = -fabs(scores[i * VECTOR_DOUBLES]);
  exec->variant->exp_nonpositive(apart, rows);
  for (size_t i = 0; i < rows; i++) {
    /* e = exp(-|f|): neither it nor what follows can overflow. */
    const double f = scores[i * VECTOR_DOUBLES], e = apart[i], small = e / (1.0 + e);
    const double p = f > 0.0 ? 1.0 - small : small;
    const double w = weight_of(weight, i);
    sum += w * ((f > 0.0 ? f : 0.0) + log1p(e) - y[i] * f);
    scores[i * VECTOR_DOUBLES] = w * (f > 0.0 ? (1.0 - y[i]) - small : small - y[i]);
    curvature[i] = w * p * (1.0 - p);
  }
  return sum;
}

static double square_curvatures(const double *weight, size_t rows, const double *y, double *scores,
                                double *curvature) {
  double sum = 0.0;
  for (size_t i = 0; i < rows; i++) {
    const double far = scores[i * VECTOR_DOUBLES] - y[i], w = weight_of(weight, i);
    sum += w * 0.5 * far * far;
    scores[i * VECTOR_DOUBLES] = w * far;
    curvature[i] = w;
  }
  return sum;
}

double loss_curvatures(loss_kind kind, const executor *exec, const double *weight, size_t rows,
                       const double *y, double *scores, double *curvature, double *apart) {
  return kind == LOSS_LOGISTIC
             ? logistic_curvatures(exec, weight, rows, y, scores, curvature, apart)
             : square_curvatures(weight, rows, y, scores, curvature);
}
