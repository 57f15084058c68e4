/*
 * The climb on one set of rows to its end, or for so many steps: by the criterion's proposals,
 * corrected by a limited-memory quasi-Newton method (L-BFGS; Liu and Nocedal, 1989). The last few
 * steps and the changes of the slope along them are the pairs of the method, and the proposal
 * stands in the place of its first guess of the inverse Hessian. Near the top a corrected climb
 * needs about half the passes over the rows that proposals alone need.
 */
#ifndef LANDMARKER_CLIMB_H
#define LANDMARKER_CLIMB_H

#include "ascent.h"
#include "core/base/pace.h"
#include "pairs.h"

typedef struct {
  curvature_pairs pairs; /* columns x ld, in sqrt(bandwidth); none: proposals alone */
  double *slope, *last;  /* now, and before the step */
  double scale;          /* of the proposals; 1 but where they are stiff */
  pace pace;
  /* Called after each step that is kept, or NULL, as climb_layout() leaves it. */
  void (*progress)(void *context);
  void *context;
} climb;

/* How many pairs to keep, so that they take at most 128 MB, or as much as eight n x n matrices.
 * Not below 0. */
size_t climb_pairs(size_t moving, size_t columns);

/* For `a`, which has been laid out. Memory 2 (pairs + 1) n columns for n moving landmarks, none
 * for 0 pairs. */
void climb_layout(climb *c, arena *memory, const ascent *a, size_t pairs);

typedef struct {
  double start, value; /* of the criterion, before and after */
  int steps;           /* accepted */
  int halvings;        /* of all the steps together */
  double gain; /* of the last step to first order, as a share of what remained; 0: not known */
} climb_result;

/* Steps, each projected and kept only if the criterion did not fall. A step that is not
 * kept is tried at half the way, up to `halvings` times, a corrected one up to twice; then that is
 * replaced by the proposal. The climb ends where none is kept, after `steps`, or when no landmark
 * would move by more than `tolerance` * sqrt(bandwidth) and, where the criterion has a bound, the
 * step gains to first order no more than `tolerance` / 100 of what remains: with a wide kernel
 * short steps gain much. It ends as well, without its last step, where the rounding error of the
 * value is more than what remains. moved[l]: how far the last step would have taken moving landmark
 * l, in sqrt(bandwidth). Time of a step: that of a value and a proposal, and 4 pairs n columns. */
climb_result climb_run(climb *c, ascent *a, int steps, int halvings, double tolerance,
                       double *moved);

#endif
