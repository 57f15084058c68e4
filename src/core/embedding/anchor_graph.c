#include "anchor_graph.h"

#include <math.h>

#include "core/algebra/linear.h"
#include "core/base/tolerance.h"

#define TILE 64            /* rows that a thread takes at a time */
#define LEAST_WEIGHT 0.001 /* c */
#define RIDGE 0.01         /* of the squared distances from the nearest landmark */
#define MOST_ALONG 2.0     /* sum_k |u_k|, so that rows far away stay near their landmarks */

/* The memory of one thread. */
typedef struct {
  neighbor *near; /* s + 1 */
  double *at;     /* one row */
  double *distances, *scratch;
  double *gram, *along; /* s x padded(s), and s x 8 */
} workspace;

static workspace workspace_on(const anchor_graph *g, arena *memory, const observations *x) {
  const executor alone = one_thread(g->exec);
  workspace w = {0};
  w.near = (neighbor *)arena_take(memory, arena_doubles((g->nearest + 1) * sizeof(neighbor)));
  w.at = arena_take(memory, x->columns);
  if (g->linear) {
    w.gram = arena_take(memory, g->nearest * padded(g->nearest));
    w.along = arena_take(memory, g->nearest * 8);
  }
  if (g->in_tree) return w;
  w.distances = arena_take(memory, TILE * padded(g->n));
  w.scratch = arena_take(memory, features_scratch(&alone, x));
  return w;
}

void anchor_layout(anchor_graph *g, arena *memory, const executor *exec, const observations *x) {
  const size_t n = g->n, columns = x->columns;
  g->exec = exec;
  double *landmarks = arena_take(memory, points_size(n, columns));
  g->in_tree = search_choice(x, n) == SEARCH_TREE;
  if (g->in_tree) point_tree_layout(&g->among, memory, exec, n, columns);
  g->who = (int *)arena_take(memory, (g->block * g->nearest + 1) / 2);
  g->weight = arena_take(memory, g->block * g->nearest);
  g->squared = arena_take(memory, 2 * g->block);
  arena own = {NULL, 0};
  workspace_on(g, &own, x);
  g->own_size = own.used;
  g->own = arena_take(memory, (size_t)exec->threads * own.used);
  if (memory->base) g->landmarks = points_on(landmarks, n, columns);
}

void anchor_start(anchor_graph *g) {
  if (g->in_tree) point_tree_build(&g->among, &g->landmarks);
}

