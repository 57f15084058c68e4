/*
 * Scratch memory that the caller owns. A layout function takes its pieces from
 * an arena in order; run on an empty arena it only measures, so that size and
 * use cannot differ:
 *
 *   arena measure = {0};
 *   climb_layout(&c, &measure, ...);              measure.used doubles are needed
 *   arena memory = {allocated, 0};
 *   climb_layout(&c, &memory, ...);
 */
#ifndef LANDMARKER_ARENA_H
#define LANDMARKER_ARENA_H

#include <stddef.h>

typedef struct {
  double *base; /* NULL: measure only; else aligned to a cache line */
  size_t used;  /* doubles */
} arena;

/* `count` doubles on a cache line of their own, not initialised. */
static inline double *arena_take(arena *a, size_t count) {
  double *here = a->base ? a->base + a->used : NULL;
  a->used += (count + 7) / 8 * 8;
  return here;
}

#endif
