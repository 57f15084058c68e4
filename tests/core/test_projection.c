/* Variable projection: the weights are the best, the gradient is that of the objective at them. */
#include "response_problem.h"

static response projected_on(const executor *exec, const data *d, const rich_state *at, matrix y,
                             size_t fixed) {
  return problem_by(exec, d, LOSS_SQUARES, &anywhere, fixed, &at->t, at->weights, y, at->relevance,
                    at->kernel, 1);
}

static void check_projection(const executor *exec, int weighted, int kernel) {
  const data d = data_make(ROWS_DENSE, 40, COLUMNS, weighted);
  const matrix y = classes(40);
  rich_state at = random_state(kernel);
  response r = projected_on(exec, &d, &at, y, 0);
  projection p;
  LAY_OUT_CHECKED(memory, projection_layout(&p, &memory, &r));
  projection_run(&p, 0);
  take_weights(&r, &at);
  double by_weights = 0.0, by_landmarks = 0.0, by_relevance = 0.0, by_bandwidth = 0.0, value = 0.0;
  compare_relative(&value, p.value, (double)rich_objective(&d, y, LOSS_SQUARES, &at));
  CHECK(value < 1e-13, "%s: the objective, %g", kernel_profiles[kernel].name, value);
  for (size_t i = 0; i < (PREDICTORS + 1) * OUTPUTS; i++) {
    compare(&by_weights, rich_slope(&d, y, LOSS_SQUARES, &at, at.weights + i, 0), 0.0, 1.0);
  }
  CHECK(by_weights < 1e-9, "%s: no gradient by the weights, %g", kernel_profiles[kernel].name,
        by_weights);
  const double *rest = p.slope + COLUMNS * r.now.ld, unit = sqrt(BANDWIDTH);
  for (size_t j = 0; j < COLUMNS; j++) {
    const double slope = rich_slope(&d, y, LOSS_SQUARES, &at, at.relevance + j, 1);
    compare(&by_relevance, rest[j] / r.metric.rate, slope, 0.1);
    for (size_t l = 0; l < LANDMARKS; l++) {
      const double by = rich_slope(&d, y, LOSS_SQUARES, &at, coordinate(&at.t, l, j), 0);
      compare(&by_landmarks, p.slope[j * r.now.ld + l] / unit, by, 0.1);
    }
  }
  compare(&by_bandwidth, rest[COLUMNS], rich_slope(&d, y, LOSS_SQUARES, &at, &at.bandwidth, 1),
          0.1);
  CHECK(by_landmarks < 1e-7, "%s: by the landmarks, %g", kernel_profiles[kernel].name,
        by_landmarks);
  CHECK(by_relevance < 1e-7, "%s: by the relevances, %g", kernel_profiles[kernel].name,
        by_relevance);
  CHECK(by_bandwidth < 1e-7, "%s: by the bandwidth, %g", kernel_profiles[kernel].name,
        by_bandwidth);
}

/* Iterations lower the objective to a stationary point; threads give the same bits; fixed landmarks
 * stay; no element of u moves too far; a run may be resumed. */
static void check_iterations(const executor *exec) {
  enum { ROWS = 60, ITERATIONS = 30 };
  const executor other = other_threads(exec);
  const data d = data_make(ROWS_DENSE, ROWS, COLUMNS, 1);
  const matrix y = classes(ROWS);
  rich_state at = random_state(0);
  response one = projected_on(exec, &d, &at, y, 2), two = projected_on(&other, &d, &at, y, 2);
  projection p, q;
  LAY_OUT_CHECKED(memory, projection_layout(&p, &memory, &one));
  LAY_OUT_CHECKED(more, projection_layout(&q, &more, &two));
  projection_run(&p, 0);
  double before = p.value, far = 0.0, *u = doubles(p.pairs.size);
  size_t fell = 0;
  for (size_t i = 0; i < ITERATIONS; i++) {
    memcpy(u, p.at, p.pairs.size * sizeof *u);
    before = p.value;
    fell += projection_run(&p, 1) == 1 && p.value < before;
    for (size_t k = 0; k < p.pairs.size; k++) far = fmax(far, fabs(p.at[k] - u[k]));
  }
  CHECK(fell == ITERATIONS, "%zu of %d iterations lower the objective", fell, ITERATIONS);
  CHECK(far < 0.1 + 1e-12, "an element moves by %g", far);
  projection_run(&q, ITERATIONS);
  double worst = 0.0;
  for (size_t k = 0; k < p.pairs.size; k++) compare(&worst, p.at[k], q.at[k], 1.0);
  CHECK(worst < 1e-6, "a run may be resumed, %g", worst);
  response three = projected_on(exec, &d, &at, y, 2);
  projection s;
  LAY_OUT_CHECKED(again, projection_layout(&s, &again, &three));
  projection_run(&s, ITERATIONS);
  CHECK(SAME_BITS(s.at, q.at, s.pairs.size) &&
            SAME_BITS(three.weights.x, two.weights.x, (PREDICTORS + 1) * two.weights.stride),
        "threads give the same bits");
  projection_run(&p, 2000);
  double steepest = 0.0;
  for (size_t k = 0; k < p.pairs.size; k++) steepest = fmax(steepest, fabs(p.slope[k]));
  CHECK(steepest < 1e-4, "it ends where the gradient is about 0, %g", steepest);
  rich_state after = state_of(&one);
  double value = 0.0, still = 0.0;
  compare_relative(&value, p.value, (double)rich_objective(&d, y, LOSS_SQUARES, &after));
  CHECK(value < 1e-9, "the state is that of the objective, %g", value);
  for (size_t l = 0; l < 2; l++) {
    for (size_t j = 0; j < COLUMNS; j++) {
      compare_relative(&still, *coordinate(&one.now, l, j), *coordinate(&at.t, l, j));
    }
  }
  CHECK(still < 1e-12, "landmarks that are fixed stay, %g", still);
}

void test_projection(const executor *exec) {
  for (int kernel = 0; kernel < KERNELS; kernel++) {
    for (int weighted = 0; weighted < 2; weighted++) check_projection(exec, weighted, kernel);
  }
  check_iterations(exec);
  release();
}
