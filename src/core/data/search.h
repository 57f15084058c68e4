/*
 * The m observations nearest to each of some points, for m in the thousands.
 *
 * In few dimensions by a k-d tree: a copy of the observations, sorted so that every
 * node is a range of it, halved again and again along its longest side. What is
 * near a point lies in a few ranges, so that a query costs about
 * O(m + log rows) and not a pass over all rows. In many dimensions no tree helps:
 * then all distances of a block of points are made at once by the products.
 *
 * Either finds the same neighbors, ties going to the lower row; distances
 * differ by rounding. Rows of weight 0 are nobody's neighbors.
 */
#ifndef LANDMARKER_SEARCH_H
#define LANDMARKER_SEARCH_H

#include "core/base/arena.h"
#include "core/base/nearest.h"
#include "features.h"

typedef enum { SEARCH_TREE, SEARCH_ALL } search_kind;

typedef struct {
  const executor *exec;
  const observations *x;
  search_kind kind;
  size_t count;  /* rows of weight above 0 */
  size_t levels; /* of the tree: 2^levels leaves */
  double *z;     /* columns x count, in the tree's order: kernel coordinates */
  int *row;      /* count: the row that stands there */
  double *box;   /* 2^(levels + 1) nodes, each columns x (least, greatest) */
  double *at;    /* of a tree: points x columns, the points one by one */
  double *distances, *scratch;
  nearest_list *state; /* one for each point */
} search;

/* Which of the two is quicker for so many points in all, by measurement; the tree takes
 * dense data only. */
search_kind search_choice(const observations *x, size_t points);

/* Doubles that a list of the `m` nearest of one point takes, for search_nearest(). */
size_t search_list(size_t m);

/* Memory of a search for up to `points` points at a time: for a tree
 * count * (columns + 1/2) doubles and the nodes, else 1,024 distances a point. */
void search_layout(search *s, arena *memory, const executor *exec, const observations *x,
                   search_kind kind, size_t points);

/* Rows of weight above 0. Time rows, where there are weights. */
size_t search_rows(const observations *x);

/* Sorts the rows into the tree, if it is one. Time count * columns * log(count / 64). */
void search_build(search *s);

/* The m <= s->count rows nearest to each point, in no particular order:
 * lists + k * search_list(m) begins with those of point k (as `neighbor`s).
 * Points are shared among threads, or what is done for each range of rows is. */
void search_nearest(const search *s, const points *t, size_t m, double *lists);

/* The row nearest to one point, in a tree: `at` has its coordinates. */
int search_first(const search *s, const double *at);
/* The m <= s->count rows nearest to it, nearest first, for few of them. Time m for each that comes
 * closer than those before. */
void search_few(const search *s, const double *at, size_t m, neighbor *best);

/* The list of point k. */
neighbor *search_of(double *lists, size_t m, size_t k);

#endif
