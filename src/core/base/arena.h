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

/* Under the address sanitizer each array is followed by at least one cache line that must not be
 * read or written, or a step beyond one array would be a step into the next, which no tool sees. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_GAPS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_GAPS 1
#endif
#endif

#ifdef ARENA_GAPS
#include <sanitizer/asan_interface.h>
#define ARENA_GAP 8
#define ARENA_CLOSE(from, count) ASAN_POISON_MEMORY_REGION(from, (count) * sizeof(double))
#define ARENA_OPEN(from, count) ASAN_UNPOISON_MEMORY_REGION(from, (count) * sizeof(double))
#else
#define ARENA_GAP 0
#define ARENA_CLOSE(from, count) (void)(count)
#define ARENA_OPEN(from, count) (void)(count)
#endif

/* How many doubles take so many bytes. */
static inline size_t arena_doubles(size_t bytes) {
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

/* `count` doubles on a cache line of their own, not initialized. */
static inline double *arena_take(arena *a, size_t count) {
  double *here = a->base ? a->base + a->used : NULL;
  const size_t room = (count + 7) / 8 * 8 + ARENA_GAP;
  a->used += room;
  if (here) {
    ARENA_OPEN(here, count);
    ARENA_CLOSE(here + count, room - count);
  }
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
