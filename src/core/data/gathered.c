#include "gathered.h"

void gathered_layout(gathered *g, arena *memory, const observations *x, size_t count,
                     size_t entries, int is_single) {
  const int sparse = x->kind == ROWS_SPARSE, rounded = is_single && !sparse;
  const size_t dense = sparse || rounded ? 0 : count * padded(x->columns);
  const size_t single = rounded ? count * padded_single(x->columns) / 2 : 0;
  g->is_single = rounded;
  g->real = arena_take(memory, sparse ? entries : dense);
  g->single = (float *)arena_take(memory, single);
  g->norm = arena_take(memory, count);
  g->weight = x->weight ? arena_take(memory, count) : NULL;
  g->order = (int *)arena_take(memory, sparse ? 0 : count + 1);
  g->start = (int *)arena_take(memory, sparse ? count / 2 + 1 : 0);
  g->column = (int *)arena_take(memory, sparse ? (entries + 1) / 2 : 0);
  g->rows = *x;
  g->rows.kind = sparse ? ROWS_SPARSE : rounded ? ROWS_SINGLE : ROWS_DENSE;
  g->rows.rows = 0;
}

static void take_dense(gathered *g, const executor *exec, const observations *x, const int *index,
                       size_t count) {
  observations *to = &g->rows;
  if (g->is_single) {
    to->kind = ROWS_SINGLE;
    to->single = g->single;
    observations_gather_single(exec, x, index, count, g->order, g->single, g->norm);
  } else {
    to->kind = ROWS_DENSE;
    to->real = g->real;
    observations_gather_any(exec, x, index, count, g->order, g->real, g->norm);
  }
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
    take_dense(g, exec, x, index, count);
  }
  to->norm = g->norm;
}
