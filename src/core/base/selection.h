/*
 * The k-th smallest without sorting: Hoare's quickselect by the median of three, the only one of
 * the core. What is selected from may be kept in any way: the caller says how two places compare
 * and how they exchange what they hold. Expected time n for n places; memory none.
 */
#ifndef LANDMARKER_SELECTION_H
#define LANDMARKER_SELECTION_H

#include <stddef.h>

/* Of places low, ..., high of `all`: afterwards nothing that stands before `wanted` is greater than
 * what stands there, and nothing behind it is less. `less` compares what stands at two places and
 * is false of a place with itself. Here, so that both functions become part of the loop. */
static inline void selection(void *all, size_t low, size_t high, size_t wanted,
                             int (*less)(const void *all, size_t i, size_t j),
                             void (*exchange)(void *all, size_t i, size_t j)) {
  while (low < high) {
    size_t pivot = low + (high - low) / 2;
    if (less(all, pivot, low)) exchange(all, pivot, low);
    if (less(all, high, low)) exchange(all, high, low);
    if (less(all, high, pivot)) exchange(all, high, pivot);
    size_t i = low, j = high;
    for (;;) {
      while (less(all, i, pivot)) i++;
      while (less(all, pivot, j)) j--;
      if (i >= j) break;
      exchange(all, i, j);
      /* The same pivot as before, wherever it stands now. */
      pivot = pivot == i ? j : pivot == j ? i : pivot;
      i++;
      j--;
    }
    /* Nothing in [low, j] is greater than the pivot, nothing in [j + 1, high] less. */
    if (wanted <= j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
}

/* The k-th smallest of n numbers, k from 1; they change places. */
double kth_smallest(double *a, size_t n, size_t k);

#endif
