#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAF 64     /* rows of a leaf at the most */
#define RANGE 1024  /* rows whose distances are made at a time where there is no tree */
#define TREE_UP_TO 12 /* dimensions, and from how many points on: see bench/dpp.R */
#define TREE_FROM 32

search_kind search_choice(const observations *x, size_t points) {
  const int columns = x->kind == COLUMNS_DOUBLE || x->kind == COLUMNS_INTEGER;
  const int suits = columns && x->columns <= TREE_UP_TO && points >= TREE_FROM;
  return suits ? SEARCH_TREE : SEARCH_ALL;
}

/* ---- lists of neighbours ---------------------------------------------------- */

/* Twice as many as wanted are gathered before the farther half is thrown away. */
static size_t room(size_t m) { return 2 * m + RANGE; }

size_t search_list(size_t m) { return room(m) * (sizeof(neighbor) / sizeof(double)); }

neighbor *search_of(double *lists, size_t m, size_t k) {
  return (neighbor *)(lists + k * search_list(m));
}

static int nearer(const neighbor *a, const neighbor *b) {
  return a->squared < b->squared || (a->squared == b->squared && a->row < b->row);
}

static void swap_neighbors(neighbor *a, neighbor *b) {
  const neighbor held = *a;
  *a = *b;
  *b = held;
}

/* The k nearest of n to the front: Hoare's quickselect, by the median of three. */
static void nearest_to_front(neighbor *a, size_t n, size_t k) {
  size_t low = 0, high = n - 1;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (nearer(a + middle, a + low)) swap_neighbors(a + middle, a + low);
    if (nearer(a + high, a + low)) swap_neighbors(a + high, a + low);
    if (nearer(a + high, a + middle)) swap_neighbors(a + high, a + middle);
    const neighbor pivot = a[middle];
    size_t i = low, j = high;
    for (;;) {
      while (nearer(a + i, &pivot)) i++;
      while (nearer(&pivot, a + j)) j--;
      if (i >= j) break;
      swap_neighbors(a + i++, a + j--);
    }
    /* a[low..j] are not farther than the pivot, a[j + 1..high] not nearer. */
    if (k - 1 <= j) {
      high = j;
    } else {
      low = j + 1;
    }
  }
}

static int by_distance(const void *a, const void *b) {
  return nearer(a, b) ? -1 : nearer(b, a) ? 1 : 0;
}

void neighbors_sort(neighbor *list, size_t m) { qsort(list, m, sizeof *list, by_distance); }

/* A list while it grows. */
typedef struct gathering {
  neighbor *list;
  size_t m, used;
  double limit; /* what is farther is not among the m nearest */
} gathering;

static void throw_away(gathering *g) {
  if (g->used <= g->m) return;
  nearest_to_front(g->list, g->used, g->m);
  g->used = g->m;
  g->limit = 0.0;
  for (size_t i = 0; i < g->m; i++) {
    if (g->list[i].squared > g->limit) g->limit = g->list[i].squared;
  }
}

/* ---- the tree --------------------------------------------------------------- */

/* Ranges are halved, so that the nodes need no record of where they begin. */
static size_t half(size_t first, size_t end) { return first + (end - first) / 2; }

static double *box_of(const search *s, size_t node) { return s->box + node * 2 * s->x->columns; }

void search_layout(search *s, arena *memory, const executor *exec, const observations *x,
                   search_kind kind, size_t points) {
  s->exec = exec;
  s->x = x;
  s->kind = kind;
  s->count = x->rows;
  if (x->weight) {
    s->count = 0;
    for (size_t i = 0; i < x->rows; i++) s->count += x->weight[i] > 0.0;
  }
  s->levels = 0;
  s->z = s->box = s->at = s->distances = s->scratch = NULL;
  s->row = NULL;
  s->state = (gathering *)arena_take(memory, points * sizeof(gathering) / sizeof(double));
  if (kind == SEARCH_TREE) {
    while ((s->count >> s->levels) > LEAF - 1) s->levels++;
    s->z = arena_take(memory, s->count * x->columns);
    s->row = (int *)arena_take(memory, (s->count + 1) / 2);
    s->box = arena_take(memory, ((size_t)2 << s->levels) * 2 * x->columns);
    s->at = arena_take(memory, points * x->columns);
  } else {
    s->distances = arena_take(memory, RANGE * padded(points));
    s->scratch = arena_take(memory, features_scratch(exec, x));
  }
}

