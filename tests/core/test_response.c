/* Landmarks that predict a response: losses, their gradient, and steps. */
#include "response_problem.h"

static void check_losses(loss_kind kind) {
  const size_t rows = 20;
  const matrix y = classes(rows), f = matrix_on(doubles(rows * y.stride), rows, OUTPUTS, y.stride);
  double *weight = doubles(rows), worst = 0.0, slopes = 0.0;
  long double sum = 0.0, before[OUTPUTS];
  double *copy = doubles(rows * y.stride);
  for (size_t i = 0; i < rows; i++) {
    weight[i] = uniform();
    for (size_t k = 0; k < OUTPUTS; k++) {
      copy[i * y.stride + k] = f.x[i * y.stride + k] = 4.0 * symmetric();
      before[k] = copy[i * y.stride + k];
    }
    sum += weight[i] * plain_loss(kind, y.x + i * y.stride, before);
  }
  compare_relative(&worst, loss_residuals(rule_of(kind), weight, y, f), (double)sum);
  CHECK(worst < 1e-14, "%s: the loss is that of the formula, %g", loss_name[kind], worst);
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < OUTPUTS; k++) {
      const long double step = 1e-6L;
      long double up[OUTPUTS], down[OUTPUTS];
      for (size_t m = 0; m < OUTPUTS; m++) up[m] = down[m] = copy[i * y.stride + m];
      up[k] += step;
      down[k] -= step;
      const double *yi = y.x + i * y.stride;
      const long double slope =
          weight[i] * (plain_loss(kind, yi, up) - plain_loss(kind, yi, down)) / (2.0L * step);
      compare_relative(&slopes, f.x[i * y.stride + k], (double)slope);
    }
  }
  CHECK(slopes < 1e-9, "%s: residuals are its slopes, %g", loss_name[kind], slopes);
  for (size_t k = 0; k < OUTPUTS; k++) f.x[k] = k ? -900.0 : 900.0;
  const matrix one = matrix_block(f, 0, 0, 1, OUTPUTS);
  const double huge = loss_residuals(rule_of(kind), NULL, matrix_block(y, 0, 0, 1, OUTPUTS), one);
  CHECK(isfinite(huge) && isfinite(f.x[0]), "%s: huge scores do not overflow", loss_name[kind]);
  if (kind != LOSS_POISSON) return;
  /* Beyond 30 the exponential is its tangent there. */
  for (size_t k = 0; k < OUTPUTS; k++) f.x[k] = k ? -900.0 : 40.0;
  const double tangent = 11.0 * exp(30.0) - (y.x[0] * 40.0 - (y.x[1] + y.x[2]) * 900.0),
               loss = loss_residuals(rule_of(kind), NULL, matrix_block(y, 0, 0, 1, OUTPUTS), one);
  CHECK(fabs(loss / tangent - 1.0) < 1e-14, "poisson: %g far out, not %g", loss, tangent);
  CHECK(f.x[0] == exp(30.0) - y.x[0], "poisson: the slope far out is that of the tangent");
}

/* The objective by the formula. */
static long double objective(const data *d, matrix y, loss_kind kind, const points *t,
                             const double *weights, double bandwidth) {
  long double sum = 0.0, total = 0.0, size = 0.0;
  for (size_t i = 0; i < d->x.rows; i++) {
    long double f[OUTPUTS];
    for (size_t k = 0; k < OUTPUTS; k++) {
      f[k] = weights[LANDMARKS * OUTPUTS + k];
      for (size_t l = 0; l < LANDMARKS; l++) {
        long double apart = 0.0;
        for (size_t j = 0; j < COLUMNS; j++) {
          const long double by = d->z[i * COLUMNS + j] - t->x[j * t->ld + l];
          apart += by * by;
        }
        f[k] += weights[l * OUTPUTS + k] * expl(-apart / bandwidth);
      }
    }
    sum += weight_of(d, i) * plain_loss(kind, y.x + i * y.stride, f);
    total += weight_of(d, i);
  }
  for (size_t i = 0; i < LANDMARKS * OUTPUTS; i++) size += weights[i] * weights[i];
  return sum / total + PENALTY / 2.0L * size;
}

