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
 * Cholesky factorisation of K whose pivots are S. Each pivot costs one pass for
 * one point; no N x N matrix ever exists.
 */
#ifndef LANDMARKER_ACTIVE_H
#define LANDMARKER_ACTIVE_H

#include "core/base/arena.h"
#include "core/data/features.h"

typedef struct {
  const executor *exec;
  const observations *x; /* a COLUMNS layout, or ROWS_SPARSE */
  double bandwidth;
  size_t done;    /* columns of the factor so far */
  double *factor; /* rows x most, column by column: K ~ L L' */
  double *left;   /* rows: the remaining diagonal, at least 0 */
  points held;    /* landmarks to condition on first, to be filled, norms computed */
  points pivot;   /* the one of the moment */
  double *row;    /* its row of the factor */
  double *kernel; /* of the held landmarks, by rows of padded(held) */
  double *sparse; /* scratch of sparse data */
} active_search;

/* `most`: rows to be chosen at the most. Memory rows (held + most). */
void active_layout(active_search *a, arena *memory, const executor *exec, const observations *x,
                   double bandwidth, size_t held, size_t most);

/* Nothing chosen yet: left = 1, then what the held landmarks leave of it. Time
 * held rows (columns + held). */
void active_start(active_search *a);

/* Row i becomes the next pivot. Time rows (columns + done), for sparse data
 * entries + rows done. */
void active_take(active_search *a, size_t i);

/* sum_i v_i left[i]: the trace that is left. */
double active_trace(const active_search *a);

/* The largest of left over rows of weight above 0, and how many rows tie with it:
 * those that agree to nine digits, so that rounding has no say in what counts or
 * whole numbers have in common, whichever way distances were computed. */
double active_largest(const active_search *a, size_t *ties);
/* One of the rows that tie with this value, drawn with probability proportional to
 * v_i by a uniform u in (0, 1). */
size_t active_tie(const active_search *a, double largest, double u);

/* The first row up to which the share `u` of the trace lies, u in (0, 1): a
 * draw with probability proportional to v_i left[i], for a uniform u. */
size_t active_draw(const active_search *a, double u);

#endif