static double kernel_coordinate(const observations *x, size_t i, size_t j) {
  const size_t at = j * x->rows + i;
  const double v = x->kind == COLUMNS_DOUBLE ? x->real[at] : (double)x->whole[at];
  return (v - x->center[j]) * x->factor[j];
}

static void copy_rows(search *s) {
  const observations *x = s->x;
  size_t at = 0;
  for (size_t i = 0; i < x->rows; i++) {
    if (!x->weight || x->weight[i] > 0.0) s->row[at++] = (int)i;
  }
  for (size_t j = 0; j < x->columns; j++) {
    for (size_t p = 0; p < s->count; p++) {
      s->z[j * s->count + p] = kernel_coordinate(x, (size_t)s->row[p], j);
    }
  }
}

static void swap_rows(search *s, size_t p, size_t q) {
  for (size_t j = 0; j < s->x->columns; j++) {
    double *z = s->z + j * s->count;
    const double held = z[p];
    z[p] = z[q];
    z[q] = held;
  }
  const int held = s->row[p];
  s->row[p] = s->row[q];
  s->row[q] = held;
}

/* Rows [first, end) so that none before `middle` has a larger coordinate j than
 * any from it on. */
static void split(search *s, size_t first, size_t end, size_t middle, size_t j) {
  const double *z = s->z + j * s->count;
  size_t low = first, high = end - 1;
  while (low < high) {
    const size_t centre = low + (high - low) / 2;
    if (z[centre] < z[low]) swap_rows(s, centre, low);
    if (z[high] < z[low]) swap_rows(s, high, low);
    if (z[high] < z[centre]) swap_rows(s, high, centre);
    const double pivot = z[centre];
    size_t i = low, k = high;
    for (;;) {
      while (z[i] < pivot) i++;
      while (pivot < z[k]) k--;
      if (i >= k) break;
      swap_rows(s, i++, k--);
    }
    if (middle <= k) {
      high = k;
    } else {
      low = k + 1;
    }
  }
}

static void measure_box(search *s, size_t node, size_t first, size_t end) {
  double *box = box_of(s, node);
  for (size_t j = 0; j < s->x->columns; j++) {
    const double *z = s->z + j * s->count;
    double least = z[first], greatest = z[first];
    for (size_t p = first + 1; p < end; p++) {
      if (z[p] < least) least = z[p];
      if (z[p] > greatest) greatest = z[p];
    }
    box[2 * j] = least;
    box[2 * j + 1] = greatest;
  }
}

/* The range of a node, from the turns that lead to it from the root. */
static void range_of(const search *s, size_t level, size_t node, size_t *first, size_t *end) {
  *first = 0;
  *end = s->count;
  for (size_t turn = level; turn-- > 0;) {
    const size_t middle = half(*first, *end);
    if ((node >> turn) & 1) {
      *first = middle;
    } else {
      *end = middle;
    }
  }
}

void search_build(search *s) {
  if (s->kind != SEARCH_TREE) return;
  copy_rows(s);
  const int threads = threads_for(s->exec, 10.0 * (double)s->count);
  (void)threads;
  for (size_t level = 0; level <= s->levels; level++) {
    const ptrdiff_t nodes = (ptrdiff_t)1 << level;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
    for (ptrdiff_t k = 0; k < nodes; k++) {
      const size_t node = (size_t)(nodes + k);
      size_t first, end;
      range_of(s, level, node, &first, &end);
      measure_box(s, node, first, end);
      if (level == s->levels) continue;
      const double *box = box_of(s, node);
      size_t widest = 0;
      for (size_t j = 1; j < s->x->columns; j++) {
        if (box[2 * j + 1] - box[2 * j] > box[2 * widest + 1] - box[2 * widest]) widest = j;
      }
      split(s, first, end, half(first, end), widest);
    }
    if (s->exec->poll) s->exec->poll();
  }
}

