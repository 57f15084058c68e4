/*
 * The pairs of a limited-memory quasi-Newton method (L-BFGS; Liu and Nocedal, 1989): the last few
 * steps s and the changes y of the gradient along them. With a first guess D of the inverse
 * Hessian, the step from a gradient g is pairs_finish(D pairs_begin(g)).
 */
#ifndef LANDMARKER_PAIRS_H
#define LANDMARKER_PAIRS_H

#include "core/base/arena.h"

#define MOST_PAIRS 6 /* more gain nothing */

typedef struct {
  size_t most, size;   /* kept at the most; doubles of a vector, a multiple of EIGHT */
  size_t count, first; /* kept now, and where the oldest stands */
  double *step[MOST_PAIRS], *change[MOST_PAIRS];
  double inner[MOST_PAIRS]; /* of step and change, above 0 */
} curvature_pairs;

/* Memory 2 most * size. */
void pairs_layout(curvature_pairs *p, arena *memory, size_t most, size_t size);

/* Where the k-th oldest pair stands, and for k = count the next. */
size_t pairs_place(const curvature_pairs *p, size_t k);

/* The two halves of the recursion, in place. share[k]: what the first half leaves for the second,
 * MOST_PAIRS doubles. Time 2 count * size each. */
void pairs_begin(const curvature_pairs *p, double *slope, double *share);
void pairs_finish(const curvature_pairs *p, const double *share, double *step);

/* The pair that was written to step[at] and change[at], at = pairs_place(p, p->count), becomes the
 * newest; the oldest goes if there are too many. It is dropped if it shows no curvature above
 * rounding. */
void pairs_keep(curvature_pairs *p);

/* x'y, in the same order on every processor. */
double pairs_inner(const double *x, const double *y, size_t size);

#endif
