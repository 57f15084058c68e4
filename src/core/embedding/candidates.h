/*
 * Which landmarks may be near a point, by how far it is from its nearest one, its
 * home: bounds by the triangle inequality, so that for most points a small part of
 * all landmarks comes into question.
 *
 * Distances are D(x, j) = shift_j + q_j(x), q_j the squared distance, or with
 * covariances (x - t_j)' C^-1 (x - t_j) / 8, C = (C_home + C_j) / 2, and shift_j what
 * they add to a Bhattacharyya distance. With u = sqrt(q_home(x)), and s = 1, or sqrt(2)
 * with covariances, because C is at least C_home / 2,
 *
 *   shift_j + (sqrt(q_j(home)) - s u)_+^2 <= D(x, j) <= shift_j + (sqrt(q_j(home)) + s u)^2.
 *
 * Landmark j comes into question where the lower bound is not above its reach, or
 * not above the (neighbors + 1)-th smallest of the upper bounds. It does so from some u on:
 * landmarks are put in the order in which they come in, at steps of u.
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
  points landmarks;    /* with norms */
  const double *reach; /* n: D to the neighbors-th nearest landmark */
  const int *start;    /* the graph, compressed: n + 1, */
  const int *joined;   /* and from 0 */
  spread_kind spread;
  const double *covariance; /* columns x n, or n x columns x columns, positive definite */
  double *between; /* with a spread: what is added to q between all homes and landmarks, n x n */
  const product_variant *variant;
} candidate_setup;

/* Rows whose distances are best made together: more than one where they are products. */
size_t candidates_rows(const candidate_setup *all);

#define CANDIDATE_STEPS 13

/* Around one home. */
typedef struct {
  size_t home;
  double u[CANDIDATE_STEPS];
  size_t within[CANDIDATE_STEPS]; /* how many come into question up to there */
  int *order;                     /* which: the home first */
  double *root, *shift;           /* sqrt(q_j(home)) and shift_j, of all landmarks */
  double *moved;                  /* shift_j in that order */
  double *t, *form;               /* their coordinates, and C^-1 or its factor, in that order; or
                                     what rows are multiplied with */
  double *scratch;
} candidates;

void candidates_layout(candidates *v, arena *memory, const candidate_setup *all);

/* Around `home`: what is needed to see how far rows are from it. */
void candidates_begin(candidates *v, const candidate_setup *all, size_t home);

/* u of row l, of at most candidates_rows(). */
double candidates_off(const candidates *v, const candidate_setup *all, const points *at, size_t l);

/* The landmarks that come into question for rows with u up to `farthest`. Time n (columns
 * + steps), and columns^3 for each that does, if covariances are full. */
void candidates_reach(candidates *v, const candidate_setup *all, double farthest);

/* Those for some rows and their u: v->order[i] and d[l * length + i], i < within[l], where length
 * is that of the landmarks. `at` may be changed. */
void candidates_distances(const candidates *v, const candidate_setup *all, points *at,
                          const double *u, double *d, size_t *within);

#endif
