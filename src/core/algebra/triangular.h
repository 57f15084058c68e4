/*
 * Triangular solves of many rows, X R^-1 and X R^-T with R the upper Cholesky factor of
 * W = R'R: for x = k(x_i)', the kernel of a row with the landmarks, X R^-1 has the rows
 * b_i = R'^-1 k_i of the Nystrom features, and their products are those of the kernel, b_i'b_j =
 * k_i' W^-1 k_j. Unlike a product with W^-1, whose condition is the square of R's, a solve keeps
 * the digits.
 */
#ifndef LANDMARKER_TRIANGULAR_H
#define LANDMARKER_TRIANGULAR_H

#include "core/base/arena.h"
#include "core/base/executor.h"
#include "matrix.h"

/* R, its transpose, and the inverses of the blocks of 8 on its diagonal. */
typedef struct {
  size_t n, ld;                 /* ld = padded(n) */
  double *upper, *lower;        /* n x ld: R, to be filled, and R' */
  double *inverse, *transposed; /* n x 8: of each block its inverse, and that transposed */
} triangular;

/* Memory 2 n^2 + 16 n. */
void triangular_layout(triangular *t, arena *memory, size_t n);

/* After `upper` is filled, whose lower half is not read. A row of zeros with an infinite diagonal
 * entry, as of cholesky() with `skip`, gives a column of zeros. Time n^2. */
void triangular_prepare(triangular *t);

/* X (rows x n) := X R^-1. Where `sums` is not NULL, sums[k] is the sum of squares of the result's
 * rows [64 k, 64 k + 64). Time rows n^2. */
void solve_rows(const executor *exec, const triangular *t, matrix x, double *sums);

/* X := X R^-T, of which the columns from `from` on are computed; those before are undefined. Time
 * rows (n - from)^2. */
void solve_rows_back(const executor *exec, const triangular *t, size_t from, matrix x);

/* How many sums solve_rows() makes. */
size_t solve_rows_sums(size_t rows);

#endif
