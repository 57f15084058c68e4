/* The pairs of L-BFGS. */
#include "check.h"
#include "core/optim/pairs.h"
#include "fixture.h"

#include <string.h>

#define SIZE 16

/* Adds a pair whose change is `curvature` times the step, per element. */
static void add_pair(curvature_pairs *p, const double *curvature) {
  const size_t at = pairs_place(p, p->count);
  for (size_t i = 0; i < SIZE; i++) {
    p->step[at][i] = symmetric();
    p->change[at][i] = curvature[i] * p->step[at][i];
  }
  pairs_keep(p);
}

/* The newest step follows from its change, whatever the first guess (the secant equation), and
 * directions are positive definite. */
void test_pairs(const executor *exec) {
  (void)exec;
  curvature_pairs p;
  LAY_OUT_CHECKED(memory, pairs_layout(&p, &memory, MOST_PAIRS, SIZE));
  double curvature[SIZE], share[MOST_PAIRS], guess[SIZE], v[SIZE], newest[SIZE];
  for (size_t i = 0; i < SIZE; i++) {
    curvature[i] = 0.1 + 5.0 * uniform();
    guess[i] = 0.1 + uniform();
  }
  for (size_t k = 1; k <= 2 * MOST_PAIRS; k++) {
    add_pair(&p, curvature);
    CHECK(p.count == (k < MOST_PAIRS ? k : MOST_PAIRS), "%zu pairs after %zu", p.count, k);
    const size_t at = pairs_place(&p, p.count - 1);
    memcpy(newest, p.step[at], sizeof newest);
    memcpy(v, p.change[at], sizeof v);
    pairs_begin(&p, v, share);
    for (size_t i = 0; i < SIZE; i++) v[i] *= guess[i];
    pairs_finish(&p, share, v);
    double worst = 0.0;
    for (size_t i = 0; i < SIZE; i++) compare(&worst, v[i], newest[i], 1.0);
    CHECK(worst < 1e-12, "the newest step follows from its change, %g", worst);
  }
  double g[SIZE];
  for (size_t i = 0; i < SIZE; i++) v[i] = g[i] = symmetric();
  pairs_begin(&p, v, share);
  for (size_t i = 0; i < SIZE; i++) v[i] *= guess[i];
  pairs_finish(&p, share, v);
  CHECK(pairs_inner(g, v, SIZE) > 0.0, "the step leads down");
  for (size_t i = 0; i < SIZE; i++) curvature[i] = -1.0;
  p.count = 2;
  add_pair(&p, curvature);
  CHECK(p.count == 2, "a pair of negative curvature is dropped");
  release();
}
