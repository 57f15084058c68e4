/*
 * A tree of sums over numbers that change: one is drawn with probability in
 * proportion to it in O(log n), and k that have changed are taken account of in
 * O(k log n). Every sum is computed again from the numbers below it, so that rounding
 * does not pile up, and is the same whatever happened before.
 */
#ifndef LANDMARKER_SUM_TREE_H
#define LANDMARKER_SUM_TREE_H

#include "arena.h"

#define SUM_TREE_LEVELS 9 /* 16^8 numbers are more than there can be rows */

typedef struct {
  size_t n;
  double *value; /* n: the numbers, of at least 0; yours to change */
  int levels;
  double *sum[SUM_TREE_LEVELS]; /* of 16 each of the level below; the last is one number */
  size_t size[SUM_TREE_LEVELS];
  unsigned char *seen[SUM_TREE_LEVELS];
} sum_tree;

/* About 1.2 n doubles. */
void sum_tree_layout(sum_tree *t, arena *memory, size_t n);

/* All sums. Time n. */
void sum_tree_build(sum_tree *t);

/* After value[index[i]], i < k, have changed; `index` is used as scratch. */
void sum_tree_update(sum_tree *t, int *index, size_t k);

double sum_tree_total(const sum_tree *t);

/* The number at which the running sum passes `wanted`, 0 <= wanted < total: never one that is 0,
 * and the last above 0 where rounding has made `wanted` too much. */
size_t sum_tree_at(const sum_tree *t, double wanted);

#endif
