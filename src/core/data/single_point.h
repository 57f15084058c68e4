/*
 * A pass over R's own matrix, column by column, for one point: nothing is
 * gathered, so it runs at the speed of memory. For many points at once
 * features.h is quicker, because it reads the data once for all of them.
 */
#ifndef LANDMARKER_SINGLE_POINT_H
#define LANDMARKER_SINGLE_POINT_H

#include "observations.h"

/* out[i] = ||z_i - t||^2 for rows [first, first + count) of a COLUMNS layout, by
 * differences, not by |z|^2 + |t|^2 - 2 z't. t has `columns` kernel coordinates,
 * `apart` doubles from each other. Time count * columns. */
void single_point_distances(const executor *exec, const observations *x, size_t first, size_t count,
                            const double *t, size_t apart, double *out);

#endif
