/*
 * Rows against points: squared distances and Gaussian features
 *
 *   phi_i(t) = exp(-||z_i - t||^2 / bandwidth),
 *
 * and back: weighted sums of rows. Everything that touches all of the data
 * goes through these two.
 */
#ifndef LANDMARKER_FEATURES_H
#define LANDMARKER_FEATURES_H

#include "core/algebra/matrix.h"
#include "observations.h"

/* Points of the space that the kernel sees, packed for the products: column by
 * column, x[j * length + t], t < count, the padding zero. */
typedef struct {
  size_t count, columns, length; /* length = padded(count) */
  double *x;                     /* columns x length */
  double *norm;                  /* length: ||t||^2, by points_norms() */
} points;

/* Doubles that points of this shape need, both arrays together. */
size_t points_size(size_t count, size_t columns);
/* Points on `memory` of points_size() doubles, all zero. */
points points_on(double *memory, size_t count, size_t columns);
void points_norms(points *t);
/* Their coordinates as a matrix, columns x count. */
static inline matrix points_matrix(const points *t) {
  return matrix_on(t->x, t->columns, t->count, t->length);
}
/* Row i of the data, in any layout, as point l. Norms are not made. */
void points_row(const observations *x, size_t i, points *t, size_t l);
/* The range [first, first + count) of points, copied. */
void points_copy(const points *from, size_t first, points *to);
/* Rows [first, first + t->count) of a ROWS layout as points, with norms. */
void points_from_rows(const observations *x, size_t first, points *t);

/* out[k * length + l] = exp(-||a_k - b_l||^2 / bandwidth), of points among
 * themselves where a is b (then exactly 1 at k = l). Norms computed. Time
 * columns * a * b. */
void points_kernel(const executor *exec, const points *a, const points *b, double bandwidth,
                   double *out, size_t length);

typedef enum { SQUARED_DISTANCES, GAUSSIAN_FEATURES } feature_kind;

/* Rows of a tile: what is gathered at a time from a COLUMNS layout. */
size_t features_tile(size_t columns);
/* Doubles of scratch that features() needs for this data. */
size_t features_scratch(const executor *exec, const observations *x);

/* out[(i - first) * t->length + l] for rows i in [first, first + count), the
 * padding zero. Time count * columns * points (entries * points if sparse),
 * memory none but the scratch. */
void features(const executor *exec, const observations *x, size_t first, size_t count,
              const points *t, feature_kind kind, double bandwidth, double *scratch, double *out);

/* The same into R's matrix: out[l * out_rows + i], so that a caller keeps
 * nothing but the result. */
size_t features_matrix_scratch(const executor *exec, const observations *x, const points *t);
void features_matrix(const executor *exec, const observations *x, size_t first, size_t count,
                     const points *t, feature_kind kind, double bandwidth, double *scratch,
                     double *out, size_t out_rows);

/* sums[j, l] (+)= sum_i h[i, l] z_i[j] for l < sums->count: H'X, packed as
 * points; the rows of h are h_length apart. ROWS layouts. `scratch` has
 * sums->count * padded(columns) doubles for ROWS_DENSE, else none. Time rows *
 * columns * points (entries * points if sparse). */
void weighted_sums(const executor *exec, const observations *x, const double *h, size_t h_length,
                   int accumulate, double *scratch, points *sums);

#endif