static int counts(const anchor_graph *g, int l, int m) {
  if (!g->start) return 1;
  int low = g->start[l], high = g->start[l + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (g->joined[middle] < m) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < g->start[l + 1] && g->joined[low] == m;
}

/* The weights of a row from the s + 1 landmarks nearest to it, nearest first. */
static void weigh(const anchor_graph *g, const neighbor *near, int *who, double *weight) {
  const size_t s = g->nearest;
  const double farthest = near[s].squared;
  /* At one place with all, or at a distance beyond all numbers, landmarks have equal weights. */
  const int graded = farthest > 0.0 && farthest < INFINITY;
  double sum = 0.0;
  for (size_t k = 0; k < s; k++) {
    who[k] = near[k].row;
    weight[k] = LEAST_WEIGHT + (graded ? (farthest - near[k].squared) / farthest : 0.0);
    if (k > 0 && !counts(g, who[0], who[k])) weight[k] = 0.0;
    sum += weight[k];
  }
  for (size_t k = 0; k < s; k++) weight[k] /= sum;
}

/* X'X and X'(x - t_0), by the columns t_k - t_0 of X, for the landmarks who[1] to who[m], who[0]
 * being t_0 and w->at the row x. Returns the trace. */
static double differences(const anchor_graph *g, const workspace *w, const int *who, size_t m) {
  const size_t ld = padded(m);
  for (size_t a = 0; a < m * ld; a++) w->gram[a] = 0.0;
  for (size_t a = 0; a < m * 8; a++) w->along[a] = 0.0;
  for (size_t j = 0; j < g->landmarks.columns; j++) {
    const double *t = g->landmarks.x + j * g->landmarks.ld, own = t[who[0]];
    for (size_t a = 0; a < m; a++) {
      const double step = t[who[a + 1]] - own;
      w->along[a * 8] += step * (w->at[j] - own);
      for (size_t b = a; b < m; b++) w->gram[a * ld + b] += step * (t[who[b + 1]] - own);
    }
  }
  double trace = 0.0;
  for (size_t a = 0; a < m; a++) trace += w->gram[a * ld + a];
  return trace;
}

/* The weights by which a row is reconstructed, in place of those of weigh(). */
static void reconstruct(const anchor_graph *g, const executor *alone, const workspace *w, int *who,
                        double *weight) {
  const size_t s = g->nearest;
  const neighbor *near = w->near;
  size_t m = 0;
  who[0] = near[0].row;
  for (size_t k = 1; k < s; k++) {
    if (counts(g, who[0], near[k].row)) who[++m] = near[k].row;
  }
  for (size_t k = m + 1; k < s; k++) who[k] = who[0];
  for (size_t k = 0; k < s; k++) weight[k] = k == 0;
  const double trace = differences(g, w, who, m);
  if (!(trace > 0.0 && trace < INFINITY && near[s].squared < INFINITY)) return;
  const size_t ld = padded(m);
  for (size_t a = 0; a < m; a++) w->gram[a * ld + a] += RIDGE * trace;
  cholesky(alone, m, ld, 0, DEPENDENT_RIDGED, 1, w->gram);
  potrs(alone, matrix_on(w->gram, m, m, ld), 1, 0, matrix_on(w->along, m, 1, 8));
  double longest = 0.0;
  for (size_t a = 0; a < m; a++) longest += fabs(w->along[a * 8]);
  const double shorter = longest > MOST_ALONG ? MOST_ALONG / longest : 1.0;
  for (size_t a = 0; a < m; a++) {
    weight[a + 1] = shorter * w->along[a * 8];
    weight[0] -= weight[a + 1];
  }
}

void anchor_weights(anchor_graph *g, const observations *x, size_t first, size_t count) {
  const size_t s = g->nearest;
  const ptrdiff_t tiles = (ptrdiff_t)((count + TILE - 1) / TILE);
  const int threads = threads_for(g->exec, (double)count * (double)g->n * (double)x->columns);
  PARALLEL_FOR(threads, schedule(dynamic, 4))
  for (ptrdiff_t tile = 0; tile < tiles; tile++) {
    const executor alone = one_thread(g->exec);
    arena own = {g->own + (size_t)THREAD_INDEX() * g->own_size, 0};
    const workspace w = workspace_on(g, &own, x);
    const size_t from = (size_t)tile * TILE, rows = count - from < TILE ? count - from : TILE;
    if (!g->in_tree) {
      features(&alone, x, first + from, rows, &g->landmarks, NULL, w.scratch, w.distances, NULL);
    }
    for (size_t i = from; i < from + rows; i++) {
      if (g->in_tree || g->linear) {
        points at = {.count = 1, .columns = x->columns, .ld = 1, .x = w.at};
        points_row(x, first + i, &at, 0);
      }
      if (g->in_tree) {
        search_few(&g->among.among, w.at, s + 1, w.near);
      } else {
        const double *d = w.distances + (i - from) * g->landmarks.ld;
        nearest_none(w.near, s + 1);
        for (size_t l = 0; l < g->n; l++) {
          /* Most are turned away here. */
          if (d[l] > loosened(w.near[s].squared)) continue;
          nearest_insert(w.near, s + 1, d[l], (int)l);
        }
      }
      if (g->linear) {
        reconstruct(g, &alone, &w, g->who + i * s, g->weight + i * s);
      } else {
        weigh(g, w.near, g->who + i * s, g->weight + i * s);
      }
      for (size_t k = 0; k < 2; k++) g->squared[2 * i + k] = w.near[k].squared;
    }
  }
}

void anchor_extend(const anchor_graph *g, size_t first, size_t count, const double *y, size_t dims,
                   double *out, size_t out_rows) {
  const size_t n = g->n, s = g->nearest;
  for (size_t k = 0; k < dims; k++) {
    for (size_t i = 0; i < count; i++) {
      double sum = 0.0;
      for (size_t l = 0; l < s; l++) {
        sum += g->weight[i * s + l] * y[k * n + (size_t)g->who[i * s + l]];
      }
      out[k * out_rows + first + i] = sum;
    }
  }
}
