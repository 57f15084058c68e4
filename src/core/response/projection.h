/*
 * Least squares by variable projection (Golub and Pereyra, 1973). For given landmarks, relevances
 * and bandwidth, u, the weights w = (W, A, b) are those of a ridge regression on all rows,
 *
 *   (F'DF / V + penalty I) w = F'Dy / V,   F = (Phi, Z, 1), D = diag(v_i), V = sum_i v_i,
 *
 * without a penalty on the intercepts. As dL/dw = 0 there, the gradient of
 * L(u) = min_w L(u, w) is the partial derivative of response.h at these weights. L(u) falls by
 * L-BFGS with a backtracking line search (Nocedal and Wright, 2006, chapter 7).
 *
 * u has the landmarks in the data's coordinates over sqrt(eta), eta the bandwidth at the start, the
 * logarithms of the relevances over their rate, and log eta. No landmark, nor another element of u,
 * moves by more than 0.1 in an iteration: longer steps overfit before they can be judged on
 * held-out rows.
 */
#ifndef LANDMARKER_PROJECTION_H
#define LANDMARKER_PROJECTION_H

#include "core/optim/pairs.h"
#include "response.h"

typedef struct {
  response *r;           /* laid out with shape.projects, for as many rows as there are */
  curvature_pairs pairs; /* of earlier iterations too */
  double value;          /* L at `at`, infinite before the first call */
  double *at, *slope;    /* u and dL/du, pairs.size each */
  double *next, *next_slope, *step;
} projection;

/* Memory 2 MOST_PAIRS + 5 vectors of u. */
void projection_layout(projection *p, arena *memory, response *r);

/* Up to so many iterations, from the state of p->r to a state with the weights of L(u). Returns how
 * many lowered L: fewer where no step does. Time of an iteration that of a gradient
 * (response_pass()) on all rows, and rows m^2 + m^3. */
size_t projection_run(projection *p, size_t iterations);

#endif
