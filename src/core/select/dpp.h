/*
 * Diverse rows by an approximate determinantal point process: Wachinger and
 * Golland (2015), Algorithm 2. Every row starts with odds v_i (its weight, or 1).
 * A row is drawn in proportion to the odds, and those of its m nearest rows are
 * multiplied by
 *
 *   welsch   1 - exp(-u^2 / (2 sigma^2))          u the distance from it
 *   sin2     sin(u / sigma)^2, 1 from u = sigma pi / 2 on
 *
 * which is 0 for the row itself and for those equal to it, but for rounding. Where the m
 * nearest all equal it there may be more such rows: their odds become 0 as well.
 *
 * Neighbors are looked for before rows are drawn, for a block of candidates at once,
 * so that the products and the threads have work: candidates are drawn by the odds
 * as they stand, and one after another is taken with probability
 * odds now / odds when it was drawn. As odds only fall this is rejection
 * sampling: what is taken comes by the odds as they are then, exactly.
 */
#ifndef LANDMARKER_DPP_H
#define LANDMARKER_DPP_H

#include "core/base/sum_tree.h"
#include "core/data/search.h"

#define DPP_CANDIDATES 64 /* the largest number in a block; fewer where lists are long */

typedef enum { DPP_WELSCH, DPP_SIN2 } dpp_update;

typedef struct {
  dpp_update update;
  double sigma;
} dpp_rule;

typedef struct {
  const executor *exec;
  const observations *x;
  dpp_rule rule; /* yours to set; with a sigma of 0 the first block of candidates gives it */
  size_t each;   /* rows in the list of a candidate, itself among them where it is a row */
  size_t block;  /* candidates at a time, at most */
  search search;
  sum_tree odds; /* of all rows, but for a common factor: tiny odds are made larger */
  /* The candidates of a block. */
  points at;
  int row[DPP_CANDIDATES];            /* -1: no row, a landmark that is fixed */
  double drawn[DPP_CANDIDATES];       /* the odds by which they were drawn */
  unsigned char full[DPP_CANDIDATES]; /* whether all rows of the list equal the candidate */
  double *squared; /* each x block: distances to the rows of the list, 0 of those that equal it */
  int *near;       /* each x block: these rows, in no particular order */
  /* Scratch. */
  double *lists, *apart, *scratch;
  int *touched;
} dpp;

/* `each` is from 1 to the number of rows of weight above 0. Memory: that of a search, 1.2 rows
 * doubles, and the lists of a block, which take up to 512 MB. */
void dpp_layout(dpp *d, arena *memory, const executor *exec, const observations *x,
                search_kind kind, size_t each);

/* The odds of the start, the weights. Time as search_build(). */
void dpp_start(dpp *d);

/* Where the rows that are drawn go. */
typedef struct {
  int *row;                                     /* wanted */
  int *near;                                    /* or NULL; each x (fixed + wanted): their lists */
  void (*progress)(void *context, size_t rows); /* called after each block, or NULL */
  void *context;
} dpp_output;

/* Up to `wanted` rows, after landmarks that are fixed have pushed rows away; returns how many.
 * Uniform numbers are drawn, two for each candidate. Time for each block of candidates that of
 * search_nearest(), each log rows for a row that is taken, and rows * columns for each whose list
 * is full. */
size_t dpp_draw(dpp *d, const points *fixed, size_t wanted, const dpp_output *out);

/* ---- the steps ------------------------------------------------------------------- */

/* How many candidates are a block where each has a list of so many rows. */
size_t dpp_block(size_t each);

/* `count` candidates, drawn by the odds with uniform numbers, and their lists. */
void dpp_propose(dpp *d, const double *uniform, size_t count);

/* The default sigma: twice the median over the candidates of the distance to the
 * farthest neighbor. */
double dpp_scale(const dpp *d);

/* Which candidates are taken: up to `most`, their places to taken[0..returned), in order.
 * `uniform` has a number in (0, 1) for each. Time at most block * each, and block^2 columns where
 * lists are full. */
size_t dpp_accept(const dpp *d, const double *uniform, size_t most, int *taken);

/* The odds around so many candidates fall, their own to 0. The candidates are used up. */
void dpp_settle(dpp *d, const int *taken, size_t count);

#endif
