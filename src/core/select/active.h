/*
 * Active learning on a finite set: with a Gaussian process whose kernel is
 *
 *   K(x_i, x_j) = exp(-||x_i - x_j||^2 / bandwidth)
 *
 * the variance at x_i given the rows S chosen so far,
 *
 *   left[i] = K(x_i, x_i) - K(x_i, S) K(S, S)^-1 K(S, x_i)
 *
 * (eq. 3 of Liang and Paisley, 2015), is the remaining diagonal of the partial
 * Cholesky factorization of K whose pivots are S. Each pivot costs one pass for
 * one point; no N x N matrix ever exists.
 */
#ifndef LANDMARKER_ACTIVE_H
#define LANDMARKER_ACTIVE_H

#include "core/base/arena.h"
#include "core/data/features.h"

typedef struct {
  const executor *exec;
  const observations *x; /* a COLUMNS layout, or ROWS_SPARSE */
  radial_kernel radial;
  size_t done;    /* columns of the factor so far */
  double *factor; /* rows x most, column by column: K ~ L L' */
  double *left;   /* rows: the remaining diagonal, at least 0 */
  points pivot;   /* the one of the moment */
  double *row;    /* most: its row of the factor */
  double *sparse; /* scratch of sparse data */
} active_search;

/* `most`: the largest number of pivots, including fixed landmarks. Memory: rows * (most + 1)
 * doubles, and a few blocks of rows for each thread where the data are sparse. */
void active_layout(active_search *a, arena *memory, const executor *exec, const observations *x,
                   radial_kernel k, size_t most);

/* Nothing chosen yet: left = 1, then what the fixed landmarks leave of it. `kernel` has
 * fixed padded(fixed) doubles of scratch. Time fixed rows (columns + fixed). */
void active_start(active_search *a, const points *fixed, double *kernel);

/* How rows are chosen: up to `wanted` of them, while the variance left at a row is above `floor`.
 */
typedef struct {
  size_t wanted; /* with those fixed no more than the pivots of the layout */
  int is_random; /* drawn with probability proportional to v_i left[i]; else the largest left[i] */
  double floor;
  void (*progress)(void *context); /* called after each row, or NULL */
  void *context;
} active_rule;

/* The rows that are chosen, from the start on, and the share of sum_i v_i that is left after each;
 * returns how many. One uniform number is drawn for each row; for the largest only where rows tie.
 * With landmarks that are fixed `wanted` must be within `most`. Time for each row rows (columns +
 * done), for sparse data entries + rows done. */
size_t active_choose(active_search *a, const active_rule *rule, int *chosen, double *share);

/* ---- the steps ------------------------------------------------------------------- */

/* What the next pivot is chosen by. */
typedef struct {
  double trace;   /* sum_i v_i left[i] */
  double largest; /* of left over rows of weight above 0; -1 where there are none */
  size_t ties;    /* rows of weight above 0 that agree with it to nine digits: so the rounding of
                     distances does not decide between rows that are equally far */
  double mass;    /* the sum of their v_i */
} active_summary;

/* Time rows, as of the next two. */
active_summary active_summarize(const active_search *a);

/* The first of the rows that tie with this value up to which their v_i sum to `wanted`:
 * for a uniform number times their mass a draw with probability proportional to v_i. */
size_t active_tie(const active_search *a, double largest, double wanted);

/* The first row up to which v_i left[i] sum to `wanted`: for a uniform number times the
 * trace a draw with probability proportional to v_i left[i]. */
size_t active_draw(const active_search *a, double wanted);

/* Row i becomes the next pivot. */
void active_take(active_search *a, size_t i);

#endif
