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

#endif
