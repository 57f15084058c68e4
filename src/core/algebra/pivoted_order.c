#include "pivoted_order.h"

#include <math.h>
#include <string.h>

#include "panel.h"
#include "row.h"

size_t pivoted_order_scratch(size_t ld, size_t wanted) {
  return (wanted + 1 + PANEL) * ld + wanted * PANEL;
}

/* A left-looking factorization, which computes only some columns more than are taken. A row of
 * `basis` is the residual of a column given those before it, divided by the square root
 * of its pivot. The remaining diagonals are stored after the rows. */
size_t pivoted_order(const executor *exec, const order_rule *rule, const double *g, double *basis,
                     size_t *order, double *pivot) {
  const size_t n = rule->n, ld = rule->ld, fixed = rule->fixed, wanted = rule->wanted;
  double *remains = basis + wanted * ld, done = 0.0;
  panel ahead = {0};
  double *residual = remains + ld, *share = residual + PANEL * ld;
  size_t rank = 0;
  for (size_t i = 0; i < n; i++) remains[i] = g[i * ld + i];
  for (size_t k = 0; k < wanted; k++) {
    size_t taken = k;
    if (k >= fixed) {
      taken = fixed < n ? fixed : 0;
      for (size_t i = fixed; i < n; i++) {
        if (remains[i] > remains[taken]) taken = i;
      }
    }
    const double before = g[taken * ld + taken], left = remains[taken];
    const int dependent = !(left > rule->floor * before);
    if (dependent && k >= fixed) return k;
    order[k] = taken;
    pivot[k] = dependent ? 0.0 : left;
    /* A column that depends on those before it changes nothing in the others. */
    if (dependent) {
      remains[taken] = -1.0;
      continue;
    }
    size_t place = panel_place(&ahead, taken);
    if (place == ahead.count) {
      panel_choose(&ahead, n, fixed, k, remains);
      panel_columns(&ahead, n, ld, g, residual);
      panel_subtract(exec, &ahead, n, ld, rank, basis, basis, share, residual);
      ahead.from = rank;
      place = panel_place(&ahead, taken);
    }
    poll_by_work(exec, 2.0 * (double)n * (double)(rank - ahead.from + 1), &done);
    double *column = basis + rank * ld;
    memcpy(column, residual + place * ld, n * sizeof *column);
    for (size_t i = ahead.from; i < rank; i++) {
      subtract_row(column, basis + i * ld, basis[i * ld + taken], n);
    }
    scale_row(column, 1.0 / sqrt(left), n);
    for (size_t i = 0; i < n; i++) remains[i] -= column[i] * column[i];
    remains[taken] = -1.0;
    ahead.used++;
    rank++;
  }
  return wanted;
}
