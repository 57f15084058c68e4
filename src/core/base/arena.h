/*
 * Scratch memory that the caller owns. A layout function takes its arrays from
 * an arena in order; run on an empty arena it only measures, so that size and
 * use cannot differ:
 *
 *   LAY_OUT(memory, allocate, ascent_layout(&a, &memory, ...));
 */
#ifndef LANDMARKER_ARENA_H
#define LANDMARKER_ARENA_H

#include <stddef.h>

typedef struct {
  double *base; /* NULL: measure only; else aligned to a cache line */
  size_t used;  /* doubles */
} arena;

/* `count` doubles on a cache line of their own, not initialized. */
static inline double *arena_take(arena *a, size_t count) {
  double *here = a->base ? a->base + a->used : NULL;
  a->used += (count + 7) / 8 * 8;
  return here;
}

/* Measures, and then lays out on what `allocate` gives for an arena that has measured: what follows
 * is done twice, on the arena `memory`, which is declared here. It is one expression: calls of
 * layout functions, and assignments of what arena_take() gives, with commas between them. */
#define LAY_OUT(memory, allocate, ...)                                                             \
  arena memory = {NULL, 0};                                                                        \
  __VA_ARGS__;                                                                                     \
  memory = allocate(&memory);                                                                      \
  __VA_ARGS__

#endif
