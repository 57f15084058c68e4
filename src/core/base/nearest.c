#include "nearest.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "selection.h"

size_t nearest_room(size_t m) { return 2 * m + NEAREST_RANGE; }

nearest_list nearest_begin(neighbor *list, size_t m) {
  const nearest_list l = {list, m, 0, INFINITY};
  return l;
}

static int nearer(const neighbor *a, const neighbor *b) {
  const double of_a = nearest_digits(a->squared), of_b = nearest_digits(b->squared);
  return of_a < of_b || (of_a == of_b && a->row < b->row);
}

static int less(const void *list, size_t i, size_t j) {
  const neighbor *a = list;
  return nearer(a + i, a + j);
}

static void exchange(void *list, size_t i, size_t j) {
  neighbor *a = list;
  const neighbor fixed = a[i];
  a[i] = a[j];
  a[j] = fixed;
}

void nearest_settle(nearest_list *l) {
  if (l->used <= l->m) return;
  selection(l->list, 0, l->used - 1, l->m - 1, less, exchange);
  l->used = l->m;
  l->limit = 0.0;
  for (size_t i = 0; i < l->m; i++) {
    const double squared = nearest_digits(l->list[i].squared);
    if (squared > l->limit) l->limit = squared;
  }
}

void nearest_offer(nearest_list *l, size_t first, size_t count, const int *row,
                   const double *distances, size_t apart, const double *weight) {
  if (l->used + count > nearest_room(l->m)) nearest_settle(l);
  for (size_t i = 0; i < count; i++) {
    double squared = distances[i * apart];
    /* A distance that is NaN, by overflow, is the farthest of all, so that every list is full. */
    if (isnan(squared)) squared = INFINITY;
    if (nearest_digits(squared) > l->limit || (weight && !(weight[first + i] > 0.0))) continue;
    const neighbor new = {squared, row ? row[i] : (int)(first + i)};
    l->list[l->used++] = new;
  }
}

static int by_distance(const void *a, const void *b) {
  return nearer(a, b) ? -1 : nearer(b, a) ? 1 : 0;
}

void nearest_sort(neighbor *list, size_t m) { qsort(list, m, sizeof *list, by_distance); }

void nearest_none(neighbor *list, size_t m) {
  const neighbor none = {INFINITY, INT_MAX};
  for (size_t i = 0; i < m; i++) list[i] = none;
}

void nearest_insert(neighbor *list, size_t m, double squared, int row) {
  const neighbor new = {isnan(squared) ? INFINITY : squared, row};
  if (!nearer(&new, list + m - 1)) return;
  size_t i = m - 1;
  for (; i > 0 && nearer(&new, list + i - 1); i--) list[i] = list[i - 1];
  list[i] = new;
}
