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
 *
 * The set may stand in several parts: each has a search of its own, whose rows
 * are those of the part, and every search takes the same pivots, wherever they
 * come from. What is chosen follows from what the parts have left, together.
 */
#ifndef LANDMARKER_ACTIVE_H
#define LANDMARKER_ACTIVE_H

#include "core/base/arena.h"
#include "core/data/features.h"

/* What is left at the rows of a part. */
typedef struct {
  size_t rows;
  const double *left;   /* the remaining diagonal, at least 0 */
  const double *weight; /* v_i, or NULL for all 1 */
} active_rest;

/* sum_i v_i: the trace where nothing is chosen yet. Time rows, as of all that follow. */
double active_weight(const active_rest *r);

/* What the next pivot is chosen by. */
typedef struct {
  double trace;   /* sum_i v_i left[i] */
  double largest; /* of left over rows of weight above 0; -1 where there are none */
  size_t ties;    /* rows that tie with the largest */
  double mass;    /* the sum of their v_i */
} active_summary;

active_summary active_summarize(const active_rest *r);

/* How many rows tie with this value, and *mass, the sum of their v_i. Rows of weight above 0
 * tie that agree with it to nine digits: so the rounding of distances does not decide between
 * rows that are equally far. */
size_t active_ties(const active_rest *r, double largest, double *mass);

/* The first of the rows that tie with this value up to which their v_i sum to `wanted`:
 * for a uniform number times their mass a draw with probability proportional to v_i. */
size_t active_tie(const active_rest *r, double largest, double wanted);

/* The first row up to which v_i left[i] sum to `wanted`: for a uniform number times the
 * trace a draw with probability proportional to v_i left[i]. */
size_t active_draw(const active_rest *r, double wanted);

typedef struct {
  const executor *exec;
  const observations *x; /* a COLUMNS layout, or ROWS_SPARSE */
  double bandwidth;
  size_t done; /* columns of the factor so far */
  /* Of the caller, who keeps them while pivots are taken. */
  double *factor; /* rows x most, column by column: K ~ L L' */
  double *left;   /* rows */
  /* Scratch, of one call. */
  points pivot;   /* the one of the moment */
  double *row;    /* `most`: its row of the factor */
  double *sparse; /* of sparse data */
} active_search;

/* `most`: the largest number of pivots, including held landmarks. Memory: a
 * few blocks of rows for each thread where the data are sparse, else next to none. */
void active_layout(active_search *a, arena *memory, const executor *exec, const observations *x,
                   double bandwidth, size_t most);

/* Nothing chosen yet: left = 1, then what the held landmarks leave of it. `kernel` has
 * held padded(held) doubles of scratch. Time held rows (columns + held). */
void active_start(active_search *a, const points *held, double *kernel);

/* Row i's row of a factor of so many rows and columns. Time columns. */
void active_row(const double *factor, size_t rows, size_t columns, size_t i, double *row);

/* Row i of `from` (of this part or another) becomes the next pivot, given its row of the
 * factor and what is left of it. Where it is a row of this part the caller sets what is
 * left of it to 0 afterwards, which it is but for rounding. Time rows (columns + done),
 * for sparse data entries + rows done. */
void active_take(active_search *a, const observations *from, size_t i, const double *row,
                 double left);

#endif
