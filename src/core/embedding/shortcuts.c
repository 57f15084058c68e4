#include "shortcuts.h"

#include <math.h>

#include "components.h"

void shortcuts_layout(shortcuts *s, arena *memory) {
  const size_t n = s->n, both = 2 * s->edges;
  s->component = (int *)arena_take(memory, n);
  s->head = (int *)arena_take(memory, n);
  s->next = (int *)arena_take(memory, both);
  s->end = (int *)arena_take(memory, both);
  s->along = arena_take(memory, both);
  s->distance = arena_take(memory, n);
  s->heap = (int *)arena_take(memory, n);
  s->place = (int *)arena_take(memory, n);
  s->reached = (int *)arena_take(memory, n);
  s->stamp = (int *)arena_take(memory, n);
}

static void join(shortcuts *s, size_t e) {
  const int ends[2] = {s->from[e], s->to[e]};
  for (int k = 0; k < 2; k++) {
    const size_t at = 2 * e + (size_t)k;
    s->end[at] = ends[1 - k];
    s->along[at] = s->length[e];
    s->next[at] = s->head[ends[k]];
    s->head[ends[k]] = (int)at;
  }
}

/* Whether the way round by one neighbor in common is shorter than `limit`: this spares most
 * searches. */
static int is_near_by_one(shortcuts *s, int a, int b, int mark, double limit) {
  for (int e = s->head[a]; e >= 0; e = s->next[e]) {
    s->stamp[s->end[e]] = mark;
    s->place[s->end[e]] = e;
  }
  for (int e = s->head[b]; e >= 0; e = s->next[e]) {
    const int via = s->end[e];
    if (s->stamp[via] == mark && s->along[s->place[via]] + s->along[e] < limit) return 1;
  }
  return 0;
}

/* ---- Dijkstra's search, by a binary heap ------------------------------------------------ */

static void rise(shortcuts *s, size_t i) {
  const int v = s->heap[i];
  while (i > 0) {
    const size_t above = (i - 1) / 2;
    const int u = s->heap[above];
    if (s->distance[u] <= s->distance[v]) break;
    s->heap[i] = u;
    s->place[u] = (int)i;
    i = above;
  }
  s->heap[i] = v;
  s->place[v] = (int)i;
}

static int take_first(shortcuts *s, size_t *size) {
  const int first = s->heap[0], v = s->heap[--*size];
  size_t i = 0;
  for (;;) {
    size_t below = 2 * i + 1;
    if (below >= *size) break;
    if (below + 1 < *size && s->distance[s->heap[below + 1]] < s->distance[s->heap[below]]) below++;
    const int u = s->heap[below];
    if (s->distance[v] <= s->distance[u]) break;
    s->heap[i] = u;
    s->place[u] = (int)i;
    i = below;
  }
  s->heap[i] = v;
  s->place[v] = (int)i;
  return first;
}

/* Whether there is a way from a to b by the edges so far that is shorter than `limit`. The
 * distances are all infinite before and after. */
static int is_near(shortcuts *s, int a, int b, double limit) {
  size_t size = 1, met = 1;
  int found = 0;
  s->heap[0] = s->reached[0] = a;
  s->place[a] = 0;
  s->distance[a] = 0.0;
  while (size > 0 && !found) {
    const int v = take_first(s, &size);
    found = v == b;
    for (int e = s->head[v]; e >= 0 && !found; e = s->next[e]) {
      const int u = s->end[e];
      const double far = s->distance[v] + s->along[e];
      if (!(far < limit) || !(far < s->distance[u])) continue;
      if (s->distance[u] == INFINITY) {
        s->reached[met++] = u;
        s->place[u] = (int)size;
        s->heap[size++] = u;
      }
      s->distance[u] = far;
      rise(s, (size_t)s->place[u]);
    }
  }
  for (size_t i = 0; i < met; i++) s->distance[s->reached[i]] = INFINITY;
  return found;
}

size_t shortcuts_find(shortcuts *s, int *is_shortcut) {
  for (size_t v = 0; v < s->n; v++) {
    s->component[v] = (int)v;
    s->head[v] = -1;
    s->stamp[v] = -1;
    s->distance[v] = INFINITY;
  }
  size_t count = 0;
  for (size_t e = 0; e < s->edges; e++) {
    const int a = s->from[e], b = s->to[e];
    const int apart = components_join(s->component, a, b);
    const double limit = s->round * s->length[e];
    is_shortcut[e] = s->suspect[e] && !apart && !is_near_by_one(s, a, b, (int)e, limit) &&
                     !is_near(s, a, b, limit);
    if (is_shortcut[e]) {
      count++;
    } else {
      join(s, e);
    }
  }
  return count;
}
