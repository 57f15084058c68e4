/* Graphs for the tests, as a full matrix and compressed, and their eigenmaps. */
#ifndef LANDMARKER_GRAPH_H
#define LANDMARKER_GRAPH_H

#include <stddef.h>

typedef struct {
  size_t n;
  double *full; /* n x n, 0 where there is no edge */
  double *own;  /* of each vertex with itself: n, 1 unless it is set */
  int *start, *joined;
  double *weight;
  double alpha; /* of its eigenmap; 0 unless it is set */
} graph;

graph graph_make(size_t n);
void graph_join(graph *g, size_t i, size_t j, double weight);
/* The density around vertex i, to the power -alpha. */
double graph_mass(const graph *g, size_t i);
/* After the last edge. */
void graph_compress(graph *g);
/* eigenmap_solve(), its memory measured and checked. */
const char *graph_embed(graph *g, size_t dims, double *lambda, double *y);

#endif
