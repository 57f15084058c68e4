/* A diagonal metric that is learned with landmarks, and a trend: their gradient, and steps. */
#include "response_problem.h"

static void check_rich_gradient(const executor *exec, int weighted, loss_kind loss, int kernel) {
  const size_t rows = 40;
  const double little = 1e-9;
  const data d = data_make(ROWS_DENSE, rows, COLUMNS, weighted);
  const matrix y = classes(rows);
  rich_state at = random_state(kernel);
  response r =
      problem_by(exec, &d, loss, &anywhere, 0, &at.t, at.weights, y, at.relevance, kernel, 0);
  response_pass(&r, rows, &little, 1.0);
  double by_relevance = 0.0, by_weights = 0.0, by_landmarks = 0.0, by_bandwidth = 0.0;
  for (size_t j = 0; j < COLUMNS; j++) {
    compare(&by_relevance, 10.0 * r.metric.first[j],
            rich_slope(&d, y, loss, &at, at.relevance + j, 1), 0.1);
    for (size_t l = 0; l < LANDMARKS; l++) {
      /* dL/dt = r dL/dt'. */
      compare(&by_landmarks, 10.0 * r.landmark.first[j * r.now.ld + l] * at.relevance[j],
              rich_slope(&d, y, loss, &at, coordinate(&at.t, l, j), 0), 0.1);
    }
  }
  compare(&by_bandwidth, 10.0 * r.moment[0], rich_slope(&d, y, loss, &at, &at.bandwidth, 1), 0.1);
  for (size_t l = 0; l <= PREDICTORS; l++) {
    for (size_t k = 0; k < OUTPUTS; k++) {
      double got = 0.0;
      for (size_t m = 0; m <= l && l < PREDICTORS; m++) {
        got +=
            10.0 * r.factor.x[m * r.factor.stride + l] * r.weight.first[m * r.weights.stride + k];
      }
      if (l == PREDICTORS) got = 10.0 * r.weight.first[l * r.weights.stride + k];
      compare(&by_weights, got, rich_slope(&d, y, loss, &at, at.weights + l * OUTPUTS + k, 0), 0.1);
    }
  }
  CHECK(by_relevance < 1e-7, "%s, %s: gradient by the relevances, %g", loss_name[loss],
        kernel_profiles[kernel].name, by_relevance);
  CHECK(by_landmarks < 1e-7, "%s: by landmarks in a metric, %g", loss_name[loss], by_landmarks);
  CHECK(by_bandwidth < 1e-7, "%s: by the bandwidth in a metric, %g", loss_name[loss], by_bandwidth);
  CHECK(by_weights < 1e-7, "%s: by weights and trend, %g", loss_name[loss], by_weights);
}

/* With relevances and a trend: steps lower the objective, threads give the same bits, and what is
 * fixed stays where it is in the data's units. */
static void check_rich_steps(const executor *exec, loss_kind loss) {
  enum { ROWS = 60, STEPS = 40 };
  const executor other = other_threads(exec);
  const data d = data_make(ROWS_DENSE, ROWS, COLUMNS, 1);
  const matrix y = classes(ROWS);
  rich_state at = {.t = points_make(LANDMARKS, COLUMNS), .bandwidth = BANDWIDTH};
  for (size_t i = 0; i < (PREDICTORS + 1) * OUTPUTS; i++) at.weights[i] = 0.1 * symmetric();
  for (size_t j = 0; j < COLUMNS; j++) at.relevance[j] = 1.0;
  const long double before = rich_objective(&d, y, loss, &at);
  response one = problem_on(exec, &d, loss, &anywhere, 2, &at.t, at.weights, y, at.relevance),
           two = problem_on(&other, &d, loss, &anywhere, 2, &at.t, at.weights, y, at.relevance);
  for (size_t s = 0; s < STEPS; s++) {
    const double rate = 0.05 * (1.0 - (double)s / STEPS);
    response_pass(&one, ROWS, &rate, 1.0);
    response_pass(&two, ROWS, &rate, 1.0);
  }
  CHECK(SAME_BITS(one.now.x, two.now.x, COLUMNS * one.now.ld) &&
            SAME_BITS(one.metric.by, two.metric.by, COLUMNS) &&
            SAME_BITS(one.weights.x, two.weights.x, (PREDICTORS + 1) * one.weights.stride),
        "%s: threads give the same bits with relevances", loss_name[loss]);
  rich_state after = state_of(&one);
  double worst = 0.0;
  for (size_t l = 0; l < 2; l++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      compare_relative(&worst, *coordinate(&one.now, l, j), *coordinate(&at.t, l, j));
    }
  }
  CHECK(worst < 1e-12, "held landmarks stay in the data's units, %g", worst);
  const long double now = rich_objective(&d, y, loss, &after);
  CHECK(now < before, "%s: steps with relevances lower the objective, %Lg to %Lg", loss_name[loss],
        before, now);
}

/* However steep the slopes are, a relevance moves by at most half in its logarithm. */
static void check_long_step(void) {
  double by[2] = {1.0, 1.0}, first[2] = {0.0, 0.0}, slope[2] = {-1.0, 1.0}, ratio[2];
  metric m = {.rate = 100.0, .by = by, .first = first, .slope = slope, .ratio = ratio};
  metric_step(&m, 2, 1.0, 10.0, 100.0);
  CHECK(fabs(log(by[0]) - 0.5) < 1e-12 && fabs(log(by[1]) + 0.5) < 1e-12,
        "a long step of relevances ends at exp(1/2) and exp(-1/2), not at %g and %g", by[0], by[1]);
  CHECK(ratio[0] == by[0] && ratio[1] == by[1], "points are told by how much");
}

void test_metric(const executor *exec) {
  check_long_step();
  seed(16);
  for (loss_kind loss = LOSS_SQUARES; loss <= LOSS_SOFTMAX; loss++) {
    for (int kernel = 0; kernel < KERNELS; kernel++) {
      check_rich_gradient(exec, kernel % 2, loss, kernel);
    }
    check_rich_gradient(exec, 1, loss, 0);
    check_rich_steps(exec, loss);
  }
  release();
}
