/*
 * Points of the space that the kernel sees: landmarks, centers, or rows that stand as such.
 */
#ifndef LANDMARKER_POINTS_H
#define LANDMARKER_POINTS_H

#include "core/algebra/kernel.h"
#include "core/algebra/matrix.h"
#include "observations.h"

/* Points of the space that the kernel sees, packed for the products: column by
 * column, x[j * ld + t], t < count, the padding zero. */
typedef struct {
  size_t count, columns, ld; /* ld = padded(count) */
  double *x;                 /* columns x ld */
  double *norm;              /* ld: ||t||^2, by points_norms() */
  float *single;             /* columns x padded_single(count), by points_round(); or NULL. A
                                single point is a row of padded_single(columns) */
} points;

/* Doubles that points of this shape need, both arrays together. */
size_t points_size(size_t count, size_t columns);
/* Points on `memory` of points_size() doubles, all zero. */
points points_on(double *memory, size_t count, size_t columns);
void points_norms(points *t);
/* Doubles for the coordinates in single precision. */
size_t points_single_size(size_t count, size_t columns);
/* The coordinates rounded, in t->single, for rows of ROWS_SINGLE. Time columns * count. */
void points_round(const executor *exec, points *t);
/* Their coordinates as a matrix, columns x count. */
static inline matrix points_matrix(const points *t) {
  return matrix_on(t->x, t->columns, t->count, t->ld);
}
/* Row i of the data, in any layout, as point l. Norms are not made. */
void points_row(const observations *x, size_t i, points *t, size_t l);
/* The range [first, first + count) of points, copied. */
void points_copy(const points *from, size_t first, points *to);
/* The points by rows of `ld` doubles, at least `columns`, the rest zero. */
void points_to_rows(const points *t, double *rows, size_t ld);
/* Rows [first, first + t->count) of a ROWS layout as points, with norms. */
void points_from_rows(const observations *x, size_t first, points *t);

/* The largest squared distance that rounding may give between point l and a row of the data that
 * equals it. Time columns. */
double points_rounding(const observations *x, const points *t, size_t l);

/* out[k * ld + l] = kappa(||a_k - b_l||^2 / bandwidth), of points among
 * themselves where a is b (then exactly 1 at k = l), within some units in the last place of 1
 * wherever the points are. Norms computed. Time columns * a * b. */
void points_kernel(const executor *exec, const points *a, const points *b, const radial_kernel *k,
                   double *out, size_t ld);
/* The same of the kernel's slopes. */
void points_slopes(const executor *exec, const points *a, const points *b, const radial_kernel *k,
                   double *out, size_t ld);

#endif