/* Squared distance from a point to a node's box, a lower bound for its rows. */
static double box_distance(const search *s, size_t node, const double *t) {
  const double *box = box_of(s, node);
  double sum = 0.0;
  for (size_t j = 0; j < s->x->columns; j++) {
    const double below = box[2 * j] - t[j], above = t[j] - box[2 * j + 1];
    const double off = below > above ? below : above;
    if (off > 0.0) sum += off * off;
  }
  return sum;
}

static void gather_leaf(const search *s, const double *t, size_t first, size_t end, gathering *g) {
  double squared[LEAF];
  const size_t rows = end - first;
  for (size_t p = 0; p < rows; p++) squared[p] = 0.0;
  for (size_t j = 0; j < s->x->columns; j++) {
    const double *restrict z = s->z + j * s->count + first;
    const double at = t[j];
#pragma omp simd
    for (size_t p = 0; p < rows; p++) squared[p] += (z[p] - at) * (z[p] - at);
  }
  if (g->used + rows > room(g->m)) throw_away(g);
  for (size_t p = 0; p < rows; p++) {
    const neighbor new = {squared[p], s->row[first + p]};
    g->list[g->used] = new;
    g->used += squared[p] <= g->limit;
  }
}

static void gather_node(const search *s, const double *t, size_t node, size_t level, size_t first,
                        size_t end, double distance, gathering *g) {
  /* The box's distance rounds as the rows' do, term by term: it is never above them. */
  if (distance > g->limit) return;
  if (level == s->levels) {
    gather_leaf(s, t, first, end, g);
    return;
  }
  const size_t middle = half(first, end);
  const double left = box_distance(s, 2 * node, t), right = box_distance(s, 2 * node + 1, t);
  if (left <= right) {
    gather_node(s, t, 2 * node, level + 1, first, middle, left, g);
    gather_node(s, t, 2 * node + 1, level + 1, middle, end, right, g);
  } else {
    gather_node(s, t, 2 * node + 1, level + 1, middle, end, right, g);
    gather_node(s, t, 2 * node, level + 1, first, middle, left, g);
  }
}

/* ---- queries ---------------------------------------------------------------- */

static void gather_range(const search *s, size_t first, size_t count, const double *distances,
                         size_t apart, gathering *g) {
  if (g->used + count > room(g->m)) throw_away(g);
  for (size_t i = 0; i < count; i++) {
    const double squared = distances[i * apart];
    if (!(squared <= g->limit) || (s->x->weight && !(s->x->weight[first + i] > 0.0))) continue;
    const neighbor new = {squared, (int)(first + i)};
    g->list[g->used++] = new;
  }
}

static void among_all(const search *s, const points *t) {
  const int threads = threads_for(s->exec, 2.0 * (double)RANGE * (double)t->count);
  (void)threads;
  for (size_t first = 0; first < s->x->rows; first += RANGE) {
    const size_t count = s->x->rows - first < RANGE ? s->x->rows - first : RANGE;
    features(s->exec, s->x, first, count, t, SQUARED_DISTANCES, 0.0, s->scratch, s->distances);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (ptrdiff_t k = 0; k < (ptrdiff_t)t->count; k++) {
      gather_range(s, first, count, s->distances + k, t->length, s->state + k);
    }
    if (s->exec->poll && first % (64 * RANGE) == 0) s->exec->poll();
  }
  for (size_t k = 0; k < t->count; k++) throw_away(s->state + k);
}

static void in_tree(const search *s, const points *t, size_t m) {
  const size_t columns = t->columns;
  const int threads = threads_for(s->exec, 50.0 * (double)m * (double)t->count);
  (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
#endif
  for (ptrdiff_t k = 0; k < (ptrdiff_t)t->count; k++) {
    double *at = s->at + (size_t)k * columns;
    for (size_t j = 0; j < columns; j++) at[j] = t->x[j * t->length + (size_t)k];
    gather_node(s, at, 1, 0, 0, s->count, 0.0, s->state + k);
    throw_away(s->state + k);
  }
}

void search_nearest(const search *s, const points *t, size_t m, double *lists) {
  for (size_t k = 0; k < t->count; k++) {
    const gathering empty = {search_of(lists, m, k), m, 0, INFINITY};
    s->state[k] = empty;
  }
  if (s->kind == SEARCH_TREE) {
    in_tree(s, t, m);
  } else {
    among_all(s, t);
  }
}
