/*
 * Diverse rows by an approximate determinantal point process: Wachinger and
 * Golland (2015), Algorithm 2. Every row starts with odds v_i (its weight, or 1).
 * A row is drawn in proportion to the odds, and those of its m nearest rows are
 * multiplied by
 *
 *   welsch   1 - exp(-u^2 / (2 sigma^2))          u the distance from it
 *   sin2     sin(u / sigma)^2, 1 from u = sigma pi / 2 on
 *
 * which is 0 for the row itself and for those equal to it.
 *
 * Neighbours are looked for before rows are drawn, for a block of candidates at once,
 * so that the products and the threads have work: candidates are drawn by the odds
 * as they stand, and one after another is taken with probability
 * odds now / odds when it was drawn. As odds only fall this is rejection
 * sampling: what is taken comes by the odds as they are then, exactly.
 */
#ifndef LANDMARKER_DPP_H
#define LANDMARKER_DPP_H

#include "core/base/sum_tree.h"
#include "core/data/search.h"

#define DPP_CANDIDATES 64 /* in a block, at the most; fewer where lists are long */

typedef enum { DPP_WELSCH, DPP_SIN2 } dpp_update;

typedef struct {
  const observations *x;
  search near;
  size_t m;     /* neighbours beside the row itself */
  size_t block; /* candidates at a time */
  dpp_update update;
  double sigma;
  sum_tree odds;
  points at;     /* the candidates */
  double *lists; /* their neighbours: m + 1 each, themselves among them */
  double *drawn; /* their odds when they were drawn */
  int *row;      /* which rows they are */
  int *touched;
} dpp;

void dpp_layout(dpp *p, arena *memory, const executor *exec, const observations *x, size_t m,
                search_kind kind);

/* The search is built and all odds are as at the start. */
void dpp_start(dpp *p);

/* 0 when no row is left: all odds are 0. Odds that have all become tiny are made larger,
 * all alike, which changes no probability: they end by 0 and not by underflow. */
double dpp_left(const dpp *p);

/* `count` candidates from as many uniforms, and their neighbours. Time: see
 * search_nearest(). */
void dpp_propose(dpp *p, size_t count, const double *uniform);

/* The neighbours of points that are not drawn, landmarks that are held: p->at. */
void dpp_search(dpp *p);

/* The default scale: twice the median over the candidates just proposed of the distance
 * to the farthest neighbour. */
double dpp_scale(const dpp *p);

/* Its m + 1 nearest rows, itself among them. */
void dpp_neighbors(const dpp *p, size_t k, int *row);

/* Whether candidate k is taken, given a uniform; if so the odds around it fall.
 * Time m log rows at the most. */
int dpp_take(dpp *p, size_t k, double uniform);

/* The odds around candidate k fall, whether it was drawn or not. */
void dpp_repel(dpp *p, size_t k);

#endif
