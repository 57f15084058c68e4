/*
 * "Move these landmarks, hold those", on one set of rows: a batch, or all of
 * them. One function serves learning all landmarks at once (none held), one at
 * a time (all but the last held), new ones (the old held), and all again.
 *
 * What is climbed is a criterion of its own: its value, and where its fixed
 * point sends the moving landmarks.
 */
#ifndef LANDMARKER_ASCENT_H
#define LANDMARKER_ASCENT_H

#include "core/data/sweep.h"
#include "space.h"

typedef struct ascent ascent;

typedef struct {
  /* The value at a->now, or -infinity where it has none. `first`: nothing of
   * the held landmarks has been computed yet. */
  double (*value)(ascent *a, int first);
  /* a->sums: where the fixed point sends a->now, before any projection. value()
   * was the last call. */
  void (*propose)(ascent *a);
  /* Doubles that it needs for n landmarks, in a->own; or NULL. */
  size_t (*memory)(size_t n);
  /* The most that the value can be, or NULL where there is no bound. */
  double (*most)(const ascent *a);
} criterion;

/* log det(Phi' D Phi), whose fixed point is H'X; see volume.c. */
extern const criterion volume_criterion;
/* tr(W^-1 Phi' D Phi), what Nystrom explains of the kernel; see trace.c. */
extern const criterion trace_criterion;

struct ascent {
  sweep sweep;
  const criterion *criterion;
  const space *space;
  size_t n;               /* held + moving */
  size_t length;          /* padded(n) */
  points held, now, sums; /* in the kernel's coordinates */
  points next;
  double *g;       /* n x length: Phi' D Phi */
  double *factor;  /* n x length: its Cholesky factor */
  double *inverse; /* n x padded(moving): columns of its inverse */
  double *h;
  double *scratch, *vector;
  double *own; /* the criterion's */
};

/* Takes its memory; `held` and `now` are then to be filled and their norms
 * computed. Memory O(range (n + columns) + n^2 + n columns). */
void ascent_layout(ascent *a, arena *memory, const executor *exec, const observations *x,
                   double bandwidth, const criterion *what, const space *where, size_t held,
                   size_t moving, int kept);

typedef struct {
  double start, value; /* of the criterion, before and after */
  int steps;           /* accepted */
  int halvings;        /* of all the steps together */
} climb_result;

/* Fixed-point steps, each projected and kept only if the criterion did not
 * fall, else tried at half the way, up to `halvings` times; the climb ends
 * where none is kept, after `steps`, or when no landmark would move by more
 * than `tolerance` * sqrt(bandwidth) and, where the criterion has a bound, the
 * step gains no more than `tolerance` of what is left to it: where landmarks
 * are close, short steps gain much. moved[l]: how far the last proposal would
 * have taken moving landmark l, in sqrt(bandwidth). Time of a step: that of
 * sweep_gram() and sweep_sums() on the moving landmarks. */
climb_result ascent_climb(ascent *a, int steps, int halvings, double tolerance, double *moved);

/* One step along the gradient of the last landmark's variance, as the sum over
 * the rows or (`unit`) rescaled to norm 1; projected, never refused. */
void ascent_gradient_step(ascent *a, double rate, int unit, int first);

#endif
