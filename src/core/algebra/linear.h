/*
 * The small dense linear algebra around the kernel matrix of the landmarks,
 * G = Phi' D Phi (n x n): built on the products, so that it is quick and gives
 * the same bits on every BLAS.
 *
 * Square matrices are stored by rows with row length padded(n); the factor is
 * upper triangular, G = R'R, so that every inner loop runs along a row.
 */
#ifndef LANDMARKER_LINEAR_H
#define LANDMARKER_LINEAR_H

#include "core/base/executor.h"
#include "products.h"

/* C = Phi' Psi (n x n), both `rows` x length, of the columns; only where
 * Psi = D Phi, so that C is symmetric: half is computed, half is mirrored.
 * `accumulate` adds to the lower half, mirroring after it. Time rows n^2. */
void gram(const executor *exec, size_t rows, size_t n, size_t length, const double *phi,
          const double *psi, int accumulate, double *g, size_t g_length);

/* C (rows x m) (+)= A (rows x depth) B (depth x m), all by rows, row tiles in
 * parallel. */
void multiply_rows(const executor *exec, size_t rows, size_t m, size_t depth, const double *a,
                   size_t a_length, const double *b, size_t b_length, int accumulate, double *c,
                   size_t c_length);

/* C (n x m) (+)= A' B, A rows x n, B rows x m, all by rows. */
void multiply_transposed(const executor *exec, size_t n, size_t m, size_t rows, const double *a,
                         size_t a_length, const double *b, size_t b_length, int accumulate,
                         double *c, size_t c_length);

/* Columns [from, n) of the Cholesky factor R of G, in place of them in `r`,
 * whose columns [0, from) are already factored; the lower half is not read, and
 * undefined afterwards. Returns n, or the index of the first pivot that is not above
 * `floor` times its diagonal entry of G: from there on `r` is undefined. Where
 * `skip`, such a column gets an infinite pivot instead: it depends on those
 * before it, and every solve gives it 0. Time n^2 (n - from) at the most. */
size_t cholesky(const executor *exec, size_t n, size_t length, size_t from, double floor, int skip,
                double *r);

/* x (n x m, row length x_length) := R'^-1 x, or (R'R)^-1 x where `both`. Rows
 * of x before `zero` are known to be zero. Time n^2 m, twice that for both. */
void cholesky_solve(const executor *exec, size_t n, size_t length, const double *r, int both,
                    size_t zero, double *x, size_t x_length, size_t m);

/* log det G = 2 sum log R_kk. */
double cholesky_log_det(size_t n, size_t length, const double *r);

/* Greedy order by pivoted Cholesky: `order` gets up to `wanted` columns of G,
 * the first `held` in their places, then always the one with the largest
 * remaining diagonal (ties: the first), and `pivot` those diagonals: the
 * variance when found, times N. Stops where what remains of the best is not
 * above `floor` times its diagonal entry, and returns how many were taken.
 * `basis` is scratch, (wanted + 1) x length. G is only read. Time n wanted^2. */
size_t pivoted_order(size_t n, size_t length, size_t held, size_t wanted, double floor,
                     const double *g, double *basis, size_t *order, double *pivot);

#endif
