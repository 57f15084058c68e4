#include "nearest.h"

/* What a heap holds, from `at` on: squared[at] with its row[at]. */
static int farther(const double *squared, const int *row, size_t at, double d, int who) {
  return squared[at] > d || (squared[at] == d && row[at] > who);
}

/* Puts a newcomer into the place `at` of a heap of `size`, or, while a child of
 * the place is farther, moves the child up and goes down. */
static void sink(double *squared, int *row, size_t size, size_t at, double d, int who) {
  for (size_t child; (child = 2 * at + 1) < size; at = child) {
    if (child + 1 < size && farther(squared, row, child + 1, squared[child], row[child])) child++;
    if (!farther(squared, row, child, d, who)) break;
    squared[at] = squared[child];
    row[at] = row[child];
  }
  squared[at] = d;
  row[at] = who;
}

/* The same upwards, for a newcomer behind the last. */
static void rise(double *squared, int *row, size_t at, double d, int who) {
  for (size_t parent; at > 0 && !farther(squared, row, parent = (at - 1) / 2, d, who);
       at = parent) {
    squared[at] = squared[parent];
    row[at] = row[parent];
  }
  squared[at] = d;
  row[at] = who;
}

/* The heaps of eight points at a time stay in the cache, and every cache line of
 * distances is read once. */
#define TOGETHER VECTOR_DOUBLES

void nearest_offer(const executor *exec, size_t first, size_t count, size_t n, size_t length,
                   const double *distances, size_t k, int *row, double *squared) {
  const ptrdiff_t groups = (ptrdiff_t)((n + TOGETHER - 1) / TOGETHER);
  const int threads = threads_for(exec, (double)count * (double)n);
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
  for (ptrdiff_t g = 0; g < groups; g++) {
    const size_t from = (size_t)g * TOGETHER, to = n - from < TOGETHER ? n : from + TOGETHER;
    for (size_t i = 0; i < count; i++) {
      const double *d = distances + i * length;
      const size_t at = first + i;
      for (size_t l = from; l < to; l++) {
        if (at < k) {
          rise(squared + l * k, row + l * k, at, d[l], (int)at);
        } else if (d[l] < squared[l * k]) {
          sink(squared + l * k, row + l * k, k, 0, d[l], (int)at);
        }
      }
    }
  }
}

void nearest_sort(const executor *exec, size_t n, size_t k, int *row, double *squared) {
  const int threads = threads_for(exec, 8.0 * (double)n * (double)k);
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
  for (ptrdiff_t l = 0; l < (ptrdiff_t)n; l++) {
    double *d = squared + (size_t)l * k;
    int *who = row + (size_t)l * k;
    /* The farthest left goes behind the heap, which shrinks by one. */
    for (size_t last = k; last-- > 1;) {
      const double top = d[0];
      const int top_row = who[0];
      sink(d, who, last, 0, d[last], who[last]);
      d[last] = top;
      who[last] = top_row;
    }
  }
}
