/*
 * k-means from small random batches of rows: D. Sculley (2010), Web-scale k-means clustering.
 *
 * Every row of a batch is assigned to its nearest center. Then each of these rows in turn moves
 * its center c toward itself, by a rate that falls with the weight v of all rows that were
 * assigned to c in the batches so far:
 *
 *   v <- v + w,   c <- (1 - w / v) c + (w / v) x,
 *
 * where w is the weight of the row x, 1 where there are no weights. So c is the weighted mean of
 * all rows assigned to it, and all rows of a batch can be applied in one step: with W the weight
 * of those assigned to c, and m their weighted mean,
 *
 *   v <- v + W,   c <- c + (W / v) (m - c).
 */
#ifndef LANDMARKER_MINIBATCH_H
#define LANDMARKER_MINIBATCH_H

#include "lloyd.h"

/* Applies one batch, `a->x`. `a->label` and `a->squared` are scratch. `count` is the weight of the
 * rows that were assigned to each center so far, 0 at first. Centers (whose norms are computed
 * here) and `count` are changed, except the first `fixed` centers: rows are assigned to them, but
 * they do not move. A center to which no row is assigned stays in place.
 * Time rows * columns * centers (entries * centers if sparse). */
void minibatch_step(lloyd *a, size_t fixed, double *count);

#endif
