/*
 * A check is a condition and a sentence that says what holds. Failures are printed, passes only
 * counted.
 */
#ifndef LANDMARKER_CHECK_H
#define LANDMARKER_CHECK_H

#include <math.h>
#include <string.h>

#include "core/base/executor.h"

/* CHECK(condition, "what should hold, with %d values", ...) */
#define CHECK(condition, ...) check_that((condition) != 0, __FILE__, __LINE__, __VA_ARGS__)

void check_that(int holds, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* *worst := the larger of itself and |got - want| / scale; anything that
 * cannot be compared is infinitely wrong. */
static inline void compare(double *worst, double got, double want, double scale) {
  const double error = got == want ? 0.0 : fabs(got - want) / scale;
  if (!(error <= *worst)) *worst = isnan(error) ? INFINITY : error;
}

/* The same, relative to `want` or to 1 where that is larger. */
static inline void compare_relative(double *worst, double got, double want) {
  compare(worst, got, want, fmax(1.0, fabs(want)));
}

/* The other number of threads, whose results have to be the same bits. */
static inline executor other_threads(const executor *exec) {
  const executor other = {exec->threads == 1 ? 2 : 1, exec->variant, exec->poll, exec->uniform};
  return other;
}

/* Whether two arrays of so many elements are the same bits: what one number of threads has given
 * and what the other. */
#define SAME_BITS(one, two, count) (memcmp((one), (two), (count) * sizeof *(one)) == 0)

void test_products(const executor *exec);
void test_observations(const executor *exec);
void test_features(const executor *exec);
void test_linear(const executor *exec);
void test_order(const executor *exec);
void test_kernel_factor(const executor *exec);
void test_space(const executor *exec);
void test_ascent(const executor *exec);
void test_batches(const executor *exec);
void test_starts(const executor *exec);
void test_pivot_posterior(const executor *exec);
void test_active(const executor *exec);
void test_lloyd(const executor *exec);
void test_minibatch(const executor *exec);
void test_trace(const executor *exec);
void test_trace_order(const executor *exec);
void test_ridge(const executor *exec);
void test_softmax(const executor *exec);
void test_path(const executor *exec);
void test_lapack(const executor *exec);
void test_search(const executor *exec);
void test_dpp(const executor *exec);
void test_eigenmap(const executor *exec);
void test_neighborhood(const executor *exec);
void test_shortcuts(const executor *exec);
void test_novelty(const executor *exec);
void test_anchor_graph(const executor *exec);
void test_extension(const executor *exec);
void test_place(const executor *exec);
void test_exact_dpp(const executor *exec);
void test_bhattacharyya(const executor *exec);
void test_pace(const executor *exec);
void test_polls(const executor *exec);
void test_kernel(const executor *exec);
void test_response(const executor *exec);
void test_metric(const executor *exec);
void test_pairs(const executor *exec);
void test_projection(const executor *exec);
void test_forward(const executor *exec);
void test_fixed_point(const executor *exec);
void test_annealed_dpp(const executor *exec);

#endif