/* After one step the first moments are a tenth of the gradient. */
static void check_gradient(const executor *exec, layout kind, int weighted, loss_kind loss) {
  const size_t rows = 40;
  const double little = 1e-9, h = 1e-5;
  const data d = data_make(kind, rows, COLUMNS, weighted);
  const matrix y = classes(rows);
  points start = points_make(LANDMARKS, COLUMNS);
  double *weights = doubles((LANDMARKS + 1) * OUTPUTS), worst = 0.0, by_weights = 0.0;
  for (size_t i = 0; i < (LANDMARKS + 1) * OUTPUTS; i++) weights[i] = symmetric();
  response r = problem_on(exec, &d, loss, &anywhere, 0, &start, weights, y, NULL);
  response_pass(&r, rows, &little, 1.0);
  for (size_t l = 0; l < LANDMARKS; l++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      double *at = coordinate(&start, l, j), keep = *at;
      *at = keep + h;
      const long double up = objective(&d, y, loss, &start, weights, BANDWIDTH);
      *at = keep - h;
      const long double down = objective(&d, y, loss, &start, weights, BANDWIDTH);
      *at = keep;
      compare(&worst, 10.0 * r.landmark.first[j * r.now.ld + l], (double)((up - down) / (2 * h)),
              0.1);
    }
  }
  CHECK(worst < 1e-7, "%s, %s: gradient by the landmarks, %g", layout_name[kind], loss_name[loss],
        worst);
  const long double wide = objective(&d, y, loss, &start, weights, BANDWIDTH * exp(h)),
                    narrow = objective(&d, y, loss, &start, weights, BANDWIDTH * exp(-h));
  worst = 0.0;
  compare(&worst, 10.0 * r.moment[0], (double)((wide - narrow) / (2 * h)), 0.1);
  CHECK(worst < 1e-7, "%s, %s: gradient by the bandwidth, %g", layout_name[kind], loss_name[loss],
        worst);
  /* dL/dW = F' dL/dV. */
  const size_t wide_row = r.weights.stride;
  for (size_t l = 0; l <= LANDMARKS; l++) {
    for (size_t k = 0; k < OUTPUTS; k++) {
      double *at = weights + l * OUTPUTS + k, keep = *at, got = 0.0;
      *at = keep + h;
      const long double up = objective(&d, y, loss, &start, weights, BANDWIDTH);
      *at = keep - h;
      const long double down = objective(&d, y, loss, &start, weights, BANDWIDTH);
      *at = keep;
      for (size_t m = 0; m <= l && l < LANDMARKS; m++) {
        got += 10.0 * r.factor.x[m * r.factor.stride + l] * r.weight.first[m * wide_row + k];
      }
      if (l == LANDMARKS) got = 10.0 * r.weight.first[l * wide_row + k];
      compare(&by_weights, got, (double)((up - down) / (2 * h)), 0.1);
    }
  }
  CHECK(by_weights < 1e-7, "%s, %s: gradient by the weights, %g", layout_name[kind],
        loss_name[loss], by_weights);
}

/* On a sphere the first moments are the gradient's part along it. */
static void check_tangent(const executor *exec, loss_kind loss) {
  const size_t rows = 40;
  const double little = 1e-9, h = 1e-5;
  double center[COLUMNS] = {0}, factor[COLUMNS];
  for (size_t j = 0; j < COLUMNS; j++) factor[j] = 1.0;
  const space sphere = {SPACE_SPHERE, center, factor, NULL, NULL};
  const data d = data_make(ROWS_DENSE, rows, COLUMNS, 0);
  const matrix y = classes(rows);
  points start = points_make(LANDMARKS, COLUMNS);
  double *vector = doubles(COLUMNS), *weights = doubles((LANDMARKS + 1) * OUTPUTS), worst = 0.0;
  space_project(&sphere, &start, 0, vector);
  for (size_t i = 0; i < (LANDMARKS + 1) * OUTPUTS; i++) weights[i] = symmetric();
  response r = problem_on(exec, &d, loss, &sphere, 0, &start, weights, y, NULL);
  response_pass(&r, rows, &little, 1.0);
  for (size_t l = 0; l < LANDMARKS; l++) {
    double slope[COLUMNS], along = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
      double *at = coordinate(&start, l, j), keep = *at;
      *at = keep + h;
      const long double up = objective(&d, y, loss, &start, weights, BANDWIDTH);
      *at = keep - h;
      const long double down = objective(&d, y, loss, &start, weights, BANDWIDTH);
      *at = keep;
      slope[j] = (double)((up - down) / (2 * h));
      along += slope[j] * keep;
    }
    for (size_t j = 0; j < COLUMNS; j++) {
      const double want = slope[j] - along * *coordinate(&start, l, j);
      compare(&worst, 10.0 * r.landmark.first[j * r.now.ld + l], want, 0.1);
    }
  }
  CHECK(worst < 1e-7, "%s: gradient along a sphere, %g", loss_name[loss], worst);
}

/* Many steps lower the objective; bits do not depend on threads; weights are repeated rows; what
 * is fixed stays; landmarks stay in their space. */
