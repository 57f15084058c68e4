#include "search.h"

#include <limits.h>
#include <math.h>

#include "core/base/selection.h"

#define LEAF 64      /* the largest number of rows of a leaf */
#define TREE_FROM 32 /* points; each of fewer is a pass over all rows at less cost than a tree */
/* Dimensions. By `bench.R search`: of rows that fill the space products are quicker from 10 to 12
 * on (12: 1.2 to 1.3 times), of rows near a surface the tree is up to 24 and beyond (12: 4 to 8
 * times). */
#define TREE_UP_TO 12

search_kind search_choice(const observations *x, size_t points) {
  const int columns = in_columns(x);
  const int suits = columns && x->columns <= TREE_UP_TO && points >= TREE_FROM;
  return suits ? SEARCH_TREE : SEARCH_ALL;
}

size_t search_list(size_t m) { return arena_doubles(nearest_room(m) * sizeof(neighbor)); }

neighbor *search_of(double *lists, size_t m, size_t k) {
  return (neighbor *)(lists + k * search_list(m));
}

/* ---- the tree --------------------------------------------------------------- */

/* Ranges are halved, so that the nodes need no record of where they begin. */
static size_t half(size_t first, size_t end) { return first + (end - first) / 2; }

static double *box_of(const search *s, size_t node) { return s->box + node * 2 * s->x->columns; }

size_t search_rows(const observations *x) {
  if (!x->weight) return x->rows;
  size_t count = 0;
  for (size_t i = 0; i < x->rows; i++) count += x->weight[i] > 0.0;
  return count;
}

void search_layout(search *s, arena *memory, const executor *exec, const observations *x,
                   search_kind kind, size_t points) {
  s->exec = exec;
  s->x = x;
  s->kind = kind;
  s->count = search_rows(x);
  s->levels = 0;
  s->z = s->box = s->at = s->distances = s->scratch = NULL;
  s->row = NULL;
  s->state = (nearest_list *)arena_take(memory, arena_doubles(points * sizeof(nearest_list)));
  if (kind == SEARCH_TREE) {
    while ((s->count >> s->levels) > LEAF - 1) s->levels++;
    s->z = arena_take(memory, s->count * x->columns);
    s->row = (int *)arena_take(memory, (s->count + 1) / 2);
    s->box = arena_take(memory, ((size_t)2 << s->levels) * 2 * x->columns);
    s->at = arena_take(memory, points * x->columns);
  } else {
    s->distances = arena_take(memory, NEAREST_RANGE * padded(points));
    s->scratch = arena_take(memory, features_scratch(exec, x));
  }
}

