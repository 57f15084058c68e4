/*
 * How a greedy order goes: over which points, from where, and how far. By the volume it is
 * pivoted_order.h, by the trace trace_order.h.
 */
#ifndef LANDMARKER_ORDER_RULE_H
#define LANDMARKER_ORDER_RULE_H

#include <stddef.h>

typedef struct {
  size_t n;      /* points */
  size_t ld;     /* of a row of their matrices, padded(n) */
  size_t fixed;  /* the first so many points keep their places */
  size_t wanted; /* points, at the most, with those that are fixed */
  double floor; /* a point depends on those before it if they leave no more of it than this share */
} order_rule;

#endif
