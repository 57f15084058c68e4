#include "graph.h"

#include <string.h>

#include "check.h"
#include "core/embedding/eigenmap.h"
#include "fixture.h"

graph graph_make(size_t n) {
  graph g = {.n = n, .full = doubles(n * n)};
  memset(g.full, 0, n * n * sizeof *g.full);
  g.own = doubles(n);
  for (size_t i = 0; i < n; i++) g.own[i] = 1.0;
  return g;
}

void graph_join(graph *g, size_t i, size_t j, double weight) {
  g->full[i * g->n + j] = g->full[j * g->n + i] = weight;
}

double graph_mass(const graph *g, size_t i) {
  double sum = g->own[i];
  for (size_t j = 0; j < g->n; j++) sum += g->full[i * g->n + j];
  return pow(sum, -g->alpha);
}

void graph_compress(graph *g) {
  size_t edges = 0;
  for (size_t e = 0; e < g->n * g->n; e++) edges += g->full[e] > 0.0;
  g->start = integers(g->n + 1);
  g->joined = integers(edges);
  g->weight = doubles(edges);
  edges = 0;
  for (size_t i = 0; i < g->n; i++) {
    g->start[i] = (int)edges;
    for (size_t j = 0; j < g->n; j++) {
      if (!(g->full[i * g->n + j] > 0.0)) continue;
      g->joined[edges] = (int)j;
      g->weight[edges++] = g->full[i * g->n + j];
    }
  }
  g->start[g->n] = (int)edges;
}

const char *graph_embed(graph *g, size_t dims, double *lambda, double *y) {
  if (!g->start) graph_compress(g);
  const executor alone = {1, NULL, NULL, NULL};
  eigenmap m = {.exec = &alone,
                .n = g->n,
                .dims = dims,
                .start = g->start,
                .joined = g->joined,
                .weight = g->weight,
                .own = g->own,
                .alpha = g->alpha};
  LAY_OUT_CHECKED(memory, eigenmap_layout(&m, &memory));
  return eigenmap_solve(&m, lambda, y);
}
