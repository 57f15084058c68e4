/*
 * Greedy order of landmarks by Gram-Schmidt in whitened coordinates. With W = L L' the kernel of
 * the landmarks with each other, landmark l has the coordinates p_l, row l of L; and with A = sum_i
 * v_i b_i b_i', the sum over the observations of their Nystrom features b_i = L^-1 k_i,
 *
 *   G = Phi'D Phi = L A L',  A = C'C:   W_kl = p_k'p_l,  G_kl = (C p_k)'(C p_l).
 *
 * Vectors keep the digits that G loses, whose condition is the square of W's. The criteria are
 *
 *   trace    gain_l = |C p_l|^2 / |p_l|^2, p_l without its projection on those before it: what l
 *            adds to the trace of the observations' kernel that is explained
 *   volume   gain_l = |C p_l|^2, C p_l without its projection on those before it: a pivot of G, of
 *            which log det G is the sum of logarithms
 */
#ifndef LANDMARKER_GREEDY_ORDER_H
#define LANDMARKER_GREEDY_ORDER_H

#include "core/base/arena.h"
#include "panel.h"

typedef struct {
  const executor *exec;
  size_t n, rank; /* vectors, and coordinates of each */
  size_t ld;      /* padded(n) */
  double *x;      /* rank x ld: a vector is a column; to be filled, and overwritten */
  double *y;      /* likewise, of the trace: C times x; or NULL */
  double *gain;   /* n: what each adds, in order */
  size_t *order;  /* n */
  /* Scratch. Vectors that were taken leave at the end of a panel, and the others move up. */
  size_t there; /* how many there are */
  size_t *name; /* n: which they are, ascending */
  panel ahead;
  double *left, *explained; /* ld: |x|^2, |y|^2 */
  double *before;           /* 2 x ld: the two as the panel began */
  double *least;            /* n: of |x|^2, for it to be taken; infinite once it is */
  double *score;            /* ld: the gain; -1 where it cannot be taken */
  double *columns, *more;   /* PANEL x ld: x'x and y'y of the panel's vectors with all */
  double *l, *v;            /* PANEL x ld: of those taken in this panel, see greedy_order.c */
  double *some;             /* rank x PANEL: the panel's vectors */
  double *q, *cq;           /* rank x PANEL: directions, and C times them */
  size_t taken[PANEL], count;
} greedy;

/* `two`: by the trace. Memory O(n rank). */
void greedy_layout(greedy *g, arena *memory, const executor *exec, size_t n, size_t rank, int two);

/* The order, in g->order and g->gain: the first `fixed` in their places, then always the one with
 * the largest gain (ties: the first). One of whose |x|^2 those before leave at most the share
 * `floor` depends on them: its gain is 0, and it is taken only if fixed. Returns how many were
 * taken. Time 4 n^2 rank by the trace and 2 n^2 rank by the volume, nearly all of it in products.
 * Polls. */
size_t greedy_order(greedy *g, size_t fixed, double floor);

#endif
