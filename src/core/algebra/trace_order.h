/*
 * Greedy order by the trace: of some points, which alone leaves least of the
 * kernel of the observations (Nystrom), which beside that one, and so on. For
 * landmarks this is the order of a fit; for rows of a sample it is where the
 * climb of the trace starts.
 */
#ifndef LANDMARKER_TRACE_ORDER_H
#define LANDMARKER_TRACE_ORDER_H

#include "core/base/executor.h"
#include "order_rule.h"

/* Doubles of scratch for `wanted` of n points. */
size_t trace_order_scratch(size_t ld, size_t wanted);

/* W (n x ld): the kernel of the points among themselves; G = C' D C (n x
 * ld), C their kernel with the observations. The points that are fixed keep
 * their places; then always the one that explains most beside those before it,
 *
 *   gain = ||D^1/2 c||^2 / w,
 *
 * c and w what those before it leave of its column of C and of its diagonal
 * entry of W (ties: the first). A point whose w is not above rule->floor times its
 * diagonal entry depends on those before it: its gain is 0, and it is taken
 * only if fixed. Returns how many were taken. W and G are only read. Time 3 n
 * wanted^2: nearly all of it in products (panel.h). Polls between points. */
size_t trace_order(const executor *exec, const order_rule *rule, const double *w, const double *g,
                   double *scratch, size_t *order, double *gain);

#endif
