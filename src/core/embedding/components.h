/*
 * The connected components of a graph.
 */
#ifndef LANDMARKER_COMPONENTS_H
#define LANDMARKER_COMPONENTS_H

#include <stddef.h>

/* component[v] of the vertices v < n, counted from 0 in the order of their first
 * vertices, by the edges from[e]--to[e]. Returns how many components there are. Time
 * n + edges, but for a factor that is 4 at the most. */
int components(size_t n, size_t edges, const int *from, const int *to, int *component);

/* The same edge by edge: `parent` has parent[v] = v for each vertex before the first. Returns
 * whether the two vertices were in different components until now. */
int components_join(int *parent, int a, int b);

#endif
