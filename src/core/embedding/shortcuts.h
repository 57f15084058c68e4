/*
 * Shortcuts of a graph whose vertices lie on a manifold: edges that lead from one sheet of it
 * to another, through a region where nothing lies.
 *
 * Edges are looked at in the order given. One that is not suspected is no shortcut, nor is one
 * that joins two components. Any other is one if the way round, by edges that came before and are
 * no shortcuts, is `round` times as long or longer.
 */
#ifndef LANDMARKER_SHORTCUTS_H
#define LANDMARKER_SHORTCUTS_H

#include "core/base/arena.h"

typedef struct {
  size_t n, edges;
  const int *from, *to;   /* from 0 */
  const double *length;   /* above 0 */
  const int *suspect;     /* 0 or 1 */
  double round;           /* above 1 */
  int *component;         /* n: a tree of the vertices of each component */
  int *head, *next, *end; /* the edges so far: a list for each vertex */
  double *along;          /* and their lengths */
  double *distance;       /* n: from where a way begins */
  int *heap, *place;      /* vertices by their distance, and where each stands in there */
  int *reached, *stamp;   /* vertices that the search has met, to forget them; neighbors */
} shortcuts;

/* 2 edges (2 doubles) and 6 n. n and edges are set before. */
void shortcuts_layout(shortcuts *s, arena *memory);

/* is_shortcut[edges], 0 or 1; returns how many are 1. Time about edges times the neighbors of
 * a vertex, and for each edge whose ends have no neighbor in common a search of its
 * surroundings. */
size_t shortcuts_find(shortcuts *s, int *is_shortcut);

#endif
