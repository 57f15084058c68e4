/*
 * How much of a coordinate is new, given some others (Dsilva, Talmon, Coifman and Kevrekidis,
 * 2018): the share of its variance that a local linear regression on them does not explain.
 *
 * The value at each point is predicted by the `near` points nearest to it in the given
 * coordinates, itself left out, with tricube weights (Cleveland, 1979).
 */
#ifndef LANDMARKER_NOVELTY_H
#define LANDMARKER_NOVELTY_H

#include "core/base/arena.h"
#include "core/base/executor.h"

typedef struct {
  const executor *exec;  /* one thread */
  size_t n, given, near; /* 0 < given, 0 < near < n */
  const double *at;      /* n x given, by columns */
  double *squared, *ordered, *weight, *row, *gram, *solution;
  int *some; /* the points of weight above 0, in order, `count` of them */
  size_t count;
} novelty;

/* About 4 n + given^2 doubles. n and given are set before. */
void novelty_layout(novelty *v, arena *memory);

/* share[m] of the columns of y, n x m: 0 all is explained, 1 nothing. A column that is constant
 * has 0. left[n x m]: what is not explained at each point. Time n^2 given + n near (given^2 + m).
 */
void novelty_shares(novelty *v, const double *y, size_t m, double *share, double *left);

#endif
