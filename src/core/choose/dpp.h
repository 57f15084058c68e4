/*
 * Diverse rows by an approximate determinantal point process: Wachinger and
 * Golland (2015), Algorithm 2. Every row starts with odds v_i (its weight, or 1).
 * A row is drawn in proportion to the odds, and those of its m nearest rows are
 * multiplied by
 *
 *   welsch   1 - exp(-u^2 / (2 sigma^2))          u the distance from it
 *   sin2     sin(u / sigma)^2, 1 from u = sigma pi / 2 on
 *
 * which is 0 for the row itself and for those equal to it, but for rounding. More rows may equal it
 * than the m nearest: R/method_dpp.R looks for these.
 *
 * Neighbors are looked for before rows are drawn, for a block of candidates at once,
 * so that the products and the threads have work: candidates are drawn by the odds
 * as they stand, and one after another is taken with probability
 * odds now / odds when it was drawn. As odds only fall this is rejection
 * sampling: what is taken comes by the odds as they are then, exactly.
 *
 * The rows may stand in several parts. Each part keeps the odds of its own rows and a
 * search among them. A block of candidates then takes these steps:
 *
 *   1. a part is drawn by the sum of its odds, and a row within it   dpp_odds_find()
 *   2. each part finds its rows nearest to every candidate           dpp_nearest()
 *      and of all parts' the nearest are kept                        dpp_nearest_join()
 *   3. candidates are taken or not, by these lists alone             dpp_accept()
 *   4. each part lowers the odds around those that are taken         dpp_odds_fall()
 *
 * Rows have the numbers that they have in all the data.
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

/* How many candidates are a block where each has `each` neighbors, itself among them. */
size_t dpp_block(size_t each);

/* ---- neighbors of candidates --------------------------------------------------- */

/* The `each` nearest rows of every candidate (itself among them, where it is a row), in no
 * particular order: those of candidate k from k * each on. Distances of rows that equal it are 0.
 */
typedef struct {
  size_t each, count;
  double *squared; /* distances */
  int *row;
} dpp_near;

/* The rows of a search's data nearest to some points, near->each <= s->count of each. `first` is
 * the number of the first row; `lists` has room for at->count * search_list(near->each) doubles.
 * Time: see search_nearest(). */
void dpp_nearest(const search *s, const points *at, int first, double *lists, dpp_near *near);

/* The nearest of two parts' rows: out->each <= a->each + b->each for each candidate. Ties go to the
 * lower row. `list` has nearest_room(out->each) entries. Time count * (a->each + b->each). */
void dpp_nearest_join(const dpp_near *a, const dpp_near *b, neighbor *list, dpp_near *out);

/* The default scale: twice the median over the candidates of the distance to the
 * farthest neighbor. */
double dpp_scale(const dpp_near *near);

/* Which candidates are taken: up to `most`, their places to taken[0..returned), in order.
 * `candidate` are their rows, `drawn` the odds by which they were drawn, and `uniform` has a number
 * in (0, 1) for each. At most DPP_CANDIDATES. Time at most count * each. */
size_t dpp_accept(const dpp_rule *rule, const dpp_near *near, const int *candidate,
                  const double *drawn, const double *uniform, size_t most, int *taken);

/* ---- odds of a part's rows ------------------------------------------------------ */

/* Odds that have all become tiny are made larger by a power of two, all of the part alike: they
 * end by 0 and not by underflow. What they are is value * 2^exponent. */
typedef struct {
  double *head; /* kept with the odds: exponent, rows, first */
  int first;    /* number of the first row */
  sum_tree sums;
} dpp_odds;

/* About 1.2 rows doubles. */
void dpp_odds_layout(dpp_odds *o, arena *memory, size_t rows);

/* The odds of the start: weights, or 1 for all where `weight` is NULL. Time rows. */
void dpp_odds_start(dpp_odds *o, int first, size_t rows, const double *weight);

/* The same odds again, from the memory that they were laid out on. */
void dpp_odds_again(dpp_odds *o, double *base);

/* The sum of the odds is total * 2^exponent; total is 0 when no row is left. */
double dpp_odds_total(const dpp_odds *o);
int dpp_odds_exponent(const dpp_odds *o);

/* The row at which the running sum of the odds passes `wanted`, 0 <= wanted < total. */
size_t dpp_odds_find(const dpp_odds *o, double wanted);

/* The odds around candidate k fall; its own, if it is row `own` of this part, to 0. `touched` has
 * near->each entries of scratch. Time at most each * log rows. */
void dpp_odds_fall(dpp_odds *o, const dpp_rule *rule, const dpp_near *near, size_t k, int own,
                   int *touched);

#endif
