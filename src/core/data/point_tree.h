/* A k-d tree of points, such as landmarks, where search.h takes observations. */
#ifndef LANDMARKER_POINT_TREE_H
#define LANDMARKER_POINT_TREE_H

#include "search.h"

typedef struct {
  observations columns; /* a copy of the points, neither shifted nor scaled */
  search among;
} point_tree;

/* For n points. Memory about 2 n columns; search_first() and search_few() need no more. */
void point_tree_layout(point_tree *t, arena *memory, const executor *exec, size_t n,
                       size_t columns);

/* Copies the points and sorts them into the tree. Time n * columns * log(n / 64). */
void point_tree_build(point_tree *t, const points *p);

#endif
