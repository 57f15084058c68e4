/*
 * Greedy order by pivoted Cholesky.
 */
#ifndef LANDMARKER_PIVOTED_ORDER_H
#define LANDMARKER_PIVOTED_ORDER_H

#include "core/base/executor.h"
#include "order_rule.h"

/* `order` gets up to rule->wanted columns of G (n x ld),
 * those that are fixed in their places, then always the column with the largest
 * remaining diagonal (the first of those that tie). `pivot` gets these diagonals,
 * which are N times the variances. Stops where the largest is at most rule->floor
 * times its diagonal entry of G, and returns how many columns were taken.
 * `basis` is scratch of pivoted_order_scratch() doubles, whose first rows are the factor. G is only
 * read. Time n wanted^2: nearly all of it in products (panel.h). Polls between columns. */
size_t pivoted_order_scratch(size_t ld, size_t wanted);
size_t pivoted_order(const executor *exec, const order_rule *rule, const double *g, double *basis,
                     size_t *order, double *pivot);

#endif
