#include "gathered.h"

void gathered_layout(gathered *g, arena *memory, const observations *x, size_t count,
                     size_t entries) {
  const int sparse = x->kind == ROWS_SPARSE;
  g->real = arena_take(memory, sparse ? entries : count * padded(x->columns));
  g->norm = arena_take(memory, count);
  g->weight = x->weight ? arena_take(memory, count) : NULL;
  g->order = (int *)arena_take(memory, sparse ? 0 : count + 1);
  g->start = (int *)arena_take(memory, sparse ? count / 2 + 1 : 0);
  g->column = (int *)arena_take(memory, sparse ? (entries + 1) / 2 : 0);
}

void gathered_take(gathered *g, const executor *exec, const observations *x, const int *index,
                   size_t count) {
  observations *to = &g->rows;
  *to = *x;
  to->rows = count;
  for (size_t i = 0; g->weight && i < count; i++) g->weight[i] = x->weight[index[i]];
  to->weight = g->weight;
  if (x->kind == ROWS_SPARSE) {
    observations_gather_sparse(x, index, count, g->start, g->column, g->real);
    to->start = g->start;
    to->column = g->column;
    to->value = g->real;
    observations_norms(exec, to, g->norm);
  } else {
    to->kind = ROWS_DENSE;
    to->real = g->real;
    observations_gather_any(exec, x, index, count, g->order, g->real, g->norm);
  }
  to->norm = g->norm;
}
