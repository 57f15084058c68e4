/*
 * The connected components of a graph.
 */
#ifndef LANDMARKER_COMPONENTS_H
#define LANDMARKER_COMPONENTS_H

#include <stddef.h>

/* Writes the component of each vertex v < n to component[v], by the edges from[e]--to[e].
 * Components are counted from 0 in the order of their first vertices. Returns the number of
 * components. Time n + edges, up to a factor of at most 4. */
int components(size_t n, size_t edges, const int *from, const int *to, int *component);

/* Adds one edge. Before the first edge parent[v] is v for each vertex. Returns whether the two
 * vertices were in different components before. */
int components_join(int *parent, int a, int b);

#endif
