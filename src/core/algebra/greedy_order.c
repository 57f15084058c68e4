#include "greedy_order.h"

#include <math.h>
#include <string.h>

#include "linear.h"
#include "row.h"

/* Within a panel, sums of squares fall by subtraction. One that has fallen below this share has
 * lost digits, and is computed again from its vector before it is used. */
#define LOST 1e-4

void greedy_layout(greedy *g, arena *memory, const executor *exec, size_t n, size_t rank, int two) {
  const size_t ld = padded(n);
  g->exec = exec;
  g->n = n;
  g->rank = rank;
  g->ld = ld;
  g->x = arena_take(memory, rank * ld);
  g->y = two ? arena_take(memory, rank * ld) : NULL;
  g->gain = arena_take(memory, n);
  g->order = (size_t *)arena_take(memory, n);
  g->name = (size_t *)arena_take(memory, n);
  g->left = arena_take(memory, ld);
  g->explained = arena_take(memory, ld);
  g->before = arena_take(memory, 2 * ld);
  g->least = arena_take(memory, n);
  g->score = arena_take(memory, ld);
  g->columns = arena_take(memory, PANEL * ld);
  g->more = two ? arena_take(memory, PANEL * ld) : NULL;
  g->l = arena_take(memory, PANEL * ld);
  g->v = two ? arena_take(memory, PANEL * ld) : NULL;
  g->some = arena_take(memory, rank * PANEL);
  g->q = arena_take(memory, rank * PANEL);
  g->cq = two ? arena_take(memory, rank * PANEL) : NULL;
}

static void squares(const greedy *g, const double *x, double *sum) {
  memset(sum, 0, g->ld * sizeof *sum);
  for (size_t j = 0; j < g->rank; j++) {
    const double *restrict row = x + j * g->ld;
    double *restrict to = sum;
#pragma omp simd
    for (size_t i = 0; i < g->there; i++) to[i] += row[i] * row[i];
  }
}

static void measure(greedy *g) {
  squares(g, g->x, g->left);
  if (g->y) squares(g, g->y, g->explained);
  memcpy(g->before, g->left, g->ld * sizeof *g->left);
  memcpy(g->before + g->ld, g->explained, g->ld * sizeof *g->left);
}

static double gain_of(const greedy *g, size_t i) {
  if (!g->y) return g->left[i];
  return g->explained[i] > 0.0 ? g->explained[i] / g->left[i] : 0.0;
}

static int is_lost(const greedy *g, size_t i) {
  return g->left[i] < LOST * g->before[i] ||
         (g->y && g->explained[i] < LOST * g->before[g->ld + i]);
}

/* The inner products of the panel's vectors with all. */
static void products_of_panel(greedy *g, const double *x, double *out) {
  for (size_t j = 0; j < g->rank; j++) {
    for (size_t s = 0; s < g->ahead.count; s++) {
      g->some[j * PANEL + s] = x[j * g->ld + g->ahead.column[s]];
    }
  }
  gemm_tn(g->exec, matrix_on(g->some, g->rank, g->ahead.count, PANEL),
          matrix_on(x, g->rank, g->there, g->ld), 0,
          matrix_on(out, g->ahead.count, g->there, g->ld));
}

/* x -= Q L for the directions that this panel took. Q is made from their vectors as the panel
 * began. */
static void project(const greedy *g, double *x, double *q) {
  const size_t ld = g->ld, count = g->count;
  for (size_t s = 0; s < count; s++) {
    const double scale = 1.0 / g->l[s * ld + g->taken[s]];
    for (size_t j = 0; j < g->rank; j++) {
      double sum = x[j * ld + g->taken[s]];
      for (size_t r = 0; r < s; r++) sum -= q[j * PANEL + r] * g->l[r * ld + g->taken[s]];
      q[j * PANEL + s] = sum * scale;
    }
  }
  gemm_nn(g->exec, matrix_on(q, g->rank, count, PANEL), matrix_on(g->l, count, g->there, ld), -1,
          matrix_on(x, g->rank, g->there, ld));
}

static int is_taken(const greedy *g, size_t i) { return !(g->least[i] < INFINITY); }

/* The columns of the vectors that were not taken, next to each other. */
static void close_gaps(const greedy *g, double *x) {
  for (size_t j = 0; j < g->rank; j++) {
    double *row = x + j * g->ld;
    size_t to = 0;
    for (size_t i = 0; i < g->there; i++) {
      if (!is_taken(g, i)) row[to++] = row[i];
    }
  }
}

