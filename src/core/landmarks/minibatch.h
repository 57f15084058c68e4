/*
 * k-means from small random batches of rows: D. Sculley (2010), Web-scale k-means clustering.
 *
 * Every row of a batch goes to the nearest of the centers as they are. Then each of these rows,
 * one after another, draws its center c nearer, by a rate that falls with the weight v that c has
 * seen in all batches so far:
 *
 *   v <- v + w,   c <- (1 - w / v) c + (w / v) x,
 *
 * w the weight of the row x, 1 where there are no weights. So c is the weighted mean of all rows
 * that have gone to it, and the rows of a batch are done at once: with W the weight of those that
 * go to c, and m their weighted mean,
 *
 *   v <- v + W,   c <- c + (W / v) (m - c).
 */
#ifndef LANDMARKER_MINIBATCH_H
#define LANDMARKER_MINIBATCH_H

#include "lloyd.h"

/* One batch, `a->x`; `a->label` and `a->squared` are scratch. `count`: the weight that each center
 * has seen, 0 at first. Centers (norms are made here) and count are changed, but for the first
 * `held` centers, which count and do not move. A center to which no row goes stays where it is.
 * Time rows * columns * centers (entries * centers if sparse). */
void minibatch_step(lloyd *a, size_t held, double *count);

#endif