static double kernel_coordinate(const observations *x, size_t i, size_t j) {
  const size_t at = j * x->rows + i;
  const double v = x->kind == COLUMNS_DOUBLE ? x->real[at] : (double)x->whole[at];
  return (v - x->center[j]) * x->scale[j];
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

/* A tree whose rows are put in order by one of their coordinates. */
typedef struct {
  search *s;
  const double *z;
} ordering;

static int less(const void *rows, size_t p, size_t q) {
  const ordering *o = rows;
  return o->z[p] < o->z[q];
}

static void exchange(void *rows, size_t p, size_t q) {
  search *s = ((const ordering *)rows)->s;
  for (size_t j = 0; j < s->x->columns; j++) {
    double *z = s->z + j * s->count;
    const double fixed = z[p];
    z[p] = z[q];
    z[q] = fixed;
  }
  const int fixed = s->row[p];
  s->row[p] = s->row[q];
  s->row[q] = fixed;
}

/* Rows [first, end) so that none before `middle` has a larger coordinate j than
 * any from it on. */
static void split(search *s, size_t first, size_t end, size_t middle, size_t j) {
  ordering o = {s, s->z + j * s->count};
  if (first < end) selection(&o, first, end - 1, middle, less, exchange);
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
  for (size_t level = 0; level <= s->levels; level++) {
    const ptrdiff_t nodes = (ptrdiff_t)1 << level;
    PARALLEL_FOR(threads, schedule(dynamic))
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
    poll_user(s->exec);
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

static void leaf_distances(const search *s, const double *t, size_t first, size_t end,
                           double *restrict squared) {
  const size_t rows = end - first;
  for (size_t p = 0; p < rows; p++) squared[p] = 0.0;
  for (size_t j = 0; j < s->x->columns; j++) {
    const double *restrict z = s->z + j * s->count + first;
    const double at = t[j];
#pragma omp simd
    for (size_t p = 0; p < rows; p++) squared[p] += (z[p] - at) * (z[p] - at);
  }
}

/* What is done with the leaves that may have a row within `*limit`, nearer ones first. */
typedef struct {
  const search *s;
  const double *t;
  const double *limit;
  void (*use)(const search *s, size_t first, size_t count, const double *squared, void *context);
  void *context;
} visit;

static void visit_node(const visit *v, size_t node, size_t level, size_t first, size_t end,
                       double distance) {
  const search *s = v->s;
  /* The box's distance rounds as the rows' do, term by term: it is never above them. */
  if (distance > loosened(*v->limit)) return;
  if (level == s->levels) {
    double squared[LEAF];
    leaf_distances(s, v->t, first, end, squared);
    v->use(s, first, end - first, squared, v->context);
    return;
  }
  const size_t middle = half(first, end);
  const double left = box_distance(s, 2 * node, v->t), right = box_distance(s, 2 * node + 1, v->t);
  if (left <= right) visit_node(v, 2 * node, level + 1, first, middle, left);
  visit_node(v, 2 * node + 1, level + 1, middle, end, right);
  if (!(left <= right)) visit_node(v, 2 * node, level + 1, first, middle, left);
}

static void offer_leaf(const search *s, size_t first, size_t count, const double *squared,
                       void *context) {
  nearest_offer(context, 0, count, s->row + first, squared, 1, NULL);
}

static void first_of_leaf(const search *s, size_t first, size_t count, const double *squared,
                          void *context) {
  neighbor *best = context;
  for (size_t p = 0; p < count; p++) {
    const int row = s->row[first + p];
    const double digits = nearest_digits(squared[p]);
    if (digits > best->squared || (digits == best->squared && row > best->row)) continue;
    best->squared = digits;
    best->row = row;
  }
}

int search_first(const search *s, const double *at) {
  neighbor best = {INFINITY, INT_MAX};
  const visit v = {s, at, &best.squared, first_of_leaf, &best};
  visit_node(&v, 1, 0, 0, s->count, 0.0);
  return best.row;
}

/* The few nearest so far, and how far the last of them is. */
typedef struct {
  neighbor *best;
  size_t m;
  double limit;
} few;

static void few_of_leaf(const search *s, size_t first, size_t count, const double *squared,
                        void *context) {
  few *f = context;
  for (size_t p = 0; p < count; p++) {
    nearest_insert(f->best, f->m, squared[p], s->row[first + p]);
  }
  f->limit = nearest_digits(f->best[f->m - 1].squared);
}

void search_few(const search *s, const double *at, size_t m, neighbor *best) {
  few f = {best, m, INFINITY};
  nearest_none(best, m);
  const visit v = {s, at, &f.limit, few_of_leaf, &f};
  visit_node(&v, 1, 0, 0, s->count, 0.0);
}

/* ---- queries ---------------------------------------------------------------- */

static void among_all(const search *s, const points *t) {
  const int threads = threads_for(s->exec, 2.0 * (double)NEAREST_RANGE * (double)t->count);
  for (size_t first = 0; first < s->x->rows; first += NEAREST_RANGE) {
    const size_t count = s->x->rows - first < NEAREST_RANGE ? s->x->rows - first : NEAREST_RANGE;
    features(s->exec, s->x, first, count, t, NULL, s->scratch, s->distances, NULL);
    PARALLEL_FOR(threads, schedule(static))
    for (ptrdiff_t k = 0; k < (ptrdiff_t)t->count; k++) {
      nearest_offer(s->state + k, first, count, NULL, s->distances + k, t->ld, s->x->weight);
    }
    if (first % (64 * NEAREST_RANGE) == 0) poll_user(s->exec);
  }
  for (size_t k = 0; k < t->count; k++) nearest_settle(s->state + k);
}

static void in_tree(const search *s, const points *t, size_t m) {
  const size_t columns = t->columns;
  const int threads = threads_for(s->exec, 50.0 * (double)m * (double)t->count);
  PARALLEL_FOR(threads, schedule(dynamic))
  for (ptrdiff_t k = 0; k < (ptrdiff_t)t->count; k++) {
    double *at = s->at + (size_t)k * columns;
    for (size_t j = 0; j < columns; j++) at[j] = t->x[j * t->ld + (size_t)k];
    const visit v = {s, at, &s->state[k].limit, offer_leaf, s->state + k};
    visit_node(&v, 1, 0, 0, s->count, 0.0);
    nearest_settle(s->state + k);
  }
}

void search_nearest(const search *s, const points *t, size_t m, double *lists) {
  for (size_t k = 0; k < t->count; k++) {
    s->state[k] = nearest_begin(search_of(lists, m, k), m);
  }
  if (s->kind == SEARCH_TREE) {
    in_tree(s, t, m);
  } else {
    among_all(s, t);
  }
}