static void end_panel(greedy *g) {
  if (g->count > 0) {
    project(g, g->x, g->q);
    if (g->y) project(g, g->y, g->cq);
    close_gaps(g, g->x);
    if (g->y) close_gaps(g, g->y);
    size_t to = 0;
    for (size_t i = 0; i < g->there; i++) {
      if (is_taken(g, i)) continue;
      g->least[to] = g->least[i];
      g->name[to++] = g->name[i];
    }
    g->there = to;
    measure(g);
  }
  g->count = 0;
}

static void begin_panel(greedy *g, size_t k, size_t fixed) {
  const size_t gone = g->n - g->there;
  if (k < fixed) {
    panel_choose(&g->ahead, g->there, fixed - gone, k - gone, g->score);
  } else {
    panel_choose(&g->ahead, g->there, 0, 0, g->score);
  }
  products_of_panel(g, g->x, g->columns);
  if (g->y) products_of_panel(g, g->y, g->more);
}

/*
 * Takes vector `i`, which is the panel's at `place`. With w and d its columns of x'x and y'y, less
 * what this panel has taken of them,
 *
 *   l = w / root,  root^2 = w_i,   v = d / root - l d_i / (2 root^2)
 *
 * and then x'x loses l l', and y'y loses l v' + v l'.
 */
static void take(greedy *g, size_t i, size_t place) {
  const size_t n = g->there, ld = g->ld;
  double *l = g->l + g->count * ld;
  memcpy(l, g->columns + place * ld, n * sizeof *l);
  for (size_t s = 0; s < g->count; s++) {
    subtract_row(l, g->l + s * ld, g->l[s * ld + i], n);
  }
  const double root = sqrt(l[i] > 0.0 ? l[i] : g->left[i]);
  scale_row(l, 1.0 / root, n);
  if (g->y) {
    double *v = g->v + g->count * ld;
    memcpy(v, g->more + place * ld, n * sizeof *v);
    for (size_t s = 0; s < g->count; s++) {
      subtract_row(v, g->l + s * ld, g->v[s * ld + i], n);
      subtract_row(v, g->v + s * ld, g->l[s * ld + i], n);
    }
    scale_row(v, 1.0 / root, n);
    subtract_row(v, l, 0.5 * v[i] / root, n);
    for (size_t k = 0; k < n; k++) g->explained[k] -= 2.0 * l[k] * v[k];
  }
  for (size_t k = 0; k < n; k++) g->left[k] -= l[k] * l[k];
  g->taken[g->count++] = i;
  g->ahead.used++;
}

/* The one to take as number k: of the fixed ones that one, else the one with the largest score; the
 * number of vectors if none can be taken. */
static size_t best_of(greedy *g, size_t k, size_t fixed) {
  for (size_t i = 0; i < g->there; i++) {
    g->score[i] = g->left[i] > g->least[i] ? gain_of(g, i) : -1.0;
  }
  if (k < fixed) return k - (g->n - g->there);
  size_t best = g->there;
  for (size_t i = 0; i < g->there; i++) {
    if (g->score[i] >= 0.0 && (best == g->there || g->score[i] > g->score[best])) best = i;
  }
  return best;
}

/* The same, after which it is in the panel and has its digits. */
static size_t next_of(greedy *g, size_t k, size_t fixed) {
  size_t best = best_of(g, k, fixed);
  if (best < g->there && panel_place(&g->ahead, best) < g->ahead.count && !is_lost(g, best)) {
    return best;
  }
  /* Also if there seems to be none: what is left of them may be lost. */
  if (g->count > 0) {
    end_panel(g);
    best = best_of(g, k, fixed);
  }
  if (best < g->there && g->score[best] >= 0.0) {
    begin_panel(g, k, fixed);
  } else {
    g->ahead.count = 0;
  }
  return best;
}

size_t greedy_order(greedy *g, size_t fixed, double floor) {
  const size_t n = g->n;
  double done = 0.0;
  g->ahead.count = g->ahead.used = g->count = 0;
  g->there = n;
  measure(g);
  for (size_t i = 0; i < n; i++) {
    g->name[i] = i;
    g->least[i] = floor * g->left[i];
  }
  for (size_t k = 0; k < n; k++) {
    const size_t i = next_of(g, k, fixed);
    if (i == g->there) return k;
    g->order[k] = g->name[i];
    g->gain[k] = g->score[i] >= 0.0 ? g->score[i] : 0.0;
    if (g->score[i] >= 0.0) take(g, i, panel_place(&g->ahead, i));
    g->least[i] = INFINITY;
    poll_by_work(g->exec, 8.0 * (double)g->there * (double)g->rank, &done);
  }
  return n;
}
