/*
 * A climb on all rows by a limited-memory quasi-Newton method (L-BFGS; Liu and Nocedal, 1989):
 * the last few steps and the changes of the slope along them correct the step that the
 * criterion proposes, which stands in the place of the first guess of the inverse Hessian. Near
 * the top it needs about half the passes over the rows that proposals alone need.
 */
#ifndef LANDMARKER_QUASI_NEWTON_H
#define LANDMARKER_QUASI_NEWTON_H

#include "ascent.h"

#define QUASI_PAIRS 6 /* steps that are kept */

typedef struct {
  size_t count, first;                             /* pairs, and where the oldest stands */
  double *step[QUASI_PAIRS], *change[QUASI_PAIRS]; /* columns x length each */
  double inner[QUASI_PAIRS];                       /* of step and change, above 0 */
  double *slope, *last;                            /* now, and before the step */
} quasi_newton;

/* Memory 2 (QUASI_PAIRS + 1) n columns for n moving landmarks. */
void quasi_newton_layout(quasi_newton *q, arena *memory, const ascent *a);

/* As ascent_climb(), with the same end: a corrected step that does not raise the criterion is
 * replaced by the proposal, tried at shorter and shorter shares. Time of a step: that of a value
 * and a proposal, and QUASI_PAIRS n columns. */
climb_result quasi_newton_climb(quasi_newton *q, ascent *a, int steps, int halvings,
                                double tolerance, double *moved);

#endif
