#include "point_tree.h"

#include <string.h>

void point_tree_layout(point_tree *t, arena *memory, const executor *exec, size_t n,
                       size_t columns) {
  double *copy = arena_take(memory, n * columns), *plain = arena_take(memory, 2 * columns);
  const observations rows = {.kind = COLUMNS_DOUBLE,
                             .rows = n,
                             .columns = columns,
                             .real = copy,
                             .center = plain,
                             .scale = plain + columns};
  t->columns = rows;
  search_layout(&t->among, memory, exec, &t->columns, SEARCH_TREE, 0);
}

void point_tree_build(point_tree *t, const points *p) {
  double *copy = (double *)t->columns.real, *center = (double *)t->columns.center;
  double *scale = (double *)t->columns.scale;
  for (size_t j = 0; j < p->columns; j++) {
    memcpy(copy + j * p->count, p->x + j * p->ld, p->count * sizeof *copy);
    center[j] = 0.0;
    scale[j] = 1.0;
  }
  search_build(&t->among);
}
