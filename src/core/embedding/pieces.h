/*
 * The connected pieces of a graph.
 */
#ifndef LANDMARKER_PIECES_H
#define LANDMARKER_PIECES_H

#include <stddef.h>

/* piece[v] of the vertices v < n, counted from 0 in the order of their first
 * vertices, by the edges from[e]--to[e]. Returns how many pieces there are. Time
 * n + edges, but for a factor that is 4 at the most. */
int pieces(size_t n, size_t edges, const int *from, const int *to, int *piece);

/* The same edge by edge: `parent` has parent[v] = v for each vertex before the first. Returns
 * whether the two vertices were in different pieces until now. */
int pieces_join(int *parent, int a, int b);

#endif
