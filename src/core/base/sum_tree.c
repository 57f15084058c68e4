#include "sum_tree.h"

#include <string.h>

#define FAN 16 /* numbers of a sum: two cache lines */

void sum_tree_layout(sum_tree *t, arena *memory, size_t n) {
  t->n = n;
  t->value = arena_take(memory, n);
  t->levels = 0;
  for (size_t size = n; t->levels == 0 || size > 1; t->levels++) {
    size = (size + FAN - 1) / FAN;
    t->size[t->levels] = size;
    t->sum[t->levels] = arena_take(memory, size);
    t->seen[t->levels] = (unsigned char *)arena_take(memory, (size + 7) / 8);
  }
}

static double *below(const sum_tree *t, int level, size_t *size) {
  *size = level == 0 ? t->n : t->size[level - 1];
  return level == 0 ? t->value : t->sum[level - 1];
}

static void add_up(sum_tree *t, int level, size_t k) {
  size_t size;
  const double *value = below(t, level, &size) + k * FAN;
  const size_t count = size - k * FAN < FAN ? size - k * FAN : FAN;
  double sum = 0.0;
  for (size_t i = 0; i < count; i++) sum += value[i];
  t->sum[level][k] = sum;
}

void sum_tree_build(sum_tree *t) {
  for (int level = 0; level < t->levels; level++) {
    memset(t->seen[level], 0, t->size[level]);
    for (size_t k = 0; k < t->size[level]; k++) add_up(t, level, k);
  }
}

void sum_tree_update(sum_tree *t, int *index, size_t k) {
  for (int level = 0; level < t->levels; level++) {
    unsigned char *seen = t->seen[level];
    size_t parents = 0;
    for (size_t i = 0; i < k; i++) {
      const int parent = index[i] / FAN;
      index[parents] = parent;
      parents += !seen[parent];
      seen[parent] = 1;
    }
    for (size_t i = 0; i < parents; i++) {
      add_up(t, level, (size_t)index[i]);
      seen[index[i]] = 0;
    }
    k = parents;
  }
}

double sum_tree_total(const sum_tree *t) { return t->sum[t->levels - 1][0]; }

size_t sum_tree_at(const sum_tree *t, double wanted) {
  size_t at = 0;
  for (int level = t->levels - 1; level >= 0; level--) {
    size_t size;
    const double *value = below(t, level, &size);
    const size_t end = at * FAN + FAN < size ? at * FAN + FAN : size;
    size_t chosen = end;
    double sum = 0.0, before = 0.0;
    /* The last above 0 stands for what rounding leaves over. */
    for (size_t i = at * FAN; i < end && !(sum > wanted); i++) {
      if (!(value[i] > 0.0)) continue;
      chosen = i;
      before = sum;
      sum += value[i];
    }
    wanted -= before;
    at = chosen;
  }
  return at;
}
