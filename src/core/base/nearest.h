/*
 * The m nearest of what is offered, by squared distance, ties to the lower row. Distances that
 * agree to nine digits tie: counts and whole numbers often have equal distances, which differ by
 * rounding. Up to twice as many are gathered before the farther ones are thrown away by
 * quickselect, so that most of what is offered is turned away by one comparison and m may be in
 * the thousands. A distance that is NaN counts as infinite.
 */
#ifndef LANDMARKER_NEAREST_H
#define LANDMARKER_NEAREST_H

#include <stddef.h>

#include "tolerance.h"

typedef struct {
  double squared; /* distance */
  int row;        /* from 0 */
} neighbor;

typedef struct {
  neighbor *list; /* nearest_room(m) of them */
  size_t m, used;
  double limit; /* in digits: what is farther is not among the m nearest */
} nearest_list;

/* No more than so many may be offered at a time. */
#define NEAREST_RANGE 1024

size_t nearest_room(size_t m);

nearest_list nearest_begin(neighbor *list, size_t m);

/* Rows first, first + 1, ... or those of `row`, if given, with distances `apart`
 * from each other; those of weight 0 are left out, where there are weights. */
void nearest_offer(nearest_list *l, size_t first, size_t count, const int *row,
                   const double *distances, size_t apart, const double *weight);

/* After the last: the m nearest, or all that there are, in no particular order. */
void nearest_settle(nearest_list *l);

/* Into order: nearest first. Time m log m. */
void nearest_sort(neighbor *list, size_t m);

/* Few of them, kept in order: a list of m that are infinitely far, and one that may be nearer than
 * the last. Time m where it is, else one comparison. */
void nearest_none(neighbor *list, size_t m);
void nearest_insert(neighbor *list, size_t m, double squared, int row);

#endif
