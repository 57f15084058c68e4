/*
 * A diagonal metric that is learned with landmarks: column j of the data has a relevance r_j > 0,
 * and distances are those of the rows r o x and the landmarks r o t. With
 * H_il = d loss / d phi_il * phi_il, h_i = sum_l H_il, s_l = sum_i H_il and x', t' the rows and
 * landmarks in the metric,
 *
 *   dL / d log r_j = -(2 / eta) (sum_i h_i x'_ij^2 - 2 sum_l t'_lj (H'X')_lj
 *                                + sum_l s_l t'_lj^2).
 *
 * The steps are those of Adam with one second moment, of the length of the gradient, so that
 * columns that matter little hardly move. Landmarks keep their place in the data's units while
 * relevances move.
 */
#ifndef LANDMARKER_METRIC_H
#define LANDMARKER_METRIC_H

#include "core/base/arena.h"
#include "core/data/space.h"

typedef struct {
  double rate; /* the length of a step, in those of landmarks; 0: relevances stay, and all are 1 */
  double *by;  /* r: columns */
  double *first; /* moments of the gradient by log r: columns, and one number */
  double second;
  double *slope; /* the gradient on a batch: columns */
  double *scale; /* of a space, times r: columns */
  double *ratio; /* of the last step: r after it by r before it; columns */
  matrix rows;   /* of a batch, in the metric */
  double *norm;
} metric;

/* `most`: rows of the largest batch. Memory most * columns, or none where the metric does not move.
 */
void metric_layout(metric *m, arena *memory, int moves, size_t columns, size_t most);

/* Some dense rows of a batch, of which they are those from `first` on, in the metric and with
 * norms, until the next call for these places. Time rows * columns. All rows of a batch that were
 * made. */
observations metric_rows(metric *m, const observations *x, size_t first);
observations metric_seen(const metric *m, const observations *x);

/* Points in the metric, and back. Norms are made. */
void metric_enter(const metric *m, points *t);
void metric_leave(const metric *m, points *t);

/* A space in the metric: its factors times r. */
space metric_space(metric *m, const space *s);

/* m->slope := sum_i h_i x'_ij^2 for columns [from, to), of rows in the metric. */
void metric_squares(metric *m, const observations *x, const double *h, size_t from, size_t to);

/* A step along m->slope of length `rate` times m->rate: m->by and m->ratio, by which points are to
 * be multiplied. `first` and `second` correct the moments for the steps so far. */
void metric_step(metric *m, size_t columns, double rate, double first, double second);

#endif
