#include "trace_order.h"

#include <math.h>
#include <string.h>

#include "panel.h"
#include "row.h"

/*
 * Gram-Schmidt in the kernel's own inner product. Each point that is taken lowers both matrices to
 * what it leaves of them. With t its column, and W and G what those before it have left,
 *
 *   l = W_t / root,   root^2 = W_tt
 *   d = G_t / root,   v = d - l d_t / (2 root)
 *
 *   W := W - l l',    G := G - l v' - v l'.
 *
 * Neither is formed. Kept are the diagonals, and l and v of all points that were taken.
 */
typedef struct {
  const order_rule *rule;
  double *l, *v;           /* wanted x length each */
  double *left_w, *left_g; /* length: the diagonals */
  double *score;           /* length: what each point explains; -1 if it cannot be taken */
  panel ahead;
  double *of_w, *of_g; /* PANEL x length: the panel's columns */
  double *share;       /* wanted x PANEL */
} basis;

size_t trace_order_scratch(size_t ld, size_t wanted) {
  return (2 * wanted + 3 + 2 * PANEL) * ld + wanted * PANEL;
}

static basis basis_on(double *scratch, const order_rule *rule) {
  const size_t ld = rule->ld, wanted = rule->wanted;
  basis b = {.rule = rule};
  b.l = scratch;
  b.v = b.l + wanted * ld;
  b.left_w = b.v + wanted * ld;
  b.left_g = b.left_w + ld;
  b.score = b.left_g + ld;
  b.of_w = b.score + ld;
  b.of_g = b.of_w + PANEL * ld;
  b.share = b.of_g + PANEL * ld;
  return b;
}

static void set_scores(basis *b, const double *w) {
  const order_rule *rule = b->rule;
  for (size_t i = 0; i < rule->n; i++) {
    const double left = b->left_w[i], explained = b->left_g[i];
    /* Points that are taken leave 0. */
    const int can = left > rule->floor * w[i * rule->ld + i];
    b->score[i] = !can ? -1.0 : explained > 0.0 ? explained / left : 0.0;
  }
}

/* The place in the panel of a column, which becomes one of a new panel if it is in none. */
static size_t place_of(const executor *exec, basis *b, size_t rank, size_t k, size_t taken,
                       const double *w, const double *g) {
  const size_t n = b->rule->n, ld = b->rule->ld, place = panel_place(&b->ahead, taken);
  if (place < b->ahead.count) return place;
  panel_choose(&b->ahead, n, b->rule->fixed, k, b->score);
  b->ahead.from = rank;
  panel_columns(&b->ahead, n, ld, w, b->of_w);
  panel_subtract(exec, &b->ahead, n, ld, rank, b->l, b->l, b->share, b->of_w);
  panel_columns(&b->ahead, n, ld, g, b->of_g);
  panel_subtract(exec, &b->ahead, n, ld, rank, b->v, b->l, b->share, b->of_g);
  panel_subtract(exec, &b->ahead, n, ld, rank, b->l, b->v, b->share, b->of_g);
  return panel_place(&b->ahead, taken);
}

/* Point `taken` becomes the one of number `rank`. */
static void take(basis *b, size_t rank, size_t taken, size_t place) {
  const size_t n = b->rule->n, ld = b->rule->ld;
  const double root = sqrt(b->left_w[taken]);
  double *l = b->l + rank * ld, *v = b->v + rank * ld;
  memcpy(l, b->of_w + place * ld, n * sizeof *l);
  memcpy(v, b->of_g + place * ld, n * sizeof *v);
  for (size_t k = b->ahead.from; k < rank; k++) {
    const double *l_k = b->l + k * ld, *v_k = b->v + k * ld;
    subtract_row(l, l_k, l_k[taken], n);
    subtract_row(v, l_k, v_k[taken], n);
    subtract_row(v, v_k, l_k[taken], n);
  }
  scale_row(l, 1.0 / root, n);
  scale_row(v, 1.0 / root, n);
  subtract_row(v, l, 0.5 * v[taken] / root, n);
  for (size_t i = 0; i < n; i++) {
    b->left_w[i] -= l[i] * l[i];
    b->left_g[i] -= 2.0 * l[i] * v[i];
  }
  b->ahead.used++;
}

size_t trace_order(const executor *exec, const order_rule *rule, const double *w, const double *g,
                   double *scratch, size_t *order, double *gain) {
  const size_t n = rule->n, ld = rule->ld, fixed = rule->fixed, wanted = rule->wanted;
  double done = 0.0;
  basis b = basis_on(scratch, rule);
  for (size_t i = 0; i < n; i++) {
    b.left_w[i] = w[i * ld + i];
    b.left_g[i] = g[i * ld + i];
  }
  size_t rank = 0;
  for (size_t k = 0; k < wanted; k++) {
    set_scores(&b, w);
    size_t taken = k < fixed ? k : fixed;
    for (size_t i = fixed; k >= fixed && i < n; i++) {
      if (b.score[i] > b.score[taken]) taken = i;
    }
    const int can = taken < n && b.score[taken] >= 0.0;
    if (!can && k >= fixed) return k;
    order[k] = taken;
    gain[k] = can ? b.score[taken] : 0.0;
    if (can) {
      const size_t place = place_of(exec, &b, rank, k, taken, w, g);
      poll_by_work(exec, 6.0 * (double)n * (double)(rank - b.ahead.from + 1), &done);
      take(&b, rank++, taken, place);
    }
    b.left_w[taken] = 0.0;
  }
  return wanted;
}
