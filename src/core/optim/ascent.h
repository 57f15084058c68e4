/*
 * The climb of a criterion: some landmarks move, others are fixed, on one set of rows, which is a
 * batch or all rows. It learns all landmarks at once (none fixed), one at a time (all but the last
 * fixed), or new ones (the old fixed), and refines all again.
 *
 * The criteria are in volume.h and trace.h.
 */
#ifndef LANDMARKER_ASCENT_H
#define LANDMARKER_ASCENT_H

#include "core/data/row_pass.h"
#include "core/data/space.h"

typedef struct ascent ascent;

/* What every criterion provides. It sees the landmarks as points `fixed` and `now` of the ascent,
 * and the data through a->row_pass; it changes only a->sums, a->next, what is in a->own, and the
 * scratch of row_pass_sums(). */
typedef struct {
  /* Takes the criterion's own arrays from `memory` and sets a->own to them. Called by
   * ascent_layout(), once to measure and once to lay out, with n, ld and the row pass set. */
  void (*layout)(ascent *a, arena *memory);
  /* The value at a->now, or -infinity where the criterion is undefined. `first`: nothing of the
   * fixed landmarks has been computed yet. */
  double (*value)(ascent *a, int first);
  /* a->sums: where the fixed point sends a->now, before any projection. value()
   * was the last call. May use a->next as scratch. */
  void (*propose)(ascent *a);
  /* The same in two parts, for climb.h. a->next: the slope, (eta / 4) times the gradient,
   * along the space; value() was the last call. Then a->sums: a->now and the step that answers
   * the slope in a->next, which may have been changed. */
  void (*slope)(ascent *a);
  void (*solve)(ascent *a);
  /* The most that the value can be, or NULL where there is no bound. */
  double (*most)(const ascent *a);
  /* About the rounding error of the value, after slope(); NULL where there is no bound. */
  double (*rounding)(const ascent *a);
  /* A value on the scale of one row and one landmark, so that values on batches of different
   * sizes compare: it is of the order of 1. */
  double (*worth)(const ascent *a, double value);
} criterion;

/* What is climbed, and by which landmarks. The rows on which it is climbed are not part of it: each
 * batch has others. */
typedef struct {
  radial_kernel kernel;
  const criterion *criterion;
  const space *space;   /* where landmarks may be */
  size_t fixed, moving; /* landmarks */
} climb_problem;

struct ascent {
  row_pass row_pass;
  const criterion *criterion;
  const space *space;
  size_t n;                /* fixed + moving */
  size_t ld;               /* padded(n) */
  points fixed, now, sums; /* in the kernel's coordinates */
  points next;
  double *h, *scratch; /* for row_pass_sums() */
  double *vector;      /* columns: for projections */
  double *normal;      /* moving: for slopes along a sphere */
  void *own;           /* the criterion's */
};

/* Takes its memory; `fixed` and `now` are then to be filled and their norms
 * computed. `kept` as in row_pass_layout(). Memory O(range (n + columns) + n columns), and the
 * criterion's. */
void ascent_layout(ascent *a, arena *memory, const executor *exec, const observations *x,
                   const climb_problem *problem, int kept);

/* About so many floating-point operations take a value and a proposal. */
double ascent_operations(const ascent *a);

/* now := from + share * (to - from), projected. */
void ascent_move(ascent *a, const points *from, const points *to, double share);

/* moved[l]: how far landmark l of `to` is from that of `from`, in sqrt(bandwidth); infinite where
 * it is no number. Returns the largest. */
double ascent_moves(const points *from, const points *to, double bandwidth, double *moved);

#endif
