/*
 * Rows against points: squared distances and features
 *
 *   phi_i(t) = kappa(||z_i - t||^2 / bandwidth),
 *
 * Everything that touches all of the data goes through these and weighted_sums.h.
 */
#ifndef LANDMARKER_FEATURES_H
#define LANDMARKER_FEATURES_H

#include "core/algebra/kernel.h"
#include "core/algebra/triangular.h"
#include "points.h"

/* What a row is mapped to: a number for each point. */
typedef struct {
  const points *points;
  const radial_kernel *kernel; /* of features; NULL: squared distances */
  const triangular *root;      /* R of the points' kernel: features k become R'^-1 k; or NULL */
} feature_map;

/* Rows of a tile: what is gathered at a time from a COLUMNS layout. */
size_t features_tile(size_t columns);
/* Doubles of scratch that features() needs for this data. */
size_t features_scratch(const executor *exec, const observations *x);

/* out[(i - first) * t->ld + l] for rows i in [first, first + count), the
 * padding zero. Rows of ROWS_SINGLE meet points that are rounded, see points_round(). Time count *
 * columns * points (entries * points if sparse), memory none but the scratch. `slopes`: as out, the
 * kernel's slopes; or NULL. */
void features(const executor *exec, const observations *x, size_t first, size_t count,
              const points *t, const radial_kernel *k, double *scratch, double *out,
              double *slopes);

/* The same into R's matrix of all rows, out[l * x->rows + i] for these rows i, so that a caller
 * keeps nothing but the result. With a root also time count * points^2. */
size_t features_matrix_scratch(const executor *exec, const observations *x, const points *t);
void features_matrix(const executor *exec, const observations *x, size_t first, size_t count,
                     const feature_map *map, double *scratch, double *out);

#endif
