/*
 * The landmarks that may be near a point x are its candidates. They are found from the
 * distance of x to its nearest landmark, its home, by bounds from the triangle inequality.
 * Most points have few candidates.
 *
 * Distances are D(x, j) = shift_j + q_j(x). Here q_j is the squared distance and shift_j is 0;
 * with covariances q_j is (x - t_j)' C^-1 (x - t_j) / 8, C = (C_home + C_j) / 2, and shift_j is
 * the other term of the Bhattacharyya distance. With u = sqrt(q_home(x)), and s = 1, or sqrt(2)
 * with covariances, because C is at least C_home / 2,
 *
 *   shift_j + (sqrt(q_j(home)) - s u)_+^2 <= D(x, j) <= shift_j + (sqrt(q_j(home)) + s u)^2.
 *
 * Landmark j is a candidate where the lower bound is at most its knn_radius, or at most
 * the (neighbors + 1)-th smallest of the upper bounds. Once it is a candidate at some u, it is one
 * at every larger u. So landmarks are sorted by the step of u at which they become candidates.
 */
#ifndef LANDMARKER_CANDIDATES_H
#define LANDMARKER_CANDIDATES_H

#include "core/base/arena.h"
#include "core/base/nearest.h"
#include "core/data/covariance.h"
#include "core/data/features.h"

/* The same for all homes. */
typedef struct {
  size_t n, neighbors;
  points landmarks;         /* with norms */
  const double *knn_radius; /* n: D to the neighbors-th nearest landmark */
  const int *start;         /* the graph, compressed: n + 1, */
  const int *joined;        /* and from 0 */
  spread_kind spread;
  const double *covariance; /* columns x n, or n x columns x columns, positive definite */
  double *between; /* with a spread: what is added to q between all homes and landmarks, n x n */
  const product_variant *variant;
} candidate_setup;

/* The number of rows whose distances are computed together: more than one for products. */
size_t candidates_rows(const candidate_setup *all);

#define CANDIDATE_STEPS 13

/* The candidates around one home. */
typedef struct {
  size_t home;
  double u[CANDIDATE_STEPS];
  size_t within[CANDIDATE_STEPS]; /* how many are candidates up to that step */
  int *order;                     /* which: the home first */
  double *root, *shift;           /* sqrt(q_j(home)) and shift_j, of all landmarks */
  int *step;                      /* from which u on each landmark is one: its number */
  double *moved;                  /* shift_j in that order */
  double *t, *form;               /* their coordinates, and C^-1 or its factor, in that order; or
                                     what rows are multiplied with */
  double *scratch;
} candidates;

void candidates_layout(candidates *v, arena *memory, const candidate_setup *all);

/* Prepares `home` for candidates_off(). */
void candidates_begin(candidates *v, const candidate_setup *all, size_t home);

/* u of row l, of at most candidates_rows(). */
double candidates_off(const candidates *v, const candidate_setup *all, const points *at, size_t l);

/* The candidates of rows with u up to `farthest`. Time n (columns + steps), and columns^3 for each
 * candidate if covariances are full. */
void candidates_reach(candidates *v, const candidate_setup *all, double farthest);

/* The candidates of some rows, given their u, and the distances: v->order[i] and
 * d[l * ld + i], i < within[l], where ld is that of the landmarks. `at` may be changed. */
void candidates_distances(const candidates *v, const candidate_setup *all, points *at,
                          const double *u, double *d, size_t *within);

#endif
