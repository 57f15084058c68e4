/*
 * The pivoted Cholesky factor of the landmarks' own kernel, W = L L', and the order of the
 * landmarks that follows from it and from A = sum_i v_i b_i b_i', b_i = L^-1 k_i, a sum over the
 * observations (row_pass_nystrom(), row_pass.h). No ridge is added to W: a landmark that depends on
 * others is left out.
 */
#ifndef LANDMARKER_KERNEL_FACTOR_H
#define LANDMARKER_KERNEL_FACTOR_H

#include "core/algebra/greedy_order.h"
#include "core/algebra/triangular.h"
#include "core/base/arena.h"
#include "points.h"

typedef struct {
  points t;          /* the landmarks, to be filled, with norms */
  size_t rank;       /* how many depend on no others */
  size_t *order;     /* n: these, in the order of their pivots, then the rest */
  double *basis;     /* rank x padded(n): L', a column for each landmark as it was given */
  double *w, *pivot; /* scratch: n x padded(n), and n */
  size_t *taken;     /* scratch: n */
} kernel_factor;

/* Memory 2 n^2 + n columns. */
void kernel_factor_layout(kernel_factor *f, arena *memory, size_t n, size_t columns);

/* The first `fixed` landmarks come first, then always the one with the largest pivot, as long as it
 * is above `floor`. Time n^2 (columns + rank). */
void kernel_factor_make(const executor *exec, const radial_kernel *k, size_t fixed, double floor,
                        kernel_factor *f);

/* The landmarks in the order of the factor, with norms, and R = L' of those that depend on no
 * others: what row_pass_nystrom() takes. Time n (n + columns). */
void kernel_factor_sorted(const kernel_factor *f, points *t, triangular *root);

typedef struct {
  greedy trace, volume;
  double *c; /* rank x padded(rank): A on entry, then its Cholesky factor C */
  double *p; /* rank x padded(n): L' */
  double *cp;
  size_t *order; /* n: the landmarks in greedy order */
} landmark_order;

/* Memory 7 n rank. */
void landmark_order_layout(landmark_order *o, arena *memory, const executor *exec,
                           const kernel_factor *f);

/* The greedy order by the trace, or by the volume; the first `fixed` keep their places. Returns how
 * many landmarks there are in o->order: those that depend on others are left out, unless they are
 * fixed. For the k-th of them o->trace.gain[k] is what it adds to the trace that is explained, and
 * o->volume.gain[k] the pivot of G = Phi' D Phi, both 0 if it depends on those before it. Time
 * 12 n^2 rank. */
size_t landmark_order_make(const executor *exec, const kernel_factor *f, size_t fixed,
                           int by_volume, landmark_order *o);

#endif