static void check_steps(const executor *exec, layout kind, loss_kind loss) {
  enum { ROWS = 60, STEPS = 40 };
  const executor other = other_threads(exec);
  const data d = data_make(kind, ROWS, COLUMNS, 1);
  const matrix y = classes(ROWS);
  points start = points_make(LANDMARKS, COLUMNS);
  for (size_t i = 0; i < COLUMNS * start.ld; i++) start.x[i] = fabs(start.x[i]);
  points_norms(&start);
  double *weights = doubles((LANDMARKS + 1) * OUTPUTS), rate[STEPS];
  for (size_t i = 0; i < (LANDMARKS + 1) * OUTPUTS; i++) weights[i] = 0.1 * symmetric();
  for (size_t s = 0; s < STEPS; s++) rate[s] = 0.05 * (1.0 - (double)s / STEPS);
  double center[COLUMNS], factor[COLUMNS];
  for (size_t j = 0; j < COLUMNS; j++) {
    center[j] = 0.0;
    factor[j] = 1.0;
  }
  const space orthant = {SPACE_NONNEGATIVE, center, factor, NULL, NULL};
  response one = problem_on(exec, &d, loss, &orthant, 2, &start, weights, y, NULL),
           two = problem_on(&other, &d, loss, &orthant, 2, &start, weights, y, NULL);
  const long double before = objective(&d, y, loss, &start, weights, BANDWIDTH);
  double told = 0.0;
  for (size_t s = 0; s < STEPS; s++) {
    told = response_pass(&one, ROWS, rate + s, 1.0);
    response_pass(&two, ROWS, rate + s, 1.0);
  }
  CHECK(SAME_BITS(one.now.x, two.now.x, COLUMNS * one.now.ld) && one.bandwidth == two.bandwidth,
        "%s, %s: threads give the same bits", layout_name[kind], loss_name[loss]);
  double after[(LANDMARKS + 1) * OUTPUTS];
  for (size_t l = 0; l <= LANDMARKS; l++) {
    memcpy(after + l * OUTPUTS, one.weights.x + l * one.weights.stride, OUTPUTS * sizeof *after);
  }
  const long double now = objective(&d, y, loss, &one.now, after, one.bandwidth);
  CHECK(now < before, "%s, %s: steps lower the objective, %Lg to %Lg", layout_name[kind],
        loss_name[loss], before, now);
  CHECK(told > 0.0 && told < (double)before, "the loss that is told is that of the rows, %g", told);
  int still = 1;
  for (size_t l = 0; l < 2; l++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      still &= *coordinate(&one.now, l, j) == *coordinate(&start, l, j);
    }
  }
  CHECK(still, "landmarks that are fixed stay");
  CHECK(points_inside(&one.now, &orthant), "landmarks stay in their space");
}

static void check_weights(const executor *exec, layout kind) {
  enum { ROWS = 30, ALL = 45, STEPS = 20 };
  data d = data_make(kind, ROWS, COLUMNS, 0);
  int row[ALL];
  for (int i = 0; i < ALL; i++) row[i] = i < ROWS ? i : i - ROWS;
  const data twice = data_rows(&d, row, ALL);
  double *weight = doubles(ROWS);
  for (size_t i = 0; i < ROWS; i++) weight[i] = i < ALL - ROWS ? 2.0 : 1.0;
  d.x.weight = weight;
  const matrix y = classes(ROWS),
               y_twice = matrix_on(doubles(ALL * y.stride), ALL, OUTPUTS, y.stride);
  for (int i = 0; i < ALL; i++) {
    memcpy(y_twice.x + (size_t)i * y.stride, y.x + (size_t)row[i] * y.stride,
           y.stride * sizeof(double));
  }
  points start = points_make(LANDMARKS, COLUMNS);
  double *weights = doubles((LANDMARKS + 1) * OUTPUTS), worst = 0.0;
  for (size_t i = 0; i < (LANDMARKS + 1) * OUTPUTS; i++) weights[i] = symmetric();
  response one = problem_on(exec, &d, LOSS_SOFTMAX, &anywhere, 0, &start, weights, y, NULL),
           two =
               problem_on(exec, &twice, LOSS_SOFTMAX, &anywhere, 0, &start, weights, y_twice, NULL);
  const double rate = 0.01;
  for (int s = 0; s < STEPS; s++) {
    response_pass(&one, ROWS, &rate, 1.0);
    response_pass(&two, ALL, &rate, 1.0);
  }
  for (size_t l = 0; l < LANDMARKS; l++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      compare_relative(&worst, *coordinate(&one.now, l, j), *coordinate(&two.now, l, j));
    }
  }
  CHECK(worst < 1e-8, "%s: weights are repeated rows, %g", layout_name[kind], worst);
}

void test_response(const executor *exec) {
  seed(15);
  for (loss_kind loss = LOSS_SQUARES; loss <= LOSS_SOFTMAX; loss++) {
    check_losses(loss);
    for (int weighted = 0; weighted < 2; weighted++) {
      check_gradient(exec, ROWS_DENSE, weighted, loss);
      check_gradient(exec, ROWS_SPARSE, weighted, loss);
    }
    check_tangent(exec, loss);
    check_steps(exec, ROWS_DENSE, loss);
    check_steps(exec, ROWS_SPARSE, loss);
  }
  check_weights(exec, ROWS_DENSE);
  check_weights(exec, ROWS_SPARSE);
  release();
}
